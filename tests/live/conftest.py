"""A site with few games, and a browser's requests to it."""

import json
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from balance.contract.game import get_game
from balance.live.arms import Settings
from balance.live.runs import RunWatch
from balance.live.server import Site

TOKEN, PORT = "t0ken", 8765
HOME = f"http://127.0.0.1:{PORT}"


class Page:
    """What a page of the site sends, and the messages that it gets."""

    def __init__(self, site):
        self.site = site
        self.client = TestClient(site.app(TOKEN, PORT), base_url=HOME)

    def get(self, path="", **headers):
        return self.client.get(f"/{TOKEN}/{path}", headers=headers)

    def post(self, action, token=TOKEN, **body):
        return self.client.post(f"/{token}/do/{action}", json=body, headers={"origin": HOME})

    def ask(self, action, **body):
        answer = self.post(action, **body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def message(self, topic):
        found = dict(self.site.board.since(0)[1])
        return json.loads(found[topic]) if topic in found else None

    def wait(self, topic, true, seconds=120):
        end = time.monotonic() + seconds
        while not ((message := self.message(topic)) and true(message)):
            assert time.monotonic() < end, (topic, message, self.message("status"))
            time.sleep(0.02)
        return message


@pytest.fixture
def few_games(monkeypatch):
    """Two short stages."""
    monkeypatch.setattr("balance.live.arms.STAGES", (48, 96))


@pytest.fixture
def open_site(tmp_path, few_games):
    """Return a function that opens a site; all are closed at the end."""
    sites = []

    def make(game="na-grunwald", runs=(), history=None, **more):
        def settings(name):
            known = get_game(name)
            given = {"players": [2, 4], "strategies": ["champion", "generalist"], **more}
            return Settings(
                known, given.pop("variant", "base"), seed=1, out=tmp_path, draft=tmp_path / "draft.json", workers=2,
                **given,
            )  # fmt: skip

        site = Site(settings(game) if game else None, settings, RunWatch([*map(Path, runs)], history))
        sites.append(site)
        return Page(site)

    yield make
    for site in sites:
        site.close()
