"""The map as a drawing: roads, cities, markers and pawns."""

from __future__ import annotations

from html import escape

from balance.contract.view import Point, project
from balance.games.polska.display.labels import written
from balance.games.polska.display.observation import Observation
from balance.games.polska.rules.components import Geography, lay_out
from balance.games.polska.rules.ruleset import Rules

WIDTH, MARGIN = 640.0, 34.0


def draw_map(rules: Rules, observation: Observation) -> str:
    """Return the map with everything on it as an SVG element; its first line has the constant roads and fields."""
    geography = lay_out(rules.map)
    where, height = project(geography.places, WIDTH, MARGIN)
    lines = [f"{_open(height)}{_roads(geography, where)}{_fields(rules, geography, where)}"]
    lines += [_marker(where[geography.names.index(field)]) for field in observation.markers]
    standing: dict[str, int] = {}
    for seat, player in enumerate(observation.seats):
        x, y = where[geography.names.index(player.pawn)]
        lines.append(_pawn(seat, x + 12 * standing.get(player.pawn, 0), y - 9))
        standing[player.pawn] = standing.get(player.pawn, 0) + 1
    return "\n".join([*lines, "</svg>"])


def _open(height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}" width="{WIDTH:.0f}" '
        f'role="img" aria-label="Map with pawns and markers" font-family="sans-serif">'
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
