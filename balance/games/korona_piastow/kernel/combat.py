"""How an invasion or a raid ends: strength, fate, losses (CMB-1 to CMB-7, LOS-1, DEF-1, FOR-3)."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.cards import draw_fate
from balance.games.korona_piastow.kernel.invading import march_out
from balance.games.korona_piastow.kernel.land import (
    acting_trait,
    clear_units,
    devastate,
    fighters_in,
    fortress_counts,
    has_active,
    holder_of,
    owner_of,
    units_in,
)
from balance.games.korona_piastow.kernel.orders import clear_fief, count_tokens_at, turn_up


@compiled
def _count_fighters(units):
    """Return the number of units of an army, an array by kind, without engines."""
    count = 0
    for kind in s.LOSSES:
        count += int(units[kind])  # 8 bits would overflow in code that is not compiled
    return count


@compiled
def attack_of(rules, units):
    """Return the attack of an army without engines."""
    total = 0
    for kind in s.LOSSES:
        total += rules.attack[kind] * units[kind]
    return total


@compiled
def _lose_worth(units, values, worth):
    """Remove units of an army worth at least `worth` by their `values`, but keep one of them (CMB-3, CMB-6)."""
    left = _count_fighters(units)
    for kind in s.LOSSES:
        while worth > 0 and left > 1 and units[kind] > 0:
            units[kind] -= 1
            worth -= values[kind]
            left -= 1


@compiled
def _lose_share(units, percent):
    """Remove a percentage of the units of an army, rounded up, in the order of losses (CMB-4, CMB-6)."""
    count = (_count_fighters(units) * percent + 99) // 100
    for kind in s.LOSSES:
        while count > 0 and units[kind] > 0:
            units[kind] -= 1
            count -= 1


@compiled
def rebel(state, fief):
    """Remove half of the units of a fief, rounded up, in the order of losses; engines are not counted."""
    _lose_share(state.units[fief], 50)


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
    total = attack_of(rules, state.sent) + bonus_of_invader(rules, state, seat, state.fief)
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
def _draw_both_fates(rules, state, log, attack, defence):
    """Return both strengths with the numbers of a card each (LOS-1)."""
    attack += rules.fate_attack[draw_fate(state, log, a.FATE_ATTACK)]
    defence += rules.fate_defence[draw_fate(state, log, a.FATE_DEFENCE)]
    return attack, defence


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
    attack, defence = _draw_both_fates(rules, state, log, attack, defence)
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
    sent = _count_fighters(state.sent) + state.sent[s.ENGINE]  # all engines are destroyed (CMB-7)
    log.seats[seat].won += 1
    if holder >= 0:
        log.seats[holder].lost_fiefs += 1
    worth = units_defence(rules, state, target) * rules.winner_loss // 100
    _lose_worth(state.sent, rules.attack, worth)
    lost, killed = sent - _count_fighters(state.sent), units_in(state, target)
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
    worth = attack_of(rules, state.sent) * rules.winner_loss // 100
    sent = _count_fighters(state.sent) + state.sent[s.ENGINE]  # all engines are destroyed (CMB-7)
    there = units_in(state, target)
    _lose_share(state.sent, rules.loser_loss)
    _lose_worth(state.units[target], rules.defence, worth)
    state.units[target, s.ENGINE] = 0
    lost, killed = sent - _count_fighters(state.sent), there - units_in(state, target)
    parts = (seat, target, state.avenging, 0, attack, defence, lost, killed)
    record_outcome(state, log, a.FOUGHT, *parts)
    for kind in s.LOSSES:
        state.units[state.fief, kind] += state.sent[kind]
    state.phase = s.END_ORDER
    if state.avenging or holder < 0 or holder_of(rules, state, target) != holder:
        return
    ordered = count_tokens_at(state, target, s.REVENGE, holder) > 0
    if ordered and has_active(rules, state, holder, s.CASTLE):
        state.seat = holder
        state.fief = target
        state.avenging = 1
        state.phase = s.ASK_REVENGE


@compiled
def list_victories(state, codes):
    count = a.append(codes, 0, s.ASK_VICTORY, a.OCCUPY, 0)
    if state.devastated[state.target] == 0:
        count = a.append(codes, count, s.ASK_VICTORY, a.DEVASTATE, 0)
    return count


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
    attack, defence = _draw_both_fates(rules, state, log, attack, defence)
    killed = units_in(state, fief) if attack > defence else 0
    parts = (s.FOREIGN_STATES, fief, 0, attack > defence, attack, defence, 0, killed)
    record_outcome(state, log, a.FOUGHT, *parts)
    if attack > defence:
        clear_units(state, fief)
        devastate(state, fief)
        state.besieger[fief] = s.NOTHING
        state.units[fief, s.FOREIGN] = min(rules.card_number[card], rules.fief_limit)
