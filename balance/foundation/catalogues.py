"""The languages that there are: English, and a catalogue in `balance/languages` for each other one."""

from __future__ import annotations

import datetime as dt
import gettext
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from balance.foundation.errors import unknown
from balance.foundation.language import SOURCE, English, Language, current, speak

CATALOGUES = Path(__file__).parents[1] / "languages"


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


def languages() -> list[str]:
    """Return the codes of all languages, English first."""
    return [SOURCE, *sorted(path.stem for path in CATALOGUES.glob("*.po"))]


@cache
def open_catalogue(code: str) -> Language:
    """Read the catalogue of a language."""
    return English() if code == SOURCE else Catalogue(code)


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
    if code not in languages():
        raise unknown("language", code, languages())
    speak(open_catalogue(code))


@contextmanager
def using(language: str | Language) -> Iterator[None]:
    """Use a language, or the one with a code, inside the block."""
    before = current()
    try:
        if isinstance(language, str):
            use_language(language)
        else:
            speak(language)
        yield
    finally:
        speak(before)


def system_language(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language that the environment asks for (LC_ALL, LC_MESSAGES, LANG, in this order), else English."""
    asked = next(filter(None, (environment.get(key) for key in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    code = asked.partition("_")[0].partition(".")[0].lower()
    return code if code in languages() else SOURCE
