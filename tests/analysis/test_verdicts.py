"""Words of the verdict grid: from intervals set against thresholds, and from nothing else."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.statistics import moments

from balance.analysis.changes import direction, find_changes
from balance.analysis.shares import FAVOURED, judge_shares
from balance.analysis.sums import interval_columns, scale
from balance.analysis.tiers import turned
from balance.analysis.verdicts import CLOSE, UNSURE, place, seat_cells, strategy_cells, target_cells
from balance.plan.thresholds import Thresholds
from balance.stats.intervals import cluster_interval, share_interval


def answer(wins, decks=4_000, by="seat"):
    """Shares of one cell, a game a deck: `wins` in percent, by group."""
    rows = []
    for group, share in enumerate(wins):
        won = np.zeros(decks)
        won[: round(decks * share / 100)] = 1
        found = scale(share_interval(cluster_interval(moments(won, np.ones(decks)))), 100)
        rows.append({"players": len(wins), "variant": "base", by: group, **interval_columns(found)})
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (49.5, 50.5, "in"),
        (51.2, 52.0, "over"),
        (47.0, 48.9, "under"),
        (50.5, 51.5, CLOSE),
        (48.0, 52.0, UNSURE),
    ],
)
def test_an_interval_is_inside_beyond_close_or_too_wide(low, high, word):
    """One rule for every row of the grid."""
    assert place(low, high, 49.0, 51.0, 2.0) == word


@pytest.mark.parametrize(
    ("wins", "decks", "kind", "word"),
    [
        ([50.0, 50.0], 100_000, "good", "fair"),
        ([52.0, 48.0], 100_000, "watch", "tilted"),
        ([54.0, 46.0], 100_000, "bad", "unfair"),
        ([51.02, 48.98], 100_000, "watch", "close"),
        ([53.1, 46.9], 20_000, "watch", "tilted"),  # 3.1 off, but not shown to be more than 3
        ([54.0, 46.0], 200, "open", "unsure"),
        ([50.0, 50.0], 4, "open", "too few decks"),
    ],
)
def test_seats_are_fair_close_tilted_or_unfair(wins, decks, kind, word):
    """+1.02 whose interval reaches under 1 is close; unfair is shown to be more than 3 off."""
    shares = judge_shares(answer(wins, decks), "seat", 1.0)
    (cell,) = seat_cells(shares, Thresholds()).itertuples()
    assert (cell.kind, cell.word) == (kind, word)
    assert (
        cell.value == pytest.approx(max(wins)) and cell.low <= cell.value <= cell.high
    )  # with two players the favoured seat


def test_a_wider_family_gives_fewer_verdicts():
    """Families share the error of the page: what is shown alone may be close among many."""
    found = answer([51.9, 48.1], 20_000)
    assert set(judge_shares(found, "seat", 1.0)["verdict"]) != {"undecided"}
    assert set(judge_shares(found, "seat", 1.0, 1_000)["verdict"]) == {"undecided"}


@pytest.mark.parametrize(
    ("wins", "kind", "word"),
    [
        ([25, 25, 25, 25], "good", "alive"),
        ([34, 22, 22, 22], "watch", "1 off"),
        ([34, 16, 25, 25], "bad", "2 off"),
    ],
)
def test_strategies_off_are_counted(wins, kind, word):
    """Under 3/4 or over 5/4 of a fair share."""
    shares = judge_shares(answer(wins, 40_000, "strategy"), "strategy", 25 / 4)
    (cell,) = strategy_cells(shares).itertuples()
    assert (cell.kind, cell.word) == (kind, word)


@pytest.mark.slow
def test_fair_seats_are_seldom_called_otherwise():
    """Four seats that are exactly 1 point off, the edge: any verdict is wrong, and 5 % of cells at most have one."""
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(600):
        rows = []
        for group, share in enumerate((0.26, 0.24, 0.26, 0.24)):
            found = share_interval(
                cluster_interval(moments(rng.binomial(1, share, 8_000) * 1.0, np.ones(8_000)))
            )
            rows.append(
                {"players": 4, "variant": "base", "seat": group, **interval_columns(scale(found, 100))}
            )
        shares = judge_shares(pd.DataFrame(rows), "seat", 1.0)
        wrong += not set(shares["verdict"]) <= {"undecided"}
    assert wrong / 600 < 0.05 + 2 * np.sqrt(0.05 * 0.95 / 600)


def test_a_seat_that_is_off_is_found():
    """Five points on 4,000 decks."""
    assert judge_shares(answer([55, 45]), "seat", 1.0)["verdict"][0] == FAVOURED


def test_targets_are_counted():
    """One missed is watched, more are a problem, what can't be told is open; all seats must pass."""
    rows = [
        (2, "a", "pass"), (2, "a", "pass"), (2, "b", "pass"), (3, "a", "fail"), (3, "b", "pass"),
        (4, "a", "fail"), (4, "b", "fail"), (5, "a", "pass"), (5, "a", "undecided"), (5, "b", "pass"),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["players", "target", "verdict"]).assign(variant="base", n=10)
    cells = target_cells(table)
    assert list(zip(cells["kind"], cells["word"], cells["name"], strict=True)) == [
        ("good", "2 of 2", ""), ("watch", "1 of 2", "a"), ("bad", "0 of 2", "a; b"), ("open", "1 of 2", ""),
    ]  # fmt: skip


def effects(*rows):
    """Effects: measure, group, baseline, effect, half width, verdict."""
    found = [
        {"players": 4, "variant": "new", "measure": m, "group": g, "unit": "%", "baseline": b, "effect": e,
         "low": e - h, "high": e + h, "verdict": v, "n": 5_000, "decks": 5_000}
        for m, g, b, e, h, v in rows
    ]  # fmt: skip
    return pd.DataFrame(found)


def cells(word, row="seats"):
    """The baseline's cell and the variant's, whose word is given."""
    base = {"row": row, "players": 4, "kind": "good", "word": "fair", "name": "0", "value": 22.2}
    own = {**base, "variant": "new", "word": word, "value": 31.4, "kind": "bad"}
    return pd.DataFrame([{**base, "variant": "base"}, own])


def test_changes_are_sure_and_large_and_no_tautologies():
    """A seat by 9.2 points is one; what is unsure, too small, or of no judged measure is none."""
    table = effects(
        ("seat_win_share", "0", 22.2, 9.2, 0.5, "higher"),
        ("seat_win_share", "1", 25.0, 0.6, 0.2, "higher"),
        ("seat_win_share", "2", 25.0, 4.0, 5.0, "undecided"),
        ("strategy_win_share", "x", 25.0, 2.0, 0.5, "higher"),
        ("comeback", "", 50.0, -6.0, 0.5, "lower"),
        ("plunder", "", 10.0, 40.0, 0.5, "higher"),
    )
    found = find_changes(table, cells("fair"), "base", Thresholds(), 1)
    assert list(zip(found["measure"], found["group"], found["better"], strict=True)) == [
        ("seat_win_share", "0", -1), ("comeback", "", -1),
    ]  # fmt: skip
    assert found["size"].tolist() == pytest.approx([9.2, 2.0])
    assert found["level"].tolist() == pytest.approx([31.4, 44.0])
    assert (
        (found["low"] < found["effect"] - 0.5) & (found["high"] > found["effect"] + 0.5)
    ).all()  # widened


@pytest.mark.parametrize(("word", "kept"), [("unfair", 1), ("close", 0), ("fair", 0)])
def test_a_small_sure_change_counts_if_it_turns_a_word_that_is_shown(word, kept):
    """Close is no word that is shown."""
    small = effects(("seat_win_share", "0", 22.2, 0.8, 0.1, "higher"))
    assert len(find_changes(small, cells(word), "base", Thresholds(), 1)) == kept


def test_a_cell_is_worse_by_its_word_or_by_how_far_it_is_off():
    """Good to bad; of the same word by the distance from fair."""
    changes = pd.DataFrame({"better": [1]})
    base, own = cells("unfair").itertuples()
    assert direction(base, own, changes) == -1
    assert direction(base, own._replace(kind="good", value=24.9), changes) == 1


def test_what_turns_round_shows_otherwise_and_not_only_more():
    """Favoured against balanced or disfavoured; not favoured against favoured by more."""
    words = [
        ("favoured", "disfavoured"),
        ("favoured", "favoured"),
        ("undecided", "favoured"),
        ("pass", "fail"),
    ]
    table = pd.DataFrame(words, columns=["verdict", "verdict_other"]).assign(relation="differs")
    assert turned(table).index.tolist() == [0, 2, 3]
