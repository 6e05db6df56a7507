"""Panels of a position: the table, the rulers, the map, the districts."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from math import hypot

from balance.contract.view import Cell, Mark, Panel, Point, project
from balance.foundation.text import amount, listed, player, strategy_of
from balance.games.korona_piastow.display.labels import thing, units_in_words, written
from balance.games.korona_piastow.display.observation import Fief, Observation, Stay
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.tables import UNITS, Map

WIDTH, MARGIN = 760.0, 46.0
RADIUS = 13
_STYLE = (
    'font-family="sans-serif" font-size="10.5" font-weight="700" text-anchor="middle" fill="currentColor" '
    'stroke="#777" stroke-width="1.5"'
)
_INITIALS = {"grod": "G", "castle": "C", "cathedral": "K", "townhall": "T", "clothhall": "H"}
_ORDERS = {"diversion": "V", "revenge": "W"}  # other orders have their first letter


def draw_map(rules: Rules, observation: Observation) -> str:
    """Return the map as an SVG element, its constant parts in the first line; "" if a fief has no place."""
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
    """Return the opening tag with all shared attributes: a page keeps one line for each state of each fief."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}" width="{WIDTH:.0f}" '
        f'role="img" aria-label="Map with units, buildings and orders" {_STYLE}>'
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
    """Return a disc in the holder's colour with the number of units, and around it units, building, siege, orders."""
    parts = [
        f'<g transform="translate({at[0]:.0f} {at[1]:.0f})"><title>{escape(describe(fief))}</title>',
        _disc(fief, owner),
    ]
    if count := sum(fief.units):
        parts.append(_count(count))
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


def _count(units: int) -> str:
    return f'<text y="4" style="stroke:none" fill="var(--paper,#fff)">{units}</text>'


def _text(x: int, y: int, text: str, seat: int = -1) -> str:
    """Return a mark next to a disc, in a seat's colour or the text colour."""
    ink = f' fill="var(--s{seat})"' if seat >= 0 else ""
    return f'<text x="{x}" y="{y}"{ink}>{escape(text)}</text>'


def _invasion(observation: Observation, where: list[Point]) -> str:
    """Return an arrow from the fief of the order to its target, or "" without a target."""
    names = [fief.name for fief in observation.fiefs]
    if observation.fief not in names or observation.target not in names:
        return ""
    (x, y), (tip_x, tip_y) = (
        where[names.index(name)] for name in (observation.fief, observation.target)
    )
    far = RADIUS / hypot(tip_x - x, tip_y - y)  # from rim to rim
    start = (x + far * (tip_x - x), y + far * (tip_y - y))
    far *= (RADIUS + 3) / RADIUS
    return _arrow(start, (tip_x - far * (tip_x - x), tip_y - far * (tip_y - y)))


def _arrow(start: Point, end: Point) -> str:
    (start_x, start_y), (end_x, end_y) = start, end
    length = hypot(end_x - start_x, end_y - start_y)
    along, across = (end_x - start_x) / length, (end_y - start_y) / length
    wings = [
        f"M{end_x:.0f} {end_y:.0f}l{-9 * along + side * 6 * across:.0f} {-9 * across - side * 6 * along:.0f}"
        for side in (1, -1)
    ]
    return (
        f'<path d="M{start_x:.0f} {start_y:.0f}L{end_x:.0f} {end_y:.0f}{"".join(wings)}" fill="none" '
        f'stroke="currentColor" stroke-width="3"/>'
    )


def _sign(drawing: str) -> str:
    """Return a part of the map as an SVG element for the key."""
    return f'<svg viewBox="-17 -17 34 34" width="30" height="30" {_STYLE}>{drawing}</svg>'


_FIEF = Fief("", "", 0, [0] * len(UNITS), "", "", 0, 0, False, -1, -1, [])
SIGNS = (
    (_sign(_disc(_FIEF, 0) + _count(5)), "fief of the 1st player with 5 units"),
    (_sign(_disc(_FIEF, 1)), "in a district of the 2nd player"),
    (_sign(_disc(replace(_FIEF, holder=-2), -2)), "foreign"),
    (_sign(_disc(replace(_FIEF, holder=-1, devastated=True), -1)), "devastated"),
    (_sign(_text(0, 5, "2i")), "infantry (c cavalry, k knights, e engines, f foreign units)"),
    (_sign(_text(0, 5, "G")), "gród (C castle, K cathedral, T town hall, H cloth hall)"),
    (_sign(_text(0, 5, "G!")), "damaged"),
    (_sign(_text(0, 5, "(T3)")), "ready in 3 rounds"),
    (_sign(_text(0, 5, "⚔", 1)), "siege by the 2nd player"),
    (_sign(_text(0, 5, "MI?", 0)), "orders: first letters, V diversion, W revenge, ? face down"),
    (_sign(_arrow((-14, 0), (14, 0))), "current invasion"),
)
"""The signs of the map, as SVG elements, with their meanings."""


def describe(fief: Fief) -> str:
    """Return a fief in words: units, building, orders."""
    parts = [f"{written(fief.name)}: {units_in_words(UNITS, fief.units)}"]
    if fief.building:
        parts.append(f"{thing(fief.building)}{' (damaged)' if fief.damage else ''}")
    if fief.rising:
        parts.append(f"{thing(fief.rising)} in {fief.time_left}")
    parts += ["devastated"] if fief.devastated else []
    parts += [f"orders {', '.join(fief.tokens)}"] if fief.tokens else []
    return ", ".join(parts)


TABLE, RULERS, MAP, DISTRICTS = "On the table", "Rulers", "Map", "Districts"
_RULER = ["player", "line", "score", "fiefs", "units", "denars", "relics", "stands in", "free magnates"]


def summarise(observation: Observation, names: list[str]) -> list[str]:
    """Return one line for each ruler: score, fiefs, units and denars."""
    return [
        f"{name}, {written(ruler.line)}: "
        + (
            f"out in round {ruler.out_round}"
            if ruler.out_round
            else f"{amount(ruler.score, 'point')} of {observation.crown}, {amount(ruler.fiefs, 'fief')}, "
            f"{amount(ruler.units, 'unit')}, {amount(ruler.denars, 'denar')}"
        )
        for name, ruler in zip(names, observation.seats, strict=True)
    ]


def show(rules: Rules, observation: Observation, names: list[str]) -> list[Panel]:
    """Return panels: the table, the rulers, the map, and the rulers' districts."""
    return [
        Panel(TABLE, rows=_table(rules, observation)),
        Panel(RULERS, _RULER, [_ruler_row(observation, seat, name) for seat, name in enumerate(names)]),
        _show_map(rules, observation),
        Panel(DISTRICTS, ["district", "owner", "magnate"], _district_rows(rules, observation)),
    ]


def _table(rules: Rules, observation: Observation) -> list[list[Cell]]:
    names = {card.id: card.name for card in rules.events.cards}
    rows: list[list[Cell]] = [
        ["round", f"{observation.round} of {observation.rounds}"],
        ["the crown", amount(observation.crown, "point")],
        ["cards", f"{len(observation.stack)} in the stack, {len(observation.discards)} discarded"],
    ]
    if observation.event:
        rows.append(["event", names[observation.event]])
    rows += [["stays", f"{names[stay.card]}: {_say_stay(stay)}"] for stay in observation.stays]
    return rows


def _say_stay(stay: Stay) -> str:
    who = f"the {player(stay.seat)}"
    if stay.other >= 0:
        who = f"peace of {who} with the {player(stay.other)}"
    return f"{who}, {amount(stay.time, 'round')}"


def _ruler_row(observation: Observation, seat: int, name: str) -> list[Cell]:
    ruler = observation.seats[seat]
    return [
        [Mark("seat", str(seat + 1), seat), f" {strategy_of(name)}"],
        written(ruler.line),
        f"out in round {ruler.out_round}" if ruler.out_round else str(ruler.score),
        str(ruler.fiefs),
        str(ruler.units),
        str(ruler.denars),
        str(ruler.relics),
        "" if ruler.out_round else written(ruler.stands),
        listed(ruler.free_magnates) if ruler.free_magnates else "",
    ]


def _show_map(rules: Rules, observation: Observation) -> Panel:
    """Return the map; for a map without places, a table of the fiefs with a holder."""
    if drawing := draw_map(rules, observation):
        return Panel(MAP, svg=drawing)
    held = [fief for fief in observation.fiefs if fief.holder != -1]
    return Panel(MAP, ["holder", "fief"], [[_holder(fief.holder), describe(fief)] for fief in held])


def _district_rows(rules: Rules, observation: Observation) -> list[list[Cell]]:
    """Return the districts of the rulers' states; all other districts are free or foreign."""
    names = {district.id: district.name for district in rules.map.districts}
    return [
        [names[district.name], _holder(district.owner), district.magnate]
        for district in observation.districts
        if district.owner >= 0
    ]


def _holder(seat: int) -> Cell:
    """Return a ruler's sign, or a word for the foreign states."""
    return Mark("seat", str(seat + 1), seat) if seat >= 0 else "foreign"
