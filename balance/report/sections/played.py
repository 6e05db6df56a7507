"""What was played: games, deals and statuses of every cell, and how the run ended."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.ended import Played, notes_on_games
from balance.analysis.gather import Answers, gather, in_plan_order
from balance.analysis.question import Question
from balance.analysis.sequences import cell_level, seat_verdicts
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.text import listed, nth
from balance.report.context import ReportContext
from balance.report.doubts import who_plays
from balance.report.model import Section, Table
from balance.report.words import withheld_words, write_limit
from balance.runs.folder import RunFolder

ORDER = 10
STOPPED = N_(
    "Cells were played until every seat was decided. The bounds below hold at all interim analyses "
    "together (confidence sequences; {error:.2g} % error a cell, 5 % for the run, in addition to the "
    "page's other verdicts), so they stay valid after an early stop. All other intervals of this report "
    "assume a fixed sample size; after an early stop they are descriptive only."
)


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
    cells[N_("decisions a game")] = cells.pop("decisions") / cells["games"]
    repeated = (cells["distinct_games"] < cells["games"]).any()
    whole = (N_("games"), N_("distinct games"), N_("deals"), N_("truncated"), N_("draws"))
    formats = {**dict.fromkeys(whole, ",.0f"), "decisions a game": ".1f"}
    shown = cells.rename(columns={"decks": "deals", "distinct_games": "distinct games"})
    shown = shown if repeated else shown.drop(columns="distinct games")
    text, tables = _text(context), [Table("played", tr("Games played."), shown, formats, cells)]
    if context.plan.experiment.stop:
        tables.append(_stopped(context, cells))
        text.append(tr(STOPPED, error=100 * cell_level(context.plan)))
    warnings = _warnings(context, answers[Played()])
    return Section("played", tr("What was played"), text, tables=tables, warnings=warnings, rest=True)


def _text(context: ReportContext) -> list[str]:
    """Return who played which deals, with which package, and from which runs."""
    plan, info = context.plan, context.run.info
    parts = [
        tr("Strategies: {who}.", who=who_plays(plan)),
        tr("Line-ups were rotated through all seats.")
        if plan.experiment.rotate
        else tr("Line-ups were kept in their seats."),
        tr("All variants and tiers played the same deals.")
        if context.other_tiers
        else tr("All variants played the same deals."),
        trn("Seed {seeds}.", "Seeds {seeds}.", len(plan.seeds), seeds=listed(list(plan.seeds))),
    ]
    source = tr(
        "Package {version}, source {source}, started {started}.",
        version=info["package_version"],
        source=info["source_hash"],
        started=info["started"],
    )
    text = [" ".join(parts), source]
    if plan.members:
        text.append(_pooled(context))
    elif grown := sorted({*plan.tier.earlier} - {plan.tier.most_games}):
        games = listed([write_number(games, ",") for games in grown])
        text.append(tr("The run was extended: before, a cell had at most {games} games.", games=games))
    return text


def _pooled(context: ReportContext) -> str:
    """Return which runs were pooled, and what they have in common."""
    tier = context.plan.tier.name
    runs = [
        tr(
            "{run} (seed {seed}, at most {games:,} games in a cell)",
            run=member.run,
            seed=member.seed,
            games=member.games[tier],
        )
        for member in context.plan.members
    ]
    if len(context.plan.seeds) > 1:
        return tr("Pooled from {runs}. These runs have the same rules, strategies and package.", runs=listed(runs))
    return tr("Pooled from {runs}. These runs have the same deals, strategies and package.", runs=listed(runs))


def _stopped(context: ReportContext, cells: pd.DataFrame) -> Table:
    """Return a table of the bounds of every seat, for a run with a stop rule."""
    stop = context.plan.experiment.stop
    assert stop is not None
    games = {(row.players, row.variant): int(row.games) for row in cells.itertuples()}
    parts = []
    for cell in context.plan.tier_cells:
        key = {"players": cell.players, "variant": cell.variant.name}
        played = games[cell.players, cell.variant.name]
        parts.append(
            seat_verdicts(context.run, cell, played, stop.limit(context.plan.fair_share(cell.players))).assign(**key)
        )
    found = pd.concat(parts, ignore_index=True)
    frame = in_plan_order(context.plan, found, ["players", "variant", "seat"])
    raw = frame[["players", "variant", "seat", "low", "high", "verdict", "games"]]
    shown = raw.assign(seat=[nth(seat) for seat in raw["seat"]])
    limits = dict.fromkeys(stop.limit(context.plan.fair_share(players)) for players in context.plan.experiment.players)
    caption = tr(
        "Bounds of each seat's win share when play stopped, %. Within the limit: shown to lie within {limits} of fair. "
        "Above or below the limit: shown to lie further from fair.",
        limits=listed([write_limit(limit) for limit in limits]),
    )
    return Table("stopped", caption, shown, {"low": ".2f", "high": ".2f", "games": ","}, raw)


def _warnings(context: ReportContext, cells: pd.DataFrame) -> list[str]:
    """Return warnings: no expert, tiers that don't count, kept seats, repeated games and ties, and truncated games."""
    missing = [
        tr("{game} has no expert: champion played instead.", game=context.plan.game.title)
    ] * context.plan.lacks_expert
    strongest, counted = context.speakers.strongest, context.speakers.speaking
    alone = []
    for tier in context.speakers.doubting(strongest):
        if tier not in counted:
            text = tr(
                "{tier} has one network, so its numbers hold for this network alone, and {other} counts instead. Train "
                "several networks: they play as one strategy.",
                tier=tier, other=strongest,
            )  # fmt: skip
            alone.append(f"{text} {withheld_words(context.asked[tier].plan)}".strip())
    return [*missing, *alone, *filter(None, [withheld_words(context.plan)]), *notes_on_games(context.plan, cells)]
