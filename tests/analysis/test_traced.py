"""Shares and ratios of rows of traced games: intervals clustered by deal, the order of groups, too few rows."""

import numpy as np
import pandas as pd
import pytest

from balance.analysis.traced import LEAST_ROWS, ratios, shares


def planted(rng: np.random.Generator) -> pd.DataFrame:
    """Return invasions whose share of wins rises by 10 points per point of lead, half at even sums."""
    lead = rng.integers(-4, 5, 6_000)
    won = rng.random(len(lead)) < 0.5 + 0.1 * lead
    frame = pd.DataFrame({"players": 3, "variant": "base", "lead": lead, "won": won.astype(int)})
    return frame.assign(deal_seed=rng.integers(0, 500, len(lead)))


def test_shares_are_the_planted_ones():
    """Intervals by lead contain the truth about as often as stated."""
    rng, held = np.random.default_rng(4), []
    for _ in range(20):
        for row in shares(planted(rng), ["lead"], "won").itertuples():
            held.append(row.low <= 50 + 10 * row.lead <= row.high)
    assert 0.92 < np.mean(held) < 0.98


def test_groups_are_in_the_order_of_variants_and_large_enough():
    """A variant keeps its place in the rows; the column sorts within it; a group with too few rows is left out."""
    rows = [("new", 1), ("new", 0), ("base", 0)] * LEAST_ROWS + [("base", 1)]
    frame = pd.DataFrame(rows, columns=["variant", "fort"]).assign(players=2, won=1)
    frame["deal_seed"] = range(len(frame))
    found = shares(frame, ["fort"], "won")
    assert found[["variant", "fort", "n"]].to_numpy().tolist() == [
        ["new", 0, LEAST_ROWS],
        ["new", 1, LEAST_ROWS],
        ["base", 0, LEAST_ROWS],
    ]
    assert (found["value"] == 100).all()


def test_a_ratio_is_that_of_the_sums():
    """The rows of a deal count together; without a second column rows are counted."""
    frame = pd.DataFrame({"deal_seed": [1, 1, 2], "held": [1, 2, 3], "rounds": [4, 4, 2]})
    frame = frame.assign(players=2, variant="base")
    (by_rounds,), (by_rows,) = (ratios(frame, [], "held", whole).itertuples() for whole in ("rounds", ""))
    assert (by_rounds.value, by_rounds.n) == (pytest.approx(0.6), 10)
    assert (by_rows.value, by_rows.n) == (pytest.approx(2.0), 3)
    assert by_rows.low < 2 < by_rows.high
