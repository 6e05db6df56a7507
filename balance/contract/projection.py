"""Places on a map, degrees east and north, as points of a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians

Point = tuple[float, float]


def project(places: Sequence[Point], width: float, margin: float) -> tuple[list[Point], float]:
    """Points of a drawing so wide, a degree east being shorter than one north; and the drawing's height."""
    east = [x for x, _ in places]
    north = [y for _, y in places]
    narrow = cos(radians(sum(north) / len(north)))
    scale = (width - 2 * margin) / max(1e-9, (max(east) - min(east)) * narrow)
    points = [
        (margin + (x - min(east)) * narrow * scale, margin + (max(north) - y) * scale) for x, y in places
    ]
    return points, 2 * margin + (max(north) - min(north)) * scale
