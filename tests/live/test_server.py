"""The server: what the page does, what strangers can't do, and jobs."""

import errno
import os
import re
import socket
import threading
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from balance.contract.game import get_game
from balance.experiments.variants import hash_rules, load_variant
from balance.foundation.errors import BalanceError
from balance.live import server
from balance.live.arms import ROUND_GAMES, ArmStore, Settings
from balance.live.draft import Draft
from balance.live.messages import MessageBoard
from balance.live.server import bind, serve
from balance.studies.arms import CHANGE, compare_arms

BONUS = {"2": 2, "3": 4, "4": 9}


@pytest.fixture
def page(open_site):
    return open_site()


@pytest.fixture
def idle_page(open_site):
    """Return a page whose game is not chosen yet, so that nothing is played."""
    return open_site(game=None)


def finished(page):
    """Wait for the last stage of the current draft."""
    page.wait("status", lambda status: not status["busy"])
    return page.wait("result", lambda result: result["games"] == 96)


def test_the_page_has_every_key_with_meaning_range_and_base(page):
    """Keys that say where data come from are set by the page itself."""
    about = page.get("about").json()
    keys = {key["key"]: key for key in about["keys"]}
    assert keys["krzyzacy.bonus"]["base"] == {"2": 2, "3": 4, "4": 6}
    assert (keys["rounds"]["least"], keys["rounds"]["most"]) == (1, 12)
    assert "KRZ-1" in keys["krzyzacy.bonus"]["meaning"]
    assert keys["event_deck"]["rows"] == ["cards"] and "calm" in keys["event_deck"]["choices"]
    assert not any(key.endswith((".source", ".reconstruction")) for key in keys)
    html = page.get().text
    assert "Na Grunwald!" in html and "<script src=" in html
    assert page.get("live.js").status_code == page.get("live.css").status_code == 200


def test_the_grid_follows_a_change(page):
    """The stages follow each other; the figures have intervals; undo and reset lead back."""
    start = finished(page)
    assert "2 players" in start["grid"] and "change" not in start["details"]
    page.ask("set", key="krzyzacy.bonus", value=BONUS)
    result = page.wait("result", lambda found: ">now<" in found["grid"])
    assert result["games"] in (48, 96)
    result = finished(page)
    assert "no change" in result["details"] and "Moved most" in result["details"]
    assert "Score by round" in result["details"] and "in the first 96 games" in result["details"]
    assert page.message("state")["values"] == {"krzyzacy.bonus": BONUS}
    page.ask("undo")
    page.wait("result", lambda found: ">now<" not in found["grid"])
    assert page.message("state")["redo"]
    page.ask("redo")
    page.ask("clear")
    assert page.message("state")["values"] == {}


def test_a_wrong_value_says_why(page):
    """The answer is for the field; nothing changes."""
    answer = page.post("set", key="krzyzacy.bonus", value={"2": 2, "3": 4, "4": 99})
    assert answer.status_code == 422
    assert answer.json()["error"].endswith("must be at most 50, got 99")
    answer = page.post("set", key="hire.price", toml="free")
    assert "is no TOML value" in answer.json()["error"]
    assert page.message("state")["values"] == {}


def test_games_are_those_of_balance_try(few_games):
    """Played stage by stage, a variant has the games of one long series."""
    game = get_game("na-grunwald")
    draft = Draft(game, "base")
    plan = Settings(game, "base", [2, 4], ["champion", "generalist"], 3, Path()).plan(draft.start)
    draft.change("krzyzacy.bonus", BONUS)
    step, whole = ArmStore(plan, 2, (48, 96)), ArmStore(plan, 2, (96,))
    tables = []
    for store, stage in ((step, 1), (whole, 0)):
        arms = [store.arm(variant, stage) for variant in (draft.start, draft.variant)]
        tables.append(compare_arms(*arms, ["score"]).table)
    assert tables[0].equals(tables[1])
    assert (tables[0]["side"] == CHANGE).any()
    rounds = step.arm(draft.start, 1).tables["rounds"]
    assert 0 < rounds.num_rows <= 2 * ROUND_GAMES * 12 * 4


def test_games_that_take_too_much_memory_are_dropped(few_games, monkeypatch):
    """The two variants last asked for stay."""
    game = get_game("na-grunwald")
    draft = Draft(game, "base")
    store = ArmStore(Settings(game, "base", [2], ["champion"], 1, Path()).plan(draft.start), 1, (48,))
    monkeypatch.setattr("balance.live.arms.MOST_BYTES", 1)
    for rounds in (8, 7, 6, 5):
        draft.change("rounds", rounds)
        store.arm(draft.variant, 0)
    assert len(store.kept) == 2


def test_another_variant_may_be_the_baseline(page, tmp_path):
    """A shipped one, or one that was saved."""
    page.ask("set", key="rounds", value=7)
    page.ask("rename", name="shorter")
    path = Path(page.ask("save")["path"])
    assert load_variant(get_game("na-grunwald"), str(path), tmp_path).rules.rounds == 7
    assert {"base", "krzyzacy-hard", "shorter"} <= {*page.message("state")["baselines"]}
    page.ask("baseline", name="krzyzacy-hard")
    assert "krzyzacy-hard" in finished(page)["grid"]
    page.ask("clear")
    page.ask("baseline", name="shorter")
    assert "shorter" in page.wait("result", lambda found: "shorter" in found["grid"])["grid"]
    assert page.post("baseline", name="../shorter").status_code == 422


def test_other_players_may_be_chosen(page):
    """They play the same draft; only players that the page offers, as a page may not start code."""
    state = page.message("state")
    assert state["pool"] == state["pools"][0] == "champion, generalist"
    assert {"expert", "generalist", "expert-search-16"} <= {*state["pools"]}
    page.ask("set", key="rounds", value=7)
    page.ask("pool", name="generalist")
    assert page.message("state")["pool"] == "generalist"
    assert "Strategies" not in finished(page)["grid"]
    assert page.post("pool", name="./bot.py:Bot").status_code == 422


def test_a_baseline_that_fails_leaves_the_last(page, tmp_path, monkeypatch):
    """Other TOML files of the folder are no baselines."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n', encoding="utf-8")
    page.ask("baseline", name="krzyzacy-soft")
    assert "pyproject" not in page.message("state")["baselines"]

    def fail(*arguments):
        raise BalanceError("damaged")

    monkeypatch.setattr("balance.live.session.load_variant", fail)
    assert page.post("baseline", name="krzyzacy-hard").json() == {"error": "damaged"}
    page.ask("rename", name="other")
    assert page.message("state")["baseline"] == "krzyzacy-soft"


def test_open_and_download(page):
    page.ask("set", key="krzyzacy.bonus", value=BONUS)
    text = page.ask("text")["text"]
    page.ask("clear")
    page.ask("open", text=text, file="C:\\theirs\\mine.toml")
    assert page.message("state")["values"] == {"krzyzacy.bonus": BONUS}
    assert hash_rules(page.site.session.draft.variant.rules)


def test_a_restarted_server_has_the_draft(open_site, few_games):
    """Changes, name and undo are there; two servers can't have one draft."""
    page = open_site()
    page.ask("set", key="rounds", value=7)
    page.ask("rename", name="shorter")
    with pytest.raises(BalanceError, match="another balance live has the draft"):
        open_site()
    draft = page.site.session.settings.draft
    text = draft.read_bytes()
    draft.write_text("{", encoding="utf-8")
    with pytest.raises(BalanceError, match="another balance live has the draft"):
        open_site()
    assert draft.read_text(encoding="utf-8") == "{"  # and not moved
    draft.write_bytes(text)
    page.site.close()
    state = open_site().message("state")
    assert state["values"] == {"rounds": 7} and state["name"] == "shorter" and state["undo"]


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("host", "evil.example", 421), ("host", "127.0.0.1:1", 421),
        ("origin", "http://evil.example", 403), ("origin", "null", 403), ("origin", "https://127.0.0.1:8765", 403),
        ("sec-fetch-site", "cross-site", 403), ("sec-fetch-site", "same-site", 403),
    ],
)  # fmt: skip
def test_pages_of_other_origins_read_nothing(idle_page, header, value, status):
    """Whatever they ask for, even with the token."""
    for path in ("", "about", "events", "live.js", "pages/0-index", "do/clear"):
        assert idle_page.get(path, **{header: value}).status_code == status, path
    own = {"origin": "http://127.0.0.1:8765", header: value}
    assert idle_page.client.post("/t0ken/do/clear", json={}, headers=own).status_code == status


def test_a_link_from_elsewhere_opens_the_page(idle_page):
    """As in a terminal that is a web page. Such a link changes nothing, and no frame shows the page."""
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert idle_page.get(**link, **{"sec-fetch-dest": "document"}).status_code == 200
    assert idle_page.get(**link, **{"sec-fetch-dest": "iframe"}).status_code == 403
    own = {"origin": "http://127.0.0.1:8765", **link, "sec-fetch-dest": "document"}
    assert idle_page.client.post("/t0ken/do/clear", json={}, headers=own).status_code == 403


def test_a_wrong_token_opens_nothing(idle_page):
    for path in ("/", "/about", "/nope/", "/nope/about", "/t0kenx/", "/%FF/"):
        assert idle_page.client.get(path).status_code == 403
    assert idle_page.post("clear", token="nope").status_code == 403


def test_a_change_is_json_from_the_page(page):
    """A form, another type, a large body or something else than an object is refused."""
    page.ask("set", key="rounds", value=7)
    own = {"origin": "http://127.0.0.1:8765"}
    post = page.client.post
    assert post("/t0ken/do/clear", json={}).status_code == 403
    assert post("/t0ken/do/clear", data={"a": "b"}, headers=own).status_code == 415
    json = {**own, "content-type": "application/json"}
    assert post("/t0ken/do/clear", content=b"{}" + b" " * 3_000_000, headers=json).status_code == 413
    assert post("/t0ken/do/clear", content=iter([b"{}"]), headers=json).status_code == 413
    for body in (b"", b"[]", b"3", b"{", b"\xff", b"[" * 100_000, b'{"key": "\\ud800"}'):
        assert post("/t0ken/do/clear", content=body, headers=json).status_code == 400
    assert page.post("frob").status_code == page.post("set").status_code == 422
    assert page.get("do/clear").status_code == 405
    assert page.message("state")["values"] == {"rounds": 7}


@pytest.fixture
def address(open_site, monkeypatch):
    """Serve a site on a port of this machine; return the port and the path of the page."""
    monkeypatch.setattr("balance.live.server.PATIENCE", 0.5)
    listening, found, servers = bind(0), [], []

    class Kept(server.Server):
        def __init__(self, *given):
            super().__init__(*given)
            servers.append(self)

    monkeypatch.setattr(server, "Server", Kept)
    thread = threading.Thread(target=server.serve, args=(open_site(None).site, listening, False, found.append))
    thread.start()
    while not (servers and servers[0].started):
        time.sleep(0.01)
    yield listening.getsockname()[1], urlsplit(found[0]).path
    servers[0].should_exit = True
    thread.join(30)
    assert not thread.is_alive()


def test_no_headers_let_a_large_body_in(address):
    """One in chunks has no length, or a false one; it is read up to the limit."""
    port, path = address
    head = (
        f"POST {path}do/clear HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
        "Content-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=20) as sent:
        sent.sendall(head.encode())
        with suppress(OSError):  # closed meanwhile
            for _ in range(40):
                sent.sendall(b"186a0\r\n" + b" " * 100_000 + b"\r\n")
            sent.sendall(b"0\r\n\r\n")
        answer = sent.recv(100).split(b" ")[1]
    assert answer in (b"400", b"413")


def test_half_a_request_is_not_kept(address):
    """Nor one whose body never comes."""
    port, path = address
    whole = f"POST {path}do/clear HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 9\r\n"
    for part in ("", "GET / HTTP/1.1\r\nHo", f"{whole}Content-Type: application/json\r\n"):
        with socket.create_connection(("127.0.0.1", port), timeout=20) as opened:
            opened.sendall(part.encode())
            assert opened.recv(100) == b""


def test_no_more_streams_than_pages(address):
    """However quickly they are opened."""
    port, path = address
    line = f"GET {path}events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    with ExitStack() as stack:
        opened = [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20)) for _ in range(60)]
        for each in opened:
            each.sendall(line)
        time.sleep(1.5)
        ended = 0
        for each in opened:
            each.setblocking(False)
            said = each.recv(10_000)
            ended += b"503" in said[:20] or said.endswith(b"0\r\n\r\n")
    assert ended == 60 - 16


def test_answers_are_for_this_page_alone(page):
    """No store, no frame, no foreign script, no type to be guessed."""
    headers = page.get().headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy and "frame-ancestors 'none'" in policy
    for path in ("", "about", "live.js", "live.css"):
        headers = page.get(path).headers
        assert headers["cache-control"] == "no-store" and headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers


def test_nothing_comes_from_elsewhere(page):
    """The page works without a network."""
    for path in ("", "live.js", "live.css"):
        assert not re.findall(r"(?:https?:)?//[\w.]+\.\w+", re.sub(r"http://www\.w3\.org\S*", "", page.get(path).text))


def test_names_stay_text(open_site, tmp_path):
    """A variant named as markup is written with entities."""
    path = tmp_path / "<img src=x onerror=alert(1)>.toml"
    path.write_text('extends = "base"\ntitle = "<b>"\ndescription = "d"\nrounds = 7\n', encoding="utf-8")
    page = open_site(variant=str(path))
    page.ask("set", key="tie_rule", value="last-placed")
    html = finished(page)["grid"]
    assert "<img" not in html and "&lt;img" in html


def test_a_written_page_is_boxed_in(page, tmp_path):
    """Only pages that a job wrote are served, without the rights of the live page."""
    (tmp_path / "report.html").write_text("<p>hello", encoding="utf-8")
    page.site.pages["0-report"] = tmp_path / "report.html"
    answer = page.get("pages/0-report")
    assert "hello" in answer.text and "sandbox allow-scripts" in answer.headers["content-security-policy"]
    assert "allow-same-origin" not in answer.headers["content-security-policy"]
    for name in ("1-report", "..%2Freport.html", "report.html"):
        assert page.get(f"pages/{name}").status_code == 404


def test_without_a_game_the_page_asks(open_site):
    """It lists the games; one is chosen once."""
    page = open_site(game=None)
    assert "Which game?" in page.get().text and "Grody" in page.get().text
    assert page.post("set", key="rounds", value=7).json() == {"error": "choose a game first"}
    assert page.post("game", name="frob").status_code == 422
    page.ask("game", name="na-grunwald")
    assert "Which game?" not in page.get().text and page.get("about").json()["keys"]


def test_a_slow_listener_gets_the_newest_messages():
    """Memory does not grow with the messages."""
    board, woken = MessageBoard(), []
    board.join(lambda: woken.append(1))
    for number in range(1000):
        board.publish("state", number)
    board.publish("status", "x")
    last, messages = board.since(0)
    assert messages == [("state", "999"), ("status", '"x"')] and len(woken) == last == 1001
    assert board.since(last) == (last, [])


def test_a_fault_leaves_the_page_alive(page, monkeypatch):
    """It is reported on the page, and the next change is played."""
    finished(page)

    def fail(*arguments):
        raise ValueError("boom")

    with monkeypatch.context() as patch:
        patch.setattr("balance.live.session.ask_variants", fail)
        page.ask("set", key="rounds", value=7)
        page.wait("status", lambda status: status["error"] == "ValueError: boom")
    page.ask("set", key="rounds", value=6)
    page.wait("result", lambda found: ">now<" in found["grid"])


def test_a_fault_of_a_request_is_json(page, monkeypatch):
    """The page shows it in the same place as other mistakes."""

    def fail(*arguments):
        raise ZeroDivisionError("boom")

    monkeypatch.setattr(page.site.session, "act", fail)
    answer = page.post("clear")
    assert answer.status_code == 500 and answer.json() == {"error": "ZeroDivisionError: boom"}


def test_a_thread_that_does_not_end_is_left(page, monkeypatch):
    """Ctrl-C ends the server in any case."""
    finished(page)
    waits, ends = threading.Event(), threading.Event()

    def block(*arguments):
        waits.set()
        ends.wait(60)
        raise ValueError

    monkeypatch.setattr("balance.live.session.CLOSE_SECONDS", 0.1)
    monkeypatch.setattr("balance.live.session.ask_variants", block)
    page.ask("set", key="rounds", value=7)
    assert waits.wait(60)
    began = time.monotonic()
    page.site.close()
    assert time.monotonic() - began < 10 and page.site.session.thread.is_alive()
    ends.set()


def test_the_browser_gets_no_token(open_site, monkeypatch):
    """Its arguments can be read by others; a private page leads to the address."""
    opened, said = [], []

    def open_page(address):
        path = Path(url2pathname(urlsplit(address).path))
        opened.append((address, path, path.read_text(encoding="utf-8"), path.stat().st_mode & 0o777))

    monkeypatch.setattr("balance.live.server.webbrowser.open", open_page)
    monkeypatch.setattr("balance.live.server.Server.run", lambda self, sockets: None)
    site = open_site(game=None).site
    with closing(bind(0)) as listening:
        serve(site, listening, True, said.append)
    ((address, path, text, mode),) = opened
    token = urlsplit(said[0]).path.strip("/")
    assert token not in address and f"url={said[0]}" in text and not path.exists()
    assert mode == 0o600 or os.name != "posix"


def test_ctrl_c_before_the_server_runs(cli, monkeypatch, tmp_path):
    """The command ends as after a stop later on: everything that plays or reads has ended."""
    sites = []

    def run(self, sockets):
        sites.append(self._site)
        raise KeyboardInterrupt

    monkeypatch.setattr("balance.live.server.Server.run", run)
    cli("live --no-browser", tmp_path / "run", "--draft", tmp_path / "draft.json", status=0)
    assert [site.is_closing for site in sites] == [True]


@pytest.mark.parametrize("system", ["posix", "nt"])
def test_a_port_has_one_server(system, monkeypatch):
    """On Windows the option that lets a server restart at once would let another share its port."""
    asked = []
    with closing(bind(0)) as taken:
        monkeypatch.setattr("balance.live.server.os", SimpleNamespace(name=system))
        monkeypatch.setattr(socket.socket, "setsockopt", lambda self, *option: asked.append(option))
        with pytest.raises(BalanceError, match="is in use"):
            bind(taken.getsockname()[1])
    assert len(asked) == (system == "posix")


def test_a_forbidden_port_says_why(monkeypatch):
    """It is not in use."""

    class Forbidden(socket.socket):
        def bind(self, address):
            raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("balance.live.server.socket.socket", Forbidden)
    with pytest.raises(BalanceError, match=r"cannot open port 80: permission denied; choose another"):
        bind(80)


def test_stop_keeps_what_is_shown(page, monkeypatch):
    """Games that sharpen the figures end; nothing is lost."""
    page.ask("set", key="rounds", value=7)
    finished(page)
    monkeypatch.setattr(page.site.session.store, "stages", (48, 96, 2_000_000))
    page.ask("set", key="rounds", value=6)
    page.wait("status", lambda status: "2,000,000" in status["text"] and status["busy"])
    page.ask("stop")
    page.wait("status", lambda status: status["text"] == "stopped")
    assert page.message("result")["games"] == 96 and page.message("state")["values"] == {"rounds": 6}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--game frob", "unknown game 'frob'"),
        ("--game polska --variant nowhere", "unknown polska variant 'nowhere'"),
        ("--game polska --players 9", "no 9-player game"),
        ("--game polska --strategies frob", "unknown polska strategy 'frob'"),
        ("--game polska --port {port}", "is in use; choose another with --port"),
    ],
)
def test_a_wrong_call_is_one_line(cli, tmp_path, options, said):
    with closing(bind(0)) as taken:
        call = options.format(port=taken.getsockname()[1])
        result = cli(f"live {call} --no-browser --draft", tmp_path / "draft.json", status=1)
    assert said in result.stderr and result.stderr.count("\n") == 1 and result.stdout == ""


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
def test_a_run_with_its_report_and_replays(page, tmp_path):
    """One click saves the variant, plays it next to the start, and writes the pages; a second waits."""
    page.ask("job", name="run", games="40")
    page.wait("job run", lambda job: "change a rule first" in job["html"])
    page.ask("set", key="krzyzacy.bonus", value=BONUS)
    page.ask("rename", name="harder")
    page.wait("status", lambda status: not status["busy"])
    page.ask("job", name="run", games="40")
    assert page.post("job", name="run", games="40").status_code == 422
    html = page.wait("job run", lambda job: "Report" in job["html"])["html"]
    assert "balance run --game na-grunwald --players 2,4" in html and "harder.toml" in html
    for address in re.findall(r'href="(pages/[^"]+)"', html):
        assert "<title>" in page.get(address).text
    assert len(page.site.pages) == 3
    assert load_variant(get_game("na-grunwald"), str(tmp_path / "harder.toml"), tmp_path)
    page.wait("status", lambda status: not status["busy"])
    page.ask("job", name="run", games="0.5")
    page.wait("job run", lambda job: "must be a whole number" in job["html"])


@pytest.mark.long
@pytest.mark.slow
def test_strong_players_say_where_they_differ(page, monkeypatch):
    """Experts judge first, then searchers."""
    monkeypatch.setattr("balance.live.jobs.EXPERT_GAMES", 48)
    monkeypatch.setattr("balance.live.jobs.SEARCH_GAMES", 20)
    page.ask("set", key="krzyzacy.bonus", value=BONUS)
    page.ask("job", name="strong")
    html = page.wait("job strong", lambda job: "expert-search" in job["html"])["html"]
    assert html.index("With expert ") < html.index("With expert-search-25")
    assert "Contradicted or not confirmed" in html or "No verdict of the page" in html


@pytest.mark.long
@pytest.mark.slow
def test_a_closer_look_shows_hope_and_options(page, monkeypatch):
    """With the rows of the grid that need one, and a figure for each measure and option on both sides."""
    monkeypatch.setattr("balance.live.jobs.LOOK_GAMES", 600)
    page.ask("set", key="rounds", value=3)
    page.ask("job", name="closer")
    html = page.wait("job closer", lambda job: job["html"])["html"]
    assert "Out of it early" in html and "Options used" in html and "Seats fair" not in html
    assert "<td>longest wait</td>" in html
    (krzyzacy,) = re.findall(r"<td>2</td><td>seats that use krzyzacy, %</td>(.*?)</tr>", html)
    before, now, change = re.findall(r"<td>(.*?)</td>", krzyzacy)
    assert not before.startswith("0.0 ") and now.startswith("0.0 (") and change.endswith("lower")


@pytest.mark.long
@pytest.mark.slow
def test_what_else_and_which_value(page, monkeypatch):
    """Steps of all keys, and values of one key with intervals."""
    monkeypatch.setattr("balance.live.jobs.STEP_GAMES", 100)
    monkeypatch.setattr("balance.live.jobs.VALUE_GAMES", 100)
    page.ask("job", name="others", measure="score")
    html = page.wait("job others", lambda job: job["html"])["html"]
    assert "What else moves score" in html and "50 steps of 30 keys" in html and "<td>" in html
    page.wait("status", lambda status: not status["busy"])
    page.ask("job", name="value", key="rounds", measure="score", target="20")
    html = page.wait("job value", lambda job: ">8<" in job["html"])["html"]
    assert "rounds for score 20" in html and "in the interval" in html
    page.wait("status", lambda status: not status["busy"])
    for wrong in ({"key": "tie_rule"}, {"target": "many"}, {"measure": "frobs"}):
        page.ask("job", **{"name": "value", "key": "rounds", "measure": "score", "target": "20", **wrong})
        page.wait("job value", lambda job: 'class="warning"' in job["html"])
        page.wait("status", lambda status: not status["busy"])
