"""Medians, quartiles and ties against NumPy and full counts; coverage of the median's interval."""

import numpy as np
import pandas as pd
import pytest
from support.planted import answer
from support.runs import play, read_rows

from balance.analysis.gather import gather
from balance.analysis.spread import BROKEN, JOINT, SHARED, quartiles, spread, ties_question
from balance.runs.folder import RunFolder

BY = ["players", "variant"]
QUESTION = spread({"score": "score", "half": "score / 2"}, BY, "seat = 0")


def rows(rng: np.random.Generator, decks: int, size: int = 4) -> pd.DataFrame:
    """Return whole scores around 40 in deals of `size` games, alike within a deal."""
    deck = np.arange(decks).repeat(size)
    score = np.round(rng.normal(40, 5, decks)[deck] + rng.normal(0, 8, decks * size))
    frame = pd.DataFrame({"score": score, "tenth": rng.integers(0, 10, decks)[deck]})
    return frame.assign(players=2, variant="base", seat=0, number=0)


def test_quartiles_are_numpys():
    """A quartile is the smallest value such that this part lies at or below it, in any order of the sums."""
    frame = rows(np.random.default_rng(1), 300)
    other = rows(np.random.default_rng(2), 100).assign(variant="hard")
    away = frame.assign(seat=1, score=1e6)
    sums = answer(QUESTION, seat_rows=pd.concat([frame, other, away])).sample(frac=1, random_state=1)
    found = quartiles(sums, BY).set_index(["variant", "measure"])
    for variant, own in (("base", frame), ("hard", other)):
        for measure, values in (("score", own["score"]), ("half", own["score"] / 2)):
            row = found.loc[(variant, measure)]
            parts = {"value": 0.5, "lower": 0.25, "upper": 0.75, "least": 0.05, "most": 0.95}
            for name, part in parts.items():
                assert row[name] == np.quantile(values, part, method="inverted_cdf"), name
            assert row["low"] <= row["value"] <= row["high"]
            assert row["n"] == len(own)


@pytest.mark.long
def test_the_medians_interval_holds_the_truth():
    """About 95 of 100 intervals on deals of alike games cover; intervals for independent games cover far fewer."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(300):
        frame = rows(rng, 150, 16)
        (row,) = quartiles(answer(spread({"score": "score"}, BY), seat_rows=frame), BY).itertuples()
        held += row.low <= 40 <= row.high
    assert 0.92 <= held / 300 <= 1.0  # whole numbers make it a little wide
    naive = 1.96 * 0.5 / np.sqrt(150 * 16)
    frame = rows(rng, 150, 16)
    low, high = np.quantile(frame["score"], [0.5 - naive, 0.5 + naive])
    (row,) = quartiles(answer(spread({"score": "score"}, BY), seat_rows=frame), BY).itertuples()
    assert row.high - row.low >= high - low


@pytest.mark.filterwarnings("error")
def test_one_group_of_decks_tells_of_no_spread():
    """The interval is infinite."""
    frame = rows(np.random.default_rng(1), 5).assign(tenth=3)
    (row,) = quartiles(answer(spread({"score": "score"}, BY), seat_rows=frame), BY).itertuples()
    assert np.isneginf(row.low) and np.isposinf(row.high)


def test_ties_are_those_of_the_scores(tmp_path):
    """Shared best scores, and one or several winners among them, equal a full count."""
    path = play(tmp_path / "run", players=[2, 4], strategies=["random"], games=400)
    question = ties_question()
    found = gather(RunFolder.open(path), [question])[question].set_index(["players", "measure"])
    kinds: dict[int, list[tuple[bool, int]]] = {2: [], 4: []}
    for _, seats in read_rows(path, "seats").groupby("game_id"):
        best = (seats["score"] == seats["score"].max()).sum() > 1
        kinds[len(seats)].append((bool(best), int((seats["rank"] == 1).sum())))
    for players, games in kinds.items():
        share = {
            SHARED: sum(best for best, _ in games),
            BROKEN: sum(best and winners == 1 for best, winners in games),
            JOINT: sum(winners > 1 for _, winners in games),
        }
        for measure, count in share.items():
            row = found.loc[(players, measure)]
            assert row["value"] == pytest.approx(100 * count / 400)
            assert row["low"] <= row["value"] <= row["high"] and row["n"] == 400
    assert found.loc[(4, SHARED), "value"] > 0
