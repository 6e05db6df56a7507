"""The flow of a game: which actions are legal in a phase, what carries one out, and the steps in between."""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.blows import hit, list_targets, strike
from balance.games.grody.kernel.cards import list_cards
from balance.games.grody.kernel.combat import begin_combat, roll_round
from balance.games.grody.kernel.drawing import (
    build,
    draw_for_turn,
    list_buildings,
    list_ransoms,
    ransom,
    recruit,
)
from balance.games.grody.kernel.ends import check_dominance, end_turn
from balance.games.grody.kernel.exploration import answer_exchange, explore_next, list_exchange
from balance.games.grody.kernel.fate import (
    begin_discards,
    discard,
    draw_cards,
    go_on_discarding,
    list_hand,
)
from balance.games.grody.kernel.flight import flee, fly, list_refuges
from balance.games.grody.kernel.movement import list_moves, move
from balance.games.grody.kernel.playing import accept, counter, list_answers, pass_by, play
from balance.games.grody.kernel.windows import open_window


@compiled_entry
def legal_actions(rules, state, scratch, codes):
    """Write the legal actions of `state.seat` to `codes` (int32), returning how many (section 7)."""
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
    """What ends a phase, and ransom, which may be asked again."""
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
    """TRN-1: the next seat's turn, in the round that it belongs to."""
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
    """A step in which nobody is asked."""
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
    """Fate cards at the start, the first seat's and then the second's (DEC-3)."""
    seat = state.phase - s.DEAL_FIRST
    draw_cards(state, log, seat, rules.hand_start[seat])
    begin_discards(state, seat, state.phase + 1)


@compiled
def play_on(rules, state, log, scratch):
    """Go on to the next decision with more than one option; what has only one is carried out (DEC-1)."""
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
