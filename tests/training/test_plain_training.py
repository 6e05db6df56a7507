"""Players of a game in plain Python that learn from its rules alone: what they see, what they learn, their files."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.errors import refused
from support.own_game import write, write_untrained

from balance.contract.game import get_game
from balance.experiments.networks import EXPLOITER, Gain, find_network
from balance.experiments.strategies import load_strategy
from balance.experiments.variants import load_variant
from balance.plain.chance import Chance
from balance.plain.copying import copy_state
from balance.plain.inputs import Inputs, Reader, freeze, parts_of, split_label
from balance.plain.learned import ARRAYS, weights_of
from balance.runs.workers import Threads
from balance.training import plain_inputs, plain_selfplay, plain_strength, plain_training
from balance.training.plain_fit import Aim, add_gradient, find_chances, find_gains
from balance.training.plain_inputs import Decision, find_inputs, infer, play_at_random, spread_evenly, spread_options
from balance.training.plain_play import Board
from balance.training.plain_selfplay import Segment, mean_of, play_segment
from balance.training.plain_strength import EXPLOITED, OLDER, Strength, write_strength
from balance.training.plain_training import train_learned
from balance.training.settings import LearnedTraining

NIM = """
from balance.plain import PlainGame, RuleSet


class Rules(RuleSet):
    stones: int


class State:
    def __init__(self, rules, players):
        self.rules, self.players, self.seat, self.left, self.last = rules, players, 0, rules.stones, -1


class Take(PlainGame):
    title = "Take"
    players = (2,)
    Rules = Rules

    def setup(self, rules, players, chance):
        return State(rules, players)

    def actions(self, state):
        return [f"take {n}" for n in range(1, min(3, state.left) + 1)]

    def apply(self, state, action, chance):
        state.left -= int(action.split()[1])
        state.last, state.seat = state.seat, 1 - state.seat

    def over(self, state):
        return state.left == 0

    def scores(self, state):
        return [int(state.last == seat) for seat in range(2)]
"""


def write_take(folder: Path) -> Path:
    """Write a game in which players take one to three of eleven stones, and the last stone wins."""
    path = folder / "take"
    (path / "variants").mkdir(parents=True)
    (path / "game.py").write_text(NIM, encoding="utf-8")
    base = 'title = "Take"\ndescription = "Eleven stones."\nstones = 11\n'
    (path / "variants" / "base.toml").write_text(base, encoding="utf-8")
    return path


def schema_of(path: Path, players: int = 2) -> dict[str, Any]:
    game = get_game(str(path))
    return find_inputs(game, load_variant(game, "base", Path()).rules, players)


@pytest.fixture(scope="module")
def duel(tmp_path_factory) -> Path:
    """Return the folder of the draft."""
    return write(tmp_path_factory.mktemp("games"))


@pytest.fixture(scope="module")
def duel_schema(duel) -> dict[str, Any]:
    """Return what two players of the draft see."""
    return schema_of(duel)


def named(node: dict[str, Any], value: Any, seat: int = 0, players: int = 2) -> set[str]:
    """Return the names of the columns that a value has."""
    reader = Reader(node, players)
    return {reader.names[each] for each in reader.read(value, seat)[0]}


def test_numbers_are_steps_and_words_are_categories():
    node = infer([({"coins": n % 4, "place": "north" if n % 2 else "south"}, 0) for n in range(8)], 2)
    assert named(node, {"coins": 2, "place": "north"}) == {"coins ≥ 1", "coins ≥ 2", "coins = 2", "place = north"}


def test_a_list_by_seat_begins_with_the_own_seat():
    node = infer([({"points": [n % 3, n % 4 + 5]}, n % 2) for n in range(12)], 2)
    assert "points of the own seat ≥ 8" in named(node, {"points": [2, 8]}, seat=1)
    assert "points of seat + 1 ≥ 7" in named(node, {"points": [2, 8]}, seat=0)


def test_a_hand_is_counted_and_its_cards_have_parts():
    hands = [["7h", "9h"], ["7h", "7h", "9s"], ["9s"], []]
    found = named(infer([({"hand": hand}, 0) for hand in hands], 4), {"hand": ["7h", "7h", "9s"]})
    assert {"hand has 2 × 7h", "hand part 2 has 2 × h", "hand part 1 has 1 × 9", "number of hand ≥ 3"} <= found


def test_what_is_hidden_is_only_counted(duel, duel_schema):
    """Two positions that a seat can't tell apart have the same columns."""
    game = get_game(str(duel))
    inputs = Inputs(duel_schema, 2)
    rules = load_variant(game, "base", Path()).rules
    position = game.author.setup(rules, 2, Chance(3))
    other = game.author.guess(copy_state(position), 0, Chance(9))
    assert other.hands[1] != position.hands[1]
    actions = game.author.actions(position)
    assert inputs.describe(game.author, position, actions) == inputs.describe(game.author, other, actions)
    assert not duel_schema["open"] and not duel_schema["looks_ahead"]


def test_words_of_an_action_are_compared_with_the_position(duel_schema):
    """How many cards of the hand are lower, and whether the card is above the one on the table, nobody wrote down."""
    assert {"play 1: below × 1 in hands of the own seat", "play 1: same × 2 in hands of the own seat"} <= set(
        Inputs(duel_schema, 2).action
    )
    assert split_label("play 7h on 3") == {
        "label": "play 7h on 3", "kind": "play", "play 1": "7h", "play 2": "on", "play 3": 3, "words": ["7h", "on", 3],
    }  # fmt: skip
    assert parts_of("10h") == (10, "h") and parts_of("north") == ()


def test_no_column_is_constant_and_no_two_are_equal(duel, duel_schema):
    game, inputs = get_game(str(duel)), Inputs(duel_schema, 2)
    rules, rows = load_variant(game, "base", Path()).rules, []
    for seed in range(300):
        chance = Chance(seed)
        state = game.author.setup(rules, 2, chance)
        while not game.author.over(state):
            actions = game.author.actions(state)
            row = np.zeros(len(inputs.context), bool)
            row[inputs.describe(game.author, state, actions).context] = True
            rows.append(row)
            game.author.apply(state, actions[chance.below(len(actions))], chance)
    table = np.array(rows)
    shares = table.mean(axis=0)
    assert ((shares > 0) & (shares < 1)).all()
    assert len({column.tobytes() for column in table.T}) == table.shape[1]


def test_a_copy_of_a_state_changes_independently():
    """Lists, dicts, sets and objects; what is there twice stays one thing."""

    @dataclass
    class Position:
        hands: list[list[int]]
        known: dict[str, set[int]]
        same: Any = None

    state = Position([[1], [2]], {"a": {3}})
    state.same = state.hands[0]
    copied = copy_state(state)
    assert copied == state and copied.same is copied.hands[0]
    copied.hands[0].append(9)
    copied.known["a"].add(4)
    assert state.hands == [[1], [2]] and state.known == {"a": {3}}


def test_equal_positions_freeze_to_equal_tuples():
    assert freeze({"b": [1, {2, 3}], "a": None}) == freeze({"a": None, "b": [1, {3, 2}]})


@pytest.mark.slow
def test_a_gradient_is_the_slope_of_the_loss(duel, duel_schema):
    """Finite differences of the clipped loss with entropy and pull, in every array."""
    game, inputs = get_game(str(duel)), Inputs(duel_schema, 2)
    board = Board(game, load_variant(game, "base", Path()).rules, 2, inputs)
    rng = np.random.default_rng(1)
    weights = {name: each.astype("f8") for name, each in board.first_weights(rng).items()}
    weights["out"] *= 4
    played = board.play([board.first_weights(rng)], np.zeros((6, 2), int), 4)
    batch, count = played.batch, len(played.taken)
    magnet = np.empty(len(batch.rows), np.float32)
    find_chances(weights_of(board.first_weights(rng)), batch, magnet)
    now = np.empty(len(batch.rows), np.float32)
    find_chances(weights_of({name: each.astype("f4") for name, each in weights.items()}), batch, now)
    first = batch.option_first
    gain = rng.normal(size=count).astype("f4")
    aim = Aim(played.taken, now[first[:-1] + played.taken], gain, magnet)

    def loss() -> float:
        chances = np.empty(len(batch.rows), np.float64)
        find_chances(weights_of(weights), batch, chances)
        total = 0.0
        for n in range(count):
            own, near = chances[first[n] : first[n + 1]], magnet[first[n] : first[n + 1]]
            total -= gain[n] * own[aim.taken[n]] / aim.before[n]
            total += (0.1 * own * np.log(own)).sum() + (0.3 * own * np.log(own / near)).sum()
        return total / count

    slopes = {name: np.zeros(each.shape, "f4") for name, each in weights.items()}
    single = {name: each.astype("f4") for name, each in weights.items()}
    add_gradient(weights_of(single), batch, np.arange(count), aim, np.float32(0.1), np.float32(0.3), weights_of(slopes))
    for name in ARRAYS[:4]:
        index = np.unravel_index(np.abs(slopes[name]).argmax(), slopes[name].shape)
        kept, step = weights[name][index], 1e-3
        ends = []
        for end in (kept + step, kept - step):
            weights[name][index] = end
            ends.append(loss())
        weights[name][index] = kept
        assert slopes[name][index] == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=0.05, abs=1e-4), name


def test_gains_are_what_a_seat_wins_above_its_value():
    """Two choices of seat 0 and one of seat 1; a gain fades by half."""
    game, seat = np.zeros(3, int), np.array([0, 1, 0], np.int32)
    values, rewards = np.array([0.5, 0.4, 0.7], "f4"), np.array([[1.0, 0.0]])
    gains, targets = np.empty(3, "f4"), np.empty(3, "f4")
    find_gains(game, seat, values, rewards, 0.5, gains, targets)
    assert gains == pytest.approx([0.2 + 0.5 * 0.3, -0.4, 0.3])
    assert targets == pytest.approx(gains + values)


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> tuple[Path, Strength]:
    """Return a file of players of the game of eleven stones, and their strength."""
    folder = tmp_path_factory.mktemp("take")
    out = folder / "expert.toml"
    training = LearnedTraining(str(write_take(folder)), "base", (), 60, seed=1, networks=2)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(plain_selfplay, "CHOICES", 1000)
        return out, train_learned(training, out, workers=Threads(1))[2]


@pytest.mark.slow
def test_a_small_game_is_solved(trained):
    """Leave a multiple of four: with eleven stones the first player takes three and wins."""
    out, strength = trained
    game = get_game(str(out.parent / "take"))
    network = find_network(game, str(out), Path())
    strategy = load_strategy(game, str(out), Path())
    assert strategy.networks(2) == 2 and network.temperature == 0
    from balance.experiments.learned import make_players

    rules = load_variant(game, "base", Path()).rules
    for player in make_players(network.inputs, network.weights["2"], "2"):
        state = game.author.setup(rules, 2, Chance(1))
        for left in (11, 10, 9, 7, 6, 5, 3, 2, 1):
            state.left = left
            actions = game.author.actions(state)
            scores = player.weigh(game.author, state, actions)
            assert actions[int(np.argmax(scores))] == f"take {left % 4}", left
    assert strength.weak == []
    assert {each.who: each.low > 10 for each in strength.met}["random"]


@pytest.mark.slow
def test_its_file_says_how_strong_the_players_are(trained):
    out, strength = trained
    stored = find_network(get_game(str(out.parent / "take")), str(out), Path()).training["strength"]["2"]
    assert stored["unit"] == "points" and stored["weak"] == []
    assert list(stored["gains"]) == ["random", "search-50", "themselves half way", "perfect"]
    assert stored["gains"]["random"][3] == 2000
    assert stored["perfect"] == [0.0, 0.0] and strength.exploiter.value == 0


@pytest.mark.slow
def test_they_play_search_and_resume_as_other_networks(trained, tmp_path, cli):
    """In a run that is extended and verified, and as the prior of a searcher."""
    out, _ = trained
    game = out.parent / "take"
    (game / "networks").mkdir(exist_ok=True)
    for path in (out, out.with_suffix(".npz")):
        (game / "networks" / path.name).write_bytes(path.read_bytes())
    run = tmp_path / "run"
    cli(
        f"run --game {game} --strategies expert,expert-search-4,random --players 2 --games 24 --workers 1 --quiet",
        *("--out", run),
        status=0,
    )
    cli(f"run --resume {run} --games 48 --quiet --workers 1", status=0)
    cli(f"verify {run}", status=0)
    cli(f"replay {run} 0", status=0)
    search = load_strategy(get_game(str(game)), "expert-search-4", Path()).search
    assert search and search.switches.network_playouts and search.switches.network_prior


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
def test_weak_players_say_nothing_about_seats(trained, tmp_path, cli):
    """The page withholds the verdict on seats, and says why."""
    out, _ = trained
    text = out.read_text(encoding="utf-8")
    weak = tmp_path / "weak.toml"
    weak.write_text(text.replace("weak = []", 'weak = ["random"]'), encoding="utf-8")
    weak.with_suffix(".npz").write_bytes(out.with_suffix(".npz").read_bytes())
    weak.write_text(weak.read_text(encoding="utf-8").replace("expert.npz", "weak.npz"), encoding="utf-8")
    run, page = tmp_path / "run", tmp_path / "page"
    cli(
        f"run --game {out.parent / 'take'} --strategies {weak},random --players 2 --games 60 --workers 1 --quiet",
        *("--out", run),
        status=0,
    )
    cli(f"report {run} --out {page}", status=0)
    shown = (page / "report.md").read_text(encoding="utf-8")
    assert "these players are weak: verdicts about seats are not shown as the rules'" in shown
    assert "they lose to random" in shown
    assert "| Seats fair" not in shown or "held" in shown


@pytest.mark.parametrize(("gained", "exploited", "says"), [(12.0, 11.9, True), (4.0, 11.9, False), (12.0, 4.0, False)])
def test_weak_players_that_still_learn_are_trained_longer(gained, exploited, says):
    """Strong ones need not, and those that gain no more would stay weak."""
    met = [Gain(OLDER, gained, gained - 2, gained + 2, 2000, False)]
    exploiter = Gain(EXPLOITER, exploited, exploited - 2, exploited + 2, 2000, False)
    lines = write_strength(3, Strength(met, exploiter, (), None, EXPLOITED))
    assert ("train longer, with more --steps" in lines[-1]) == says


CLIMB = """
from balance.plain import LOST, WON, PlainGame, RuleSet


class Rules(RuleSet):
    pass


class State:
    def __init__(self):
        self.seat, self.turn, self.steps = 0, 0, 0


class Climb(PlainGame):
    title = "Climb"
    players = (2,)
    Rules = Rules

    def setup(self, rules, players, chance):
        return State()

    def actions(self, state):
        return ["rest", "climb", "slip"]

    def apply(self, state, action, chance):
        state.steps += action == "climb"
        state.turn += 1
        state.seat = 1 - state.seat

    def over(self, state):
        return state.turn == 12

    def outcome(self, state):
        return WON if state.steps == 12 else LOST

    def scores(self, state):
        return [state.steps]
"""


@pytest.mark.slow
@pytest.mark.parametrize("close", [plain_selfplay.CLOSE, 0.0])
def test_a_table_that_hardly_ever_wins_learns_from_its_score(close, tmp_path, monkeypatch):
    """Random players win one game of 531,441; wins alone would teach nothing."""
    monkeypatch.setattr(plain_selfplay, "CLOSE", close)
    path = tmp_path / "climb"
    (path / "variants").mkdir(parents=True)
    (path / "game.py").write_text(CLIMB, encoding="utf-8")
    (path / "variants" / "base.toml").write_text('title = "Climb"\ndescription = "Twelve steps."\n', encoding="utf-8")
    game, schema = get_game(str(path)), schema_of(path)
    rules = load_variant(game, "base", Path()).rules.model_dump_json()
    state = play_segment((Segment(game, 2, json.dumps(schema), rules, 1, 0, 20, 20), None))
    board = Board(game, None, 2, Inputs(schema, 2))
    won = board.play([mean_of(state)], np.zeros((100, 2), int), 1).rewards[:, 0].mean()
    assert (won > 0.5) == (close > 0), won


def test_no_file_makes_players_look_at_what_is_hidden(duel, duel_schema):
    """A schema that calls the game open changes nothing."""
    game, rules = get_game(str(duel)), load_variant(get_game(str(duel)), "base", Path()).rules
    position = game.author.setup(rules, 2, Chance(3))
    other = game.author.guess(copy_state(position), 0, Chance(9))
    sly = Inputs({**duel_schema, "open": True, "looks_ahead": True, "after_kept": [*range(200)]}, 2)
    actions = game.author.actions(position)
    assert sly.describe(game.author, position, actions) == sly.describe(game.author, other, actions)


@pytest.mark.parametrize(
    "strength", [None, 3, {"2": 4}, {"2": {"gains": {}, "weak": "no"}}, {"2": {"gains": 1, "weak": [2]}}]
)
def test_a_strange_strength_in_a_file_is_none(strength, tmp_path):
    game = write_take(tmp_path)
    network = find_network(get_game(str(game)), str(write_untrained(tmp_path / "own.toml", game)), Path())
    assert network.model_copy(update={"training": {"strength": strength}}).weak(2) == []


def test_actions_of_many_decisions_are_spread_as_one_list():
    """Without making the list: a board has thousands of actions in each decision."""
    decisions = [Decision(None, None, 0, [f"{number} {n}" for n in range(number % 5)]) for number in range(40)]
    things = [(each, label) for each in decisions for label in each.actions]
    for most in (1, 7, 30, 79, 80, 1_000):
        assert spread_options(decisions, most) == spread_evenly(things, most)


def test_many_actions_end_the_random_games_early(duel, monkeypatch):
    game = get_game(str(duel))
    rules = load_variant(game, "base", Path()).rules
    monkeypatch.setattr(plain_inputs, "MOST_OPTIONS", 100)
    seen = play_at_random(game.guarded, rules, 2)
    assert 100 <= seen.options < 200 and seen.games < 20


def test_what_players_see_is_listed(tmp_path, cli):
    printed = cli(f"games {write_take(tmp_path)} --inputs", status=0).output
    assert "left ≥ 4" in printed and "then left ≥ 4" in printed and "take 1 ≥ 2" in printed
    assert cli("games na-grunwald --inputs").exit_code == 2


@pytest.mark.slow
def test_a_killed_training_has_the_same_result(tmp_path, monkeypatch):
    """Killed in the second segment, and played in other processes or not."""
    game = str(write_take(tmp_path))
    training = LearnedTraining(game, "base", (2,), 10, seed=5, networks=2)
    monkeypatch.setattr(plain_inputs, "GAMES", 20)
    for name in ("MEASURED", "GLIMPSED", "MEASURED_SEARCH"):
        monkeypatch.setattr(plain_strength, name, 8)
    monkeypatch.setattr(plain_selfplay, "CHOICES", 200)
    train_learned(training, tmp_path / "one.toml", workers=Threads(1))
    whole, segment = (tmp_path / "one.npz").read_bytes(), plain_training.play_segment
    calls = []

    def killed(task: Any) -> Any:
        calls.append(task)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return segment(task)

    with monkeypatch.context() as patched:
        patched.setattr(plain_training, "play_segment", killed)
        with pytest.raises(KeyboardInterrupt):
            train_learned(training, tmp_path / "two.toml", workers=Threads(1))
    with refused("belongs to another training"):
        train_learned(
            LearnedTraining(game, "base", (2,), 10, seed=6, networks=2), tmp_path / "two.toml", workers=Threads(1)
        )
    train_learned(training, tmp_path / "two.toml", workers=Threads(1))
    assert (tmp_path / "two.npz").read_bytes() == whole
    assert not (tmp_path / "two.toml.work").exists()


@pytest.mark.parametrize(
    "damage",
    [
        {"position": {"is": "eval", "of": []}},
        {"position": {"is": "all", "of": "x"}},
        {"position_kept": [10**9]},
        {"matches": [[99, 99, [["same", 1]]]]},
        {"table": "?"},
        [],
    ],
)
def test_a_damaged_schema_is_refused_in_one_line(damage, tmp_path):
    folder = write_take(tmp_path)
    path = write_untrained(tmp_path / "own.toml", folder)
    arrays = dict(np.load(path.with_suffix(".npz")))
    schema = json.loads(arrays["2/inputs"].tobytes())
    broken = {**schema, **damage} if isinstance(damage, dict) else damage
    arrays["2/inputs"] = np.frombuffer(json.dumps(broken).encode(), "u1")
    np.savez_compressed(path.with_suffix(".npz"), **arrays)
    with refused("damaged", "2 players"):
        load_strategy(get_game(str(folder)), str(path), Path())


def test_weights_of_another_size_are_refused(tmp_path):
    folder = write_take(tmp_path)
    path = write_untrained(tmp_path / "own.toml", folder)
    arrays = dict(np.load(path.with_suffix(".npz")))
    arrays["2/out"] = arrays["2/out"][..., :-1]
    np.savez_compressed(path.with_suffix(".npz"), **arrays)
    with refused("numbers, must be"):
        load_strategy(get_game(str(folder)), str(path), Path())


def test_a_network_of_another_game_is_refused(duel, tmp_path):
    path = write_untrained(tmp_path / "own.toml", write_take(tmp_path))
    with refused("is for Take, not for Duel"):
        load_strategy(get_game(str(duel)), str(path), Path())


def test_whom_they_are_measured_against_is_read_before_they_learn(tmp_path, monkeypatch):
    """Such as the profile of the draft, once the rules of the draft are replaced."""
    folder = write_take(tmp_path)
    (folder / "profiles").mkdir()
    (folder / "profiles" / "careful.toml").write_text(
        'title = "Careful"\ndescription = ""\nweights = { beats = 4.0 }\n'
    )
    monkeypatch.setattr(plain_training, "find_inputs", None)
    with refused("has no FEATURES that a profile could weigh; write them, or remove its profiles"):
        train_learned(LearnedTraining(str(folder), "base", ()), tmp_path / "own.toml")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("train network --game {game} --rounds 2 --out {out}", "--rounds is for games that ship"),
        ("train join --game {game} {own} {own} --out {out}", "trained and measured together"),
        ("exploit --game {game} --start {own} random", "learns only against itself"),
    ],
)
def test_what_such_networks_can_not_do_is_said_in_a_line(command, words, tmp_path, cli):
    game = write_take(tmp_path)
    own = write_untrained(tmp_path / "own.toml", game)
    result = cli(command.format(game=game, own=own, out=tmp_path / "out.toml"))
    assert result.exit_code and words in " ".join(result.output.split())
    assert "Traceback" not in result.output
