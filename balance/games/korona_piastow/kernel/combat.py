"""Invasions (CMB-1 to CMB-7, LOS-1), losses, sieges (SGE-1, SGE-3) and raids (FOR-3)."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.cards import draw_fate
from balance.games.korona_piastow.kernel.invading import FREE, casus_belli, march_out
from balance.games.korona_piastow.kernel.land import (
    acting_trait,
    clear_units,
    count_active,
    devastate,
    fighters_in,
    fortress_counts,
    has_fortress,
    has_troops_of,
    holder_of,
    is_besieged,
    is_fortress,
    owner_of,
    units_in,
)
from balance.games.korona_piastow.kernel.tokens import clear_fief, count_tokens_at, turn_up


@compiled
def _sent_count(state):
    """Return the number of units sent, without engines."""
    count = 0
    for kind in s.LOSSES:
        count += state.sent[kind]
    return count


@compiled
def lose_sent_worth(rules, state, worth):
    """Remove units sent worth at least this attack, but keep one of them (CMB-3)."""
    left = _sent_count(state)
    for kind in s.LOSSES:
        while worth > 0 and left > 1 and state.sent[kind] > 0:
            state.sent[kind] -= 1
            worth -= rules.attack[kind]
            left -= 1


@compiled
def lose_sent(rules, state):
    """Remove a share of the number of units sent, rounded up (CMB-6)."""
    count = (_sent_count(state) * rules.loser_loss + 99) // 100
    for kind in s.LOSSES:
        while count > 0 and state.sent[kind] > 0:
            state.sent[kind] -= 1
            count -= 1


@compiled
def lose_worth(rules, state, fief, worth):
    """Remove units of a fief worth at least this defence, but keep one of them (CMB-6)."""
    left = fighters_in(state, fief)
    for kind in s.LOSSES:
        while worth > 0 and left > 1 and state.units[fief, kind] > 0:
            state.units[fief, kind] -= 1
            worth -= rules.defence[kind]
            left -= 1


@compiled
def rebel(state, fief):
    """Remove half of a fief's units without engines, rounded up, in the order of losses."""
    count = (fighters_in(state, fief) + 1) // 2
    for kind in s.LOSSES:
        while count > 0 and state.units[fief, kind] > 0:
            state.units[fief, kind] -= 1
            count -= 1


@compiled
def list_sieges(rules, state, fief, codes, count):
    """Append the adjoining fiefs that may be besieged from a fief (SGE-1)."""
    seat = state.seat
    if not has_troops_of(state, fief, seat) or not has_fortress(rules, state, seat):
        return count
    for i in range(rules.degree[fief]):
        other = rules.neighbours[fief, i]
        if is_besieged(state, other) or not fortress_counts(rules, state, other, seat):
            continue
        if holder_of(rules, state, other) != seat and casus_belli(rules, state, seat, other) == FREE:
            codes[count] = a.encode(s.ASK_SIEGE, a.SIEGE, other)
            count += 1
    return count


@compiled
def besiege(state, code):
    fief = a.number_of(code)
    state.besieger[fief] = state.seat
    state.siege_round[fief] = state.round_number
    state.phase = s.END_ORDER


@compiled
def lift_sieges(rules, state):
    """Lift sieges if the besieger holds the fief or has no units next to it, or the building is gone (SGE-3)."""
    for fief in range(rules.fief_count):
        seat = state.besieger[fief]
        if seat == s.NOTHING:
            continue
        near = False
        for i in range(rules.degree[fief]):
            near |= has_troops_of(state, rules.neighbours[fief, i], seat)
        if not near or not is_fortress(state, fief) or holder_of(rules, state, fief) == seat:
            state.besieger[fief] = s.NOTHING


@compiled
def _is_levied(rules, state, fief):
    """Return whether a levy defends a fief: a fief without units outside the capitals in play.

    Engines don't count as units (MAP-4): a revenge may meet engines that an invasion left behind.
    """
    if fighters_in(state, fief) > 0:
        return False
    for seat in range(state.players):
        if state.out_round[seat] == 0 and state.capital[seat] == rules.district_of[fief]:
            return False
    return True


@compiled
def units_defence(rules, state, fief):
    """Return the defence of the units in a fief, including the levy."""
    if _is_levied(rules, state, fief):
        return rules.levy * rules.defence[s.INFANTRY]
    total = 0
    for kind in range(state.units.shape[1]):
        total += rules.defence[kind] * state.units[fief, kind]
    return total


@compiled
def _walls_of(rules, state, fief, invader):
    """Return the defence of the building in a fief, against a seat or the foreign states (CMB-2)."""
    if not fortress_counts(rules, state, fief, invader):
        return 0
    return rules.building_defence[state.building[fief]]


@compiled
def strength_of_fief(rules, state, fief, invader):
    """Return the defence of a fief without fate, against a seat or the foreign states (CMB-1)."""
    total = units_defence(rules, state, fief) + rules.defend * state.defended[fief]
    total += _walls_of(rules, state, fief, invader)
    if holder_of(rules, state, fief) == owner_of(rules, state, fief):
        total += acting_trait(rules, state, rules.district_of[fief], s.DEFENCE)
    return total


@compiled
def _sent_attack(rules, state):
    """Return the attack of the units sent, without engines."""
    total = 0
    for kind in s.LOSSES:
        total += rules.attack[kind] * state.sent[kind]
    return total


@compiled
def worth_of_engines(rules, state, seat, target, engines):
    """Return the attack of the engines sent, at most the defence of a building that counts (CMB-1)."""
    return min(_walls_of(rules, state, target, seat), rules.attack[s.ENGINE] * engines)


@compiled
def bonus_of_invader(rules, state, seat, source):
    """Return the attack of relics, and of the attack trait for invasions from the ruler's own state (CMB-1)."""
    total = rules.relic_attack * state.relics[seat]
    if owner_of(rules, state, source) == seat:
        total += acting_trait(rules, state, rules.district_of[source], s.ATTACK)
    return total


@compiled
def _strength_of_invasion(rules, state):
    """Return the attack without fate (CMB-1)."""
    seat = state.seat
    total = _sent_attack(rules, state) + bonus_of_invader(rules, state, seat, state.fief)
    total += worth_of_engines(rules, state, seat, state.target, state.sent[s.ENGINE])
    return total + rules.revenge * state.avenging


@compiled
def _bring_defends_into_force(state, fief, holder):
    """Use up the holder's `defend` orders in the fief (DEF-1)."""
    if holder < 0:
        return
    count = count_tokens_at(state, fief, s.DEFEND, holder)
    state.defended[fief] += count
    for _ in range(count):
        turn_up(state, holder, fief, s.DEFEND)


@compiled
def invade(rules, state, log, code):
    """Send the units and fight; then ask the winner, or the defender for a revenge."""
    march_out(state, code)
    seat, target = state.seat, state.target
    holder = holder_of(rules, state, target)
    log.seats[seat].invasions += 1
    if holder >= 0:
        state.feud[seat, holder] = state.round_number
    _bring_defends_into_force(state, target, holder)
    attack = _strength_of_invasion(rules, state)
    defence = strength_of_fief(rules, state, target, seat)
    _record_battle(rules, state, log, seat, target, attack, defence)
    attack += rules.fate_attack[draw_fate(rules, state, log, a.FATE_ATTACK)]
    defence += rules.fate_defence[draw_fate(rules, state, log, a.FATE_DEFENCE)]
    if attack > defence:
        _conquer(rules, state, log, holder, attack, defence)
    else:
        _fall_back(rules, state, log, holder, attack, defence)


@compiled
def _record_battle(rules, state, log, invader, fief, attack, defence):
    """Record an attack by a seat or the foreign states, with the strength of both sides without fate."""
    holder, building = holder_of(rules, state, fief), state.building[fief]
    walls, defends = _walls_of(rules, state, fief, invader), state.defended[fief]
    parts = (invader, fief, holder, attack, defence, walls, building, defends)
    record_outcome(state, log, a.BATTLE, *parts)


@compiled
def _conquer(rules, state, log, holder, attack, defence):
    """Let the invader lose units and occupy the target (CMB-3)."""
    seat, target = state.seat, state.target
    before = _sent_count(state)
    log.seats[seat].won += 1
    if holder >= 0:
        log.seats[holder].lost_fiefs += 1
    lose_sent_worth(rules, state, units_defence(rules, state, target) * rules.winner_loss // 100)
    lost, killed = before - _sent_count(state), units_in(state, target)
    parts = (seat, target, state.avenging, 1, attack, defence, lost, killed)
    record_outcome(state, log, a.FOUGHT, *parts)
    clear_units(state, target)
    for kind in s.LOSSES:
        state.units[target, kind] = state.sent[kind]
    state.lord[target] = seat
    clear_fief(state, target)
    state.besieger[target] = s.NOTHING
    state.phase = s.ASK_VICTORY


@compiled
def _fall_back(rules, state, log, holder, attack, defence):
    """Let the invader lose many units and go back; the defender loses some and may take revenge (CMB-6, REV-1)."""
    seat, target = state.seat, state.target
    log.seats[seat].repelled += 1
    loss = _sent_attack(rules, state) * rules.winner_loss // 100
    sent, there = _sent_count(state), units_in(state, target)
    lose_sent(rules, state)
    lose_worth(rules, state, target, loss)
    state.units[target, s.ENGINE] = 0
    lost, killed = sent - _sent_count(state), there - units_in(state, target)
    parts = (seat, target, state.avenging, 0, attack, defence, lost, killed)
    record_outcome(state, log, a.FOUGHT, *parts)
    for kind in s.LOSSES:
        state.units[state.fief, kind] += state.sent[kind]
    state.phase = s.END_ORDER
    if state.avenging or holder < 0 or holder_of(rules, state, target) != holder:
        return
    if count_tokens_at(state, target, s.REVENGE, holder) == 0:
        return
    if count_active(rules, state, holder, s.CASTLE) > 0:
        state.seat = holder
        state.fief = target
        state.avenging = 1
        state.phase = s.ASK_REVENGE


@compiled
def list_victories(state, codes):
    codes[0] = a.encode(s.ASK_VICTORY, a.OCCUPY, 0)
    if state.devastated[state.target]:
        return 1
    codes[1] = a.encode(s.ASK_VICTORY, a.DEVASTATE, 0)
    return 2


@compiled
def use_victory(rules, state, log, code):
    """Occupy or devastate the fief won (CMB-5)."""
    if a.verb_of(code) == a.DEVASTATE:
        devastate(state, state.target)
        state.denars[state.seat] += rules.loot
        log.seats[state.seat].devastated += 1
    state.phase = s.END_ORDER


@compiled
def raid(rules, state, log, fief):
    """Attack a fief by the foreign states (FOR-3)."""
    card = state.event
    defence = strength_of_fief(rules, state, fief, s.FOREIGN_STATES)
    attack = rules.card_strength[card]
    _record_battle(rules, state, log, s.FOREIGN_STATES, fief, attack, defence)
    attack += rules.fate_attack[draw_fate(rules, state, log, a.FATE_ATTACK)]
    defence += rules.fate_defence[draw_fate(rules, state, log, a.FATE_DEFENCE)]
    killed = units_in(state, fief) if attack > defence else 0
    parts = (s.FOREIGN_STATES, fief, 0, attack > defence, attack, defence, 0, killed)
    record_outcome(state, log, a.FOUGHT, *parts)
    if attack > defence:
        clear_units(state, fief)
        devastate(state, fief)
        state.besieger[fief] = s.NOTHING
        state.units[fief, s.FOREIGN] = min(rules.card_number[card], rules.fief_limit)
