"""Lost deficits against a planted curve, and the last lead against a count of every game."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit
from support.planted import answer
from support.runs import play, read_rows

from balance.analysis.gather import gather
from balance.analysis.leads import LOST, Deficits, LastLead, chances, lost_by_round
from balance.runs.folder import RunFolder

LEVEL, SLOPE = -0.4, -0.25
TRUTH = (logit(LOST / 100) - LEVEL) / SLOPE


def behind_rows(rng: np.random.Generator, decks: int, slope: float = SLOPE, size: int = 4) -> pd.DataFrame:
    """Return seats behind by 0 to 20 points after round 2 of 3, with a logistic win chance; deals differ."""
    deck = np.arange(decks).repeat(size)
    behind = rng.integers(0, 21, len(deck)).astype(float)
    chance = expit(LEVEL + slope * behind)
    frame = pd.DataFrame({"lead": -behind, "win_share": (rng.random(len(deck)) < chance).astype(float)})
    frame["tenth"] = rng.integers(0, 10, decks)[deck]
    ahead = frame.assign(lead=5.0, win_share=1.0)
    last = frame.assign(round=3, lead=-1.0)
    cell = {"players": 2, "variant": "base", "rounds": 3, "number": 0}
    return pd.concat([frame.assign(round=2), ahead.assign(round=2), last]).assign(**cell)


@pytest.mark.long
def test_a_planted_curve_is_found():
    """The deficit with a chance of a tenth lies in the interval in about 95 of 100 runs; leaders do not count."""
    rng = np.random.default_rng(7)
    found = [lost_by_round(answer(Deficits(), round_rows=behind_rows(rng, 800))) for _ in range(120)]
    rows = pd.concat(found)
    assert (rows["round"] == 2).all() and (rows["n"] == 3_200).all()
    assert rows["value"].mean() == pytest.approx(TRUTH, abs=0.1)
    assert 0.9 <= rows.eval("low <= @TRUTH <= high").mean() <= 0.99


@pytest.mark.parametrize("slope", [0.05, -0.01])
def test_no_lost_deficit_without_a_falling_chance(slope):
    """No figure if the chance rises with the deficit, or stays above a tenth over all observed deficits."""
    sums = answer(Deficits(), round_rows=behind_rows(np.random.default_rng(8), 800, slope))
    assert lost_by_round(sums).empty


def test_chances_are_those_of_the_rows():
    """Each step contains every seat once; its mean lies inside its interval."""
    frame = behind_rows(np.random.default_rng(9), 500)
    found = chances(answer(Deficits(), round_rows=frame))
    own = frame[(frame["lead"] <= 0) & (frame["round"] == 2)]
    assert list(found["behind"]) == ["0", "1 to 4", "5 to 8", "9 to 12", "13 to 16", "17 to 20"]
    for row in found.itertuples():
        low, high = (int(each) for each in (row.behind.split(" to ") * 2)[:2])
        part = own[own["lead"].between(-high, -low)]
        assert row.n == len(part)
        assert row.value == pytest.approx(100 * part["win_share"].mean())
        assert row.low < row.value < row.high
    assert found["n"].sum() == len(own)


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> RunFolder:
    """Return games of three seats that often share the lead."""
    keys = {"players": [2, 3], "strategies": ["random"], "games": 300, "log": "rounds"}
    return RunFolder.open(play(tmp_path_factory.mktemp("lead") / "run", **keys))


def test_the_last_lead_is_that_of_every_game(run):
    """It equals a full count of who has the best score before the last round, alone or shared, and what they win."""
    question = LastLead()
    found = gather(run, [question])[question].set_index(["players", "measure"])
    tables = {name: read_rows(run.path, name) for name in ("games", "seats", "rounds")}
    lost: dict[int, list[float]] = {2: [], 3: []}
    shared: dict[int, list[bool]] = {2: [], 3: []}
    seats = tables["seats"].set_index(["game_id", "seat"])
    for game, rounds in tables["rounds"].groupby("game_id"):
        last = rounds[rounds["round"] == rounds["round"].max() - 1].set_index("seat")["score"]
        leaders = last[last == last.max()].index
        own = seats.loc[game]
        lost[len(own)].append(1 - own.loc[leaders, "win_share"].sum())
        shared[len(own)].append(len(leaders) > 1)
    for players in (2, 3):
        row = found.loc[(players, "lost")]
        assert row["value"] == pytest.approx(100 * np.mean(lost[players]), abs=1e-4)
        assert row["n"] == 300 and row["low"] <= row["value"] <= row["high"]
        assert found.loc[(players, "shared"), "value"] == pytest.approx(100 * np.mean(shared[players]))
    assert any(shared[2] + shared[3])


def test_a_shared_lead_is_lost_only_to_those_behind():
    """Leaders who share it and win in part have not lost it; a win shared with a seat behind counts in part."""

    def game(number: int, lead: list[float], wins: list[float]) -> pd.DataFrame:
        frame = pd.DataFrame({"lead": lead, "win_share": wins, "seat": range(3)})
        return frame.assign(deal_seed=number, players=3, variant="base", round=4, rounds=5)

    parts = [
        game(1, [0, 0, -2], [0.5, 0.5, 0]),
        game(2, [0, 0, -2], [0, 0, 1]),
        game(3, [3, -3, -4], [0.5, 0.5, 0]),
        game(4, [3, -3, -4], [1, 0, 0]),
    ]
    question = LastLead()
    found = question.read(answer(question, round_rows=pd.concat(parts))).set_index("measure")
    assert found.loc["lost", "value"] == pytest.approx(100 * (0 + 1 + 0.5 + 0) / 4)
    assert found.loc["shared", "value"] == pytest.approx(50)
