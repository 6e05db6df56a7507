"""Terrains, buildings, cards and segments in words."""

from __future__ import annotations

TERRAINS = {
    "rownina": "plain",
    "pustynia": "desert",
    "las": "forest",
    "wzgorza": "hills",
    "rzeka": "river",
    "bagno": "swamp",
    "grod": "gród",
}
BUILDINGS = {"zasieki": "abatis", "most": "bridge", "twierdza": "fort"}
CARDS = {
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
BEHAVIOURS = {"fleeing": "flees", "standing": "stands", "fighting": "fights", "furious": "is furious"}
SEATS = ("Szczukczyn", "Sielec")
