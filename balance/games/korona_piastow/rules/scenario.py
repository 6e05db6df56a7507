"""A written position from which a game starts instead of the set-up (SET-7), and its checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from balance.foundation.language import tr
from balance.foundation.text import listed
from balance.foundation.toml import Settings
from balance.games.korona_piastow.rules.tables import MOST_ROUNDS, TRAITS, Map, Name

Trait = Literal["attack", "defence", "money", "time"]
Kind = Literal["grod", "castle", "cathedral", "townhall", "clothhall"]
Count = Annotated[int, Field(ge=0, le=9)]


class RulerPosition(Settings):
    """What the ruler of a line has, apart from its capital district."""

    denars: int = Field(default=0, ge=0, le=999, description="denars of the ruler")
    relics: Count = Field(default=0, description="relics of the ruler")
    magnates: list[Trait] = Field(default=[], description="traits of its free magnates")
    districts: dict[Name, Trait | Literal["none"]] = Field(
        default={}, description="further districts of its state, each with the trait of its magnate"
    )
    stands: str = Field(default="", description='the district where it stands; "": its capital district')

    def used(self, trait: str) -> int:
        """Return the number of magnates of a trait, free or granted."""
        traits: list[str] = [*self.magnates, *self.districts.values()]
        return traits.count(trait)


class FiefPosition(Settings):
    """What stands in a fief."""

    ruler: str = Field(default="", description="the line whose units stand here")
    infantry: Count = Field(default=0, description="infantry in the fief")
    cavalry: Count = Field(default=0, description="cavalry in the fief")
    knights: Count = Field(default=0, description="knights in the fief")
    engines: Count = Field(default=0, description="engines in the fief")
    foreign: Count = Field(default=0, description="foreign units in the fief")
    building: Kind | None = Field(default=None, description="the finished building")
    damage: Count = Field(default=0, description="time units of damage to it")
    site: Kind | None = Field(default=None, description="the building under construction")
    time: Count = Field(default=0, description="time units until it is finished")
    devastated: bool = Field(default=False, description="whether the fief is devastated")

    @property
    def units(self) -> tuple[int, int, int, int, int]:
        """The number of units of each kind."""
        return self.infantry, self.cavalry, self.knights, self.engines, self.foreign

    def find_fault(self, limit: int) -> str:
        """Return what is wrong with a fief, or ""."""
        if sum(self.units) > limit:
            return tr("{n} units are more than fief_limit ({most})", n=sum(self.units), most=limit)
        if bool(self.ruler) != any(self.units[:3]):
            return tr("name in ruler whose infantry, cavalry or knights stand here; leave it out where none stand")
        if self.engines and not self.ruler:
            return tr("engines need infantry, cavalry or knights of their ruler")
        if self.damage and self.building is None:
            return tr("damage needs a building")
        if (self.site is None) != (self.time == 0):
            return tr("site and time go together")
        if self.site and self.building and (self.building, self.site) != ("grod", "castle"):
            return tr("site may be added to a building only as a castle to a grod")
        if self.site and self.devastated:
            return tr("nothing is under construction in a devastated fief")
        return ""


class Scenario(Settings):
    """A position at the beginning of a round; `round` 0 is no scenario."""

    round: int = Field(
        default=0,
        ge=0,
        le=MOST_ROUNDS,
        description="the round that begins from a written position; 0: games start with the set-up (SET-7)",
    )
    rulers: dict[Name, RulerPosition] = Field(default={}, description="what each line has (SET-7)")
    fiefs: dict[Name, FiefPosition] = Field(default={}, description="what stands in each fief (SET-7)")

    def find_fault(self, found: Map, lines: Sequence[str], limit: int, tokens: int) -> str:
        """Return the first thing that is wrong, with its key, or ""."""
        faults = [
            *self._faults_of_rulers(found, lines),
            *self._faults_of_fiefs(found, lines, limit),
            *self._faults_of_magnates(tokens),
        ]
        return f"scenario.{faults[0]}" if faults else ""

    def _faults_of_rulers(self, found: Map, lines: Sequence[str]) -> Iterator[str]:
        owned: dict[str, str] = {}
        for line, ruler in self.rulers.items():
            key = f"rulers.{line}"
            if line not in lines:
                yield f"{key}: " + tr("{line} is not one of `lines`", line=repr(line))
            for district in ruler.districts:
                if district not in found.district_ids or district == line:
                    yield f"{key}.districts: " + tr(
                        "{district} is not a further district of the map", district=repr(district)
                    )
                if district in owned:
                    yield f"{key}.districts: " + tr(
                        "{district} belongs to {line} already", district=repr(district), line=owned[district]
                    )
                owned[district] = line
            if ruler.stands not in ("", line, *ruler.districts):
                yield f"{key}.stands: " + tr("{district} is not a district of this ruler", district=repr(ruler.stands))

    def _faults_of_fiefs(self, found: Map, lines: Sequence[str], limit: int) -> Iterator[str]:
        for name, fief in self.fiefs.items():
            if name not in found.fief_ids:
                yield f"fiefs.{name}: " + tr("the map has no such fief")
            if fief.ruler and fief.ruler not in lines:
                yield f"fiefs.{name}.ruler: " + tr("{line} is not one of `lines`", line=repr(fief.ruler))
            if fault := fief.find_fault(limit):
                yield f"fiefs.{name}: {fault}"

    def _faults_of_magnates(self, tokens: int) -> Iterator[str]:
        for trait in TRAITS:
            used = sum(ruler.used(trait) for ruler in self.rulers.values())
            if used > tokens:
                yield "rulers: " + tr(
                    "{n} magnates of {trait} are more than magnate.tokens ({most})", n=used, trait=trait, most=tokens
                )


def check_scenario(
    scenario: Scenario, found: Map, lines: Sequence[str], settings: Mapping[str, int], in_order: bool
) -> str:
    """Return what is wrong with the scenario of a rule set, or "".

    `settings` has the keys ``rounds``, ``fief_limit`` and ``tokens``; `in_order` says whether rulers take the lines in
    the order of `lines`.
    """
    if scenario.round == 0:
        named = [name for name in ("rulers", "fiefs") if getattr(scenario, name)]
        return (
            tr("scenario.round: name the round that begins, because {keys} are set", keys=listed(named))
            if named
            else ""
        )
    if scenario.round > settings["rounds"]:
        return tr("scenario.round: {n} is after the last round, {most}", n=scenario.round, most=settings["rounds"])
    if not in_order:
        return tr(
            "scenario: set lines_drawn = false and lines_chosen = false; a scenario has the rulers of the first `lines`"
        )
    return scenario.find_fault(found, lines, settings["fief_limit"], settings["tokens"])
