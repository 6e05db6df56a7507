"""What stays the same all game long: cards, pawns, markers, dice (SET-3 to SET-5)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from balance.games.polska.rules.ruleset import Rules


def conserved(rules: Rules, state: Any) -> dict[str, Any]:
    """How many cards there are of each face, and whether pawns, markers and dice are all there."""
    players = int(state.players)
    cards = Counter(state.draw_pile[: state.draw_count].tolist())
    cards += Counter(state.discards[: state.discard_count].tolist())
    for p in range(players):
        cards += Counter(state.hand[p][: state.hand_size[p]].tolist())
    cards += Counter({int(state.stop_face): int(state.stops[:players].sum())})
    on_map = int(state.marker_on.sum())
    return {
        "cards": sorted((+cards).items()),
        "pawns": int(state.pawns_on.sum()),
        "markers of the set": on_map + int(state.taken_of_set),
        "no marker twice": on_map + state.aside_count + state.taken_of_set <= len(rules.map.locations),
        "dice counted": int(state.dice_showing.sum()) == state.dice_left,
    }
