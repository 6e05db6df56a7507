"""Conversion of a rule set to the record that the compiled rules read."""

from __future__ import annotations

import numpy as np

from balance.contract.rule_tables import pack_keys
from balance.games.polska.kernel import state as s
from balance.games.polska.rules.components import lay_out, list_faces
from balance.games.polska.rules.ruleset import Rules


def pack_rules(rules: Rules, players: int) -> np.record:
    """Return the rule set at one player count as a record of `state.RULES`."""
    packed = pack_keys(s.RULES, rules, players)
    _pack_map(packed, rules)
    _pack_cards(packed, rules)
    years = [field.year or s.NEVER for field in rules.track.fields]
    packed.track_length = len(years)
    packed.track_year[: len(years)] = years
    return packed


def _pack_map(packed: np.record, rules: Rules) -> None:
    geography = lay_out(rules.map)
    packed.field_count = len(geography.names)
    for field, near in enumerate(geography.neighbours):
        packed.degree[field] = len(near)
        packed.neighbours[field, : len(near)] = near
        packed.steps_between[field, : packed.field_count] = geography.steps_from(field)
    packed.start = geography.names.index(rules.start_city)
    locations = [geography.names.index(city) for city in rules.map.locations]
    packed.location_count = len(locations)
    packed.locations[: len(locations)] = locations


def _pack_cards(packed: np.record, rules: Rules) -> None:
    cards, names = rules.cards, lay_out(rules.map).names
    faces = list_faces(cards)
    deck: list[int] = []
    packed.face_count = len(faces)
    for number, (kind, value) in enumerate(faces):
        packed.face_kind[number] = s.KINDS.index(kind)
        packed.face_value[number] = names.index(value) if isinstance(value, str) else value
        copies = getattr(cards, kind) if kind in ("stop", "train", "coach", "eagle") else 1
        deck += [number] * copies
    packed.card_count = len(deck)
    packed.deck[: len(deck)] = deck
