"""What stays the same all game long: the cards of every deck (SET-1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.parts import Cards
from balance.games.na_grunwald.rules.ruleset import Rules


def conserved(rules: Rules, state: Any) -> dict[str, Any]:
    """The cards of each deck, sorted, and whether what is counted twice agrees."""
    cards = rules.cards
    sizes = {
        "crown": len(cards.crown.strengths),
        "mercenary": len(cards.mercenaries.strengths),
        "krzyzacy": len(cards.krzyzacy.strengths),
        "provision": len(cards.provisions.values),
        "ducat": len(cards.ducats.values),
        "event": rules.event_deck.size,
    }
    found: dict[str, Any] = {
        f"{name} deck": sorted(state[f"{name}_deck"][:size].tolist()) for name, size in sizes.items()
    }
    players = int(state.players)
    purses = (state.ducats, state.provisions, state.helpers)
    return {
        **found,
        "nothing below 0": all(int(purse[:players].min()) >= 0 for purse in purses),
        "knights counted": bool((state.knights == _held(state).sum(axis=(1, 2)))[:players].all()),
        "captives counted": bool((state.captive_count == state.captives.sum(axis=1))[:players].all()),
        "no knight twice": _no_more_than_there_are(cards, state),
        "pawns on the board or free": _pawns_fit(state),
    }


def _held(state: Any) -> Any:
    """Knights in hand and camp, by seat, kind and strength."""
    return state.hand + state.camp


def _no_more_than_there_are(cards: Cards, state: Any) -> bool:
    """Whether the players together hold no card more often than the decks have it."""
    held = _held(state).sum(axis=0)
    tables = (cards.crown.strengths, cards.mercenaries.strengths, cards.krzyzacy.strengths)
    together = (held[s.CROWN], held[s.MERCENARY], state.captives.sum(axis=0))
    return all(
        (mine <= np.bincount(table, minlength=s.STRENGTHS)[: s.STRENGTHS]).all()
        for mine, table in zip(together, tables, strict=True)
    )


def _pawns_fit(state: Any) -> bool:
    """Whether everybody has one officer and its helpers, on the board or free, while they are placed."""
    if state.phase != s.ASK_PLACE:
        return True
    mine = slice(0, int(state.players))
    officers = state.officer_on[:, mine].sum(axis=0) + state.officer_free[mine]
    helpers = state.helpers_on[:, mine].sum(axis=0) + state.helpers_free[mine]
    return bool((officers == 1).all() and (helpers == state.helpers[mine]).all())
