"""The map as a drawing: fiefs with their holders, units, buildings, sieges and orders; the invasion under way."""

from __future__ import annotations

from html import escape
from math import hypot

from balance.contract.projection import Point, project
from balance.games.korona_piastow.display.observation import Fief, Observation
from balance.games.korona_piastow.display.words import thing, units_in_words, written
from balance.games.korona_piastow.rules.geography import Map
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.vocabulary import UNITS

WIDTH, MARGIN = 760.0, 46.0
RADIUS = 13
_INITIALS = {"grod": "G", "castle": "C", "cathedral": "K", "townhall": "T", "clothhall": "H"}
_ORDERS = {"diversion": "V", "revenge": "W"}  # all others by their first letter
KEY = (
    "a disc: its holder and units, below them i infantry, c cavalry, k knights, e engines, f foreign; a rim of another "
    "colour: whose district it is; grey foreign, dashed devastated; G gród, C castle, K cathedral, T town hall, "
    "H cloth hall, ! damaged, (T3) under construction; crossed swords a siege; above: orders by their first letter, "
    "V diversion, W revenge, ? face down; an arrow the invasion under way"
)


def draw_map(rules: Rules, observation: Observation) -> str:
    """The map as an SVG element, or "" if fiefs lack their places; what stays is its first line."""
    places = [fief.place for fief in rules.map.fiefs if fief.place is not None]
    if len(places) < len(rules.map.fiefs):
        return ""
    where, height = project(places, WIDTH, MARGIN)
    owners = {district.name: district.owner for district in observation.districts}
    lines = [f"{_open(height)}{_borders(rules.map, where)}{_names(rules.map, where)}"]
    lines += [
        _fief(fief, owners[fief.district], at) for fief, at in zip(observation.fiefs, where, strict=True)
    ]
    lines.append(_invasion(observation, where))
    return "\n".join([*lines, "</svg>"])


def _open(height: float) -> str:
    """What most of the drawing shares is said once: a page keeps a line for each state of each fief."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}" width="{WIDTH:.0f}" '
        f'role="img" aria-label="Map with units, buildings and orders" font-family="sans-serif" font-size="10.5" '
        f'font-weight="700" text-anchor="middle" fill="currentColor" stroke="#777" stroke-width="1.5">'
    )


def _borders(found: Map, where: list[Point]) -> str:
    ids = found.fief_ids
    district = {fief.id: fief.district for fief in found.fiefs}
    paths = {True: "", False: ""}
    for one, other in found.borders:
        path = "M{:.0f} {:.0f}L{:.0f} {:.0f}".format(*where[ids.index(one)], *where[ids.index(other)])
        paths[district[one] == district[other]] += path
    return (
        f'<path d="{paths[False]}" stroke="currentColor" stroke-opacity=".3"/>'
        f'<path d="{paths[True]}" stroke="#7d867d" stroke-width="5"/>'
    )


def _names(found: Map, where: list[Point]) -> str:
    names = "".join(
        f'<text x="{x:.0f}" y="{y + RADIUS + 11:.0f}">{escape(written(fief.id))}{" ★" if fief.legendary else ""}</text>'
        for fief, (x, y) in zip(found.fiefs, where, strict=True)
    )
    return f'<g font-weight="400">{names}</g>'


def _fief(fief: Fief, owner: int, at: Point) -> str:
    """A disc in its holder's colour with the number of units; around it units, building, siege and orders."""
    parts = [
        f'<g transform="translate({at[0]:.0f} {at[1]:.0f})"><title>{escape(describe(fief))}</title>',
        _disc(fief, owner),
    ]
    if count := sum(fief.units):
        parts.append(f'<text y="4" style="stroke:none" fill="var(--paper,#fff)">{count}</text>')
        each = [f"{count}{kind[0]}" for kind, count in zip(UNITS, fief.units, strict=True) if count]
        parts.append(_text(0, RADIUS + 22, " ".join(each)))
    if fief.building or fief.rising:
        standing = _INITIALS.get(fief.building, "") + ("!" if fief.damage else "")
        rising = f"({_INITIALS[fief.rising]}{fief.time_left})" if fief.rising else ""
        parts.append(_text(RADIUS + 9, -4, standing + rising))
    if fief.besieger >= 0:
        parts.append(_text(-RADIUS - 6, -4, "⚔", fief.besieger))
    if fief.tokens:
        marks = "".join(_ORDERS.get(token, token[0].upper()) for token in fief.tokens)
        parts.append(_text(0, -RADIUS - 3, marks, fief.tokens_of))
    return "".join([*parts, "</g>"])


def _disc(fief: Fief, owner: int) -> str:
    fill = {-1: "var(--paper,#fff)", -2: "#8d8d8d"}.get(fief.holder, f"var(--s{fief.holder})")
    rim = f' stroke="var(--s{owner})" stroke-width="4"' if owner >= 0 and owner != fief.holder else ""
    dashed = ' stroke-dasharray="3 2"' if fief.devastated else ""
    return f'<circle r="{RADIUS}" fill="{fill}"{rim}{dashed}/>'


def _text(x: int, y: int, text: str, seat: int = -1) -> str:
    """A mark beside a disc, in a seat's colour or the page's."""
    ink = f' fill="var(--s{seat})"' if seat >= 0 else ""
    return f'<text x="{x}" y="{y}"{ink}>{escape(text)}</text>'


def _invasion(observation: Observation, where: list[Point]) -> str:
    """An arrow from the fief of the order to its target, where one was chosen."""
    names = [fief.name for fief in observation.fiefs]
    if observation.fief not in names or observation.target not in names:
        return ""
    (x, y), (tip_x, tip_y) = (
        where[names.index(name)] for name in (observation.fief, observation.target)
    )
    length = hypot(tip_x - x, tip_y - y)
    along, across = (tip_x - x) / length, (tip_y - y) / length
    end_x, end_y = tip_x - (RADIUS + 3) * along, tip_y - (RADIUS + 3) * across
    start_x, start_y = x + RADIUS * along, y + RADIUS * across
    wings = [
        f"M{end_x:.0f} {end_y:.0f}l{-9 * along + side * 6 * across:.0f} {-9 * across - side * 6 * along:.0f}"
        for side in (1, -1)
    ]
    return (
        f'<path d="M{start_x:.0f} {start_y:.0f}L{end_x:.0f} {end_y:.0f}{"".join(wings)}" fill="none" '
        f'stroke="currentColor" stroke-width="3"/>'
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
