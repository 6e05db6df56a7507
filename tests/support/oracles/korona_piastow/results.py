"""Consequences of positions: sieges lifted, rulers out, districts that join, the end and its rows (JOI, END)."""

from collections import Counter
from typing import Any

from support.oracles.shared import Ask

from .board import FOREIGN, NOBODY, OWN, District
from .game import Game


def settle(g: Game) -> Ask:
    """JOI-1, in its order."""
    for fief in g.fiefs.values():
        if not any(fief.units[kind] for kind in OWN):
            fief.units["engine"] = 0
    lift_sieges(g)
    for seat in g.seats():
        if not any(g.holder(fief) == seat for fief in g.districts[g.rulers[seat].line].fiefs):
            leave(g, seat)
    for district in g.districts.values():
        yield from join(g, district)
    for seat, name, kind in list(g.tokens):
        if g.holder(g.fiefs[name]) != seat:
            del g.tokens[seat, name, kind]


def lift_sieges(g: Game) -> None:
    """SGE-3."""
    for fief in g.fiefs.values():
        if fief.siege:
            besieger = fief.siege[0]
            near = any(place.army(besieger) for place in g.around(fief))
            stands = fief.building in ("grod", "castle")
            if g.holder(fief) == besieger or not near or not stands:
                fief.siege = None


def leave(g: Game, seat: int) -> None:
    """END-1: a ruler is out."""
    me = g.rulers[seat]
    me.out_round = g.round
    me.denars = 0
    for fief in g.fiefs.values():
        if fief.army(seat):  # its allies stay, for the foreign states (MAP-3)
            fief.units = Counter(foreign=fief.units["foreign"])
        if fief.siege and fief.siege[0] == seat:
            fief.siege = None
    for key in [key for key in g.tokens if key[0] == seat]:
        del g.tokens[key]
    for district in g.state(seat):
        change_hands(g, district, NOBODY if district.piast else FOREIGN)
    g.bag += me.free
    me.free = Counter()
    for card in [card for card in g.staying if seat in card.seats]:
        g.staying.remove(card)
        g.discards.append(card.card)


def change_hands(g: Game, district: District, owner: int) -> None:
    """TRT-3: the magnate goes back to the bag."""
    if district.magnate:
        g.bag[district.magnate] += 1
    district.magnate, district.owner = "", owner


def join(g: Game, district: District) -> Ask:
    """JOI-2."""
    seat, before = district.fiefs[0].seat, district.owner
    if seat in (NOBODY, before) or not all(fief.army(seat) for fief in district.fiefs):
        return
    change_hands(g, district, seat)
    if before >= 0 and g.rulers[before].stands == district.name:
        g.rulers[before].stands = g.rulers[before].line
    g.rulers[seat].counters["joined"] += 1
    for _ in range(g.rules["magnate"]["per_district"]):
        yield from g.free_magnate(seat)


COUNTED = (
    "orders_given", "dropped", "mustered", "invasions", "won", "repelled", "lost_fiefs", "joined", "claims",
    "spies", "devastated", "tribute", "built", "quests", "tithes",
)  # fmt: skip


def how_it_ends(g: Game) -> str:
    """END-3; "" if the game continues."""
    if any(g.score(seat) >= g.crown() for seat in g.seats()):
        return "crown"
    if len(g.seats()) <= 1:
        return "last"
    return "limit" if g.before + g.round == g.rules["rounds"] else ""


def result(g: Game) -> list[dict[str, Any]]:
    """Return one row per seat."""
    rows, lines = [], list(g.districts)
    for seat, me in enumerate(g.rulers):
        row = {"score": g.score(seat), "line": lines.index(me.line), "fiefs": len(g.own_fiefs(seat))}
        row |= {"denars": me.denars, "units": g.units(seat), "relics": me.relics}
        row |= {"out_round": me.out_round, **{name: me.counters[name] for name in COUNTED}}
        rows.append(row)

    def key(row: dict[str, Any]) -> tuple[int, ...]:
        """END-4."""
        return (not row["out_round"], row["score"], row["denars"], row["units"])

    for row in rows:
        row["rank"] = 1 + sum(key(other) > key(row) for other in rows)
    winners = sum(row["rank"] == 1 for row in rows)
    for row in rows:
        row["win_share"] = 1 / winners if row["rank"] == 1 else 0.0
    return rows
