"""Results that depend on the bots, shown before the findings: both figures, and the command that would settle them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from balance.analysis.changes import ROW_OF
from balance.analysis.tier_comparison import EFFECTS, SEATS, TARGETS, TierComparison, reversals
from balance.analysis.verdicts import COMEBACKS, LENGTH
from balance.experiments.command import run_words
from balance.experiments.plan import Plan
from balance.foundation.text import listed
from balance.foundation.toml import write_value
from balance.report.grid import Judged
from balance.report.screen import Doubt
from balance.report.words import amount, ordinal, signed, with_players

MOST = 3
"""Doubts on the first screen; the section on tiers lists all."""
_TRY = 1_000  # games of searchers in each cell, to start with
_DEEPER = 4  # factor on the iterations of the strongest searcher that played


def find_doubts(judged: Judged, held: Mapping[str, TierComparison]) -> list[Doubt]:
    """Return the results that reverse between tiers: seats, effects, comebacks and length; largest difference first.

    Of the results of one kind at a player count one is shown, preferably the baseline's. The section on tiers lists
    all.
    """
    first = next(iter(judged.cells))
    found: list[tuple[float, Doubt]] = []
    for kind in (SEATS, EFFECTS):
        if kind not in held:
            continue
        table = reversals(held[kind].table)
        table = table[table["measure"].isin(ROW_OF)]
        table = table.assign(size=table["difference"].abs(), own=table["variant"] != judged.baseline)
        for _, rows in table.groupby(["players", "measure", "tier"], sort=False):
            best = rows.sort_values(["own", "size"], ascending=[True, False], kind="stable")
            told = next(best.itertuples())
            words = _seat(told, first) if kind == SEATS else _effect(told, first)
            variants = listed(list(dict.fromkeys(best["variant"])))
            found.append((told.size, Doubt(f"{variants}, {with_players([told.players])}", words)))
    found.sort(key=lambda each: -each[0])
    return [doubt for _, doubt in found] + _words(judged)


def _seat(row: Any, first: str) -> str:
    wins = f"{row.variant}: with {first} the {ordinal(int(row.group))} player wins {_share(row)}"
    return f"{wins}, with {row.tier} {_share(row, '_other')}."


def _share(row: Any, whose: str = "") -> str:
    value, low, high = (getattr(row, f"{name}{whose}") for name in ("value", "low", "high"))
    return f"{amount(value)} % ({amount(low)} to {amount(high)}, n = {getattr(row, f'n{whose}'):,})"


def _effect(row: Any, first: str) -> str:
    what = "winners from behind" if row.measure == "comeback" else "the length"
    if row.measure == "seat_win_share":
        what = f"the {ordinal(int(row.group))} player's wins"
    unit = "minutes" if row.measure == "minutes" else "points"

    def change(whose: str = "") -> str:
        value, low, high = (getattr(row, f"{name}{whose}") for name in ("value", "low", "high"))
        n, deals = (getattr(row, f"{name}{whose}") for name in ("n", "clusters"))
        return f"{signed(value)} ({signed(low)} to {signed(high)}, n = {n:,} pairs on {deals:,} deals)"

    moved = f"{row.variant} moves {what} by {change()} {unit} with {first}"
    return f"{moved}, by {change('_other')} with {row.tier}."


def _words(judged: Judged) -> list[Doubt]:
    """Return comebacks, lengths and targets whose verdict word differs between tiers."""
    cells = {tier: judged.in_tier(tier) for tier in judged.cells}
    first = next(iter(cells))
    found = []
    for place, tiers in judged.reversals.items():
        row, players, variant = place
        if row not in (COMEBACKS, LENGTH, TARGETS):
            continue
        shown = [first, *sorted(tiers)]
        parts = [f"{tier} {_word(cells[tier][place])}" for tier in shown if place in cells[tier]]
        what = {COMEBACKS: "Winners from behind", LENGTH: "Length"}.get(row, "Targets")
        found.append(Doubt(f"{variant}, {with_players([players])}", f"{what}: {'; '.join(parts)}."))
    return found


def _word(cell: Any) -> str:
    if cell.row == TARGETS:
        return f"{cell.word} met"
    unit = "%" if cell.row == COMEBACKS else "minutes"
    return f"{cell.word}, {amount(cell.value)} {unit} ({amount(cell.low)} to {amount(cell.high)}, n = {cell.n:,})"


def settle(plan: Plan) -> str:
    """Return the command that plays the same deals with a stronger searcher than any that played."""
    experiment = plan.experiment
    deepest = max(tier.iterations for tier in plan.tiers)
    strategy = f"search-{_DEEPER * deepest}" if deepest else "search-100"
    games = max(tier.games for tier in plan.tiers if tier.iterations == deepest)
    words = run_words(
        experiment.game, experiment.players, experiment.variants, [strategy], min(games, _TRY)
    )
    words += ["--seed", str(experiment.seed), "--log", experiment.log, "--out", f"runs/{strategy}"]
    return shlex.join(["balance", *words])


def who_plays(plan: Plan) -> str:
    """List the strategies of the active tier, and the mistakes that its profiles make."""
    names = ", ".join(strategy.name for strategy in plan.tier.strategies)
    keys = plan.experiment.every_tier[plan.active_tier]
    if keys.loss:
        return f"{names}; mistakes cost each profile {100 * keys.loss:g} % of its wins"
    return (
        names if keys.temperature is None else f"{names}, profiles at temperature {keys.temperature:g}"
    )


def not_tried(plan: Plan) -> str:
    """Return the note that only one tier played, and how to add a stronger one: a command, and experiment keys."""
    own = plan.experiment.every_tier[0]
    games, key = min(own.games, _TRY), "strategies" if own.strategies else "lineups"
    tiers = [
        {"name": "styles", key: getattr(own, key), "games": own.games},
        {"name": "search", "strategies": ["search-100"], "games": games},
    ]
    return (
        "Stronger play was not tried: these results show how these strategies play, and stronger ones may reverse "
        "them. To check, play the same deals with searchers (balance run ... --strategies search-100 --games "
        f"{games}). Or play both in one run, and the page shows what holds with both: in the experiment file, replace "
        f"{key} and games by [[tiers]], as in: tiers = {write_value(tiers)}"
    )
