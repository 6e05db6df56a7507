"""The site of `make docs`: it builds without warnings, loads nothing from elsewhere, and matches the code."""

import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from inspect import getsource
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click
import pyarrow.parquet as pq
import pytest
from support.runs import play

import balance
from balance.cli.commands import main
from balance.contract.game import find_games
from balance.experiments.experiment import Experiment, Stop, TierKeys
from balance.experiments.targets import Target, Thresholds, Tune
from balance.run import Run

ROOT = Path(__file__).resolve().parents[2]
# Sphinx in a process that can't open a connection: whatever wants the network fails there.
BUILD = """
import socket, sys

def refuse(*_):
    raise OSError("the site is built without the network")

socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from sphinx.cmd.build import main
sys.exit(main(sys.argv[1:]))
"""
LOADED = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}
pytestmark = pytest.mark.long


class Page(HTMLParser):
    """The links of a page, the files that it loads, and its anchors."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            if tag == "a" and name == "href" and value:
                self.links.append(value)
            if (tag, name) in LOADED and value:
                self.loads.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as `make docs` does."""
    out = tmp_path_factory.mktemp("site")
    options = ["-q", "-n", "-W", "--keep-going", "-E", str(ROOT / "docs"), str(out)]
    done = subprocess.run([sys.executable, "-c", BUILD, *options], cwd=out, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return out


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """Return every page by its path."""
    return {path.relative_to(site).as_posix(): Page(path) for path in site.rglob("*.html")}


def targets(page: str, links: list[str]) -> Iterator[tuple[str, str]]:
    """Return path and anchor of each link within the site."""
    for link in links:
        parts = urlsplit(link)
        if not parts.scheme:
            folder = Path(page).parent / unquote(parts.path) if parts.path else Path(page)
            steps: list[str] = []
            for step in folder.as_posix().split("/"):
                steps = steps[:-1] if step == ".." else [*steps, step]
            yield "/".join(steps), parts.fragment


def test_every_link_leads_somewhere(site, pages):
    """Files and anchors exist on all pages, those that Sphinx adds included."""
    for name, page in pages.items():
        for path, anchor in targets(name, page.links):
            assert (site / path).is_file(), f"{name}: {path}"
            if anchor and path in pages:
                assert anchor in pages[path].anchors, f"{name}: {path}#{anchor}"


def test_every_page_is_reached_from_the_first(pages):
    seen, ahead = set(), ["index.html"]
    while ahead:
        name = ahead.pop()
        if name in pages and name not in seen:
            seen.add(name)
            ahead += [path for path, _ in targets(name, pages[name].links)]
    written = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    wanted = {path.with_suffix(".html").as_posix() for path in written if path.parts[0] != "_build"}
    assert len(wanted) > 20
    assert wanted <= seen


def test_no_page_loads_anything_from_elsewhere(site, pages):
    """Scripts, styles, fonts and pictures of pages and style sheets are on the site."""
    for name, page in pages.items():
        outside = [load for load in page.loads if urlsplit(load).netloc]
        assert page.loads and not outside, f"{name}: {outside}"
    sheets = list(site.rglob("*.css"))
    assert sheets
    for sheet in sheets:
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", text), sheet


def commands(command: click.Command, name: str = "balance") -> Iterator[tuple[str, click.Command]]:
    """Return a command and all its subcommands, as typed."""
    yield name, command
    for word, below in getattr(command, "commands", {}).items():
        yield from commands(below, f"{name} {word}")


def text_of(page: Path) -> str:
    """Return a page without its tags."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8"))))


def test_every_command_and_option_is_on_its_page(site):
    """Each command has a heading, with its options below it."""
    parts = re.split(r"<section id=\"", (site / "reference" / "cli.html").read_text(encoding="utf-8"))
    sections = {part.partition('"')[0]: part for part in parts}
    found = list(commands(main))
    assert len(found) > 12
    for name, command in found:
        section = sections[name.replace(" ", "-")]
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                for flag in option.opts:
                    anchor = f"cmdoption-{name.replace(' ', '-')}-{flag.lstrip('-')}"
                    assert f'id="{anchor}"' in section, f"{name} {flag}"
                assert option.help
    words = text_of(site / "reference" / "cli.html")
    for name, command in found:
        assert command.help.split(".")[0].split("\n")[0] in words, name


def test_every_key_of_an_experiment_is_on_its_page(site):
    """Each key has a meaning, because a model without one cannot be read."""
    page = text_of(site / "reference" / "experiment.html")
    for model in (Experiment, TierKeys, Stop, Target, Thresholds, Tune):
        for key in model.model_fields:
            assert f" {key} " in page, key


def told_columns(page: str) -> dict[tuple[str, str], dict[str, str]]:
    """Return the page of tables: section ("" for all games) and table, to column, to type."""
    told: dict[tuple[str, str], dict[str, str]] = {}
    game = table = ""
    row = r"<td>(.*?)</td>\s*<td>(.*?)</td>\s*<td>(.*?)</td>"
    for heading, *cells in re.findall(rf"<h[23]>(.*?)<a|{row}", page, re.S):
        name, kind, meaning = (re.sub(r"<[^>]+>", "", cell).strip() for cell in cells)
        if name:
            assert meaning
            told.setdefault((game, table), {})[name] = kind
            continue
        title = re.sub(r"<[^>]+>", "", heading)
        if title.startswith("What "):
            game = title.removeprefix("What ").removesuffix(" adds")
        else:
            table = title
    return told


@pytest.mark.parametrize("name", list(find_games()))
def test_every_column_of_a_run_is_on_its_page(name, site, tmp_path):
    """The columns and types of a run's files equal those on the page."""
    game = find_games()[name]
    run = play(tmp_path / "run", game=name, players=[game.players[0]], games=2, log="trace", luck=1)
    told = told_columns((site / "reference" / "tables.html").read_text(encoding="utf-8"))
    for table in ("games", "seats", "rounds", "trace", "luck"):
        schema = pq.read_schema(next((run / table).glob("*.parquet")))
        written = {field.name: str(field.type) for field in schema}
        assert told["", table] | told.get((game.title, table), {}) == written


def test_every_public_name_is_on_its_page(pages):
    """The page has the package, a run, and the functions that describe a run's frames."""
    anchors = pages["reference/api.html"].anchors
    for name in set(balance.__all__) - {"__version__"}:
        assert f"balance.{name}" in anchors
    public = [name for name in dir(Run) if not name.startswith("_")]
    assert len(public) > 15
    for name in public:
        assert f"balance.run.Run.{name}" in anchors
    referred = set(re.findall(r"`(analysis\.[\w.]+)`", "".join(map(getsource, Run.__mro__[:-1]))))
    assert len(referred) > 8
    for name in referred:
        assert f"balance.{name}" in anchors


def test_terms_stand_in_alphabetical_order():
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    terms = re.findall(r"^(\S.*)\n {2}\S", page.partition("{glossary}")[2], re.M)
    assert len(terms) > 40
    assert terms == sorted(terms, key=str.casefold)
