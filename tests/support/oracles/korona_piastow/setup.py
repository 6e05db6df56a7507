"""Set-up of Korona Piastów: lines, magnates, first units (section 2)."""

from support.oracles.shared import Ask, of_seat

from .board import FOREIGN
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
    for district in g.districts.values():
        if district.owner == FOREIGN:
            for fief in district.fiefs:
                fief.units["foreign"] = min(rules["foreign_garrison"], rules["fief_limit"])
    for seat in range(g.n):
        first = [
            *["infantry"] * starts[seat]["infantry"],
            *["cavalry"] * starts[seat]["cavalry"],
            *["knight"] * starts[seat]["knights"],
        ]
        yield from place(g, seat, g.rulers[seat].line, first)
        if seat in second:
            yield from place(g, seat, second[seat], ["infantry"] * rules["second_infantry"])


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
