"""Tables of a rule set: start, traits, quests, units and buildings."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from balance.contract.rule_tables import Amount, BySeat
from balance.foundation.toml import Settings
from balance.games.korona_piastow.rules.geography import PLAYERS

Start99 = Annotated[Amount, BySeat(0, 99, PLAYERS)]
Worth = Annotated[int, Field(ge=0, le=9)]
Strength = Annotated[int, Field(ge=0, le=30)]
Cost = Annotated[int, Field(ge=0, le=99)]
Time = Annotated[int, Field(ge=1, le=9)]


class Start(Settings):
    """What a ruler starts with (SET-2, SET-3): the same for all, by seat, or by player count."""

    denars: Start99 = Field(description="denars of each ruler (SET-2)")
    infantry: Start99 = Field(description="infantry of each ruler (SET-3)")
    cavalry: Start99 = Field(description="cavalry of each ruler (SET-3)")
    knights: Start99 = Field(description="knights of each ruler (SET-3)")
    magnates: Annotated[Amount, BySeat(0, 4, PLAYERS)] = Field(
        description="free magnates of each ruler (SET-2)"
    )


class Ruler(Settings):
    """Traits of a ruler (TRT-1)."""

    attack: Worth = Field(description="value of a ruler's trait attack (TRT-1)")
    defence: Worth = Field(description="value of a ruler's trait defence (TRT-1)")
    money: Worth = Field(description="value of a ruler's trait money (TRT-1)")
    time: Worth = Field(description="value of a ruler's trait time (TRT-1)")


class Magnate(Settings):
    """Value of each trait of a magnate, magnates of each trait in the bag, and magnates gained with a district."""

    attack: Worth = Field(description="value of a magnate's trait attack (TRT-1)")
    defence: Worth = Field(description="value of a magnate's trait defence (TRT-1)")
    money: Worth = Field(description="value of a magnate's trait money (TRT-1)")
    time: Worth = Field(description="value of a magnate's trait time (TRT-1)")
    tokens: Worth = Field(description="magnates of each trait in the bag (TRT-3)")
    per_district: int = Field(
        ge=0, le=4, description="free magnates gained with a joined district (JOI-2)"
    )


class Quest(Settings):
    """The largest sum of fate of each outcome; a larger sum than all of them finds a relic (QST-1)."""

    lost: int = Field(ge=0, le=18, description="largest sum of fate that loses the knight (QST-1)")
    nothing: int = Field(ge=0, le=18, description="largest sum of fate that finds nothing (QST-1)")
    denars: int = Field(ge=0, le=18, description="largest sum of fate that finds denars (QST-1)")
    magnate: int = Field(
        ge=0,
        le=18,
        description="largest sum of fate that finds a magnate; a larger sum finds a relic (QST-1)",
    )

    @model_validator(mode="after")
    def _rising(self) -> Quest:
        sums = [self.lost, self.nothing, self.denars, self.magnate]
        if sums != sorted(sums):
            raise ValueError(f"lost, nothing, denars and magnate must rise, got {sums}")
        return self


class Foreign(Settings):
    """A kind of unit that no ruler musters (UNT-1)."""

    attack: Strength = Field(description="strength of a unit that attacks (UNT-1)")
    defence: Strength = Field(description="strength of a unit that defends (UNT-1)")


class Unit(Foreign):
    """A kind of unit that a ruler musters for denars (UNT-1)."""

    cost: Strength = Field(description="price of a unit in denars (UNT-1)")


class UnitTable(Settings):
    """The kinds of unit."""

    infantry: Unit
    cavalry: Unit
    knight: Unit
    engine: Unit
    foreign: Foreign


class Building(Settings):
    """A kind of building (BLD-2)."""

    cost: Cost = Field(description="price of the building in denars (BLD-2)")
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
