"""Writes chapters to files: an HTML page, Markdown, figures (SVG, PNG) and tables (CSV), replacing an earlier page."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from balance.foundation import language
from balance.foundation.errors import BalanceError
from balance.foundation.files import check_folder, make_folder, read_json, replace_file
from balance.foundation.text import escape_controls, nth, write_markdown
from balance.report.figures.theme import themed
from balance.report.model import Chapter, Figure

LIST = ".report.json"
_MOST_BYTES = 10_000_000

Written = dict[str, list[str]]
"""The checksums that each file may have: more than one if an earlier report was killed."""


def write_page_files(out: Path, page: str, contents: Mapping[str, bytes]) -> None:
    """Write the files of a page, and remove the files of an earlier page of this name.

    The folder exists, with the subfolders that `contents` names: the content of each file by its name, with at most
    one subfolder. `page` is the file name of the page, its key in the list of files.
    """
    listed = _read_list(out)
    own = {name: [hashlib.sha256(content).hexdigest()] for name, content in contents.items()}
    before = listed.get(page, {})
    both = {name: [*before.get(name, []), *own.get(name, [])] for name in {**before, **own}}
    # So that the next report can clean up if this one is killed.
    _write_list(out, {**listed, page: both})
    for name, content in contents.items():
        replace_file(out / name, content)
    others = {name for other, files in listed.items() if other != page for name in files}
    for name in before.keys() - own.keys() - others:
        if _is_as_written(out / name, before[name]):
            (out / name).unlink()
    _write_list(out, {**listed, page: own})


def _is_as_written(path: Path, checksums: list[str]) -> bool:
    """Return whether a page wrote this file; follow no symbolic link, neither the file's nor the folder's."""
    if path.is_symlink() or path.parent.is_symlink() or not path.is_file():
        return False
    return hashlib.sha256(path.read_bytes()).hexdigest() in checksums


def _write_list(out: Path, listed: Mapping[str, Written]) -> None:
    replace_file(out / LIST, json.dumps(listed, indent=1).encode())


def _read_list(out: Path) -> dict[str, Written]:
    path = out / LIST
    if not path.exists():
        return {}
    listed = read_json(path, _MOST_BYTES)
    for files in listed.values():
        for name, checksums in files.items() if isinstance(files, dict) else [("", None)]:
            if not _is_inside(name) or not isinstance(checksums, list):
                raise BalanceError(
                    language.tr(
                        "{path} is not a list of report files; remove it (files of earlier reports then stay)",
                        path=path,
                    )
                )
    return listed


def _is_inside(name: str) -> bool:
    """Return whether a name is a file in the folder or in one of its subfolders."""
    parts = name.split("/")
    return len(parts) <= 2 and all(part not in ("", ".", "..") and Path(part).name == part for part in parts)


def _data_uri(figure: Figure) -> Markup:
    """Return a figure as a data URI; percent encoding is shorter than base64, as an SVG is mostly text."""
    text = quote(themed(figure), safe=" !$'()*+,-./:;<=>?@_~[]{}|^")
    return Markup(f"data:image/svg+xml,{text}")


def _zipped(text: str) -> str:
    """Return a text for an attribute, compressed for the browser."""
    return base64.b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii")


def _show_controls(value: Any) -> Any:
    """Return a text with visible control characters; leave markup unchanged."""
    is_text = isinstance(value, str) and not isinstance(value, Markup)
    return escape_controls(value, kept="\t\r\n") if is_text else value


def _tr_html(message: str, **values: Any) -> Markup:
    """Return a message that holds markup in the language in use; its values are escaped, control characters too."""
    shown = {name: _show_controls(value) for name, value in values.items()}
    return Markup(language.tr(message)).format(**shown)


@cache
def open_templates(markdown: bool = False) -> Environment:
    """Return the templates of this package, for HTML or for Markdown; a process parses each once, and escapes HTML."""
    templates = Environment(
        loader=PackageLoader("balance.report"),
        autoescape=lambda name: bool(name) and ".html" in str(name),
        undefined=StrictUndefined,
        finalize=write_markdown if markdown else _show_controls,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"nth": nth, "data_uri": _data_uri, "zipped": _zipped}
    templates.globals |= {"tr": language.tr, "trn": language.trn, "tr_html": _tr_html}
    templates.globals |= {"lang": lambda: language.current().code, "number": language.write_number}
    templates.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    return templates


@dataclass(frozen=True)
class Files:
    """File names of a page; `tables` is the folder of its CSV tables."""

    html: str = "index.html"
    markdown: str = "report.md"
    tables: str = "tables"


REPORT = Files()
LONG, FEW, PRINTED, MOST_ROWS = 12, 8, 3, 35
"""A table with more than LONG rows gets a search field. The page shows FEW of its rows, MOST_ROWS on demand; print has
PRINTED."""


def check_place(out: Path, files: Files = REPORT) -> None:
    """Raise if `write_page` could not write into the folder, before any game is read or played."""
    check_folder(out, [files.html, files.markdown], ["figures", files.tables])


def write_page(chapters: Sequence[Chapter], out: Path, files: Files = REPORT) -> Path:
    """Write all files into `out` and return the path of the HTML page, which needs no other file.

    Files of an earlier page of this name are removed.
    """
    html = open_templates()
    for folder in ("figures", files.tables):
        make_folder(out / folder)
    contents = _figures_and_tables(chapters, files)
    for environment, name, page in (
        (open_templates(markdown=True), "report.md.jinja", files.markdown),
        (html, "report.html.jinja", files.html),
    ):
        text = environment.get_template(name).render(
            chapters=chapters,
            prefix=prefix,
            files=files,
            script=scripts("tables.js", "report.js"),
            long=LONG,
            few=FEW,
            printed=PRINTED,
            most=MOST_ROWS,
        )
        contents[page] = text.encode("utf-8")
    write_page_files(out, files.html, contents)
    return out / files.html


def _figures_and_tables(chapters: Sequence[Chapter], files: Files) -> dict[str, bytes]:
    """Return the contents of figures and tables, by their names in the folder of the page."""
    tables = "" if files.tables == "." else f"{files.tables}/"
    contents: dict[str, bytes] = {}
    for number, chapter in enumerate(chapters):
        for section in chapter.sections:
            for figure in section.figures:
                stem = f"figures/{prefix(number)}{figure.name}"
                contents |= {f"{stem}.svg": figure.svg, f"{stem}.png": figure.png}
            for table in section.tables:
                name = f"{tables}{prefix(number)}{table.name}.csv"
                contents[name] = table.csv.encode("utf-8")
    return contents


def scripts(*names: str, templates: Environment | None = None) -> Markup:
    """Return scripts of a templates folder one after the other, after the translations of their messages."""
    templates = templates or open_templates()
    assert templates.loader is not None
    sources = [templates.loader.get_source(templates, name)[0] for name in ("language.js", *names)]
    texts = {"code": language.current().code, "texts": language.texts_of_script("".join(sources))}
    return Markup(f"const LANGUAGE = {htmlsafe_json_dumps(texts)};\n{''.join(sources)}")


def prefix(chapter: int) -> str:
    """Return the prefix of a chapter's file names and anchors; "" for the first chapter."""
    return f"run{chapter + 1}-" if chapter else ""
