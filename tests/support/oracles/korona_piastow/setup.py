"""Set-up of Korona Piastów: lines, magnates, first units (section 2)."""

from collections.abc import Mapping
from typing import Any

from support.oracles.shared import Ask, of_seat

from .board import FOREIGN, NOBODY
from .game import Game


def set_up(g: Game) -> Ask:
    rules = g.rules
    second = {}
    pool = list(rules["lines"])
    for seat in range(g.n):
        if rules["lines_chosen"]:
            _, line = yield from g.ask(seat, "line", [f"choose {name}" for name in pool])
            pool.remove(line)
        else:
            line = yield from draw_line(g, "line", seat, pool, pool)
        g.rulers[seat].line = g.rulers[seat].stands = line
        g.districts[line].owner = seat
    if "scenario" in rules:
        take_position(g, rules["scenario"])
        return
    starts = [start_of(g, seat) for seat in range(g.n)]
    for seat in range(g.n):
        g.rulers[seat].denars = starts[seat]["denars"]
    if g.n <= rules["second_players"]:
        for seat in range(g.n):
            piast = [line for line in pool if g.districts[line].piast]
            second[seat] = yield from draw_line(g, "second", seat, pool, piast)
            g.districts[second[seat]].owner = seat
    for seat in range(g.n):
        for _ in range(starts[seat]["magnates"]):
            yield from g.free_magnate(seat)
        if seat in second:
            g.districts[second[seat]].magnate = yield from g.magnate(seat)
    garrison(g, {})
    for seat in range(g.n):
        first = [
            *["infantry"] * starts[seat]["infantry"],
            *["cavalry"] * starts[seat]["cavalry"],
            *["knight"] * starts[seat]["knights"],
        ]
        yield from place(g, seat, g.rulers[seat].line, first)
        if seat in second:
            yield from place(g, seat, second[seat], ["infantry"] * rules["second_infantry"])


def garrison(g: Game, written: Mapping[str, Any]) -> None:
    """SET-5: in all fiefs of the foreign states but those written."""
    for district in g.districts.values():
        if district.owner == FOREIGN:
            for fief in district.fiefs:
                if fief.name not in written:
                    fief.units["foreign"] = min(g.rules["foreign_garrison"], g.rules["fief_limit"])


def take_position(g: Game, scenario: Mapping[str, Any]) -> None:
    """SET-7: what belongs to a line without a ruler is left out, but for buildings and foreign units."""
    rulers, fiefs = scenario.get("rulers", {}), scenario.get("fiefs", {})
    for seat, me in enumerate(g.rulers):
        written = rulers.get(me.line, {})
        me.denars, me.relics = written.get("denars", 0), written.get("relics", 0)
        me.free.update(written.get("magnates", []))
        g.bag.subtract(me.free)
        for name, trait in written.get("districts", {}).items():
            if g.districts[name].owner < 0:
                g.districts[name].owner = seat
                if trait != "none":
                    g.districts[name].magnate = trait
                    g.bag[trait] -= 1
        stands = written.get("stands", "")
        if stands and g.districts[stands].owner == seat:
            me.stands = stands
    seats = {me.line: seat for seat, me in enumerate(g.rulers)}
    for name, row in fiefs.items():
        fief, seat = g.fiefs[name], seats.get(row.get("ruler"), NOBODY)
        if seat != NOBODY:
            for kind, key in PLURALS.items():
                fief.put(seat, kind, row.get(key, 0))
        fief.units["foreign"] = row.get("foreign", 0)
        fief.building, fief.damage = row.get("building") or "", row.get("damage", 0)
        fief.site, fief.time = row.get("site") or "", row.get("time", 0)
        fief.devastated = row.get("devastated", False)
    garrison(g, fiefs)


PLURALS = {"infantry": "infantry", "cavalry": "cavalry", "knight": "knights", "engine": "engines"}


def start_of(g: Game, seat: int) -> dict[str, int]:
    """SET-2, SET-3, and what the seat's line has in addition (SET-6), never below 0."""
    start = g.rules["start"]
    more = start.get("lines", {}).get(g.rulers[seat].line, {})
    return {
        what: max(0, of_seat(start[what], seat, g.n) + more.get(what, 0))
        for what in ("denars", "infantry", "cavalry", "knights", "magnates")
    }


def draw_line(g: Game, what: str, seat: int, pool: list[str], among: list[str]) -> Ask:
    """SET-1, SET-4: take a line out of the pool, by chance or the next in order."""
    if g.rules["lines_drawn"]:
        words = yield from g.chance([f"{what} {seat} {line}" for line in among])
        line = words[2]
    else:
        line = among[0]
    pool.remove(line)
    return line


def place(g: Game, seat: int, district: str, units: list[str]) -> Ask:
    """SET-3: one by one; a unit without room is lost."""
    for unit in units:
        room = [fief.name for fief in g.districts[district].fiefs if g.room(fief)]
        if room:
            words = yield from g.ask(seat, "place", [f"place {unit} {name}" for name in room])
            g.fiefs[words[2]].put(seat, unit)
