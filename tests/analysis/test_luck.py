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


def test_the_winner_changes(planted):
    """Of three seats drawn again, the winner changes in two thirds of the games."""
    found = read_luck(planted).query("outcome == 'winner changes'").set_index("source")
    assert found.loc["cards", "low"] < 100 * 2 / 3 < found.loc["cards", "high"]
    assert found.loc["dice", "value"] == 0


def test_a_deal_that_decides_all_spans_everything(planted):
    """The winner of the deal wins with every strategy in the seat."""
    (span,) = read_spans(planted).itertuples()
    assert span.value == pytest.approx(100 * np.sqrt(2) / 3, abs=1)
    assert span.lowest < 0.1 and span.highest > 99.9


def test_one_lineup_has_no_span(planted):
    """Without other line-ups the deal and the strategies in the seats cannot be separated."""
    assert read_spans(planted[planted["source"] != "players"]).empty


def test_the_largest_source_is_measured_on_other_decks():
    """Of eight equal sources the largest looks larger on the deals that chose it, and not on held-out deals."""
    rng = np.random.default_rng(2)
    chosen, fresh = [], []
    for _ in range(15):
        own = rng.integers(0, PLAYERS, (100, 1))
        again = {
            f"deck {i}": np.where(rng.random((100, 1)) < 0.5, rng.integers(0, PLAYERS, (100, 1)), own)
            for i in range(8)
        }
        again["players"] = rng.integers(0, PLAYERS, (100, 1))
        (row,) = largest_source(answer(Luck(), luck_rows=luck_rows(own, again))).itertuples()
        assert row.source != "players" and row.n == 50
        chosen.append(row.chosen_value)
        fresh.append(row.value)
    assert np.mean(chosen) > 100 / 3 + 5
    assert abs(np.mean(fresh) - 100 / 3) < 3 * np.std(fresh) / np.sqrt(40)


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
    value = found.query("outcome == 'winner changes'").set_index(["variant", "source"])["value"]
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
