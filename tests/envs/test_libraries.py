"""The environments of Gymnasium and PettingZoo, with the libraries' own tests."""

import copy
import pickle
from pathlib import Path

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers
from pettingzoo.test import api_test, render_test, seed_test

import balance.envs
from balance import report
from balance.envs import rendering
from balance.foundation.errors import BalanceError

SEED = 5


def make_turns(**options):
    return pettingzoo.make("aec", "balance/na-grunwald-v0", **{"players": 4, **options})


@pytest.mark.filterwarnings("ignore:Observation")  # two warnings that it is a dict, with the mask
def test_pettingzoo_api(capsys):
    api_test(make_turns(), num_cycles=60)


def test_pettingzoo_seeds():
    seed_test(make_turns, num_cycles=40)


def test_pettingzoo_rendering(capsys):
    render_test(make_turns)
    assert "Crown knights" in capsys.readouterr().out


COLOURS = ((0, 114, 178), (198, 106, 0))  # of the first two seats in replays


@pytest.mark.parametrize(
    "name",
    ["na-grunwald", *(pytest.param(name, marks=pytest.mark.long) for name in ("polska", "grody", "korona-piastow"))],
)
def test_an_image_is_the_board_of_a_replay(name):
    """It has the signs of the seats in their colours, shows each position, and cuts nothing off."""
    env = pettingzoo.make("aec", f"balance/{name}-v0", render_mode="rgb_array")
    env.reset(seed=SEED)
    images = []
    for _ in range(2):
        images.append(env.render())
        for _ in range(12):
            env.step(int(np.flatnonzero(env.last()[4]["action_mask"])[-1]))
    assert images[0].shape == (1000, 1000, 3) and images[0].dtype == np.uint8
    assert (images[0] != images[1]).any()
    paper = images[0][0, 0]
    for edge in (images[0][:8], images[0][-8:], images[0][:, :8], images[0][:, -8:]):
        assert (edge == paper).all()
    for colour in COLOURS:
        assert (images[0] == colour).all(2).any()


def test_an_image_has_the_signs_of_a_page():
    """The colours of the seats and the shapes of the pawns are those of replays."""
    templates = Path(report.__file__).parent / "templates"
    style = (templates / "replay.css").read_text(encoding="utf-8")
    page = (templates / "replay.html.jinja").read_text(encoding="utf-8")
    for seat, colour in enumerate(rendering.SEATS):
        assert style.startswith(":root") and f"--s{seat}: {colour};" in style.partition("@media")[0]
    for name, (width, shape) in rendering.PAWNS.items():
        (symbol,) = [line for line in page.splitlines() if f'<symbol id="{name}"' in line]
        assert f'viewBox="0 0 {width} ' in symbol and shape in symbol


def play_turns(env, rng):
    """Play a game at random and return the rewards that `last` reports at the end."""
    rewards = {}
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, info = env.last()
        assert np.array_equal(seen["action_mask"], info["action_mask"])
        if terminated or truncated:
            rewards[agent] = reward
            env.step(None)
        else:
            assert seen["action_mask"].any()
            assert seen in env.observation_space(agent)
            env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return rewards


def test_every_seat_is_an_agent_and_gets_its_reward():
    env, rng = make_turns(players=3), np.random.default_rng(SEED)
    for seed in range(3):
        env.reset(seed=seed)
        assert env.last(observe=False)[0] is None
        assert env.action_space("seat_1") is env.action_space("seat_1")
        rewards = play_turns(env, rng)
        assert set(rewards) == {"seat_0", "seat_1", "seat_2"} and np.isclose(sum(rewards.values()), 1)
        assert env.agents == []


def test_a_game_that_is_over_can_be_rendered():
    env = make_turns(render_mode="ansi")
    env.reset(seed=SEED)
    while not any(env.terminations.values()):
        env.step(int(np.flatnonzero(env.last()[4]["action_mask"])[0]))
    assert "the game is over" in env.render()


def test_a_truncated_game_is_truncated_for_all():
    env = make_turns(decision_limit=10)
    env.reset(seed=SEED)
    rewards = play_turns(env, np.random.default_rng(SEED))
    assert list(rewards.values()) == [0.0] * 4


def test_gymnasium_checker(capsys):
    env = gymnasium.make(
        "balance/NaGrunwald-v0", players=4, variant="hire-dear", opponents="champion", illegal="random"
    )
    check_env(env.unwrapped)


def test_a_single_agent_plays_to_the_end():
    env = gymnasium.make("balance/NaGrunwald-v0", players=4, opponents="champion")
    _, info = env.reset(seed=SEED)
    ended, reward = False, 0.0
    while not ended:
        assert np.array_equal(info["action_mask"], env.unwrapped.action_masks()) and reward == 0.0
        _, reward, ended, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert not truncated
    with pytest.raises(BalanceError, match="call reset"):
        env.unwrapped.step(0)


def test_the_vector_environment_plays_the_same_games():
    """Game i of a vector environment is game i of the series that a single environment resets through."""
    single = gymnasium.make("balance/NaGrunwald-v0", players=2, opponents="champion").unwrapped
    many = gymnasium.make_vec("balance/NaGrunwald-v0", num_envs=3, players=2, opponents="champion")
    seen, infos = many.reset(seed=SEED)
    for place in range(3):
        first, info = single.reset(seed=SEED if place == 0 else None)
        assert np.array_equal(first, seen[place])
        assert np.array_equal(info["action_mask"], infos["action_mask"][place])
    rewards, ended = np.zeros(3), np.zeros(3, bool)
    while not ended.any():
        seen, rewards, ended, _, infos = many.step(infos["action_mask"].argmax(1))
        assert seen in many.observation_space
    assert (rewards[~ended] == 0).all()
    many.close()


def make_seat(**options):
    return gymnasium.make("balance/NaGrunwald-v0", **{"players": 2, "opponents": "champion", **options})


def make_seats(num_envs=3, **options):
    options = {"players": 2, "opponents": "champion", **options}
    return gymnasium.make_vec("balance/NaGrunwald-v0", num_envs=num_envs, **options)


@pytest.mark.parametrize("make", [make_turns, make_seat, make_seats])
def test_without_a_seed_two_environments_differ_and_a_seed_settles_what_follows(make):
    """Rollouts in parallel are no copies. After a seeded reset, later ones without a seed are the same again."""
    seeds = []
    for _ in range(2):
        env = make()
        env.reset()
        seeds.append(env.unwrapped.batch.seed)
    assert len(set(seeds)) == 2
    runs = []
    for _ in range(2):
        env, found = make(), []
        env.reset(seed=np.int64(SEED))
        for _ in range(3):
            found.append(env.unwrapped.batch.clone())
            env.reset()
        runs.append(found)
    for one, two in zip(*runs, strict=True):
        assert one.seed == two.seed and all(map(np.array_equal, one.seen, two.seen))
    deals = [position.seen.observation for position in runs[0]]
    assert not np.array_equal(deals[0], deals[1]) and not np.array_equal(deals[1], deals[2])


@pytest.mark.parametrize("make", [make_turns, make_seat, make_seats])
@pytest.mark.parametrize("seed", [-1, 1.5, True, 2**64])
def test_a_wrong_seed_is_one_clear_error(make, seed):
    with pytest.raises(BalanceError, match=r"seed: must be a whole number from 0 to 9,223,.*, not "):
        make().reset(seed=seed)


def play_steps(env, steps):
    """Take the first legal action again and again, with resets at the end; return all that the steps return."""
    found = []
    for _ in range(steps):
        if isinstance(env.unwrapped, pettingzoo.AECEnv):
            if not env.agents:
                env.reset()
            *shown, info = env.last()
            over = shown[2] or shown[3]
            env.step(None if over else int(info["action_mask"].argmax()))
            found.append([env.agents[:], *shown, info])
        else:
            step = env.step(env.unwrapped.action_masks().argmax(-1))
            found.append([*step, env.unwrapped.action_masks()])
            if isinstance(env.unwrapped, gymnasium.Env) and (step[2] or step[3]):
                found.append(env.reset())
    return copy.deepcopy(found)


@pytest.mark.parametrize("make", [make_turns, make_seat, make_seats, lambda: make_seats(autoreset_mode="NextStep")])
def test_copies_and_restored_positions_go_on_alike(make):
    """A deep copy, a pickled environment, and the environment itself after `restore`, beyond the end of a game."""
    env = make()
    env.reset(seed=SEED)
    play_steps(env, 25)
    copied, pickled, position = copy.deepcopy(env), pickle.dumps(env), env.unwrapped.clone()
    expected = play_steps(env, 150)
    for other in (copied, pickle.loads(pickled)):
        assert data_equivalence(play_steps(other, 150), expected)
    for _ in range(2):
        env.unwrapped.restore(position)
        assert data_equivalence(play_steps(env, 150), expected)


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
@pytest.mark.parametrize("limit", [100_000, 9])
def test_games_are_replaced_as_gymnasium_replaces_them(mode, limit):
    """All that steps return is what Gymnasium's own vector environment makes of `SeatEnv`, also of truncated games."""
    own = make_seats(1, autoreset_mode=mode, decision_limit=limit)
    other = SyncVectorEnv([lambda: make_seat(decision_limit=limit).unwrapped], autoreset_mode=mode)
    assert own.metadata["autoreset_mode"] is mode
    both = own.reset(seed=SEED), other.reset(seed=[SEED])
    ended = 0
    for _ in range(120):
        (seen, *results, infos), (other_seen, *other_results, other_infos) = both[0], both[1]
        assert np.array_equal(seen, other_seen) and list(map(list, results)) == list(map(list, other_results))
        assert infos.keys() == other_infos.keys()
        for name, value in infos.items():
            if name == "final_obs":
                assert np.array_equal(value[0], other_infos[name][0])
            elif name == "final_info":
                for key, each in value.items():
                    assert np.array_equal(each, other_infos[name][key])
            else:
                assert np.array_equal(value, other_infos[name])
        action = infos["action_mask"].argmax(1)
        both = own.step(action), other.step(action)
        ended += bool(both[0][2][0] or both[0][3][0])
    assert ended > 2


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_gymnasiums_wrappers_count_games(mode):
    """Returns and lengths of games are those of the same games one by one, and infos are those of each game."""
    env = wrappers.DictInfoToList(wrappers.RecordEpisodeStatistics(make_seats(3, autoreset_mode=mode)))
    _, infos = env.reset(seed=SEED)
    found = {}
    while len(found) < 3:
        masks = [info["action_mask"] for info in infos]
        _, _, ended, _, infos = env.step(np.array([mask.argmax() for mask in masks]))
        for place in np.flatnonzero(ended):
            episode = infos[place]["episode"]
            found.setdefault(int(place), (float(episode["r"]), int(episode["l"])))
            assert ("final_info" in infos[place]) == (mode == "SameStep")
    single, expected = make_seat(), {}
    for game in range(3):
        _, info = single.reset(seed=None if game else SEED)
        ended, length, reward = False, 0, 0.0
        while not ended:
            _, reward, ended, _, info = single.step(int(info["action_mask"].argmax()))
            length += 1
        expected[game] = (float(reward), length)
    assert found == expected


def test_wrappers_that_need_the_next_step_accept_it():
    """They refuse environments that replace games in the same step."""
    env = wrappers.NormalizeReward(wrappers.NormalizeObservation(make_seats(autoreset_mode="NextStep")))
    env.reset(seed=SEED)
    for _ in range(30):
        seen, *_ = env.step(env.unwrapped.action_masks().argmax(1))
    assert seen in env.observation_space
    with pytest.raises(ValueError, match="NEXT_STEP"):
        wrappers.NormalizeObservation(make_seats())


def test_an_unknown_autoreset_mode_is_one_clear_error():
    with pytest.raises(BalanceError, match=r"autoreset_mode 'Disabled' \(there are: NextStep, SameStep\)"):
        make_seats(autoreset_mode=AutoresetMode.DISABLED)


def test_names_of_all_games():
    for name in ("Grody", "KoronaPiastow", "NaGrunwald", "Polska", "OwnGame"):
        assert f"balance/{name}-v0" in gymnasium.registry
    for name in ("grody", "korona-piastow", "na-grunwald", "polska", "own-game"):
        assert f"balance/{name}-v0" in pettingzoo.aec_registry


def test_registering_twice_changes_nothing():
    before = dict(gymnasium.registry)
    balance.envs.register_all()
    assert gymnasium.registry == before
