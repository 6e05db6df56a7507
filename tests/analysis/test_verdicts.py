"""Words of the verdict grid, from intervals and thresholds only."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from support.statistics import moments

from balance.analysis.changes import better_by_words, direction, find_changes, judge_effects
from balance.analysis.question import interval_columns, scale
from balance.analysis.shares import FAVOURED, Own, judge_shares, share_limit
from balance.analysis.verdicts import (
    FEW_GAMES,
    MOST_BELOW,
    Verdict,
    by_place,
    fairness_verdicts,
    place,
    rate_verdicts,
    share_verdicts,
)
from balance.experiments.targets import Thresholds
from balance.report.rows import comebacks, seats, strategies, targets
from balance.stats.intervals import cluster_interval, fair_share, share_interval


def answer(wins, decks=4_000, by="seat"):
    """Return shares of one cell, one game per deal: `wins` in percent, by group."""
    rows = []
    for group, share in enumerate(wins):
        won = np.zeros(decks)
        won[: round(decks * share / 100)] = 1
        found = scale(share_interval(cluster_interval(moments(won, np.ones(decks)))), 100)
        rows.append({"players": len(wins), "variant": "base", by: group, **interval_columns(found)})
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [(49.5, 50.5, "in"), (51.2, 52, "over"), (47, 48.9, "under"), (50.5, 51.5, FEW_GAMES), (48, 52, FEW_GAMES)],
)
def test_an_interval_is_inside_beyond_or_includes_an_edge(low, high, word):
    """One rule gives the word of every row of the grid."""
    assert place(low, high, 49.0, 51.0) == word


@pytest.mark.parametrize(
    ("wins", "decks", "kind", "word"),
    [
        ([50.0, 50.0], 100_000, "good", "fair"),
        ([54.0, 46.0], 100_000, "good", "fair"),
        ([57.0, 43.0], 100_000, "watch", "unfair"),
        ([61.0, 39.0], 100_000, "bad", "unfair"),
        ([55.1, 44.9], 100_000, "open", "not enough games"),
        ([60.2, 39.8], 20_000, "watch", "unfair"),  # 10.2 off, but not shown to be more than 10
        ([58.0, 42.0], 200, "open", "not enough games"),
        ([50.0, 50.0], 4, "open", "too few deals"),
    ],
)
def test_seats_are_fair_or_unfair_or_undecided(wins, decks, kind, word):
    """A tenth of a fair share is the limit, an interval that includes it decides nothing; a problem is twice as far."""
    table = answer(wins, decks)
    shares = judge_shares(table, "seat", share_limit(Thresholds(), "seat", fair_share(table["players"].to_numpy())))
    (verdict,) = fairness_verdicts("seats", shares, "seat")
    assert (verdict.kind, verdict.word) == (kind, word)
    assert verdict.low <= verdict.value <= verdict.high
    assert verdict.value >= 50  # with two players the favoured seat
    if decks > 10_000:
        assert verdict.value == pytest.approx(max(wins), abs=0.05)


@pytest.mark.parametrize("by", ["seat", "faction"])
def test_the_margin_is_a_tenth_of_a_fair_share(by):
    """Seats and factions are fair from 45 to 55, 30 to 36.7 and 22.5 to 27.5 %; the experiment may set the margin."""
    fair = fair_share(np.array([2, 3, 4]))
    assert share_limit(Thresholds(), by, fair) == pytest.approx([5, 10 / 3, 2.5])
    assert share_limit(Thresholds(seat_margin=4), by, fair) == pytest.approx([2, 4 / 3, 1])


def test_a_wider_family_gives_fewer_verdicts():
    """Families share the error of the page, so a verdict shown alone may be undecided among many."""
    found = answer([51.9, 48.1], 20_000)
    assert set(judge_shares(found, "seat", 1.0)["verdict"]) != {"undecided"}
    assert set(judge_shares(found, "seat", 1.0, 1_000)["verdict"]) == {"undecided"}


@pytest.mark.parametrize(
    ("wins", "kind", "word"),
    [([25] * 4, "good", "none off"), ([34, 22, 22, 22], "watch", "1 off"), ([34, 16, 25, 25], "bad", "2 off")],
)
def test_strategies_off_are_counted(wins, kind, word):
    """A strategy is off below 3/4 or above 5/4 of a fair share."""
    shares = judge_shares(answer(wins, 40_000, "strategy"), "strategy", 25 / 4)
    (verdict,) = share_verdicts("strategies", shares, "strategy", strategies.ROW.judge)
    assert (verdict.kind, verdict.word) == (kind, word)


@pytest.mark.long
def test_fair_seats_are_seldom_called_otherwise():
    """Four seats exactly 1 point off, where any verdict is wrong: at most 5 % of cells have one."""
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(600):
        rows = []
        for group, share in enumerate((0.26, 0.24, 0.26, 0.24)):
            found = share_interval(cluster_interval(moments(rng.binomial(1, share, 8_000) * 1.0, np.ones(8_000))))
            rows.append({"players": 4, "variant": "base", "seat": group, **interval_columns(scale(found, 100))})
        shares = judge_shares(pd.DataFrame(rows), "seat", 1.0)
        wrong += not set(shares["verdict"]) <= {"undecided"}
    assert wrong / 600 < 0.05 + 2 * np.sqrt(0.05 * 0.95 / 600)


def seats_of(variants, shares, decks):
    """Return the answer about the seats of variants if each wins exactly its share of as many games as deals."""
    rows = []
    for variant in variants:
        for seat, (players, share) in enumerate(shares):
            spread = np.sqrt(share * (1 - share))
            ends = {"value": share, "low": np.nan, "high": np.nan, "n": decks, "clusters": decks}
            row = {"players": players, "variant": variant, "seat": seat, **ends, "error": spread / np.sqrt(decks)}
            rows.append(row)
    table = pd.DataFrame(rows)
    return table.assign(value=100 * table["value"], error=100 * table["error"], networks=0, apart=0.0)


@pytest.mark.slow
def test_the_primary_question_has_an_error_of_its_own():
    """Seats exactly at the margin, where any verdict is wrong: 5 % of pages err in the first variant.

    The other variants share 5 % with 38 families, and need twice the games.
    """
    rng, pages, families = np.random.default_rng(50), 2_000, 39
    edge = [(players, share) for players in (2, 3, 4) for share in [1.1 / players, 0.9 / players]]
    truth = seats_of(["base", "dear", "cheap"], edge, 4_000)
    limit = truth["players"].map({2: 5.0, 3: 10 / 3, 4: 2.5})
    own, others = 0, 0
    for _ in range(pages):
        page = truth.assign(value=rng.normal(truth["value"], truth["error"]))
        shown = ~judge_shares(page, "seat", limit, families, Own("base", 1))["verdict"].isin(["undecided"])
        own += shown[page["variant"] == "base"].any()
        others += shown[page["variant"] != "base"].any()
    assert 0.03 < own / pages < 0.05 + 3 * np.sqrt(0.05 * 0.95 / pages)
    assert others / pages < 0.05 / families + 3 * np.sqrt(0.05 / families / pages)
    near = seats_of(["base", "dear", "cheap"], [(3, 0.35)] * 9, 3_000)
    more = judge_shares(near, "seat", 10 / 3, families, Own("base", 1)).groupby("variant")["more_games"].first()
    assert 2.0 < (3_000 + more["dear"]) / (3_000 + more["base"]) < 2.3


def rates(rng, truths, decks=4_000):
    """Return how often each of some supplies runs out in one cell, one game per deal."""
    rows = []
    for name, truth in truths.items():
        ran_out = rng.binomial(1, truth, decks) * 1.0
        found = scale(share_interval(cluster_interval(moments(ran_out, np.ones(decks)))), 100)
        rows.append({"players": 4, "variant": "base", "supply": name, **interval_columns(found)})
    return pd.DataFrame(rows)


def judge_rates(table, band=(0.0, 5.0)):
    """Return the verdict of the cell."""
    (verdict,) = rate_verdicts("box", table, "supply", band, 1, ("lasts", "runs out"))
    return verdict


@pytest.mark.parametrize(
    ("truths", "kind", "word", "name", "off"),
    [
        ({"ducats": 0.0, "provisions": 0.3}, "bad", "runs out", "provisions", 6.0),
        ({"ducats": 0.01, "provisions": 0.02}, "good", "lasts", "provisions", 0.0),
        ({"ducats": 0.0, "provisions": 0.05}, "open", "not enough games", "provisions", 0.0),
    ],
)
def test_what_should_be_rare_is_judged(truths, kind, word, name, off):
    """The rate furthest from its band is named, with its size in multiples of the limit."""
    verdict = judge_rates(rates(np.random.default_rng(4), truths))
    assert (verdict.kind, verdict.word, verdict.name) == (kind, word, name)
    assert verdict.off == pytest.approx(off, rel=0.1)
    assert verdict.low <= verdict.value <= verdict.high


def test_what_should_be_frequent_is_judged():
    """An option that no seat uses is as far off as the scale goes."""
    verdict = judge_rates(rates(np.random.default_rng(5), {"build": 0.9, "siege": 0.0}), (5.0, 100.0))
    assert (verdict.word, verdict.name, verdict.off) == ("runs out", "siege", MOST_BELOW)


def test_rates_at_their_limit_are_seldom_judged():
    """Two rates exactly at the limit, where any verdict is wrong: at most 5 % of cells have one."""
    rng = np.random.default_rng(6)
    shown = [judge_rates(rates(rng, {"a": 0.05, "b": 0.05}, 2_000)).is_shown for _ in range(200)]
    assert np.mean(shown) < 0.05 + 2 * np.sqrt(0.05 * 0.95 / 200)


def test_a_seat_that_is_off_is_found():
    """A seat five points off is found on 4,000 deals."""
    assert judge_shares(answer([55, 45]), "seat", 1.0)["verdict"][0] == FAVOURED


def test_targets_are_counted():
    """One missed target is a warning, more are a problem, undecided ones are open; all seats must pass."""
    rows = [
        (2, "a", "pass"), (2, "a", "pass"), (2, "b", "pass"), (3, "a", "fail"), (3, "b", "pass"),
        (4, "a", "fail"), (4, "b", "fail"), (5, "a", "pass"), (5, "a", "undecided"), (5, "b", "pass"),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["players", "target", "verdict"]).assign(variant="base", n=10)
    assert [(each.kind, each.word, each.name) for each in targets.ROW.count(table)] == [
        ("good", "2 of 2", ""), ("watch", "1 of 2", "a"), ("bad", "0 of 2", "a; b"), ("open", "1 of 2", ""),
    ]  # fmt: skip


def effects(*rows, players=4):
    """Return effects: measure, group, baseline, effect, half width, verdict."""
    found = [
        {"players": players, "variant": "new", "measure": m, "group": g, "unit": "%", "baseline": b, "effect": e,
         "low": e - h, "high": e + h, "verdict": v, "n": 5_000, "decks": 5_000, "error": h / 1.96,
         "baseline_error": h / 2.8, "level_error": h / 2.8, "networks": 0, "apart": 0.0}
        for m, g, b, e, h, v in rows
    ]  # fmt: skip
    return pd.DataFrame(found)


def plan_with(thresholds):
    """Return a plan of base, as far as verdicts ask it."""
    experiment = SimpleNamespace(thresholds=thresholds)
    base = SimpleNamespace(name="base")
    return SimpleNamespace(first_variant=base, experiment=experiment, fair_share=fair_share)


def judged(table, verdicts=()):
    """Return the judged effects on a page of one family."""
    plan = plan_with(Thresholds())
    rows = [each.ROW for each in (seats, strategies, comebacks)]
    return judge_effects(table, by_place(verdicts), plan, 1, rows)


def verdict(word, kind="bad", variant="new"):
    return Verdict("seats", 4, variant, kind, word, "0", 31.4, 30.0, 33.0, 1_000)


FAIR = Verdict("seats", 4, "base", "good", "fair", "0", 22.2, 21.0, 23.0, 1_000)


def test_changes_are_sure_and_large_and_no_tautologies():
    """9.2 points for a seat is a change; unshown, too small or unjudged measures are not."""
    table = effects(
        ("seat_win_share", "0", 22.2, 9.2, 0.5, "higher"),
        ("seat_win_share", "1", 25.0, 0.6, 0.2, "higher"),
        ("seat_win_share", "2", 25.0, 4.0, 5.0, "undecided"),
        ("strategy_win_share", "x", 25.0, 2.0, 0.5, "higher"),
        ("comeback", "", 50.0, -6.0, 0.5, "lower"),
        ("plunder", "", 10.0, 40.0, 0.5, "higher"),
    )
    found = find_changes(judged(table, [FAIR, verdict("fair")]))
    assert [(each.measure, each.group, each.better) for each in found] == [
        ("seat_win_share", "0", -1), ("comeback", "", 0),  # nothing says where comebacks were and are
    ]  # fmt: skip
    assert [each.size for each in found] == pytest.approx([9.2, 2.0], rel=0.01)
    assert [each.level for each in found] == pytest.approx([31.4, 44.0], rel=0.01)
    for each in found:
        assert each.low < each.effect - 0.5 and each.high > each.effect + 0.5  # widened


@pytest.mark.parametrize(("word", "kept"), [("unfair", 1), ("not enough games", 0), ("fair", 0)])
def test_a_small_sure_change_counts_if_it_turns_a_word_that_is_shown(word, kept):
    """Not enough games show no word."""
    small = effects(("seat_win_share", "0", 22.2, 0.8, 0.1, "higher"))
    assert len(find_changes(judged(small, [FAIR, verdict(word)]))) == kept


def test_a_cell_is_worse_by_its_verdict_or_its_changes():
    """Good to bad is worse; between two bad cells the changes decide, unless they contradict each other."""
    bad, own = verdict("unfair", variant="base"), verdict("unfair")
    for better, shown in (([1], 1), ([1, -1], 0), ([0, -1], -1), ([0], 0)):
        changes = [SimpleNamespace(better=each) for each in better]
        assert direction(FAIR, own, changes) == -1
        assert direction(bad, own, changes) == shown


@pytest.mark.parametrize(
    ("before", "after", "effect", "better"),
    [
        ("runaway", "open", 5, 1), ("open", "late", 5, -1), ("open", "open", 5, 0), ("runaway", "runaway", 5, 1),
        ("late", "late", 5, -1), ("late", "late", -5, 1), ("late", "runaway", -9, 0),
        ("not enough games", "open", 5, 0),
        ("long", "long", -9, 1), ("short", "short", -9, -1), ("fits", "not enough games", 9, 0),
        ("unfair", "unfair", 9, 0),
    ],
)  # fmt: skip
def test_only_shown_verdicts_say_better_or_worse(before, after, effect, better):
    """Without enough games nothing is shown; outside a band a shown step towards it is better."""
    kinds = {"open": "good", "fits": "good", "not enough games": "open"}
    pair = (verdict(word, kinds.get(word, "watch")) for word in (before, after))
    assert better_by_words(*pair, effect) == better


@pytest.mark.parametrize(
    ("players", "low", "high", "word"),
    [
        (2, 26.0, 30.0, "open"), (2, 20.0, 24.0, "runaway"), (2, 42.0, 46.0, "late"), (4, 61.0, 62.6, "late"),
        (4, 56.0, 59.0, "open"), (4, 26.0, 30.0, "runaway"), (4, 58.0, 62.0, "not enough games"),
    ],
)  # fmt: skip
def test_comebacks_are_judged_against_chance(players, low, high, word):
    """The band is half to four fifths of the chance value: 50 % with two players, 75 % with four."""
    assert comebacks.ROW.judge(plan_with(Thresholds()), players, low, high).word == word


def planted_effect(rng, base, variant, decks=3_000, players=4):
    """Return the effect of a rule on one seat, paired by deal, from its true shares in percent."""
    b, v = (rng.normal(share, 40, decks) for share in (base, variant))
    arms = [cluster_interval(moments(each, np.ones(decks))) for each in (v - b, b, v)]
    paired, first, second = arms
    row = {
        "players": players, "variant": "new", "measure": "seat_win_share", "group": "0", "unit": "%",
        "baseline": first.value, "effect": paired.value, "low": paired.low, "high": paired.high, "n": decks,
        "decks": decks, "error": paired.error, "baseline_error": first.error, "level_error": second.error,
        "networks": 0, "apart": 0.0,
        "verdict": "higher" if paired.value > 0 else "lower",
    }  # fmt: skip
    return pd.DataFrame([row if abs(paired.value) > 2 * paired.error else {**row, "verdict": "undecided"}])


def test_as_far_on_the_other_side_is_neither_better_nor_worse():
    """From 30 to 20 % around a fair 25, a tie, at most 5 % of cells are called; nearer and farther ones are found."""
    rng = np.random.default_rng(21)

    def called(base, variant, tries):
        pairs = (planted_effect(rng, base, variant) for _ in range(tries))
        return np.array([judged(pair)[0].nearer for pair in pairs])

    assert np.mean(called(30, 20, 120) != 0) < 0.05 + 2 * np.sqrt(0.05 * 0.95 / 120)
    assert np.mean(called(35, 22, 20) == 1) > 0.9
    assert np.mean(called(26, 34, 20) == -1) > 0.9


def test_the_sizes_of_selected_effects_are_right_on_average():
    """The sizes by which a page of few games ranks effects are right on average; as measured they are too large."""
    rng = np.random.default_rng(22)
    shrunk, raw, true = 0.0, 0.0, 0.0
    for _ in range(60):
        truths = np.append(rng.laplace(0, 3, 11), 0)
        page = pd.concat([planted_effect(rng, 27, 27 + truth, 1_200) for truth in truths], ignore_index=True).assign(
            group=[str(number) for number in range(len(truths))]
        )
        for change in find_changes(judged(page)):
            sign, truth = np.sign(change.shrunk), truths[int(change.group)]
            shrunk, true = shrunk + sign * change.shrunk, true + sign * truth
            raw += sign * change.effect
    assert raw / true > 1.08
    assert shrunk / true == pytest.approx(1, abs=0.06)
