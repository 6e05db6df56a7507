"""What an order promises in its fief."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.korona_piastow.heuristics.warfare import best_target_worth, danger_to, front_of
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import has_room, is_own, is_usable, troops_in
from balance.games.korona_piastow.kernel.orders import legal_kinds
from balance.games.korona_piastow.kernel.tokens import count_tokens_at


@compiled
def _muster_worth(rules, state, w, seat, fief):
    able = has_room(rules, state, fief) and is_usable(state, fief)
    if not able or state.denars[seat] < rules.cost[s.INFANTRY]:
        return w.futile
    value = w.order_muster + w.muster_front * front_of(rules, state, seat, fief)
    return value + danger_to(rules, state, w, seat, fief)


@compiled
def _regroup_worth(rules, state, w, seat, fief):
    count = troops_in(state, fief)
    value = w.order_regroup
    if front_of(rules, state, seat, fief) == 0.0:
        value += w.regroup_rear * count
    return value if count > 0 else w.futile


@compiled
def _build_worth(rules, state, w, seat, fief):
    if not is_own(rules, state, fief, seat) or not is_usable(state, fief):
        return w.futile
    if state.rising[fief] != s.NOTHING or state.damage[fief] > 0:
        return w.order_build
    cheapest = rules.building_cost[s.CASTLE]
    if state.building[fief] == s.NOTHING:
        for kind in range(rules.building_cost.shape[0]):
            cheapest = min(cheapest, rules.building_cost[kind])
    elif state.building[fief] != s.GROD:
        return w.futile
    return w.order_build if state.denars[seat] >= cheapest else w.futile


@compiled
def order_worth(rules, state, w, seat, fief, kind):
    """Value of giving or carrying out an order of a kind in a fief."""
    value = w.doubled * count_tokens_at(state, fief, kind, seat) * (state.phase != s.ASK_TURN)
    if kind == s.MUSTER:
        return value + _muster_worth(rules, state, w, seat, fief)
    if kind == s.REGROUP:
        return value + _regroup_worth(rules, state, w, seat, fief)
    if kind == s.BUILD:
        return value + _build_worth(rules, state, w, seat, fief)
    if kind == s.INVADE:
        return value + best_target_worth(rules, state, w, seat, fief)
    if kind == s.DEFEND:
        return value + w.order_defend + danger_to(rules, state, w, seat, fief)
    if kind == s.REVENGE:
        return value + w.order_revenge + danger_to(rules, state, w, seat, fief)
    if kind == s.QUEST:
        return value + w.order_quest
    if kind == s.SIEGE:
        return value + w.order_siege
    return value + (w.order_tithe if kind == s.TITHE else w.order_diversion)


@compiled
def best_order(rules, state, w, seat, fief):
    """Value of the best order that may be given in a fief."""
    kinds = legal_kinds(rules, state, seat, fief)
    best = -1e9
    for kind in range(state.shown.shape[1]):
        if (kinds >> kind) & 1:
            best = max(best, order_worth(rules, state, w, seat, fief, kind))
    return best
