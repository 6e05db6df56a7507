"""Tribute, giving orders, and the spies that look at them (TRB, ORD, SPY, DIV)."""

from collections import Counter

from support.oracles.shared import Ask

from .board import Fief
from .game import Game

ALWAYS = ("muster", "regroup", "build", "invade", "defend")
KINDS = (*ALWAYS, "quest", "siege", "tithe", "diversion", "revenge")


def tribute(g: Game) -> None:
    """TRB-2."""
    g.income = [0] * g.n
    for seat in g.seats():
        due = g.rules["tribute_base"] + g.rules["tribute_fief"] * g.free_fiefs(seat)
        due += sum(g.trait(seat, district.name, "money") for district in g.state(seat))
        due += g.rules["buildings"]["clothhall"]["money"] * g.active(seat, "clothhall")
        g.rulers[seat].denars += due
        g.rulers[seat].counters["tribute"] += due
        g.income[seat] = due


def give_orders(g: Game) -> Ask:
    """ORD-1, ORD-2."""
    for seat in g.in_turn():
        left = g.rules["orders"]
        left += g.rules["buildings"]["townhall"]["orders"] * g.active(seat, "townhall")
        left = min(left, g.rules["orders_max"])
        given: dict[str, int] = dict.fromkeys(KINDS, 0)
        for _ in range(left):
            places = [fief.name for fief in g.held(seat) if kinds(g, seat, fief, given)]
            words = yield from g.ask(seat, "fief", ["done", *[f"fief {name}" for name in places]])
            if words == ["done"]:
                break
            fief = g.fiefs[words[1]]
            labels = [f"order {kind}" for kind in kinds(g, seat, fief, given)]
            _, kind = yield from g.ask(seat, "order", labels)
            given[kind] += 1
            g.tokens[seat, fief.name, kind] += 1
            g.rulers[seat].counters["orders_given"] += 1


def kinds(g: Game, seat: int, fief: Fief, given: dict[str, int]) -> list[str]:
    """ORD-3: return the orders that may be given to a fief."""
    able = {
        **dict.fromkeys(ALWAYS, True),
        "quest": fief.legendary and fief.army(seat) and fief.units["knight"] > 0,
        "siege": g.active(seat, "grod", "castle") > 0,
        "tithe": g.tithable(seat, fief),
        "diversion": g.active(seat, "clothhall") > 0,
        "revenge": g.active(seat, "castle") > 0,
    }
    return [kind for kind in KINDS if able[kind] and given[kind] < g.rules["same_kind"]]


def spy(g: Game) -> Ask:
    """SPY-1: at the start of phase 3."""
    for seat in g.in_turn():
        me, cost = g.rulers[seat], g.rules["spy_cost"]
        where = {name for (who, name, _), n in g.tokens.items() if n and who != seat}
        if not (where and g.active(seat, "clothhall") and me.denars >= cost):
            continue
        places = [name for name in g.fiefs if name in where]
        words = yield from g.ask(seat, "spy", ["none", *[f"spy {name}" for name in places]])
        if words != ["none"]:
            me.denars -= cost
            me.counters["spies"] += 1
            yield from divert(g, seat, g.fiefs[words[1]])


def divert(g: Game, spy: int, fief: Fief) -> Ask:
    """DIV-1."""
    holder = g.holder(fief)
    token = holder, fief.name, "diversion"
    while g.tokens[token]:
        g.tokens -= Counter([token])
        places = [
            place.name for place in g.fiefs.values() if place.building and (g.owner(place) == spy or place.army(spy))
        ]
        labels = ["none", *[f"damage {name}" for name in places]]
        words = yield from g.ask(holder, "damage", labels)
        if words != ["none"]:
            g.fiefs[words[1]].damage += 1
