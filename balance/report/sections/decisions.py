"""Decisions that matter: how much a choice matters and what the choices made cost, as judged by a searcher."""

from __future__ import annotations

import pandas as pd

from balance.analysis.decisions import AGREED, ALL, CLOSE, GAP, LOST, MATTERS, STAGES, most_at_stake
from balance.analysis.gather import Answers, in_plan_order
from balance.analysis.holdout import of_all_decks
from balance.analysis.question import sort_rows
from balance.foundation.language import N_, tr, trc, trn
from balance.report.context import ReportContext
from balance.report.kit import in_variant_order, name_largest, of_tier, run_argument, write_headlines
from balance.report.model import Headline, Section, Table
from balance.report.words import write_estimate
from balance.runs.sidecar import DECISIONS
from balance.runs.strength import plays_positions_again, read_tier_rows

ORDER = 75
MEASURES = {
    GAP: N_("best to second best, points"),
    CLOSE: N_("within 1 point, % of decisions"),
    LOST: N_("best to the choice made, points"),
    AGREED: N_("best chosen, % of decisions"),
    MATTERS[1]: N_("best to median 1 point or more, %"),
    MATTERS[3]: N_("3 or more, %"),
    MATTERS[10]: N_("10 or more, %"),
}
JUDGED = N_(
    "{judge} watched some games{tier} and, at randomly drawn choices, named the best, the second best and the median "
    "action (half of the legal ones are better; those that the searcher leaves out are the worst). Separate playouts, "
    "on deals that all share, then estimated the value of these and of the action taken: "
    "points of the seat's chance to win, as the searcher estimates it a few decisions later if all play as it expects. "
    "These are estimates of a searcher that is too sure of the others' replies, not counts of wins. Losses do not add "
    "up over a game: a later choice may still gain what an earlier one left. Intervals are clustered on deals. Stages "
    "are thirds of a game's decisions."
)
NOT_JUDGED = N_(
    "This run did not measure which decisions matter. To measure it: balance decisions {run}, then write this report "
    "again."
)


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write how much each kind of decision matters and what choices lose, or the command that can measure it."""
    table = context.of_shown(read_tier_rows(context.run, DECISIONS))
    if table.empty and not plays_positions_again(context.run):
        return None
    if table.empty:
        text = tr(NOT_JUDGED, run=run_argument(context))
        return Section("decisions", tr("Decisions that matter"), [text], rest=True)
    table = in_plan_order(context.plan, table, ["players", "variant"])
    judge = str(table["judge"].iloc[0])
    text = tr(JUDGED, judge=judge, tier=of_tier(context, str(table["tier"].iloc[0])))
    whole = of_all_decks(table)
    headlines = [*_lost(whole, judge), *write_headlines(most_at_stake(table), _largest_gaps)]
    by_players = whole.groupby("players", sort=False)
    return Section(
        "decisions",
        tr("Decisions that matter"),
        [text],
        in_variant_order(context, headlines),
        tables=[_table(int(players), part, judge) for players, part in by_players],
    )


def _table(players: int, part: pd.DataFrame, judge: str) -> Table:
    """Return a table with a row for each kind, and for each stage of all kinds; the CSV has each kind by stage."""
    shown = part[(part["kind"] == ALL) | (part["stage"] == ALL)]
    rows = []
    for key, cell in shown.groupby(["variant", "kind", "stage"], sort=False):
        by_measure = {row.measure: row for row in cell.itertuples()}
        written = [write_estimate(by_measure[name]) if name in by_measure else "–" for name in MEASURES]
        variant, kind, stage = key
        words = (trc("kinds", "all") if kind == ALL else tr(kind), _write_stage(stage))
        rows.append((variant, *words, *written, int(by_measure[LOST].n)))
    frame = pd.DataFrame(rows, columns=["variant", "kind", N_("stage"), *MEASURES.values(), "n"])
    frame = sort_rows(frame.sort_values("n", ascending=False, kind="stable"), ["variant"], part["variant"])
    caption = trn(
        "Decisions, {n} player, judged by {judge}: points of win chance, by kind and by thirds of the game. 95 % "
        "intervals; n counts decisions.",
        "Decisions, {n} players, judged by {judge}: points of win chance, by kind and by thirds of the game. 95 % "
        "intervals; n counts decisions.",
        players, judge=judge,
    )  # fmt: skip
    name = f"decisions-{players}"
    return Table(name, caption, frame, {"n": ","}, part, importance=frame["n"].to_list())


def _write_stage(stage: str) -> str:
    """Return the third of a game in words, or all of it."""
    words = {
        STAGES[0]: trc("stage", "early"),
        STAGES[1]: trc("stage", "middle"),
        STAGES[2]: trc("stage", "late"),
        ALL: trc("stage", "all"),
    }
    return words[stage]


def _lost(whole: pd.DataFrame, judge: str) -> list[Headline]:
    """Return what the choices made lose, a sentence for each variant."""

    def write(rows: pd.DataFrame) -> str:
        lost, agreed = (rows[rows["measure"] == name].itertuples() for name in (LOST, AGREED))
        parts = [
            trn(
                "{loss} points with {n} player ({share:.0f} % of choices are its best; n = {decisions})",
                "{loss} points with {n} players ({share:.0f} % of choices are its best; n = {decisions})",
                loss.players,
                loss=write_estimate(loss),
                share=best.value,
                decisions=loss.n,
            )
            for loss, best in zip(lost, agreed, strict=True)
        ]
        return tr("{judge} judges that a choice loses on average {parts}", judge=judge, parts="; ".join(parts))

    return write_headlines(whole[(whole["kind"] == ALL) & (whole["stage"] == ALL)], write)


def _largest_gaps(rows: pd.DataFrame) -> str:
    """Return the kinds of decision of a variant that matter most."""
    parts = [
        trn(
            "{kind} with {n} player, {gap} points (n = {decisions:,})",
            "{kind} with {n} players, {gap} points (n = {decisions:,})",
            row.players,
            kind=name_largest(row, "kind"),
            gap=write_estimate(row),
            decisions=row.n,
        )
        for row in rows.itertuples()
    ]
    return tr("largest gap from best to second best, on held-out deals: {parts}", parts="; ".join(parts))
