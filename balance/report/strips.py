"""Strips: the numbers of players of rising strength on one line, over the band of good values."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from balance.analysis.verdicts import Figure
from balance.report.screen import Dot, Strip

_ROOM = 0.08  # of the width, free at each end


def draw_strip(
    figures: Mapping[str, Figure],
    speaker: str,
    band: tuple[float, float] | None,
    write: Callable[[float], str],
    ends: tuple[float, float] | None = None,
) -> Strip | None:
    """Return the numbers of all tiers, the weakest first; that of the tier that speaks is filled, with its interval.

    `ends` are the least and the largest number on the line; by default all numbers, the interval and the nearer edge
    of the band are just on it. None if all numbers are the same.
    """
    if len({write(each.value) for each in figures.values()}) < 2:
        return None
    low, high = ends or span(figures, speaker, band)
    room = _ROOM * ((high - low) or 1.0)
    low, high = low - room, high + room

    def at(value: float) -> float:
        return round(min(100.0, max(0.0, 100 * (value - low) / (high - low))), 1)

    dots = [
        Dot(tier, write(each.value), at(each.value), at(each.low), at(each.high), tier == speaker)
        for tier, each in figures.items()
    ]
    alt = ", ".join(f"{dot.label} {dot.value}" for dot in dots)
    return Strip(dots, (at(band[0]), at(band[1])) if band else None, alt)


def span(
    figures: Mapping[str, Figure], speaker: str, band: tuple[float, float] | None
) -> tuple[float, float]:
    """Return the least and the largest number that a strip shows."""
    values = [each.value for each in figures.values()]
    if speaker in figures:
        values += [figures[speaker].low, figures[speaker].high]
    if band:
        middle = sum(values) / len(values)
        values.append(min(band, key=lambda end: abs(end - middle)))
    return min(values), max(values)
