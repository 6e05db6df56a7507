"""What the columns of Polska. Gra z historią mean."""

from __future__ import annotations

from balance.games.polska.kernel.state import KINDS, SET_SIZE, STEPPING

COLUMNS = {
    "games": {
        "turns": "Turns of all players together.",
        "reshuffles": "How often the discards were shuffled into a new pile.",
        "track": "The track of the rule set.",
        "cards": "The cards of the rule set.",
    },
    "seats": {
        **{f"{kind}_steps": f"Steps made with {kind} cards." for kind in STEPPING},
        **{f"{kind}_played": f"Cards of the kind {kind} played." for kind in KINDS},
        **{f"markers_{i + 1}": f"Markers taken as number {i + 1} of a set." for i in range(SET_SIZE)},
        "markers": "Markers taken.",
        "drawn": "Cards drawn for markers.",
        "thrown": "Cards thrown away over the hand limit.",
        "own_turns": "Its turns.",
        "blocked": "Turns lost to stop cards.",
        "idle": "Turns in which it did nothing.",
        "dice_seen": "Dice left when it took its own, mean of its turns.",
    },
    "rounds": {
        "hand": "Cards in hand.",
        "taken": "Markers taken so far.",
    },
}
