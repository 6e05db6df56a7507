"""The order of strength of tiers: duels decide, and where none was played it is assumed."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from balance.runs.strength import rank_tiers

ASSUMED = ["styles", "experts", "search"]
TIERS = [SimpleNamespace(name=name, assumed_strength=number) for number, name in enumerate(ASSUMED)]


def duels(*rows: tuple[str, str, float, float]) -> pd.DataFrame:
    """Return duels (tier, other, points, standard error), one player count after another for the same pair."""
    frame = pd.DataFrame(rows, columns=["tier", "other", "value", "error"])
    frame["players"] = 2 + frame.groupby(["tier", "other"]).cumcount()
    reach = 1.98 * frame["error"]
    return frame.assign(low=frame["value"] - reach, high=frame["value"] + reach, n=600, clusters=100, variant="base")


def test_without_duels_searchers_are_assumed_to_beat_networks_and_networks_profiles():
    found = rank_tiers(TIERS, duels())
    assert found.order == ASSUMED and not found.is_measured
    assert found.ranks == {"styles": 0, "experts": 1, "search": 2}


def test_a_search_that_loses_to_its_own_network_is_the_weaker_of_the_two():
    """As in a game whose searcher is set wrongly."""
    found = rank_tiers(TIERS, duels(("experts", "styles", 20, 2), ("search", "experts", -9.5, 2)))
    assert found.order == ["styles", "search", "experts"]
    assert found.ranks["experts"] > found.ranks["search"]


def test_tiers_that_can_not_be_told_apart_are_equally_strong():
    found = rank_tiers(TIERS, duels(("experts", "styles", 20, 2), ("search", "experts", 2.5, 3)))
    assert found.ranks == {"styles": 0, "experts": 1, "search": 1}


def test_what_player_counts_contradict_is_no_order():
    """The mean is shown to be above 0, but with four players the opposite is shown."""
    rows = [("search", "experts", value, 2) for value in (30, 20, -12)]
    found = rank_tiers(TIERS, duels(("experts", "styles", 20, 2), *rows))
    assert found.ranks["search"] == found.ranks["experts"]


def test_a_duel_counts_whoever_is_named_first():
    rows = duels(("experts", "search", 9.5, 2), ("styles", "experts", -20, 2))
    assert rank_tiers(TIERS, rows).order == ["styles", "search", "experts"]


def test_a_duel_that_is_won_on_every_deal_decides():
    assert rank_tiers(TIERS, duels(("search", "experts", 50, 0))).ranks["search"] == 2


@pytest.mark.slow
def test_equal_tiers_are_rarely_ordered():
    """Of 400 orders of four equal tiers, at most 5 % (and sampling error) have a rank too many."""
    rng, wrong = np.random.default_rng(1), 0
    names = ["a", "b", "c", "d"]
    tiers = [SimpleNamespace(name=name, assumed_strength=0) for name in names]
    for _ in range(400):
        rows = [(above, below, rng.normal(0, 2), 2.0) for below, above in pairwise(names) for _ in range(3)]
        wrong += max(rank_tiers(tiers, duels(*rows)).ranks.values()) > 0
    assert wrong / 400 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 400)
