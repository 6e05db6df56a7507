"""Names from others: no name becomes a tag, leaves its cell or is a formula."""

import csv
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt
from support.browser import needs_browser
from support.replays import read_replay
from support.runs import game_of, play

from balance.cli.commands import main
from balance.contract.game import get_game
from balance.foundation.text import write_csv, write_markdown
from balance.people.folder import write_people
from balance.people.records import GameRecord, SeatRecord
from balance.report import write_report
from balance.runs.folder import RunFolder

IMAGE = "<img src=x onerror=alert(1)>"
VARIANTS = ["<!--<script>", IMAGE, "=cmd|'calc'!A0", "+1", "@1", "$\\frac{$ [red] ```"]
STRATEGIES = ["<svg onload=alert(1)>", "-1|2", "a\nb", "`x`|y", "![x](y)"]
TITLE = f"</script>{IMAGE}"
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="names that Windows does not allow"),
    pytest.mark.usefixtures("undrawn"),
]


class Tags(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def of(self, *names: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.found if tag in names]


def check_page(text: str, scripts: int) -> None:
    """Assert that no element and no attribute comes from a name."""
    tags = Tags(text)
    assert len(tags.of("script")) == scripts
    assert all(str(image["src"]).startswith("data:image/svg") for image in tags.of("img"))
    assert not [each for each in tags.found if any(name.startswith("on") for name in each[1])]


@pytest.fixture(scope="module")
def odd_run(tmp_path_factory) -> Path:
    """Return a run in which every name is unusual."""
    folder = tmp_path_factory.mktemp("odd")
    (folder / "profiles").mkdir()
    named = f"title = {json.dumps(TITLE)}\ndescription = {json.dumps('# ' + TITLE)}\n"
    for name in VARIANTS:
        (folder / f"{name}.toml").write_text(f'extends = "base"\n{named}[start]\nducats = 2\n')
    for name in STRATEGIES:
        (folder / "profiles" / f"{name}.toml").write_text(f"{named}[weights]\ncrown_knight = 1.0\n")
    return play(
        folder / f"run|{IMAGE}",
        players=[2],
        variants=["base", *(str(folder / f"{name}.toml") for name in VARIANTS)],
        strategies=[str(folder / "profiles" / f"{name}.toml") for name in STRATEGIES],
        games=60,
        log="rounds",
        targets=[{"title": TITLE, "measure": "score", "least": 0.0}],
    )


@pytest.fixture(scope="module")
def odd_report(odd_run, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("odd-report")
    write_report([RunFolder.open_finished(odd_run)], out)
    return out


@pytest.mark.slow
def test_a_page_of_odd_names(odd_report):
    text = (odd_report / "index.html").read_text(encoding="utf-8")
    check_page(text, scripts=1)
    assert "&lt;!--&lt;script&gt;" in text


@pytest.mark.slow
def test_markdown_of_odd_names(odd_report):
    """No name is a tag or a link, and every row has as many cells as its heading."""
    text = (odd_report / "report.md").read_text(encoding="utf-8")
    tokens = MARKDOWN.parse(text)
    inline = [child for token in tokens for child in token.children or []]
    kinds = {token.type for token in [*tokens, *inline]}
    assert not kinds & {"html_block", "html_inline", "link_open", "code_inline", "fence", "blockquote_open"}
    pictures = [token.attrs["src"] for token in inline if token.type == "image"]
    assert pictures
    assert all((odd_report / str(path)).is_file() for path in pictures)
    assert sum(token.type == "heading_open" for token in tokens) == text.count("\n## ") + text.count("\n### ") + 1
    shown = [line for line in text.splitlines() if line.startswith("|")]
    assert sum(token.type == "tr_open" for token in tokens) == sum(
        "--- |" not in row and "---:" not in row for row in shown
    )
    assert "&lt;!--&lt;script>" in text


@pytest.mark.slow
def test_tables_of_odd_names(odd_report):
    """No cell of text begins like a formula; numbers stay numbers."""
    cells = set()
    for path in (odd_report / "tables").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            cells |= {cell for row in csv.reader(file) for cell in row}
    formulas = {cell for cell in cells if cell.startswith(FORMULAS)}
    assert formulas
    assert all(float(cell) < 0 for cell in formulas)
    assert {"'=cmd|'calc'!A0", "'+1", "'@1", "'-1|2"} <= cells


@pytest.mark.slow
def test_each_variant_has_its_figures(odd_report):
    """`+1` and `@1` have different files with plain names."""
    names = [path.stem for path in (odd_report / "figures").glob("forest-shares-*.svg")]
    assert len(names) == len(VARIANTS)
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyzA0123456789-") for name in names)


@pytest.mark.long
def test_other_pages_of_odd_names(odd_run, cli, tmp_path):
    """A comparison, a replay and printed output are safe too."""
    out, page = tmp_path / "effects", tmp_path / "game.html"
    compared = cli("compare", odd_run, "--baseline", IMAGE, "--out", out, "--quiet", status=0)
    assert "[red]" in compared.output
    check_page((out / "index.html").read_text(encoding="utf-8"), scripts=1)
    cli("replay", odd_run, game_of(1, 0), "--html", page, status=0)
    text = page.read_text(encoding="utf-8")
    check_page(text, scripts=2)
    data = text.partition('id="data">')[2].partition("</script>")[0]
    assert "<" not in data
    (game,) = read_replay(page)["games"]
    for panel in game["panels"]:
        check_page("".join(game["pieces"][piece] for piece in panel), scripts=0)


FIRES = [f"x{q} onmouseover={q}window.fired=1{q} odd={q}<img src=x onerror=fired=1>" for q in ("'", '"')]
STEPS = """
  for (const each of document.querySelectorAll('#at')) for (let at = 1; at <= each.max; at += 7) {
    each.value = at; each.oninput({ target: each }); count();
  }
  count();
  found.fired = window.fired ?? 0;
"""
COUNT = """
  found.handlers = 0;
  const count = () => document.querySelectorAll('body *').forEach(each => {
    each.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
    found.handlers += [...each.attributes].filter(({ name }) => /^on|^odd$/.test(name)).length;
    if (each.getAttribute('src') === 'x') found.handlers += 1;
  });
"""


@pytest.fixture(scope="module")
def fired(tmp_path_factory) -> Path:
    """Return a folder with a run and people whose names, cards and rounds would run a script of their own."""
    folder = tmp_path_factory.mktemp("fired")
    (folder / "profiles").mkdir()
    deck = (get_game("na-grunwald").folder / "decks" / "base.toml").read_text(encoding="utf-8")
    cards = re.sub(r'(?m)^name = ".*"', lambda _: f"name = {json.dumps(FIRES[1])}", deck)
    (folder / "deck.toml").write_text(cards, encoding="utf-8")
    for name in FIRES:
        named = f"title = {json.dumps(name)}\ndescription = {json.dumps(name)}\n"
        (folder / f"{name}.toml").write_text(f'extends = "base"\n{named}event_deck = "deck.toml"\n', encoding="utf-8")
        (folder / "profiles" / f"{name}.toml").write_text(f"{named}[weights]\ncrown_knight = 1.0\n", encoding="utf-8")
    play(
        folder / f"run {FIRES[1]}",
        players=[2],
        variants=[str(folder / f"{name}.toml") for name in FIRES],
        strategies=[str(folder / "profiles" / f"{name}.toml") for name in FIRES],
        games=12,
        log="trace",
        question=FIRES[1],
        targets=[{"title": FIRES[1], "measure": "score", "least": 0.0}],
    )
    seats = [SeatRecord(name, 3.0, place, name) for place, name in enumerate(FIRES, 1)]
    write_people(folder / "people", get_game("na-grunwald"), [GameRecord(tuple(seats), FIRES[1])] * 6)
    return folder


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "page"),
    [
        (["report", "RUN", "--people", "people", "--summary", "--out", "page"], "page/index.html"),
        (["compare", "RUN", "--out", "page"], "page/index.html"),
        (["replay", "RUN", game_of(0, 0), "--html", "page.html"], "page.html"),
        (["replay", "RUN", game_of(0, 0), "--beside", FIRES[1], "--html", "page.html"], "page.html"),
    ],
    ids=["report", "compare", "replay", "two"],
)
def test_no_name_starts_a_script(fired, cli, tab, tmp_path, monkeypatch, command, page):
    """At every step of a page no attribute comes from a name, and nothing happens under the pointer."""
    monkeypatch.chdir(tmp_path)
    places = {"RUN": fired / f"run {FIRES[1]}", "people": fired / "people"}
    result = CliRunner().invoke(main, [str(places.get(word, word)) for word in command])
    assert result.exit_code == 0, result.output
    found = tab.look(tmp_path / page, COUNT + STEPS, 1200)
    assert (found["handlers"], found["fired"]) == (0, 0)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", "a\\|b"),
        ("a\\|b", "a\\\\\\|b"),
        ("<b>", "&lt;b>"),
        ("&lt;", "&amp;lt;"),
        ("p < 0.001, seat_win_share", "p < 0.001, seat_win_share"),
        ("_x_", "\\_x\\_"),
        ("a\n\n# b", "a # b"),
        ("# a", "\\# a"),
        ("1. a", "1\\. a"),
        ("> a", "\\> a"),
        ("-1.2", "-1.2"),
        ("[a](b)", "\\[a\\](b)"),
        (3, "3"),
    ],
)
def test_markdown_as_text(text, shown):
    """Plain text stays legible, and all of it is shown unchanged."""
    assert write_markdown(text) == shown
    assert MARKDOWN.renderInline(shown).count("<") == 0
    expected = " ".join(str(text).split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert MARKDOWN.render(shown) == f"<p>{expected}</p>\n"


def test_formulas_as_text():
    """Only text gets an apostrophe in front, in headings too."""
    table = pd.DataFrame({"=a": ["=1", "x", ""], "n": [-1, 2, 3], "share": [-0.5, float("nan"), 1.0]})
    assert write_csv(table) == "'=a,n,share\n'=1,-1,-0.5\nx,2,\n,3,1\n"
