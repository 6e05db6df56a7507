"""The rule set of Na Grunwald!: every number and switch that a designer can change, with its limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations, product
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import Field, field_validator, model_validator

from balance.contract.rule_tables import Amount, BySeat, Sourced, by_seat, name_reconstructions
from balance.foundation.language import tr, trn
from balance.foundation.toml import Settings
from balance.games.na_grunwald.rules.decks import MOST_CARDS, PLAYERS, EventDeck

PATH_KEYS = {"event_deck": "decks"}  # keys that may name a file, and the folder of the shipped files
ROWS = {"event_deck.cards": "cards"}  # what the rows of a list are called

T = TypeVar("T")
Strength = Annotated[int, Field(ge=1, le=9)]
Card = Annotated[list[Annotated[int, Field(ge=1, le=20)]], Field(min_length=1, max_length=3)]
Award = Literal[-3, -2, -1, 1, 2, 3]
Taken = Annotated[list[Award], Field(max_length=3)]
Price = Annotated[int, Field(ge=0, le=50)]
Title = Literal["count", "off"] | Price
Goods = Annotated[Amount, BySeat(0, 50, PLAYERS)]
Helpers = Annotated[Amount, BySeat(0, 9, PLAYERS)]


class ByPlayers(Settings, Generic[T]):
    """A value for each player count."""

    two: T = Field(alias="2")
    three: T = Field(alias="3")
    four: T = Field(alias="4")

    def at(self, players: int) -> T:
        """Return the value for 2, 3 or 4 players."""
        return {2: self.two, 3: self.three, 4: self.four}[players]


Bonus = ByPlayers[Annotated[int, Field(ge=-8, le=50)]]
Captors = ByPlayers[Annotated[int, Field(ge=0, le=2)]]
Gainers = ByPlayers[Annotated[int, Field(ge=0, le=3)]]


class Start(Settings):
    """What a player starts with: the same for all, by seat, or by player count (SET-4)."""

    ducats: Goods = Field(description="ducats at the start (SET-4)")
    provisions: Goods = Field(description="provisions at the start (SET-4)")
    helpers: Helpers = Field(description="helpers at the start, in addition to the officer (SET-4)")


class Pawns(Settings):
    """Strength of the pawns (RES-1) and the most helpers a player may own."""

    most_helpers: int = Field(ge=0, le=9, description="most helpers that a player may own (HLP-2)")
    officer_strength: int = Field(ge=1, le=20, description="strength of the officer on a field (RES-1)")
    helper_strength: int = Field(ge=1, le=20, description="strength of a helper on a field (RES-1)")


class Krzyzacy(Settings):
    """The skirmish (KRZ-1 to KRZ-9)."""

    first_round: int = Field(
        ge=1, le=13, description="first round with a skirmish; above `rounds`: no skirmish (section 4.1)"
    )
    bonus: Bonus = Field(description="strength added to the two cards of the Krzyżacy (KRZ-1)")
    captors: Captors = Field(description="how many of the strongest cards may take a captive (KRZ-3, KRZ-4)")
    unopposed: Literal["plunder", "ignore"] = Field(
        description="if no player goes: a skirmish with strength 0, or nothing happens (KRZ-8)"
    )
    give_from_table: bool = Field(description="whether cards of this skirmish may be given up for it (KRZ-7)")


class Awards(Settings):
    """Which shown value the first, second and third player take: 1 the highest, -1 the lowest (section 4.3)."""

    crown: ByPlayers[Taken] = Field(
        description="which knights the first, second, third take (CRN-1); 1 the highest, -1 the lowest"
    )
    provisions: ByPlayers[Taken] = Field(
        description="which values the first, second, third take (PRV-1); 1 the highest, -1 the lowest"
    )
    ducats: ByPlayers[Taken] = Field(
        description="which values the first, second, third take (DUC-1); 1 the highest, -1 the lowest"
    )
    mercenaries: ByPlayers[Taken] = Field(
        description="which knights the first, second, third take (MRC-1); 1 the highest, -1 the lowest"
    )
    helpers: Gainers = Field(description="how many players may gain a helper: the first, then players who pay (HLP-1)")

    def check_cards_differ(self, shown: Mapping[str, Iterable[int]]) -> None:
        """Raise ValueError if two entries take the same value.

        `shown` is how many values the cards of each field show; on a card with 2 values, 2 and -1 are the same value.
        """
        for (field, sizes), players in product(shown.items(), PLAYERS):
            entries = getattr(self, field).at(players)
            for count, (one, other) in product(sorted(sizes), combinations(entries, 2)):
                if place_of(one, count) == place_of(other, count):
                    raise ValueError(
                        trn(
                            "{key}: with {players} players, {first} and {second} are the same of {n} shown value; "
                            "each value goes to one player",
                            "{key}: with {players} players, {first} and {second} are the same of {n} shown values; "
                            "each value goes to one player",
                            count,
                            key=f"awards.{field}.{players}",
                            players=players,
                            first=one,
                            second=other,
                        )
                    )


def place_of(award: Award, shown: int) -> int:
    """Return the index of the award among the shown values, 0 for the highest."""
    return award - 1 if award > 0 else shown + award


def _is_price(value: object) -> bool:
    return type(value) is int and 0 <= value <= 50


class Hire(Settings):
    """Price of a helper in ducats: the number of helpers owned, a fixed number, or a list by helpers owned."""

    price: Literal["owned"] | Price | list[Price] = Field(
        description="ducats of a helper: the number of helpers owned, a number, or a list by helpers owned (HLP-1)"
    )
    first_pays: bool = Field(description="whether the first on `helpers` pays too (HLP-1)")

    @field_validator("price", mode="before")
    @classmethod
    def _check_price(cls, price: object) -> object:
        prices = price if isinstance(price, list) else [price]
        if price != "owned" and not (prices and all(map(_is_price, prices))):
            raise ValueError(tr('must be "owned", a whole number 0 to 50, or a list of such numbers'))
        return price


class Scoring(Settings):
    """Feeding of knights (END-1) and points for ducats (END-5)."""

    knights_per_provision: int = Field(ge=1, le=10, description="knights that one provision feeds at the end (END-1)")
    ducats_per_point: int = Field(ge=1, le=50, description="number of ducats left that are worth one point (END-5)")


class Titles(Settings):
    """Points of each title: "count", a fixed number, or "off" (END-3, END-4)."""

    crown_commander: Title = Field(description="points for the most crown knights (END-3)")
    mercenary_commander: Title = Field(description="points for the most mercenaries (END-3)")
    quartermaster: Title = Field(description="points for the most spare provisions (END-4)")

    @field_validator("*", mode="before")
    @classmethod
    def _check_title(cls, title: object) -> object:
        if title not in ("count", "off") and not _is_price(title):
            raise ValueError(tr('must be "count", "off" or a whole number 0 to 50'))
        return title


class Strengths(Sourced):
    """A table of knights, with its source."""

    strengths: Annotated[list[Strength], Field(max_length=MOST_CARDS)] = Field(
        description="the strength of each card; each stack has half of the cards (SET-1)"
    )


class Values(Sourced):
    """A table of cards that show one to three values, highest first, with its source."""

    values: Annotated[list[Card], Field(max_length=MOST_CARDS)] = Field(
        description="the values on each card, highest first (SET-1)"
    )

    @field_validator("values")
    @classmethod
    def _highest_first(cls, cards: list[list[int]]) -> list[list[int]]:
        for card in cards:
            if card != sorted(card, reverse=True):
                raise ValueError(tr("the values of a card go from high to low, not {card}", card=str(card)))
        return cards


class Cards(Settings):
    """Card tables (SET-1)."""

    crown: Strengths
    mercenaries: Strengths
    krzyzacy: Strengths
    provisions: Values
    ducats: Values


class Rules(Settings):
    """A complete rule set; the keys of a variant file."""

    title: str
    description: str
    rounds: int = Field(ge=1, le=12, description="number of rounds; the card tables need enough cards (section 2)")
    tie_rule: Literal["first-placed", "last-placed"] = Field(description="who wins a tie on a field (RES-2)")
    start: Start
    pawns: Pawns
    krzyzacy: Krzyzacy
    awards: Awards
    hire: Hire
    scoring: Scoring
    titles: Titles
    cards: Cards
    event_deck: EventDeck = Field(description="the event cards, from round 2 on (RND-1)")

    @model_validator(mode="after")
    def _tables_fit(self) -> Rules:
        cards, rounds = self.cards, self.rounds
        _check_stacks("cards.crown", cards.crown.strengths, rounds)
        _check_stacks("cards.mercenaries", cards.mercenaries.strengths, rounds)
        skirmishes = max(0, rounds - self.krzyzacy.first_round + 1)
        _check_stacks("cards.krzyzacy", cards.krzyzacy.strengths, skirmishes)
        for name, table in (("provisions", cards.provisions), ("ducats", cards.ducats)):
            size = len(table.values)
            if size < rounds:
                raise ValueError(
                    tr(
                        "{key}: {size} cards are too few for {rounds} rounds",
                        key=f"cards.{name}", size=size, rounds=rounds,
                    )
                )  # fmt: skip
        if any(len(card) > 2 for card in cards.provisions.values):
            raise ValueError(tr("{key}: a card shows one or two values", key="cards.provisions"))
        if any(len(card) != 3 for card in cards.ducats.values):
            raise ValueError(tr("{key}: a card shows three values", key="cards.ducats"))
        deck = self.event_deck
        if 0 < deck.size < rounds - 1:
            raise ValueError(
                tr(
                    "event_deck {deck}: {size} cards are too few, {rounds} rounds need {least} (or none at all)",
                    deck=repr(deck.name), size=deck.size, rounds=rounds, least=rounds - 1,
                )
            )  # fmt: skip
        return self

    @model_validator(mode="after")
    def _awards_fit(self) -> Rules:
        provisions = {len(card) for card in self.cards.provisions.values}
        ducats = {len(card) for card in self.cards.ducats.values}
        self.awards.check_cards_differ({"crown": {2}, "provisions": provisions, "ducats": ducats, "mercenaries": {2}})
        return self

    @model_validator(mode="after")
    def _helpers_fit(self) -> Rules:
        most, prices = self.pawns.most_helpers, self.hire.price
        start = max(max(by_seat(self.start.helpers, players)) for players in PLAYERS)
        if start > most:
            raise ValueError(
                tr("start.helpers is {start}, more than pawns.most_helpers ({most})", start=start, most=most)
            )
        if isinstance(prices, list) and len(prices) < most:
            raise ValueError(
                trn(
                    "hire.price needs a price for 0 to {most} helpers owned, got {n} price",
                    "hire.price needs a price for 0 to {most} helpers owned, got {n} prices",
                    len(prices),
                    most=most - 1,
                )
            )
        return self


def _check_stacks(name: str, strengths: list[int], rounds: int) -> None:
    """Raise ValueError if a table does not give two equal stacks with enough cards for `rounds` rounds."""
    if len(strengths) % 2 or len(strengths) < 2 * rounds:
        raise ValueError(
            tr(
                "{key}: {size} cards are the wrong size, two equal stacks for {rounds} rounds need an even number of "
                "at least {least}",
                key=name, size=len(strengths), rounds=rounds, least=2 * rounds,
            )
        )  # fmt: skip


def list_reconstructions(rules: Rules) -> list[str]:
    """Return one line for each card table or event deck that is a reconstruction, with its source."""
    tables: dict[str, Sourced] = {
        f"cards.{name}": getattr(rules.cards, name) for name in type(rules.cards).model_fields
    }
    return name_reconstructions({**tables, f"event deck {rules.event_deck.name!r}": rules.event_deck})
