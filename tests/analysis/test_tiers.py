"""Tiers compared with each other: what counts as a difference, and how often chance alone looks like one."""

import numpy as np
import pandas as pd
import pytest
from support.statistics import moments

from balance.analysis.question import interval_columns, scale
from balance.analysis.tier_comparison import AGREES, DIFFERS, UNDECIDED, compare_tier
from balance.stats.comparisons import judge, p_value, p_within
from balance.stats.intervals import Interval, cluster_interval, share_interval

KEYS = {"players": 4, "variant": "base", "measure": "seat_win_share"}


def rows(*found, threshold=1.0):
    """Return rows of one tier: (value, error, verdict), on 400 deals each."""
    table = pd.DataFrame(found, columns=["value", "error", "verdict"]).rename_axis("group").reset_index()
    low, high = table["value"] - 2 * table["error"], table["value"] + 2 * table["error"]
    table = table.assign(**KEYS, low=low, high=high, n=1600, clusters=400, threshold=threshold)
    return table.drop(columns="error")


@pytest.mark.parametrize(
    ("first", "other", "threshold", "relation"),
    [
        ((27.0, 0.3, "favoured"), (25.1, 0.2, "balanced"), 1.0, DIFFERS),  # the difference is shown
        ((26.2, 0.1, "higher"), (25.9, 0.1, "same"), 3.0, AGREES),  # not 0 and within 3: both are true
        ((26.2, 0.1, "higher"), (24.4, 0.9, "same"), 1.0, UNDECIDED),  # no difference is shown
        ((27.0, 0.3, "favoured"), (23.0, 0.3, "disfavoured"), 1.0, DIFFERS),
        ((27.0, 0.3, "favoured"), (26.9, 0.3, "favoured"), 1.0, AGREES),
        ((25.1, 0.1, "same"), (25.3, 0.1, "slightly higher"), 1.0, AGREES),
        ((25.4, 0.1, "slightly higher"), (24.6, 0.1, "slightly lower"), 1.0, DIFFERS),
        ((27.0, 0.3, "favoured"), (26.1, 2.0, "undecided"), 1.0, UNDECIDED),
        ((27.0, 0.3, "favoured"), (22.0, 1.0, "undecided"), 1.0, DIFFERS),  # the difference is shown
        ((35.0, 0.3, "favoured"), (27.0, 0.3, "favoured"), 1.0, DIFFERS),  # and beyond what matters
        ((25.9, 0.1, "favoured"), (26.4, 0.1, "favoured"), 1.0, AGREES),  # or within it
        ((27.0, 0.3, "favoured"), (20.0, 0.3, "withheld"), 1.0, UNDECIDED),
        ((27.0, 0.3, "favoured"), (20.0, 0.3, "too few deals"), 1.0, DIFFERS),
        ((3.0, 0.1, "higher"), (9.0, 0.1, "higher"), np.nan, AGREES),  # the same sign, no threshold
        ((3.0, 0.1, "higher"), (-3.0, 0.1, "lower"), np.nan, DIFFERS),
        ((3.0, 0.1, "higher"), (0.1, 0.1, "undecided"), np.nan, DIFFERS),
        ((3.0, 0.1, "above fair"), (2.0, 0.9, "undecided"), np.nan, UNDECIDED),
        ((80.0, 0.1, ""), (90.0, 0.1, ""), np.nan, DIFFERS),
        ((80.0, 0.1, ""), (80.1, 0.1, ""), np.nan, UNDECIDED),
    ],
)
def test_what_differs(first, other, threshold, relation):
    """Tiers differ if their verdicts exclude each other or the difference is shown, not for lack of games."""
    table = compare_tier(rows(first, threshold=threshold), {"other": rows(other, threshold=threshold)}, 1)
    assert list(table["relation"]) == [relation]


def test_targets_are_compared_by_their_verdicts_alone():
    """A pass differs from a failure; there is no difference to judge."""
    first = rows((25, np.nan, "pass"), (25, np.nan, "pass"), (25, np.nan, "fail"), threshold=np.nan)
    other = rows((25, np.nan, "fail"), (25, np.nan, "undecided"), (25, np.nan, "fail"), threshold=np.nan)
    table = compare_tier(first, {"other": other}, None)
    assert list(table["relation"]) == [DIFFERS, UNDECIDED, AGREES]
    assert set(table["difference_verdict"]) == {""}


def test_every_other_tier_is_compared_with_the_first():
    """Rows of only one tier are left out; n and intervals of both stand side by side."""
    first = rows((27.0, 0.3, "favoured"), (25.0, 0.2, "balanced"))
    table = compare_tier(first, {"b": first, "c": first.head(1)}, 3)
    assert list(zip(table["tier"], table["group"], strict=True)) == [("b", 0), ("b", 1), ("c", 0)]
    assert (table["difference"] == 0).all()
    assert (table["n_other"] == table["n"]).all()


def tier_rows(shares, rng, decks=300, alike=0.5):
    """Return two tiers on shared deals that are good or bad for both: win shares of one seat each."""
    luck = rng.normal(0, alike, decks)
    found = []
    for share in shares:
        chance = 1 / (1 + np.exp(-(np.log(share / (1 - share)) + luck)))
        sums = moments(rng.binomial(4, chance).astype(float), np.full(decks, 4.0))
        percent = scale(share_interval(cluster_interval(sums)), 100)
        row = {**interval_columns(percent), **KEYS, "group": 0, "threshold": 1.0, "verdict": "undecided"}
        found.append(pd.DataFrame([row]))
    return found


@pytest.mark.long
def test_chance_is_seldom_a_difference_between_tiers():
    """At most 5 % of differences are called between tiers of one truth; far fewer if deals decide much."""
    rng = np.random.default_rng(8)
    for alike in (0.0, 1.0):
        called = 0
        for _ in range(300):
            first, other = tier_rows((0.3, 0.3), rng, alike=alike)
            table = compare_tier(first, {"other": other}, 1)
            called += table["relation"][0] == DIFFERS
        assert called / 300 < 0.05 + 2 * np.sqrt(0.05 * 0.95 / 300)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("truth", "error", "threshold"),
    [(1.5, 0.4, 3.0), (1.0, 0.3, 1.0), (2.0, 0.7, np.nan), (0.0, 0.5, 1.0)],
    ids=["seats", "at the threshold", "comebacks and lengths", "no effect"],
)
@pytest.mark.long
def test_effects_of_one_truth_seldom_differ_between_tiers(truth, error, threshold):
    """Two tiers with the same effects differ in at most 5 % of pages, whatever each shows alone."""
    rng = np.random.default_rng(10)
    called = 0
    for _ in range(300):
        tiers = []
        for value in rng.normal(truth, error, 2):
            found = Interval(value, value - 1.96 * error, value + 1.96 * error, 4_000, 4_000, error)
            arrays = Interval(*(np.array([each]) for each in vars(found).values()))
            within = p_within(arrays, np.array([threshold]))
            (word,) = judge(arrays, p_value(arrays), within).words
            tiers.append(rows((value, error, word), threshold=threshold).assign(clusters=4_000))
        table = compare_tier(tiers[0], {"other": tiers[1]}, 1)
        called += (table["relation"][0] == DIFFERS) and (table["verdict"][0] != table["verdict_other"][0])
    assert called / 300 < 0.05 + 2 * np.sqrt(0.05 * 0.95 / 300)


@pytest.mark.long
def test_lengths_of_one_truth_seldom_differ_between_tiers():
    """For means without verdicts only a shown difference counts."""
    rng = np.random.default_rng(11)
    called = 0
    for _ in range(300):
        first, other = (rows((value, 0.5, ""), threshold=np.nan) for value in rng.normal(80, 0.5, 2))
        called += compare_tier(first, {"other": other}, 1)["relation"][0] == DIFFERS
    assert called / 300 < 0.05 + 2 * np.sqrt(0.05 * 0.95 / 300)


def test_a_difference_that_is_there_is_found():
    """Five points are found on 2,000 deals."""
    rng = np.random.default_rng(9)
    found = [
        compare_tier(first, {"other": other}, 1)["relation"][0] == DIFFERS
        for first, other in (tier_rows((0.25, 0.30), rng, decks=2_000) for _ in range(40))
    ]
    assert np.mean(found) > 0.9


def test_a_share_of_all_games_is_not_taken_for_certain():
    """The interval of eight of eight reaches far below 94 % of very many, and so does that of the difference."""
    few = scale(share_interval(cluster_interval(moments(np.ones(8), np.ones(8)))), 100)
    all_won = rows((100.0, 0.0, "undecided")).assign(low=few.low, high=few.high, clusters=8)
    table = compare_tier(rows((94.0, 0.2, "favoured")), {"few": all_won}, 1)
    assert table["difference_low"][0] < -30
    assert list(table["relation"]) == [UNDECIDED]
