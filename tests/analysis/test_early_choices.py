"""First moves: a planted best move is found, chance differences are not, and an unused move has a bound."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from support.runs import play, read_rows

from balance.analysis.early_choices import Openings, best_move, move_effects, read_openings, shares_chosen
from balance.analysis.gather import LEAST_GAMES
from balance.runs.folder import RunFolder


def planted(rng: np.random.Generator, gain: float, decks: int = 1_500) -> Openings:
    """Return two strategies, of which the better prefers move b; move a adds `gain` to the win chance."""
    deck = np.arange(decks).repeat(2)
    strong = np.tile([True, False], decks)
    label = np.where(rng.random(2 * decks) < np.where(strong, 0.3, 0.7), "a", "b")
    label[rng.random(2 * decks) < 0.01] = "c"
    chance = 0.3 + 0.3 * strong + gain * (label == "a")
    data = pd.DataFrame({"game_id": deck, "seat": strong.astype(int), "deal_seed": deck, "label": label})
    data["strategy"] = np.where(strong, "strong", "weak")
    data["win_share"] = 100.0 * (rng.random(2 * decks) < chance)
    return Openings(SimpleNamespace(), data)  # type: ignore[arg-type]


def test_a_better_first_move_is_found():
    """The gain is estimated although the weaker strategy prefers the move."""
    (row,) = best_move(move_effects(planted(np.random.default_rng(1), 0.15))).itertuples()
    assert row.label == "a"
    assert row.low < 15 < row.high


def test_moves_that_are_alike_have_no_best():
    """Nearly all runs name no best move, although one always looks better."""
    rng = np.random.default_rng(2)
    found = [len(best_move(move_effects(planted(rng, 0.0, 400)))) for _ in range(25)]
    assert sum(found) <= 3


def test_how_often_each_is_chosen():
    """Counts are exact; an offered move never taken has 0 and a bound; rare moves are not judged."""
    openings = planted(np.random.default_rng(3), 0.1)
    shares = shares_chosen(openings, ["b", "never"]).set_index("label")
    for label in "abc":
        share = 100 * (openings.data["label"] == label).mean()
        assert shares.loc[label, "value"] == pytest.approx(share)
        assert shares.loc[label, "low"] < share < shares.loc[label, "high"]
    assert shares.loc["never", "value"] == 0
    assert 0 < shares.loc["never", "high"] < 1
    assert set(move_effects(openings)["label"]) == {"a", "b"}


def test_first_decisions_of_a_run_are_those_of_its_traces(tmp_path):
    """It is each seat's first decision in every traced game; too few traced games are not read."""
    keys = {"players": [2], "strategies": ["treasurer", "random"], "games": 2 * LEAST_GAMES}
    path = play(tmp_path / "run", trace=LEAST_GAMES, **keys)
    (openings,) = read_openings(RunFolder.open(path), ["base"])
    trace = read_rows(path, "trace")
    firsts = trace[trace["seat"] >= 0].sort_values("step").groupby(["game_id", "seat"])["label"].first()
    assert len(openings.data) == len(firsts) == 2 * LEAST_GAMES
    found = openings.data.set_index(["game_id", "seat"])["label"]
    assert (found.sort_index() == firsts.sort_index()).all()
    few = play(tmp_path / "few", trace=LEAST_GAMES - 1, **keys)
    assert read_openings(RunFolder.open(few), ["base"]) == []
