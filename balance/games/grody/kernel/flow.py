"""The flow of a game: legal actions of each phase, their effects, and the steps in between."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.cards import accept, counter, list_answers, list_cards, pass_by, play
from balance.games.grody.kernel.combat import (
    begin_combat,
    flee,
    fly,
    hit,
    list_refuges,
    list_targets,
    open_window,
    roll_round,
    strike,
)
from balance.games.grody.kernel.drawing import (
    begin_discards,
    build,
    discard,
    draw_cards,
    draw_for_turn,
    go_on_discarding,
    list_buildings,
    list_hand,
    list_ransoms,
    ransom,
    recruit,
)
from balance.games.grody.kernel.movement import (
    answer_exchange,
    explore_next,
    list_exchange,
    list_moves,
    move,
)
from balance.games.grody.kernel.scoring import check_dominance, end_turn


@compiled_entry
def legal_actions(rules, state, scratch, codes):
    """Write the legal actions of `state.seat` to `codes` (int32) and return their number (section 7)."""
    phase = state.phase
    if phase == s.ASK_CARD:
        return list_cards(rules, state, codes)
    if phase == s.ASK_ANSWER:
        return list_answers(state, codes)
    if phase == s.ASK_MOVE:
        return list_moves(rules, state, codes)
    if phase == s.ASK_EXCHANGE:
        return list_exchange(codes)
    if phase == s.ASK_HIT:
        return list_targets(state, codes)
    if phase == s.ASK_FLEE:
        return list_refuges(rules, state, codes)
    if phase == s.ASK_DISCARD:
        return list_hand(state, codes, 0, a.DISCARD)
    if phase == s.ASK_BUILD:
        return list_buildings(rules, state, codes)
    return list_ransoms(rules, state, codes)


@compiled
def _carry_out(rules, state, log, action):
    kind = a.kind_of(action)
    if kind == a.DECLINE:
        pass_by(rules, state)
    elif kind == a.PLAY:
        play(state, log, a.first_of(action), a.second_of(action))
    elif kind == a.ACCEPT:
        accept(rules, state, log)
    elif kind == a.COUNTER:
        counter(state, log)
    elif kind == a.MOVE:
        move(rules, state, log, a.first_of(action), a.second_of(action))
    elif kind == a.KEEP or kind == a.EXCHANGE:
        answer_exchange(rules, state, log, kind == a.EXCHANGE)
    elif kind == a.HIT:
        hit(state, log, a.number_of(action))
    elif kind == a.FLEE:
        flee(state, log, a.number_of(action))
    elif kind == a.DISCARD:
        discard(state, log, a.number_of(action))
    else:
        _carry_out_late(rules, state, log, action)


@compiled
def _carry_out_late(rules, state, log, action):
    """Carry out an action that ends a phase, or a ransom, which may be repeated."""
    kind = a.kind_of(action)
    if kind == a.DONE:
        state.phase = s.EXPLORE
    elif kind == a.RANSOM:
        ransom(rules, state, log, a.number_of(action))
    elif kind == a.RANSOM_NOBODY:
        open_window(state, s.END)
    else:
        if kind == a.BUILD:
            build(state, log, a.first_of(action), a.second_of(action))
        state.phase = s.RECRUIT


@compiled
def _begin_turn(rules, state, log):
    """Begin the next seat's turn, and its round (TRN-1)."""
    state.active = state.turns % s.SEATS
    state.round_number = 1 + state.turns // s.SEATS
    state.turns += 1
    state.marches = 0
    state.scouts = 0
    for seat in range(s.SEATS):
        state.aside[seat] = 0
    if rules.dominance_at == s.AT_START:
        check_dominance(rules, state, log, state.active)
    if state.over == 0:
        open_window(state, s.START)


@compiled
def _take_step(rules, state, log):
    """Take a step without a decision."""
    phase = state.phase
    if phase == s.BEGIN_TURN:
        _begin_turn(rules, state, log)
    elif phase == s.EXPLORE:
        explore_next(rules, state, log)
    elif phase == s.NEXT_COMBAT:
        begin_combat(rules, state, log)
    elif phase == s.ROLL:
        roll_round(rules, state, log)
    elif phase == s.FLY:
        fly(rules, state, log)
    elif phase == s.STRIKE:
        strike(rules, state, log)
    elif phase == s.DRAW:
        draw_for_turn(rules, state, log)
    elif phase == s.DISCARDS:
        go_on_discarding(rules, state)
    elif phase == s.RECRUIT:
        recruit(rules, state, log)
    elif phase == s.END_TURN:
        end_turn(rules, state, log)
    else:
        _deal(rules, state, log)


@compiled
def _deal(rules, state, log):
    """Deal the fate cards of the start, first to the first seat (DEC-3)."""
    seat = state.phase - s.DEAL_FIRST
    draw_cards(state, log, seat, rules.hand_start[seat])
    begin_discards(state, seat, state.phase + 1)


@compiled
def play_on(rules, state, log, scratch):
    """Play on to the next decision with more than one option; carry out decisions with one option (DEC-1)."""
    while state.over == 0:
        if state.phase >= s.DEAL_FIRST:
            _take_step(rules, state, log)
            continue
        if legal_actions(rules, state, scratch, scratch.codes) > 1:
            return
        _carry_out(rules, state, log, scratch.codes[0])


@compiled_entry
def apply(rules, state, log, scratch, action):
    """Carry out an action of `state.seat` and play on to the next decision."""
    _carry_out(rules, state, log, action)
    play_on(rules, state, log, scratch)
