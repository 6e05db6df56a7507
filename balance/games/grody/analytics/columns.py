"""What the columns of Grody mean."""

from __future__ import annotations

from balance.games.grody.rules.vocabulary import BUILDINGS, CARDS

_HELD = {
    "segments": "Segments owned.",
    "warriors": "Warriors on the board.",
    "prisoners": "Warriors of the enemy held prisoner.",
    "hand": "Fate cards in hand.",
}

COLUMNS = {
    "games": {
        "ended_by": "How the game ended: `conquest`, `dominance` or `limit` (of turns).",
        "turns": "Turns of both players together.",
        "combats": "Combats fought.",
        "combat_rounds": "Rounds of all combats together.",
        "reshuffles": "How often the fate cards laid off were shuffled into a new pile.",
    },
    "seats": {
        "victory_points": "Points of the segments owned.",
        **_HELD,
        "lost": "Its warriors killed in combat or by a card.",
        "captured": "Its warriors captured.",
        "fled": "Its warriors that fled from a combat, captured or not.",
        "explored": "Segments explored.",
        "exchanged": "Terrains turned up and exchanged for another.",
        "taken": "Segments taken from the enemy.",
        "attacks": "Combats as attacker.",
        "attacks_won": "Those won.",
        "defences": "Combats as defender.",
        "defences_won": "Those won.",
        "recruited": "Warriors recruited at home.",
        "joined": "Warriors that a terrain or a card brought.",
        "drawn": "Fate cards drawn.",
        "discarded": "Fate cards laid off over the hand limit.",
        "cancelled": "Its fate cards cancelled by a wizard.",
        "ransomed": "Its warriors bought free.",
        "freed": "Its warriors freed by a card.",
        "thirst": "Its warriors lost in the desert.",
        "strayed": "Its warriors lost, for an explored segment and where they came from had no room.",
        "blows_ignored": "Blows against it that a cushion ignored.",
        **{f"played_{card}": f"Cards `{card}` played." for card in CARDS},
        **{f"built_{kind}": f"Buildings `{kind}` put up." for kind in BUILDINGS},
    },
    "rounds": _HELD,
}
