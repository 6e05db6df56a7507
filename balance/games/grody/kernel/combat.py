"""Combat: card phases (CRD-1), warriors, morale, blows, flight and the winner (CMB-1 to CMB-8)."""

from __future__ import annotations

from balance.contract.records import record_chance, record_outcome
from balance.foundation.compiling import compiled
from balance.foundation.streams import draw_below
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import has_room, take_segment
from balance.games.grody.kernel.scoring import check_conquest


@compiled
def open_window(state, window):
    """Begin a card phase; A has priority."""
    state.window = window
    state.declines = 0
    state.seat = state.active
    state.phase = s.ASK_CARD


@compiled
def cushion_at(rules, state, segment):
    """Return the blows that a defender of a segment ignores (CMB-5)."""
    if state.terrain[segment] == s.GROD:
        return rules.grod_cushion
    return rules.fort_cushion if state.building[segment] == s.FORT else 0


@compiled
def begin_combat(rules, state, log):
    """Begin the next combat in the order of the attacks; after the last, go to drawing."""
    if state.fought == state.attack_count:
        state.phase = s.DRAW
        return
    state.here = state.attacks[state.fought]
    state.fought += 1
    state.combat_round = 0
    state.cushion = cushion_at(rules, state, state.here)
    for p in range(s.SEATS):
        _line_up(rules, state, p)
    if log.keep_outcomes:
        _record_combat(rules, state, log)
    log.game.combats += 1
    log.seats[state.active].attacks += 1
    log.seats[1 - state.active].defences += 1
    open_window(state, s.BEFORE)


@compiled
def _line_up(rules, state, seat):
    """Make a seat's warriors on the segment ready for the combat."""
    count = state.warriors[seat, state.here]
    state.fighters[seat] = count
    state.led[seat] = count >= rules.leader_at
    state.songs[seat] = 0
    for i in range(count):
        state.boost[seat, i] = 0
        state.behaviour[seat, i] = s.READY
        state.roll[seat, i] = 0
    for segment in range(rules.segment_count):
        state.fled_to[seat, segment] = 0


@compiled
def _record_combat(rules, state, log):
    """Record who meets where, with the lead in morale of the first round."""
    seat, here = state.active, state.here
    attackers, defenders = state.fighters[seat], state.fighters[1 - seat]
    lead = morale_of(rules, state, seat, 0) - morale_of(rules, state, 1 - seat, 0)
    leaders = state.led[seat] - state.led[1 - seat]
    terrain, building = state.terrain[here], state.building[here]
    record_outcome(state, log, a.COMBAT, seat, here, attackers, defenders, terrain, building, lead, leaders)


@compiled
def morale_of(rules, state, seat, i):
    """Return the morale of warrior `i` of a seat in this round (CMB-1)."""
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
    """Set the behaviour of a warrior by its roll (CMB-2)."""
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
    """Roll in stage b: all warriors in the first round, then those who stood; the others fight (CMB-2, CMB-6)."""
    state.combat_round += 1
    log.game.combat_rounds += 1
    if rules.cushion_a_round:
        state.cushion = cushion_at(rules, state, state.here)
    for side in range(s.SEATS):
        _roll_side(rules, state, log, state.active if side == 0 else 1 - state.active)
    open_window(state, s.DURING)


@compiled
def _roll_side(rules, state, log, seat):
    """Log the dice of a side as one number: base 7, the first warrior's die first."""
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
        record_chance(state, log, a.encode_of_seat(a.ROLL, seat, dice))


@compiled
def _leave(state, seat, i):
    """Remove warrior `i` of a seat from the combat."""
    state.behaviour[seat, i] = s.GONE
    state.warriors[seat, state.here] -= 1


@compiled
def kill(state, log, seat, i):
    record_outcome(state, log, a.WARRIOR, seat, state.here, a.KILLED)
    _leave(state, seat, i)
    log.seats[seat].lost += 1


@compiled
def is_decided(state):
    """Return whether a side has no warrior left."""
    return state.warriors[0, state.here] == 0 or state.warriors[1, state.here] == 0


@compiled
def conclude(rules, state, log):
    """Settle the winner (CMB-8), then END-1, then the cards after a combat."""
    seat = state.active
    state.victor = s.NOBODY
    if state.warriors[seat, state.here] > 0:
        state.victor = seat
    elif state.warriors[1 - seat, state.here] > 0:
        state.victor = 1 - seat
    record_outcome(state, log, a.FOUGHT, state.victor, state.here, state.combat_round)
    if state.victor == seat:
        state.attacks_won += 1
        log.seats[seat].attacks_won += 1
        take_segment(rules, state, log, seat, state.here)
        check_conquest(rules, state, log)
    elif state.victor != s.NOBODY:
        log.seats[1 - seat].defences_won += 1
    if state.over:
        return
    if state.victor == s.NOBODY:
        state.phase = s.NEXT_COMBAT
    else:
        open_window(state, s.AFTER)


@compiled
def _count(state, seat, behaviour):
    """Return the number of a seat's warriors with a behaviour."""
    count = 0
    for i in range(state.fighters[seat]):
        count += state.behaviour[seat, i] == behaviour
    return count


@compiled
def _begin_blows(state, strikers):
    """Count the blows of both sides before any is struck: both strike at once."""
    state.strikers = strikers
    for seat in range(s.SEATS):
        state.blows[seat] = _count(state, seat, strikers)
    state.striker = state.active
    state.phase = s.STRIKE


@compiled
def strike(rules, state, log):
    """Strike the blows of the striker until it must choose; then the other side's, then the next stage."""
    seat = state.striker
    other = 1 - seat
    while state.blows[seat] > 0 and state.warriors[other, state.here] > 0:
        if state.cushion > 0 and seat == state.active and state.strikers == s.FIGHTING:
            state.cushion -= 1
            state.blows[seat] -= 1
            log.seats[other].blows_ignored += 1
            continue
        worst = _first_target(state, other)
        if worst == s.STANDING and state.blows[seat] < _count(state, other, s.STANDING):
            state.seat = seat
            state.phase = s.ASK_HIT
            return
        _hit_first(state, log, other, worst)
    if seat == state.active:
        state.striker = other
    elif state.strikers == s.FURIOUS:
        _begin_blows(state, s.FIGHTING)
    elif is_decided(state):
        conclude(rules, state, log)
    else:
        state.phase = s.ROLL


@compiled
def _first_target(state, seat):
    """Return the behaviour of the warriors who are hit first."""
    worst = s.GONE
    for i in range(state.fighters[seat]):
        worst = max(worst, state.behaviour[seat, i])
    return worst


@compiled
def _hit_first(state, log, seat, behaviour):
    """Kill the lowest-numbered warrior with a behaviour."""
    for i in range(state.fighters[seat]):
        if state.behaviour[seat, i] == behaviour:
            state.blows[1 - seat] -= 1
            kill(state, log, seat, i)
            return


@compiled
def list_targets(state, codes):
    """List the lowest-numbered warrior of each morale among the standing."""
    other = 1 - state.seat
    count = 0
    for i in range(state.fighters[other]):
        if state.behaviour[other, i] != s.STANDING:
            continue
        known = False
        for j in range(i):
            standing = state.behaviour[other, j] == s.STANDING
            known |= standing and state.boost[other, j] == state.boost[other, i]
        if not known:
            codes[count] = a.encode(a.HIT, i)
            count += 1
    return count


@compiled
def hit(state, log, i):
    state.blows[state.seat] -= 1
    kill(state, log, 1 - state.seat, i)
    state.phase = s.STRIKE


@compiled
def fly(rules, state, log):
    """Capture warriors without a refuge until one has a refuge; after the last warrior, go to blows."""
    for side in range(s.SEATS):
        seat = state.active if side == 0 else 1 - state.active
        for i in range(state.fighters[seat]):
            if state.behaviour[seat, i] != s.FLEEING:
                continue
            if _has_refuge(rules, state, seat):
                state.seat = seat
                state.runner = i
                state.phase = s.ASK_FLEE
                return
            record_outcome(state, log, a.WARRIOR, seat, state.here, a.CAPTURED)
            _leave(state, seat, i)
            state.prisoners[1 - seat] += 1
            log.seats[seat].captured += 1
            log.seats[seat].fled += 1
    if is_decided(state):
        conclude(rules, state, log)
    else:
        _begin_blows(state, s.FURIOUS)


@compiled
def is_refuge(rules, state, seat, segment):
    """Return whether a seat's warriors can flee to a neighbour of the combat (CMB-7)."""
    if state.owner[segment] != seat or state.warriors[1 - seat, segment] > 0:
        return False
    return has_room(rules, state, seat, segment)


@compiled
def _has_refuge(rules, state, seat):
    found = False
    for i in range(rules.degree[state.here]):
        found |= is_refuge(rules, state, seat, rules.neighbours[state.here, i])
    return found


@compiled
def list_refuges(rules, state, codes):
    count = 0
    for i in range(rules.degree[state.here]):
        segment = rules.neighbours[state.here, i]
        if is_refuge(rules, state, state.seat, segment):
            codes[count] = a.encode(a.FLEE, segment)
            count += 1
    return count


@compiled
def flee(state, log, segment):
    seat = state.seat
    _leave(state, seat, state.runner)
    state.warriors[seat, segment] += 1
    state.fled_to[seat, segment] += 1
    log.seats[seat].fled += 1
    state.phase = s.FLY
