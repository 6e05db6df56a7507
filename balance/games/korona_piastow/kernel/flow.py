"""The flow of a game: legal actions of each phase, their effects, and the steps in between."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.building import build, list_builds
from balance.games.korona_piastow.kernel.combat import (
    besiege,
    invade,
    list_sieges,
    list_victories,
    use_victory,
)
from balance.games.korona_piastow.kernel.court import (
    grant,
    list_grants,
    list_magnate,
    list_ruler,
    seek_courtier,
    use_magnate,
    use_ruler,
)
from balance.games.korona_piastow.kernel.dealing import deal, list_places, place, seek_placer
from balance.games.korona_piastow.kernel.deeds import (
    do_damage,
    list_damages,
    list_spies,
    seek_diversion,
    seek_spy,
    spy,
)
from balance.games.korona_piastow.kernel.events import begin_event, choose, list_choices
from balance.games.korona_piastow.kernel.invading import aim, list_revenges, list_sendings, list_targets
from balance.games.korona_piastow.kernel.joining import settle
from balance.games.korona_piastow.kernel.orders import (
    choose_fief,
    give_order,
    list_fiefs,
    list_kinds,
    seek_giver,
)
from balance.games.korona_piastow.kernel.rounds import begin_round, end_event
from balance.games.korona_piastow.kernel.turning import begin_turns, list_turns, seek_turn, take_turn
from balance.games.korona_piastow.kernel.units import list_musters, list_regroups, muster, regroup


@compiled
def _take_step(rules, state, log, scratch):
    """Take a step of the rules; return True if a seat must decide now."""
    phase = state.phase
    asking = False
    if phase == s.TURN:
        asking = seek_turn(rules, state)
    elif phase == s.END_ORDER:
        settle(rules, state, log)
        state.phase = s.TURN
    elif phase == s.COURT:
        asking = seek_courtier(rules, state)
    elif phase == s.GIVE:
        asking = seek_giver(rules, state)
        if not asking:
            state.offset = 0
            state.phase = s.SPY
    elif phase == s.SPY:
        asking = seek_spy(rules, state)
        if not asking:
            begin_turns(state)
    elif phase == s.DIVERT:
        asking = seek_diversion(state)
    else:
        asking = _take_rare_step(rules, state, log, scratch)
    return asking


@compiled
def _take_rare_step(rules, state, log, scratch):
    """Take a step that happens once in a round or game."""
    phase = state.phase
    asking = False
    if phase == s.EVENT:
        begin_event(rules, state, log, scratch)
    elif phase == s.END_EVENT:
        end_event(rules, state, log)
    elif phase == s.BEGIN_ROUND:
        begin_round(rules, state, log)
    else:
        asking = seek_placer(rules, state)
        state.phase = s.ASK_PLACE if asking else s.BEGIN_ROUND
    return asking


@compiled
def _proceed(rules, state, log, scratch):
    """Play on without decisions until a seat must choose or the game is over."""
    while state.phase >= s.PLACE and state.over == 0:
        if _take_step(rules, state, log, scratch):
            return


@compiled_entry
def setup(rules, state, log, scratch):
    """Deal a game and play on to its first decision.

    Parameters
    ----------
    rules : record of `state.RULES`
    state : record of `state.STATE`
        Overwritten; the streams in ``chance`` are drawn from.
    """
    deal(rules, state, log, scratch)
    _proceed(rules, state, log, scratch)


@compiled
def _list_and_end(state, phase, codes, count):
    """Append `done`, if a muster or regroup has begun."""
    if state.more:
        codes[count] = a.encode(phase, a.DONE, 0)
        return count + 1
    return count


@compiled_entry
def legal_actions(rules, state, scratch, codes):
    """Write the legal actions of `state.seat` to `codes` (int32) and return their number (section 5)."""
    phase, fief = state.phase, state.fief
    if phase == s.ASK_FIEF:
        return list_fiefs(rules, state, codes)
    if phase == s.ASK_ORDER:
        return list_kinds(rules, state, codes)
    if phase == s.ASK_TURN:
        return list_turns(rules, state, codes)
    if phase == s.ASK_MUSTER:
        return _list_and_end(state, phase, codes, list_musters(rules, state, fief, codes, 0))
    if phase == s.ASK_REGROUP:
        return _list_and_end(state, phase, codes, list_regroups(rules, state, fief, codes, 0))
    if phase == s.ASK_BUILD:
        return list_builds(rules, state, fief, codes, 0)
    if phase == s.ASK_TARGET:
        return list_targets(rules, state, fief, codes, 0)
    if phase == s.ASK_SEND:
        return list_sendings(rules, state, codes)
    if phase == s.ASK_RULER:
        return list_ruler(rules, state, codes)
    if phase == s.ASK_MAGNATE:
        return list_magnate(rules, state, codes)
    return _list_rare(rules, state, codes)


@compiled
def _list_rare(rules, state, codes):
    """List the legal actions of a rare phase."""
    phase = state.phase
    if phase == s.ASK_PLACE:
        return list_places(rules, state, codes)
    if phase == s.ASK_SPY:
        return list_spies(rules, state, codes)
    if phase == s.ASK_DAMAGE:
        return list_damages(rules, state, codes)
    if phase == s.ASK_SIEGE:
        return list_sieges(rules, state, state.fief, codes, 0)
    if phase == s.ASK_REVENGE:
        return list_revenges(rules, state, codes)
    if phase == s.ASK_VICTORY:
        return list_victories(state, codes)
    if phase == s.ASK_GRANT:
        return list_grants(rules, state, codes)
    return list_choices(rules, state, codes)


@compiled_entry
def apply(rules, state, log, scratch, action):
    """Carry out an action of `state.seat` and play on to the next decision."""
    phase = state.phase
    if phase == s.ASK_FIEF:
        choose_fief(state, action)
    elif phase == s.ASK_ORDER:
        give_order(state, log, action)
    elif phase == s.ASK_TURN:
        take_turn(rules, state, log, action)
    elif phase == s.ASK_MUSTER:
        muster(rules, state, log, scratch, action)
    elif phase == s.ASK_REGROUP:
        regroup(rules, state, scratch, action)
    elif phase == s.ASK_BUILD:
        build(rules, state, log, action)
    elif phase == s.ASK_TARGET or phase == s.ASK_REVENGE:
        aim(rules, state, log, action)
    elif phase == s.ASK_SEND:
        invade(rules, state, log, action)
    elif phase == s.ASK_VICTORY:
        use_victory(rules, state, log, action)
    else:
        _apply_rare(rules, state, log, action)
    _proceed(rules, state, log, scratch)


@compiled
def _apply_rare(rules, state, log, action):
    """Carry out an action of set-up, spying, sieges, the court or an event."""
    phase = state.phase
    if phase == s.ASK_PLACE:
        place(state, action)
    elif phase == s.ASK_SPY:
        spy(rules, state, log, action)
    elif phase == s.ASK_DAMAGE:
        do_damage(state, action)
    elif phase == s.ASK_SIEGE:
        besiege(state, action)
    elif phase == s.ASK_MAGNATE:
        use_magnate(rules, state, action)
    elif phase == s.ASK_GRANT:
        grant(state, log, action)
    elif phase == s.ASK_RULER:
        use_ruler(rules, state, action)
    else:
        choose(rules, state, log, action)
