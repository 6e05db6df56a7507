"""Labels of action codes as on the rule page, and names of places, units and buildings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from balance.foundation.language import N_, tr, trn
from balance.foundation.text import listed
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.tables import BUILDINGS, ENDINGS, ORDERS, TRAITS, UNITS

_WRITTEN = {
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
    return _WRITTEN.get(name, name.replace("_", " ").capitalize())


def thing(name: str) -> str:
    """Return the display name of a building, unit, trait or order, in English."""
    return _THINGS.get(name, name)


def name_thing(name: str) -> str:
    """Return the display name of a building, unit, trait or order, in the language in use."""
    return tr(thing(name))


def count_units(unit: str, count: int) -> str:
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


def units_in_words(counts: Sequence[int]) -> str:
    """Return the units of each kind in words, as in "2 infantry, 1 cavalry and 2 knights"."""
    parts = [count_units(unit, count) for unit, count in zip(UNITS, counts, strict=True) if count]
    return listed(parts) if parts else tr("nothing")


# Kinds of decisions, in the order of their phases.
KINDS = (
    "place", "fief", "order", "spy", "damage", "turn", "muster", "regroup", "build", "siege", "target", "revenge",
    "send", "victory", "magnate", "grant", "ruler", "choose", "line",
)  # fmt: skip

# What an action does or chance decides, with the parts that are packed in its number; in the order of the verbs.
_ACTIONS = {
    "done": (), "none": (), "place": ("unit", "place"), "fief": ("place",), "order": ("order_kind",),
    "spy": ("place",), "damage": ("place",), "do": ("place", "order_kind"), "drop": ("place", "order_kind"),
    "muster": ("unit",), "move": ("origin", "place", "unit"), "build": ("building",), "hasten": (),
    "siege": ("place",), "target": ("place",), "claim": ("place",),
    "send": ("infantry", "cavalry", "knights", "engines", "allies"),
    "occupy": (), "devastate": (), "repair": ("place",), "raise": ("place",), "grant": ("trait", "district"),
    "collect": (), "ride": ("district",), "choose fief": ("place",), "choose seat": ("player",),
    "choose line": ("district",),
}  # fmt: skip
_DRAWS = {
    "line": ("player", "district"), "second": ("player", "district"), "magnate": ("player", "trait"),
    "fate attack": ("card",), "fate defence": ("card",), "fate quest": ("card",), "event": ("card",),
    "reshuffle": (),
}  # fmt: skip
_DEEDS: dict[str, tuple[str, ...]] = {**_ACTIONS, **_DRAWS}

WORDS: dict[str, Any] = {
    "line": lambda rules: rules.map.district_ids,
    "end": ENDINGS,
    "deed": tuple(_DEEDS),
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


def kind_name(code: int) -> str:
    """Return the kind of a decision or chance outcome, as in the trace."""
    kind = code >> a.KIND_SHIFT
    return "chance" if kind == a.CHANCE_KIND else KINDS[kind]


def parts_of(code: int, rules: Rules) -> dict[str, int]:
    """Return the parts of an action or chance outcome."""
    verb = (code >> a.NUMBER_BITS) & ((1 << a.VERB_BITS) - 1)
    deed = verb + len(_ACTIONS) * (code >> a.KIND_SHIFT == a.CHANCE_KIND)
    names, number = list(_DEEDS.values())[deed], code & a.LARGEST
    if deed == a.SEND:
        numbers = [int(digit) for digit in f"{number:0{len(names)}}"]
    else:
        shifts = reversed(range(len(names)))
        numbers = [(number >> shift * a.PART_BITS) & a.LARGEST_PART for shift in shifts]
    return {"deed": deed, **dict(zip(names, numbers, strict=True))}


def write_label(code: int, rules: Rules) -> str:
    """Return the label of a code: what is done or drawn, and its parts."""
    parts = parts_of(code, rules)
    deed = WORDS["deed"][parts.pop("deed")]
    if deed == "send":
        return f"send {':'.join(map(str, parts.values()))}"
    names = [_name(part, number, rules) for part, number in parts.items()]
    if deed == "claim":
        return f"target {names[0]} claim"
    if deed.startswith("fate"):
        card = rules.events.cards[parts["card"]]
        return f"{deed} {card.id} {card.attack} {card.defence}"
    return " ".join([deed.split()[0], *names])


def _name(part: str, number: int, rules: Rules) -> str:
    """Return a part as labels write it."""
    if part in ("place", "origin"):
        return rules.map.fiefs[number].id
    if part == "district":
        return rules.map.districts[number].id
    if part == "card":
        return rules.events.cards[number].id
    return str(WORDS[part][number] if part in WORDS else number)
