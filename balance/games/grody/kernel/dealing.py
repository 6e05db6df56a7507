"""Set-up of a game (SET-1 to SET-3)."""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.fate import KINDS
from balance.games.grody.kernel.flow import play_on
from balance.games.grody.rules.vocabulary import BUILDINGS, TERRAINS


@compiled
def _clear_log(log):
    log.combats = 0
    log.combat_rounds = 0
    log.reshuffles = 0
    for p in range(s.SEATS):
        log.lost[p] = 0
        log.captured[p] = 0
        log.fled[p] = 0
        log.explored[p] = 0
        log.exchanged[p] = 0
        log.taken[p] = 0
        log.attacks[p] = 0
        log.attacks_won[p] = 0
        log.defences[p] = 0
        log.defences_won[p] = 0
        log.recruited[p] = 0
        log.joined[p] = 0
        log.drawn[p] = 0
        log.discarded[p] = 0
        log.cancelled[p] = 0
        log.ransomed[p] = 0
        log.freed[p] = 0
        log.thirst[p] = 0
        log.strayed[p] = 0
        log.blows_ignored[p] = 0
        for card in range(KINDS):
            log.played[p, card] = 0
        for kind in range(len(BUILDINGS)):
            log.built[p, kind] = 0
        for terrain in range(len(TERRAINS)):
            log.terrains_taken[p, terrain] = 0
    for card in range(KINDS):
        log.cards_drawn[card] = 0
    for terrain in range(len(TERRAINS)):
        log.terrains_shown[terrain] = 0


@compiled
def _lay_out(rules, state):
    """The empty board and the decks."""
    for segment in range(rules.segment_count):
        state.terrain[segment] = s.UNEXPLORED
        state.owner[segment] = s.NOBODY
        state.building[segment] = s.NOTHING
        state.warriors[0, segment] = 0
        state.warriors[1, segment] = 0
    state.terrain_count = 0
    for terrain in range(len(TERRAINS)):
        state.terrain_deck[terrain] = rules.terrain_cards[terrain]
        state.terrain_count += rules.terrain_cards[terrain]
    state.pile_count = 0
    for card in range(KINDS):
        state.pile[card] = rules.card_count[card]
        state.pile_count += rules.card_count[card]
        for p in range(s.SEATS):
            state.hand[p, card] = 0
            state.discards[p, card] = 0
    for kind in range(len(BUILDINGS)):
        state.tokens[kind] = rules.tokens[kind]


@compiled_entry
def setup(rules, state, log, scratch):
    """Set up a game (SET-1 to SET-3) and play on to its first decision.

    Parameters
    ----------
    rules : record of `state.RULES`
    state : record of `state.STATE`
        Overwritten; the streams in ``chance`` are drawn from.
    """
    _clear_log(log)
    _lay_out(rules, state)
    state.players = rules.players
    state.round_number = 1
    state.seat = 0
    state.active = 0
    state.over = 0
    state.turns = 0
    state.winner = s.NOBODY
    state.ended_by = s.LIMIT
    state.attack_count = 0
    state.entered_count = 0
    for p in range(s.SEATS):
        grod = rules.grod[p]
        state.terrain[grod] = s.GROD
        state.owner[grod] = p
        state.warriors[p, grod] = rules.first_warriors if p == 0 else rules.second_warriors
        state.prisoners[p] = 0
        state.hand_size[p] = 0
        state.aside[p] = 0
        state.had_first[p] = 0
    state.phase = s.DEAL_FIRST
    play_on(rules, state, log, scratch)
