"""Replays with one source of chance seeded again: everything else stays."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.runs import digest, plan_of, play, read_rows, resume

from balance.contract.game import get_game
from balance.experiments.lineups import Schedule
from balance.runs.folder import RunFolder

CARDS = get_game("na-grunwald").kernel.CHANCE
KEY = ["game_id", "seat"]
FIELD = ["generalist", "treasurer", "quartermaster", "krzyzacy-hunter", "helpers-first"]


def differing(run: Path, column: str = "score") -> pd.Series:
    """Return the share of seats whose value differs from that of their game, by source."""
    both = read_rows(run, "luck").merge(read_rows(run, "seats"), on=KEY, suffixes=("", "_before"))
    both["differs"] = both[column] != both[f"{column}_before"]
    return both.groupby("source", observed=True)["differs"].mean()


@pytest.fixture(scope="module")
def again(tmp_path_factory):
    """Return two variants with three and four players, with 30 of 40 games replayed."""
    path = tmp_path_factory.mktemp("again") / "run"
    keys = {"players": [3, 4], "variants": ["base", "no-events"], "games": 40, "luck": 30}
    return play(path, strategies=FIELD, **keys)


def test_a_row_a_game_source_and_seat(again):
    """Only the first `luck` games of each cell have rows; the other tables of the run do not change."""
    found = read_rows(again, "luck")
    assert found.columns.tolist() == [
        "game_id", "tier", "variant", "players", "seat", "strategy", "source", "score", "rank",
        "win_share", "status",
    ]  # fmt: skip
    assert set(found["source"]) == {*CARDS, "bots", "players"}
    assert not found.duplicated([*KEY, "source"]).any()
    assert len(found) == 2 * (3 + 4) * 30 * 8
    assert (found["game_id"] % 40).max() == 29
    assert RunFolder.open(again).info["rows"]["luck"] == len(found)


def test_one_source_changes_and_nothing_else(again):
    """Greedy bots play the same with other streams, and without events their source changes nothing."""
    differ = differing(again)
    assert differ["bots"] == 0
    assert (differ.drop("bots") > 0.3).all()
    seats = differing(again, "strategy")
    assert seats["players"] > 0.5 and (seats.drop("players") == 0).all()
    quiet = read_rows(again, "luck").query("variant == 'no-events' and source == 'events'")
    both = quiet.merge(read_rows(again, "seats"), on=KEY)
    assert (both["score_x"] == both["score_y"]).all()


def test_luck_changes_no_other_table(again, tmp_path):
    """The first games are the same with and without replays."""
    keys = {"players": [3, 4], "variants": ["base", "no-events"], "games": 40}
    plain = play(tmp_path / "plain", strategies=FIELD, **keys)
    for name in ("games", "seats"):
        pd.testing.assert_frame_equal(read_rows(plain, name), read_rows(again, name))
    assert not (plain / "luck").exists()


def test_workers_and_resuming_change_no_row(tmp_path):
    """Parts end where `trace` and `luck` end; a missing part is played again to the same bytes."""
    keys = {"strategies": ["random", "generalist", "treasurer"], "players": [2, 3], "games": 30}
    keys |= {"luck": 20, "trace": 7}
    one = play(tmp_path / "one", **keys)
    two = play(tmp_path / "two", workers=2, **keys)
    assert digest(one) == digest(two)
    assert sorted(path.stem[-2:] for path in (one / "luck").iterdir()) == ["00", "00", "07", "07"]
    for path in sorted((one / "luck").iterdir())[:2]:
        path.unlink()
    resume(one)
    assert digest(one) == digest(two)


@pytest.mark.long
def test_bots_in_python_are_asked_again(tmp_path):
    """A bot that draws random numbers plays differently with another stream."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "class Lucky:\n"
        "    def __init__(self, rng):\n        self.rng = rng\n"
        "    def choose(self, observation, actions):\n"
        "        return self.rng.integers(len(actions))\n"
    )
    run = play(tmp_path / "run", players=[2], strategies=[f"{bot}:Lucky"], games=6, luck=6)
    found = read_rows(run, "luck")
    assert set(found["source"]) == {*CARDS, "bots"}  # of one strategy there is no other line-up
    assert len(found) == 6 * 2 * 7
    assert differing(run)["bots"] > 0.5


@pytest.mark.parametrize(
    ("pool", "lineups", "rotate"), [(6, [], True), (2, [], True), (0, [(0, 1, 2)], True), (3, [], False)]
)
def test_other_lineups_are_drawn_as_the_plan_draws_its_own(pool, lineups, rotate):
    """Every strategy has every seat as often as in the plan, for any line-up of the game itself."""
    schedule = Schedule(3, pool, lineups, rotate, seed=5)
    others, own = schedule.other_lineups(0, 60_000), schedule.games(0, 60_000)[2]
    together = np.zeros((2, 3, 6, 6))
    for seat in range(3):
        np.add.at(together[0, seat], (own[:, seat], others[:, seat]), 1 / 60_000)
        shares = np.bincount(own[:, seat], minlength=6) / 60_000
        assert np.allclose(together[0, seat], np.outer(shares, shares), atol=0.006)
    assert (schedule.other_lineups(500, 510) == others[500:510]).all()
    assert all(len(set(row)) == 3 for row in others[:50].tolist()) or pool == 2


def test_one_lineup_that_never_moves_is_no_source():
    """No other strategy could play there."""
    keys = {"game": "polska", "players": [2], "strategies": [], "lineups": [["blocker", "sprinter"]]}
    held = plan_of(**keys, rotate=False)
    assert held.sources(held.cells[0]) == ["dice", "cards", "markers", "bots"]
    rotated = plan_of(**keys)
    assert rotated.sources(rotated.cells[0]) == ["dice", "cards", "markers", "bots", "players"]
