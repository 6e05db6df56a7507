"""Carrying out orders, turn by turn, and all kinds but invasions (EXE, MUS, REG, BLD, QST, SGE, TTH)."""

from collections import Counter
from copy import deepcopy

from support.oracles.shared import Ask

from . import war
from .board import AUTOMATIC, Fief
from .game import Game
from .results import settle

BUILDINGS = ("grod", "castle", "cathedral", "townhall", "clothhall")


def buildings(g: Game, seat: int, fief: Fief) -> list[str]:
    """BLD-1, BLD-2: what a build order may do."""
    if not g.own(seat, fief) or fief.devastated or fief.siege:
        return []
    labels = []
    for kind in BUILDINGS:
        free = not fief.building or (fief.building, kind) == ("grod", "castle")
        if free and not fief.site and g.rulers[seat].denars >= g.rules["buildings"][kind]["cost"]:
            labels.append(f"build {kind}")
    return labels + (["hasten"] if fief.site or fief.damage else [])


def build(g: Game, seat: int, fief: Fief) -> Ask:
    words = yield from g.ask(seat, "build", buildings(g, seat, fief))
    if words == ["hasten"]:
        pass_time(g, fief, g.rules["hasten_units"])
        return
    table = g.rules["buildings"][words[1]]
    g.rulers[seat].denars -= table["cost"]
    fief.site = words[1]
    fief.time = max(1, table["time"] - g.trait(seat, fief.district, "time"))  # BLD-3


def pass_time(g: Game, fief: Fief, units: int) -> None:
    """BLD-4: the building under construction, or else the damaged one, loses time units."""
    if not fief.site:
        fief.damage = max(0, fief.damage - units)
        return
    fief.time -= units
    if fief.time <= 0:
        fief.building, fief.damage, fief.site, fief.time = fief.site, 0, "", 0
        if g.owner(fief) >= 0:
            g.rulers[g.owner(fief)].counters["built"] += 1


def pass_everywhere(g: Game, units: int, all_fiefs: bool = False) -> None:
    """BLD-4 at the end of a round, and the event `works`."""
    for fief in g.fiefs.values():
        if all_fiefs or (not fief.siege and g.holder(fief) == g.owner(fief)):
            pass_time(g, fief, units)


MOVING = ("infantry", "cavalry", "knight", "foreign")


def carry_out(g: Game) -> Ask:
    """EXE-1."""
    wanted = g.rules["orders_per_turn"]
    at_once = wanted if wanted not in (0, "any") else sum(g.tokens.values())
    while any(waiting(g, seat) for seat in g.seats()):
        for seat in g.in_turn():
            for number in range(at_once):
                may_pass = wanted == "any" and number > 0
                if waiting(g, seat) and (yield from turn(g, seat, may_pass)):  # nothing waits for one that is out
                    break
    g.tokens.clear()
    for fief in g.fiefs.values():
        fief.defended = 0


def waiting(g: Game, seat: int) -> list[tuple[str, str]]:
    """Return fief and kind of a ruler's tokens still to be turned up."""
    return [(name, kind) for who, name, kind in g.tokens if who == seat and kind not in AUTOMATIC]


def turn(g: Game, seat: int, may_pass: bool) -> Ask:
    """EXE-2; return whether the ruler leaves the turn to the next."""
    labels = []
    for name, kind in waiting(g, seat):
        if possible(g, seat, g.fiefs[name], kind):
            labels.append(f"do {name} {kind}")
        labels.append(f"drop {name} {kind}")
    words = yield from g.ask(seat, "turn", labels + (["done"] if may_pass else []))
    if words == ["done"]:
        return True
    verb, name, kind = words
    g.tokens -= Counter([(seat, name, kind)])
    if verb == "drop":
        g.rulers[seat].counters["dropped"] += 1
        return False
    yield from ORDERS[kind](g, seat, g.fiefs[name])
    yield from settle(g)
    return False


def possible(g: Game, seat: int, fief: Fief, kind: str) -> bool:
    if kind == "quest":
        return fief.army(seat) and fief.units["knight"] > 0
    if kind == "tithe":
        return g.tithable(seat, fief)
    return bool(FIRST_LABELS[kind](g, seat, fief))


# muster


def musters(g: Game, seat: int, fief: Fief) -> list[str]:
    """MUS-1, MUS-2: units that may be mustered now."""
    if not g.room(fief) or fief.devastated or fief.siege:
        return []
    able = {
        "infantry": True,
        "cavalry": True,
        "knight": g.own(seat, fief) and g.free_fiefs(seat) > 0,
        "engine": fief.army(seat),
    }
    return [
        f"muster {unit}"
        for unit, good in able.items()
        if good and g.rulers[seat].denars >= g.rules["units"][unit]["cost"]
    ]


def muster(g: Game, seat: int, fief: Fief) -> Ask:
    for number in range(g.rules["muster_units"]):
        labels = musters(g, seat, fief)
        if not labels:
            return
        words = yield from g.ask(seat, "muster", labels + (["done"] if number else []))
        if words == ["done"]:
            return
        g.rulers[seat].denars -= g.rules["units"][words[1]]["cost"]
        g.rulers[seat].counters["mustered"] += 1
        fief.put(seat, words[1])


# regroup


def moves(g: Game, seat: int, fief: Fief) -> list[str]:
    """REG-1."""
    ways = [(fief, other) for other in g.around(fief)] + [(other, fief) for other in g.around(fief)]
    labels = []
    for here, there in ways:
        if here.army(seat) and g.holder(there) == seat:
            for unit in MOVING:
                if here.units[unit] and (unit != "foreign" or there.army(seat)):
                    labels.append(f"move {here.name} {there.name} {unit}")
    return labels


def regroup(g: Game, seat: int, fief: Fief) -> Ask:
    near = [fief, *g.around(fief)]
    before = [deepcopy((place.units, place.seat)) for place in near]
    for number in range(g.rules["regroup_moves"]):
        labels = moves(g, seat, fief)
        if not labels:
            break
        words = yield from g.ask(seat, "regroup", labels + (["done"] if number else []))
        if words == ["done"]:
            break
        _, here, there, unit = words
        g.fiefs[here].units[unit] -= 1
        g.fiefs[there].put(seat, unit)
    if any(place.total() > g.rules["fief_limit"] for place in near):  # REG-2
        for place, (units, whose) in zip(near, before, strict=True):
            place.units, place.seat = units, whose


# quest, siege, tithe


def quest(g: Game, seat: int, fief: Fief) -> Ask:
    """QST-1."""
    me, bounds = g.rulers[seat], g.rules["quest"]
    me.counters["quests"] += 1
    card = yield from g.fate("quest")
    found = card["attack"] + card["defence"]
    if found <= bounds["lost"]:
        fief.units["knight"] -= 1
    elif found <= bounds["nothing"]:
        pass
    elif found <= bounds["denars"]:
        me.denars += g.rules["quest_denars"]
    elif found <= bounds["magnate"]:
        yield from g.free_magnate(seat)
    else:
        me.relics += 1


def sieges(g: Game, seat: int, fief: Fief) -> list[str]:
    """SGE-1."""
    if not fief.army(seat) or not g.active(seat, "grod", "castle"):
        return []
    return [
        f"siege {place.name}"
        for place in g.around(fief)
        if g.building_counts(place, seat)
        and not place.siege
        and g.holder(place) != seat
        and war.cause(g, seat, place) == "free"
    ]


def siege(g: Game, seat: int, fief: Fief) -> Ask:
    words = yield from g.ask(seat, "siege", sieges(g, seat, fief))
    g.fiefs[words[1]].siege = (seat, g.round)


def tithe(g: Game, seat: int, fief: Fief) -> Ask:
    """TTH-1."""
    g.rulers[seat].denars += g.rules["tithe"]
    g.rulers[seat].counters["tithes"] += 1
    return
    yield


ORDERS = {
    "muster": muster, "regroup": regroup, "build": build, "invade": war.invade, "quest": quest, "siege": siege,
    "tithe": tithe,
}  # fmt: skip
FIRST_LABELS = {"muster": musters, "regroup": moves, "build": buildings, "invade": war.targets, "siege": sieges}
