"""Adapted play: under other rules a trained field wins more than a rigid one, and plays no less its own way."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.contract.game import get_game
from balance.plan.strategies import Strategy, load_strategies
from balance.plan.variants import load_variant
from balance.training.adapting import adapt_field
from balance.training.arena import Arena
from balance.training.evolution import Budget
from balance.training.measuring import share_of

GAME = get_game("na-grunwald")


@pytest.mark.slow
def test_a_trained_field_wins_more_by_the_new_rules():
    """On fresh seeds, against those that stayed as they were."""
    rules = load_variant(GAME, "hire-dear", Path()).rules
    field = load_strategies(GAME, ["balanced", "treasurer", "random"], Path(__file__).parent)
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
