"""The shipped networks: they play at every player count, and win far more often than the strongest profile."""

from pathlib import Path

import pytest

from balance.contract.game import get_game
from balance.experiments.networks import EXPERT, has_expert
from balance.experiments.strategies import load_strategies
from balance.experiments.variants import load_variant
from balance.stats.intervals import fair_share
from balance.training.arena import Arena

LEAST = {"na-grunwald": 1.5, "polska": 1.3, "grody": 1.1, "korona-piastow": 1.2}
"""The least win share alone among champions, as a multiple of a fair share."""
COUNTS = {name: get_game(name).players for name in LEAST}
TABLES = [
    pytest.param(name, players, marks=[] if (name, players) == ("na-grunwald", 2) else pytest.mark.long)
    for name in LEAST
    for players in COUNTS[name]
]


@pytest.mark.parametrize("name", LEAST)
def test_there_is_an_expert(name):
    assert has_expert(get_game(name), COUNTS[name])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_it_beats_the_champion(name, players):
    """Alone at a table of champions, in every seat, on deals that no training saw."""
    game = get_game(name)
    rules = load_variant(game, "base", Path()).rules
    arena = Arena(game, rules, players, load_strategies(game, [EXPERT, "champion"], Path()), lineup=[1] * (players - 1))
    share = 100 * arena.probe(0, 600 // players * 2, 1410).win_share.mean()
    assert share > LEAST[name] * fair_share(players)
