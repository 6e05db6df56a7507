"""The rule set of Na Grunwald!: every number and switch a designer may turn, with its limits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Field, field_validator, model_validator

from balance.contract.by_seat import Amount, BySeat, by_seat
from balance.contract.sourced import Sourced, name_reconstructions, resolve_components
from balance.games.na_grunwald.rules.decks import EventDeck
from balance.games.na_grunwald.rules.vocabulary import MOST_CARDS
from balance.settings import Settings, validate

PATH_KEYS = {"event_deck": "decks"}  # keys that may name a file, and where those lie that ship
ROWS = {"event_deck.cards": "cards"}  # what the rows of a list are called
FOLDER = Path(__file__).parents[1]

T = TypeVar("T")
Strength = Annotated[int, Field(ge=1, le=9)]
Shown = Annotated[int, Field(ge=1, le=20)]
Award = Literal[-3, -2, -1, 1, 2, 3]
Title = Literal["count", "off"] | Annotated[int, Field(ge=0, le=50)]
PLAYERS = (2, 3, 4)


class ByPlayers(Settings, Generic[T]):
    """A value for each player count."""

    two: T = Field(alias="2")
    three: T = Field(alias="3")
    four: T = Field(alias="4")

    def at(self, players: int) -> T:
        """The value at 2, 3 or 4 players."""
        return {2: self.two, 3: self.three, 4: self.four}[players]


class Start(Settings):
    """What a player starts with: all the same, by seat, or by player count."""

    ducats: Annotated[Amount, BySeat(0, 50, PLAYERS)]
    provisions: Annotated[Amount, BySeat(0, 50, PLAYERS)]
    helpers: Annotated[Amount, BySeat(0, 9, PLAYERS)]


class Pawns(Settings):
    """Strength of the pawns (RES-1) and the most helpers a player may own."""

    most_helpers: int = Field(ge=0, le=9)
    officer_strength: int = Field(ge=1, le=20)
    helper_strength: int = Field(ge=1, le=20)


class Krzyzacy(Settings):
    """The skirmish (KRZ-1 to KRZ-9)."""

    first_round: int = Field(ge=1, le=13)
    bonus: ByPlayers[Annotated[int, Field(ge=-8, le=50)]]
    captors: ByPlayers[Annotated[int, Field(ge=0, le=2)]]
    unopposed: Literal["plunder", "ignore"]
    give_from_table: bool


class Awards(Settings):
    """Which of the shown values first, second and third take: 1 the highest, -1 the lowest."""

    crown: ByPlayers[Annotated[list[Award], Field(max_length=3)]]
    provisions: ByPlayers[Annotated[list[Award], Field(max_length=3)]]
    ducats: ByPlayers[Annotated[list[Award], Field(max_length=3)]]
    mercenaries: ByPlayers[Annotated[list[Award], Field(max_length=3)]]
    helpers: ByPlayers[Annotated[int, Field(ge=0, le=3)]]

    @field_validator("crown", "provisions", "ducats", "mercenaries")
    @classmethod
    def _each_value_once(cls, awards: ByPlayers[list[int]]) -> ByPlayers[list[int]]:
        for players in PLAYERS:
            values = awards.at(players)
            if len(set(values)) < len(values):
                raise ValueError(f"{players} players: a shown value is awarded twice in {values}")
        return awards


class Hire(Settings):
    """Price of a helper: as many ducats as helpers owned, a number, or a table by helpers owned."""

    price: Literal["owned"] | int | list[int]
    first_pays: bool

    @field_validator("price", mode="before")
    @classmethod
    def _check_price(cls, price: object) -> object:
        prices = price if isinstance(price, list) else [price]
        whole = all(type(p) is int and 0 <= p <= 50 for p in prices)
        if price != "owned" and not (whole and prices):
            raise ValueError('must be "owned", a whole number 0 to 50, or a list of such numbers')
        return price


class Scoring(Settings):
    """Feeding (END-1) and points for ducats (END-5)."""

    knights_per_provision: int = Field(ge=1, le=10)
    ducats_per_point: int = Field(ge=1, le=50)


class Titles(Settings):
    """Points of each title: "count", a fixed number, or "off" (END-3, END-4)."""

    crown_commander: Title
    mercenary_commander: Title
    quartermaster: Title

    @field_validator("*", mode="before")
    @classmethod
    def _check_title(cls, title: object) -> object:
        if title not in ("count", "off") and not (type(title) is int and 0 <= title <= 50):
            raise ValueError('must be "count", "off" or a whole number 0 to 50')
        return title


class Strengths(Settings):
    """A table of knights, with where it comes from."""

    source: str
    reconstruction: bool
    strengths: Annotated[list[Strength], Field(max_length=MOST_CARDS)]


class Values(Settings):
    """A table of cards that show one to three values, highest first, with where it comes from."""

    source: str
    reconstruction: bool
    values: Annotated[
        list[Annotated[list[Shown], Field(min_length=1, max_length=3)]], Field(max_length=MOST_CARDS)
    ]

    @field_validator("values")
    @classmethod
    def _highest_first(cls, cards: list[list[int]]) -> list[list[int]]:
        for card in cards:
            if card != sorted(card, reverse=True):
                raise ValueError(f"the values of a card go from high to low, not {card}")
        return cards


class Cards(Settings):
    """The card tables (SET-1)."""

    crown: Strengths
    mercenaries: Strengths
    krzyzacy: Strengths
    provisions: Values
    ducats: Values


class Rules(Settings):
    """A whole rule set; the keys of a variant file."""

    title: str
    description: str
    rounds: int = Field(ge=1, le=12)
    tie_rule: Literal["first-placed", "last-placed"]
    start: Start
    pawns: Pawns
    krzyzacy: Krzyzacy
    awards: Awards
    hire: Hire
    scoring: Scoring
    titles: Titles
    cards: Cards
    event_deck: EventDeck

    @model_validator(mode="after")
    def _tables_fit(self) -> Rules:
        cards = self.cards
        rounds_of_war = max(0, self.rounds - self.krzyzacy.first_round + 1)
        _check_stacks("cards.crown", cards.crown.strengths, self.rounds)
        _check_stacks("cards.mercenaries", cards.mercenaries.strengths, self.rounds)
        _check_stacks("cards.krzyzacy", cards.krzyzacy.strengths, rounds_of_war)
        for name, table in (("provisions", cards.provisions), ("ducats", cards.ducats)):
            if len(table.values) < self.rounds:
                raise ValueError(
                    f"cards.{name}: {len(table.values)} cards are too few for {self.rounds} rounds"
                )
        if any(len(card) > 2 for card in cards.provisions.values):
            raise ValueError("cards.provisions: a card shows one or two values")
        if any(len(card) != 3 for card in cards.ducats.values):
            raise ValueError("cards.ducats: a card shows three values")
        if 0 < self.event_deck.size < self.rounds - 1:
            raise ValueError(
                f"event_deck {self.event_deck.name!r}: {self.event_deck.size} cards are too "
                f"few, {self.rounds} rounds need {self.rounds - 1} (or none at all)"
            )
        return self

    @model_validator(mode="after")
    def _helpers_fit(self) -> Rules:
        most = max(max(by_seat(self.start.helpers, players)) for players in PLAYERS)
        if most > self.pawns.most_helpers:
            raise ValueError(
                f"start.helpers is {most}, more than pawns.most_helpers ({self.pawns.most_helpers})"
            )
        if isinstance(self.hire.price, list) and len(self.hire.price) < self.pawns.most_helpers:
            raise ValueError(
                f"hire.price needs a price for 0 to {self.pawns.most_helpers - 1} helpers owned, "
                f"got {len(self.hire.price)} prices"
            )
        return self


def _check_stacks(name: str, strengths: list[int], rounds: int) -> None:
    """Two equal stacks must last for `rounds` rounds."""
    if len(strengths) % 2 or len(strengths) < 2 * rounds:
        raise ValueError(
            f"{name}: {len(strengths)} cards are the wrong size, two equal stacks for "
            f"{rounds} rounds need an even number of at least {2 * rounds}"
        )


def load_rules(data: Mapping[str, Any], where: str, folder: Path) -> Rules:
    """Check a merged rule set, its event deck looked up by name or, relative to `folder`, by path.

    Raises
    ------
    BalanceError
        A key, value, deck or table is wrong; names `where`.
    """
    resolved = resolve_components(Rules, PATH_KEYS, FOLDER, data, where, folder)
    return validate(Rules, resolved, where)


def list_reconstructions(rules: Rules) -> list[str]:
    """One line for each card table or deck that is a reconstruction, with its source."""
    tables: dict[str, Sourced] = {
        f"cards.{name}": getattr(rules.cards, name) for name in type(rules.cards).model_fields
    }
    return name_reconstructions({**tables, f"event deck {rules.event_deck.name!r}": rules.event_deck})


def game_columns(rules: Rules) -> dict[str, str]:
    """Columns of the games table that a rule set fixes."""
    return {"events_deck": rules.event_deck.name}
