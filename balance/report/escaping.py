"""Names from anywhere as plain text: on a terminal, in Markdown, spreadsheets and drawings.

Templates of HTML escape markup by themselves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

# What CommonMark and GitHub's tables read as markup; `<` and `&` only where a tag or entity would begin,
# and `_` only where no letter stands on one of its sides, so that figures and names of measures stay legible.
_MARKUP = re.compile(r"[\\`*~|\[\]]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<!\w)_|_(?!\w)")
_BLOCK = re.compile(r"^(\d*)(?=[-+#.)=]+(\s|$)|>)")  # a heading, list or quotation begins
_ENTITIES = {"<": "&lt;", "&": "&amp;"}
# Control characters, line ends of Unicode, what reverses the direction of writing, and half letters.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def escape_controls(text: str, kept: str = "") -> str:
    """Return a text with each control character as Python writes it, such as ``\\x1b``, but for those `kept`."""
    return _CONTROL.sub(
        lambda found: (
            found[0] if found[0] in kept else found[0].encode("unicode_escape").decode("ascii")
        ),
        text,
    )


def write_markdown(value: Any) -> str:
    """A value as one line of Markdown in which nothing is markup."""
    text = escape_controls(" ".join(str(value).split()))
    text = _MARKUP.sub(lambda found: _ENTITIES.get(found[0], "\\" + found[0]), text)
    return _BLOCK.sub(r"\1\\", text)


def write_csv(table: pd.DataFrame) -> str:
    """A table as CSV, numbers to nine digits; no text is a formula: one that begins like it gets an apostrophe."""
    plain = table.map(_as_text).rename(columns=_as_text)
    written: str = plain.to_csv(index=False, float_format="%.9g")
    return written


def _as_text(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = escape_controls(value)
    return f"'{text}" if value.startswith(_FORMULA) else text
