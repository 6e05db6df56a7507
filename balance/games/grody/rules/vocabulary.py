"""Names that rule sets and labels share, in the order in which compiled code numbers them."""

from __future__ import annotations

TERRAINS = ("rownina", "pustynia", "las", "wzgorza", "rzeka", "bagno")  # SET-4
BUILDINGS = ("zasieki", "most", "twierdza")  # SET-1
CARDS = (  # CRD-4
    "na_pewno_sie_uda",
    "piesn_bojowa",
    "zasadzka",
    "wilczy_dol",
    "doskonaly_manewr",
    "odwrot",
    "poscig",
    "forsowny_marsz",
    "zwiad",
    "ochotnicy",
    "sabotaz",
    "okup",
    "wieszczba",
    "czarodziej",
)
ENDINGS = ("conquest", "dominance", "limit")  # END-1 to END-3
MOST_SEGMENTS = 49  # 7 columns of 7 rows
MOST_WARRIORS = 8  # of a side on a segment
MOST_ROUNDS = 200
