"""Line-ups as strata: differences between line-ups are not chance, since all have the same number of deals."""

import numpy as np
import pandas as pd
import pytest
from support.planted import answer
from support.runs import old_profile, play, read_rows
from support.statistics import moments

from balance.analysis.compare import Pairs, pair_questions
from balance.analysis.gather import gather
from balance.analysis.question import means
from balance.experiments.measures import STRATEGY_SHARE
from balance.runs.folder import RunFolder
from balance.stats.intervals import cluster_interval

QUESTION = means({"score": "score"}, ["variant"])
REPETITIONS = 400


def deals(rng: np.random.Generator, count: int, lineups: int, apart: float, passes: bool = True) -> pd.DataFrame:
    """Return rows of two games per deal with mean 0; line-ups differ by `apart`, come by pass or at random."""
    worth = apart * np.linspace(-1, 1, lineups) / np.linspace(-1, 1, lineups).std()
    if passes:
        whole = [rng.permutation(lineups) for _ in range(-(-count // lineups))]
        line = np.concatenate(whole)[:count]
    else:
        line = rng.integers(lineups, size=count)
    deal = np.arange(count).repeat(2)
    score = (worth[line] + rng.normal(0, 1, count)).repeat(2) + rng.normal(0, 1, 2 * count)
    return pd.DataFrame({"variant": "base", "stratum": line[deal], "deal_seed": deal, "score": score})


def found(rows: pd.DataFrame):
    """Return the single row of the answer."""
    (row,) = QUESTION.read(answer(QUESTION, seat_rows=rows)).itertuples()
    return row


def plain(rows: pd.DataFrame):
    """Return the interval that treats deals as drawn at random."""
    sums = rows.groupby("deal_seed")["score"].agg(["sum", "count"]).astype(float)
    return cluster_interval(moments(sums["sum"].to_numpy(), sums["count"].to_numpy()))


@pytest.mark.parametrize(
    ("count", "lineups", "apart", "passes", "kept"),
    [
        pytest.param(175, 35, 1.0, True, 1.0, marks=pytest.mark.long),  # five deals each
        pytest.param(60, 6, 2.0, True, 1.0, marks=pytest.mark.long),
        pytest.param(43, 6, 1.0, True, 1.0, marks=pytest.mark.long),  # the last pass is not whole
        pytest.param(40, 2, 0.0, True, 1.0, marks=pytest.mark.long),  # line-ups that are alike
        pytest.param(160, 10, 1.0, False, 1.0, marks=pytest.mark.long),  # drawn by lot
        pytest.param(240, 10, 1.0, True, 0.5, marks=pytest.mark.long),  # a half of the deals, by lot
        pytest.param(60, 35, 1.0, True, 1.0, marks=pytest.mark.long),  # too few deals for strata
    ],
)
def test_stated_and_true_variance(count, lineups, apart, passes, kept):
    """95 % of the intervals contain the truth, and the stated variance is the true one."""
    rng = np.random.default_rng(21)
    values, errors, covered = [], [], 0
    for _ in range(REPETITIONS):
        rows = deals(rng, count, lineups, apart, passes)
        row = found(rows[np.isin(rows["deal_seed"], np.flatnonzero(rng.random(count) < kept))])
        values.append(row.value)
        errors.append(row.error)
        covered += row.low <= 0 <= row.high
    stated = np.mean(np.square(errors)) / np.var(values)
    spare = 4 * np.sqrt(2 / REPETITIONS)
    if count < 5 * lineups:
        assert stated > 1 and covered / REPETITIONS > 0.92
    else:
        assert 1 - spare < stated < 1 + spare + 0.1
        assert covered / REPETITIONS == pytest.approx(0.95, abs=4 * np.sqrt(0.05 * 0.95 / REPETITIONS))


def test_deals_taken_for_drawn_by_lot_state_twice_the_variance():
    """The check above can fail: line-ups as far apart as deals are treated as chance."""
    rng = np.random.default_rng(22)
    rows = [deals(rng, 175, 35, np.sqrt(1.5)) for _ in range(60)]
    ratio = np.mean([plain(each).error ** 2 for each in rows]) / np.mean([found(each).error ** 2 for each in rows])
    assert ratio == pytest.approx(2, rel=0.1)


def test_by_hand_where_strata_are_even():
    """The mean is that of all rows; the variance is pooled within strata."""
    rows = deals(np.random.default_rng(23), 60, 6, 1.0)
    row = found(rows)
    deal = rows.groupby(["stratum", "deal_seed"])["score"].mean()
    within = deal.groupby("stratum").var(ddof=1).mean()
    assert row.value == pytest.approx(rows["score"].mean())
    # Quantiles of t with 54 and 59 degrees of freedom.
    assert row.error == pytest.approx(np.sqrt(within / 60) * 2.00488 / 2.00100, rel=1e-4)
    assert (row.n, row.clusters) == (120, 60)


def test_strata_that_say_nothing_change_nothing():
    """One stratum, fewer than five deals in each, and equal deals within line-ups change nothing."""
    rng = np.random.default_rng(24)
    rows = deals(rng, 60, 6, 1.0)
    alike = rows.assign(score=rows["stratum"].astype(float))
    for each in (rows.assign(stratum=0), deals(rng, 24, 6, 1.0), alike):
        expected = plain(each)
        row = found(each)
        assert (row.value, row.low, row.high) == pytest.approx((expected.value, expected.low, expected.high))


@pytest.mark.parametrize(
    ("keys", "lineups"),
    [
        ({"strategies": ["generalist", "treasurer", "random", "quartermaster"], "players": [3]}, 4),
        ({"strategies": ["generalist", "random"], "players": [4]}, 6),  # with repetition, up to rotation
        ({"strategies": ["generalist", "random"], "players": [3], "rotate": False}, 8),
        ({"strategies": [], "lineups": [["generalist", "random"], ["random"] * 2], "players": [2]}, 1),
    ],
)
def test_the_line_up_of_a_deal(tmp_path, keys, lineups):
    """Each drawn line-up is a stratum, the same for all games of a deal; named line-ups share each deal."""
    run = RunFolder.open(play(tmp_path / "run", games=48, **keys))
    question = means({"line": "stratum % 1000003"}, ["deal_seed", "lineup", "players", "variant"])
    keyed = gather(run, [question])[question].rename(columns={"value": "stratum"})
    assert keyed["stratum"].nunique() == lineups == run.plan.schedule(run.plan.cells[0]).pass_deals
    assert (keyed.groupby("deal_seed")["stratum"].nunique() == 1).all()
    by_strategies = keyed.assign(field=[tuple(sorted(x.split(","))) for x in keyed["lineup"]])
    if lineups == 4:
        assert (by_strategies.groupby("stratum")["field"].nunique() == 1).all()


def test_effects_have_the_strata_of_their_games(tmp_path):
    """Effects on a strategy's share are paired within line-ups, against pandas."""
    names = [old_profile(name) for name in ("balanced", "treasurer", "quartermaster")]
    variants = ["base", "krzyzacy-hard"]
    path = play(tmp_path / "run", players=[2], strategies=names, variants=variants, games=240)
    (question,) = pair_questions("base", [STRATEGY_SHARE])
    assert isinstance(question, Pairs)
    effects = gather(RunFolder.open(path), [question])[question]
    games = read_rows(path, "games")
    seats = read_rows(path, "seats").merge(games[["game_id", "deal_seed", "lineup"]])
    seats["line"] = [",".join(sorted(each.split(","))) for each in seats["lineup"]]
    keys = ["strategy", "line", "deal_seed"]
    wide = seats.pivot_table(index=keys, columns="variant", values="win_share", aggfunc="mean")
    change = 100 * (wide["krzyzacy-hard"] - wide["base"])
    for row in effects[effects["half"] == -1].itertuples():
        own = change[row.group]
        within = own.groupby("line").var(ddof=1)
        assert row.value == pytest.approx(own.mean())
        assert row.clusters == len(own) == 80
        assert row.error == pytest.approx(np.sqrt(within.mean() / 80), rel=2e-3)
