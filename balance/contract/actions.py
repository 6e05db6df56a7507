"""A game's actions and chance outcomes, each declared once: its label, its sentence, and the panel it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import Formatter
from typing import Any

from balance.foundation.language import tr
from balance.foundation.text import player

Words = Sequence[str] | Callable[[Any], Sequence[str]]


@dataclass(frozen=True)
class Deed:
    """What an action does, or what chance decides.

    Both texts have parts in braces, by their names in the kernel's ``PARTS``; the sentence also has ``{who}``, the
    player.
    """

    label: str  # as on the rule page, e.g. "move {origin} {place}"
    text: str | Callable[..., str]  # a message, or a function of `who` and the words of the parts by name
    # Title of the panel that a replay shows, or a function of the rules and the move.
    about: str | Callable[[Any, Any], str] = ""
    # A sentence that needs the rules or the position: a function of the rules, the move and the sentence of `text`.
    told: Callable[[Any, Any, str], str] | None = None

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The parts in the label, from left to right."""
        return tuple(name for _, name, *_ in Formatter().parse(self.label) if name)


class ActionTable:
    """The deeds of a game: writes the label of a code, and says a label in a sentence.

    Parameters
    ----------
    deeds : mapping of Deed
        By any key. If one label fits several, `say` uses the first one.
    read : callable
        Returns the key of a code, and its numbers by name.
    words : mapping
        Part to the words of its numbers, or to a function that finds them in the rule set: the game's ``WORDS``. Other
        parts are written as numbers.
    written : mapping of callables
        Part to a function of its number and the rule set that writes it in labels otherwise, as one or more numbers.
    said : mapping of callables
        Part to a function that turns its word in a label into that of a sentence, in the language in use. The part
        ``player`` is said as "2nd player".
    unlogged : collection of str
        Names of numbers that are in labels, but no parts of the trace.
    """

    def __init__(
        self, deeds: Mapping[Any, Deed], read: Callable[[int], tuple[Hashable, Mapping[str, int]]],
        words: Mapping[str, Words], *, written: Mapping[str, Callable[[int, Any], str]] | None = None,
        said: Mapping[str, Callable[[str], str]] | None = None, unlogged: Collection[str] = (),
    ) -> None:  # fmt: skip
        self._deeds, self._read, self._words = deeds, read, words
        self._written, self._unlogged = written or {}, unlogged
        self._said = {"player": lambda seat: player(int(seat)), **(said or {})}

    def write_label(self, code: int, rules: Any) -> str:
        """Return the label of an action or chance outcome, as on the rule page."""
        deed, words = self._take_apart(code, rules)
        return deed.label.format_map(words)

    def _take_apart(self, code: int, rules: Any) -> tuple[Deed, dict[str, str]]:
        """Return the deed of a code, and the words of the parts in its label."""
        key, numbers = self._read(code)
        deed = self._deeds[key]
        return deed, {part: self._write(part, numbers[part], rules) for part in deed.parts}

    def _write(self, part: str, number: int, rules: Any) -> str:
        if part in self._written:
            return self._written[part](number, rules)
        words = self._words.get(part)
        return str(number) if words is None else (words(rules) if callable(words) else words)[number]

    def parts_of(self, code: int, rules: Any) -> dict[str, int]:
        """Return the parts of an action or chance outcome as numbers."""
        numbers = self._read(code)[1]
        return {part: number for part, number in numbers.items() if part not in self._unlogged}

    def say(self, label: str, who: str) -> str:
        """Return a label of a trace that was read as a sentence about `who`, a player, or "" for chance."""
        return self._say(*self._find(label), who)

    def tell(self, rules: Any, move: Any) -> tuple[str, str]:
        """Return a `balance.contract.view.Move` as a sentence, and the title of the panel that it is about."""
        deed, words = self._take_apart(move.code, rules)
        text = self._say(deed, words, move.who)
        about = deed.about(rules, move) if callable(deed.about) else tr(deed.about)
        return deed.told(rules, move, text) if deed.told else text, about

    def _say(self, deed: Deed, words: Mapping[str, str], who: str) -> str:
        said = {part: self._said[part](word) if part in self._said else word for part, word in words.items()}
        return deed.text(who, **said) if callable(deed.text) else tr(deed.text, who=who, **said)

    def _find(self, label: str) -> tuple[Deed, dict[str, str]]:
        """Return the deed that a label names, and the words of its parts by name."""
        for deed, form in self._forms.get(label.partition(" ")[0], ()):
            if found := form.fullmatch(label):
                return deed, found.groupdict()
        raise ValueError(label)

    @cached_property
    def _forms(self) -> Mapping[str, Sequence[tuple[Deed, re.Pattern[str]]]]:
        """The deeds by the first words of their labels, with the form that these labels have."""
        found: dict[str, list[tuple[Deed, re.Pattern[str]]]] = {}
        for deed in self._deeds.values():
            form = re.sub(r"\\{(\w+)\\}", self._form_of, re.escape(deed.label))
            found.setdefault(deed.label.partition(" ")[0], []).append((deed, re.compile(form)))
        return found

    def _form_of(self, part: re.Match[str]) -> str:
        """Return the form of a part: words, or one or more numbers."""
        name, form = part.group(1), "-?[0-9]+"
        if name in self._written:
            form = "-?[0-9]+(?: -?[0-9]+)*"
        elif name in self._words:
            form = ".+?"
        return f"(?P<{name}>{form})"
