"""The court: magnates act, free ones are granted districts, the ruler acts (CRT)."""

from support.oracles.shared import Ask

from .board import TRAITS
from .game import Game


def hold_court(g: Game) -> Ask:
    for seat in g.in_turn():
        me = g.rulers[seat]
        for district in g.state(seat):
            if district.magnate and me.stands != district.name:
                yield from act(g, seat, "magnate", district.name, [])
        yield from grant(g, seat)
        others = [f"ride {district.name}" for district in g.state(seat) if district.name != me.stands]
        collect = ["collect"] if me.stands == me.line else []
        yield from act(g, seat, "ruler", me.stands, collect + others)


def act(g: Game, seat: int, kind: str, district: str, more: list[str]) -> Ask:
    """CRT-1, CRT-3: carry out an action in a district, or another one."""
    me, rules = g.rulers[seat], g.rules
    labels = ["none", *more]
    for fief in g.districts[district].fiefs:
        if not g.own(seat, fief):
            continue
        if fief.devastated and me.denars >= rules["repair_cost"]:
            labels.append(f"repair {fief.name}")
        good = g.room(fief) and not fief.devastated and not fief.siege
        if good and me.denars >= rules["raise_cost"]:
            labels.append(f"raise {fief.name}")
    words = yield from g.ask(seat, kind, labels)
    if words[0] == "repair":
        me.denars -= rules["repair_cost"]
        g.fiefs[words[1]].devastated = False
    elif words[0] == "raise":
        me.denars -= rules["raise_cost"]
        g.fiefs[words[1]].put(seat, "infantry")
    elif words[0] == "ride":
        me.stands = words[1]
    elif words[0] == "collect":
        me.denars += rules["collect"]


def grant(g: Game, seat: int) -> Ask:
    """CRT-2."""
    me = g.rulers[seat]
    while me.free.total():
        bare = [d.name for d in g.state(seat) if d.name != me.line and not d.magnate]
        if not bare:
            return
        labels = [f"grant {trait} {name}" for trait in TRAITS if me.free[trait] for name in bare]
        words = yield from g.ask(seat, "grant", ["none", *labels])
        if words == ["none"]:
            return
        me.free[words[1]] -= 1
        g.districts[words[2]].magnate = words[1]
