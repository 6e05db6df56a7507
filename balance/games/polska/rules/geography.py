"""The fields of a map and how they lie: cities first, then the unnamed fields of the roads."""

from __future__ import annotations

from dataclasses import dataclass

from balance.games.polska.rules.components import Map


@dataclass(frozen=True)
class Geography:
    """Fields by number.

    Attributes
    ----------
    names : list of str
        Cities by their names, fields of roads as ``gniezno-poznan-1``.
    places : list of (float, float)
        Degrees east and north.
    neighbours : list of list of int
    """

    names: list[str]
    places: list[tuple[float, float]]
    neighbours: list[list[int]]

    def steps_from(self, start: int) -> list[int]:
        """Steps from a field to every field, the shortest way."""
        steps = {start: 0}
        for field in (queue := [start]):
            for other in self.neighbours[field]:
                if other not in steps:
                    steps[other] = steps[field] + 1
                    queue.append(other)
        return [steps[field] for field in range(len(self.names))]


def lay_out(found: Map) -> Geography:
    """The fields of a map; those of a road lie evenly between its ends."""
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
