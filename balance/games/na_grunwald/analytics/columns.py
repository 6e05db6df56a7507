"""What the columns of Na Grunwald! mean."""

from __future__ import annotations

_HELD = {
    "crown_count": "Crown knights held.",
    "mercenary_count": "Mercenaries held.",
    "captive_count": "Krzyżacy held captive.",
    "helpers": "Helpers owned.",
    "ducats": "Ducats held.",
    "provisions": "Provisions held.",
}

COLUMNS = {
    "games": {
        "skirmishes_won": "Skirmishes that the players won together.",
        "skirmishes_lost": "Skirmishes that they lost.",
        "plunder_total": "Points plundered in lost skirmishes, of all players.",
        "peak_ducats": "Most ducats that all players held together.",
        "peak_provisions": "Most provisions that all players held together.",
        "events_seen": "Bit i: card i of the event deck turned up.",
        "events_deck": "The event deck of the rule set.",
    },
    "seats": {
        "crown_strength": "Points of crown knights.",
        "mercenary_strength": "Points of mercenaries.",
        "captive_strength": "Points of captives.",
        "crown_commander": "Points of that title.",
        "mercenary_commander": "Points of that title.",
        "quartermaster": "Points of that title.",
        "ducat_points": "Points of ducats left.",
        **_HELD,
        "starved": "Knights that starved at the end.",
        "skirmishes_joined": "Skirmishes in which it had a pawn.",
    },
    "rounds": {**_HELD, "joined": "Whether it had a pawn in this round's skirmish."},
}
