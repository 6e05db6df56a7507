"""Words and numbers as the page writes them: seats counted from one, numbers with units, lists of player counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from balance.analysis.sample_size import MOST
from balance.analysis.verdicts import LATE, Verdict
from balance.contract.analytics import Measure
from balance.foundation.text import listed, nth
from balance.stats.intervals import fair_share

MOST_NAMED = 3
"""Points of a sweep that a sentence names."""
ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
]


def ordinal(seat: int) -> str:
    """Return a seat in words, counted from one: "first" for seat 0."""
    return ORDINALS[seat] if seat < len(ORDINALS) else nth(seat)


def amount(value: float) -> str:
    """Return a number with one decimal, or with none from 100."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}"


def write_levels(before: float, after: float) -> str:
    """Return the levels before and after a change, as in "31.5 → 33.4"; with two decimals if both are below 10."""
    size = max(abs(before), abs(after))
    digits = 2 if size < 10 else 0 if size >= 1000 else 1
    return f"{before:z.{digits}f} → {after:z.{digits}f}"


def fair_of(players: int) -> str:
    """Return a fair share in percent: "50", "33.3", "25"."""
    return f"{fair_share(players):.1f}".removesuffix(".0")


def span_of(minutes: float, pace: tuple[float, float]) -> str:
    """Return estimated minutes from the quickest to the slowest pace, as in "44–89"."""
    quick, slow = (amount(minutes * each) for each in pace)
    return quick if quick == slow else f"{quick}–{slow}"


def capital(text: str) -> str:
    """Return a sentence with a capital first letter."""
    return text[:1].upper() + text[1:]


def comebacks_words(verdict: Verdict) -> str:
    """Return how many winners come from behind; if the verdict is `LATE`, also the share expected by chance."""
    if verdict.word == LATE:
        chance = amount(100 - fair_share(verdict.players))
        return (
            f"{amount(verdict.value)} % of winners come from behind, close to the {chance} % expected if the first "
            "half did not matter"
        )
    return f"only {amount(verdict.value)} % of winners come from behind"


def more_games(games: int) -> str:
    """Return how many more games would settle something, in two digits; above `MOST` without a number."""
    return (
        f"about {int(float(f'{games:.2g}')):,} more games"
        if games <= MOST
        else "more than a million more games"
    )


def smallest_n(rows: pd.DataFrame, things: str = "") -> str:
    """Return the smallest ``n`` of some estimates and what it counts, as in "n ≥ 1,200 games"."""
    return f"n ≥ {int(rows['n'].min()):,} {things}".rstrip()


def smallest_n_on_deals(rows: pd.DataFrame) -> str:
    """Return the smallest ``n``, and the smallest number of deals if the rows have the column ``decks``."""
    deals = f" on at least {int(rows['decks'].min()):,} deals" if "decks" in rows else ""
    return smallest_n(rows) + deals


def write_percent(row: Any, of: str = "") -> str:
    """Return a share with its interval, as in "53.9 (53.2 to 54.6) % of games"; `row` as for `write_estimate`."""
    return f"{write_estimate(row)} % {of}".rstrip()


def write_quoted(row: Any) -> str:
    """Return a share of `balance.analysis.shares.furthest_shares` with its interval, as in "53.9 (52.8 to 55.1)"."""
    return f"{amount(row.quoted)} ({amount(row.wide_low)} to {amount(row.wide_high)})"


def write_change(row: Any, digits: int = 1) -> str:
    """Return an effect with its interval, all with signs, as in "+4.1 (+3.8 to +4.4)"."""
    return f"{row.value:+.{digits}f} ({row.low:+.{digits}f} to {row.high:+.{digits}f})"


def write_points(row: Any, of: str = "points") -> str:
    """Return an amount with its interval and its unit, as in "4.1 (3.8 to 4.4) points"."""
    return f"{write_estimate(row)} {of}"


def would_decide(games: int) -> str:
    """Return the end of a sentence about an open question: how many more games settle it; "" if `games` is 0."""
    return f"; {more_games(games)} would probably settle it" if games else ""


def signed(value: float) -> str:
    """Return a difference with its sign, and with a true minus sign."""
    return f"{value:+.1f}".replace("-", "−")


def with_players(counts: Sequence[int]) -> str:
    """Return player counts, as in "2 and 3 players"."""
    return f"{listed(counts)} player{'' if list(counts) == [1] else 's'}"


def by_players(rows: pd.DataFrame, write: Callable[[Any], str], things: str = "") -> str:
    """Return a row for each player count as one clause, as in "12 with 2 players, 9 with 3 and 7 with 4".

    With `things` it ends with the smallest n, as in "(n ≥ 1,200 games)".
    """
    parts = [f"{write(row)} with {row.players}" for row in rows.itertuples()]
    parts[0] += f" player{'' if rows['players'].iloc[0] == 1 else 's'}"
    return listed(parts) + (f" ({smallest_n(rows, things)})" if things else "")


def name_group(measure: Measure, group: str) -> str:
    """Return the name of a group for readers: "1st" for seat "0", a faction's name, a strategy as it is."""
    if measure.by == "seat" and group:
        return nth(int(group))
    return dict(measure.groups).get(group, group)


def name_of(measure: Measure, group: str = "") -> str:
    """Return a measure's label for a sentence, with its seat, strategy or faction."""
    if not group:
        return measure.label
    kind = "faction" if measure.groups else measure.by
    named = f"{measure.label.removesuffix(f' {kind}')} {name_group(measure, group)}"
    return f"{named} seat" if kind == "seat" else named


def label_of(measure: Measure, group: str = "") -> str:
    """Return a measure's label for a cell or an axis, with its unit."""
    return name_of(measure, group) + (f", {measure.unit}" if measure.unit else "")


def fairest_words(points: pd.DataFrame) -> str:
    """Return which points of a sweep may be the fairest at one player count, from rows of `fairest_points`."""
    counts, fairest = with_players([points["players"].iloc[0]]), points[points["fairest"]]
    measured = fairest[fairest["n"] > 0]
    text = f"With {counts} "
    if len(points[["least", "most"]].drop_duplicates()) == 1:
        return f"{text}every value of the sweep gives the same games."
    if len(fairest) == len(points):
        text += f"no value is shown to be fairer than the other {len(points) - 1}"
    elif len(fairest) == 1:
        text += f"seats are fairest at {fairest['point'].iloc[0]}"
    else:
        named = (
            listed(list(fairest["point"])) if len(fairest) <= MOST_NAMED else f"{len(fairest)} values"
        )
        text += f"{named} are not shown to differ in fairness; the other {len(points) - len(fairest)} are less fair"
    for row in measured.itertuples():
        at = "" if len(fairest) == 1 else f" at {row.point}, which looks best,"
        text += (
            f"; the furthest seat{at} is {amount(row.value)} points from fair ({amount(row.low)} to "
            f"{amount(row.high)}, n = {row.n:,} held-out games)"
        )
    return f"{text}."


def write_estimate(row: Any, digits: int = 1) -> str:
    """Return a value with its interval; `row` has ``value``, ``low`` and ``high``."""
    if not math.isfinite(row.low):
        return f"{row.value:z.{digits}f} (one deal gives no interval)"
    return f"{row.value:z.{digits}f} ({row.low:z.{digits}f} to {row.high:z.{digits}f})"


def write_quartiles(row: Any) -> str:
    """Return the lower and the upper quartile; `row` has ``lower`` and ``upper``."""
    return f"{row.lower:g} to {row.upper:g}"


def write_median(row: Any) -> str:
    """Return a median with its interval; `row` as for `write_estimate`."""
    if not math.isfinite(row.low):
        return f"{row.value:g} (one deal gives no interval)"
    return f"{row.value:g} ({row.low:g} to {row.high:g})"


def write_difference(row: Any, digits: int) -> str:
    """Return a difference of tiers with its interval, see `balance.analysis.tier_comparison.compare_tier`."""
    size = f"{row.difference:+z.{digits}f}"
    if not math.isfinite(row.difference_low):
        return size
    return f"{size} ({row.difference_low:+z.{digits}f} to {row.difference_high:+z.{digits}f})"


def write_half(row: Any) -> str:
    """Return a value with half its interval; `row` has ``value``, ``low`` and ``high``."""
    half = (row.high - row.low) / 2
    return f"{row.value:z.2f} ± {half:.2f}" if math.isfinite(half) else f"{row.value:z.2f}"
