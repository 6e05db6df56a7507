"""Results of new holders: engines left alone, rulers out, districts that join (JOI-1 to JOI-3, END-1)."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.cards import drop_stays
from balance.games.korona_piastow.kernel.combat import lift_sieges
from balance.games.korona_piastow.kernel.court import dismiss_free, dismiss_magnate, gain_magnate
from balance.games.korona_piastow.kernel.land import has_troops_of, holder_of, troops_in
from balance.games.korona_piastow.kernel.tokens import remove_token, remove_tokens


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
    district = state.capital[seat]
    for i in range(rules.district_size[district]):
        if holder_of(rules, state, rules.fiefs_of[district, i]) == seat:
            return True
    return False


@compiled
def _put_out(rules, state, log, seat):
    """Eliminate a ruler (END-1)."""
    record_outcome(state, log, a.OUT, seat)
    state.out_round[seat] = state.round_number
    for fief in range(rules.fief_count):
        if state.lord[fief] == seat:
            for kind in range(s.FOREIGN):
                state.units[fief, kind] = 0
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
    for i in range(rules.district_size[district]):
        if not has_troops_of(state, rules.fiefs_of[district, i], seat):
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
