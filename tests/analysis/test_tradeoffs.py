"""Gains and costs of a variant: advice only if no other row may be worse."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from balance.analysis.changes import find_tradeoffs, judge_effects
from balance.analysis.verdicts import Verdict, by_place
from balance.experiments.targets import Thresholds
from balance.report.answer import advice
from balance.report.assessment import Assessment
from balance.report.rows import seats
from balance.report.speakers import Said, Speakers
from balance.stats.comparisons import judge, p_value, p_within
from balance.stats.intervals import Interval, fair_share


def page(rng, truths, error):
    """Return variants, verdicts and judged effects: by name (base share, true effect) of each of four seats."""
    keys = [(name, str(seat), *pair) for name, pairs in truths.items() for seat, pair in enumerate(pairs)]
    table = pd.DataFrame(keys, columns=["variant", "group", "baseline", "true"])
    value = table["true"].to_numpy() + (rng.normal(0, error, len(table)) if rng else 0)
    count = np.full(len(table), 2_000)
    found = Interval(value, value - 1.96 * error, value + 1.96 * error, count, count, np.full(len(table), error))
    words = judge(found, p_value(found), p_within(found, np.ones(len(table)))).words
    table = table.assign(
        players=4, measure="seat_win_share", unit="%", effect=value, low=found.low, high=found.high, error=error,
        baseline_error=0.7 * error, level_error=0.7 * error, networks=0, apart=0.0, n=2_000, decks=2_000, verdict=words,
    )  # fmt: skip
    names = ["base", *truths]
    shares = {"base": 30.0} | {name: float(sum(pairs[0])) for name, pairs in truths.items()}
    unfair = [
        Verdict("seats", 4, name, "watch", "unfair", "0", share, share - 1, share + 1, 2_000)
        for name, share in shares.items()
    ]
    verdicts = by_place(unfair)
    plan = SimpleNamespace(
        first_variant=SimpleNamespace(name="base"),
        experiment=SimpleNamespace(thresholds=Thresholds()),
        fair_share=fair_share,
    )
    return names, verdicts, judge_effects(table, verdicts, plan, 1, [seats.ROW])


def say(names, verdicts, effects):
    """Return the advice of a page and its trade-offs."""
    plan = SimpleNamespace(variants=names, tier=SimpleNamespace(name="styles"), fair_share=fair_share)
    alone = Speakers(["styles"], {"styles": 0}, ["styles"], frozenset())
    context = SimpleNamespace(plan=plan, first="base", speakers=alone)
    cells = {place: Said("styles", {"styles": each}) for place, each in verdicts.items()}
    said = [Said("styles", {"styles": effect}) for effect in effects]
    return advice(Assessment(context, {"seats": seats.ROW}, cells, said)), find_tradeoffs(effects)


FAIRER = [(30, -4), (25, 0), (25, 0), (20, 4)]
MIXED = [(30, -4), (25, 0), (25, 3), (20, 1)]
LESS_FAIR = [(30, 4), (25, 0), (25, 0), (20, -4)]


def test_a_variant_that_is_better_and_nowhere_worse_is_advised():
    """Both far seats come nearer to fair, and the others are shown to stay in place."""
    text, (found,) = say(*page(None, {"soft": FAIRER}, 0.2))
    assert found.is_better and not found.costs and not found.undecided
    assert text.startswith("take soft: wins of the first player with 4 players (30.0 → 26.0 %)")


def test_nothing_is_advised_where_another_seat_may_be_worse():
    """With the same effects and wider intervals the page lists the gain and the number of open figures."""
    text, (found,) = say(*page(None, {"soft": FAIRER}, 0.5))
    assert not found.is_better and found.undecided == 2
    assert text.startswith("soft is better in wins of the first player")
    assert text.endswith("2 of 4 figures need more games.")


def test_gains_and_costs_are_said_together():
    """One seat comes nearer to fair, another moves farther away."""
    text, (found,) = say(*page(None, {"soft": MIXED}, 0.1))
    assert [row.group for row in found.gains] == ["0", "3"] and [row.group for row in found.costs] == ["2"]
    assert "better in" in text and "worse in wins of the third player" in text
    assert not text.startswith(("take", "keep"))


def test_the_baseline_is_kept_where_every_variant_is_worse():
    """Both variants are worse; if one may be better, no advice is given."""
    text, _ = say(*page(None, {"hard": LESS_FAIR, "harder": LESS_FAIR}, 0.2))
    assert text.startswith("keep base: hard is worse in")
    text, _ = say(*page(None, {"hard": LESS_FAIR, "soft": MIXED}, 0.2))
    assert not text.startswith(("take", "keep"))


def test_of_several_that_are_better_none_is_advised():
    """The page has not tested which of them is best."""
    text, _ = say(*page(None, {"a": FAIRER, "b": FAIRER}, 0.2))
    assert text.startswith("a is better in") and "b is better in" in text


@pytest.mark.long
def test_advice_is_seldom_wrong():
    """If one seat becomes fairer and another 1.2 points less fair, at most 5 % of pages advise the variant."""
    rng = np.random.default_rng(31)
    costly = [(30, -6), (25, 1.2), (25, 1.2), (20, 3.6)]
    for error in (0.15, 0.3, 0.6):
        given = [say(*page(rng, {"soft": costly}, error))[0] for _ in range(200)]
        wrong = np.mean([text.startswith(("take", "keep")) for text in given])
        assert wrong < 0.05 + 2 * np.sqrt(0.05 * 0.95 / 200)
