"""Components of a rule set: map, track and cards, read from TOML files that name their source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, model_validator

from balance.contract.rule_tables import Sourced
from balance.foundation.language import tr
from balance.foundation.toml import Settings


@dataclass(frozen=True)
class Geography:
    """Fields by number."""

    names: list[str]  # a city has its name, a field of a road a name such as ``gniezno-poznan-1``
    places: list[tuple[float, float]]  # degrees east and north
    neighbours: list[list[int]]

    def steps_from(self, start: int) -> list[int]:
        """Return the number of steps of the shortest path from a field to every field."""
        steps = {start: 0}
        for field in (queue := [start]):
            for other in self.neighbours[field]:
                if other not in steps:
                    steps[other] = steps[field] + 1
                    queue.append(other)
        return [steps[field] for field in range(len(self.names))]


def lay_out(found: Map) -> Geography:
    """Return the fields of a map; the fields of a road lie evenly between its ends."""
    names = list(found.cities)
    places = list(found.cities.values())
    neighbours: list[list[int]] = [[] for _ in names]
    for road in found.roads:
        first, last = (names.index(end) for end in road.ends)
        (x0, y0), (x1, y1) = places[first], places[last]
        before = first
        for step in range(1, road.steps):
            names.append(f"{road.ends[0]}-{road.ends[1]}-{step}")
            share = step / road.steps
            places.append((x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
            neighbours.append([])
            _join(neighbours, before, len(names) - 1)
            before = len(names) - 1
        _join(neighbours, before, last)
    return Geography(names, places, neighbours)


def _join(neighbours: list[list[int]], a: int, b: int) -> None:
    neighbours[a].append(b)
    neighbours[b].append(a)


Name = Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
Year = Annotated[int, Field(ge=1, le=2100)]

MOST_CITIES = 31
MOST_FIELDS = 160
MOST_ROADS_AT_A_CITY = 8
MOST_TRACK = 63
MOST_FACES = 80
MOST_CARDS = 120


class Road(Settings):
    """A road between two cities; a road of n steps has n - 1 unnamed fields."""

    ends: Annotated[list[Name], Field(min_length=2, max_length=2)]
    steps: int = Field(ge=1, le=6)


class Map(Sourced):
    """The map (SET-1)."""

    name: str
    start: Name
    cities: Annotated[dict[Name, tuple[float, float]], Field(min_length=2, max_length=MOST_CITIES)]
    roads: Annotated[list[Road], Field(min_length=1)]

    @model_validator(mode="before")
    @classmethod
    def _places(cls, data: Any) -> Any:
        cities = data.get("cities") if isinstance(data, Mapping) else None
        if isinstance(cities, Mapping):
            places = {name: tuple(place) if isinstance(place, list) else place for name, place in cities.items()}
            return {**data, "cities": places}
        return data

    @model_validator(mode="after")
    def _connected(self) -> Map:
        if self.start not in self.cities:
            raise ValueError(tr("{key}: there is no city {city}", key="start", city=repr(self.start)))
        for road in self.roads:
            for end in road.ends:
                if end not in self.cities:
                    raise ValueError(tr("{key}: there is no city {city}", key="roads", city=repr(end)))
            if road.ends[0] == road.ends[1]:
                raise ValueError(tr("roads: a road leads from {city} to itself", city=road.ends[0]))
        for city in self.cities:
            if sum(city in road.ends for road in self.roads) > MOST_ROADS_AT_A_CITY:
                raise ValueError(tr("roads: {city} has more than {most} roads", city=city, most=MOST_ROADS_AT_A_CITY))
        reached, before = {self.start}, 0
        while len(reached) > before:
            before = len(reached)
            reached |= {end for road in self.roads if reached & set(road.ends) for end in road.ends}
        if lost := sorted(set(self.cities) - reached):
            raise ValueError(
                tr("roads: no path leads from {start} to {cities}", start=self.start, cities=", ".join(lost))
            )
        if len(self.cities) + sum(road.steps - 1 for road in self.roads) > MOST_FIELDS:
            raise ValueError(tr("roads: cities and roads make more than {most} fields", most=MOST_FIELDS))
        return self

    @property
    def locations(self) -> list[str]:
        """The numbered cities, where markers may lie: all except the start."""
        return [city for city in self.cities if city != self.start]


class TrackField(Settings):
    """A field of the track; a field without a year is later than all others."""

    name: Name
    year: Year | None = None


class Track(Sourced):
    """The track of history (SET-2)."""

    name: str
    fields: Annotated[list[TrackField], Field(min_length=2, max_length=MOST_TRACK)]

    @model_validator(mode="after")
    def _in_order(self) -> Track:
        years = [field.year for field in self.fields[:-1]]
        if any(year is None for year in years):
            raise ValueError(tr("fields: only the last field may have no year"))
        if years != sorted(years):  # type: ignore[type-var]
            raise ValueError(tr("fields: the years must go from early to late"))
        return self


class Cards(Sourced):
    """Number and values of the cards in the deck (SET-3)."""

    name: str
    grey: list[Year]
    blue: list[Year]
    cities: list[Name]
    stop: int = Field(ge=0, le=20)
    train: int = Field(ge=0, le=20)
    coach: int = Field(ge=0, le=20)
    eagle: int = Field(ge=0, le=20)

    @model_validator(mode="after")
    def _size(self) -> Cards:
        if not 20 <= self.size <= MOST_CARDS:
            raise ValueError(tr("a deck has 20 to {most} cards, got {size}", most=MOST_CARDS, size=self.size))
        for name in ("grey", "blue", "cities"):
            values = getattr(self, name)
            if len(set(values)) < len(values):
                raise ValueError(tr("{key}: a value appears twice", key=name))
        if len(self.grey) + len(self.blue) + len(self.cities) + 4 > MOST_FACES:
            raise ValueError(tr("a deck has at most {most} different cards", most=MOST_FACES))
        return self

    @property
    def size(self) -> int:
        """Number of cards."""
        dated = len(self.grey) + len(self.blue) + len(self.cities)
        return dated + self.stop + self.train + self.coach + self.eagle


def list_faces(cards: Cards) -> list[tuple[str, str | int]]:
    """Return kind and value of each different card in the order of their numbers: by kind, year and name."""
    faces: list[tuple[str, str | int]] = [("grey", year) for year in sorted(cards.grey)]
    faces += [("blue", year) for year in sorted(cards.blue)]
    faces += [("city", city) for city in sorted(cards.cities)]
    return faces + [(kind, 0) for kind in ("stop", "train", "coach", "eagle")]
