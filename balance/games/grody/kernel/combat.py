"""Combat: who fights, with what morale, how each behaves, who has won (CMB-1 to CMB-3, CMB-6, CMB-8)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.compiling.streams import draw_below
from balance.contract.news import announce
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import take_segment
from balance.games.grody.kernel.ends import check_conquest
from balance.games.grody.kernel.windows import open_window


@compiled
def cushion_at(rules, state, segment):
    """Blows that a defender of a segment ignores (CMB-5)."""
    if state.terrain[segment] == s.GROD:
        return rules.grod_cushion
    return rules.fort_cushion if state.building[segment] == s.FORT else 0


@compiled
def begin_combat(rules, state, log):
    """The next combat in the order of the attacks; after the last, drawing."""
    if state.fought == state.attack_count:
        state.phase = s.DRAW
        return
    state.here = state.attacks[state.fought]
    state.fought += 1
    state.combat_round = 0
    state.cushion = cushion_at(rules, state, state.here)
    for p in range(s.SEATS):
        count = state.warriors[p, state.here]
        state.fighters[p] = count
        state.led[p] = count >= rules.leader_at
        state.songs[p] = 0
        for i in range(count):
            state.boost[p, i] = 0
            state.behaviour[p, i] = s.READY
            state.roll[p, i] = 0
        for segment in range(rules.segment_count):
            state.fled_to[p, segment] = 0
    log.combats += 1
    log.attacks[state.active] += 1
    log.defences[1 - state.active] += 1
    open_window(state, s.BEFORE)


@compiled
def morale_of(rules, state, seat, i):
    """Morale of warrior `i` of a seat in this round (CMB-1)."""
    terrain = state.terrain[state.here]
    morale = rules.morale + state.boost[seat, i] - rules.gloom[terrain]
    morale += state.led[seat] * rules.leader_morale
    if state.combat_round > 1:
        return morale
    morale += state.songs[seat] * rules.song_morale
    if seat != state.active:
        morale += rules.defence[terrain]
    elif state.building[state.here] == s.ABATIS:
        morale += rules.abatis_morale
    return morale


@compiled
def behave(rules, state, seat, i):
    """How a warrior behaves by the roll (CMB-2)."""
    over = state.roll[seat, i] - morale_of(rules, state, seat, i)
    if over >= 2:
        behaviour = s.FLEEING
    elif over == 1:
        behaviour = s.STANDING
    else:
        behaviour = s.FIGHTING if over >= -1 else s.FURIOUS
    state.behaviour[seat, i] = behaviour


@compiled
def roll_round(rules, state, log):
    """Stage b: in the first round all roll, then those who stood; the others fight (CMB-2, CMB-6)."""
    state.combat_round += 1
    log.combat_rounds += 1
    if rules.cushion_a_round:
        state.cushion = cushion_at(rules, state, state.here)
    for side in range(s.SEATS):
        _roll_side(rules, state, log, state.active if side == 0 else 1 - state.active)
    open_window(state, s.DURING)


@compiled
def _roll_side(rules, state, log, seat):
    """The dice of a side are told as one number: base 7, the first warrior's first."""
    dice = 0
    for i in range(state.fighters[seat]):
        before = state.behaviour[seat, i]
        state.roll[seat, i] = 0
        if before == s.READY or before == s.STANDING:
            state.roll[seat, i] = 1 + draw_below(state.chance, s.DICE, s.SIDES)
            dice = 7 * dice + state.roll[seat, i]
            behave(rules, state, seat, i)
        elif before != s.GONE:
            state.behaviour[seat, i] = s.FIGHTING
    if dice > 0:
        announce(state, log, a.encode(a.ROLL, seat, dice))


@compiled
def leave(state, seat, i):
    """Warrior `i` of a seat is no longer in the combat."""
    state.behaviour[seat, i] = s.GONE
    state.warriors[seat, state.here] -= 1


@compiled
def kill(state, log, seat, i):
    leave(state, seat, i)
    log.lost[seat] += 1


@compiled
def is_decided(state):
    """Whether a side has no warrior left."""
    return state.warriors[0, state.here] == 0 or state.warriors[1, state.here] == 0


@compiled
def conclude(rules, state, log):
    """CMB-8: the side that is left has won; then END-1, then the cards after a combat."""
    seat = state.active
    state.victor = s.NOBODY
    if state.warriors[seat, state.here] > 0:
        state.victor = seat
        state.attacks_won += 1
        log.attacks_won[seat] += 1
        take_segment(rules, state, log, seat, state.here)
        check_conquest(rules, state, log)
    elif state.warriors[1 - seat, state.here] > 0:
        state.victor = 1 - seat
        log.defences_won[1 - seat] += 1
    if state.over:
        return
    if state.victor == s.NOBODY:
        state.phase = s.NEXT_COMBAT
    else:
        open_window(state, s.AFTER)
