"""Adapted play: under other rules trained profiles win more than rigid ones, and keep their own style."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.contract.game import get_game
from balance.experiments.strategies import Strategy, load_strategies
from balance.experiments.variants import load_variant
from balance.training.adapting import adapt_field
from balance.training.arena import Arena, share_of
from balance.training.evolution import Budget

GAME = get_game("na-grunwald")


@pytest.mark.long
def test_a_trained_field_wins_more_by_the_new_rules():
    """They win more on held-out seeds, against profiles that were not trained again."""
    rules = load_variant(GAME, "hire-dear", Path()).rules
    field = load_strategies(GAME, ["generalist", "treasurer", "random"], Path(__file__).parent)
    adapted = adapt_field(GAME, rules, 2, field, Budget(100_000, 1))
    assert [each.name for each in adapted] == [each.name for each in field]
    assert adapted[2] is field[2]
    arena = Arena(GAME, rules, 2, field[:2])
    for before, after in zip(field[:2], adapted[:2], strict=True):
        rigid, trained = (share_of(arena, arena.row(each.profile), 4_000, 9) for each in (before, after))
        assert trained.low > rigid.high


def test_a_field_without_profiles_stays_as_it_is():
    field = [Strategy("random", "random")]
    rules = load_variant(GAME, "base", Path()).rules
    assert adapt_field(GAME, rules, 2, field, Budget(50_000, 1)) == field
