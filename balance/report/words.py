"""Words and numbers as the page writes them: seats counted from one, numbers with units, lists of player counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from balance.analysis.sample_size import MOST
from balance.analysis.shares import ALONE, SHARED
from balance.contract.analytics import Measure
from balance.contract.sides import RIVALS
from balance.experiments.networks import EXPLOITER, PERFECT, Gain
from balance.experiments.plan import Plan
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.text import listed, nth

MOST_NAMED = 3
"""Points of a sweep that a sentence names."""
ORDINALS = [
    N_("first"),
    N_("second"),
    N_("third"),
    N_("fourth"),
    N_("fifth"),
    N_("sixth"),
    N_("seventh"),
    N_("eighth"),
    N_("ninth"),
    N_("tenth"),
]


def ordinal(seat: int) -> str:
    """Return a seat in words, counted from one: "first" for seat 0."""
    return tr(ORDINALS[seat]) if seat < len(ORDINALS) else nth(seat)


def amount(value: float) -> str:
    """Return a number with one decimal, or with none from 100."""
    return write_number(value, ".0f" if abs(value) >= 100 else ".1f")


def write_levels(before: float, after: float) -> str:
    """Return the levels before and after a change, as in "31.5 → 33.4"; with two decimals if both are below 10."""
    size = max(abs(before), abs(after))
    digits = 2 if size < 10 else 0 if size >= 1000 else 1
    spec = f"z.{digits}f"
    return f"{write_number(before, spec)} → {write_number(after, spec)}"


def write_fair(fair: float) -> str:
    """Return a fair share in percent: "50", "33.3", "25"."""
    return write_number(round(fair, 1), "g")


def write_small(plan: Plan) -> str:
    """Return the effects that are too small to matter, as in "1 point (seats, teams) or 3 points (strategies)"."""
    limits = plan.experiment.thresholds
    if not plan.game.sides.allow((RIVALS,)):
        return tr("{points} (games won)", points=write_limit(limits.won_change))
    return tr(
        "{seats} (seats, teams) or {strategies} (strategies)",
        seats=write_limit(limits.seats),
        strategies=write_limit(limits.strategies),
    )


def capital(text: str) -> str:
    """Return a sentence with a capital first letter."""
    return text[:1].upper() + text[1:]


def more_games(games: int) -> str:
    """Return how many more games would settle something, in two digits; above `MOST` without a number."""
    if games > MOST:
        return tr("more than a million more games")
    return trn("about {n:,} more game", "about {n:,} more games", int(float(f"{games:.2g}")))


def smallest_n(rows: pd.DataFrame, things: str = "") -> str:
    """Return the smallest ``n`` of some estimates and what it counts, as in "n ≥ 1,200 games"."""
    return f"n ≥ {write_number(int(rows['n'].min()), ',')} {things}".rstrip()


def smallest_n_on_deals(rows: pd.DataFrame) -> str:
    """Return the smallest ``n``, and the smallest number of deals if the rows have the column ``decks``."""
    if "decks" not in rows:
        return smallest_n(rows)
    least = int(rows["decks"].min())
    return trn(
        "{smallest} on at least {n:,} deal", "{smallest} on at least {n:,} deals", least, smallest=smallest_n(rows)
    )


def write_percent(row: Any, of: str = "") -> str:
    """Return a share with its interval, as in "53.9 (53.2 to 54.6) % of games"; `row` as for `write_estimate`."""
    return f"{write_estimate(row)} % {of}".rstrip()


def write_furthest(row: Any) -> str:
    """Return a share of `balance.analysis.shares.furthest_shares` with its interval, as in "53.9 (52.8 to 55.1)"."""
    return write_range(amount(row.value), amount(row.wide_low), amount(row.wide_high))


TIES_MATTER = 5.0
"""Percent of the games that a seat shares: from here on its wins alone and shared have figures of their own."""


def write_wins(wins: pd.DataFrame, players: int, variant: str, seat: int) -> str:
    """Return how many games a seat wins alone and how many it shares, as in " (58.1 % alone, 14.8 % shared)".

    `wins` answers `balance.analysis.shares.seat_wins_question`. "" where ties don't matter
    (`TIES_MATTER`).
    """
    cell = wins[(wins["players"] == players) & (wins["variant"] == variant) & (wins["seat"] == seat)]
    found = dict(zip(cell["measure"], cell["value"], strict=True))
    if not found.get(SHARED, 0) >= TIES_MATTER:
        return ""
    alone, shared = amount(found[ALONE]), amount(found[SHARED])
    return f" ({tr('{alone} % alone, {shared} % shared', alone=alone, shared=shared)})"


def write_change(row: Any, digits: int = 1) -> str:
    """Return an effect with its interval, all with signs, as in "+4.1 (+3.8 to +4.4)"."""
    return write_range(*(write_number(each, f"+.{digits}f") for each in (row.value, row.low, row.high)))


def write_points(row: Any, of: str = "") -> str:
    """Return an amount with its interval and its unit, as in "4.1 (3.8 to 4.4) points"."""
    return f"{write_estimate(row)} {of or tr('points')}"


def write_limit(points: float) -> str:
    """Return a limit in points, as in "1 point" or "3.33 points"; the form fits after "within"."""
    return trn("{n:.3g} point", "{n:.3g} points", points)


def write_range(value: str, low: str, high: str) -> str:
    """Return a value with its interval, as in "4.1 (3.8 to 4.4)"; all three are numbers as written."""
    return tr("{value} ({low} to {high})", value=value, low=low, high=high)


def no_interval(value: str) -> str:
    """Return a value without an interval, as written."""
    return tr("{value} (one deal gives no interval)", value=value)


def would_decide(games: int) -> str:
    """Return the end of a sentence about an open question: how many more games settle it; "" if `games` is 0."""
    return tr("; {more_games} would probably settle it", more_games=more_games(games)) if games else ""


_PLAIN, _APART = 10, 2  # from these values, and points between the ends, a range is written in whole numbers


def write_players_range(ranges: Mapping[str, tuple[float, float]], networks: int, unit: str) -> str:
    """Return between which values networks lie, as in "2nd seat 29 to 39 % between 9 equally strong players".

    `ranges` are the lowest and the highest value by name; a name may be "".
    """
    parts = []
    for name, ends in ranges.items():
        is_plain = ends[1] >= _PLAIN and ends[1] - ends[0] >= _APART  # else "23 to 23"
        low, high = (write_number(end, ".0f" if is_plain else ".1f") for end in ends)
        parts.append(" ".join(filter(None, (name, tr("{low} to {high}", low=low, high=high), unit))))
    return tr("{range} between {n} equally strong players", range=listed(parts), n=networks)


def signed(value: float) -> str:
    """Return a difference with its sign, and with a true minus sign."""
    return write_number(value, "+.1f").replace("-", "−")


def with_players(counts: Sequence[int]) -> str:
    """Return player counts, as in "2 and 3 players"."""
    n = counts[0] if len(counts) == 1 else 2
    return trn("{counts} player", "{counts} players", n, counts=listed(counts))


def count_players(players: int) -> str:
    """Return a player count as a heading or a label, as in "2 players"."""
    return trn("{n} player", "{n} players", players)


def by_players(rows: pd.DataFrame, write: Callable[[Any], str], things: str = "") -> str:
    """Return a row for each player count as one clause, as in "12 with 2 players, 9 with 3 and 7 with 4".

    With `things` it ends with the smallest n, as in "(n ≥ 1,200 games)".
    """
    first, *others = rows.itertuples()
    parts = [
        trn("{what} with {n} player", "{what} with {n} players", first.players, what=write(first)),
        *(tr("{what} with {players}", what=write(row), players=row.players) for row in others),
    ]
    return listed(parts) + (f" ({smallest_n(rows, things)})" if things else "")


def name_group(measure: Measure, group: str) -> str:
    """Return the name of a group for readers: "1st" for seat "0", a faction's name, a strategy as it is."""
    if measure.by == "seat" and group:
        return nth(int(group))
    return tr(dict(measure.groups).get(group, group)) if measure.groups else group


# Of measures by group, without the word for the group.
_LABELS_OF_GROUPS = (N_("win share of"), N_("score of"), N_("games won by"))


def name_of(measure: Measure, group: str = "") -> str:
    """Return a measure's label for a sentence, with its seat, strategy or faction."""
    if not group:
        return tr(measure.label)
    kind = "faction" if measure.groups else measure.by
    label = tr(measure.label.removesuffix(f" {kind}"))
    values = {"measure": label, "group": name_group(measure, group)}
    return tr("{measure} {group} seat", **values) if kind == "seat" else tr("{measure} {group}", **values)


def label_of(measure: Measure, group: str = "") -> str:
    """Return a measure's label for a cell or an axis, with its unit."""
    return name_of(measure, group) + (f", {tr(measure.unit)}" if measure.unit else "")


def fairest_words(points: pd.DataFrame) -> str:
    """Return which points of a sweep may be the fairest at one player count, from rows of `fairest_points`."""
    fairest = points[points["fairest"]]
    text = _which_are_fairest(points, fairest)
    if text is None:
        return tr("With {players} every value of the sweep gives the same games.", players=_counts(points))
    clauses = [text]
    for row in fairest[fairest["n"] > 0].itertuples():
        which = (
            tr("the furthest seat")
            if len(fairest) == 1
            else tr("the furthest seat at {point}, which looks best,", point=row.point)
        )
        clauses.append(
            tr(
                "{seat} is {value} points from fair ({low} to {high}, n = {n:,} held-out games)",
                seat=which, value=amount(row.value), low=amount(row.low), high=amount(row.high), n=row.n,
            )
        )  # fmt: skip
    return f"{'; '.join(clauses)}."


def _counts(points: pd.DataFrame) -> str:
    return with_players([points["players"].iloc[0]])


def _which_are_fairest(points: pd.DataFrame, fairest: pd.DataFrame) -> str | None:
    """Return a clause that names the fairest points; None if all points give the same games."""
    if points["equal"].all():
        return None
    values: dict[str, Any] = {"players": _counts(points)}
    others = len(points) - len(fairest)
    if not others:
        text = tr("With {players} no value is shown to be fairer than the other {n}", n=len(points) - 1, **values)
    elif len(fairest) == 1:
        text = tr("With {players} seats are fairest at {point}", point=fairest["point"].iloc[0], **values)
    else:
        few = len(fairest) <= MOST_NAMED
        named = listed(list(fairest["point"])) if few else tr("{n} values", n=len(fairest))
        text = tr(
            "With {players} {points} are not shown to differ in fairness; the other {n} are less fair",
            points=named, n=others, **values,
        )  # fmt: skip
    return text


_COMPONENTS = (N_("event deck"), N_("map"), N_("track"), N_("cards"), N_("events"))


def withheld_words(plan: Plan) -> str:
    """Return why verdicts on seats or strategies are withheld; "" if they are not (`Plan.unmixed`, `Plan.weak`)."""
    found = []
    if plan.unmixed:
        found.append(
            tr(
                "With {players} each strategy keeps its seat, so seats can't be told apart from strategies: verdicts "
                "on both are withheld. Rotate the line-ups, or play every strategy in every seat.",
                players=with_players(sorted(plan.unmixed)),
            )
        )
    found += [
        tr(
            "With {players} these players are weak: verdicts about seats are not shown as the rules'. Their training "
            "found: {reasons}.",
            players=with_players([players]),
            reasons=listed([write_weakness(each) for each in reasons]),
        )
        for players, reasons in plan.weak.items()
    ]
    return " ".join(found)


def write_gain(gain: Gain) -> str:
    """Return a gain with its interval and n."""
    digits = 3 if gain.is_score else 1
    values = (f"{each:+.{digits}f}" for each in (gain.value, gain.low, gain.high))
    value, low, high = values
    if gain.who == PERFECT:
        return tr("{value}, computed exactly", value=value)
    return tr("{value} ({low} to {high}, n = {n:,})", value=value, low=low, high=high, n=int(gain.n))


def write_weakness(gain: Gain) -> str:
    """Return why players are weak."""
    if gain.who == EXPLOITER:
        return tr("a player trained against them gains {gain}", gain=write_gain(gain))
    if gain.who == PERFECT:
        return tr("a perfect opponent gains {gain}", gain=write_gain(gain))
    return tr("they lose to {who}: {gain}", who=gain.who, gain=write_gain(gain))


def write_reconstruction(line: str) -> str:
    """Return a line of `list_reconstructions` in the language in use: a part of the game, its file, and the source."""
    if (whole := tr(line)) != line:
        return whole
    what, _, source = line.partition(": ")
    kind, quote, name = what.partition(" '")
    return f"{tr(kind)}{quote}{name}: {tr(source)}"


def write_estimate(row: Any, digits: int = 1) -> str:
    """Return a value with its interval, a dash for a missing one; `row` has ``value``, ``low`` and ``high``."""
    if math.isnan(row.value):
        return "–"
    value, low, high = (write_number(each, f"z.{digits}f") for each in (row.value, row.low, row.high))
    return write_range(value, low, high) if math.isfinite(row.low) else no_interval(value)


def write_quartiles(row: Any) -> str:
    """Return the lower and the upper quartile; `row` has ``lower`` and ``upper``."""
    return tr("{low:g} to {high:g}", low=row.lower, high=row.upper)


def write_median(row: Any) -> str:
    """Return a median with its interval; `row` as for `write_estimate`."""
    if not math.isfinite(row.low):
        return no_interval(write_number(row.value, "g"))
    return write_range(*(write_number(each, "g") for each in (row.value, row.low, row.high)))


def write_difference(row: Any, digits: int) -> str:
    """Return a difference of tiers with its interval, see `balance.analysis.tier_comparison.compare_tier`."""
    size, low, high = (
        write_number(each, f"+z.{digits}f") for each in (row.difference, row.difference_low, row.difference_high)
    )
    return write_range(size, low, high) if math.isfinite(row.difference_low) else size


def write_half(row: Any) -> str:
    """Return a value with half its interval; `row` has ``value``, ``low`` and ``high``."""
    half = (row.high - row.low) / 2
    value = write_number(row.value, "z.2f")
    return f"{value} ± {write_number(half, '.2f')}" if math.isfinite(half) else value
