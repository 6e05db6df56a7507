"""What the tiers say of a finding: it depends on the bots, all share it, or others are undecided."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import pandas as pd

from balance.analysis.tiers import AGREES, DIFFERS, KEYS, UNDECIDED, left_undecided
from balance.plan.plan import Plan
from balance.report.model import Finding, Subject, write_difference, write_estimate

HELD = (
    "Several sets of bots, the tiers, played the same decks. This page is about tier {tier}, and says of each finding "
    "whether {others} show it too. What differs between tiers depends on the bots, and is no finding about "
    "the rules."
)
_FIRST = 50.0  # added to the weight of what depends on the bots, so that it comes before what does not
_TRY = 1_000  # games of searchers in each cell, for a first look
_MOST = 4  # rows of a tier that are told one by one


@dataclass(frozen=True)
class Heading:
    """How other tiers stand to what a finding says.

    Attributes
    ----------
    against : tuple of str
        Tiers that show otherwise; empty where none does.
    shared : bool
        Whether every tier shows the same.
    words : str
        What they show, a clause for each.
    """

    against: tuple[str, ...]
    shared: bool
    words: str


def headed(finding: Finding, tier: str, headings: Mapping[Subject, Heading]) -> Finding:
    """A finding about a tier with what the others say of it; alone where they were not asked."""
    found = headings.get(finding.subject)
    if found is None:
        return replace(finding, heading=f"Seen with {tier} only")
    text = f"With {tier}: {finding.text} With {found.words}"
    if not found.against:
        lead = "All tiers agree" if found.shared else "Not decided in all tiers"
        return replace(finding, text=text, heading=lead)
    lead = f"Depends on the bots, {tier} against {' and '.join(found.against)}"
    return Finding(text, "tiers", finding.weight + _FIRST, finding.subject, lead)


def who_plays(plan: Plan) -> str:
    """The strategies of the tier that is read, and what mistakes its profiles make."""
    names = ", ".join(strategy.name for strategy in plan.tier.strategies)
    keys = plan.experiment.every_tier[plan.reading]
    if keys.loss:
        return f"{names}; profiles make mistakes that cost each {100 * keys.loss:g} % of its wins"
    return (
        names if keys.temperature is None else f"{names}, profiles at temperature {keys.temperature:g}"
    )


def not_tried(plan: Plan) -> str:
    """That one tier played and none was stronger, and how to have one: a command, and the keys of an experiment."""
    own = plan.experiment.every_tier[0]
    games, key = min(own.games, _TRY), "strategies" if own.strategies else "lineups"
    tiers = [
        {"name": "styles", key: getattr(own, key), "games": own.games},
        {"name": "search", "strategies": ["search-100"], "games": games},
    ]
    return (
        "Stronger play was not tried: all here is what these bots make of the rules, and others may turn it round. To "
        f"see, play the same decks with searchers too (balance run ... --strategies search-100 --games {games}), or "
        f"both in one run, and the page says what holds with both: in the experiment file, in the place of {key} and "
        f"games, [[tiers]] as in: tiers = {_as_toml(tiers)}"
    )


def _as_toml(value: Any) -> str:
    """Tables, lists, texts and numbers on one line."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_as_toml(each)}' for key, each in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_as_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


class _Clause(NamedTuple):
    tier: str
    relation: str
    words: str


def _heading(clauses: Iterable[_Clause]) -> Heading:
    found = list(clauses)
    against = dict.fromkeys(clause.tier for clause in found if clause.relation == DIFFERS)
    shared = all(clause.relation == AGREES for clause in found)
    return Heading(tuple(against), shared, f"{'; with '.join(clause.words for clause in found)}.")


def seat_headings(held: pd.DataFrame, variant: str) -> dict[Subject, Heading]:
    """Of every seat that a finding may name: it, or all seats of its player count that differ."""
    found: dict[Subject, Heading] = {}
    for players, cell in held[held["variant"] == variant].groupby("players"):
        tiers = [(str(tier), rows) for tier, rows in cell.groupby("tier", sort=False)]
        for seat in cell["group"].unique():
            clauses = (_of_seats(tier, rows, int(seat)) for tier, rows in tiers)
            found["seats", int(players), int(seat)] = _heading(clauses)
    return found


def _of_seats(tier: str, rows: pd.DataFrame, seat: int) -> _Clause:
    apart = rows[rows["relation"] == DIFFERS]
    if len(rows) == 2:
        apart = apart[apart["group"] == seat]  # the other is what is left
    if len(apart):
        return _listed(tier, [f"seat {row.group} {_told(row, '%')}" for row in apart.itertuples()])
    (named,) = rows[rows["group"] == seat].itertuples()
    words = f"{tier}: seat {seat} {_told(named, '%')}"
    undecided = int((rows["relation"] == UNDECIDED).sum())
    if not undecided:
        return _Clause(tier, AGREES, words)
    return _Clause(tier, UNDECIDED, f"{words} ({undecided} of {len(rows)} seats undecided)")


def target_headings(held: pd.DataFrame) -> dict[Subject, Heading]:
    """Of each player count: the checks that one tier is shown to pass and another to fail."""
    return {
        ("targets", int(players)): _heading(
            _of_checks(str(tier), rows) for tier, rows in cell.groupby("tier", sort=False)
        )
        for players, cell in held.groupby("players")
    }


def _of_checks(tier: str, rows: pd.DataFrame) -> _Clause:
    apart = rows[rows["relation"] == DIFFERS]
    if len(apart):
        told = [
            " ".join((row.variant, row.measure, str(row.group), _told(row, "")))
            for row in apart.itertuples()
        ]
        return _listed(tier, told)
    alike = int((rows["relation"] == AGREES).sum())
    words = f"{tier}: {alike} of {len(rows)} checks come out alike"
    if alike == len(rows):
        return _Clause(tier, AGREES, words)
    return _Clause(tier, UNDECIDED, f"{words}, the others are undecided")


def _listed(tier: str, told: list[str]) -> _Clause:
    """Rows that differ, one by one as far as there is room."""
    more = f"; and {len(told) - _MOST} more" if len(told) > _MOST else ""
    return _Clause(tier, DIFFERS, f"{tier}: {'; '.join(told[:_MOST])}{more}")


def row_headings(held: pd.DataFrame, kind: str, units: Mapping[str, str]) -> dict[Subject, Heading]:
    """Of every row by its keys; `units` are those of the measures, of a difference or not."""
    return {
        (kind, *key): _heading(
            _Clause(row.tier, row.relation, f"{row.tier}: {_told(row, units[row.measure])}")
            for row in rows.itertuples()
        )
        for key, rows in held.groupby(KEYS, sort=False)
    }


def _told(row: Any, unit: str) -> str:
    """What another tier shows; where it differs, with what the first does."""
    words = f"{row.verdict_other}, {_figure(row, unit, '_other')}"
    if row.relation != DIFFERS:
        return words
    words += f" (here {row.verdict}, {_figure(row, unit)}"
    if row.difference_verdict:
        known = "not sure itself" if left_undecided(row.difference_verdict) else "which is shown"
        words += f"; a difference of {write_difference(row, 1)}, {known}"
    return f"{words})"


def _figure(row: Any, unit: str, whose: str = "") -> str:
    ends = {name: getattr(row, f"{name}{whose}") for name in ("value", "low", "high")}
    shown = SimpleNamespace(**ends)
    return f"{write_estimate(shown)} {unit}".rstrip() + f", n = {int(getattr(row, f'n{whose}')):,}"
