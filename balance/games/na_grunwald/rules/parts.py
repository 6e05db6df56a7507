"""Tables of a rule set: start, pawns, Krzyżacy, awards, hiring, scoring, titles and cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations, product
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import Field, field_validator

from balance.contract.rule_tables import Amount, BySeat, Sourced
from balance.foundation.toml import Settings
from balance.games.na_grunwald.rules.vocabulary import MOST_CARDS, PLAYERS

T = TypeVar("T")
Strength = Annotated[int, Field(ge=1, le=9)]
Shown = Annotated[int, Field(ge=1, le=20)]
Award = Literal[-3, -2, -1, 1, 2, 3]
Taken = Annotated[list[Award], Field(max_length=3)]
Price = Annotated[int, Field(ge=0, le=50)]
Title = Literal["count", "off"] | Annotated[int, Field(ge=0, le=50)]
_ORDER = "1 the highest, -1 the lowest"


class ByPlayers(Settings, Generic[T]):
    """A value for each player count."""

    two: T = Field(alias="2")
    three: T = Field(alias="3")
    four: T = Field(alias="4")

    def at(self, players: int) -> T:
        """Return the value for 2, 3 or 4 players."""
        return {2: self.two, 3: self.three, 4: self.four}[players]


class Start(Settings):
    """What a player starts with: the same for all, by seat, or by player count (SET-4)."""

    ducats: Annotated[Amount, BySeat(0, 50, PLAYERS)] = Field(description="ducats at the start (SET-4)")
    provisions: Annotated[Amount, BySeat(0, 50, PLAYERS)] = Field(
        description="provisions at the start (SET-4)"
    )
    helpers: Annotated[Amount, BySeat(0, 9, PLAYERS)] = Field(
        description="helpers at the start, in addition to the officer (SET-4)"
    )


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
    bonus: ByPlayers[Annotated[int, Field(ge=-8, le=50)]] = Field(
        description="strength added to the two cards of the Krzyżacy (KRZ-1)"
    )
    captors: ByPlayers[Annotated[int, Field(ge=0, le=2)]] = Field(
        description="how many of the strongest cards may take a captive (KRZ-3, KRZ-4)"
    )
    unopposed: Literal["plunder", "ignore"] = Field(
        description="if no player goes: a skirmish with strength 0, or nothing happens (KRZ-8)"
    )
    give_from_table: bool = Field(
        description="whether cards of this skirmish may be given up for it (KRZ-7)"
    )


class Awards(Settings):
    """Which shown value the first, second and third player take: 1 the highest, -1 the lowest (section 4.3)."""

    crown: ByPlayers[Taken] = Field(
        description="which knights the first, second, third take (CRN-1); " + _ORDER
    )
    provisions: ByPlayers[Taken] = Field(
        description="which values the first, second, third take (PRV-1); " + _ORDER
    )
    ducats: ByPlayers[Taken] = Field(
        description="which values the first, second, third take (DUC-1); " + _ORDER
    )
    mercenaries: ByPlayers[Taken] = Field(
        description="which knights the first, second, third take (MRC-1); " + _ORDER
    )
    helpers: ByPlayers[Annotated[int, Field(ge=0, le=3)]] = Field(
        description="how many players may gain a helper: the first, then players who pay (HLP-1)"
    )

    def check_cards_differ(self, shown: Mapping[str, Iterable[int]]) -> None:
        """Raise ValueError if two entries take the same value.

        Parameters
        ----------
        shown : mapping
            For each field, how many values its cards show; on a card with 2 values, 2 and -1 are the same value.
        """
        for field, sizes in shown.items():
            for players in PLAYERS:
                entries = getattr(self, field).at(players)
                for count, (one, other) in product(sorted(sizes), combinations(entries, 2)):
                    if place_of(one, count) == place_of(other, count):
                        raise ValueError(
                            f"awards.{field}.{players}: with {players} players, {one} and {other} are "
                            f"the same of {count} shown value{'s' * (count > 1)}; "
                            "each value goes to one player"
                        )


def place_of(award: Award, shown: int) -> int:
    """Return the index of the award among the shown values, 0 for the highest."""
    return award - 1 if award > 0 else shown + award


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
        whole = all(type(p) is int and 0 <= p <= 50 for p in prices)
        if price != "owned" and not (whole and prices):
            raise ValueError('must be "owned", a whole number 0 to 50, or a list of such numbers')
        return price


class Scoring(Settings):
    """Feeding of knights (END-1) and points for ducats (END-5)."""

    knights_per_provision: int = Field(
        ge=1, le=10, description="knights that one provision feeds at the end (END-1)"
    )
    ducats_per_point: int = Field(
        ge=1, le=50, description="number of ducats left that are worth one point (END-5)"
    )


class Titles(Settings):
    """Points of each title: "count", a fixed number, or "off" (END-3, END-4)."""

    crown_commander: Title = Field(description="points for the most crown knights (END-3)")
    mercenary_commander: Title = Field(description="points for the most mercenaries (END-3)")
    quartermaster: Title = Field(description="points for the most spare provisions (END-4)")

    @field_validator("*", mode="before")
    @classmethod
    def _check_title(cls, title: object) -> object:
        if title not in ("count", "off") and not (type(title) is int and 0 <= title <= 50):
            raise ValueError('must be "count", "off" or a whole number 0 to 50')
        return title


class Strengths(Sourced):
    """A table of knights, with its source."""

    strengths: Annotated[list[Strength], Field(max_length=MOST_CARDS)] = Field(
        description="the strength of each card; each stack has half of the cards (SET-1)"
    )


class Values(Sourced):
    """A table of cards that show one to three values, highest first, with its source."""

    values: Annotated[
        list[Annotated[list[Shown], Field(min_length=1, max_length=3)]], Field(max_length=MOST_CARDS)
    ] = Field(description="the values on each card, highest first (SET-1)")

    @field_validator("values")
    @classmethod
    def _highest_first(cls, cards: list[list[int]]) -> list[list[int]]:
        for card in cards:
            if card != sorted(card, reverse=True):
                raise ValueError(f"the values of a card go from high to low, not {card}")
        return cards


class Cards(Settings):
    """Card tables (SET-1)."""

    crown: Strengths
    mercenaries: Strengths
    krzyzacy: Strengths
    provisions: Values
    ducats: Values
