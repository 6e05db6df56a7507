"""Several networks of a strategy: how far they differ is part of the intervals."""

import numpy as np
import pandas as pd
import pytest
from support.networks import GAME, drawn_weights
from support.planted import answer
from support.runs import play, read_rows

from balance.analysis.ended import Played
from balance.analysis.gather import gather
from balance.analysis.question import means
from balance.analysis.shares import UNDECIDED, judged_shares, share_question
from balance.experiments.measures import share_of
from balance.runs.folder import RunFolder
from balance.training.network_files import write_network

QUESTION = means({"share": "share"}, ["players", "seat"])
REPETITIONS, NAIVE = 60, 15


def games(
    rng: np.random.Generator, networks: int, counts: list[int], apart: float, deals: int = 90
) -> pd.DataFrame:
    """Return a row for each seat of games in which every network has advantages of its own, of mean 0."""
    parts = []
    for players in counts:
        own = rng.normal(0, apart, (networks, players))
        own = (own - own.mean(1, keepdims=True)) * np.sqrt(players / (players - 1))
        network = rng.integers(networks, size=deals)
        share = own[network] + rng.normal(0, 1, (deals, players))
        deal = 1000 * players + np.arange(deals)
        for seat in range(players):
            columns = {"players": players, "seat": seat, "share": share[:, seat]}
            parts.append(pd.DataFrame({**columns, "deal_seed": deal, "stratum": -1 - network}))
    return pd.concat(parts, ignore_index=True)


def holds_zero(rows: pd.DataFrame) -> float:
    """Return the share of intervals that contain 0."""
    table = QUESTION.read(answer(QUESTION, seat_rows=rows))
    return float(((table["low"] <= 0) & (table["high"] >= 0)).mean())


@pytest.mark.parametrize(
    ("networks", "counts", "apart"),
    [
        (3, [2, 3, 4], 0.5),
        pytest.param(3, [2], 0.5, marks=pytest.mark.long),  # two degrees of freedom
        pytest.param(2, [2, 3, 4], 0.5, marks=pytest.mark.long),
        pytest.param(3, [3, 4], 0.0, marks=pytest.mark.long),  # networks that are alike
    ],
)
def test_intervals_contain_what_other_networks_would_show(networks, counts, apart):
    """About 95 % of the intervals contain 0, the mean over all networks that might have been trained."""
    rng = np.random.default_rng(31)
    covered, naive = [], []
    for number in range(REPETITIONS):
        rows = games(rng, networks, counts, apart)
        covered.append(holds_zero(rows))
        if number < NAIVE:
            naive.append(holds_zero(rows.assign(stratum=0)))
    assert 0.92 < np.mean(covered) < 0.985
    assert np.mean(naive) < 0.75 or apart == 0  # the check can fail


def test_the_variance_between_networks_by_hand():
    """Three networks with means -1, 0 and 1 and no other spread: their variance 1, over three networks."""
    rows = pd.DataFrame({"players": 2, "seat": 0, "deal_seed": range(30)})
    network = rows["deal_seed"] % 3
    noise = np.where(rows["deal_seed"] % 2 == 0, 0.001, -0.001)
    rows = rows.assign(stratum=-1 - network, share=network - 1.0 + noise)
    (row,) = QUESTION.read(answer(QUESTION, seat_rows=rows)).itertuples()
    assert row.value == pytest.approx(0, abs=1e-9)
    assert row.high == pytest.approx(4.3027 * np.sqrt(1 / 3), rel=0.01)  # t with two degrees of freedom


def test_each_deal_is_played_by_one_network(tmp_path):
    """A deal's seed names the network of all seats: it plays as it does alone, and its number is the stratum."""
    keys = {"players": [2], "games": 60}
    weights = [drawn_weights(1), drawn_weights(2)]
    played = {}
    for name, own in {"both": weights, "first": weights[:1], "second": weights[1:]}.items():
        write_network(tmp_path / f"{name}.toml", GAME, "champion", {2: own}, {})
        played[name] = play(tmp_path / name, strategies=[str(tmp_path / f"{name}.toml")], **keys)
    scores = {
        name: read_rows(run, "seats").groupby("game_id")["score"].apply(tuple)
        for name, run in played.items()
    }
    deals = read_rows(played["both"], "games").set_index("game_id")["deal_seed"]
    lot = (deals.astype("u8") >> np.uint64(32)) % np.uint64(2)
    assert (scores["both"] == scores["first"].where(lot == 0, scores["second"])).all()
    assert lot.nunique() == 2 and not scores["first"].equals(scores["second"])
    question = means({"network": "-1 - stratum"}, ["deal_seed"])
    found = gather(RunFolder.open(played["both"]), [question])[question].set_index("deal_seed")["value"]
    assert (found.loc[deals.to_numpy()].to_numpy() == lot.to_numpy()).all()


def test_more_games_are_no_remedy(tmp_path, cli):
    """With several networks an undecided seat has no number of games that settles it; with one network it has."""
    words = {}
    for name, count in {"two": 2, "one": 1}.items():
        weights = [drawn_weights(each) for each in range(count)]
        write_network(tmp_path / f"{name}.toml", GAME, "champion", {2: weights}, {})
        run = play(tmp_path / name, players=[2], games=12, strategies=[str(tmp_path / f"{name}.toml")])
        plan = RunFolder.open(run).plan
        asked = [share_question(share_of(plan, "seat")), Played()]
        table = judged_shares(plan, gather(RunFolder.open(run), asked), "seat")
        assert (table["verdict"] == UNDECIDED).any()
        words[name] = table["more_games"].max()
    assert words["two"] == 0 < words["one"]
    refused = cli("plan", tmp_path / "two", "--effect", 2, status=1)
    assert "more games do not show how far other networks would differ" in refused.output
    cli("plan", tmp_path / "one", "--effect", 2, status=0)
