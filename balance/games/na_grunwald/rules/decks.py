"""Event decks: TOML files of cards built from a few effects; and the words that rules, decks and labels share.

Words stand in the order of their numbers in compiled code.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import pydantic
from pydantic import model_validator

from balance.contract.rule_tables import Sourced, say_words
from balance.foundation.language import tr
from balance.foundation.toml import Settings

Field = Literal["krzyzacy", "crown", "provisions", "ducats", "mercenaries", "helpers"]  # PLC-4
Effect = Literal[
    "gain", "pay", "plunder", "buy", "auction", "task", "contest", "bonus", "truce", "close", "officer",
    "supply", "hire",
]  # fmt: skip
FIELDS: tuple[str, ...] = get_args(Field)
EFFECTS: tuple[str, ...] = get_args(Effect)
KNIGHTS = ("crown", "mercenary")
PLAYERS = (2, 3, 4)
MOST_CARDS = 48  # in one table or event deck

Amount = Annotated[int, pydantic.Field(ge=0, le=20)]
# The keys that each effect needs in addition to its name.
NEEDS: dict[str, set[str]] = {
    "gain": {"bundle"},
    "pay": {"bundle"},
    "plunder": {"n"},
    "buy": {"bundle", "price"},
    "auction": {"bundle"},
    "task": {"n", "bundle"},
    "contest": {"bundle", "second"},
    "bonus": {"n"},
    "truce": set(),
    "close": {"field"},
    "officer": {"n"},
    "supply": {"field", "n"},
    "hire": {"n"},
}
# An example of each key.
EXAMPLES = {
    "n": "n = 2",
    "price": "price = 2",
    "field": 'field = "ducats"',
    "bundle": "bundle = { ducats = 1 }",
    "second": "second = { provisions = 1 }",
}
# The limits of n.
RANGES = {
    "plunder": (1, 50), "task": (1, 9), "bonus": (-20, 20), "officer": (1, 20), "supply": (1, 20), "hire": (0, 50),
}  # fmt: skip


class Bundle(Settings):
    """Resources gained, paid, bought or won together."""

    provisions: Amount = 0
    ducats: Amount = 0
    helpers: Amount = 0


BUNDLE = tuple(Bundle.model_fields)


class EventCard(Settings):
    """An event card: an effect with its numbers."""

    id: str = pydantic.Field(pattern=r"^[a-z0-9_]+$")
    name: str
    effect: Effect
    copies: Annotated[int, pydantic.Field(ge=1, le=MOST_CARDS)] = 1
    n: int | None = None
    price: Annotated[int, pydantic.Field(ge=0, le=50)] | None = None
    field: Field | None = None
    bundle: Bundle | None = None
    second: Bundle | None = None

    @model_validator(mode="after")
    def _complete(self) -> EventCard:
        given = {key for key in EXAMPLES if getattr(self, key) is not None}
        needed = NEEDS[self.effect]
        if given != needed:
            raise ValueError(say_words(self.effect, {key: EXAMPLES[key] for key in needed}, given))
        low, high = RANGES.get(self.effect, (0, 0))
        if self.n is not None and not low <= self.n <= high:
            raise ValueError(tr("n is {low} to {high}, got {n}", low=low, high=high, n=self.n))
        if self.effect == "supply" and self.field not in ("provisions", "ducats"):
            raise ValueError(tr('supply names a field: write field = "provisions" or field = "ducats"'))
        return self


class EventDeck(Sourced):
    """An event deck, with its source; a deck without cards means no event phase."""

    name: str
    cards: list[EventCard]

    @model_validator(mode="after")
    def _ids_differ(self) -> EventDeck:
        if self.size > MOST_CARDS:
            raise ValueError(tr("a deck has at most {most} cards, got {size}", most=MOST_CARDS, size=self.size))
        ids = [card.id for card in self.cards]
        for card_id in ids:
            if ids.count(card_id) > 1:
                raise ValueError(tr("two cards have the id {id}", id=repr(card_id)))
        return self

    @property
    def size(self) -> int:
        """Number of cards, including copies."""
        return sum(card.copies for card in self.cards)


def list_events(deck: EventDeck) -> list[EventCard]:
    """Return the cards of a deck in the order of their numbers, with copies one after another."""
    return [card for card in deck.cards for _ in range(card.copies)]
