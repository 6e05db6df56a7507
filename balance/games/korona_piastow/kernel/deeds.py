"""Orders that ask for nothing more: quests (QST-1) and tithes (TTH-1)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.cards import draw_fate
from balance.games.korona_piastow.kernel.land import (
    count_active,
    has_troops_of,
    is_diocese,
    is_own,
)
from balance.games.korona_piastow.kernel.magnates import gain_magnate


@compiled
def has_knight(state, fief, seat):
    return has_troops_of(state, fief, seat) and state.units[fief, s.KNIGHT] > 0


@compiled
def do_quest(rules, state, log):
    """Fate, both numbers of a card added, says what becomes of the knight."""
    seat = state.seat
    log.quests[seat] += 1
    card = draw_fate(rules, state, log, a.FATE_QUEST)
    total = rules.fate_attack[card] + rules.fate_defence[card]
    if total <= rules.quest_lost:
        state.units[state.fief, s.KNIGHT] -= 1
    elif total <= rules.quest_nothing:
        pass
    elif total <= rules.quest_money:
        state.denars[seat] += rules.quest_denars
    elif total <= rules.quest_magnate:
        gain_magnate(state, log, seat)
    else:
        state.relics[seat] += 1
    state.phase = s.END_ORDER


@compiled
def allows_tithe(rules, state, seat, fief):
    """TTH-1."""
    if state.devastated[fief] or not is_own(rules, state, fief, seat):
        return False
    return is_diocese(rules, state, rules.district_of[fief]) and (
        count_active(rules, state, seat, s.CATHEDRAL) > 0
    )


@compiled
def take_tithe(rules, state, log):
    state.denars[state.seat] += rules.tithe
    log.tithes[state.seat] += 1
    state.phase = s.END_ORDER
