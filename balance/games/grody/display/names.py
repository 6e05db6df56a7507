"""Names of terrains, buildings, cards and segments."""

from __future__ import annotations

from collections.abc import Sequence

from balance.contract.actions import Words
from balance.foundation.language import N_
from balance.games.grody.kernel import actions as a
from balance.games.grody.rules.ruleset import BUILDINGS, CARDS, ENDINGS, TERRAINS, Rules

TERRAIN_TITLES = {
    "rownina": N_("plain"),
    "pustynia": N_("desert"),
    "las": N_("forest"),
    "wzgorza": N_("hills"),
    "rzeka": N_("river"),
    "bagno": N_("swamp"),
    "grod": "gród",
}
BUILDING_TITLES = {"zasieki": N_("abatis"), "most": N_("bridge"), "twierdza": N_("fort")}
CARD_TITLES = {
    "na_pewno_sie_uda": "Na pewno się uda",
    "piesn_bojowa": "Pieśń bojowa",
    "zasadzka": "Zasadzka",
    "wilczy_dol": "Wilczy dół",
    "doskonaly_manewr": "Doskonały manewr",
    "odwrot": "Odwrót",
    "poscig": "Pościg",
    "forsowny_marsz": "Forsowny marsz",
    "zwiad": "Zwiad",
    "ochotnicy": "Ochotnicy",
    "sabotaz": "Sabotaż",
    "okup": "Okup",
    "wieszczba": "Wieszczba",
    "czarodziej": "Czarodziej",
}
GROD_TITLES = ("Szczukczyn", "Sielec")  # of each seat
BOARD, PLAYERS = N_("Board"), N_("Players")  # titles of panels


def _segments(rules: Rules) -> Sequence[str]:
    return rules.board.names


WORDS: dict[str, Words] = {
    "ended_by": ENDINGS,
    "place": _segments,
    "origin": _segments,
    "card": CARDS,
    "terrain": (*TERRAINS, "grod"),
    "building": (*BUILDINGS, "none"),  # the last is number -1
    "fate": a.FATES,
    "reason": ENDINGS,
}
"""The words for columns, and for parts of the trace."""
