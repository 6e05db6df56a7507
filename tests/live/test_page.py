"""The page in a browser, on a server of its own process."""

import json
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
from support.browser import needs_browser
from support.runs import play

from balance.contract.game import get_game

unix = pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of Unix")
pytestmark = [pytest.mark.slow, needs_browser, unix]

OPTIONS = ("--no-browser", "--game", "na-grunwald", "--players", "2,4")
CHANGED = "document.querySelectorAll('.rule.changed').length"


class Server:
    """A server in a process of its own; it keeps its draft in a folder."""

    def __init__(self, folder, *options):
        call = [sys.executable, "-m", "balance", *["live", "--draft", "draft.json"], *options]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(call, cwd=folder, text=True, **pipes)
        line = self.process.stdout.readline()
        assert "http" in line, self.process.stderr.read()
        self.address = re.search(r"http\S+", line)[0]

    def stop(self, how=signal.SIGINT):
        """End the process, and return its exit status and what it wrote to standard error."""
        began = time.monotonic()
        self.process.send_signal(how)
        _, errors = self.process.communicate(timeout=30)
        return self.process.returncode, errors, time.monotonic() - began


@contextmanager
def serving(folder, *options):
    server = Server(folder, *options)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("shared"), *OPTIONS) as server:
        yield server


def show(browser, server):
    """Open the page with nothing changed, and wait for its first figures."""
    tab = browser.open()
    tab.size(1300, 1000)
    tab.go(server.address)
    tab.run("post('clear')")
    tab.wait(f"{CHANGED} === 0 && document.body.dataset.games", 120)
    return tab


def put(tab, key, value, place=-1):
    """Type a number into the control of a key."""
    tab.run(
        f"""(() => {{
          const input = [...document.querySelectorAll('[data-key="{key}"] input[type=number]')].at({place});
          input.value = {json.dumps(value)}; input.dispatchEvent(new Event('input')); }})()"""
    )


def error_of(tab, key):
    return tab.run(f"document.querySelector('[data-key=\"{key}\"] .wrong').textContent")


def test_the_grid_follows_within_a_second(browser, server):
    """With 2 and 4 players; the best of five changes counts, because other tests use the cores too."""
    tab = show(browser, server)
    tab.wait("document.body.dataset.games === '5000'")
    for bonus in (9, 10, 11, 12, 13):
        tab.run("delete document.body.dataset.games")
        put(tab, "krzyzacy.bonus", bonus)
        seconds = tab.wait("document.body.dataset.games", 30)
        assert tab.run("document.querySelectorAll('#grid th').length") > 6
        if seconds <= 1:
            break
        tab.wait("document.body.dataset.games === '1000'")
    assert seconds <= 1
    assert tab.run("document.querySelector('#figures').textContent.includes('change')")


@pytest.mark.long
def test_figures_grow_sharper(browser, server):
    """The interval of a figure shrinks from stage to stage."""
    tab, widths = show(browser, server), {}
    span = "document.querySelector('#figures [data-side=before] .span, #figures [data-side=now] .span').textContent"
    for games in ("200", "5000"):
        tab.wait(f"Number(document.body.dataset.games) >= {games}")
        games = tab.run("document.body.dataset.games")
        low, high = map(float, tab.run(span).split(" to "))
        widths[int(games)] = high - low
    few, many = min(widths), max(widths)
    assert 0 < widths[many] < widths[few] * 1.5 * (few / many) ** 0.5


def test_a_wrong_value_says_why_next_to_the_field(browser, server):
    """The field keeps what was typed, and the message goes when it is right."""
    tab = show(browser, server)
    put(tab, "krzyzacy.bonus", 99)
    tab.wait("document.querySelector('[data-key=\"krzyzacy.bonus\"].is-wrong')", 10)
    assert "must be at most 50, got 99" in error_of(tab, "krzyzacy.bonus")
    put(tab, "rounds", 12)
    tab.wait("document.querySelector('[data-key=\"rounds\"].is-wrong')", 10)
    assert "cards.crown: 16 cards are the wrong size" in error_of(tab, "rounds")
    assert tab.run(CHANGED) == 0
    put(tab, "rounds", 7)
    tab.wait("document.querySelector('[data-key=\"rounds\"].changed:not(.is-wrong)')", 10)
    assert error_of(tab, "rounds") == "" and error_of(tab, "krzyzacy.bonus") != ""


def test_two_tabs_a_reload_a_killed_server_and_ctrl_c(browser, tmp_path):
    """Both tabs show one draft; it is there after a reload and after a restart.

    Ctrl-C ends the server while a page listens: at once, without a message, with exit status 0.
    """
    with serving(tmp_path, *OPTIONS) as server:
        one, other = show(browser, server), show(browser, server)
        put(one, "krzyzacy.bonus", 9)
        other.wait(f"{CHANGED} === 1", 10)
        put(other, "rounds", 7)
        one.wait(f"{CHANGED} === 2", 10)
        other.run("document.querySelector('#undo').click()")
        one.wait(f"{CHANGED} === 1", 10)
        one.go(server.address)
        one.wait(f"{CHANGED} === 1", 20)
        server.stop(signal.SIGKILL)
    one.wait("!document.querySelector('#lost').hidden", 20)
    with serving(tmp_path, *OPTIONS) as again:
        one.go(again.address)
        one.wait(f"{CHANGED} === 1", 20)
        assert not one.run("document.querySelector('#redo').disabled")
        status, errors, seconds = again.stop()
    assert (status, errors) == (0, "") and seconds < 8


def test_a_server_that_is_asked_to_stop_leaves_nothing(tmp_path, monkeypatch):
    """As a service manager asks; the page that led the browser to the address goes too."""
    for name, value in (("TMPDIR", str(tmp_path)), ("BROWSER", "true")):
        monkeypatch.setenv(name, value)
    with serving(tmp_path, "--game", "na-grunwald") as server:
        assert [*tmp_path.glob("balance-live-*/open.html")]
        status, errors, _ = server.stop(signal.SIGTERM)
    assert (status, errors) == (0, "")
    assert not [*tmp_path.glob("balance-live-*")]


def test_cards_are_rows_to_change_add_and_remove(browser, server):
    """A mistake in a row is reported at the deck."""
    tab = show(browser, server)
    deck = "document.querySelector('[data-key=\"event_deck\"]')"
    tab.run("document.querySelectorAll('.topic').forEach(each => { each.open = true; })")
    tab.run(f"[...{deck}.querySelectorAll('.control button')].at(-1).click()")
    tab.wait(f"{deck}.querySelectorAll('tbody tr').length === 14", 10)
    tab.run(f"{deck}.querySelector('tbody tr button').click()")
    tab.wait(f"{deck}.classList.contains('changed')", 10)
    assert tab.run(f"{deck}.querySelectorAll('tbody tr').length") == 13
    tab.run(f"[...{deck}.querySelectorAll('.control button')].at(-1).click()")
    tab.wait(f"{deck}.querySelectorAll('tbody tr').length === 14", 10)
    cell = f"{deck}.querySelector('tbody input[aria-label^=effect]')"
    tab.run(f"{cell}.value = 'dance'; {cell}.dispatchEvent(new Event('change'))")
    tab.wait(f"{deck}.classList.contains('is-wrong')", 10)
    assert "effect" in error_of(tab, "event_deck")


def test_search_and_changed_only(browser, server):
    """Both hide other keys; a search finds words of the meaning."""
    tab = show(browser, server)
    shown = "[...document.querySelectorAll('.rule')].filter(each => each.offsetHeight).map(each => each.dataset.key)"
    search = "document.querySelector('#search')"
    tab.run(f"{search}.value = 'captive'; {search}.dispatchEvent(new Event('input'))")
    assert tab.run(shown) == ["krzyzacy.captors"]
    tab.run(f"{search}.value = 'xyzzy'; {search}.dispatchEvent(new Event('input'))")
    assert tab.run(shown) == [] and not tab.run("document.querySelector('#none').hidden")
    tab.run(f"{search}.value = ''; {search}.dispatchEvent(new Event('input'))")
    put(tab, "rounds", 7)
    tab.wait(f"{CHANGED} === 1", 10)
    tab.run("document.querySelector('#only').click()")
    assert tab.run(shown) == ["rounds"]


def test_no_width_scrolls_sideways(browser, server):
    """Nor does the console show a message."""
    tab = show(browser, server)
    put(tab, "krzyzacy.bonus", 9)
    tab.wait("document.querySelector('#figures [data-side=change]')", 20)
    for width in (1300, 800, 400):
        for dark in (False, True):
            tab.size(width, 900, dark)
            wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert tab.run(wide) <= 0, width
    assert tab.complaints == []


def test_a_page_of_another_origin_can_do_nothing(browser, server, tmp_path):
    """It can't read an answer, change the draft or show the page in a frame, although it knows the address."""
    (tmp_path / "evil.html").write_text("<!DOCTYPE html><body></body>", encoding="utf-8")
    tab = browser.open()
    tab.go((tmp_path / "evil.html").as_uri())
    read = f"fetch('{server.address}about').then(answer => answer.text()).catch(() => 'refused')"
    assert tab.run(read) == "refused"
    change = "{method: 'POST', mode: 'no-cors', body: JSON.stringify({key: 'rounds', value: 7})}"
    blind = f"fetch('{server.address}do/set', {change})"
    tab.run(f"{blind}.catch(() => 0).then(() => 0)")
    framed = f"""new Promise(done => {{ const frame = document.createElement('iframe'); frame.src = '{server.address}';
      frame.onload = () => {{ try {{ done(frame.contentDocument ? 'read' : 'closed'); }} catch {{ done('closed'); }} }};
      document.body.append(frame); }})"""
    assert tab.run(framed) == "closed"
    assert show(browser, server).run(CHANGED) == 0


def test_no_name_starts_a_script(tmp_path, tab):
    """Names of variants, strategies, cards and runs are text, in every control and in the list of runs."""
    name = 'x" onmouseover="window.fired=1" odd="<img src=x onerror=window.fired=1>'
    deck = (get_game("na-grunwald").folder / "decks" / "base.toml").read_text(encoding="utf-8")
    (tmp_path / "deck.toml").write_text(
        re.sub(r'(?m)^name = ".*"', lambda _: f"name = {json.dumps(name)}", deck), encoding="utf-8"
    )
    texts = f"title = {json.dumps(name)}\ndescription = {json.dumps(name)}\n"
    variant, profile = tmp_path / f"{name}.toml", tmp_path / "p" / f"{name}.toml"
    profile.parent.mkdir()
    variant.write_text(f'extends = "base"\n{texts}event_deck = "deck.toml"\n', encoding="utf-8")
    profile.write_text(f"{texts}[weights]\ncrown_knight = 1.0\n", encoding="utf-8")
    run = play(tmp_path / name, players=[2], variants=[str(variant)], strategies=[str(profile)], games=4)
    options = ("--game", "na-grunwald", "--players", "2", "--variant", variant, "--strategies", profile)
    with serving(tmp_path, "--no-browser", run, *options) as server:
        tab.go(server.address)
        tab.wait("document.body.dataset.games && document.querySelector('article.run')")
        found = tab.run(
            """(() => {
              document.querySelectorAll('.rule[data-key="event_deck"] button').forEach(each => each.click());
              const all = [...document.querySelectorAll('body *')];
              all.forEach(each => each.dispatchEvent(new MouseEvent('mouseover', { bubbles: true })));
              const isOdd = ({ name, value }) => /^on|^odd$/.test(name) || name === 'src' && value === 'x';
              const odd = all.filter(each => [...each.attributes].some(isOdd));
              return [odd.length, window.fired ?? 0, document.body.innerText.includes('onmouseover=')];
            })()"""
        )
        assert found == [0, 0, True]
