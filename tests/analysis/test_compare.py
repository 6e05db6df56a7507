"""Comparison of variants: paired effects against planted truths, corrections and verdicts."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.runs import old_profile, play, read_rows
from support.statistics import moments, stratified

from balance.analysis.compare import compare_variants
from balance.experiments.measures import choose_measures
from balance.runs.folder import RunFolder
from balance.stats.comparisons import adjust, judge, p_value, p_within
from balance.stats.intervals import Interval, cluster_interval


def holm(p: np.ndarray) -> np.ndarray:
    """Return adjusted p-values of rows without a threshold."""
    return adjust(np.asarray(p), np.full(len(p), np.nan))[0]


def test_holm_on_a_worked_example():
    """Without thresholds the smallest p is multiplied by 4, the next by 3, ...; no p decreases or exceeds 1."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == pytest.approx([1.0, 1.0])
    assert holm([0.04]) == pytest.approx([0.04])


def test_a_row_is_counted_until_both_its_questions_are_answered():
    """Three rows, one without a threshold, are multiplied by 3, 3, 2 (the first row is done) and 2 (the third is)."""
    different, within = adjust(np.array([0.001, 0.3, 0.04]), np.array([0.002, 0.03, np.nan]))
    assert different == pytest.approx([0.003, 0.3, 0.08])
    assert within[:2] == pytest.approx([0.006, 0.06])
    assert math.isnan(within[2])


def test_holm_keeps_the_family_error():
    """With 20 true nulls at most 5 % of families have a false rejection; uncorrected, most have one."""
    rng = np.random.default_rng(2)
    families = rng.random((2000, 20))
    corrected = np.mean([(holm(family) < 0.05).any() for family in families])
    assert corrected < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 2000)
    assert np.mean((families < 0.05).any(axis=1)) > 0.5


def judged(truth: np.ndarray, threshold: float, rng: np.random.Generator, families: int = 1) -> np.ndarray:
    """Return verdicts on rows with these true differences, each measured with an error of 1 on 500 deals."""
    value = truth + rng.normal(0, 1, len(truth))
    ones = np.ones(len(truth))
    found = Interval(value, value - 1.96, value + 1.96, 500 * ones, 500 * ones, ones)
    return np.array(judge(found, p_value(found), p_within(found, threshold * ones), families).words)


@pytest.mark.parametrize("families", [1, pytest.param(5, marks=pytest.mark.long)])
@pytest.mark.parametrize(("fair", "beyond"), [(0, 36), (36, 0), (18, 18)])
def test_a_table_with_any_false_verdict_is_rare(fair, beyond, families):
    """With 36 rows, fair or on the threshold, at most 5 % of tables or pages have a false verdict of either kind."""
    rng = np.random.default_rng(21)
    truth = np.repeat([0.0, 6.0], [fair, beyond])
    false = 0
    for _ in range(1_000):
        words = judged(truth, 6.0, rng, families)
        false += bool(np.isin(words[:fair], ["higher", "lower", "slightly higher", "slightly lower"]).any())
        false += bool(np.isin(words[fair:], ["same", "slightly higher", "slightly lower"]).any())
    limit = 0.05 / families
    assert false / 1_000 < limit + 3 * math.sqrt(limit * (1 - limit) / 1_000)


def test_both_kinds_of_verdict_are_reached():
    """Far, near, and near but different rows get their verdicts; uncorrected, most tables would be wrong."""
    rng = np.random.default_rng(22)
    words = judged(np.repeat([0.0, 6.0, 20.0], 12), 12.0, rng)
    assert np.mean(words[:12] == "same") > 0.9
    assert set(words[12:24]) == {"slightly higher"}
    assert set(words[24:]) == {"higher"}
    alone = [judged(np.array([6.0]), 6.0, rng)[0] in ("same", "slightly higher") for _ in range(4_000)]
    assert 1 - (1 - np.mean(alone)) ** 36 > 0.5


def difference(effect: float, decks: int, rng: np.random.Generator) -> Interval:
    """Return a paired difference over simulated deals of four games each."""
    per_deck = rng.normal(effect, 1.0, decks) * 4
    return cluster_interval(moments(per_deck, np.full(decks, 4.0)))


def test_aa_repetitions_call_a_difference_at_the_nominal_rate():
    """Without an effect p < 0.05 in 5 % of repetitions, within the binomial error."""
    rng = np.random.default_rng(11)
    called = np.mean([p_value(difference(0.0, 60, rng)) < 0.05 for _ in range(2000)])
    assert abs(called - 0.05) < 3 * math.sqrt(0.05 * 0.95 / 2000)


def test_a_planted_effect_is_found_and_covered():
    """An effect of 0.5 standard deviations with 60 deals has power above 90 % and coverage of 95 %."""
    rng = np.random.default_rng(12)
    found = [difference(0.5, 60, rng) for _ in range(1000)]
    assert np.mean([p_value(each) < 0.05 for each in found]) > 0.9
    covered = np.mean([each.low <= 0.5 <= each.high for each in found])
    assert 0.935 <= covered <= 0.965


def rows(low: float, high: float) -> Interval:
    """Return one row as arrays."""
    ends = np.array([low]), np.array([high])
    return Interval((ends[0] + ends[1]) / 2, *ends, np.array([100]), np.array([100]), (ends[1] - ends[0]) / 4)


@pytest.mark.parametrize(
    ("low", "high", "threshold", "verdict"),
    [
        (-0.4, 0.6, 1.0, "same"),
        (0.2, 0.9, 1.0, "slightly higher"),  # certain, and too small to matter
        (-0.9, -0.2, 1.0, "slightly lower"),
        (0.2, 1.4, 1.0, "higher"),
        (-2.0, -1.1, 1.0, "lower"),
        (-0.4, 1.6, 1.0, "undecided"),
        (-0.1, 0.2, math.nan, "undecided"),
        (0.1, 0.2, math.nan, "higher"),
    ],
)
def test_verdicts(low, high, threshold, verdict):
    """`same` must be shown, not merely not refuted; the p belongs to the verdict."""
    found = rows(low, high)
    result = judge(found, p_value(found), p_within(found, np.array([threshold])))
    assert result.words == [verdict]
    assert (result.p[0] < 0.05) == (verdict != "undecided")


def test_one_interval_one_p_within():
    """A row is within a threshold at 5 % exactly if its 95 % interval lies inside."""
    rng = np.random.default_rng(23)
    value, error, decks = rng.normal(0, 1, 500), rng.uniform(0.1, 1, 500), rng.integers(5, 60, 500)
    reach = stats.t.ppf(0.975, decks - 1) * error
    found = Interval(value, value - reach, value + reach, decks, decks, error)
    inside = np.maximum(np.abs(found.low), np.abs(found.high)) <= 1
    assert ((p_within(found, 1.0) < 0.05) == inside).all()


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """Return a run of base, the same rules under another name, and hard Krzyżacy."""
    folder = tmp_path_factory.mktemp("compared")
    (folder / "twin.toml").write_text('extends = "base"\ntitle = "Twin"\n')
    names = ("balanced", "treasurer", "quartermaster", "krzyzacy-hunter")
    variants = ["base", str(folder / "twin.toml"), "krzyzacy-hard"]
    keys = {"players": [2, 4], "variants": variants, "games": 600, "log": "rounds"}
    run = play(folder / "run", workers=2, strategies=[old_profile(name) for name in names], **keys)
    return run, compare_variants(RunFolder.open(run), "base")


def effects_of(table: pd.DataFrame, variant: str) -> pd.DataFrame:
    """Return the effects of a variant by player count, measure and group."""
    own = table[table["variant"] == variant]
    return own.set_index(["players", "measure", "group"]).sort_index()


def test_the_same_rules_make_no_difference(compared):
    """Paired games of identical rules are identical: every effect of every measure is exactly 0."""
    run, table = compared
    twin = table[table["variant"] == "twin"]
    names = {measure.name for measure in choose_measures(RunFolder.open(run).plan, None)}
    assert set(twin["measure"]) == names
    assert (twin["effect"] == 0).all()
    assert (twin[~twin["measure"].str.endswith("win_share")]["p"] == 1).all()
    assert set(twin["verdict"]) == {"equal"} and not twin["more_games"].any()


def test_a_real_change_is_seen(compared):
    """A higher bonus loses skirmishes and costs points at both player counts."""
    _, table = compared
    hard = effects_of(table, "krzyzacy-hard")
    for players in (2, 4):
        assert hard.loc[(players, "skirmishes_lost", ""), "verdict"] == "higher"
        assert hard.loc[(players, "score", ""), "verdict"] == "lower"
        assert hard.loc[(players, "score", ""), "gain"] > 1
        assert hard.loc[(players, "seat_win_share")]["effect"].sum() == pytest.approx(0, abs=1e-9)


def test_effects_are_those_of_the_tables(compared):
    """The effects from SQL equal those from pandas, game by game."""
    run, table = compared
    games = read_rows(run, "games")
    games["line"] = [",".join(sorted(lineup.split(","))) for lineup in games["lineup"]]
    seats = read_rows(run, "seats")
    columns = ["game_id", "seed", "deal_seed", "line", "margin", "comeback"]
    merged = seats.merge(games[columns], on="game_id")
    base, hard = (merged[merged["variant"] == name] for name in ("base", "krzyzacy-hard"))
    pairs = base.merge(hard, on=["players", "seed", "seat"], suffixes=("_0", "_1"))
    assert (pairs["strategy_0"] == pairs["strategy_1"]).all()
    assert (pairs["deal_seed_0"] == pairs["deal_seed_1"]).all()
    found = effects_of(table, "krzyzacy-hard")
    for players in (2, 4):
        part = pairs[pairs["players"] == players]
        score = found.loc[(players, "score", "")]
        change = part["score_1"] - part["score_0"]
        assert score["effect"] == pytest.approx(change.mean())
        assert score["baseline"] == pytest.approx(part["score_0"].mean())
        deals = [part["line_0"], part["deal_seed_0"]]
        sums = change.groupby(deals).agg(["sum", "count"]).astype(float)
        expected = cluster_interval(stratified(sums))
        assert (score["low"], score["high"]) == pytest.approx((expected.low, expected.high))
        one = part[part["strategy_0"] == "treasurer"]
        share = found.loc[(players, "strategy_win_share", "treasurer")]
        assert share["effect"] == pytest.approx(100 * (one["win_share_1"] - one["win_share_0"]).mean())
        first = part[part["seat"] == 0]
        for name, scale in (("margin", 1), ("comeback", 100)):
            effect = found.loc[(players, name, "")]["effect"]
            assert effect == pytest.approx(scale * (first[f"{name}_1"] - first[f"{name}_0"]).mean(), rel=1e-5)


@pytest.mark.slow
def test_the_command_prints_and_writes(compared, cli, tmp_path):
    """It prints a table for each player count and the number of comparisons, and writes page, plots and CSV."""
    run, table = compared
    result = cli("compare", run, "--baseline", "base", "--out", tmp_path / "out", status=0)
    assert f"{len(table)} comparisons" in result.output
    headings = re.findall(r"^(\d) players, against base ", result.output, re.M)
    assert headings == ["2", "4"]
    assert len(pd.read_csv(tmp_path / "out" / "tables" / "effects.csv")) == len(table)
    assert (tmp_path / "out" / "figures" / "forest-krzyzacy-hard.png").stat().st_size > 20_000
    assert "<img" in (tmp_path / "out" / "index.html").read_text()


def test_some_measures_alone(compared, cli):
    run, _ = compared
    result = cli("compare", run, "--baseline", "base", "--measure", "score,margin", status=0)
    assert "8 comparisons" in result.output


@pytest.mark.slow
def test_what_cannot_be_compared(compared, cli, tmp_path):
    """A wrong baseline or measure, a read-only folder and measures of unlogged rounds are refused."""
    run, _ = compared
    (tmp_path / "file").write_text("")
    short = play(tmp_path / "short", variants=["base", "krzyzacy-hard"])
    needs_rounds = 'measure \'comeback\' needs log = "rounds" or "trace" (--log rounds)'
    for path, baseline, option, value, words in (
        (run, "bass", "--measure", "score", "unknown baseline 'bass'; did you mean 'base'?"),
        (run, "base", "--measure", "scores", "unknown measure 'scores'; did you mean 'score'?"),
        (run, "base", "--out", tmp_path / "file" / "x", "cannot write"),
        (short, "base", "--measure", "comeback", needs_rounds),
    ):
        result = cli("compare", path, "--baseline", baseline, option, value, status=1)
        assert words in result.output


@pytest.mark.long
def test_thresholds_are_settable(compared, cli, tmp_path):
    """Thresholds come from the command line or the experiment; one out of range gets a one-line error."""
    run, table = compared
    assert "undecided" in set(table[table["measure"] == "seat_win_share"]["verdict"])
    wide = ["--seat-threshold", "20", "--strategy-threshold", "30"]
    result = cli("compare", run, "--baseline", "base", "--measure", "seat_win_share", *wide)
    assert "within 20 points (seats) or 30 points (strategies)" in " ".join(result.output.split())
    assert "undecided" not in result.output
    wide += ["--seat-margin", "45"]
    result = cli("report", run, "--out", tmp_path / "out", *wide, status=0)
    assert set(pd.read_csv(tmp_path / "out" / "tables" / "seats.csv")["verdict"]) == {"balanced"}
    result = cli("compare", run, "--baseline", "base", "--seat-threshold", "0", status=1)
    assert "thresholds: seats: must be more than 0" in result.output
    inside = play(tmp_path / "run", variants=["base", "hire-dear"], thresholds={"seats": 40}, games=40)
    effects = compare_variants(RunFolder.open(inside), "base", ["seat_win_share"])
    assert set(effects["verdict"]) == {"same"}
