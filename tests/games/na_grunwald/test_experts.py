"""The shipped networks: they play at every player count, and each wins far more often than the strongest profile."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.contract.game import get_game
from balance.experiments.strategies import check_plays, load_strategies
from balance.experiments.variants import load_variant
from balance.stats.intervals import fair_share
from balance.training.arena import Arena

GAME = get_game("na-grunwald")
EXPERTS = GAME.shipped("networks")


def test_there_is_one():
    """The public name is `expert`."""
    assert "expert" in EXPERTS


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("name", EXPERTS)
def test_it_beats_the_champion(name, players):
    """Alone at a table of champions, in every seat, on deals that no training saw."""
    own, champion = load_strategies(GAME, [name, "champion"], Path())
    check_plays(own, [players])
    rules = load_variant(GAME, "base", Path()).rules
    arena = Arena(GAME, rules, players, [own, champion], lineup=[1] * (players - 1))
    share = 100 * arena.probe(0, 600, 1410).win_share.mean()
    assert share > 1.5 * fair_share(players)
