"""Chapters to files: one HTML page, Markdown, figures (SVG, PNG) and tables (CSV)."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from balance.log.files import make_folder, replace_file
from balance.report.escaping import write_markdown
from balance.report.figures.themed import themed
from balance.report.model import Chapter, Figure


def _data_uri(figure: Figure) -> Markup:
    """A picture in the page itself; percent signs are smaller than base64, as most of it is text."""
    text = quote(themed(figure), safe=" !$'()*+,-./:;<=>?@_~[]{}|^")
    return Markup(f"data:image/svg+xml,{text}")


def _zipped(text: str) -> str:
    """A text for an attribute, as short as a browser can still read it."""
    return base64.b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii")


def open_templates() -> Environment:
    """The templates of this package; HTML is escaped."""
    templates = Environment(
        loader=PackageLoader("balance.report"),
        autoescape=lambda name: bool(name) and ".html" in str(name),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    return templates


@dataclass(frozen=True)
class Files:
    """What the files of a page are called; `tables` is the folder of its CSV tables."""

    html: str = "index.html"
    markdown: str = "report.md"
    tables: str = "tables"


REPORT = Files()
LONG, FEW, PRINTED = 12, 8, 3
"""A table of more rows than the first is long: it can be searched, and few of its rows are seen, fewer on paper."""


def write_page(chapters: Sequence[Chapter], out: Path, files: Files = REPORT) -> Path:
    """Write everything into `out`; returns the HTML page, which needs no other file."""
    html = open_templates()
    html.filters |= {"data_uri": _data_uri, "zipped": _zipped}
    markdown = html.overlay(finalize=write_markdown)
    for folder in ("figures", files.tables):
        make_folder(out / folder)
    for number, chapter in enumerate(chapters):
        for section in chapter.sections:
            for figure in section.figures:
                stem = out / "figures" / f"{prefix(number)}{figure.name}"
                replace_file(stem.with_suffix(".svg"), figure.svg)
                replace_file(stem.with_suffix(".png"), figure.png)
            for table in section.tables:
                path = out / files.tables / f"{prefix(number)}{table.name}.csv"
                replace_file(path, table.csv().encode("utf-8"))
    page = out / files.html
    for environment, name, path in (
        (html, "report.html.jinja", page),
        (markdown, "report.md.jinja", out / files.markdown),
    ):
        text = environment.get_template(name).render(
            chapters=chapters,
            prefix=prefix,
            files=files,
            style=_verbatim(html, "report.css"),
            script=Markup("").join(_verbatim(html, name) for name in ("tables.js", "report.js")),
            long=LONG,
            few=FEW,
            printed=PRINTED,
        )
        replace_file(path, text.encode("utf-8"))
    return page


def _verbatim(templates: Environment, name: str) -> Markup:
    """A file beside the templates as it stands."""
    assert templates.loader is not None
    return Markup(templates.loader.get_source(templates, name)[0])


def prefix(chapter: int) -> str:
    """What names of files and anchors of a chapter begin with; nothing for the first."""
    return f"run{chapter + 1}-" if chapter else ""
