"""A position of Polska in panels: dice, players, drawings of the track of history and of the map."""

from __future__ import annotations

from html import escape

from balance.contract.view import Cell, Mark, Panel, Point, Shape, draw, join_points, project
from balance.foundation.language import tr, trn
from balance.foundation.text import player
from balance.games.polska.display.names import MAP, PLAYERS, TRACK, history_name, place, say_card, written
from balance.games.polska.display.observation import Observation
from balance.games.polska.rules.components import Geography, lay_out
from balance.games.polska.rules.ruleset import Rules

WIDTH, MARGIN = 640.0, 34.0


def summarise(observation: Observation, names: list[str]) -> list[str]:
    """Return one line for each player: track, pawn, cards and stop cards."""
    lines = []
    for name, found in zip(names, observation.seats, strict=True):
        line = tr(
            "{name}: field {field} of the track, pawn at {place}, {cards}",
            name=name,
            field=found.marker,
            place=place(found.pawn),
            cards=trn("{n} card", "{n} cards", found.cards),
        )
        if found.stops:
            line += ", " + trn("stopped by {n} stop card", "stopped by {n} stop cards", found.stops)
        lines.append(line)
    return lines


def show(rules: Rules, observation: Observation, names: list[str]) -> list[Panel]:
    """Return dice, players, the track and the map as panels."""
    columns = [tr("player"), tr("field of history"), "", tr("pawn"), tr("cards"), tr("stopped")]
    return [
        Panel(tr("On the table"), rows=_table(observation)),
        Panel(tr(PLAYERS), columns, [_player_row(rules, observation, seat, name) for seat, name in enumerate(names)]),
        Panel(tr(TRACK), svg=draw_track(rules, observation)),
        Panel(tr(MAP), svg=draw_map(rules, observation)),
    ]


def _table(observation: Observation) -> list[list[Cell]]:
    dice: list[str | Mark] = [_die("card", die) for die in observation.dice]
    taken: list[str | Mark] = [f" {tr('taken:')} ", _die("dark", observation.die)]
    rows: list[list[Cell]] = [
        [tr("dice left"), (dice or [tr("none")]) + (taken if observation.die else [])],
        [tr("next marker"), trn("{n} card", "{n} cards", observation.next_marker)],
    ]
    if observation.hand:
        cards = ", ".join(say_card(name).removeprefix("the ") for name in observation.hand)
        rows.append([tr("hand of the {player}", player=player(observation.seat)), cards])
    return rows


def _die(shape: Shape, number: int) -> Mark:
    return Mark(shape, str(number), title=tr("die of {number}", number=number))


def _player_row(rules: Rules, observation: Observation, seat: int, name: str) -> list[Cell]:
    found, last = observation.seats[seat], len(rules.track.fields) - 1
    return [
        name,
        history_name(rules, found.marker),
        tr("{field} of {last}", field=found.marker, last=last),
        place(found.pawn),
        str(found.cards),
        trn("{n} turn", "{n} turns", found.stops) if found.stops else "",
    ]


def draw_map(rules: Rules, observation: Observation) -> str:
    """Return the map with everything on it as an SVG element; its first line has the constant roads and fields."""
    geography = lay_out(rules.map)
    where, height = project(geography.places, WIDTH, MARGIN)
    constant = _roads(geography, where) + _fields(rules, geography, where)
    lines = []
    for field in observation.markers:
        x, y = where[geography.names.index(field)]
        lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="#f0c419" stroke="#444" stroke-width="2.5"/>')
    standing: dict[str, int] = {}
    for seat, found in enumerate(observation.seats):
        x, y = where[geography.names.index(found.pawn)]
        lines.append(_pawn(seat, x + 12 * standing.get(found.pawn, 0), y - 9))
        standing[found.pawn] = standing.get(found.pawn, 0) + 1
    return draw((WIDTH, height), tr("Map with pawns and markers"), constant, lines)


def draw_track(rules: Rules, observation: Observation) -> str:
    """Return the track of history with the markers of the players as an SVG element, each field at its place."""
    fields = rules.track.fields
    line = 10.0 + 8 * len(observation.seats)  # players on one field stand above each other
    step = (WIDTH - 2 * MARGIN) / max(1, len(fields) - 1)
    places = [MARGIN + step * number for number in range(len(fields))]
    named = [0, *range(5, len(fields) - 3, 5), len(fields) - 1]
    constant = f'<path d="M{MARGIN:.0f} {line:.0f}H{WIDTH - MARGIN:.0f}" stroke="#9aa39a" stroke-width="2"/>'
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
    lines = []
    standing: dict[int, int] = {}
    for seat, found in enumerate(observation.seats):
        above = standing.get(found.marker, 0)
        lines.append(_pawn(seat, places[found.marker], line - 8 * above))
        standing[found.marker] = above + 1
    return draw((WIDTH, line + 30), tr("Track of history with the players"), constant, lines)


def _roads(geography: Geography, where: list[Point]) -> str:
    roads = (
        (where[field], where[other])
        for field, near in enumerate(geography.neighbours)
        for other in near
        if field < other
    )
    return f'<path d="{join_points(roads)}" stroke="#9aa39a" stroke-width="2"/>'


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


def _pawn(seat: int, x: float, y: float) -> str:
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="var(--s{seat})" stroke="var(--paper, #fff)"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}" font-size="11" font-weight="700" fill="var(--paper, #fff)" '
        f'style="stroke: none" text-anchor="middle">{seat + 1}</text>'
    )
