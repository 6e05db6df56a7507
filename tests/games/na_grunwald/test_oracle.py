"""The compiled rules against the plain oracle: legal sets, outcomes and score parts agree."""

from itertools import product
from pathlib import Path

import pytest
from support.judge import judge_run
from support.na_grunwald import GAME, make_rules
from support.oracles import na_grunwald as oracle

from balance.experiments.rule_keys import list_keys
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError
from balance.games.na_grunwald.rules.decks import BUNDLE, list_events
from balance.testing.oracle import agree

GAMES, MORE_GAMES = 10, 100  # of each variant and player count


def watch(stepper, judge, step) -> None:
    """Compare goods before every decision: nothing comes or goes but as the rules say."""
    for player, name in product(range(len(judge.players)), BUNDLE):
        assert stepper.state[name][player] == getattr(judge.players[player], name), (step, name)


def play_both(rules, players: int, seed: int) -> None:
    """Play one random game, comparing every step, the rows, and the log."""
    stepper, judge = agree(GAME, rules, players, seed, oracle.play, watch=watch)
    game, _ = stepper.result()
    assert (judge.won, judge.lost) == (game.skirmishes_won, game.skirmishes_lost)
    assert judge.plundered == game.plunder_total
    seen = [card.id for i, card in enumerate(list_events(rules.event_deck)) if game.events_seen >> i & 1]
    assert seen == sorted(judge.events, key=seen.index)


@pytest.mark.slow
@pytest.mark.parametrize(
    "seeds", [range(GAMES), pytest.param(range(GAMES, MORE_GAMES), marks=pytest.mark.long)], ids=["some", "all"]
)
@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("variant", GAME.shipped("variants"))
def test_every_variant_agrees(variant, players, seeds):
    """All rules, in games of each shipped variant and deck at each player count: 4,200 with `make test-all`."""
    rules = load_variant(GAME, variant, Path()).rules
    for seed in seeds:
        play_both(rules, players, seed)


BY_COUNT = {"ducats": {"2": [3, 6], "3": 5, "4": [3, 3, 4, 9]}, "helpers": {"2": 4, "3": [1, 2], "4": 0}}
ODD_RULES = [
    {"tie_rule": "last-placed", "krzyzacy": {"unopposed": "ignore", "give_from_table": True}},
    {"hire": {"price": [0, 1, 2, 3, 4], "first_pays": True}, "awards": {"helpers": {"4": 3}}},
    {"pawns": {"most_helpers": 9}, "start": {"helpers": 5, "ducats": 12}},
    {"start": {"ducats": [2, 4, 3], "provisions": [0, 5], "helpers": [1, 2, 3, 0]}},
    {"start": BY_COUNT},
    {"scoring": {"knights_per_provision": 2}, "titles": {"quartermaster": 7}, "rounds": 5},
    {"awards": {"crown": {"3": [2], "4": []}, "ducats": {"4": [-1, 1, 2]}}},
]


@pytest.mark.slow
@pytest.mark.parametrize("changes", ODD_RULES)
@pytest.mark.long
def test_rules_of_a_designers_own_agree(changes):
    """Switches and values that no shipped variant changes agree."""
    rules = make_rules({**changes, "event_deck": "base"})
    for players, seed in product(GAME.players, range(20)):
        play_both(rules, players, seed)


KEYS = {
    key.name: key
    for key in list_keys(GAME)
    if not isinstance(key.base, list) and not key.name.endswith((".source", ".reconstruction"))
}


@pytest.mark.long
@pytest.mark.parametrize("name", KEYS)
def test_the_extremes_of_each_key_agree(name):
    """Every choice, the smallest and the largest value of a key, where the other rules allow them."""
    key, played = KEYS[name], 0
    ends = [each for each in (key.allowed.least, key.allowed.most) if each is not None]
    for value in [*key.allowed.choices, *ends]:
        one = [value] if isinstance(key.base, dict) and isinstance(key.base["2"], list) else value
        changes = dict.fromkeys(key.base, one) if isinstance(key.base, dict) else one
        for part in reversed(name.split(".")):
            changes = {part: changes}
        try:
            rules = make_rules(changes)
        except BalanceError:
            continue
        played += 1
        for players, seed in product(GAME.players, range(3)):
            play_both(rules, players, seed)
    assert played > 0


def test_logged_games_agree(traced_run):
    """A runner's log, with profiles too, can be judged without the package."""
    assert judge_run(traced_run) == 6 * 24
