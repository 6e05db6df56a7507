"""The map as a drawing: fiefs with their holders, units, buildings, sieges and orders."""

from __future__ import annotations

from html import escape

from balance.contract.projection import Point, project
from balance.games.korona_piastow.display.observation import Fief, Observation
from balance.games.korona_piastow.display.words import thing, units_in_words, written
from balance.games.korona_piastow.rules.geography import Map
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.vocabulary import UNITS

WIDTH, MARGIN, RADIUS = 760.0, 44.0, 13.0
_INITIALS = {"grod": "G", "castle": "C", "cathedral": "K", "townhall": "T", "clothhall": "H"}
KEY = (
    "a disc: its holder and units; G gród, C castle, K cathedral, T town hall, H cloth hall, ! damaged, "
    "(T3) under construction; crossed swords a siege, dashed devastated; letters above: orders"
)


def draw_map(rules: Rules, observation: Observation) -> str:
    """The map as an SVG element, or "" if fiefs lack their places; what stays is its first line."""
    places = [fief.place for fief in rules.map.fiefs if fief.place is not None]
    if len(places) < len(rules.map.fiefs):
        return ""
    where, height = project(places, WIDTH, MARGIN)
    lines = [f"{_open(height)}{_borders(rules.map, where)}{_names(rules.map, where)}"]
    lines += [_fief(fief, at) for fief, at in zip(observation.fiefs, where, strict=True)]
    return "\n".join([*lines, "</svg>"])


def _open(height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}" width="{WIDTH:.0f}" '
        f'role="img" aria-label="Map with units, buildings and orders" font-family="sans-serif">'
    )


def _borders(found: Map, where: list[Point]) -> str:
    ids = found.fief_ids
    district = {fief.id: fief.district for fief in found.fiefs}
    paths = {True: "", False: ""}
    for one, other in found.borders:
        path = "M{:.0f} {:.0f}L{:.0f} {:.0f}".format(*where[ids.index(one)], *where[ids.index(other)])
        paths[district[one] == district[other]] += path
    return (
        f'<path d="{paths[False]}" stroke="#c5cbc5" stroke-width="1.2"/>'
        f'<path d="{paths[True]}" stroke="#7d867d" stroke-width="5"/>'
    )


def _names(found: Map, where: list[Point]) -> str:
    return "".join(
        f'<text x="{x:.0f}" y="{y + RADIUS + 11:.0f}" font-size="10.5" text-anchor="middle" '
        f'fill="currentColor">{escape(written(fief.id))}{" ★" if fief.legendary else ""}</text>'
        for fief, (x, y) in zip(found.fiefs, where, strict=True)
    )


def _fief(fief: Fief, at: Point) -> str:
    """A disc in its holder's colour with the number of units; around it building, siege and orders."""
    x, y = at
    colour = (
        f"var(--s{fief.holder})"
        if fief.holder >= 0
        else ("var(--paper, #fff)", "#8d8d8d")[fief.holder != -1]
    )
    edge = 'stroke="#333" stroke-dasharray="3 2"' if fief.devastated else 'stroke="#555"'
    ink = "currentColor" if fief.holder == -1 else "var(--paper, #fff)"
    count = sum(fief.units)
    parts = [
        f"<g><title>{escape(describe(fief))}</title>"
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{RADIUS:.0f}" fill="{colour}" {edge} stroke-width="1.5"/>'
    ]
    if count:
        parts.append(_text(x, y + 4, str(count), 12, ink))
    if fief.building or fief.rising:
        standing = _INITIALS.get(fief.building, "") + ("!" if fief.damage else "")
        rising = f"({_INITIALS[fief.rising]}{fief.time_left})" if fief.rising else ""
        parts.append(_text(x + RADIUS + 9, y - 4, standing + rising, 11, "currentColor"))
    if fief.besieger >= 0:
        parts.append(_text(x - RADIUS - 6, y - 4, "⚔", 12, f"var(--s{fief.besieger})"))
    if fief.tokens:
        marks = "".join(token[0].upper() for token in fief.tokens)
        parts.append(_text(x, y - RADIUS - 3, marks, 10, f"var(--s{fief.tokens_of})"))
    return "".join([*parts, "</g>"])


def _text(x: float, y: float, text: str, size: int, ink: str) -> str:
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" font-weight="700" text-anchor="middle" '
        f'fill="{ink}">{escape(text)}</text>'
    )


def describe(fief: Fief) -> str:
    """A fief in words: units, building, orders."""
    parts = [f"{written(fief.name)}: {units_in_words(UNITS, fief.units)}"]
    if fief.building:
        parts.append(f"{thing(fief.building)}{' (damaged)' if fief.damage else ''}")
    if fief.rising:
        parts.append(f"{thing(fief.rising)} in {fief.time_left}")
    parts += ["devastated"] if fief.devastated else []
    parts += [f"orders {', '.join(fief.tokens)}"] if fief.tokens else []
    return ", ".join(parts)
