"""Chapters to files: one HTML page, Markdown, figures (SVG, PNG) and tables (CSV)."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from balance.log.files import check_folder, make_folder
from balance.report.escaping import escape_controls, write_markdown
from balance.report.figures.themed import themed
from balance.report.model import Chapter, Figure
from balance.report.writing import write_page_files


def _data_uri(figure: Figure) -> Markup:
    """A picture in the page itself; percent signs are smaller than base64, as most of it is text."""
    text = quote(themed(figure), safe=" !$'()*+,-./:;<=>?@_~[]{}|^")
    return Markup(f"data:image/svg+xml,{text}")


def _zipped(text: str) -> str:
    """A text for an attribute, as short as a browser can still read it."""
    return base64.b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii")


def _show_controls(value: Any) -> Any:
    """A text of a page with its control characters to be seen; what is markup already stays as it is."""
    is_text = isinstance(value, str) and not isinstance(value, Markup)
    return escape_controls(value, kept="\t\r\n") if is_text else value


def open_templates() -> Environment:
    """The templates of this package; HTML is escaped."""
    templates = Environment(
        loader=PackageLoader("balance.report"),
        autoescape=lambda name: bool(name) and ".html" in str(name),
        undefined=StrictUndefined,
        finalize=_show_controls,
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


def check_place(out: Path, files: Files = REPORT) -> None:
    """Refuse a folder into which `write_page` could not write, before what the page is about is read or played.

    Raises
    ------
    BalanceError
        See `balance.log.files.check_folder`.
    """
    check_folder(out, [files.html, files.markdown], ["figures", files.tables])


def write_page(chapters: Sequence[Chapter], out: Path, files: Files = REPORT) -> Path:
    """Write everything into `out`; returns the HTML page, which needs no other file.

    Files that an earlier page of this name left are removed.
    """
    html = open_templates()
    html.filters |= {"data_uri": _data_uri, "zipped": _zipped}
    markdown = html.overlay(finalize=write_markdown)
    for folder in ("figures", files.tables):
        make_folder(out / folder)
    contents = _figures_and_tables(chapters, files)
    for environment, name, page in (
        (markdown, "report.md.jinja", files.markdown),
        (html, "report.html.jinja", files.html),
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
        contents[page] = text.encode("utf-8")
    write_page_files(out, files.html, contents)
    return out / files.html


def _figures_and_tables(chapters: Sequence[Chapter], files: Files) -> dict[str, bytes]:
    """Return what figures and tables hold, by their names in the folder of the page."""
    tables = "" if files.tables == "." else f"{files.tables}/"
    contents: dict[str, bytes] = {}
    for number, chapter in enumerate(chapters):
        for section in chapter.sections:
            for figure in section.figures:
                stem = f"figures/{prefix(number)}{figure.name}"
                contents |= {f"{stem}.svg": figure.svg, f"{stem}.png": figure.png}
            for table in section.tables:
                name = f"{tables}{prefix(number)}{table.name}.csv"
                contents[name] = table.csv().encode("utf-8")
    return contents


def _verbatim(templates: Environment, name: str) -> Markup:
    """A file beside the templates as it stands."""
    assert templates.loader is not None
    return Markup(templates.loader.get_source(templates, name)[0])


def prefix(chapter: int) -> str:
    """What names of files and anchors of a chapter begin with; nothing for the first."""
    return f"run{chapter + 1}-" if chapter else ""
