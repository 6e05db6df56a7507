"""What was played: games, deals and statuses of every cell, and how the run ended."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.ended import MOST, Played, broken_cells
from balance.analysis.gather import Answers, gather, in_plan_order
from balance.analysis.question import Question
from balance.analysis.sequences import cell_level, seat_verdicts
from balance.foundation.text import amount, listed, nth
from balance.report.context import ReportContext
from balance.report.doubts import who_plays
from balance.report.model import Section, Table
from balance.runs.folder import RunFolder

ORDER = 10


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the question about the games of each cell."""
    return [Played()]


def write_alone(run: RunFolder) -> Section:
    """Write the section for a page that asks nothing else of the run in this way."""
    context = ReportContext(run)
    return write(context, gather(run, questions(context)))


def write(context: ReportContext, answers: Answers) -> Section:
    """Write the number of games in each cell, and how the run ended."""
    cells = answers[Played()].copy()
    cells["decisions a game"] = cells.pop("decisions") / cells["games"]
    info = context.run.info
    experiment = context.plan.experiment
    how = "rotated through all seats" if experiment.rotate else "kept in their seats"
    alike = "all variants and tiers" if context.other_tiers else "all variants"
    text = [
        f"Strategies: {who_plays(context.plan)}. Line-ups were {how}; {alike} played the same deals. "
        f"Seed{'' if len(context.plan.seeds) == 1 else 's'} {listed(list(context.plan.seeds))}.",
        f"Package {info['package_version']}, source {info['source_hash']}, started {info['started']}.",
    ]
    if context.plan.members:
        text.append(_pooled(context))
    elif grown := sorted({*context.plan.tier.earlier} - {context.plan.tier.most_games}):
        text.append(
            f"The run was extended: before, a cell had at most {listed([f'{games:,}' for games in grown])} games."
        )
    whole = ("games", "deals", "truncated", "draws")
    formats = {**dict.fromkeys(whole, ",.0f"), "decisions a game": ".1f"}
    shown = cells.rename(columns={"decks": "deals"})
    tables = [Table("played", "Games played.", shown, formats, cells)]
    if context.plan.experiment.stop:
        tables.append(_stopped(context, cells))
        text.append(
            "Cells were played until every seat was decided. The bounds below hold at all interim analyses together "
            f"(confidence sequences; {100 * cell_level(context.plan):.2g} % error a cell, 5 % for the run, in addition "
            "to the page's other verdicts), so they stay valid after an early stop. All other intervals of this "
            "report assume a fixed sample size; after an early stop they are descriptive only."
        )
    warnings = _warnings(context, answers[Played()])
    return Section("played", "What was played", text, tables=tables, warnings=warnings, rest=True)


def _pooled(context: ReportContext) -> str:
    """Return which runs were pooled, and what they have in common."""
    tier = context.plan.tier.name
    runs = [
        f"{member.run} (seed {member.seed}, at most {member.games[tier]:,} games in a cell)"
        for member in context.plan.members
    ]
    alike = "rules" if len(context.plan.seeds) > 1 else "deals"
    return f"Pooled from {listed(runs)}. These runs have the same {alike}, strategies and package."


def _stopped(context: ReportContext, cells: pd.DataFrame) -> Table:
    """Return a table of the bounds of every seat, for a run with a stop rule."""
    stop = context.plan.experiment.stop
    assert stop is not None
    games = {(row.players, row.variant): int(row.games) for row in cells.itertuples()}
    parts = []
    for cell in context.plan.tier_cells:
        key = {"players": cell.players, "variant": cell.variant.name}
        played = games[cell.players, cell.variant.name]
        parts.append(seat_verdicts(context.run, cell, played, stop.threshold_points).assign(**key))
    found = pd.concat(parts, ignore_index=True)
    frame = in_plan_order(context.plan, found, ["players", "variant", "seat"])
    raw = frame[["players", "variant", "seat", "low", "high", "verdict", "games"]]
    shown = raw.assign(seat=[nth(seat) for seat in raw["seat"]])
    caption = (
        "Bounds of each seat's win share when play stopped, %. Within the limit: shown to lie within "
        f"{amount(stop.threshold_points, 'point')} of fair. Above or below fair: shown to differ from fair, by any "
        "amount."
    )
    return Table("stopped", caption, shown, {"low": ".2f", "high": ".2f", "games": ","}, raw)


def _warnings(context: ReportContext, cells: pd.DataFrame) -> list[str]:
    """Return a warning if there is no expert, and one for each cell with truncated games."""
    limit = context.plan.experiment.decision_limit
    broken = broken_cells(cells)
    missing = [
        f"{context.plan.game.title} has no expert: champion played instead."
    ] * context.plan.lacks_expert
    return missing + [
        (
            f"{row.variant}: {int(row.truncated):,} of {int(row.games):,} games with {row.players} players were "
            f"broken off after {limit:,} decisions. They are left out."
            + (
                f" Because they are more than {100 * MOST:g} % of the games, all verdicts are withheld."
                if (row.players, row.variant) in broken
                else ""
            )
        )
        for row in cells.itertuples()
        if row.truncated
    ]
