"""The worst fact leads the page: facts planted in runs are named by the answer, whatever they are about."""

import re
import shutil

import numpy as np
import pandas as pd
import pytest
from support.runs import plant, play, report_text

pytestmark = pytest.mark.usefixtures("undrawn")

GAMES = 400


@pytest.fixture(scope="module")
def fair(tmp_path_factory):
    """Return random games of Na Grunwald! with two players in which each seat wins half, within the time on the box."""
    path = tmp_path_factory.mktemp("fair") / "run"
    play(path, players=[2], games=GAMES, log="rounds", trace=GAMES)
    plant(path, "seats", lambda rows: _win(rows, np.arange(len(rows) // 2) % 2))
    plant(path, "games", lambda rows: rows.__setitem__("choice_blocks", 144))  # 60 to 120 minutes
    return path


@pytest.fixture
def grunwald(fair, tmp_path):
    """Return a copy of these games, in which a fact may be planted."""
    return shutil.copytree(fair, tmp_path / "run")


def _win(rows: pd.DataFrame, winners: np.ndarray) -> None:
    """Give each game to a seat; `rows` are ordered by game and seat."""
    players = len(rows) // len(winners)
    won = rows["seat"].to_numpy() == np.repeat(winners, players)
    rows["win_share"] = won.astype("float32")
    rows["rank"] = np.where(won, 1, 2).astype("int8")
    rows["score"] = np.where(won, 40.0, 30.0).astype("float32")


def answer_of(run, out):
    """Return the answer and the first finding of the page."""
    page = report_text(run, out)
    answer = re.search(r"\*\*Is .+?\*\* (.+)", page)[1]
    return answer, next(iter(re.findall(r"^1\. (.+)", page, re.MULTILINE)), "")


def test_a_seat_that_wins_70_percent_leads(grunwald, tmp_path):
    """The headline names the seat, its share and a fair share."""
    plant(grunwald, "seats", lambda rows: _win(rows, (np.arange(len(rows) // 2) % 10 >= 7).astype(int)))
    answer, finding = answer_of(grunwald, tmp_path / "out")
    assert re.search(r"^The first player wins (69|70)\.\d % of games, fair 50", answer)
    assert "good is 45 to 55 %" in finding


@pytest.mark.long
def test_a_supply_that_runs_out_leads(grunwald, tmp_path):
    """Provisions that are too few in a third of the games are the first fact."""
    plant(grunwald, "games", lambda rows: rows.__setitem__("peak_provisions", np.where(rows.index % 3, 20, 60)))
    answer, finding = answer_of(grunwald, tmp_path / "out")
    assert re.search(r"^Provisions run out in 3[34]\.\d % of games", answer)
    assert "(The box)" in finding


def test_an_option_that_no_seat_uses_leads(grunwald, tmp_path):
    """A field where no pawn is ever placed is dead."""

    def close(rows: pd.DataFrame) -> None:
        rows.loc[rows["field"] == "helpers", "field"] = "ducats"

    plant(grunwald, "trace", close)
    answer, finding = answer_of(grunwald, tmp_path / "out")
    assert answer.startswith("Helpers (fields) is used by 0.0 % of seats")
    assert "good is 5 to 100 %" in finding


def test_of_two_options_that_no_seat_uses_the_one_with_the_number_is_named(grunwald, tmp_path):
    """The cell of the grid, the first finding and the answer name the same option."""

    def close(rows: pd.DataFrame) -> None:
        rows.loc[rows["field"].isin(["helpers", "provisions"]), "field"] = "ducats"

    plant(grunwald, "trace", close)
    answer, finding = answer_of(grunwald, tmp_path / "out")
    cell = re.search(r"\| Options used .+? \| dead (\w+) 0\.0", report_text(grunwald, tmp_path / "out"))
    text = f"{cell[1]} (fields) is used by 0.0 % of seats, and 1 more option by 0.0 %"
    assert answer.startswith(text) and text in finding


@pytest.mark.long
def test_a_length_outside_the_box_leads(grunwald, tmp_path):
    """Games three times as long as the box says are too long at every pace."""
    plant(grunwald, "games", lambda rows: rows.__setitem__("choice_blocks", 432))
    answer, _ = answer_of(grunwald, tmp_path / "out")
    assert answer.startswith("Games take 180–360 minutes: too long")


def test_without_a_planted_fact_nothing_leads(grunwald, tmp_path):
    """Fair games within their time have no problem in these rows."""
    answer, _ = answer_of(grunwald, tmp_path / "out")
    for words in ("wins", "run out", "used by", "minutes"):
        assert words not in answer


@pytest.mark.long
def test_a_faction_at_a_fifth_of_its_share_leads(tmp_path):
    """A line of Korona Piastów that wins 5 % of its games is named, with a fair share."""
    path = play(tmp_path / "run", game="korona-piastow", players=[4], games=GAMES)
    rng = np.random.default_rng(3)

    def weaken(rows: pd.DataFrame) -> None:
        weak = (rows["line"] == rows["line"].mode()[0]).to_numpy().reshape(-1, 4)
        chance = rng.random(weak.shape) * np.where(weak, 0.35, 1.0)
        _win(rows, chance.argmax(axis=1))

    plant(path, "seats", weaken)
    answer, finding = answer_of(path, tmp_path / "out")
    assert re.search(r"^\S.* wins \d\.\d % of its games, fair 25", answer)
    assert "(Factions)" in finding
