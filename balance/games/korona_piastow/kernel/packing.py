"""Conversion of a rule set to the record that the compiled rules read."""

from __future__ import annotations

import numpy as np

from balance.contract.rule_tables import by_seat, pack_keys
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.rules.events import Events
from balance.games.korona_piastow.rules.geography import (
    BUILDINGS,
    EFFECTS,
    PLAYERS,
    TRAITS,
    UNITS,
    WHO,
    Map,
)
from balance.games.korona_piastow.rules.parts import Start
from balance.games.korona_piastow.rules.ruleset import Rules


def pack_rules(rules: Rules, players: int) -> np.record:
    """Return the rule set at one player count as a record of `state.RULES`."""
    packed = pack_keys(s.RULES, rules, players)
    packed.crown = rules.crown_fiefs[PLAYERS.index(players)]
    packed.zakon_crown = rules.zakon_fiefs[PLAYERS.index(players)]
    packed.second_lines = players <= rules.second_players
    packed.line_count = len(rules.lines)
    packed.lines[: len(rules.lines)] = [rules.map.district_ids.index(line) for line in rules.lines]
    _pack_start(packed, rules.start, players)
    _pack_parts(packed, rules)
    _pack_map(packed, rules.map)
    _pack_events(packed, rules.events, rules.map)
    return packed


def _pack_start(packed: np.record, start: Start, players: int) -> None:
    for kind, amount in enumerate((start.infantry, start.cavalry, start.knights)):
        packed.start_units[:players, kind] = by_seat(amount, players)


def _pack_parts(packed: np.record, rules: Rules) -> None:
    packed.ruler[:] = [getattr(rules.ruler, trait) for trait in TRAITS]
    packed.magnate[:] = [getattr(rules.magnate, trait) for trait in TRAITS]
    for kind, name in enumerate(UNITS):
        unit = getattr(rules.units, name)
        packed.attack[kind], packed.defence[kind] = unit.attack, unit.defence
        packed.cost[kind] = getattr(unit, "cost", 0)
    for kind, name in enumerate(BUILDINGS):
        building = getattr(rules.buildings, name)
        packed.building_cost[kind], packed.building_time[kind] = building.cost, building.time
        packed.building_defence[kind] = getattr(building, "defence", 0)


def _pack_map(packed: np.record, found: Map) -> None:
    districts, fiefs = found.district_ids, found.fief_ids
    packed.district_count, packed.fief_count = len(districts), len(fiefs)
    packed.piast[: len(districts)] = [district.piast for district in found.districts]
    packed.district_of[: len(fiefs)] = [districts.index(fief.district) for fief in found.fiefs]
    packed.legendary[: len(fiefs)] = [fief.legendary for fief in found.fiefs]
    for fief, near in enumerate(found.neighbours.values()):
        packed.degree[fief] = len(near)
        packed.neighbours[fief, : len(near)] = [fiefs.index(other) for other in near]
    for number, district in enumerate(districts):
        own = [fiefs.index(fief) for fief in found.fiefs_of(district)]
        packed.district_size[number] = len(own)
        packed.fiefs_of[number, : len(own)] = own


def _pack_events(packed: np.record, events: Events, found: Map) -> None:
    packed.card_count = len(events.cards)
    for i, card in enumerate(events.cards):
        packed.effect[i] = EFFECTS.index(card.effect)
        packed.fate_attack[i], packed.fate_defence[i] = card.attack, card.defence
        packed.card_who[i] = WHO.index(card.who) if card.who else 0
        packed.card_number[i] = card.n or card.time or card.units or 0
        packed.card_strength[i] = card.strength or 0
        packed.card_origin[i] = found.district_ids.index(card.origin) if card.origin else s.NOTHING
