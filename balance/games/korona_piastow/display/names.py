"""Names of places, units, buildings, orders and deeds."""

from __future__ import annotations

from collections.abc import Sequence

from balance.contract.actions import Words
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import listed
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.rules.tables import BUILDINGS, ENDINGS, ORDERS, TRAITS, UNITS

WRITTEN = {
    "wislica": "Wiślica", "krakow": "Kraków", "sacz": "Sącz", "plock": "Płock", "ciechanow": "Ciechanów",
    "piotrkow": "Piotrków", "poznan": "Poznań", "inowroclaw": "Inowrocław", "brzesc": "Brześć",
    "wroclaw": "Wrocław", "glogow": "Głogów", "raciborz": "Racibórz", "leczyca": "Łęczyca",
    "uniejow": "Uniejów", "inowlodz": "Inowłódz", "wielun": "Wieluń", "dobrzyn": "Dobrzyń", "gdansk": "Gdańsk",
    "swiecie": "Świecie", "slawno": "Sławno", "torun": "Toruń", "krolewiec": "Królewiec",
    "mysliborz": "Myślibórz", "klodzko": "Kłodzko", "wlodzimierz": "Włodzimierz",
    "malopolska": "Małopolska", "dolny_slask": "Dolny Śląsk", "gorny_slask": "Górny Śląsk", "wegry": "Węgry",
    "rus": "Ruś",
}  # fmt: skip
_THINGS = {
    "infantry": N_("infantry"), "cavalry": N_("cavalry"), "knight": N_("knight"), "engine": N_("engine"),
    "foreign": N_("foreign unit"),
    "grod": "gród", "castle": N_("castle"), "cathedral": N_("cathedral"), "townhall": N_("town hall"),
    "clothhall": N_("cloth hall"),
    "attack": N_("attack"), "defence": N_("defence"), "money": N_("money"), "time": N_("time"),
    "muster": N_("muster"), "regroup": N_("regroup"), "build": N_("build"), "invade": N_("invade"),
    "defend": N_("defend"), "quest": N_("quest"), "siege": N_("siege"), "tithe": N_("tithe"),
    "diversion": N_("diversion"), "revenge": N_("revenge"),
}  # fmt: skip
"""Units, buildings, traits and orders."""


def written(name: str) -> str:
    """Return the display name of a place; an unknown name gets spaces and a capital letter."""
    return WRITTEN.get(name, name.replace("_", " ").capitalize())


def thing(name: str) -> str:
    """Return the display name of a building, unit, trait or order, in English."""
    return _THINGS.get(name, name)


def name_thing(name: str) -> str:
    """Return the display name of a building, unit, trait or order, in the language in use."""
    return tr(thing(name))


def say_units(unit: str, count: int) -> str:
    """Return a number of units of one kind, as in "2 knights"."""
    if unit == "infantry":
        return trn("{n} infantry", "{n} infantry", count)
    if unit == "cavalry":
        return trn("{n} cavalry", "{n} cavalry", count)
    if unit == "knight":
        return trn("{n} knight", "{n} knights", count)
    if unit == "engine":
        return trn("{n} engine", "{n} engines", count)
    return trn("{n} foreign unit", "{n} foreign units", count)


_ONE = {"knight": N_("a knight"), "engine": N_("an engine"), "foreign": N_("a foreign unit")}


def say_unit(name: str) -> str:
    """Return one unit in words, as in "a knight"."""
    return tr(_ONE.get(name, name))


def units_in_words(counts: Sequence[int]) -> str:
    """Return the units of each kind in words, as in "2 infantry, 1 cavalry and 2 knights"."""
    parts = [say_units(unit, count) for unit, count in zip(UNITS, counts, strict=True) if count]
    return listed(parts) if parts else tr("nothing")


TABLE, RULERS, MAP, DISTRICTS = (N_("On the table"), N_("Rulers"), N_("Map"), N_("Districts"))  # titles of panels
KINDS = (
    "place", "fief", "order", "spy", "damage", "turn", "muster", "regroup", "build", "siege", "target", "revenge",
    "send", "victory", "magnate", "grant", "ruler", "choose", "line",
)  # fmt: skip
"""Kinds of decisions, in the order of their phases."""
_DEED_NAMES = (
    "done", "none", "place", "fief", "order", "spy", "damage", "do", "drop", "muster", "move", "build", "hasten",
    "siege", "target", "claim", "send", "occupy", "devastate", "repair", "raise", "grant", "collect", "ride",
    "choose fief", "choose seat", "choose line",
    "line", "second", "magnate", "fate attack", "fate defence", "fate quest", "event", "reshuffle",
)  # fmt: skip
"""What an action does, in the order of the verbs, and what chance decides."""

WORDS: dict[str, Words] = {
    "line": lambda rules: rules.map.district_ids,
    "end": ENDINGS,
    "deed": _DEED_NAMES,
    "place": lambda rules: rules.map.fief_ids,
    "origin": lambda rules: rules.map.fief_ids,
    "district": lambda rules: rules.map.district_ids,
    "order_kind": ORDERS,
    "unit": UNITS,
    "building": (*BUILDINGS, "none"),  # the last is number -1
    "trait": TRAITS,
    "card": lambda rules: [card.id for card in rules.events.cards],
    "found": a.QUEST_RESULTS,
    "reason": ENDINGS,
}
"""The words for columns, and for parts of the trace."""
