"""Names of fields, goods, events and parts of the trace."""

from __future__ import annotations

from balance.contract.actions import Words
from balance.contract.view import Move
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import listed
from balance.games.na_grunwald.rules.decks import FIELDS, KNIGHTS, Bundle, EventCard, list_events
from balance.games.na_grunwald.rules.ruleset import Rules

FIELD_TITLES = {
    "krzyzacy": N_("Krzyżacy"),
    "crown": N_("Crown knights"),
    "provisions": N_("Provisions"),
    "ducats": N_("Ducats"),
    "mercenaries": N_("Mercenaries"),
    "helpers": N_("Helpers"),
}
WORDS: dict[str, Words] = {
    "field": FIELDS,
    "knight": KNIGHTS,
    "source": ("provisions", "hand", "camp", "captives"),
    "event": lambda rules: [card.id for card in list_events(rules.event_deck)],
}
"""The words for parts of the trace."""


def name_goods(provisions: int = 0, ducats: int = 0, helpers: int = 0) -> str:
    """Return the goods of which there are more than 0 in words."""
    parts = [
        (provisions, trn("{n} provision", "{n} provisions", provisions)),
        (ducats, trn("{n} ducat", "{n} ducats", ducats)),
        (helpers, trn("{n} helper", "{n} helpers", helpers)),
    ]
    return listed([text for count, text in parts if count])


def title_of(rules: Rules, move: Move) -> str:
    """Return the title of the field that a move is about."""
    return tr(FIELD_TITLES[FIELDS[move.parts["field"]]])


def event_card(rules: Rules, event_id: str) -> EventCard | None:
    """Return an event card by its id."""
    return next((card for card in rules.event_deck.cards if card.id == event_id), None)


def event_name(rules: Rules, event_id: str) -> str:
    """Return an event with its effect."""
    card = event_card(rules, event_id)
    return f"{tr(card.name)} ({_effect_of(card)})" if card else ""


def _effect_of(card: EventCard) -> str:
    """Return the effect of an event in a few words."""
    number, what = card.n or 0, bundle_name(card.bundle)
    field = tr(FIELD_TITLES[card.field]) if card.field else ""
    words = {
        "gain": tr("everyone gains {what}", what=what),
        "pay": tr("everyone pays {what}", what=what),
        "plunder": tr("everyone gives up {n}", n=number),
        "buy": trn("{what} for {n} ducat", "{what} for {n} ducats", card.price or 0, what=what),
        "auction": tr("auction of {what}", what=what),
        "task": tr("a knight of {n} or more earns {what}", n=number, what=what),
        "contest": tr(
            "the strongest knight wins {first}, the second {second}", first=what, second=bundle_name(card.second)
        ),
        "bonus": f"{tr('Krzyżacy')} {number:+d}".replace("-", "−"),
        "truce": tr("no skirmish"),
        "close": tr("{field} closed", field=field),
        "officer": tr("an officer counts {n}", n=number),
        "supply": f"{field} +{number}",
        "hire": trn("a helper costs {n} ducat", "a helper costs {n} ducats", number),
    }
    return words[card.effect]


def bundle_name(bundle: Bundle | None) -> str:
    """Return resources that are gained or paid together in words."""
    return (name_goods(**dict(bundle)) if bundle else "") or tr("nothing")
