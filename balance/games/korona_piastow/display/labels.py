"""Labels of action codes as on the rule page, and names of places, units and buildings."""

from __future__ import annotations

from collections.abc import Sequence

from balance.foundation.text import amount, listed
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.rules.geography import BUILDINGS, ENDINGS, ORDERS, TRAITS, UNITS
from balance.games.korona_piastow.rules.ruleset import Rules, list_lines

_WRITTEN = {
    "wislica": "Wiślica",
    "krakow": "Kraków",
    "sacz": "Sącz",
    "plock": "Płock",
    "ciechanow": "Ciechanów",
    "piotrkow": "Piotrków",
    "poznan": "Poznań",
    "inowroclaw": "Inowrocław",
    "brzesc": "Brześć",
    "wroclaw": "Wrocław",
    "glogow": "Głogów",
    "raciborz": "Racibórz",
    "leczyca": "Łęczyca",
    "uniejow": "Uniejów",
    "inowlodz": "Inowłódz",
    "wielun": "Wieluń",
    "dobrzyn": "Dobrzyń",
    "gdansk": "Gdańsk",
    "swiecie": "Świecie",
    "slawno": "Sławno",
    "torun": "Toruń",
    "krolewiec": "Królewiec",
    "mysliborz": "Myślibórz",
    "klodzko": "Kłodzko",
    "spisz": "Spisz",
    "wlodzimierz": "Włodzimierz",
    "malopolska": "Małopolska",
    "dolny_slask": "Dolny Śląsk",
    "gorny_slask": "Górny Śląsk",
    "wegry": "Węgry",
    "rus": "Ruś",
    "grod": "gród",
    "townhall": "town hall",
    "clothhall": "cloth hall",
    "foreign": "foreign unit",
}


def written(name: str) -> str:
    """Return the display name of a place; an unknown name gets spaces and a capital letter."""
    return _WRITTEN.get(name, name.replace("_", " ").capitalize())


def thing(name: str) -> str:
    """Return the display name of a building or unit."""
    return _WRITTEN.get(name, name)


def units_in_words(names: Sequence[str], counts: Sequence[int]) -> str:
    """Return units in words, as in "2 infantry, 1 cavalry and 2 knights"."""
    parts = [
        f"{count} {name}" if name in ("infantry", "cavalry") else amount(count, thing(name))
        for name, count in zip(names, counts, strict=True)
        if count
    ]
    return listed(parts) if parts else "nothing"


# Kinds of decisions, in the order of their phases.
KINDS = (
    "place",
    "fief",
    "order",
    "spy",
    "damage",
    "turn",
    "muster",
    "regroup",
    "build",
    "siege",
    "target",
    "revenge",
    "send",
    "victory",
    "magnate",
    "grant",
    "ruler",
    "choose",
)

_BARE = {
    a.DONE: "done",
    a.NONE: "none",
    a.HASTEN: "hasten",
    a.OCCUPY: "occupy",
    a.DEVASTATE: "devastate",
    a.COLLECT: "collect",
}
_WITH_FIEF = {
    a.FIEF: "fief",
    a.SPY: "spy",
    a.DAMAGE: "damage",
    a.SIEGE: "siege",
    a.TARGET: "target",
    a.REPAIR: "repair",
    a.RAISE: "raise",
    a.CHOOSE_FIEF: "choose",
}
_FATES = {a.FATE_ATTACK: "fate attack", a.FATE_DEFENCE: "fate defence", a.FATE_QUEST: "fate quest"}


def kind_name(code: int) -> str:
    """Return the kind of a decision or chance outcome, as in the trace."""
    kind = code >> (a.NUMBER_BITS + a.VERB_BITS)
    return "chance" if kind == a.CHANCE_KIND else KINDS[kind]


def write_label(code: int, rules: Rules) -> str:
    """Return the label of a code."""
    verb = (code >> a.NUMBER_BITS) & ((1 << a.VERB_BITS) - 1)
    number = code & a.LARGEST
    if code >> (a.NUMBER_BITS + a.VERB_BITS) == a.CHANCE_KIND:
        return _write_chance(verb, number, rules)
    if verb in _BARE:
        return _BARE[verb]
    if verb in _WITH_FIEF:
        return f"{_WITH_FIEF[verb]} {rules.map.fiefs[number].id}"
    if verb == a.CLAIM:
        return f"target {rules.map.fiefs[number].id} claim"
    if verb == a.SEND:
        return f"send {':'.join(f'{number:0{len(UNITS)}}')}"
    return _write_named(verb, number, rules)


def _write_named(verb: int, number: int, rules: Rules) -> str:
    """Return the label of an action that names an order, unit, building, trait, district or seat."""
    first, second = number >> a.PART_BITS, number & a.LARGEST_PART
    fiefs, districts = rules.map.fiefs, rules.map.districts
    if verb == a.ORDER:
        return f"order {ORDERS[number]}"
    if verb == a.MUSTER:
        return f"muster {UNITS[number]}"
    if verb == a.BUILD:
        return f"build {BUILDINGS[number]}"
    if verb == a.RIDE:
        return f"ride {districts[number].id}"
    if verb == a.CHOOSE_SEAT:
        return f"choose {number}"
    if verb == a.PLACE:
        return f"place {UNITS[first]} {fiefs[second].id}"
    if verb in (a.DO, a.DROP):
        return f"{'do' if verb == a.DO else 'drop'} {fiefs[first].id} {ORDERS[second]}"
    if verb == a.GRANT:
        return f"grant {TRAITS[first]} {districts[second].id}"
    source, target = first >> a.PART_BITS, first & a.LARGEST_PART
    return f"move {fiefs[source].id} {fiefs[target].id} {UNITS[second]}"


def _write_chance(verb: int, number: int, rules: Rules) -> str:
    first, second = number >> a.PART_BITS, number & a.LARGEST_PART
    if verb == a.RESHUFFLE:
        return "reshuffle"
    if verb in (a.LINE, a.SECOND):
        what = "line" if verb == a.LINE else "second"
        return f"{what} {first} {rules.map.districts[second].id}"
    if verb == a.MAGNATE:
        return f"magnate {first} {TRAITS[second]}"
    card = rules.events.cards[number]
    if verb == a.EVENT:
        return f"event {card.id}"
    return f"{_FATES[verb]} {card.id} {card.attack} {card.defence}"


_DEEDS = (
    *(
        "done",
        "none",
        "place",
        "fief",
        "order",
        "spy",
        "damage",
        "do",
        "drop",
        "muster",
        "move",
        "build",
    ),
    *("hasten", "siege", "target", "claim", "send", "occupy", "devastate", "repair", "raise", "grant"),
    *("collect", "ride", "choose fief", "choose seat"),
)
_DRAWS = ("line", "second", "magnate", "fate attack", "fate defence", "fate quest", "event", "reshuffle")
_SINGLE = {
    **dict.fromkeys(_WITH_FIEF, "place"),
    a.CLAIM: "place",
    a.ORDER: "order_kind",
    a.MUSTER: "unit",
    a.BUILD: "building",
    a.RIDE: "district",
    a.CHOOSE_SEAT: "player",
}
_PAIRS = {
    a.PLACE: ("unit", "place"),
    a.DO: ("place", "order_kind"),
    a.DROP: ("place", "order_kind"),
    a.GRANT: ("trait", "district"),
}
_SENT = ("infantry", "cavalry", "knights", "engines", "allies")


def parts_of(code: int, rules: Rules) -> dict[str, int]:
    """Return the parts of an action or chance outcome."""
    verb = (code >> a.NUMBER_BITS) & ((1 << a.VERB_BITS) - 1)
    number = code & a.LARGEST
    first, second = number >> a.PART_BITS, number & a.LARGEST_PART
    if code >> (a.NUMBER_BITS + a.VERB_BITS) == a.CHANCE_KIND:
        return {"deed": len(_DEEDS) + verb, **_parts_of_chance(verb, number)}
    parts = {"deed": verb}
    if verb in _SINGLE:
        return parts | {_SINGLE[verb]: number}
    if verb in _PAIRS:
        return parts | dict(zip(_PAIRS[verb], (first, second), strict=True))
    if verb == a.MOVE:
        return parts | {"origin": first >> a.PART_BITS, "place": first & a.LARGEST_PART, "unit": second}
    if verb == a.SEND:
        return parts | dict(zip(_SENT, map(int, f"{number:0{len(_SENT)}}"), strict=True))
    return parts


def _parts_of_chance(verb: int, number: int) -> dict[str, int]:
    first, second = number >> a.PART_BITS, number & a.LARGEST_PART
    if verb in (a.LINE, a.SECOND):
        return {"player": first, "district": second}
    if verb == a.MAGNATE:
        return {"player": first, "trait": second}
    return {} if verb == a.RESHUFFLE else {"card": number}


WORDS = {
    "line": list_lines,
    "end": ENDINGS,
    "deed": (*_DEEDS, *_DRAWS),
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
