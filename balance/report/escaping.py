"""Names from anywhere as plain text in Markdown and in spreadsheets; templates of HTML escape by themselves."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

# What CommonMark and GitHub's tables read as markup; `<` and `&` only where a tag or entity would begin,
# and `_` only where no letter stands on one of its sides, so that figures and names of measures stay legible.
_MARKUP = re.compile(r"[\\`*~|\[\]]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<!\w)_|_(?!\w)")
_BLOCK = re.compile(r"^(\d*)(?=[-+#.)=]+(\s|$)|>)")  # a heading, list or quotation begins
_ENTITIES = {"<": "&lt;", "&": "&amp;"}
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def write_markdown(value: Any) -> str:
    """A value as one line of Markdown in which nothing is markup."""
    text = " ".join(str(value).split())
    text = _MARKUP.sub(lambda found: _ENTITIES.get(found[0], "\\" + found[0]), text)
    return _BLOCK.sub(r"\1\\", text)


def write_csv(table: pd.DataFrame) -> str:
    """A table as CSV, numbers to nine digits; no text is a formula: one that begins like it gets an apostrophe."""
    plain = table.map(_as_text).rename(columns=_as_text)
    written: str = plain.to_csv(index=False, float_format="%.9g")
    return written


def _as_text(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
