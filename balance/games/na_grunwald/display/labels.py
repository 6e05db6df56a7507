"""Labels of action codes as on the rule page, and names of fields, knights and events."""

from __future__ import annotations

from balance.foundation.text import amount, listed
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.decks import Bundle, EventCard, list_events
from balance.games.na_grunwald.rules.ruleset import Rules
from balance.games.na_grunwald.rules.vocabulary import FIELDS, KNIGHTS

FIELD_TITLES = {
    "krzyzacy": "Krzyżacy",
    "crown": "Crown knights",
    "provisions": "Provisions",
    "ducats": "Ducats",
    "mercenaries": "Mercenaries",
    "helpers": "Helpers",
}
KNIGHT_TITLES = {"crown": "crown knight", "mercenary": "mercenary"}


def field_name(field: str) -> str:
    """Return the name of a field for a sentence."""
    title = FIELD_TITLES[field]
    return title if field == "krzyzacy" else title.lower()


def bundle_name(bundle: Bundle | None) -> str:
    """Return resources that are gained or paid together in words."""
    if bundle is None:
        return "nothing"
    parts = [amount(count, name.removesuffix("s")) for name, count in bundle if count]
    return listed(parts) if parts else "nothing"


def event_card(rules: Rules, event_id: str) -> EventCard | None:
    """Return the card of an event, or None."""
    return next((card for card in rules.event_deck.cards if card.id == event_id), None)


def event_name(rules: Rules, event_id: str) -> str:
    """Return the name of an event with its effect."""
    card = event_card(rules, event_id)
    return f"{card.name} ({effect_of(card)})" if card else ""


def effect_of(card: EventCard) -> str:
    """Return the effect of an event in a few words."""
    number, what = card.n or 0, bundle_name(card.bundle)
    words = {
        "gain": f"everyone gains {what}",
        "pay": f"everyone pays {what}",
        "plunder": f"everyone gives up {number}",
        "buy": f"{what} for {amount(card.price or 0, 'ducat')}",
        "auction": f"auction of {what}",
        "task": f"a knight of {number} or more earns {what}",
        "contest": f"the strongest knight wins {what}, the second {bundle_name(card.second)}",
        "bonus": f"Krzyżacy {number:+d}",
        "truce": "no skirmish",
        "close": f"{field_name(card.field)} closed" if card.field else "",
        "officer": f"an officer counts {number}",
        "supply": f"{card.field} +{number}",
        "hire": f"a helper costs {amount(number, 'ducat')}",
    }
    return words[card.effect].replace("+-", "−").replace("-", "−")


_KINDS = {
    a.PASS: "place",
    a.PLACE: "place",
    a.FIGHT: "fight",
    a.GIVE: "plunder",
    a.HIRE: "hire",
    a.BUY: "buy",
    a.BID: "bid",
    a.SEND: "send",
    a.ENTER: "enter",
    a.STARVE: "starve",
}
_SOURCES = ("provision", "hand crown", "hand mercenary", "camp crown", "camp mercenary", "captive")
_SEEN = {
    a.SEE_CROWN: s.CROWN_FIELD,
    a.SEE_PROVISIONS: s.PROVISIONS,
    a.SEE_MERCENARIES: s.MERCENARY_FIELD,
    a.SEE_KRZYZACY: s.KRZYZACY,
}
_NOTHING = {a.FIGHT: "peasant", a.SEND: "none", a.ENTER: "none"}
_VERBS = {a.FIGHT: "fight", a.SEND: "send", a.ENTER: "enter", a.STARVE: "starve"}


def kind_name(code: int) -> str:
    """Return the kind of a decision or chance outcome, as in the trace."""
    return _KINDS.get(code >> 25, "chance")


def write_label(code: int, rules: Rules) -> str:
    """Return the label of an action or chance outcome.

    Parameters
    ----------
    code : int
        From `actions.encode`.
    rules : Rules
        The rule set, for the names of its events.
    """
    kind, first = code >> 25, (code >> 20) & a.LARGEST_FIRST
    second, third = (code >> 10) & a.LARGEST, code & a.LARGEST
    if kind == a.PASS:
        return "pass"
    if kind == a.PLACE:
        return _write_placement(FIELDS[first], second, third)
    if kind in _VERBS:
        card = f"{KNIGHTS[second - 1]} {third}" if second else _NOTHING[kind]
        return f"{_VERBS[kind]} {card}"
    if kind == a.GIVE:
        return f"give {_SOURCES[first]}" + (f" {third}" if first != a.FROM_PROVISIONS else "")
    if kind in (a.HIRE, a.BUY):
        return f"{_KINDS[kind]} {'yes' if third else 'no'}"
    if kind == a.BID:
        return f"bid {third}" if third else "bid pass"
    if kind == a.SEE_EVENT:
        return f"reveal event {list_events(rules.event_deck)[third].id}"
    if kind == a.SEE_DUCATS:
        return f"reveal ducats {first} {second} {third}"
    return f"reveal {FIELDS[_SEEN[kind]]} {second} {third}"


def _write_placement(field: str, pawns: int, ducats: int) -> str:
    what = f"helpers {pawns}" if pawns else "officer"
    stake = f" {ducats}" if field in ("provisions", "mercenaries") else ""
    return f"place {field} {what}{stake}"


def parts_of(code: int, rules: Rules) -> dict[str, int]:
    """Return the parts of an action or chance outcome."""
    kind, first = code >> 25, (code >> 20) & a.LARGEST_FIRST
    second, third = (code >> 10) & a.LARGEST, code & a.LARGEST
    if kind == a.PLACE:
        return {"field": first, "officer": int(not second), "pawns": second, "stake": third}
    if kind == a.GIVE:
        knight = {} if first in (a.FROM_PROVISIONS, a.FROM_CAPTIVES) else {"knight": (first - 1) % 2}
        return {"source": (first + 1) // 2, "value": third, **knight}
    if kind in _VERBS:
        return {"knight": second - 1, "value": third} if second else {}
    if kind in (a.HIRE, a.BUY):
        return {"accepted": third}
    if kind == a.BID:
        return {"bid": third}
    if kind == a.SEE_EVENT:
        return {"event": third}
    if kind == a.SEE_DUCATS:
        return {"field": FIELDS.index("ducats"), "first": first, "second": second, "third": third}
    return {"field": _SEEN[kind], "first": second, "second": third} if kind in _SEEN else {}


WORDS = {
    "field": FIELDS,
    "knight": KNIGHTS,
    "source": ("provisions", "hand", "camp", "captives"),
    "event": lambda rules: [card.id for card in list_events(rules.event_deck)],
}
"""The words for parts of the trace."""
