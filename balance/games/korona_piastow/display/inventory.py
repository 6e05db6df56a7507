"""What stays the same all game long: cards, magnates; and what is always true: limits, orders, denars."""

from __future__ import annotations

from typing import Any

from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.vocabulary import ORDERS


def conserved(rules: Rules, state: Any) -> dict[str, Any]:
    """Every card and magnate is somewhere; no limit is passed, nothing is below 0."""
    cards = [*state.stack[: state.stack_count].tolist(), *state.discards[: state.discard_count].tolist()]
    cards += state.stay_card[: state.stay_count].tolist()
    cards += [int(state.event)] if state.event >= 0 else []
    granted = state.magnate[: len(rules.map.districts)].tolist()
    magnates = [
        int(state.bag[i] + state.free_magnates[:, i].sum()) + granted.count(i)
        for i in range(len(state.bag))
    ]
    moving = int(state.phase) == s.ASK_REGROUP  # its limits are looked at when it ends (REG-2)
    return {
        "cards": sorted(cards),
        "magnates of each trait": magnates,
        "fiefs within their limit": moving or bool((state.units.sum(axis=1) <= rules.fief_limit).all()),
        "nothing below 0": bool((state.units >= 0).all() and (state.denars >= 0).all()),
        "orders within their limits": _orders_fit(rules, state),
        "units have one ruler": _lords_fit(state),
    }


def _orders_fit(rules: Rules, state: Any) -> bool:
    """Tokens are within their number and kind (ORD-1, ORD-3)."""
    for p in range(state.players):
        kinds = state.token_kind[p][: state.token_count[p]].tolist()
        if len(kinds) > rules.orders_max or not all(0 <= kind < len(ORDERS) for kind in kinds):
            return False
        if any(kinds.count(kind) + state.shown[p][kind] > rules.same_kind for kind in kinds):
            return False
    return True


def _lords_fit(state: Any) -> bool:
    """Whoever has units in a fief is a ruler in the game."""
    theirs = state.units[:, : s.FOREIGN].any(axis=1)
    lords = state.lord[theirs]
    return bool(((lords >= 0) & (lords < state.players)).all() and not state.out_round[lords].any())
