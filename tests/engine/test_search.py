"""Searchers in runs: strong, repeatable, independent of the game's chance, and blind to hidden information."""

import math
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from support.runs import play, read_rows

import balance
from balance.contract.game import get_game
from balance.contract.records import blank
from balance.engine.buffers import BY_VALUE, BY_VISITS, JOB, NODE
from balance.engine.loop import SEARCHES
from balance.engine.search.thinker import Thinker
from balance.engine.search.tree import is_certain
from balance.engine.stepper import Stepper
from balance.experiments.searchers import default_search
from balance.experiments.strategies import Strategy, load_strategy, pack_strategies
from balance.experiments.variants import load_variant
from balance.runs.jobs import make_loop
from balance.training.network_play import Table

GAME = get_game("na-grunwald")
RULES = load_variant(GAME, "base", None).rules


def share_of(run, strategy):
    shares = balance.open_run(run).strategy_shares()
    return next(shares[shares["strategy"] == strategy].itertuples())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "opponent", "players", "least"),
    [
        ("na-grunwald", "generalist", 2, 98.0),
        ("na-grunwald", "generalist", 4, 90.0),
        pytest.param("polska", "marker-runner", 2, 60.0, marks=pytest.mark.long),
        pytest.param("korona-piastow", "champion", 2, 60.0, marks=pytest.mark.long),
    ],
)
def test_a_searcher_beats_a_profile(game, opponent, players, least, tmp_path):
    lineup = ["search-50", *[opponent] * (players - 1)]
    keys = {"game": game, "players": [players], "strategies": [], "lineups": [lineup]}
    run = play(tmp_path / "run", games=80 * players // 2, **keys)
    assert share_of(run, "search-50").value >= least


@pytest.mark.long
def test_more_iterations_win_more(tmp_path):
    """`search-80` beats `search-10`."""
    run = play(tmp_path / "run", players=[2], strategies=[], lineups=[["search-80", "search-10"]], games=160)
    assert share_of(run, "search-80").low > 50


@pytest.mark.slow
def test_the_same_rows_whoever_plays_them(tmp_path):
    """One worker, two workers and a repetition agree: the search's streams depend only on game and seat."""
    keys = {"players": [2], "strategies": ["search-5", "generalist"], "games": 300, "log": "rounds"}
    one = play(tmp_path / "one", workers=1, **keys)
    two = play(tmp_path / "two", workers=2, **keys)
    for table in ("games", "seats", "rounds"):
        frames = [read_rows(run, table) for run in (one, two)]
        first, second = (each.sort_values("game_id", kind="stable", ignore_index=True) for each in frames)
        assert first.equals(second)


@pytest.mark.slow
def test_a_search_does_not_shift_the_game(tmp_path):
    """Chance and the other bots' choices are as in a game without it: same decks, same first event."""
    keys = {"players": [2], "games": 20, "seed": 5, "log": "trace"}
    searched = play(tmp_path / "one", strategies=[], lineups=[["search-20", "random"]], **keys)
    plain = play(tmp_path / "two", strategies=[], lineups=[["generalist", "random"]], **keys)
    chance = [
        pq.read_table(run / "trace").to_pandas().query("kind == 'chance'").groupby(["game_id", "round"])["label"]
        for run in (searched, plain)
    ]
    first, second = (each.apply(list) for each in chance)
    assert first.equals(second)


def thinker(iterations):
    search = default_search(GAME, iterations)
    _, weights, searchers = pack_strategies(GAME, [Strategy("s", "search", search=search)], 2)
    return Thinker(GAME, weights, searchers)


def play_against_itself(again, games):
    """Return the win share of one of two equal searchers; with `again` the true decks are dealt again each time."""
    one, other = thinker(12), thinker(12)
    shares = []
    for number in range(games):
        stepper, own, step = Stepper.deal(GAME, RULES, 2, 1_000 + number), number % 2, 0
        while not stepper.over:
            step, mine = step + 1, stepper.seat == own
            label, _ = (one if mine else other).think(stepper, 10_000 * number + step)
            stepper.take(stepper.options().index(label))
            # Not where a card lies face down: it would be chosen anew too.
            secret = stepper.over or GAME.kernel.is_secret(stepper.packed, stepper.state)
            if again and mine and not secret:
                stepper.determinize(step)
        _, seats = stepper.result()
        first = seats["rank"] == 1
        shares.append(float(first[own]) / first.sum())
    return float(np.mean(shares))


@pytest.mark.long
def test_what_is_hidden_is_worth_nothing_to_it():
    """It wins as often if the true decks are dealt again after each of its choices; a leak would lower the share."""
    games = 60
    fall = play_against_itself(False, games) - play_against_itself(True, games)
    assert fall < 2.5 * math.sqrt(2 * 0.25 / games)


def test_thoughts_are_of_the_position():
    """Visits add up to the iterations, values are probabilities, and the choice has the most visits."""
    stepper = Stepper.deal(GAME, RULES, 3, 7)
    before = stepper.state.tobytes()
    label, thoughts = thinker(40).think(stepper, 1)
    assert stepper.state.tobytes() == before
    assert sum(thought.visits for thought in thoughts) == 40
    assert thoughts[0].label == label
    assert {thought.label for thought in thoughts} <= set(stepper.options())
    assert all(0 <= thought.value <= 1 for thought in thoughts if thought.visits)
    assert repr(thinker(40).think(stepper, 1)) == repr((label, thoughts))


def rows_of(game, strategy, uses_all):
    """Return the rows of games between two of a strategy, and the tries of each game's last search."""
    rules = load_variant(game, "base", None).rules
    simulator, room, packed = make_loop(game, rules, 2, [load_strategy(game, strategy, game.folder)], SEARCHES)
    room.thinking.desk.uses_all[:] = uses_all
    jobs, rows, tries = blank(4, JOB), simulator.rows(1, 2, False, 0), []
    jobs.deal_seed, jobs.seed, found = [3, 4, 5, 6], [13, 14, 15, 16], []
    for number in range(4):
        assert simulator.play_games(packed, room, jobs[number : number + 1], rows, 500) == 1
        found.append((rows.games.tobytes(), rows.seats.tobytes()))
        tries.append(int(room.thinking.nodes[0]["visits"]))
    return found, tries


@pytest.mark.parametrize(
    ("name", "strategy"),
    [
        ("na-grunwald", "search-12"),
        ("na-grunwald", "expert-search-12"),
        ("grody", "search-12"),  # shared deals
        ("examples/known/nim", "search-12"),
        pytest.param("polska", "expert-search-8", marks=pytest.mark.slow),
        pytest.param("korona-piastow", "search-8", marks=pytest.mark.slow),
    ],
)
def test_games_do_not_change_if_searches_stop_when_their_choice_is_certain(name, strategy):
    game = get_game(name)
    stopped, few = rows_of(game, strategy, 0)
    whole, most = rows_of(game, strategy, 1)
    assert stopped == whole
    assert sum(few) < sum(most) or name != "na-grunwald"


def test_a_search_is_certain_only_if_no_more_tries_change_its_choice():
    certain = is_certain.py_func
    node = blank(1, NODE)[0]
    node.count, node.tried[:3] = 3, [5, 9, 2]
    assert certain(node, 3, BY_VISITS)
    assert not certain(node, 4, BY_VISITS)  # equally many visits: the value decides
    assert not certain(node, 3, BY_VALUE)
    node.tried[1] = 5
    assert not certain(node, 1, BY_VISITS)
    node.count = 1
    assert certain(node, 4, BY_VISITS)  # the only one on its shortlist


def spread(deals):
    """Return how much a move's value, less the mean of all, varies from search to search."""
    game = get_game("grody")
    search = default_search(game, 60)
    changes = {"deals": deals, "prior_temperature": 100.0, "exploration": 10.0}  # all are tried alike
    search = search.model_copy(update={"switches": search.switches.model_copy(update=changes)})
    _, weights, searchers = pack_strategies(game, [Strategy("s", "search", search=search)], 2)
    even = Thinker(game, weights, searchers)
    stepper = Stepper.deal(game, load_variant(game, "base", None).rules, 2, 7)
    for _ in range(30):
        stepper.take(int(np.argmax(stepper.evaluate(weights[0]))))
    worth = np.array([[thought.value for thought in sorted(even.think(stepper, seed)[1])] for seed in range(80)])
    return (worth - worth.mean(axis=1, keepdims=True)).std(axis=0).mean()


@pytest.mark.long
def test_shared_deals_tell_actions_apart():
    """The effect of the deals cancels out between actions with the same deals."""
    assert spread("shared") < 0.8 * spread("own")


def test_a_field_that_was_closed_never_showed_its_cards():
    """RND-2: the cards of a round with a closed field stay unknown, and are dealt again with the rest."""
    stepper = Stepper.deal(GAME, RULES, 2, 0)
    stepper.state.round_number = 5
    field = GAME.kernel.state.CROWN_FIELD

    def cards_at(place):
        found = set()
        for seed in range(30):
            other = stepper.copy()
            other.determinize(seed)
            found.add(int(other.state.decks[GAME.kernel.state.CROWN_DECK, place]))
        return found

    assert len(cards_at(2)) == 1
    stepper.state.never_shown[field] = 1 << 2
    assert len(cards_at(2)) > 1
    assert len(cards_at(1)) == 1


def test_the_rounds_of_closed_fields_are_remembered():
    rng, closings = np.random.default_rng(1), 0
    for seed in range(20):
        stepper = Stepper.deal(GAME, RULES, 2, seed)
        expected = np.zeros(len(stepper.state.closed), int)
        while not stepper.over:
            expected |= stepper.state.closed.astype(int) << (stepper.round - 1)
            options = stepper.options()
            placing = any(label.startswith(("place", "pass")) for label in options)
            if placing:
                assert stepper.state.never_shown.tolist() == expected.tolist()
            stepper.take(int(rng.integers(len(options))))
        closings += int(expected[0] >> (RULES.krzyzacy.first_round - 1) > 0)  # by a truce
    assert closings > 0


def test_a_profile_is_a_prior(tmp_path):
    """A searcher with a sharp prior and a budget of 1 plays its prior."""
    path = tmp_path / "sharp.toml"
    path.write_text('kind = "search"\niterations = 1\nprior = "treasurer"\nprior_temperature = 0.0001\n')
    _, weights, searchers = pack_strategies(GAME, [load_strategy(GAME, str(path), tmp_path)], 2)
    sharp = Thinker(GAME, weights, searchers)
    _, greedy, _ = pack_strategies(GAME, [load_strategy(GAME, "treasurer", tmp_path)], 2)
    stepper = Stepper.deal(GAME, RULES, 2, 3)
    for number in range(30):
        label, _ = sharp.think(stepper, number)
        best = int(np.argmax(stepper.evaluate(greedy[0])))
        options = stepper.options()
        assert label == options[best]
        stepper.take(best)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["na-grunwald", *(pytest.param(name, marks=pytest.mark.long) for name in ("polska", "grody", "korona-piastow"))],
)
def test_a_guided_searcher_asks_its_network_as_the_training_did(name):
    """In every choice it first tries the action that the network takes: same shortlist, same features."""
    game = get_game(name)
    players = game.players[0]
    guided = default_search(game, 1, "expert")
    network = load_strategy(game, "expert", Path())
    searcher = Strategy("guided", "search", search=guided)
    table = Table(game, load_variant(game, "base", Path()).rules, players)
    samples = table.sample([network, searcher], np.zeros((8, players), int), 5, 0.0).samples
    assert len(samples) > 100
    assert (samples["visits"].argmax(1) == samples["taken"]).all()
