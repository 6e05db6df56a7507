"""Text that is safe in terminals, Markdown, spreadsheets and drawings; lists and numbers in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from balance.foundation.language import N_, tr

TEXT, NAME, NUMBER, ESTIMATE = "text", "name", "number", "estimate"
"""Kinds of columns on a terminal. In a table that is too wide, cells are broken into lines, names last. Estimates are
never broken, because half of an interval could be read as another interval."""

_ORDINALS = {1: N_("{n}st"), 2: N_("{n}nd"), 3: N_("{n}rd")}


def nth(seat: int) -> str:
    """Return a seat as an ordinal, counted from one: "1st" for seat 0."""
    number = seat + 1
    last = 0 if number // 10 % 10 == 1 else number % 10
    return tr(_ORDINALS.get(last, N_("{n}th")), n=number)


def player(seat: int) -> str:
    """Return a seat as named on pages, counted from one: seat 0 is the 1st player."""
    return tr("{nth} player", nth=nth(seat))


def seat_name(seat: int) -> str:
    """Return a seat as a sentence names it, counted from one: seat 0 is the 1st seat."""
    return tr("{nth} seat", nth=nth(seat))


def listed(parts: Sequence[object]) -> str:
    """Return a list in words: "a, b and c"."""
    words = [str(part) for part in parts]
    return tr("{first} and {last}", first=", ".join(words[:-1]), last=words[-1]) if len(words) > 1 else "".join(words)


def strategy_of(name: str) -> str:
    """Return the strategy in a player's name such as "1st player (champion)"; another name is returned unchanged."""
    return name.partition(" (")[2].removesuffix(")") or name


if TYPE_CHECKING:
    import pandas as pd

# Markup of CommonMark and GitHub's tables; `<` and `&` only at the start of a tag or entity, and `_` only without a
# letter on one of its sides, so that numbers and names of measures stay readable.
_MARKUP = re.compile(r"[\\`*~|\[\]]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<!\w)_|_(?!\w)")
_BLOCK = re.compile(r"^(\d*)(?=[-+#.)=]+(\s|$)|>)")  # a heading, list or quotation begins
_SPACES = re.compile(r"[^\S\xa0]+")  # numbers keep their no-break spaces
_ENTITIES = {"<": "&lt;", "&": "&amp;"}
# Control characters, Unicode line ends, characters that change the text direction, and lone surrogates.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def escape_controls(text: str, kept: str = "") -> str:
    """Return a text with each control character escaped as in Python, such as ``\\x1b``, except those in `kept`."""
    return _CONTROL.sub(
        lambda found: found[0] if found[0] in kept else found[0].encode("unicode_escape").decode("ascii"), text
    )


def write_markdown(value: Any) -> str:
    """Return a value as one line of Markdown with all markup escaped."""
    text = escape_controls(_SPACES.sub(" ", str(value)).strip(" "))
    text = _MARKUP.sub(lambda found: _ENTITIES.get(found[0], "\\" + found[0]), text)
    return _BLOCK.sub(r"\1\\", text)


def write_csv(table: pd.DataFrame, separator: str = ",") -> str:
    """Return a table as CSV with numbers to nine digits; a text that looks like a formula gets an apostrophe."""
    plain = table.apply(_as_texts).rename(columns=_as_text)
    written: str = plain.to_csv(index=False, float_format="%.9g", sep=separator)
    return written


def _as_texts(values: pd.Series) -> pd.Series:
    return values if values.dtype.kind in "iufb" else values.map(_as_text)


def _as_text(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = escape_controls(value)
    return f"'{text}" if value.startswith(_FORMULA) else text


def read_text_cell(text: str) -> str:
    """Return the text that `write_csv` wrote as a cell."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(_FORMULA) else text
