"""Luck by source against planted truths, through the SQL of the question and from runs."""

import numpy as np
import pandas as pd
import pytest
from support.planted import answer
from support.runs import play

import balance
from balance.analysis.gather import gather
from balance.analysis.luck import Luck, largest_source, read_luck, read_spans
from balance.foundation.errors import BalanceError
from balance.runs.folder import RunFolder

DECKS, GAMES, PLAYERS = 800, 3, 3
FIELD = ["generalist", "treasurer", "quartermaster", "krzyzacy-hunter"]


def outcomes(winner: np.ndarray, prefix: str = "") -> pd.DataFrame:
    """Return a row for each game and seat; the winner has 3 points more than the others."""
    won = winner[:, None] == np.arange(PLAYERS)
    frame = pd.DataFrame({f"{prefix}win_share": won.ravel().astype(float)})
    frame[f"{prefix}score"] = 20 + 3 * frame[f"{prefix}win_share"]
    return frame.assign(**{f"{prefix}rank": np.where(won.ravel(), 1, 2)})


def luck_rows(own: np.ndarray, again: dict[str, np.ndarray]) -> pd.DataFrame:
    """Return the table `luck_rows` of games with these winners (deals, games), by source of the replays."""
    game, seat = (axis.ravel() for axis in np.indices((own.size, PLAYERS)))
    deck = np.arange(1, len(own) + 1, dtype=np.uint64).repeat(own.shape[1])
    keys = pd.DataFrame({"game_id": game, "seat": seat, "deal_seed": deck[game]})
    keys = pd.concat([keys, outcomes(own.ravel())], axis=1).assign(players=PLAYERS, variant="base")
    parts = [
        pd.concat([keys, outcomes(winner.ravel(), "other_")], axis=1).assign(source=source)
        for source, winner in again.items()
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="module")
def planted() -> pd.DataFrame:
    """Return the sums of games that cards alone decide, with one winner for each deal."""
    rng = np.random.default_rng(1)
    own = rng.integers(0, PLAYERS, (DECKS, 1)).repeat(GAMES, axis=1)
    cards = rng.integers(0, PLAYERS, own.shape)
    again = {"cards": cards, "dice": own, "bots": own, "players": own}
    return answer(Luck(), luck_rows=luck_rows(own, again))


@pytest.mark.parametrize("outcome", ["wins", "score differences"])
def test_the_source_that_decides_all_has_all(planted, outcome):
    """A source that decides everything has all of the total effect, a source that decides nothing has none."""
    found = read_luck(planted).query("outcome == @outcome").set_index("source")
    assert found.loc["cards", "value"] == pytest.approx(100, abs=4)
    assert (found.loc[["dice", "bots", "players"], "value"] == 0).all()
    assert (found.loc[["dice", "bots", "players"], "high"] < 1).all()
    assert (found["n"] == DECKS * GAMES).all() and (found["decks"] == DECKS).all()


def test_a_deal_that_decides_all_spans_everything(planted):
    """The winner of the deal wins with every strategy in the seat."""
    (span,) = read_spans(planted).itertuples()
    assert span.value == pytest.approx(100 * np.sqrt(2) / 3, abs=1)
    assert span.lowest < 0.1 and span.highest > 99.9


def test_one_lineup_has_no_span(planted):
    """Without other line-ups the deal and the strategies in the seats cannot be separated."""
    assert read_spans(planted[planted["source"] != "players"]).empty


def sources(shares: dict[str, float], decks: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return the sums of games in which a new draw of a source decides the winner with this probability."""
    own = rng.integers(0, PLAYERS, (decks, 1))
    again = {
        name: np.where(rng.random(own.shape) < share, rng.integers(0, PLAYERS, own.shape), own)
        for name, share in shares.items()
    }
    return answer(Luck(), luck_rows=luck_rows(own, again))


EQUAL = {f"deck {i}": 0.5 for i in range(8)} | {"players": 1.0}


def test_sources_that_are_alike_have_no_largest():
    """Of eight equal sources one always looks largest; in few of 100 runs one is named, and never the line-up."""
    rng = np.random.default_rng(2)
    named = [largest_source(sources(EQUAL, 100, rng), 1) for _ in range(100)]
    assert sum(len(each) for each in named) <= 2  # a largest p-value of seven is small far more rarely than one


def test_games_that_any_change_decides_anew_name_no_source():
    """As among strong players: each source has all, so another game would differ no more."""
    rng = np.random.default_rng(4)
    sums = sources({"cards": 1.0, "dice": 1.0, "events": 1.0, "players": 1.0}, 300, rng)
    found = read_luck(sums).query("outcome == 'wins'")
    assert (found["low"] > 80).all() and (found["high"] == 100).any()
    assert largest_source(sums, 1).empty


def test_the_largest_source_is_named_and_measured_on_other_decks():
    """Events decide all, dice a third; the figure is that of the held-out deals, and families make it rarer."""
    rng = np.random.default_rng(3)
    sums = sources({"events": 1.0, "dice": 0.3, "bots": 0.0, "players": 1.0}, 200, rng)
    (row,) = largest_source(sums, 10).itertuples()
    assert row.source == "events" and 60 < row.n < 140
    assert row.low < 100 and row.value == pytest.approx(100, abs=15)
    near = sources({"events": 0.6, "dice": 0.35, "players": 1.0}, 200, np.random.default_rng(5))
    assert len(largest_source(near, 1)) > len(largest_source(near, 10**6))


def test_replays_that_were_broken_off_do_not_decide_which_source_is_named():
    """Only deals on which all sources have the same games are compared."""
    sums = sources({"events": 1.0, "dice": 0.3, "players": 1.0}, 200, np.random.default_rng(3))
    broken = (sums["source"] == "dice") & (sums["deal_seed"] % 8 == 1)
    (row,) = largest_source(sums[~broken], 1).itertuples()
    assert row.source == "events"
    assert largest_source(sums[(sums["source"] != "dice") | (sums["deal_seed"] < 30)], 1).empty


def test_too_few_decks_say_nothing(planted):
    """A handful of deals gives no figure."""
    few = planted[planted["deal_seed"] < 20]
    assert read_luck(few).empty and read_spans(few).empty


@pytest.fixture(scope="module")
def again(tmp_path_factory):
    """Return a run of greedy bots, one variant without events, with all games replayed."""
    keys = {"players": [2, 3], "variants": ["base", "no-events"], "games": 240, "luck": 180}
    return play(tmp_path_factory.mktemp("luck") / "run", strategies=FIELD, **keys)


def test_of_a_run(again):
    """A source that cannot decide anything has 0, the players have more; n counts the replayed games."""
    found = balance.open_run(again).luck()
    assert set(found["n"]) == {180}
    value = found.query("outcome == 'wins'").set_index(["variant", "source"])["value"]
    assert (value.xs("bots", level="source") == 0).all()
    assert (value.loc[("no-events", "events")] == 0).all()
    assert (value.loc[("base", "events")] > 5).all()
    assert (value.xs("players", level="source") > 20).all()
    assert list(dict.fromkeys(found["source"]))[-1] == "players"


def test_sums_of_chunks_are_those_of_the_run(again, monkeypatch):
    """The sums are the same for any chunks; chunks without replays are skipped."""
    run = RunFolder.open(again)
    whole = gather(run, [Luck()])[Luck()]
    monkeypatch.setattr("balance.analysis.gather.CHUNK_ROWS", 120)
    pd.testing.assert_frame_equal(gather(run, [Luck()])[Luck()], whole)


def test_a_run_that_was_not_played_again_says_how(traced_run):
    """One line names the key."""
    with pytest.raises(BalanceError, match="no replayed games: play with `luck`"):
        balance.open_run(traced_run).luck()


def test_games_that_were_broken_off_count_nowhere(tmp_path):
    keys = {"strategies": ["random"], "players": [2], "games": 60, "luck": 60, "decision_limit": 70}
    run = RunFolder.open(play(tmp_path / "run", **keys))
    sums = gather(run, [Luck()])[Luck()]
    ended = (
        balance.open_run(run.path)
        .query(
            "SELECT count(*) AS n FROM luck JOIN seats USING (game_id, seat) JOIN games USING (game_id) "
            "WHERE luck.status <> 'truncated' AND games.status <> 'truncated'"
        )["n"]
        .iloc[0]
    )
    assert 0 < sums["n"].sum() == ended < 60 * 2 * 7
