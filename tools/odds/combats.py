"""The chance that the attacker wins a combat of Grody without cards, from the rules themselves (CMB-1 to CMB-8).

An implementation independent of the kernel: a combat is described by the numbers of fighters, and the chances of all
possible rounds are added up. Nothing is simulated.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import comb
from typing import NamedTuple

SIDES = 6  # of a die


class Line(NamedTuple):
    """The remaining warriors of a side, by behaviour."""

    furious: int
    fighting: int
    standing: int

    def hit(self, blows: int) -> Line:
        """Return the warriors left after `blows` blows: the furious fall first, the standing last (CMB-4)."""
        left = []
        for count in self:
            fallen = min(blows, count)
            left.append(count - fallen)
            blows -= fallen
        return Line(*left)


@cache
def roll(count: int, morale: int) -> dict[Line, float]:
    """Return the outcomes for `count` warriors who roll with a morale (CMB-2); those who flee are removed."""
    over = [die - morale for die in range(1, SIDES + 1)]
    chances = (
        sum(each <= -2 for each in over) / SIDES,
        sum(each in (-1, 0) for each in over) / SIDES,
        sum(each == 1 for each in over) / SIDES,
        sum(each >= 2 for each in over) / SIDES,
    )
    found = {}
    for furious, fighting, standing in product(range(count + 1), repeat=3):
        if (fled := count - furious - fighting - standing) >= 0:
            ways = comb(count, furious) * comb(count - furious, fighting) * comb(standing + fled, fled)
            numbers = (furious, fighting, standing, fled)
            chance = float(ways)
            for each, number in zip(chances, numbers, strict=True):
                chance *= each**number
            if chance > 0.0:
                found[Line(furious, fighting, standing)] = chance
    return found


def strike(attackers: Line, defenders: Line, cushion: int) -> tuple[Line, Line, int]:
    """Return both sides after the blows of the furious, then of the fighting, and the remaining cushion (CMB-5)."""
    first, second = attackers.hit(defenders.furious), defenders.hit(attackers.furious)
    ignored = min(cushion, first.fighting)
    return first.hit(second.fighting), second.hit(first.fighting - ignored), cushion - ignored


@cache
def chance_from(attackers: Line, defenders: Line, cushion: int, morale: tuple[int, int]) -> float:
    """Return the attacker's chance when a later round begins: all except the standing fight without a roll (CMB-6)."""
    if not any(defenders):
        return float(any(attackers))
    if not any(attackers):
        return 0.0
    again = won = 0.0
    for (first, p), (second, q) in product(
        roll(attackers.standing, morale[0]).items(), roll(defenders.standing, morale[1]).items()
    ):
        one = Line(first.furious, first.fighting + attackers.furious + attackers.fighting, first.standing)
        other = Line(second.furious, second.fighting + defenders.furious + defenders.fighting, second.standing)
        after = strike(one, other, cushion) if any(one) and any(other) else (one, other, cushion)
        if after == (attackers, defenders, cushion):
            again += p * q
        else:
            won += p * q * chance_from(*after, morale)
    return won / (1.0 - again)


def chance_to_win(
    attackers: int, defenders: int, cushion: int, first: tuple[int, int], later: tuple[int, int]
) -> float:
    """Return the attacker's chance.

    Parameters
    ----------
    attackers, defenders : int
        Warriors of each side.
    cushion : int
        Blows that the defender ignores.
    first, later : tuple of int
        Morale of the attacker and the defender in the first round, and in the others.
    """
    won = 0.0
    for (one, p), (other, q) in product(roll(attackers, first[0]).items(), roll(defenders, first[1]).items()):
        after = strike(one, other, cushion) if any(one) and any(other) else (one, other, cushion)
        won += p * q * chance_from(*after, later)
    return won
