"""Panels of a position: the table, the rulers, the map, the districts."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from math import hypot

from balance.contract.view import Cell, Panel, Point, draw, join_points, project, seat_mark
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import listed, player
from balance.games.korona_piastow.display.names import (
    DISTRICTS,
    MAP,
    RULERS,
    TABLE,
    name_thing,
    units_in_words,
    written,
)
from balance.games.korona_piastow.display.observation import Fief, Observation, Ruler, Stay
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.tables import BUILDINGS, ORDERS, UNITS, Map

WIDTH, MARGIN = 760.0, 46.0
RADIUS = 13
_STYLE = (
    'font-family="sans-serif" font-size="10.5" font-weight="700" text-anchor="middle" fill="currentColor" '
    'stroke="#777" stroke-width="1.5"'
)
# Letters on the map, in the order of the names; `SIGNS` explain them.
_LETTERS = {UNITS: N_("i c k e f"), BUILDINGS: N_("G C K T H"), ORDERS: N_("M R B I D Q S T V W")}


def _letters(names: tuple[str, ...]) -> dict[str, str]:
    """Return the letter of each unit, building or order in the language in use."""
    return dict(zip(names, tr(_LETTERS[names]).split(), strict=True))


def draw_map(rules: Rules, observation: Observation) -> str:
    """Return the map as an SVG element, its constant parts in the first line; "" if a fief has no place."""
    places = [fief.place for fief in rules.map.fiefs if fief.place is not None]
    if len(places) < len(rules.map.fiefs):
        return ""
    where, height = project(places, WIDTH, MARGIN)
    owners = {district.name: district.owner for district in observation.districts}
    constant = _borders(rules.map, where) + _names(rules.map, where)
    fiefs = [_fief(fief, owners[fief.district], at) for fief, at in zip(observation.fiefs, where, strict=True)]
    label = tr("Map with units, buildings and orders")
    return draw((WIDTH, height), label, constant, [*fiefs, _invasion(observation, where)], _STYLE)


def _borders(found: Map, where: list[Point]) -> str:
    ids = found.fief_ids
    district = {fief.id: fief.district for fief in found.fiefs}
    lines: dict[bool, list[tuple[Point, Point]]] = {True: [], False: []}
    for one, other in found.borders:
        line = where[ids.index(one)], where[ids.index(other)]
        lines[district[one] == district[other]].append(line)
    return (
        f'<path d="{join_points(lines[False])}" stroke="currentColor" stroke-opacity=".3"/>'
        f'<path d="{join_points(lines[True])}" stroke="#7d867d" stroke-width="5"/>'
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
        kinds = zip(_letters(UNITS).values(), fief.units, strict=True)
        each = [f"{count}{letter}" for letter, count in kinds if count]
        parts.append(_text(0, RADIUS + 22, " ".join(each)))
    if fief.building or fief.rising:
        letters = _letters(BUILDINGS)
        standing = letters.get(fief.building, "") + ("!" if fief.damage else "")
        rising = f"({letters[fief.rising]}{fief.time_left})" if fief.rising else ""
        parts.append(_text(RADIUS + 9, -4, standing + rising))
    if fief.besieger >= 0:
        parts.append(_text(-RADIUS - 6, -4, "⚔", fief.besieger))
    if fief.tokens:
        letters = _letters(ORDERS)
        marks = "".join(letters.get(token, token) for token in fief.tokens)
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
    (x, y), (tip_x, tip_y) = (where[names.index(name)] for name in (observation.fief, observation.target))
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
    (_sign(_disc(_FIEF, 0) + _count(5)), N_("fief of the 1st player with 5 units")),
    (_sign(_disc(_FIEF, 1)), N_("in a district of the 2nd player")),
    (_sign(_disc(replace(_FIEF, holder=-2), -2)), N_("foreign")),
    (_sign(_disc(replace(_FIEF, holder=-1, devastated=True), -1)), N_("devastated")),
    (_sign(_text(0, 5, "2…")), N_("units: i infantry, c cavalry, k knights, e engines, f foreign units")),
    (_sign(_text(0, 5, "G")), N_("gród (C castle, K cathedral, T town hall, H cloth hall)")),
    (_sign(_text(0, 5, "G!")), N_("damaged")),
    (_sign(_text(0, 5, "(G2)")), N_("ready in 2 rounds")),
    (_sign(_text(0, 5, "⚔", 1)), N_("siege by the 2nd player")),
    (_sign(_text(0, 5, "B?", 0)), N_("orders: first letters, V diversion, W revenge, ? face down")),
    (_sign(_arrow((-14, 0), (14, 0))), N_("current invasion")),
)
"""The signs of the map, as SVG elements, with their meanings; a letter in them is the same in every language."""


def describe(fief: Fief) -> str:
    """Return a fief in words: units, building, orders."""
    parts = [f"{written(fief.name)}: {units_in_words(fief.units)}"]
    if fief.building:
        building = name_thing(fief.building)
        parts.append(tr("{building} (damaged)", building=building) if fief.damage else building)
    if fief.rising:
        ready = trn(
            "{building} ready in {n} round",
            "{building} ready in {n} rounds",
            fief.time_left,
            building=name_thing(fief.rising),
        )
        parts.append(ready)
    if fief.devastated:
        parts.append(tr("devastated"))
    if fief.tokens:
        parts.append(tr("orders {kinds}", kinds=", ".join(map(name_thing, fief.tokens))))
    return ", ".join(parts)


_RULER = (
    N_("player"), N_("line"), N_("score"), N_("fiefs"), N_("units"), N_("denars"), N_("relics"), N_("stands in"),
    N_("free magnates"),
)  # fmt: skip


def summarise(observation: Observation, names: list[str]) -> list[str]:
    """Return one line for each ruler: score, fiefs, units and denars."""
    return [
        f"{name}, {written(ruler.line)}: {_summarise_ruler(ruler, observation.crown)}"
        for name, ruler in zip(names, observation.seats, strict=True)
    ]


def _summarise_ruler(ruler: Ruler, crown: int) -> str:
    if ruler.out_round:
        return tr("out in round {round}", round=ruler.out_round)
    parts = [
        trn("{n:g} point of {crown}", "{n:g} points of {crown}", ruler.score, crown=crown),
        trn("{n:g} fief", "{n:g} fiefs", ruler.fiefs),
        trn("{n:g} unit", "{n:g} units", ruler.units),
        trn("{n:g} denar", "{n:g} denars", ruler.denars),
    ]
    return ", ".join(parts)


def name_round(rules: Rules, observation: Observation) -> str:
    """Return the name of the event being carried out, or ""."""
    names = {card.id: card.name for card in rules.events.cards}
    return names.get(observation.event, "")


def show(rules: Rules, observation: Observation, names: list[str]) -> list[Panel]:
    """Return panels: the table, the rulers, the map, and the rulers' districts."""
    rulers = [_ruler_row(observation, seat, name) for seat, name in enumerate(names)]
    columns = [tr("district"), tr("owner"), tr("magnate")]
    return [
        Panel(tr(TABLE), rows=_table(rules, observation)),
        Panel(tr(RULERS), [tr(heading) for heading in _RULER], rulers),
        _show_map(rules, observation),
        Panel(tr(DISTRICTS), columns, _district_rows(rules, observation)),
    ]


def _table(rules: Rules, observation: Observation) -> list[list[Cell]]:
    names = {card.id: card.name for card in rules.events.cards}
    rows: list[list[Cell]] = [
        [tr("round"), tr("{round} of {rounds}", round=observation.round, rounds=observation.rounds)],
        [tr("the crown"), trn("{n:g} point", "{n:g} points", observation.crown)],
        [
            tr("cards"),
            tr(
                "{n} in the stack, {discarded} discarded", n=len(observation.stack), discarded=len(observation.discards)
            ),
        ],
    ]
    if observation.event:
        rows.append([tr("event"), names[observation.event]])
    rows += [[tr("stays"), f"{names[stay.card]}: {_say_stay(stay)}"] for stay in observation.stays]
    return rows


def _say_stay(stay: Stay) -> str:
    who = player(stay.seat)
    if stay.other < 0:
        return trn("the {player}, {n:g} round", "the {player}, {n:g} rounds", stay.time, player=who)
    return trn(
        "peace of the {player} with the {other}, {n:g} round",
        "peace of the {player} with the {other}, {n:g} rounds",
        stay.time,
        player=who,
        other=player(stay.other),
    )


def _ruler_row(observation: Observation, seat: int, name: str) -> list[Cell]:
    ruler = observation.seats[seat]
    return [
        name,
        written(ruler.line),
        tr("out in round {round}", round=ruler.out_round) if ruler.out_round else str(ruler.score),
        str(ruler.fiefs),
        str(ruler.units),
        str(ruler.denars),
        str(ruler.relics),
        "" if ruler.out_round else written(ruler.stands),
        listed([name_thing(trait) for trait in ruler.free_magnates]),
    ]


def _show_map(rules: Rules, observation: Observation) -> Panel:
    """Return the map; for a map without places, a table of the fiefs with a holder."""
    if drawing := draw_map(rules, observation):
        return Panel(tr(MAP), svg=drawing)
    held = [fief for fief in observation.fiefs if fief.holder != -1]
    rows = [[_holder(fief.holder), describe(fief)] for fief in held]
    return Panel(tr(MAP), [tr("holder"), tr("fief")], rows)


def _district_rows(rules: Rules, observation: Observation) -> list[list[Cell]]:
    """Return the districts of the rulers' states; all other districts are free or foreign."""
    names = {district.id: district.name for district in rules.map.districts}
    return [
        [names[district.name], _holder(district.owner), name_thing(district.magnate)]
        for district in observation.districts
        if district.owner >= 0
    ]


def _holder(seat: int) -> Cell:
    """Return a ruler's sign, or a word for the foreign states."""
    return seat_mark(seat) if seat >= 0 else tr("foreign")
