"""Names of fields, goods and parts of the trace."""

from __future__ import annotations

from balance.contract.actions import Words
from balance.foundation.language import N_, trn
from balance.foundation.text import listed
from balance.games.na_grunwald.rules.decks import FIELDS, KNIGHTS, list_events

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
