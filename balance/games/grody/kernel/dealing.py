"""How a game begins (SET-1 to SET-3), what a seat can't see (CRD-5), and the components that studies add or remove."""

from __future__ import annotations

import numpy as np

from balance.contract.records import forget_chance, redraw_chance
from balance.contract.rule_tables import pack_keys
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.drawing import KINDS, pick_card
from balance.games.grody.kernel.flow import play_on
from balance.games.grody.rules import BUILDINGS, CARDS, TERRAINS, Geography, Rules

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


def _pack_board(packed: np.record, board: Geography) -> None:
    packed.segment_count = len(board.names)
    packed.grod[:] = board.grody
    for segment, near in enumerate(board.neighbours):
        packed.degree[segment] = len(near)
        packed.neighbours[segment, : len(near)] = near
    places = np.array(board.places)
    for seat, grod in enumerate(board.grody):  # the missing corners block no shortest path
        packed.steps_to[seat, : len(places)] = np.abs(places - places[grod]).sum(axis=1)


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


@compiled_entry
def setup(rules, state, log, scratch):
    """Set up a game (SET-1 to SET-3) and play on to its first decision.

    Parameters
    ----------
    rules : record of `state.RULES`
    state : record of `state.STATE`
        Overwritten; the streams in ``chance`` are drawn from.
    """
    for terrain in range(len(TERRAINS)):
        state.terrain_deck[terrain] = rules.terrain_cards[terrain]
        state.terrain_count += rules.terrain_cards[terrain]
    for card in range(KINDS):
        state.pile[card] = rules.card_count[card]
        state.pile_count += rules.card_count[card]
    for kind in range(len(BUILDINGS)):
        state.tokens[kind] = rules.tokens[kind]
    state.players = rules.players
    state.round_number = 1
    for p in range(s.SEATS):
        grod = rules.grod[p]
        state.terrain[grod] = s.GROD
        state.owner[grod] = p
        state.warriors[p, grod] = rules.first_warriors if p == 0 else rules.second_warriors
    play_on(rules, state, log, scratch)


@compiled_entry
def is_secret(rules, state):
    """Return whether the legal actions of the seat depend on its hand."""
    phase = state.phase
    of_cards = phase == s.ASK_CARD or phase == s.ASK_ANSWER
    return of_cards or phase == s.ASK_DISCARD or phase == s.ASK_RANSOM


@compiled_entry
def checkpoint(rules, state):
    """Return the number of turns that have begun."""
    return state.turns


@compiled
def _collect(state):
    """Move the other player's hand into the pile, with no card set aside; return the number of its cards."""
    other = 1 - state.seat
    state.aside[other] = 0
    for card in range(KINDS):
        state.pile[card] += state.hand[other, card]
        state.hand[other, card] = 0
    state.pile_count += state.hand_size[other]
    return state.hand_size[other]


@compiled
def _hand_back(state, card):
    """Move a card of the pile to the other player's hand."""
    state.hand[1 - state.seat, card] += 1
    state.pile[card] -= 1
    state.pile_count -= 1


@compiled_entry
def conceal(rules, state, scratch):
    """Remove, in place, all information that the seat to move can't see.

    The other hand becomes the first unseen cards in sorted order, and streams of chance become 0.
    """
    wanted = _collect(state)
    card = 0
    for _ in range(wanted):
        while state.pile[card] == 0:
            card += 1
        _hand_back(state, card)
    forget_chance(state)


@compiled_entry
def determinize(rules, state, scratch, streams, index):
    """Sample, in place, what the seat to move can't see, drawing only from ``streams[index]``."""
    for _ in range(_collect(state)):
        _hand_back(state, pick_card(state.pile, state.pile_count, streams, index))
    redraw_chance(state, streams, index)


MOST_COMPONENTS = KINDS + len(TERRAINS)  # a card's number is its kind; the numbers of terrains follow


@compiled_entry
def count_components(rules, state, log, counts):
    """Count into `counts.shown` and `counts.taken`: cards drawn and played, terrains turned up and kept."""
    for card in range(KINDS):
        counts.shown[card] = log.cards_drawn[card]
        for p in range(s.SEATS):
            counts.taken[p, card] = log.seats[p].played[card]
    for terrain in range(len(TERRAINS)):
        counts.shown[KINDS + terrain] = log.terrains_shown[terrain]
        for p in range(s.SEATS):
            counts.taken[p, KINDS + terrain] = log.terrains_taken[p, terrain]


@compiled_entry
def give_component(rules, state, log, component, seat):
    """Put one more card of a kind into a hand; terrains can't be given."""
    if component >= KINDS:
        return False
    state.hand[seat, component] += 1
    state.hand_size[seat] += 1
    return True


def remove_component(packed: np.record, component: int) -> None:
    """Remove a terrain's points and features in place; its capacity becomes that of an unexplored segment."""
    terrain = component - KINDS
    for key in ("points", "plus", "defence", "gloom", "deadly_from"):
        packed[key][terrain] = 0
    packed.allows[terrain] = s.NOTHING
    packed.capacity[terrain] = packed.unexplored_capacity
