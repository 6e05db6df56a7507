"""The flow of a game: legal actions of each phase, their effects, and the steps in between."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import (
    carrying_out,
    combat,
    court,
    dealing,
    events,
    invading,
    orders,
    peaceful,
    rounds,
)
from balance.games.korona_piastow.kernel import state as s


@compiled
def _take_step(rules, state, log, scratch):
    """Take a step of the rules; return True if a seat must decide now."""
    phase = state.phase
    asking = False
    if phase == s.TURN:
        asking = carrying_out.seek_turn(rules, state)
    elif phase == s.END_ORDER:
        rounds.settle(rules, state, log)
        state.phase = s.TURN
    elif phase == s.COURT:
        asking = court.seek_courtier(rules, state)
    elif phase == s.GIVE:
        asking = orders.seek_giver(rules, state)
    elif phase == s.SPY:
        asking = carrying_out.seek_spy(rules, state)
    elif phase == s.DIVERT:
        asking = carrying_out.seek_diversion(state)
    elif phase == s.EVENT:
        events.begin_event(rules, state, log, scratch)
    elif phase == s.END_EVENT:
        rounds.end_event(rules, state, log)
    elif phase == s.BEGIN_ROUND:
        rounds.begin_round(rules, state, log)
    elif phase == s.TAKE_LINE:
        asking = dealing.seek_line(rules, state, log)
    else:
        asking = dealing.seek_placer(rules, state)
    return asking


@compiled
def _proceed(rules, state, log, scratch):
    """Play on without decisions until a seat must choose or the game is over."""
    while state.phase >= s.PLACE and state.over == 0:
        if _take_step(rules, state, log, scratch):
            return


@compiled_entry
def setup(rules, state, log, scratch):
    """Deal a game and play on to its first decision; see `balance.contract.modules.KernelModule`."""
    dealing.lay_out(rules, state)
    _proceed(rules, state, log, scratch)


@compiled_entry
def legal_actions(rules, state, scratch, codes):
    """Write the legal actions of `state.seat` to `codes` (int32) and return their number (section 5)."""
    phase = state.phase
    if phase <= s.ASK_DAMAGE:
        return _list_orders(rules, state, codes)
    if phase <= s.ASK_VICTORY:
        return _list_deeds(rules, state, codes)
    if phase == s.ASK_MAGNATE:
        return court.list_magnate(rules, state, codes)
    if phase == s.ASK_GRANT:
        return court.list_grants(rules, state, codes)
    if phase == s.ASK_RULER:
        return court.list_ruler(rules, state, codes)
    if phase == s.ASK_LINE:
        return dealing.list_lines(rules, state, codes)
    return events.list_choices(rules, state, codes)


@compiled
def _list_orders(rules, state, codes):
    """List the actions while units are placed, orders given, and spies sent."""
    phase = state.phase
    if phase == s.ASK_FIEF:
        return orders.list_fiefs(rules, state, codes)
    if phase == s.ASK_ORDER:
        return orders.list_kinds(rules, state, codes)
    if phase == s.ASK_PLACE:
        return dealing.list_places(rules, state, codes)
    if phase == s.ASK_SPY:
        return carrying_out.list_spies(rules, state, codes)
    return carrying_out.list_damages(rules, state, codes)


@compiled
def _list_deeds(rules, state, codes):
    """List the actions while orders are carried out."""
    phase, fief = state.phase, state.fief
    if phase == s.ASK_TURN:
        return carrying_out.list_turns(rules, state, codes)
    if phase == s.ASK_MUSTER:
        return _list_end(state, codes, peaceful.list_musters(rules, state, fief, codes, 0))
    if phase == s.ASK_REGROUP:
        return _list_end(state, codes, peaceful.list_regroups(rules, state, fief, codes, 0))
    if phase == s.ASK_BUILD:
        return peaceful.list_builds(rules, state, fief, codes, 0)
    if phase == s.ASK_TARGET:
        return invading.list_targets(rules, state, fief, codes, 0)
    if phase == s.ASK_SEND:
        return invading.list_sendings(rules, state, codes)
    if phase == s.ASK_SIEGE:
        return invading.list_sieges(rules, state, fief, codes, 0)
    if phase == s.ASK_REVENGE:
        return invading.list_revenges(rules, state, codes)
    return combat.list_victories(state, codes)


@compiled
def _list_end(state, codes, count):
    """Append `done`, if a muster or regroup has begun."""
    return a.append(codes, count, state.phase, a.DONE, 0) if state.more else count


@compiled_entry
def apply(rules, state, log, scratch, action):
    """Carry out an action of `state.seat` and play on to the next decision."""
    phase = state.phase
    if phase <= s.ASK_DAMAGE:
        _apply_order(rules, state, log, action)
    elif phase <= s.ASK_VICTORY:
        _apply_deed(rules, state, log, scratch, action)
    elif phase == s.ASK_MAGNATE:
        court.use_magnate(rules, state, action)
    elif phase == s.ASK_GRANT:
        court.grant(state, log, action)
    elif phase == s.ASK_RULER:
        court.use_ruler(rules, state, action)
    elif phase == s.ASK_LINE:
        dealing.choose_line(rules, state, action)
    else:
        events.choose(rules, state, log, action)
    _proceed(rules, state, log, scratch)


@compiled
def _apply_order(rules, state, log, action):
    """Carry out an action while units are placed, orders given, and spies sent."""
    phase = state.phase
    if phase == s.ASK_FIEF:
        orders.choose_fief(state, action)
    elif phase == s.ASK_ORDER:
        orders.give_order(state, log, action)
    elif phase == s.ASK_PLACE:
        dealing.place(state, action)
    elif phase == s.ASK_SPY:
        carrying_out.spy(rules, state, log, action)
    else:
        carrying_out.do_damage(state, action)


@compiled
def _apply_deed(rules, state, log, scratch, action):
    """Carry out an action while orders are carried out."""
    phase = state.phase
    if phase == s.ASK_TURN:
        carrying_out.take_turn(rules, state, log, action)
    elif phase == s.ASK_MUSTER:
        peaceful.muster(rules, state, log, scratch, action)
    elif phase == s.ASK_REGROUP:
        peaceful.regroup(rules, state, scratch, action)
    elif phase == s.ASK_BUILD:
        peaceful.build(rules, state, log, action)
    elif phase == s.ASK_TARGET or phase == s.ASK_REVENGE:
        invading.aim(rules, state, log, action)
    elif phase == s.ASK_SEND:
        combat.invade(rules, state, log, action)
    elif phase == s.ASK_SIEGE:
        invading.besiege(state, action)
    else:
        combat.use_victory(rules, state, log, action)


@compiled_entry
def checkpoint(rules, state):
    """Return the number of rounds that have begun."""
    return state.round_number
