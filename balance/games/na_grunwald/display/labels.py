"""Codes as the rule page writes them (section 7), and back."""

from __future__ import annotations

from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.rules.decks import list_events
from balance.games.na_grunwald.rules.ruleset import Rules
from balance.games.na_grunwald.rules.vocabulary import FIELDS, KNIGHTS

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
_NOTHING = {a.FIGHT: "peasant", a.SEND: "none", a.ENTER: "none"}
_VERBS = {a.FIGHT: "fight", a.SEND: "send", a.ENTER: "enter", a.STARVE: "starve"}


def kind_name(code: int) -> str:
    """The kind of a decision or chance outcome, as in the trace."""
    return _KINDS.get(code >> 25, "chance")


def write_label(code: int, rules: Rules) -> str:
    """The label of an action or chance outcome.

    Parameters
    ----------
    code : int
        As made by `actions.encode`.
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
    field = {
        a.SEE_CROWN: "crown",
        a.SEE_PROVISIONS: "provisions",
        a.SEE_MERCENARIES: "mercenaries",
        a.SEE_KRZYZACY: "krzyzacy",
    }[kind]
    return f"reveal {field} {second} {third}"


def _write_placement(field: str, pawns: int, ducats: int) -> str:
    what = f"helpers {pawns}" if pawns else "officer"
    stake = f" {ducats}" if field in ("provisions", "mercenaries") else ""
    return f"place {field} {what}{stake}"
