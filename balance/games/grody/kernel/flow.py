"""The flow of a game: legal actions of each phase, their effects, and the steps in between."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import cards, combat, drawing, movement, scoring
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.dealing import deal


@compiled_entry
def legal_actions(rules, state, scratch, codes):
    """Write the legal actions of `state.seat` to `codes` (int32) and return their number (section 7)."""
    phase = state.phase
    if phase == s.ASK_CARD:
        return cards.list_cards(rules, state, codes)
    if phase == s.ASK_ANSWER:
        return cards.list_answers(state, codes)
    if phase == s.ASK_MOVE:
        return movement.list_moves(rules, state, codes)
    if phase == s.ASK_EXCHANGE:
        return movement.list_exchange(codes)
    if phase == s.ASK_HIT:
        return combat.list_targets(state, codes)
    if phase == s.ASK_FLEE:
        return combat.list_refuges(rules, state, codes)
    if phase == s.ASK_DISCARD:
        return drawing.list_hand(state, codes, 0, a.DISCARD)
    if phase == s.ASK_BUILD:
        return drawing.list_buildings(rules, state, codes)
    return drawing.list_ransoms(rules, state, codes)


@compiled
def _carry_out(rules, state, log, action):
    kind = a.kind_of(action)
    if kind == a.DECLINE:
        cards.pass_by(rules, state)
    elif kind == a.PLAY:
        cards.play(state, log, a.first_of(action), a.second_of(action))
    elif kind == a.ACCEPT:
        cards.accept(rules, state, log)
    elif kind == a.COUNTER:
        cards.counter(state, log)
    elif kind == a.MOVE:
        movement.move(rules, state, log, a.first_of(action), a.second_of(action))
    elif kind == a.KEEP or kind == a.EXCHANGE:
        movement.answer_exchange(rules, state, log, kind == a.EXCHANGE)
    elif kind == a.HIT:
        combat.hit(state, log, a.number_of(action))
    elif kind == a.FLEE:
        combat.flee(state, log, a.number_of(action))
    elif kind == a.DISCARD:
        drawing.discard(state, log, a.number_of(action))
    else:
        _carry_out_late(rules, state, log, action)


@compiled
def _carry_out_late(rules, state, log, action):
    """Carry out an action that ends a phase, or a ransom, which may be repeated."""
    kind = a.kind_of(action)
    if kind == a.DONE:
        state.phase = s.EXPLORE
    elif kind == a.RANSOM:
        drawing.ransom(rules, state, log, a.number_of(action))
    elif kind == a.RANSOM_NOBODY:
        combat.open_window(state, s.END)
    else:
        if kind == a.BUILD:
            drawing.build(state, log, a.first_of(action), a.second_of(action))
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
        scoring.check_dominance(rules, state, log, state.active)
    if state.over == 0:
        combat.open_window(state, s.START)


@compiled
def _suffer_thirst(rules, state, log):
    """Remove a warrior of A from each desert with too many (TRN-2)."""
    seat = state.active
    for segment in range(rules.segment_count):
        terrain = state.terrain[segment]
        if terrain == s.UNEXPLORED or rules.deadly_from[terrain] == 0:
            continue
        if state.warriors[seat, segment] >= rules.deadly_from[terrain]:
            record_outcome(state, log, a.WARRIOR, seat, segment, a.THIRST)
            state.warriors[seat, segment] -= 1
            log.seats[seat].thirst += 1


@compiled
def _end_turn(rules, state, log):
    """Apply desert, dominance and limit; else begin the next turn."""
    _suffer_thirst(rules, state, log)
    ends_round = state.active == 1
    if rules.dominance_at == s.AT_END:
        scoring.check_dominance(rules, state, log, state.active)
    elif rules.dominance_at == s.AT_ROUND and ends_round:
        for seat in range(s.SEATS):
            if state.over == 0:
                scoring.check_dominance(rules, state, log, seat)
    if state.over == 0 and state.turns == s.SEATS * rules.turn_limit:
        scoring.judge_limit(rules, state, log)
    if state.over == 0:
        if ends_round:
            scoring.keep_round(rules, state, log)
        state.phase = s.BEGIN_TURN


@compiled
def _take_step(rules, state, log):
    """Take a step without a decision."""
    phase = state.phase
    if phase == s.BEGIN_TURN:
        _begin_turn(rules, state, log)
    elif phase == s.EXPLORE:
        movement.explore_next(rules, state, log)
    elif phase == s.NEXT_COMBAT:
        combat.begin_combat(rules, state, log)
    elif phase == s.ROLL:
        combat.roll_round(rules, state, log)
    elif phase == s.FLY:
        combat.fly(rules, state, log)
    elif phase == s.STRIKE:
        combat.strike(rules, state, log)
    elif phase == s.DRAW:
        drawing.draw_for_turn(rules, state, log)
    elif phase == s.DISCARDS:
        drawing.go_on_discarding(rules, state)
    elif phase == s.RECRUIT:
        drawing.recruit(rules, state, log)
    elif phase == s.END_TURN:
        _end_turn(rules, state, log)
    else:
        _deal(rules, state, log)


@compiled
def _deal(rules, state, log):
    """Deal the fate cards of the start, first to the first seat (DEC-3)."""
    seat = state.phase - s.DEAL_FIRST
    drawing.draw_cards(state, log, seat, rules.hand_start[seat])
    drawing.begin_discards(state, seat, state.phase + 1)


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
def setup(rules, state, log, scratch):
    """Deal a game and play on to its first decision; see `balance.contract.modules.KernelModule`."""
    deal(rules, state)
    play_on(rules, state, log, scratch)


@compiled_entry
def apply(rules, state, log, scratch, action):
    """Carry out an action of `state.seat` and play on to the next decision."""
    _carry_out(rules, state, log, action)
    play_on(rules, state, log, scratch)


@compiled_entry
def checkpoint(rules, state):
    """Return the number of turns that have begun."""
    return state.turns
