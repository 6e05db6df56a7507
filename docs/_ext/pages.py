"""Captions for code blocks with a title, the name of the file that the tests write."""

from __future__ import annotations

import re

from sphinx.application import Sphinx

TITLED = re.compile(r"^```(\w+) title=\"([^\"]+)\"$", re.M)


def caption_titles(app: Sphinx, page: str, source: list[str]) -> None:
    """Rewrite titled blocks as captioned `code-block` directives; changes `source` in place."""
    source[0] = TITLED.sub(r"```{code-block} \1\n:caption: \2\n", source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", caption_titles)
    return {"parallel_read_safe": True}
