"""Sweeps: a grid of values of rule keys, each point a variant of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from balance.contract.game import Game
from balance.errors import BalanceError
from balance.plan.variants import Variant, load_changed

MOST_POINTS = 400
Point = dict[str, Any]


def make_points(
    game: Game, start: str, sweep: Mapping[str, Sequence[Any]], folder: Path, where: str
) -> list[tuple[Variant, Point]]:
    """Every combination of values, written over the variant `start`.

    Raises
    ------
    BalanceError
        A key or value is not one of the rules, or there are too many points.
    """
    grid = [dict(zip(sweep, values, strict=True)) for values in product(*sweep.values())]
    if len(grid) > MOST_POINTS:
        raise BalanceError(f"{where}: sweep: {len(grid)} points are more than {MOST_POINTS}")
    return [
        (load_changed(game, start, point, folder, name_of(point), f"{where}: sweep"), point)
        for point in grid
    ]


def name_of(point: Mapping[str, Any]) -> str:
    """A point's name as a variant, e.g. ``start.cards=6``."""
    return ", ".join(f"{key}={value}" for key, value in point.items())
