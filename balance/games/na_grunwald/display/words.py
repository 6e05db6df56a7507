"""What things are called: fields, cards, events and what they do."""

from __future__ import annotations

from balance.contract.words import amount, listed
from balance.games.na_grunwald.rules.decks import Bundle, EventCard
from balance.games.na_grunwald.rules.ruleset import Rules

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
    """A field within a sentence."""
    title = FIELD_TITLES[field]
    return title if field == "krzyzacy" else title.lower()


def bundle_name(bundle: Bundle | None) -> str:
    """Resources gained or paid together."""
    if bundle is None:
        return "nothing"
    parts = [amount(count, name.removesuffix("s")) for name, count in bundle if count]
    return listed(parts) if parts else "nothing"


def event_card(rules: Rules, event_id: str) -> EventCard | None:
    """The card of an event, or None if there is none."""
    return next((card for card in rules.event_deck.cards if card.id == event_id), None)


def event_name(rules: Rules, event_id: str) -> str:
    """An event as its card and the report call it, and what it does."""
    card = event_card(rules, event_id)
    return f"{card.name} ({effect_of(card)})" if card else ""


def effect_of(card: EventCard) -> str:
    """What an event does, in a few words."""
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
