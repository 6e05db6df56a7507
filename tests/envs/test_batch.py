"""Games in batches: the rows of runs, masks, observations, illegal actions, buffers and threads."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pandas.api.types import is_numeric_dtype
from support.runs import play

import balance.envs
from balance.contract.game import find_games, get_game
from balance.contract.records import flat_rows
from balance.foundation.errors import BalanceError
from balance.run import Run

SEED = 5


def finish(games, count):
    """Play random actions until the first `count` games of the series have ended; return their rows by number."""
    games.reset(SEED)
    found = {}
    while len(found) < count:
        before = games.games
        seen = games.step(games.draw_actions())
        if seen.done.any():
            rows, seats = games.rows()
            by_place = seats.reshape(games.n, -1)
            for place in np.flatnonzero(seen.done):
                assert rows[place].game_id == before[place]
                if before[place] < count:
                    found[int(before[place])] = by_place[place]
    return np.concatenate([found[number] for number in sorted(found)])


def same_as_run(path, name, players, lineup, variant="base"):
    """Return whether random actions in a batch give the seat rows of a run with `random` in the agent's place."""
    count = 12
    keys = {"strategies": [], "lineups": [["random", *lineup]]} if lineup else {"strategies": ["random"]}
    keys |= {"players": [players], "variants": [variant], "games": count, "seed": SEED}
    run = Run(play(path / "run", game=name, **keys))
    opponents = {"opponents": lineup} if lineup else {}
    games = balance.envs.batch(name, 5, players=players, variant=variant, **opponents)
    seats = finish(games, count)
    expected = run.seats().sort_values(["game_id", "seat"])
    columns = ["seat", "score", "rank", "win_share", *flat_rows(seats, {}).dtype.names]
    for column in dict.fromkeys(columns):
        if column != "strategy" and is_numeric_dtype(expected.get(column)):
            assert np.array_equal(expected[column].to_numpy(), seats[column]), column
    return True


def test_random_actions_give_the_rows_of_a_run(tmp_path):
    assert same_as_run(tmp_path, "na-grunwald", 4, [])


def test_an_agent_among_opponents_gives_the_rows_of_a_run(tmp_path):
    """The opponents draw from their own streams, and the line-up rotates as in a run."""
    assert same_as_run(tmp_path, "na-grunwald", 3, ["champion", "treasurer"])


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in find_games() if name != "na-grunwald"])
def test_every_game_gives_the_rows_of_a_run(tmp_path, name):
    players = get_game(name).players[0]
    assert same_as_run(tmp_path, name, players, [])
    assert same_as_run(tmp_path / "more", name, players, ["champion"] * (players - 1))


def walk_randomly(games, decisions):
    """Step random actions and check masks, observations, seats and rewards of each step."""
    seen, ended = games.reset(SEED), 0
    for _ in range(-(-decisions // games.n)):
        assert seen.mask.any(1).all(), "no action is legal"
        assert (seen.observation >= games.spaces.low).all(), "an observation is below its space"
        assert (seen.observation <= games.spaces.high).all(), "an observation is above its space"
        actions = games.draw_actions()
        assert seen.mask[np.arange(games.n), actions].all(), "a legal action is not in the mask"
        seen = games.step(actions)
        assert (seen.seat < games.table.players).all()
        assert np.allclose(seen.reward.sum(1), seen.done & ~seen.truncated), "win shares do not sum to 1"
        ended += int(seen.done.sum())
    assert ended, "no game ended"


def test_steps_stay_inside_the_spaces():
    walk_randomly(balance.envs.batch("na-grunwald", 64), 12_800)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "variant"),
    [(name, variant) for name, game in find_games().items() for variant in game.shipped("variants")],
)
def test_a_million_decisions_of_every_variant(tmp_path, name, variant):
    """They stay inside the spaces, and the games are those of a run."""
    counts = get_game(name).players
    players = counts[len(variant) % len(counts)]
    assert same_as_run(tmp_path, name, players, [], variant)
    games = balance.envs.batch(name, 512, players=players, variant=variant)
    walk_randomly(games, 1_000_000)
    assert games.spaces.action_names == balance.envs.spaces_of(name, "base", players).action_names


def test_threads_change_nothing():
    one, two = (balance.envs.batch("na-grunwald", 64, threads=threads) for threads in (1, 2))
    for games in (one, two):
        games.reset(SEED)
    for _ in range(50):
        one.step(one.draw_actions())
        two.step(two.draw_actions())
    two.close()
    assert all(map(np.array_equal, one.seen, two.seen))


def test_buffers_belong_to_the_caller():
    games = balance.envs.batch("na-grunwald", 3)
    first, second = games.make_buffers(), games.make_buffers()
    assert games.reset(SEED, out=first) is first
    kept = [each.copy() for each in first]
    assert games.step(games.draw_actions(), out=second) is second
    assert all(map(np.array_equal, first, kept))
    assert not np.array_equal(first.observation, second.observation)


def test_without_a_seed_games_are_random_at_first_and_then_follow_from_the_seed():
    """Two new batches differ, so parallel rollouts are no copies; after the same seed they go on alike."""
    one, two = balance.envs.batch("na-grunwald", 3), balance.envs.batch("na-grunwald", 3)
    one.reset()
    two.reset()
    assert one.seed != two.seed
    seeds = set()
    for _ in range(3):
        assert one.reset(SEED if not seeds else None) is one.seen
        two.reset(one.seed if not seeds else None)
        assert all(map(np.array_equal, one.seen, two.seen)) and one.seed == two.seed
        seeds.add(one.seed)
    assert len(seeds) == 3


@pytest.mark.parametrize("seed", [-1, 1.5, True, 2**63, 2**64, "1", [1], np.float64(2), np.int64(-1)])
def test_a_wrong_seed_is_refused_and_nothing_is_played(seed):
    games = balance.envs.batch("na-grunwald", 2)
    games.reset(SEED)
    with pytest.raises(BalanceError, match="seed: must be a whole number from 0 to 9,223,"):
        games.reset(seed)
    assert games.seed == SEED


def test_seeds_of_numpy_are_whole_numbers_too():
    games = balance.envs.batch("na-grunwald", 2)
    first = [each.copy() for each in games.reset(SEED)]
    for kind in (np.int64, np.uint8, np.uint64):
        assert all(map(np.array_equal, first, games.reset(kind(SEED))))


def play_on(games, decisions=200):
    """Play random actions; return all that a step shows, and the rows of the last games."""
    found = []
    for _ in range(decisions):
        seen = games.step(games.draw_actions())
        found.append([each.tobytes() for each in seen] + [games.games.tolist()])
    return found, [rows.tolist() for rows in games.rows()]


@pytest.mark.parametrize("opponents", [None, "champion", pytest.param("search-10", marks=pytest.mark.long)])
def test_copies_and_restored_positions_play_the_same_games(opponents):
    """A deep copy, a pickled batch, and the batch itself after `restore`, also in games to come."""
    games = balance.envs.batch("na-grunwald", 3, players=2, opponents=opponents, described=2)
    other = balance.envs.batch("na-grunwald", 3, players=2, opponents=opponents, described=2)
    games.reset(SEED)
    play_on(games, 20)
    copied, pickled = copy.deepcopy(games), pickle.dumps(games)
    position = pickle.loads(pickle.dumps(games.clone()))
    expected = play_on(games)
    for each in (copied, pickle.loads(pickled)):
        assert play_on(each) == expected
    for each in (games, other, games):
        each.restore(position)
        assert play_on(each) == expected and each.seed == SEED


def test_a_position_of_many_threads_continues_in_one():
    two, one = (balance.envs.batch("na-grunwald", 40, threads=threads) for threads in (2, 1))
    two.reset(SEED)
    one.restore(two.clone())
    assert play_on(one, 30) == play_on(two, 30)
    assert play_on(copy.deepcopy(two), 30) == play_on(one, 30)


def test_a_position_of_other_games_is_refused():
    games = balance.envs.batch("na-grunwald", 2, players=2)
    for options in ({"players": 3}, {"variant": "hire-dear"}, {"opponents": "random"}, {"described": 1}):
        other = balance.envs.batch("na-grunwald", 2, **{"players": 2, **options})
        with pytest.raises(BalanceError, match="restore: the position is of other games, rules or"):
            games.restore(other.clone())


def test_idle_games_wait():
    """They carry out nothing, and their random streams stay where they are."""
    games, alone = (balance.envs.batch("na-grunwald", 2, illegal="random") for _ in range(2))
    first = [each.copy() for each in games.reset(SEED)]
    alone.reset(SEED)
    idle = np.array([True, False])
    for _ in range(5):
        seen = games.step(np.array([-1, -1]), idle=idle)  # replaced by a random action in the other game
    assert all(np.array_equal(a[0], b[0]) for a, b in zip(first, seen, strict=True))
    assert not np.array_equal(first[0][1], seen.observation[1])
    assert np.array_equal(games.draw_actions()[:1], alone.draw_actions()[:1])


def test_misuse_gets_one_line():
    games = balance.envs.batch("na-grunwald", 3)
    with pytest.raises(BalanceError, match=r"call reset\(\) before step"):
        games.step(np.zeros(3, int))
    with pytest.raises(BalanceError, match="games: must be 3 whole numbers"):
        games.reset(SEED, games=[1, 2])
    with pytest.raises(BalanceError, match="differ from those of make_buffers"):
        games.reset(SEED, out=games.make_buffers()._replace(mask=np.zeros((3, 7), np.uint8)))
    for name, number in (("n", 0), ("n", 2.0), ("threads", 0), ("described", -1), ("described", True)):
        with pytest.raises(BalanceError, match=f"{name}: must be a whole number of at least ., not "):
            balance.envs.batch("na-grunwald", **{"n": 2, name: number})


def test_observations_contain_nothing_hidden():
    """They are the same after a determinization, and what `Spaces.observe` computes from a bot's simulator."""
    games = balance.envs.batch("na-grunwald", 8)
    seen, changed = games.reset(SEED), 0
    for _ in range(60):
        for place in range(games.n):
            stepper = games.stepper(place)
            other = stepper.copy()
            other.determinize(place)
            changed += stepper.state.tobytes() != other.state.tobytes()
            assert np.array_equal(games.spaces.observe(other), seen.observation[place])
            numbers = [games.spaces.numbers[label] for label in other.options()]
            assert np.array_equal(np.sort(numbers), np.flatnonzero(seen.mask[place]))
        seen = games.step(games.draw_actions())
    assert changed


def test_options_are_described_in_order():
    """The first legal actions have the numbers and features that a bot's simulator gives."""
    games, most = balance.envs.batch("na-grunwald", 4, described=8), 0
    seen = games.reset(SEED)
    assert seen.option_features.shape == (4, 8, len(games.spaces.option_names))
    for _ in range(60):
        for place in range(games.n):
            stepper = games.stepper(place).copy()
            labels, rows = stepper.options(), games.spaces.observe_options(stepper)
            count = min(8, len(labels))
            numbers = [games.spaces.numbers[label] for label in labels[:8]]
            assert seen.option[place].tolist() == numbers + [-1] * (8 - count)
            assert np.array_equal(seen.option_features[place, :count], rows[:8])
            most = max(most, len(labels))
        seen = games.step(games.draw_actions())
    assert most > 8


def test_an_illegal_action_is_an_error_and_nothing_is_played():
    games = balance.envs.batch("na-grunwald", 2)
    seen = games.reset(SEED)
    kept = [each.copy() for each in seen]
    actions = games.draw_actions()
    actions[1] = games.spaces.numbers["hire yes"]
    with pytest.raises(BalanceError, match=r"game 1: action \d+ \('hire yes'\) is not legal \(legal are: pass"):
        games.step(actions)
    assert all(map(np.array_equal, games.seen, kept))
    with pytest.raises(BalanceError, match="action -3 is not legal"):
        games.step(np.array([-3, 0]))
    with pytest.raises(BalanceError, match="must be 2 whole numbers"):
        games.step(np.array([0.5, 1.0]))


def test_an_illegal_action_may_be_replaced():
    games = balance.envs.batch("na-grunwald", 64, illegal="random")
    games.reset(SEED)
    before = [games.stepper(place).state.tobytes() for place in range(games.n)]
    games.step(np.full(64, games.spaces.numbers["hire yes"]))
    assert all(games.stepper(place).state.tobytes() != before[place] for place in range(games.n))


@pytest.mark.parametrize(("reward", "total"), [("win", 1.0), ("rank", 4 / 3 + 2 / 3)])
def test_rewards_at_the_end(reward, total):
    games = balance.envs.batch("na-grunwald", 16, players=4, reward=reward)
    games.reset(SEED)
    while not games.seen.done.any():
        assert not games.step(games.draw_actions()).reward[games.seen.done == 0].any()
    place = int(games.seen.done.argmax())
    rows = games.rows()[1].reshape(16, 4)[place]
    expected = rows.win_share if reward == "win" else (4 - rows["rank"]) / 3
    assert np.allclose(games.seen.reward[place], expected)
    if len(set(rows["rank"].tolist())) == 4:
        assert np.isclose(games.seen.reward[place].sum(), total)


def test_a_truncated_game_has_no_winner():
    games = balance.envs.batch("na-grunwald", 4, decision_limit=20)
    games.reset(SEED)
    while not games.seen.done.any():
        games.step(games.draw_actions())
    assert np.array_equal(games.seen.truncated, games.seen.done)
    assert not games.seen.reward.any()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"variant": "hire-deer"}, "did you mean 'hire-dear'"),
        ({"players": 7}, r"unknown player count of na-grunwald '7' \(there are: 2, 3, 4\)"),
        ({"reward": "money"}, "unknown reward 'money'"),
        ({"illegal": "ignore"}, "unknown value of illegal 'ignore'"),
        ({"opponents": "chimpion"}, "did you mean 'champion'"),
        ({"opponents": ["random"]}, "name 1 strategy or 3, one for each other seat, not 1"),
        ({"seat": 1}, "name opponents, or leave out seat"),
        ({"opponents": "random", "seat": 4}, "seat: must be a whole number from 0 to 3, not 4"),
        ({"opponents": "random", "seat": 1.0}, "seat: must be a whole number from 0 to 3, not 1.0"),
        ({"decision_limit": -5}, "decision_limit: must be a whole number from 1 to 1,000,000, not -5"),
        ({"decision_limit": 2.5}, "decision_limit: must be a whole number"),
    ],
)
def test_bad_options_get_one_line(options, text):
    with pytest.raises(BalanceError, match=text):
        balance.envs.batch("na-grunwald", 2, **options)


def test_bots_in_python_are_refused(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("class Mine:\n    def choose(self, observation, actions):\n        return 0\n")
    with pytest.raises(BalanceError, match="Mine is a bot in Python"):
        balance.envs.batch("na-grunwald", 2, opponents=f"{bot}:Mine")


def test_an_agent_may_keep_its_seat():
    games = balance.envs.batch("na-grunwald", 4, players=3, opponents="random", seat=2)
    games.reset(SEED)
    for _ in range(100):
        assert (games.step(games.draw_actions()).seat == 2).all()


@pytest.mark.long
def test_searchers_play_as_in_a_run(tmp_path):
    """A searcher's random stream continues from decision to decision of its own game."""
    assert same_as_run(tmp_path, "na-grunwald", 2, ["search-20"])


def test_base_installation_needs_no_gymnasium():
    """The command line and `import balance` load no library for environments."""
    code = "import sys, balance.cli.commands; print({'gymnasium', 'pettingzoo', 'balance.envs'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path.cwd())
    assert done.stdout.strip() == "set()", done.stderr
