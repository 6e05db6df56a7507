"""Restrictions: actions that a player may not take, or only a few times a game, named by patterns of their labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from balance.contract.view import TraceWords
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import tr
from balance.foundation.toml import Settings

if TYPE_CHECKING:
    from balance.contract.game import Game

KIND = "kind"  # the kind of an action, named in patterns like a part of it


class Restriction(Settings):
    """What a player may not do.

    Attributes
    ----------
    title : str
        What the player does without, in a few words, such as "the crown field".
    patterns : list of str
        The actions concerned, those that match one of these. ``PART=WORD`` is about a part of the action, a column of
        the trace, such as ``field=crown``, or about its ``kind``. Any other pattern is about the label, or about the
        word of any part, such as ``crown``. ``*``, ``?`` and ``[...]`` are those of a shell; ``A & B`` matches what
        both match.
    at_most : int
        How many of these actions the player may take in a game.
    """

    title: str
    patterns: Annotated[list[str], Field(min_length=1)]
    at_most: Annotated[int, Field(ge=0)] = 0

    def concerns(self, label: str, parts: Mapping[str, str]) -> bool:
        """Return whether an action with this label and these parts, in words, matches a pattern."""
        return any(all(_matches(each, label, parts) for each in _split(pattern)) for pattern in self.patterns)


def _split(pattern: str) -> list[str]:
    return pattern.split(" & ")


def _matches(pattern: str, label: str, parts: Mapping[str, str]) -> bool:
    part, equals, word = pattern.partition("=")
    if equals:
        return part in parts and fnmatchcase(parts[part], word)
    words = [each for name, each in parts.items() if name != KIND]
    return any(fnmatchcase(each, pattern) for each in (label, *words))


def check_patterns(game: Game, patterns: Sequence[str], where: str) -> None:
    """Refuse empty patterns, and those about a part that no action has."""
    known = [KIND, *getattr(game.kernel, "PARTS", {})]
    for each in (each for pattern in patterns for each in _split(pattern)):
        part, equals, _ = each.partition("=")
        if not each:
            raise BalanceError(tr("{where}: a pattern is empty; write a label, a word, or PART=WORD", where=where))
        if equals and part not in known:
            raise unknown("part of an action", part, known, where)


def restrictions_of(game: Game) -> Mapping[str, Restriction]:
    """Return the restrictions that a game names, as ``RESTRICTIONS`` of its analytics; empty if there are none."""
    found: Mapping[str, Restriction] = getattr(game.analytics, "RESTRICTIONS", {})
    return found


def words_of_action(words: TraceWords, code: int) -> tuple[str, dict[str, str]]:
    """Return the label of an action, and its kind and parts in words."""
    parts = {name: words.word(name, number) for name, number in words.parts(code, ()).items()}
    return words.label(code, ()), {KIND: words.kind(code), **parts}


def make_classifier(game: Game, rules: Any, restrictions: Sequence[Restriction]) -> Callable[[int], int]:
    """Return a function from the code of an action to the restrictions that concern it, as bits."""
    words = TraceWords(game.kernel, game.display, rules)

    def classify(code: int) -> int:
        told = words_of_action(words, code)
        return sum(1 << number for number, each in enumerate(restrictions) if each.concerns(*told))

    return classify
