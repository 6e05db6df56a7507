"""What stays the same all game long: the cards of every deck (SET-1)."""

from __future__ import annotations

from typing import Any

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
    in_hand_or_camp = state.hand.sum(axis=(1, 2)) + state.camp.sum(axis=(1, 2))
    players = int(state.players)
    found["knights counted"] = bool((state.knights == in_hand_or_camp)[:players].all())
    found["captives counted"] = bool((state.captive_count == state.captives.sum(axis=1))[:players].all())
    purses = (state.ducats, state.provisions, state.helpers)
    found["nothing below 0"] = all(int(purse[:players].min()) >= 0 for purse in purses)
    return found
