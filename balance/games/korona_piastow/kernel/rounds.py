"""Beginning of a round, tribute (TRB-2), and end of a round (EVT-1, BLD-4, END-3)."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.building import pass_time_everywhere
from balance.games.korona_piastow.kernel.cards import age_stays
from balance.games.korona_piastow.kernel.events import put_event_away
from balance.games.korona_piastow.kernel.invading import score_of
from balance.games.korona_piastow.kernel.joining import settle
from balance.games.korona_piastow.kernel.land import (
    acting_trait,
    count_active,
    free_fiefs,
    is_own,
    units_in,
)
from balance.games.korona_piastow.kernel.orders import begin_giving


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
def count_units(rules, state, seat):
    """Return the number of units that obey a ruler, including allies."""
    count = 0
    for fief in range(rules.fief_count):
        if state.lord[fief] == seat:
            count += units_in(state, fief)
    return count


@compiled
def count_own_fiefs(rules, state, seat):
    count = 0
    for fief in range(rules.fief_count):
        count += is_own(rules, state, fief, seat)
    return count


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
