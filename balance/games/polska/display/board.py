"""Drawings of the map, with pawns and markers, and of the track of history, with the players."""

from __future__ import annotations

from html import escape

from balance.contract.view import Point, project
from balance.foundation.language import tr
from balance.games.polska.display.names import written
from balance.games.polska.display.observation import Observation
from balance.games.polska.rules.components import Geography, lay_out
from balance.games.polska.rules.ruleset import Rules

WIDTH, MARGIN = 640.0, 34.0


def draw_map(rules: Rules, observation: Observation) -> str:
    """Return the map with everything on it as an SVG element; its first line has the constant roads and fields."""
    geography = lay_out(rules.map)
    where, height = project(geography.places, WIDTH, MARGIN)
    lines = [
        f"{_open(height, tr('Map with pawns and markers'))}{_roads(geography, where)}{_fields(rules, geography, where)}"
    ]
    lines += [_marker(where[geography.names.index(field)]) for field in observation.markers]
    standing: dict[str, int] = {}
    for seat, found in enumerate(observation.seats):
        x, y = where[geography.names.index(found.pawn)]
        lines.append(_pawn(seat, x + 12 * standing.get(found.pawn, 0), y - 9))
        standing[found.pawn] = standing.get(found.pawn, 0) + 1
    return "\n".join([*lines, "</svg>"])


def draw_track(rules: Rules, observation: Observation) -> str:
    """Return the track of history with the markers of the players as an SVG element, each field at its place."""
    fields = rules.track.fields
    line = 10.0 + 8 * len(observation.seats)  # players on one field stand above each other
    step = (WIDTH - 2 * MARGIN) / max(1, len(fields) - 1)
    places = [MARGIN + step * number for number in range(len(fields))]
    named = [0, *range(5, len(fields) - 3, 5), len(fields) - 1]
    constant = (
        f'<path d="M{MARGIN:.0f} {line:.0f}H{WIDTH - MARGIN:.0f}" stroke="#9aa39a" stroke-width="2"/>'
    )
    constant += "".join(
        f'<circle cx="{x:.1f}" cy="{line:.0f}" r="4" fill="var(--paper, #fff)" stroke="#777">'
        f"<title>{escape(history_name(rules, number))}</title></circle>"
        for number, x in enumerate(places)
    )
    constant += "".join(
        f'<text x="{places[number]:.1f}" y="{line + 20:.0f}" font-size="11" text-anchor="middle" fill="currentColor">'
        f"{fields[number].year or number}</text>"
        for number in named
    )
    lines = [f"{_open(line + 30, tr('Track of history with the players'))}{constant}"]
    standing: dict[int, int] = {}
    for seat, found in enumerate(observation.seats):
        above = standing.get(found.marker, 0)
        lines.append(_pawn(seat, places[found.marker], line - 8 * above))
        standing[found.marker] = above + 1
    return "\n".join([*lines, "</svg>"])


def history_name(rules: Rules, field: int) -> str:
    """Return a field of the track with its year."""
    found = rules.track.fields[field]
    return f"{written(found.name)} ({found.year})" if found.year else written(found.name)


def _open(height: float, label: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}" width="{WIDTH:.0f}" '
        f'role="img" aria-label="{escape(label)}" font-family="sans-serif">'
    )


def _roads(geography: Geography, where: list[Point]) -> str:
    paths = [
        "M{:.0f} {:.0f}L{:.0f} {:.0f}".format(*where[field], *where[other])
        for field, near in enumerate(geography.neighbours)
        for other in near
        if field < other
    ]
    return f'<path d="{"".join(paths)}" stroke="#9aa39a" stroke-width="2"/>'


def _fields(rules: Rules, geography: Geography, where: list[Point]) -> str:
    parts = []
    for name, (x, y) in zip(geography.names, where, strict=True):
        if name not in rules.map.cities:
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="#9aa39a"/>')
            continue
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="var(--paper, #fff)" stroke="#777"/>'
            f'<text x="{x:.1f}" y="{y + 20:.1f}" font-size="12" text-anchor="middle" fill="currentColor">'
            f"{escape(written(name))}</text>"
        )
    return "".join(parts)


def _marker(at: Point) -> str:
    x, y = at
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="#f0c419" stroke="#444" stroke-width="2.5"/>'


def _pawn(seat: int, x: float, y: float) -> str:
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="var(--s{seat})" stroke="var(--paper, #fff)"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}" font-size="11" font-weight="700" fill="var(--paper, #fff)" '
        f'style="stroke: none" text-anchor="middle">{seat + 1}</text>'
    )
