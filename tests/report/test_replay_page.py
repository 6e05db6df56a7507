"""The replay page in a browser: stepping, links, autoplay, keys, widths, colour schemes, print."""

import json
import re
from pathlib import Path

import pytest
from support.browser import LOOK, needs_browser
from support.runs import game_of

pytestmark = needs_browser

LAST = "const last = Number(document.getElementById('at').max);"
COUNT = "const count = () => Number(document.getElementById('count').textContent.split(' ')[0]);"
KEY = "const key = (name) => dispatchEvent(new KeyboardEvent('keydown', { key: name, cancelable: true }));"


@pytest.fixture(scope="module")
def pages(traced_run, cli, tmp_path_factory) -> dict[str, Path]:
    """Return a page of one game of four players, and one next to another variant."""
    folder = tmp_path_factory.mktemp("pages")
    for name, game, more in (("one", game_of(2, 2), []), ("two", game_of(2, 2), ["--beside", "krzyzacy-hard"])):
        cli("replay", traced_run, game, "--html", folder / f"{name}.html", *more, status=0)
    return {name: folder / f"{name}.html" for name in ("one", "two")}


@pytest.mark.parametrize("name", ["one", "two"])
@pytest.mark.parametrize("width", [400, pytest.param(800, marks=pytest.mark.long), 1300])
def test_it_fits_and_does_not_complain(pages, tab, name, width):
    """No scene scrolls sideways; the console stays empty."""
    script = f"""
      {LAST}
      found.widest = 0;
      for (let at = 1; at <= last; at += 7) {{
        document.getElementById('at').value = at;
        document.getElementById('at').dispatchEvent(new Event('input'));
        found.widest = Math.max(found.widest, document.documentElement.scrollWidth - innerWidth);
      }}
      document.getElementById('at').value = last;
      document.getElementById('at').dispatchEvent(new Event('input'));
      found.tables = document.querySelectorAll('.show table').length;
      found.widest = Math.max(found.widest, document.documentElement.scrollWidth - innerWidth);
    """
    found = tab.look(pages[name], script + LOOK, width)
    assert found["widest"] <= 0
    assert found["wide"] <= 0
    assert found["tables"] == (2 if name == "one" else 4)


def test_it_can_be_stepped_through(pages, tab):
    """Buttons, keys and the slider move it; the next round, the end and the next resolution each have a key."""
    script = f"""
      {LAST} {COUNT} {KEY}
      const press = (id) => document.getElementById(id).click();
      const say = () => document.querySelector('.say').textContent;
      found.places = [count()];
      const note = () => found.places.push(count());
      press('next'); note(); key('ArrowRight'); note(); key('ArrowLeft'); note();
      key('End'); found.atEnd = count() === last; found.end = say();
      key('Home'); note();
      key('PageDown'); found.second = say(); key('PageUp'); note();
      key('r'); found.outcome = document.querySelector('.say').className; found.told = say();
      found.hash = location.hash === `#m${{count()}}`;
      const moves = document.querySelectorAll('#moves a');
      found.moves = moves.length === last;
      found.rounds = [...document.querySelectorAll('#moves summary')].map((each) => each.textContent);
    """
    found = tab.look(pages["one"], script, 1300)
    assert found["places"] == [1, 2, 3, 2, 1, 1]
    assert found["atEnd"]
    assert re.search(r"wins by|wins with|share the victory", found["end"])
    assert found["second"].startswith("Round 2 of 8 · ")
    assert "outcome" in found["outcome"]
    assert "Crown knights: " in found["told"]
    assert found["hash"]
    assert found["moves"]
    assert len(found["rounds"]) == 8
    assert all(re.match(r"Round \d .+\(", heading) for heading in found["rounds"][1:])


def test_a_link_opens_at_its_move(pages, tab):
    """A link from the list or in the address opens the move; the page itself does not jump."""
    script = f"""
      {COUNT}
      const moves = document.querySelectorAll('#moves a');
      moves[44].click();
      await new Promise((done) => setTimeout(done, 100));
      found.clicked = count();
      found.current = moves[44].getAttribute('aria-current');
      location.hash = '#m12';
      await new Promise((done) => setTimeout(done, 100));
      found.opened = count();
      found.top = scrollY;
    """
    found = tab.look(pages["one"], script, 1300)
    assert (found["clicked"], found["current"], found["opened"], found["top"]) == (45, "step", 12, 0)


def test_it_opens_at_a_round(traced_run, cli, tmp_path, tab):
    """The first row of the round; a round that the game does not have is one line."""
    game, path = game_of(2, 2), tmp_path / "round.html"
    cli("replay", traced_run, game, "--html", path, "--round", 3, status=0)
    script = f"{COUNT} found.around = [count() - 2, count() - 1].map((at) => rows[at][0]);"
    assert tab.look(path, script, 800)["around"] == [2, 3]
    assert "the game has rounds 1 to" in cli("replay", traced_run, game, "--html", path, "--round", 99, status=1).output
    assert "add --html FILE" in cli("replay", traced_run, game, "--round", 3, status=2).output


def test_it_plays_by_itself(pages, tab):
    """It starts at the current move, with the chosen speed, until it is stopped."""
    script = f"""
      {COUNT}
      document.getElementById('speed').value = '100';
      document.getElementById('play').click();
      found.label = document.getElementById('play').textContent;
      await new Promise((done) => setTimeout(done, 650));
      document.getElementById('play').click();
      found.reached = count();
      await new Promise((done) => setTimeout(done, 300));
      found.stopped = count();
    """
    found = tab.look(pages["one"], script, 1300)
    assert found["label"] == "pause"
    assert 5 <= found["reached"] <= 7
    assert found["stopped"] == found["reached"]


def test_where_two_games_part_is_marked(pages, tab):
    """The heading links there; the list marks that move, and the sentences differ."""
    script = f"""
      {COUNT}
      const link = document.querySelector('header a');
      link.click();
      await new Promise((done) => setTimeout(done, 100));
      found.at = count();
      found.named = Number(link.getAttribute('href').slice(2));
      found.marked = document.querySelector('#moves a.parted').getAttribute('aria-current');
      found.says = [...document.querySelectorAll('.say')].map((each) => each.textContent);
    """
    found = tab.look(pages["two"], script, 1300)
    assert found["at"] == found["named"] > 1
    assert found["marked"] == "step"
    assert len(set(found["says"])) == 2


def test_claims_stand_in_the_order_in_which_they_win(pages, tab):
    """On every field of every scene strengths fall from line to line; prizes are next to the first."""
    script = f"""
      {LAST}
      found.fields = found.wrong = 0;
      for (let at = 1; at <= last; at += 1) {{
        document.getElementById('at').value = at;
        document.getElementById('at').dispatchEvent(new Event('input'));
        for (const tile of document.querySelectorAll('.tile')) {{
          const cells = [...tile.querySelectorAll('tr')].map((row) => row.cells[2]?.textContent);
          const strengths = cells.filter(Boolean).map(Number);
          if (strengths.length < 2 || strengths.some(Number.isNaN)) continue;
          found.fields += 1;
          if (strengths.some((value, i) => i && value > strengths[i - 1])) found.wrong += 1;
        }}
      }}
    """
    # Chromium logs that it slows these steps down.
    found = tab.look(pages["one"], script, 1300, silent=False)
    assert found["fields"] > 50
    assert found["wrong"] == 0


def test_it_prints_all_moves(pages, tab):
    """Every round is unfolded for paper, and folded again after it."""
    script = """
      const open = () => document.querySelectorAll('#moves details[open]').length;
      found.before = open();
      dispatchEvent(new Event('beforeprint')); found.printed = open();
      dispatchEvent(new Event('afterprint')); found.after = open();
    """
    found = tab.look(pages["one"], script, 800)
    assert (found["before"], found["printed"], found["after"]) == (1, 8, 1)


def test_a_name_with_quotation_marks_is_only_text(pages, tab, tmp_path):
    """Whatever cards, rounds, players and actions are called, no name becomes an attribute or an element."""
    evil = """x" onmouseover="found=1" a='<b>'`"""
    page = pages["two"].read_text(encoding="utf-8")
    start = page.index('id="data"')
    start, end = page.index(">", start) + 1, page.index("</script>", start)
    data = json.loads(page[start:end])
    data["rounds"] = [[number, evil] for number, _ in data["rounds"]]
    for game in data["games"]:
        game["players"] = [evil for _ in game["players"]]
        game["scenes"] = [[*scene[:2], evil, evil, *scene[4:]] for scene in game["scenes"]]
    text = json.dumps(data).replace("<", "\\u003c")
    (tmp_path / "evil.html").write_text(page[:start] + text + page[end:], encoding="utf-8")
    script = """
      found.attributes = document.querySelectorAll('[onmouseover], [a]').length;
      found.title = document.querySelector('#rounds a').title;
      found.said = document.querySelector('.say').textContent;
    """
    found = tab.look(tmp_path / "evil.html", script, 1300)
    assert found["attributes"] == 0
    assert found["title"] == evil and evil in found["said"]
