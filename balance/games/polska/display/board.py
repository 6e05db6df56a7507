"""The map as a drawing: roads, cities, markers and pawns."""

from __future__ import annotations

from math import cos, radians

from balance.games.polska.display.observation import Observation
from balance.games.polska.rules.geography import lay_out
from balance.games.polska.rules.ruleset import Rules

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
WIDTH, MARGIN = 640.0, 34.0


def draw_map(rules: Rules, observation: Observation) -> str:
    """The map with everything on it, as an SVG element."""
    geography = lay_out(rules.map)
    where, height = _project(geography.places)
    parts = []
    for field, near in enumerate(geography.neighbours):
        for other in near:
            if field < other:
                (x0, y0), (x1, y1) = where[field], where[other]
                parts.append(
                    f'<path d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" stroke="#9aa39a" stroke-width="2"/>'
                )
    for field, name in enumerate(geography.names):
        parts.append(
            _draw_field(name, where[field], name in rules.map.cities, name in observation.markers)
        )
    standing: dict[str, int] = {}
    for seat, player in enumerate(observation.seats):
        x, y = where[geography.names.index(player.pawn)]
        shift = 9 * standing.get(player.pawn, 0)
        standing[player.pawn] = standing.get(player.pawn, 0) + 1
        parts.append(
            f'<circle cx="{x + shift:.1f}" cy="{y - 9:.1f}" r="7" fill="{COLOURS[seat]}" stroke="#fff"/>'
            f'<text x="{x + shift:.1f}" y="{y - 5.5:.1f}" font-size="10" fill="#fff" text-anchor="middle">{seat}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}" width="{WIDTH:.0f}" '
        f'role="img" aria-label="Map with pawns and markers" font-family="sans-serif">{"".join(parts)}</svg>'
    )


def _project(places: list[tuple[float, float]]) -> tuple[list[tuple[float, float]], float]:
    """Degrees to the drawing, a degree east being shorter than one north; and the drawing's height."""
    east = [x for x, _ in places]
    north = [y for _, y in places]
    narrow = cos(radians(sum(north) / len(north)))
    scale = (WIDTH - 2 * MARGIN) / max(1e-9, (max(east) - min(east)) * narrow)
    where = [
        (MARGIN + (x - min(east)) * narrow * scale, MARGIN + (max(north) - y) * scale) for x, y in places
    ]
    return where, 2 * MARGIN + (max(north) - min(north)) * scale


def _draw_field(name: str, at: tuple[float, float], is_city: bool, has_marker: bool) -> str:
    x, y = at
    if not is_city:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="#c7cdc4"/>'
    fill = "#f0c419" if has_marker else "#ffffff"
    title = name.replace("_", " ").capitalize()
    line = 2.5 if has_marker else 1
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="{fill}" stroke="#444" stroke-width="{line}"/>'
        f'<text x="{x:.1f}" y="{y + 20:.1f}" font-size="11" text-anchor="middle" fill="currentColor">{title}</text>'
    )
