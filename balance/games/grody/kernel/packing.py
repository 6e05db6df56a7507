"""Conversion of a rule set to the record that the compiled rules read."""

from __future__ import annotations

import numpy as np

from balance.contract.rule_tables import pack_keys
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.geography import BUILDINGS, CARDS, TERRAINS, Geography
from balance.games.grody.rules.ruleset import Rules

_TIMES = {"round": s.AT_ROUND, "start": s.AT_START, "end": s.AT_END}


def pack_rules(rules: Rules, players: int) -> np.record:
    """Return the rule set at one player count as a record of `state.RULES`."""
    packed = pack_keys(s.RULES, rules, players)
    packed.cushion_a_round = rules.cushion_per == "round"
    packed.dominance_at = _TIMES[rules.dominance_at]
    _pack_board(packed, rules.board)
    _pack_terrains(packed, rules)
    packed.tokens[:] = [getattr(rules.buildings, kind) for kind in BUILDINGS]
    packed.card_count[:] = [getattr(rules.cards, card) for card in CARDS]
    return packed


def _pack_board(packed: np.record, geography: Geography) -> None:
    packed.segment_count = len(geography.names)
    packed.grod[:] = geography.grody
    for segment, near in enumerate(geography.neighbours):
        packed.degree[segment] = len(near)
        packed.neighbours[segment, : len(near)] = near
        for seat, grod in enumerate(geography.grody):
            packed.steps_to[seat, segment] = _steps(geography, segment, grod)


def _steps(geography: Geography, one: int, other: int) -> int:
    """Return the steps between two segments; the missing corners block no shortest path."""
    (column, row), (column_2, row_2) = geography.places[one], geography.places[other]
    return abs(column - column_2) + abs(row - row_2)


def _pack_terrains(packed: np.record, rules: Rules) -> None:
    for number, name in enumerate(TERRAINS):
        terrain = rules.terrain_named(name)
        packed.terrain_cards[number] = terrain.cards
        packed.plus[number] = terrain.warriors
        built = terrain.building
        packed.allows[number] = s.NOTHING if built == "none" else BUILDINGS.index(built)
        for key in ("capacity", "points", "defence", "gloom", "deadly_from"):
            packed[key][number] = getattr(terrain, key)
    packed.capacity[s.GROD] = rules.grod_capacity
    packed.defence[s.GROD] = rules.grod_morale
    packed.allows[s.GROD] = s.NOTHING
