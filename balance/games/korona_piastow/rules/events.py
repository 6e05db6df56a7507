"""Event cards: TOML files of cards built from a small vocabulary of effects."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from balance.contract.rule_tables import Sourced, say_words
from balance.foundation.toml import Settings
from balance.games.korona_piastow.rules.geography import MOST_CARDS, MOST_STAYING, Effect, Name, Who

# The keys of each effect, with the range of each number.
WORDS: dict[str, dict[str, tuple[int, int]]] = {
    "gain": {"who": (0, 0), "n": (0, 50)},
    "pay": {"who": (0, 0), "n": (0, 50)},
    "plague": {},
    "settle": {},
    "fire": {"n": (1, 9)},
    "rebellion": {},
    "raid": {"origin": (0, 0), "strength": (0, 60), "units": (0, 9)},
    "allies": {"n": (1, 9)},
    "levy": {"n": (1, 9)},
    "heir": {},
    "works": {},
    "peace": {"time": (1, 40)},
    "interdict": {"time": (1, 40)},
}
WHO = {"gain": ("all", "drawer", "poorest"), "pay": ("all", "drawer", "richest")}
STAYING = ("peace", "interdict")
FEWEST = 8  # cards of a deck
FEWEST_PASSING = 4  # cards that do not stay with a ruler: fate is drawn from them
Number = Annotated[int, Field(ge=0, le=9)]


def _examples(effect: str) -> dict[str, str]:
    """Return an example of each key of an effect, with a low number."""
    written = {"who": f'who = "{WHO.get(effect, ("all",))[0]}"', "origin": 'from = "litwa"'}
    return {
        key.replace("origin", "from"): written.get(key, f"{key} = {max(1, low)}")
        for key, (low, _) in WORDS[effect].items()
    }


class EventCard(Settings):
    """An event card: an effect with its keys, and two numbers of fate."""

    id: Name
    name: str
    effect: Effect
    attack: Number
    defence: Number
    who: Who | None = None
    n: int | None = None
    origin: Name | None = Field(default=None, alias="from")
    strength: int | None = None
    units: int | None = None
    time: int | None = None

    @model_validator(mode="after")
    def _complete(self) -> EventCard:
        keys = ("who", "n", "origin", "strength", "units", "time")
        given = {key for key in keys if getattr(self, key) is not None}
        wanted = WORDS[self.effect]
        if given != set(wanted):
            words = {key.replace("origin", "from") for key in given}
            raise ValueError(say_words(self.effect, _examples(self.effect), words))
        if self.who is not None and self.who not in WHO[self.effect]:
            raise ValueError(f"who must be one of {', '.join(WHO[self.effect])}")
        for key in wanted.keys() - {"who", "origin"}:
            low, high = wanted[key]
            if not low <= getattr(self, key) <= high:
                raise ValueError(f"{key} is {low} to {high}, got {getattr(self, key)}")
        return self


class Events(Sourced):
    """A deck of event cards, with its source."""

    name: str
    cards: Annotated[list[EventCard], Field(min_length=FEWEST, max_length=MOST_CARDS)]

    @model_validator(mode="after")
    def _deck_lasts(self) -> Events:
        ids = [card.id for card in self.cards]
        for card_id in ids:
            if ids.count(card_id) > 1:
                raise ValueError(f"two cards have the id {card_id!r}")
        passing = sum(card.effect not in STAYING for card in self.cards)
        if passing < FEWEST_PASSING:
            raise ValueError(
                f"at least {FEWEST_PASSING} cards must be neither peace nor interdict, got {passing}"
            )
        if len(self.cards) - passing > MOST_STAYING:
            raise ValueError(
                f"at most {MOST_STAYING} cards may be peace or interdict, got {len(self.cards) - passing}"
            )
        return self
