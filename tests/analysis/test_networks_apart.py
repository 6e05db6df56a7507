"""Several networks of a strategy: how far they differ is part of the intervals."""

import re

import numpy as np
import pandas as pd
import pytest
from support.networks import GAME, drawn_weights
from support.planted import answer
from support.runs import play, read_rows

from balance.analysis.ended import Played
from balance.analysis.gather import gather
from balance.analysis.question import Means, interval_columns, interval_of, interval_of_frame, means, scale
from balance.analysis.shares import BALANCED, UNDECIDED, judge_shares, judged_shares, share_question
from balance.analysis.verdicts import fairness_verdicts
from balance.experiments.measures import share_of
from balance.foundation.catalogues import using
from balance.report import write_report
from balance.runs.folder import RunFolder
from balance.stats.comparisons import PLAYERS_DIFFER, judge, p_value, p_within
from balance.stats.intervals import Interval, share_interval, share_p
from balance.training.network_files import write_network

QUESTION = means({"share": "share"}, ["players", "seat"])
BY_SEAT = Means((("won", ""),), ("players", "variant", "seat"), tops=(1.0,))
REPEATS = 600


def planted(
    rng: np.random.Generator, networks: int, players: int, chances: np.ndarray, deals: int, variant: str = ""
) -> pd.DataFrame:
    """Return the sums of repeats, each a ``variant``: games of one deal, one network each, with its own chances to win.

    `chances` has shape (repeats, networks, seats).
    """
    repeats, _, seats = chances.shape
    k = rng.multinomial(deals, np.full(networks, 1 / networks), repeats)
    s = rng.binomial(k[:, :, None], chances)
    repeat, network, seat = (axis.ravel() for axis in np.indices(s.shape))
    n = np.repeat(k.ravel(), seats).astype(float)
    columns = {"clusters": n, "n": n, "s": s.ravel(), "ss": s.ravel(), "sn": s.ravel(), "nn": n}
    keys = {"players": players, "variant": [f"{each:04}{variant}" for each in repeat], "seat": seat}
    sums = {f"won.{name}": np.asarray(values, float) for name, values in columns.items()}
    return pd.DataFrame({**keys, "stratum": -1 - network, **sums})


def of_networks(
    rng: np.random.Generator, networks: int, share: float, apart: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return chances of networks with log-odds around those of a share, and their true mean by seat.

    `apart` (seats,) are the standard deviations of the log-odds.
    """

    def draw(*shape: int) -> np.ndarray:
        odds = np.log(share / (1 - share)) + apart * rng.normal(size=(*shape, len(apart)))
        return 1 / (1 + np.exp(-odds))

    return draw(REPEATS, networks), draw(100_000).mean(0)


def coverage(table: pd.DataFrame, truth: np.ndarray) -> np.ndarray:
    """Return the share of intervals that contain the truth, by seat."""
    true = truth[table["seat"].to_numpy()]
    inside = (table["low"] <= true) & (true <= table["high"])
    return inside.groupby(table["seat"]).mean().to_numpy()


LEAST = 0.95 - 2.6 * np.sqrt(0.95 * 0.05 / REPEATS)


@pytest.mark.slow
@pytest.mark.parametrize("networks", [2, 3, 9])
@pytest.mark.parametrize(("share", "deals"), [(0.001, 50_000), (0.3, 4_000)])
def test_intervals_contain_what_other_networks_would_show(networks, share, deals):
    """95 % of the intervals contain the mean over all networks that might have been trained, or more where games count.

    The same games without their networks contain it far less often.
    """
    rng = np.random.default_rng(31)
    for apart, most in ((0.0, 1.0), (0.4, 0.97)):
        chances, truth = of_networks(rng, networks, share, np.array([apart]))
        sums = planted(rng, networks, 2, chances, deals)
        (covered,) = coverage(BY_SEAT.read(sums), truth)
        assert LEAST < covered <= max(most, float(share < 0.01))
        (naive,) = coverage(BY_SEAT.read(sums.assign(stratum=0)), truth)
        assert naive < 0.9 if apart else naive > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("networks", [3, 9])
def test_networks_may_differ_at_one_count_or_in_one_seat_only(networks):
    """Every count and seat has its own spread: a pooled one misses the truth where networks differ most."""
    rng = np.random.default_rng(32)
    spreads = {2: np.full(2, 0.05), 3: np.array([0.1, 0.5, 0.1]), 4: np.full(4, 0.25)}
    parts, truths = [], {}
    for players, apart in spreads.items():
        chances, truths[players] = of_networks(rng, networks, 1 / players, apart)
        parts.append(planted(rng, networks, players, chances, 20_000))
    table = BY_SEAT.read(pd.concat(parts, ignore_index=True))
    for players, cell in table.groupby("players"):
        covered = coverage(cell, truths[players])
        assert (covered > LEAST).all() and covered.mean() < 0.975


def test_variants_of_the_same_networks_are_no_further_networks():
    """A variant that the same networks play alike tells nothing about others, so no interval gets narrower."""
    rng = np.random.default_rng(33)
    chances, _ = of_networks(rng, 3, 0.3, np.array([0.3]))
    sums = planted(rng, 3, 2, chances[:1], 4_000)
    twice = pd.concat([sums, sums.assign(variant="0000 again")], ignore_index=True)
    alone, both = BY_SEAT.read(sums), BY_SEAT.read(twice)
    for name in ("low", "high"):
        assert both[name].to_list() == [alone[name][0]] * 2


def test_nothing_in_all_games_is_known_whatever_other_rows_show():
    """0 of 12,000 games is less than 1 %, although the networks differ by ten points in another seat."""
    chances = np.zeros((1, 3, 2))
    chances[0, :, 1] = 0.2, 0.3, 0.4
    table = BY_SEAT.read(planted(np.random.default_rng(34), 3, 2, chances, 12_000))
    assert table["high"][0] < 0.002 and table["high"][1] - table["low"][1] > 0.3


@pytest.mark.slow
def test_widened_intervals_contain_the_truth_as_often_as_stated():
    """With few networks a widened interval is far wider than its ratio with many deals: Student's t of networks."""
    rng = np.random.default_rng(35)
    chances, truth = of_networks(rng, 3, 0.3, np.full(6, 0.3))
    found = interval_of_frame(BY_SEAT.read(planted(rng, 3, 6, chances, 4_000)))
    wide = share_interval(found, 0.99)
    inside = (wide.low <= truth[0]) & (truth[0] <= wide.high)
    assert 0.98 < inside.mean() < 0.998
    p = share_p(found, truth[0])
    assert ((p < 0.01) == ~inside).mean() > 0.999


@pytest.mark.parametrize(
    ("chances", "deals", "word"),
    [
        ([0.50, 0.51, 0.49, 0.50], 100_000, BALANCED),
        ([0.40, 0.60, 0.45, 0.55], 100_000, PLAYERS_DIFFER),  # each is known to a point
        ([0.50, 0.50, 0.50, 0.50], 400, UNDECIDED),  # alike, but how alike is not known yet
    ],
)
def test_players_differ_or_games_are_too_few(chances, deals, word):
    """More games decide unless the part of the interval that networks alone have includes an edge of the band."""
    seats = np.array(chances)[None, :, None]
    both = np.concatenate([seats, 1 - seats], axis=2)
    table = BY_SEAT.read(planted(np.random.default_rng(36), 4, 2, both, deals))
    percent = interval_columns(scale(interval_of_frame(table), 100))
    judged = judge_shares(table.assign(**percent), "seat", 5.0)
    assert set(judged["verdict"]) == {word}
    assert (judged["more_games"] > 0).all() == (word == UNDECIDED)
    (verdict,) = fairness_verdicts("seats", judged, "seat")
    words = {BALANCED: "fair", UNDECIDED: "not enough games", PLAYERS_DIFFER: PLAYERS_DIFFER}
    assert verdict.word == words[word] and (verdict.spread is not None) == (word == PLAYERS_DIFFER)
    if verdict.spread:
        assert verdict.spread.networks == 4
        assert (verdict.spread.low, verdict.spread.high) == pytest.approx((40, 60), abs=2)


def test_effects_on_which_players_differ():
    """Of two effects that are not shown, one needs games, the other networks that agree."""
    value, apart = np.array([0.5, 0.5]), np.array([0.0, 0.6])
    error = np.hypot(0.4, apart)
    effects = Interval(value, value - 1, value + 1, 4_000, 1_000, error, np.array([9, 9]), apart)
    words = judge(effects, p_value(effects), p_within(effects, 1.0), 1, 1.0).words
    assert words == ["undecided", PLAYERS_DIFFER]


def test_the_variance_between_networks_by_hand():
    """Three networks with means -1, 0 and 1 and no other spread: their variance 1, over three networks; by themselves
    they lie as far apart as is expected of three."""
    rows = pd.DataFrame({"players": 2, "seat": 0, "deal_seed": range(30)})
    network = rows["deal_seed"] % 3
    noise = np.where(rows["deal_seed"] % 2 == 0, 0.001, -0.001)
    rows = rows.assign(stratum=-1 - network, share=network - 1.0 + noise)
    (row,) = QUESTION.read(answer(QUESTION, seat_rows=rows)).itertuples()
    assert row.value == pytest.approx(0, abs=1e-9)
    assert row.high == pytest.approx(4.3027 * np.sqrt(1 / 3), rel=0.01)  # t with two degrees of freedom
    assert row.networks == 3 and row.apart == pytest.approx(np.sqrt(1 / 3), rel=0.01)
    assert interval_of(row).range_of_networks == pytest.approx((-0.85, 0.85), abs=0.03)


def test_one_network_with_observations_shows_no_spread():
    """Where only one of several networks has observations, the interval is endless."""
    rows = pd.DataFrame({"players": 2, "seat": 0, "deal_seed": range(30), "stratum": -1})
    rows["share"] = rows["deal_seed"] % 2
    (row,) = QUESTION.read(answer(QUESTION, seat_rows=rows)).itertuples()
    assert row.value == 0.5 and (row.low, row.high) == (-np.inf, np.inf)


def test_each_deal_is_played_by_one_network(tmp_path):
    """A deal's seed names the network of all seats: it plays as it does alone, and its number is the stratum."""
    keys = {"players": [2], "games": 60}
    weights = [drawn_weights(1), drawn_weights(2)]
    played = {}
    for name, own in {"both": weights, "first": weights[:1], "second": weights[1:]}.items():
        write_network(tmp_path / f"{name}.toml", GAME, "champion", {2: own}, {})
        played[name] = play(tmp_path / name, strategies=[str(tmp_path / f"{name}.toml")], **keys)
    scores = {name: read_rows(run, "seats").groupby("game_id")["score"].apply(tuple) for name, run in played.items()}
    deals = read_rows(played["both"], "games").set_index("game_id")["deal_seed"]
    lot = (deals.astype("u8") >> np.uint64(32)) % np.uint64(2)
    assert (scores["both"] == scores["first"].where(lot == 0, scores["second"])).all()
    assert lot.nunique() == 2 and not scores["first"].equals(scores["second"])
    question = means({"network": "-1 - stratum"}, ["deal_seed"])
    found = gather(RunFolder.open(played["both"]), [question])[question].set_index("deal_seed")["value"]
    assert (found.loc[deals.to_numpy()].to_numpy() == lot.to_numpy()).all()


def test_only_where_games_help_are_more_games_named(tmp_path, cli):
    """With several networks too, an undecided seat has a number of games; `balance plan` knows no spread of others."""
    for name, count in {"two": 2, "one": 1}.items():
        weights = [drawn_weights(each) for each in range(count)]
        write_network(tmp_path / f"{name}.toml", GAME, "champion", {2: weights}, {})
        run = play(tmp_path / name, players=[2], games=12, strategies=[str(tmp_path / f"{name}.toml")])
        plan = RunFolder.open(run).plan
        asked = [share_question(share_of(plan, "seat")), Played()]
        table = judged_shares(plan, gather(RunFolder.open(run), asked), "seat")
        assert set(table["networks"]) == ({2} if count == 2 else {0})
        assert ((table["more_games"] > 0) == (table["verdict"] == UNDECIDED)).all()
    refused = cli("plan", tmp_path / "two", "--effect", 2, status=1)
    assert "more games do not show how far other networks would differ" in refused.output
    cli("plan", tmp_path / "one", "--effect", 2, status=0)


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
def test_a_page_names_what_it_lacks(tmp_path, cli):
    """Three networks that disagree: their range, no command to play on, and no plan; in Polish too."""
    weights = [drawn_weights(each) for each in (4, 5, 6)]
    write_network(tmp_path / "three.toml", GAME, "champion", {2: weights}, {})
    run = play(tmp_path / "run", players=[2], games=600, strategies=[str(tmp_path / "three.toml")])
    done = cli("report", run, "--out", tmp_path / "out", status=0)
    assert "--resume" not in done.output and "balance plan" not in done.output
    page = (tmp_path / "out" / "report.md").read_text()
    ranges = r"\d+ to \d+ % between 3 equally strong players"
    assert re.search(rf"\*\*Players differ\*\* \(base, 2 players\): Seats fair: (1st|2nd) seat {ranges}", page)
    assert re.search(rf"players differ on the seats, and more games can't decide: 1st .* 2nd (seat )?{ranges}", page)
    assert re.search(rf"\| 2 \| base \| 1st \|.*\| players differ, {ranges} \|", page)
    with using("pl"):
        write_report([RunFolder.open_finished(run)], tmp_path / "pl")
    assert "u 3 graczy o równej sile" in (tmp_path / "pl" / "report.md").read_text()
    (tmp_path / "goal.toml").write_text('[[targets]]\nmeasure = "seat_win_share"\nwithin = 5\n')
    checked = cli("check", run, tmp_path / "goal.toml", status=3)
    assert "2 players differ" in " ".join(checked.output.split())
    assert "--resume" not in checked.output and "balance plan" not in checked.output
