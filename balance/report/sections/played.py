"""What was played: games, decks and statuses of every cell, and how a run ended."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers, in_plan_order
from balance.analysis.question import Question
from balance.analysis.sequences import cell_level, seat_verdicts
from balance.analysis.unfinished import MOST, Played, broken_cells
from balance.contract.words import listed, nth
from balance.report.doubts import who_plays
from balance.report.facts import Facts
from balance.report.model import Section, Table
from balance.report.section import Written

PLACE = 10


def questions(facts: Facts) -> Sequence[Question]:
    """How many games of what."""
    return [Played()]


def write(facts: Facts, answers: Answers) -> Written:
    """How many games of what, and how the run ended."""
    cells = answers[Played()].copy()
    cells["decisions a game"] = cells.pop("decisions") / cells["games"]
    info = facts.run.info
    experiment = facts.plan.experiment
    how = "rotated through all seats" if experiment.rotate else "held in their seats"
    alike = "all variants and tiers" if facts.other_tiers else "all variants"
    text = [
        f"Strategies: {who_plays(facts.plan)}. Line-ups were {how} on the same decks; {alike} met the same decks. "
        f"Seed{'' if len(facts.plan.seeds) == 1 else 's'} {listed(list(facts.plan.seeds))}.",
        f"Package {info['package_version']}, source {info['source_hash']}, started {info['started']}.",
    ]
    if facts.plan.members:
        text.append(_pooled(facts))
    elif grown := sorted({*facts.plan.tier.earlier} - {facts.plan.tier.most_games}):
        text.append(
            f"The run was made longer: a cell had at most {listed([f'{games:,}' for games in grown])} games before."
        )
    whole = ("games", "decks", "truncated", "draws")
    formats = {**dict.fromkeys(whole, ",.0f"), "decisions a game": ".1f"}
    tables = [Table("played", "Games played.", cells, formats)]
    if facts.plan.experiment.stop:
        tables.append(_stopped(facts, cells))
        text.append(
            "Cells were played until every seat was decided. The bounds below hold at all looks at once "
            f"(confidence sequences; {100 * cell_level(facts.plan):.2g} % error a cell, 5 % for the run, beside the "
            "page's other verdicts), so that stopping early does no harm; other intervals of this report are "
            "of fixed size and, after such a stop, describe rather than prove."
        )
    return Written(
        Section("played", "What was played", text, tables=tables), _warnings(facts, answers[Played()])
    )


def _pooled(facts: Facts) -> str:
    """Which runs these games are of, and what they have in common."""
    tier = facts.plan.tier.name
    runs = [
        f"{member.run} (seed {member.seed}, at most {member.games[tier]:,} games in a cell)"
        for member in facts.plan.members
    ]
    alike = "rules" if len(facts.plan.seeds) > 1 else "decks"
    return f"Pooled of {listed(runs)}: of the same {alike}, strategies and package."


def _stopped(facts: Facts, cells: pd.DataFrame) -> Table:
    """Bounds of every seat where a stop rule was at work."""
    stop = facts.plan.experiment.stop
    assert stop is not None
    games = {(row.players, row.variant): int(row.games) for row in cells.itertuples()}
    parts = [
        seat_verdicts(
            facts.run, cell, games[cell.players, cell.variant.name], stop.threshold_points
        ).assign(players=cell.players, variant=cell.variant.name)
        for cell in facts.plan.tier_cells
    ]
    frame = in_plan_order(
        facts.plan, pd.concat(parts, ignore_index=True), ["players", "variant", "seat"]
    )
    raw = frame[["players", "variant", "seat", "low", "high", "verdict", "games"]]
    shown = raw.assign(seat=[nth(seat) for seat in raw["seat"]])
    caption = (
        "Where the seats stood when play stopped: percent of wins. Within the limit: shown to lie within "
        f"{stop.threshold_points:g} points of fair. Above or below fair: shown to differ from fair, by however little."
    )
    return Table("stopped", caption, shown, {"low": ".2f", "high": ".2f", "games": ","}, raw)


def _warnings(facts: Facts, cells: pd.DataFrame) -> list[str]:
    """Games that were broken off come before all else."""
    limit = facts.plan.experiment.decision_limit
    broken = broken_cells(cells)
    return [
        (
            f"{row.variant}: {int(row.truncated):,} of {int(row.games):,} games with {row.players} players were "
            f"broken off after {limit:,} decisions. They are left out"
            + (
                f", and being more than {100 * MOST:g} % they leave no verdict standing."
                if (row.players, row.variant) in broken
                else "."
            )
        )
        for row in cells.itertuples()
        if row.truncated
    ]
