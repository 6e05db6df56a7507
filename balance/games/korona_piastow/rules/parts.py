"""The tables of a rule set: start, traits, quests, units and buildings."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from balance.contract.by_seat import Amount, BySeat
from balance.games.korona_piastow.rules.vocabulary import PLAYERS
from balance.settings import Settings

Start99 = Annotated[Amount, BySeat(0, 99, PLAYERS)]
Worth = Annotated[int, Field(ge=0, le=9)]
Strength = Annotated[int, Field(ge=0, le=30)]
Cost = Annotated[int, Field(ge=0, le=99)]
Time = Annotated[int, Field(ge=1, le=9)]


class Start(Settings):
    """What a ruler starts with (SET-2, SET-3): all the same, by seat, or by player count."""

    denars: Start99 = Field(description="denars of each ruler (SET-2)")
    infantry: Start99 = Field(description="infantry of each ruler (SET-3)")
    cavalry: Start99 = Field(description="cavalry of each ruler (SET-3)")
    knights: Start99 = Field(description="knights of each ruler (SET-3)")
    magnates: Annotated[Amount, BySeat(0, 4, PLAYERS)] = Field(
        description="free magnates of each ruler (SET-2)"
    )


class Ruler(Settings):
    """Traits of a ruler (TRT-1)."""

    attack: Worth = Field(description="a ruler's trait of attack (TRT-1)")
    defence: Worth = Field(description="a ruler's trait of defence (TRT-1)")
    money: Worth = Field(description="a ruler's trait of money (TRT-1)")
    time: Worth = Field(description="a ruler's trait of time (TRT-1)")


class Magnate(Settings):
    """What each trait of a magnate is worth; tokens of each in the bag; magnates that a joined district brings."""

    attack: Worth = Field(description="what a magnate's trait of attack is worth (TRT-1)")
    defence: Worth = Field(description="what a magnate's trait of defence is worth (TRT-1)")
    money: Worth = Field(description="what a magnate's trait of money is worth (TRT-1)")
    time: Worth = Field(description="what a magnate's trait of time is worth (TRT-1)")
    tokens: Worth = Field(description="magnates of each trait in the bag (TRT-3)")
    per_district: int = Field(
        ge=0, le=4, description="free magnates that a joined district brings (JOI-2)"
    )


class Quest(Settings):
    """The largest sum of fate of each outcome; above all of them a relic is found (QST-1)."""

    lost: int = Field(ge=0, le=18, description="largest sum of fate that loses the knight (QST-1)")
    nothing: int = Field(ge=0, le=18, description="largest sum that finds nothing (QST-1)")
    denars: int = Field(ge=0, le=18, description="largest sum that finds denars (QST-1)")
    magnate: int = Field(
        ge=0, le=18, description="largest sum that finds a magnate; above, a relic (QST-1)"
    )

    @model_validator(mode="after")
    def _rising(self) -> Quest:
        sums = [self.lost, self.nothing, self.denars, self.magnate]
        if sums != sorted(sums):
            raise ValueError(f"lost, nothing, denars and magnate must rise, got {sums}")
        return self


class Foreign(Settings):
    """A kind of unit that is never mustered (UNT-1)."""

    attack: Strength = Field(description="strength of a unit that attacks (UNT-1)")
    defence: Strength = Field(description="strength of a unit that defends (UNT-1)")


class Unit(Foreign):
    """A kind of unit that is mustered for denars (UNT-1)."""

    cost: Strength = Field(description="denars of a unit (UNT-1)")


class UnitTable(Settings):
    """The kinds of unit."""

    infantry: Unit
    cavalry: Unit
    knight: Unit
    engine: Unit
    foreign: Foreign


class Building(Settings):
    """A kind of building (BLD-2)."""

    cost: Cost = Field(description="denars of the building (BLD-2)")
    time: Time = Field(description="time units until it is finished (BLD-2)")


class Fortress(Building):
    """A building that defends its fief."""

    defence: int = Field(ge=0, le=40, description="strength that it adds to its fief's defence (BLD-2)")


class TownHall(Building):
    """A building that gives tokens (ORD-1)."""

    orders: int = Field(ge=0, le=3, description="order tokens that it adds (ORD-1)")


class ClothHall(Building):
    """A building that gives denars (TRB-2)."""

    money: Worth = Field(description="denars of tribute that it adds (TRB-2)")


class Buildings(Settings):
    """The kinds of building."""

    grod: Fortress
    castle: Fortress
    cathedral: Building
    townhall: TownHall
    clothhall: ClothHall
