"""The compiled loop: seeds, streams, and known mistakes of other simulators."""

import dataclasses
import os
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow.parquet as pq
import pytest
from support.runs import play, read_rows

from balance.contract.game import find_games, get_game
from balance.contract.modules import QUICKER
from balance.contract.records import blank, initial_record, record_chance, record_outcome
from balance.engine.buffers import JOB
from balance.engine.loop import Simulator
from balance.experiments.lineups import Schedule, rotations_of
from balance.experiments.strategies import load_strategies, pack_strategies
from balance.experiments.variants import load_variant
from balance.foundation.compiling import compiled_entry
from balance.testing.digest import digest

ROOT = Path(__file__).resolve().parents[2]


def tables(run: Path) -> dict[str, dict]:
    return {name: pq.read_table(run / name).to_pydict() for name in ("games", "seats", "rounds", "trace")}


def test_every_game_has_its_own_seed(tmp_path):
    """No seed is shared by all games of a tournament, and no generator by all games."""
    run = play(tmp_path / "run", games=2000, players=[3])
    games = read_rows(run, "games")
    assert games["seed"].nunique() == 2000
    assert games["game_id"].is_unique
    decisions = games["decisions"]
    assert decisions.nunique() > 30


def test_workers_do_not_share_a_random_state(tmp_path):
    """Parts played at the same time by two workers have different games."""
    run = play(tmp_path / "run", workers=2, games=40_080, players=[2])
    parts = sorted(run.glob("games/*.parquet"))
    assert len(parts) == 2
    first, second = (pq.read_table(part).to_pandas() for part in parts)
    assert not set(first["seed"]) & set(second["seed"])
    assert not set(first["deal_seed"]) & set(second["deal_seed"])
    assert (first["margin"].to_numpy() != second["margin"].to_numpy()).mean() > 0.5


def test_decks_of_rotations_are_the_same(tmp_path):
    """Line-ups rotate through all seats on one deal: the revealed cards are the same."""
    run = play(
        tmp_path / "run", games=4, strategies=[], log="trace", lineups=[["generalist", "random", "random", "random"]]
    )
    games = read_rows(run, "games")
    assert games["deal_seed"].nunique() == 1
    assert sorted(lineup.split(",").index("generalist") for lineup in games["lineup"]) == [0, 1, 2, 3]
    trace = read_rows(run, "trace")
    shown = trace[trace["label"].str.contains("reveal crown")].groupby("game_id")["label"].agg(list)
    assert len({tuple(labels) for labels in shown}) == 1


def test_win_shares_sum_to_one_and_all_players_are_kept(tmp_path):
    """Every seat of every game has a row, and winners share one win."""
    run = play(tmp_path / "run", games=800, players=[2, 3, 4])
    seats = read_rows(run, "seats")
    games = read_rows(run, "games").set_index("game_id")
    by_game = seats.groupby("game_id")
    assert np.allclose(by_game["win_share"].sum(), 1)
    assert (by_game.size() == games["players"]).all()
    assert (by_game["win_share"].agg(lambda s: (s > 0).sum()) == games["winners"]).all()
    assert (games["winners"] > 1).any()
    best_two = by_game["score"].nlargest(2).groupby("game_id").agg(["first", "last"])
    assert np.allclose(best_two["first"] - best_two["last"], games["margin"])


def test_games_at_the_limit_are_kept(tmp_path):
    """A truncated game is logged with its status, never dropped."""
    run = play(tmp_path / "run", games=50, decision_limit=30)
    games = read_rows(run, "games")
    assert len(games) == 50
    assert set(games["status"]) == {"truncated"}
    assert set(games["decisions"]) == {30}
    assert len(read_rows(run, "seats")) == 200


@pytest.mark.long
@pytest.mark.slow
def test_hash_order_changes_nothing(tmp_path):
    """Another PYTHONHASHSEED gives the same bytes."""
    bytes_of = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        command = [sys.executable, "-m", "balance", "run", "--game", "na-grunwald", "--players", "3"]
        command += ["--strategies", "random,generalist,treasurer,quartermaster", "--games", "40"]
        command += ["--log", "trace", "--quiet", "--out", str(out)]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
        bytes_of.append([path.read_bytes() for path in sorted(out.rglob("*.parquet"))])
    assert bytes_of[0] == bytes_of[1]


@pytest.mark.parametrize(("players", "pool"), [(4, 2), (4, 3), (3, 2), (6, 2), (2, 1)])
@pytest.mark.parametrize("rotate", [True, False])
def test_a_small_pool_plays_every_arrangement_equally_often(players, pool, rotate):
    """With fewer strategies than seats ABAB is as frequent as AABB; rotations of a line-up share a deal."""
    schedule = Schedule(players, pool, [], rotate, seed=4)
    decks, _, lineups = schedule.games(0, 3 * pool**players)
    counts = Counter(map(tuple, lineups.tolist()))
    assert set(counts) == set(product(range(pool), repeat=players))
    assert set(counts.values()) == {3}
    assert schedule.pass_games == pool**players
    for deck in np.unique(decks):
        together = {tuple(lineup) for lineup in lineups[decks == deck].tolist()}
        first = next(iter(together))
        assert together == (set(rotations_of(first)) if rotate else {first})


def test_a_pool_is_drawn_evenly():
    """After whole rounds of combinations every strategy has had every seat equally often."""
    schedule = Schedule(4, 7, [], True, seed=3)
    _, _, lineups = schedule.games(0, 35 * 4)
    for seat in range(4):
        assert set(np.bincount(lineups[:, seat])) == {20}
    assert all(len(set(lineup)) == 4 for lineup in lineups.tolist())


def test_any_game_of_a_schedule_can_be_found_alone():
    schedule = Schedule(3, 5, [], True, seed=9)
    decks, seeds, lineups = schedule.games(0, 5000)
    for first, last in ((0, 1), (1999, 2003), (4321, 5000)):
        part = schedule.games(first, last)
        assert (part[0] == decks[first:last]).all()
        assert (part[1] == seeds[first:last]).all()
        assert (part[2] == lineups[first:last]).all()


@pytest.mark.parametrize(("lineup", "count"), [((0, 1, 2, 3), 4), ((0, 1, 0, 1), 2), ((5, 5, 5), 1), ((0, 1), 2)])
def test_rotations_are_different(lineup, count):
    """A line-up that is the same after rotation is not played twice on a deal."""
    assert len(rotations_of(lineup)) == len(set(rotations_of(lineup))) == count


def test_rounds_table(traced_run):
    """There is one row per game, round and seat; the last round's resources are the final ones."""
    rounds = read_rows(traced_run, "rounds")
    seats = read_rows(traced_run, "seats")
    assert len(rounds) == 8 * len(seats)
    last = rounds[rounds["round"] == 8].merge(seats, on=["game_id", "seat"], suffixes=("_round", ""))
    assert (last["ducats_round"] == last["ducats"]).all()
    assert (last["helpers_round"] == last["helpers"]).all()
    assert (last["score_round"] == last["score"]).mean() > 0.6  # feeding may be played otherwise


def test_score_parts_sum_to_the_score(traced_run):
    from balance.games.na_grunwald.kernel.state import POINTS

    seats = read_rows(traced_run, "seats")
    assert (seats[list(POINTS)].sum(axis=1) == seats["score"]).all()


def test_one_source_of_chance_is_seeded_from_elsewhere():
    """Other decks keep their order; seeded with the deal's own seed, nothing changes."""
    game = get_game("na-grunwald")
    simulator = Simulator(game)
    room = simulator.room(*pack_strategies(game, load_strategies(game, ["random"], Path()), 3))
    packed = game.kernel.pack_rules(load_variant(game, "base", Path()).rules, 3)
    job = blank(1, JOB)[0]
    job.deal_seed = 7

    def deal(reseeded: int, seed: int) -> list[bytes]:
        job.reseeded, job.other_seed = reseeded, seed
        simulator.begin(packed, room, job)
        return [deck.tobytes() for deck in room.state[0].decks]

    own = deal(0, 8)
    for number in range(len(own)):
        other = [one != two for one, two in zip(own, deal(number + 1, 8), strict=True)]
        assert other == [deck == number for deck in range(len(own))]
        assert deal(number + 1, 7) == own


@pytest.mark.parametrize("name", find_games())
def test_a_game_begins_with_its_initial_values(name):
    """Whatever the records held before, the games are those of fresh records."""
    game = get_game(name)
    simulator, players = Simulator(game), max(game.players)
    strategies = pack_strategies(game, load_strategies(game, ["random"], Path()), players)
    packed = game.kernel.pack_rules(load_variant(game, "base", Path()).rules, players)
    jobs = blank(2, JOB)
    jobs.seed[:] = jobs.deal_seed[:] = (3, 4)
    found = []
    for filled in (False, True):
        room = simulator.room(*strategies)
        for record in room[:3] if filled else ():
            record.view(np.uint8)[:] = 0x55
        rows = simulator.rows(2, players, True, 20_000)
        assert simulator.play_games(packed, room, jobs, rows, 5_000) == 2
        found.append([np.ascontiguousarray(table).tobytes() for table in rows])
    assert found[0] == found[1]


@compiled_entry
def _record_all(state, log, count):
    for number in range(count):
        if number % 2:
            record_outcome(state, log, number, 7, -8)
        else:
            record_chance(state, log, number)


def test_entries_beyond_their_bound_are_refused():
    """No entry is written past the log's list; where none are wanted any number is fine."""
    records = get_game("na-grunwald").records
    state, log = blank(1, records.state)[0], initial_record(records.log)[0]
    log.entry_room = 3
    _record_all(state, log, 4)
    assert log.entry_count == 0
    log.keep_chance = log.keep_outcomes = 1
    _record_all(state, log, 3)
    assert log.entries["code"][:3].tolist() == [0, -2, 2]
    assert log.entries["parts"][:3, :3].tolist() == [[0, 0, 0], [7, -8, 0], [0, 0, 0]]
    with pytest.raises(IndexError, match="more chance outcomes and outcomes"):
        _record_all(state, log, 1)


@pytest.mark.long
def test_a_game_that_only_lists_its_actions_is_played_the_same():
    """Bots choose the same action with and without a list."""
    quick = get_game("na-grunwald")
    listing = dataclasses.replace(quick, name="listing")
    for part in ("kernel", "heuristics"):
        module = getattr(quick, part)
        names = [name for name in dir(module) if name[0] != "_" and name not in QUICKER]
        listing.__dict__[part] = SimpleNamespace(**{name: getattr(module, name) for name in names})
    assert digest(listing) == digest(quick)
