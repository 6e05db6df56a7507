"""Messages in the language in use: English as written in the source, or one of `balance.foundation.catalogues`.

Messages are marked where they are written: `tr`, `trn` and `trc` translate at once. Text that is declared (labels of
measures, meanings of rule keys, words that are data too, such as verdicts) stays English where it is declared and is
translated where it is shown, by `tr`; `N_` marks it. `tools/messages` collects all messages in the catalogues.
"""

from __future__ import annotations

import datetime as dt
import re
import string
from collections.abc import Mapping
from numbers import Number
from typing import Any, Protocol

SOURCE = "en"
"""The language of the messages in the source."""
_IN_SCRIPT = re.compile(r'\btrn?\("([^"]+)"(?:,\s*"([^"]+)")?')


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


class English:
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


class _Formatter(string.Formatter):
    """Formats values as `str.format` does, with numbers as the language writes them."""

    def format_field(self, value: Any, format_spec: str) -> str:
        text = format(value, format_spec)
        return _active.localize(text) if isinstance(value, Number) else text


_formatter = _Formatter()
_active: Language = English()


def current() -> Language:
    """Return the language in use."""
    return _active


def speak(language: Language) -> None:
    """Use a language; `balance.foundation.catalogues.use_language` has those with a code."""
    global _active
    _active = language


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
    return {one: _active.forms(one, many) if many else _active.find(one) for one, many in messages_of_script(script)}


def _fill(message: str, values: Mapping[str, Any]) -> str:
    return _formatter.vformat(message, (), values) if values else message
