"""What the columns of Korona Piastów mean."""

from __future__ import annotations

_HELD = {
    "fiefs": "Fiefs of its state.",
    "denars": "Denars held.",
    "units": "Units that obey the ruler, allies too.",
}

COLUMNS = {
    "games": {
        "end": "How the game ended.",
        "reshuffles": "How often the event cards were shuffled into a new pile.",
        "map": "The map of the rule set.",
        "events": "The event deck of the rule set.",
    },
    "seats": {
        "line": "The line of the ruler, by its district.",
        **_HELD,
        "relics": "Relics held.",
        "out_round": "The round in which the ruler was out of the game; 0 if it never was.",
        "orders_given": "Orders given.",
        "dropped": "Orders given up when they were turned up.",
        "mustered": "Units mustered by orders.",
        "invasions": "Invasions, revenge too.",
        "won": "Those won.",
        "repelled": "Those repelled.",
        "lost_fiefs": "Fiefs held that another won.",
        "joined": "Districts joined to its state.",
        "claims": "Claims paid for.",
        "spies": "Spies sent.",
        "devastated": "Fiefs devastated after an invasion.",
        "tribute": "Denars of tribute over the game.",
        "built": "Buildings finished in its districts.",
        "quests": "Quests carried out.",
        "tithes": "Tithes carried out.",
    },
    "rounds": {**_HELD, "income": "Denars of this round's tribute."},
}
