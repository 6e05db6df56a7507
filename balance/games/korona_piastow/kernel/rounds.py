"""A round's tribute (TRB-2), results of new holders (JOI), its end, and the end of the game (END)."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.cards import age_stays, drop_stays
from balance.games.korona_piastow.kernel.court import dismiss_free, dismiss_magnate, gain_magnate
from balance.games.korona_piastow.kernel.events import put_event_away
from balance.games.korona_piastow.kernel.invading import lift_sieges
from balance.games.korona_piastow.kernel.land import (
    acting_trait,
    count_active,
    count_own_fiefs,
    count_units,
    fiefs_of,
    free_fiefs,
    has_troops_of,
    holder_of,
    score_of,
    troops_in,
)
from balance.games.korona_piastow.kernel.orders import begin_giving, remove_token, remove_tokens
from balance.games.korona_piastow.kernel.peaceful import pass_time_everywhere


@compiled
def _tribute_of(rules, state, seat):
    """Return a ruler's tribute (TRB-2)."""
    halls = count_active(rules, state, seat, s.CLOTH_HALL)
    total = rules.tribute_base + rules.tribute_fief * free_fiefs(rules, state, seat)
    total += rules.clothhall_money * halls
    for district in range(rules.district_count):
        if state.owner[district] == seat:
            total += acting_trait(rules, state, district, s.MONEY)
    return total


@compiled
def begin_round(rules, state, log):
    """Collect the tribute and begin phase 2, in which rulers give orders."""
    for seat in range(rules.players):
        if state.out_round[seat] == 0:
            tribute = _tribute_of(rules, state, seat)
            record_outcome(state, log, a.TRIBUTE, seat, tribute)
            state.denars[seat] += tribute
            log.seats[seat].tribute += tribute
            log.income[seat] = tribute
        else:
            log.income[seat] = 0
    begin_giving(rules, state)


@compiled
def _keep_round(rules, state, log):
    if not log.keep_rounds:
        return
    for seat in range(rules.players):
        row = log.history[state.round_number - 1, seat]
        row.score = score_of(rules, state, seat)
        row.denars = state.denars[seat]
        row.units = count_units(rules, state, seat)
        row.fiefs = count_own_fiefs(rules, state, seat)
        row.income = log.income[seat]


@compiled
def _find_end(rules, state):
    """Return how the game has ended, or NOTHING if it continues (END-3)."""
    left = 0
    for seat in range(rules.players):
        left += state.out_round[seat] == 0
        if state.out_round[seat] == 0 and score_of(rules, state, seat) >= rules.crown:
            return s.CROWN
    if left <= 1:
        return s.LAST
    return s.LIMIT if state.round_number == rules.rounds else s.NOTHING


@compiled
def end_event(rules, state, log):
    """Apply the results of the event, age the cards that stay, pass building time; then the next round or the end."""
    put_event_away(state)
    settle(rules, state, log)
    age_stays(state)
    pass_time_everywhere(rules, state, log, rules.time_passes, False)
    settle(rules, state, log)
    _keep_round(rules, state, log)
    end = _find_end(rules, state)
    if end != s.NOTHING:
        record_outcome(state, log, a.END, end)
        state.ended_by = end
        state.over = 1
        state.phase = s.OVER
    else:
        state.round_number += 1
        state.phase = s.BEGIN_ROUND


@compiled
def settle(rules, state, log):
    """Apply all results of new holders (JOI-1)."""
    _remove_lone_engines(rules, state)
    lift_sieges(rules, state)
    for seat in range(rules.players):
        if state.out_round[seat] == 0 and not _holds_capital(rules, state, seat):
            _put_out(rules, state, log, seat)
    for district in range(rules.district_count):
        _join(rules, state, log, district)
    _remove_lost_tokens(rules, state)


@compiled
def _remove_lone_engines(rules, state):
    for fief in range(rules.fief_count):
        if state.lord[fief] != s.NOTHING and troops_in(state, fief) == 0:
            state.units[fief, s.ENGINE] = 0
            state.lord[fief] = s.NOTHING


@compiled
def _holds_capital(rules, state, seat):
    """Return whether a ruler holds any fief of its capital district."""
    found = False
    for fief in fiefs_of(rules, state.capital[seat]):
        found |= holder_of(rules, state, fief) == seat
    return found


@compiled
def _put_out(rules, state, log, seat):
    """Eliminate a ruler (END-1)."""
    record_outcome(state, log, a.OUT, seat)
    state.out_round[seat] = state.round_number
    for fief in range(rules.fief_count):
        if state.lord[fief] == seat:
            state.units[fief, : s.FOREIGN] = 0
            state.lord[fief] = s.NOTHING
        if state.besieger[fief] == seat:
            state.besieger[fief] = s.NOTHING
    for district in range(rules.district_count):
        if state.owner[district] == seat:
            owner = s.NOBODY if rules.piast[district] else s.FOREIGN_STATES
            record_outcome(state, log, a.OWNER, owner, district, seat)
            dismiss_magnate(state, district)
            state.owner[district] = owner
    dismiss_free(state, seat)
    remove_tokens(state, seat)
    drop_stays(state, seat)
    state.denars[seat] = 0


@compiled
def _join(rules, state, log, district):
    """Join a district to the state of a ruler whose units hold all its fiefs (JOI-2)."""
    seat = state.lord[rules.fiefs_of[district, 0]]
    if seat == s.NOTHING or state.owner[district] == seat:
        return
    for fief in fiefs_of(rules, district):
        if not has_troops_of(state, fief, seat):
            return
    old = state.owner[district]
    record_outcome(state, log, a.OWNER, seat, district, old)
    dismiss_magnate(state, district)
    if old >= 0 and state.stands[old] == district:
        state.stands[old] = state.capital[old]
    state.owner[district] = seat
    log.seats[seat].joined += 1
    for _ in range(rules.magnates_joining):
        gain_magnate(state, log, seat)


@compiled
def _remove_lost_tokens(rules, state):
    """Remove tokens in fiefs that their ruler no longer holds (JOI-3)."""
    for seat in range(rules.players):
        for i in range(state.token_count[seat] - 1, -1, -1):
            if holder_of(rules, state, state.token_fief[seat, i]) != seat:
                remove_token(state, seat, i)


@compiled_entry
def look_at_realm(rules, state, holders, rulers):
    """Write who holds each fief, and what each seat has, for displays.

    Parameters
    ----------
    holders : int array (`rules.fief_count`,)
        Overwritten with seats, `state.NOBODY` or `state.FOREIGN_STATES`.
    rulers : int array (`rules.players`, 3)
        Overwritten with score, own fiefs, and units.
    """
    for fief in range(rules.fief_count):
        holders[fief] = holder_of(rules, state, fief)
    for seat in range(rules.players):
        rulers[seat, 0] = score_of(rules, state, seat)
        rulers[seat, 1] = count_own_fiefs(rules, state, seat)
        rulers[seat, 2] = count_units(rules, state, seat)
