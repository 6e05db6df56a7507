"""Conversion of a rule set to the record that the compiled rules read."""

from __future__ import annotations

import numpy as np

from balance.contract.rule_tables import pack_keys
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.decks import Bundle, EventDeck, list_events
from balance.games.na_grunwald.rules.parts import Cards, Hire
from balance.games.na_grunwald.rules.ruleset import Rules
from balance.games.na_grunwald.rules.vocabulary import BUNDLE, EFFECTS, FIELDS


def pack_rules(rules: Rules, players: int) -> np.record:
    """Return the rule set at one player count as a record of `state.RULES`."""
    packed = pack_keys(s.RULES, rules, players)
    packed.tie_sign = -1 if rules.tie_rule == "first-placed" else 1
    packed.unopposed_plunder = rules.krzyzacy.unopposed == "plunder"
    packed.hire_price[:] = _hire_prices(rules.hire)
    for i, title in enumerate(("crown_commander", "mercenary_commander", "quartermaster")):
        points = getattr(rules.titles, title)
        packed.titles[i] = {"count": s.BY_COUNT, "off": 0}.get(points, points)
    _pack_awards(packed, rules, players)
    _pack_cards(packed, rules.cards)
    _pack_events(packed, rules.event_deck)
    return packed


def _hire_prices(hire: Hire) -> list[int]:
    """Return the price of the next helper for 0..9 helpers owned."""
    if hire.price == "owned":
        return list(range(s.STRENGTHS))
    prices = hire.price if isinstance(hire.price, list) else [hire.price]
    return [prices[min(owned, len(prices) - 1)] for owned in range(s.STRENGTHS)]


def _pack_awards(packed: np.record, rules: Rules, players: int) -> None:
    for field, name in enumerate(FIELDS):
        if name == "krzyzacy":
            continue
        award = getattr(rules.awards, name).at(players)
        values = [1] * award if name == "helpers" else award
        packed.awards[field, : len(values)] = values


def _pack_cards(packed: np.record, cards: Cards) -> None:
    for name, table in (
        ("crown", cards.crown),
        ("mercenary", cards.mercenaries),
        ("krzyzacy", cards.krzyzacy),
    ):
        packed[f"{name}_count"] = len(table.strengths)
        packed[f"{name}_cards"][: len(table.strengths)] = table.strengths
    for name, values in (("provision", cards.provisions.values), ("ducat", cards.ducats.values)):
        packed[f"{name}_count"] = len(values)
        for row, card in enumerate(values):
            packed[f"{name}_cards"][row, : len(card)] = card


def _pack_events(packed: np.record, deck: EventDeck) -> None:
    cards = list_events(deck)
    packed.event_count = len(cards)
    for i, card in enumerate(cards):
        packed.event_effect[i] = EFFECTS.index(card.effect)
        packed.event_number[i] = card.n or 0
        packed.event_price[i] = card.price or 0
        packed.event_field[i] = FIELDS.index(card.field) if card.field else -1
        for j, bundle in enumerate((card.bundle or Bundle(), card.second or Bundle())):
            packed.event_bundle[i, j] = [getattr(bundle, name) for name in BUNDLE]
