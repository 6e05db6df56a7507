"""An invasion fought (CMB-1 to CMB-7, LOS-1), and raids of the foreign states (FOR-3)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.cards import draw_fate
from balance.games.korona_piastow.kernel.invading import march_out
from balance.games.korona_piastow.kernel.land import (
    acting_trait,
    clear_units,
    count_active,
    devastate,
    fighters_in,
    fortress_counts,
    holder_of,
    owner_of,
)
from balance.games.korona_piastow.kernel.losses import lose_sent, lose_sent_worth, lose_worth
from balance.games.korona_piastow.kernel.tokens import clear_fief, count_tokens_at, turn_up


@compiled
def _is_levied(rules, state, fief):
    """Whether infantry that nobody sees defends a fief: one without units outside the capitals in play.

    Engines don't count (MAP-4): a revenge may meet those that an invasion left alone.
    """
    if fighters_in(state, fief) > 0:
        return False
    for seat in range(state.players):
        if state.out_round[seat] == 0 and state.capital[seat] == rules.district_of[fief]:
            return False
    return True


@compiled
def units_defence(rules, state, fief):
    """Defence of the units in a fief, the levy too."""
    if _is_levied(rules, state, fief):
        return rules.levy * rules.defence[s.INFANTRY]
    total = 0
    for kind in range(state.units.shape[1]):
        total += rules.defence[kind] * state.units[fief, kind]
    return total


@compiled
def _walls_of(rules, state, fief, invader):
    """CMB-2: defence of the building in a fief, against a seat or the foreign states."""
    if not fortress_counts(rules, state, fief, invader):
        return 0
    return rules.building_defence[state.building[fief]]


@compiled
def strength_of_fief(rules, state, fief, invader):
    """CMB-1: defence of a fief without fate, against a seat or the foreign states."""
    total = units_defence(rules, state, fief) + rules.defend * state.defended[fief]
    total += _walls_of(rules, state, fief, invader)
    if holder_of(rules, state, fief) == owner_of(rules, state, fief):
        total += acting_trait(rules, state, rules.district_of[fief], s.DEFENCE)
    return total


@compiled
def _sent_attack(rules, state):
    """Attack of the units sent, engines left out."""
    total = 0
    for kind in s.LOSSES:
        total += rules.attack[kind] * state.sent[kind]
    return total


@compiled
def worth_of_engines(rules, state, seat, target, engines):
    """CMB-1: attack of engines sent, not above the defence of a building that counts."""
    return min(_walls_of(rules, state, target, seat), rules.attack[s.ENGINE] * engines)


@compiled
def bonus_of_invader(rules, state, seat, source):
    """CMB-1: relics, and the attack trait where the invasion comes from the ruler's own state."""
    total = rules.relic_attack * state.relics[seat]
    if owner_of(rules, state, source) == seat:
        total += acting_trait(rules, state, rules.district_of[source], s.ATTACK)
    return total


@compiled
def _strength_of_invasion(rules, state):
    """CMB-1: attack without fate."""
    seat = state.seat
    total = _sent_attack(rules, state) + bonus_of_invader(rules, state, seat, state.fief)
    total += worth_of_engines(rules, state, seat, state.target, state.sent[s.ENGINE])
    return total + rules.revenge * state.avenging


@compiled
def _bring_defends_into_force(state, fief, holder):
    """DEF-1: the holder's `defend` orders there are used up."""
    if holder < 0:
        return
    count = count_tokens_at(state, fief, s.DEFEND, holder)
    state.defended[fief] += count
    for _ in range(count):
        turn_up(state, holder, fief, s.DEFEND)


@compiled
def invade(rules, state, log, code):
    """Send the units and fight; the winner may be asked next, or the defender for a revenge."""
    march_out(state, code)
    seat, target = state.seat, state.target
    holder = holder_of(rules, state, target)
    log.invasions[seat] += 1
    if holder >= 0:
        state.feud[seat, holder] = state.round_number
    _bring_defends_into_force(state, target, holder)
    attack = _strength_of_invasion(rules, state)
    defence = strength_of_fief(rules, state, target, seat)
    log.attack, log.defence = attack, defence
    log.walls, log.defends = _walls_of(rules, state, target, seat), state.defended[target]
    attack += rules.fate_attack[draw_fate(rules, state, log, a.FATE_ATTACK)]
    defence += rules.fate_defence[draw_fate(rules, state, log, a.FATE_DEFENCE)]
    if attack > defence:
        _conquer(rules, state, log, holder)
    else:
        _fall_back(rules, state, log, holder)


@compiled
def _conquer(rules, state, log, holder):
    """CMB-3: the invader loses units and stands in the target."""
    seat, target = state.seat, state.target
    log.won[seat] += 1
    if holder >= 0:
        log.lost_fiefs[holder] += 1
    lose_sent_worth(rules, state, units_defence(rules, state, target) * rules.winner_loss // 100)
    clear_units(state, target)
    for kind in s.LOSSES:
        state.units[target, kind] = state.sent[kind]
    state.lord[target] = seat
    clear_fief(state, target)
    state.besieger[target] = s.NOTHING
    state.phase = s.ASK_VICTORY


@compiled
def _fall_back(rules, state, log, holder):
    """CMB-6: the invader loses many and goes back; the defender loses some, and may take revenge (REV-1)."""
    seat, target = state.seat, state.target
    log.repelled[seat] += 1
    loss = _sent_attack(rules, state) * rules.winner_loss // 100
    lose_sent(rules, state)
    for kind in s.LOSSES:
        state.units[state.fief, kind] += state.sent[kind]
    lose_worth(rules, state, target, loss)
    state.units[target, s.ENGINE] = 0
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
    """CMB-5."""
    if a.verb_of(code) == a.DEVASTATE:
        devastate(state, state.target)
        state.denars[state.seat] += rules.loot
        log.devastated[state.seat] += 1
    state.phase = s.END_ORDER


@compiled
def raid(rules, state, log, fief):
    """FOR-3: the foreign states strike at a fief."""
    card = state.event
    defence = strength_of_fief(rules, state, fief, s.FOREIGN_STATES)
    attack = rules.card_strength[card] + (rules.fate_attack[draw_fate(rules, state, log, a.FATE_ATTACK)])
    defence += rules.fate_defence[draw_fate(rules, state, log, a.FATE_DEFENCE)]
    if attack > defence:
        clear_units(state, fief)
        devastate(state, fief)
        state.besieger[fief] = s.NOTHING
        state.units[fief, s.FOREIGN] = min(rules.card_number[card], rules.fief_limit)
