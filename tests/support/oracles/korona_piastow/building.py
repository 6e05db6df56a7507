"""Buildings of Korona Piastów: begun, hastened, finished by time (BLD)."""

from __future__ import annotations

from .board import Ask, Fief
from .game import Game

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
            g.rulers[g.owner(fief)].told["built"] += 1


def pass_everywhere(g: Game, units: int, all_fiefs: bool = False) -> None:
    """BLD-4 at the end of a round, and the event `works`."""
    for fief in g.fiefs.values():
        if all_fiefs or (not fief.siege and g.holder(fief) == g.owner(fief)):
            pass_time(g, fief, units)
