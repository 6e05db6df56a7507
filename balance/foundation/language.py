"""The language of pages and messages: English as written in the source, or a catalogue in `balance/languages`.

Messages are marked where they are written: `tr`, `trn` and `trc` translate at once. Text that is declared (labels of
measures, meanings of rule keys, words that are data too, such as verdicts) stays English where it is declared and is
translated where it is shown, by `tr`; `N_` marks it. `tools/messages` collects all messages in the catalogues.
"""

from __future__ import annotations

import datetime as dt
import gettext
import os
import re
import string
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from numbers import Number
from pathlib import Path
from typing import Any, Protocol

SOURCE = "en"
"""The language of the messages in the source."""
_IN_SCRIPT = re.compile(r'\btrn?\("([^"]+)"(?:,\s*"([^"]+)")?')
CATALOGUES = Path(__file__).parents[1] / "languages"


class Language(Protocol):
    """What a language does with messages and numbers."""

    code: str

    def find(self, message: str, context: str | None = None) -> str:
        """Return the translation of a message, or the message."""

    def find_plural(self, one: str, many: str, n: float) -> str:
        """Return the translation that fits the number `n`."""

    def forms(self, one: str, many: str) -> tuple[str, ...]:
        """Return all forms of a message with a number, in the order of the plural categories."""

    def localize(self, number: str) -> str:
        """Return a number, as Python formats it, with the separators of the language."""

    def write_date(self, date: dt.date) -> str:
        """Return a date."""


class _English:
    """The messages as in the source."""

    code = SOURCE

    def find(self, message: str, context: str | None = None) -> str:
        return message

    def find_plural(self, one: str, many: str, n: float) -> str:
        return one if n == 1 else many

    def forms(self, one: str, many: str) -> tuple[str, ...]:
        return one, many

    def localize(self, number: str) -> str:
        return number

    def write_date(self, date: dt.date) -> str:
        return date.isoformat()


class Catalogue:
    """A language with a file of translations, ``languages/CODE.po``, as gettext has them."""

    def __init__(self, code: str) -> None:
        from babel import Locale
        from babel.messages.pofile import read_po

        with (CATALOGUES / f"{code}.po").open("rb") as file:
            catalogue = read_po(file, locale=code)
        self.code = code
        self._plural_of = gettext.c2py(catalogue.plural_expr)
        self._messages: dict[tuple[str | None, str], tuple[str, ...]] = {}
        for message in catalogue:
            forms = message.string if isinstance(message.string, tuple) else (str(message.string),)
            if message.id and all(forms) and not message.fuzzy:
                key = message.id[0] if isinstance(message.id, tuple) else str(message.id)
                self._messages[message.context, key] = forms
        symbols = Locale.parse(code).number_symbols["latn"]
        self._separators = str.maketrans({".": symbols["decimal"], ",": symbols["group"]})

    def find(self, message: str, context: str | None = None) -> str:
        """Return the translation of a message, or the message."""
        return self._messages.get((context, message), (message,))[0]

    def find_plural(self, one: str, many: str, n: float) -> str:
        """Return the form that fits the number `n`; a fraction is rounded down."""
        forms = self._messages.get((None, one))
        if forms is None:
            return one if n == 1 else many
        return forms[min(self._plural_of(abs(int(n))), len(forms) - 1)]

    def forms(self, one: str, many: str) -> tuple[str, ...]:
        """Return all forms of a message with a number, in the order of the plural categories: one, few, many."""
        return self._messages.get((None, one), (one, many))

    def localize(self, number: str) -> str:
        """Return a number with the decimal sign and the group separator of the language."""
        return number.translate(self._separators)

    def write_date(self, date: dt.date) -> str:
        """Return a date as the language writes it."""
        from babel.dates import format_date

        return format_date(date, "long", self.code)


class _Formatter(string.Formatter):
    """Formats values as `str.format` does, with numbers as the language writes them."""

    def format_field(self, value: Any, format_spec: str) -> str:
        text = format(value, format_spec)
        return _active.localize(text) if isinstance(value, Number) else text


_formatter = _Formatter()
_active: Language = _English()


def languages() -> list[str]:
    """Return the codes of all languages, English first."""
    return [SOURCE, *sorted(path.stem for path in CATALOGUES.glob("*.po"))]


def language() -> str:
    """Return the code of the language in use."""
    return _active.code


@cache
def _open(code: str) -> Language:
    return _English() if code == SOURCE else Catalogue(code)


def use_language(code: str) -> None:
    """Use a language for all pages and messages of this process; commands take it from ``--lang``.

    Parameters
    ----------
    code : str
        ``en`` for English, ``pl`` for Polish.

    Examples
    --------
    >>> balance.use_language("pl")  # doctest: +SKIP
    >>> balance.open_run("runs/first-look").plot.seats()  # doctest: +SKIP
    """
    global _active
    if code not in languages():
        from balance.foundation.errors import unknown  # only here, because errors are translated too

        raise unknown("language", code, languages())
    _active = _open(code)


@contextmanager
def using(code_or_language: str | Language) -> Iterator[None]:
    """Use a language inside the block."""
    global _active
    before = _active
    try:
        if isinstance(code_or_language, str):
            use_language(code_or_language)
        else:
            _active = code_or_language
        yield
    finally:
        _active = before


def system_language(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language that the environment asks for (LC_ALL, LC_MESSAGES, LANG, in this order), else English."""
    asked = next(filter(None, (environment.get(key) for key in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    code = asked.partition("_")[0].partition(".")[0].lower()
    return code if code in languages() else SOURCE


def tr(message: str, **values: Any) -> str:
    """Return a message in the language in use, with its values filled in.

    Parameters
    ----------
    message : str
        Whole sentences or phrases where possible, with named fields as in `str.format`: ``"seat {seat} wins {share:.1f}
        %"``. Numbers are written as in the language.
    """
    return _fill(_active.find(message), values)


def trn(one: str, many: str, n: float, **values: Any) -> str:
    """Return the form of a message that fits the number `n`, which is filled in as ``{n}``.

    English has two forms, one and many; other languages have their own number of forms.
    """
    return _fill(_active.find_plural(one, many, n), {"n": n, **values})


def trc(context: str, message: str, **values: Any) -> str:
    """Return a message whose translation depends on a context, such as "open" said of a door or of a game."""
    return _fill(_active.find(message, context), values)


def N_(message: str) -> str:  # noqa: N802 - gettext's name
    """Mark a declared text for translation, and return it unchanged; `tr` translates it where it is shown."""
    return message


def write_number(value: float, spec: str = "") -> str:
    """Return a number in a format such as ``,`` or ``.1f``, with the separators of the language."""
    return _active.localize(format(value, spec))


def write_date(text: str) -> str:
    """Return the date of a time in ISO format, in the language in use: 26 listopada 2026."""
    return _active.write_date(dt.date.fromisoformat(text[:10]))


def messages_of_script(script: str) -> list[tuple[str, str]]:
    """Return the messages in a script, by its calls of ``tr`` and ``trn``: one and many, which is "" for ``tr``."""
    return _IN_SCRIPT.findall(script)


def texts_of_script(script: str) -> dict[str, str | tuple[str, ...]]:
    """Return the translations of the messages in a script."""
    return {
        one: _active.forms(one, many) if many else _active.find(one)
        for one, many in messages_of_script(script)
    }


def _fill(message: str, values: Mapping[str, Any]) -> str:
    return _formatter.vformat(message, (), values) if values else message
