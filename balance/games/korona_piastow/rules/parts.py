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

    denars: Start99
    infantry: Start99
    cavalry: Start99
    knights: Start99
    magnates: Annotated[Amount, BySeat(0, 4, PLAYERS)]


class Ruler(Settings):
    """Traits of a ruler (TRT-1)."""

    attack: Worth
    defence: Worth
    money: Worth
    time: Worth


class Magnate(Settings):
    """What each trait of a magnate is worth; tokens of each in the bag; magnates that a joined district brings."""

    attack: Worth
    defence: Worth
    money: Worth
    time: Worth
    tokens: Worth
    per_district: int = Field(ge=0, le=4)


class Quest(Settings):
    """The largest sum of fate of each outcome; above all of them a relic is found (QST-1)."""

    lost: int = Field(ge=0, le=18)
    nothing: int = Field(ge=0, le=18)
    denars: int = Field(ge=0, le=18)
    magnate: int = Field(ge=0, le=18)

    @model_validator(mode="after")
    def _rising(self) -> Quest:
        sums = [self.lost, self.nothing, self.denars, self.magnate]
        if sums != sorted(sums):
            raise ValueError(f"lost, nothing, denars and magnate must rise, got {sums}")
        return self


class Foreign(Settings):
    """A kind of unit that is never mustered (UNT-1)."""

    attack: Strength
    defence: Strength


class Unit(Foreign):
    """A kind of unit that is mustered for denars (UNT-1)."""

    cost: Strength


class UnitTable(Settings):
    """The kinds of unit."""

    infantry: Unit
    cavalry: Unit
    knight: Unit
    engine: Unit
    foreign: Foreign


class Building(Settings):
    """A kind of building (BLD-2)."""

    cost: Cost
    time: Time


class Fortress(Building):
    """A building that defends its fief."""

    defence: int = Field(ge=0, le=40)


class TownHall(Building):
    """A building that gives tokens (ORD-1)."""

    orders: int = Field(ge=0, le=3)


class ClothHall(Building):
    """A building that gives denars (TRB-2)."""

    money: Worth


class Buildings(Settings):
    """The kinds of building."""

    grod: Fortress
    castle: Fortress
    cathedral: Building
    townhall: TownHall
    clothhall: ClothHall
