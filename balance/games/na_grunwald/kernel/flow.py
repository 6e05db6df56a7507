"""The flow of a game: from phase to phase until a seat must choose; what is legal there, and carrying it out."""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.dealing import deal
from balance.games.na_grunwald.kernel.events import (
    bid,
    buy,
    enter,
    list_bids,
    list_entries,
    list_sendings,
    seek_bidder,
    seek_buyer,
    seek_entrant,
    seek_sender,
    send,
    turn_up_event,
)
from balance.games.na_grunwald.kernel.placement import (
    count_placements,
    list_placements,
    nth_placement,
    place,
    reveal,
    seek_placer,
)
from balance.games.na_grunwald.kernel.plunder import give, list_gifts, seek_plundered
from balance.games.na_grunwald.kernel.resolution import hire, resolve, seek_hirer
from balance.games.na_grunwald.kernel.rounds import begin_round, end_round
from balance.games.na_grunwald.kernel.scoring import list_starving, seek_starving, starve
from balance.games.na_grunwald.kernel.skirmish import fight, list_fights, seek_fighter


@compiled
def _proceed(rules, state, log, scratch):
    """Play on without decisions until a seat must choose or the game is over."""
    while True:
        phase = state.phase
        asking = False
        if phase == s.ASK_PLACE:
            asking = seek_placer(state)
        elif phase == s.RESOLVE:
            resolve(rules, state, log, scratch)
        elif phase == s.ASK_PLUNDER:
            asking = seek_plundered(state)
        elif phase == s.ASK_FIGHT:
            asking = seek_fighter(rules, state, log)
        elif phase == s.ASK_HIRE:
            asking = seek_hirer(rules, state, scratch)
        elif phase == s.ROUND_END:
            end_round(rules, state, log, scratch)
        elif phase == s.ROUND:
            begin_round(rules, state)
        elif phase == s.EVENT:
            turn_up_event(rules, state, log)
        elif phase == s.REVEAL:
            reveal(rules, state, log)
        elif phase == s.ASK_STARVE:
            asking = seek_starving(rules, state)
        elif phase == s.OVER:
            return
        else:
            asking = _seek_in_event(rules, state, log, phase)
        if asking:
            return


@compiled
def _seek_in_event(rules, state, log, phase):
    if phase == s.ASK_BUY:
        return seek_buyer(rules, state)
    if phase == s.ASK_BID:
        return seek_bidder(rules, state, log)
    if phase == s.ASK_SEND:
        return seek_sender(state)
    return seek_entrant(rules, state, log)


@compiled_entry
def setup(rules, state, log, scratch):
    """Deal a game and play on to its first decision.

    Parameters
    ----------
    rules : record of `state.RULES`
    state : record of `state.STATE`
        Overwritten; the streams in ``chance`` are drawn from.
    """
    deal(rules, state, log)
    _proceed(rules, state, log, scratch)


@compiled_entry
def legal_actions(rules, state, scratch, codes):
    """Write the legal actions of `state.seat` to `codes` (int32), returning how many (section 7)."""
    phase = state.phase
    if phase == s.ASK_PLACE:
        return list_placements(rules, state, codes)
    if phase == s.ASK_PLUNDER:
        return list_gifts(state, codes)
    if phase == s.ASK_FIGHT:
        return list_fights(state, codes)
    if phase == s.ASK_STARVE:
        return list_starving(state, codes)
    if phase == s.ASK_BID:
        return list_bids(state, codes)
    if phase == s.ASK_SEND:
        return list_sendings(rules, state, codes)
    if phase == s.ASK_ENTER:
        return list_entries(state, codes)
    kind = a.HIRE if phase == s.ASK_HIRE else a.BUY
    codes[0] = a.encode(kind, 0, 0, 0)
    codes[1] = a.encode(kind, 0, 0, 1)
    return 2


@compiled_entry
def checkpoint(rules, state):
    """How many rounds have begun."""
    return state.round_number


@compiled_entry
def count_actions(rules, state, scratch):
    """How many actions are legal; placements, which are many, are not listed for that."""
    if state.phase == s.ASK_PLACE:
        return count_placements(rules, state, scratch)
    return legal_actions(rules, state, scratch, scratch.codes)


@compiled_entry
def nth_action(rules, state, scratch, n):
    """The legal action number `n`, from 0, of those that `count_actions` has just counted."""
    if state.phase == s.ASK_PLACE:
        return nth_placement(state, scratch, n)
    return scratch.codes[n]


@compiled_entry
def apply(rules, state, log, scratch, action):
    """Carry out an action of `state.seat` and play on to the next decision."""
    phase = state.phase
    if phase == s.ASK_PLACE:
        place(state, action)
    elif phase == s.ASK_PLUNDER:
        give(state, action)
    elif phase == s.ASK_FIGHT:
        fight(state, action)
    elif phase == s.ASK_HIRE:
        hire(rules, state, action)
    elif phase == s.ASK_STARVE:
        starve(state, log, action)
    elif phase == s.ASK_BUY:
        buy(rules, state, log, action)
    elif phase == s.ASK_BID:
        bid(state, action)
    elif phase == s.ASK_SEND:
        send(rules, state, log, action)
    else:
        enter(state, action)
    _proceed(rules, state, log, scratch)
