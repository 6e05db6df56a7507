"""The map (MAP-1): districts, their fiefs, and which fiefs adjoin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, field_validator, model_validator

from balance.contract.sourced import Sourced
from balance.games.korona_piastow.rules.vocabulary import (
    MOST_BORDERS,
    MOST_DISTRICTS,
    MOST_FIEFS,
    Name,
)
from balance.settings import Settings


class District(Settings):
    """A district; a player may rule it if it has a line."""

    id: Name
    name: str
    piast: bool
    line: bool


class Fief(Settings):
    """A fief of a district, with its place for the drawing: degrees east and north."""

    id: Name
    district: Name
    legendary: bool
    place: tuple[float, float] | None = None

    @field_validator("place", mode="before")
    @classmethod
    def _pair(cls, place: Any) -> Any:
        return tuple(place) if isinstance(place, list) else place


class Map(Sourced):
    """The map; the order of its rows is the order of labels.

    Attributes
    ----------
    borders : list of pairs of fiefs
        Each once, the fief that comes first in `fiefs` first.
    """

    name: str
    districts: Annotated[list[District], Field(min_length=2, max_length=MOST_DISTRICTS)]
    fiefs: Annotated[list[Fief], Field(min_length=2, max_length=MOST_FIEFS)]
    borders: list[Annotated[list[Name], Field(min_length=2, max_length=2)]]

    @model_validator(mode="after")
    def _names_fit(self) -> Map:
        districts, fiefs = self.district_ids, self.fief_ids
        for what, ids in (("districts", districts), ("fiefs", fiefs)):
            if twice := _first_twice(ids):
                raise ValueError(f"{what}: two are called {twice!r}")
        for fief in self.fiefs:
            if fief.district not in districts:
                raise ValueError(f"fiefs: {fief.id} lies in {fief.district!r}, which is no district")
        return self

    @model_validator(mode="after")
    def _borders_fit(self) -> Map:
        fiefs = self.fief_ids
        for one, other in self.borders:
            for end in (one, other):
                if end not in fiefs:
                    raise ValueError(f"borders: there is no fief {end!r}")
            if fiefs.index(one) >= fiefs.index(other):
                raise ValueError(f"borders: {one}, {other}: the fief that is listed first comes first")
        if twice := _first_twice(["-".join(pair) for pair in self.borders]):
            raise ValueError(f"borders: {twice} is there twice")
        for fief, near in self.neighbours.items():
            if len(near) > MOST_BORDERS:
                raise ValueError(f"borders: {fief} has {len(near)}, at most {MOST_BORDERS} fit")
        return self

    @model_validator(mode="after")
    def _connected(self) -> Map:
        if lost := self._out_of_reach(self.fief_ids):
            raise ValueError(f"borders: no way leads from {self.fief_ids[0]} to {', '.join(lost)}")
        for district in self.district_ids:
            fiefs = self.fiefs_of(district)
            if not fiefs:
                raise ValueError(f"districts: {district} has no fief")
            if lost := self._out_of_reach(fiefs):
                raise ValueError(f"districts: {district} is not whole, {', '.join(lost)} lies apart")
        return self

    def _out_of_reach(self, fiefs: list[str]) -> list[str]:
        """Those of some fiefs that can't be reached from the first of them without leaving them."""
        reached, near = [fiefs[0]], self.neighbours
        for fief in reached:
            reached += [other for other in near[fief] if other in fiefs and other not in reached]
        return [fief for fief in fiefs if fief not in reached]

    @property
    def district_ids(self) -> list[str]:
        """Ids of the districts, in their order."""
        return [district.id for district in self.districts]

    @property
    def fief_ids(self) -> list[str]:
        """Ids of the fiefs, in their order."""
        return [fief.id for fief in self.fiefs]

    @property
    def neighbours(self) -> Mapping[str, list[str]]:
        """The fiefs that adjoin each, in the order of the map."""
        found: dict[str, list[str]] = {fief: [] for fief in self.fief_ids}
        for one, other in self.borders:
            found[one].append(other)
            found[other].append(one)
        return {fief: [other for other in found if other in near] for fief, near in found.items()}

    def fiefs_of(self, district: str) -> list[str]:
        """Ids of a district's fiefs."""
        return [fief.id for fief in self.fiefs if fief.district == district]


def _first_twice(names: list[str]) -> str:
    """The first name that is there twice, or ""."""
    return next((name for name in names if names.count(name) > 1), "")
