"""Where seats place pawns, and how their win share differs, by round and by order; from traced games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from balance.analysis.gather import LEAST_GAMES, Answers, traced_cells
from balance.analysis.holdout import estimate_on_holdout, of_all_decks, with_all_decks
from balance.analysis.question import Question, interval_columns, intervals_of, moments
from balance.games.na_grunwald.rules.decks import FIELDS
from balance.report.context import ReportContext
from balance.report.figures.curves import draw_matrix
from balance.report.model import Figure, Headline, Section, Table, write_estimate
from balance.report.section import Written, matrices, side_by_side, stem
from balance.report.words import by_players
from balance.runs.folder import RunFolder
from balance.stats.intervals import difference_of

BY_ROUND, BY_ORDER = "round", "order"
"""Groupings of placements: by round, or by their order among the seat's placements of a round."""
LAST_ORDER = 4
"""This order stands for itself and all later placements of a seat in a round."""
LEAST_DECKS = 20
"""Fewest deals with, and without, a placement on a field for which its worth is estimated."""


def read_placements(run: RunFolder, variants: Sequence[str]) -> pd.DataFrame:
    """Return how often seats place on each field, and how their win share differs from that of other seats.

    By round: the share of seats that place there at least once. By order: the share of first, second, ... placements
    of a round that go there. Win shares are compared after subtracting the mean of the same strategy in the same
    seat, so that differences between strategies do not count as effects of a field. The results are associations.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``by`` (`BY_ROUND` or `BY_ORDER`), ``slot``, ``field``, ``half`` (0, 1, or
        all deals), ``measure`` (``chosen``: percent, or ``worth``: points of win share), ``value``, ``low``,
        ``high``, ``n``, ``decks``; no rows where too few games were traced. Estimates from too few deals are left out.
    """
    parts = []
    for cell, connection, games in traced_cells(run, variants):
        ended = f"SELECT count(*) FROM games WHERE status <> 'truncated' AND {games}"
        if connection.execute(ended).fetchall()[0][0] >= LEAST_GAMES:
            sums = connection.execute(_sql(games)).df()
            parts.append(_estimates(sums).assign(players=cell.players, variant=cell.variant.name))
    columns = [
        "players",
        "variant",
        "by",
        "slot",
        "field",
        "half",
        "measure",
        "value",
        "low",
        "high",
        "n",
        "decks",
    ]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _sql(games: str) -> str:
    """Return SQL for sums over deals by field and slot; `games` is the SQL condition that selects the games."""
    fields = ", ".join(f"'{field}'" for field in FIELDS)
    sums = ", ".join(
        (
            moments("chosen", "100 * there", "seats"),
            moments("with", "won_there", "there"),
            moments("without", "won_elsewhere", "(seats - there)"),
        )
    )
    return f"""
        WITH chances AS (
            SELECT game_id, seat, deal_seed,
                   100 * (win_share - avg(win_share) OVER (PARTITION BY strategy, seat)) AS chance
            FROM seats JOIN games USING (game_id) WHERE status <> 'truncated' AND {games}
        ), placed AS (
            SELECT game_id, round, seat, field,
                   row_number() OVER (PARTITION BY game_id, round, seat ORDER BY step) AS turn
            FROM trace WHERE kind = 'place' AND field IS NOT NULL AND {games}
        ), places AS (
            SELECT game_id, seat, '{BY_ROUND}' AS "by", round AS slot, list(field) AS fields FROM placed GROUP BY ALL
            UNION ALL
            SELECT game_id, seat, '{BY_ORDER}', least(turn, {LAST_ORDER}), [field] FROM placed
        ), decks AS (
            SELECT "by", slot, f.field AS field, (deal_seed % 2)::INT AS half, deal_seed, count(*)::DOUBLE AS seats,
                   count_if(list_contains(fields, f.field))::DOUBLE AS there,
                   coalesce(sum(chance) FILTER (list_contains(fields, f.field)), 0)::DOUBLE AS won_there,
                   coalesce(sum(chance) FILTER (NOT list_contains(fields, f.field)), 0)::DOUBLE AS won_elsewhere
            FROM places JOIN chances USING (game_id, seat), (SELECT unnest([{fields}]) AS field) f GROUP BY ALL
        )
        SELECT "by", slot, field, half, {sums} FROM decks GROUP BY ALL
    """


def _estimates(sums: pd.DataFrame) -> pd.DataFrame:
    """Return shares and differences with their intervals."""
    sums = with_all_decks(sums, ["by", "slot", "field"])
    keys = sums[["by", "slot", "field", "half"]]
    chosen = intervals_of(sums, "chosen", 100)
    worth = difference_of(intervals_of(sums, "with"), intervals_of(sums, "without"))
    enough = np.minimum(sums["with.clusters"], sums["without.clusters"]) >= LEAST_DECKS
    parts = [
        keys.assign(measure="chosen", **interval_columns(chosen)),
        keys.assign(measure="worth", **interval_columns(worth))[enough],
    ]
    table = pd.concat(parts, ignore_index=True).rename(columns={"clusters": "decks"})
    order = table["field"].map(list(FIELDS).index)
    return table.assign(order=order).sort_values(["by", "measure", "order", "slot"], ignore_index=True)


ORDER = 110
TITLES = {"chosen": "How popular each field is", "worth": "Win share and placing on a field"}
UNITS = {"chosen": "% of seats", "worth": "points of win share"}


def questions(context: ReportContext) -> Sequence[Question]:
    """Return nothing: placements are in traces, which `read_placements` reads."""
    return []


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write heat maps of fields by round and shaded tables by order, for each shown variant; None without traces."""
    halves = read_placements(context.run, context.shown)
    if halves.empty:
        return None
    data = of_all_decks(halves)
    text = [
        "By round: a seat places on the field at least once in the round. By order: a seat's first, second, ... "
        "placement of a round goes there. Worth is the win share of the seats that place there minus that of the seats "
        "that don't; the mean of the same strategy in the same seat is subtracted from each. It is an association "
        "under these strategies, not an experiment. "
        f"From traced games; n ≥ {int(data['n'].min()):,} seats in each cell."
    ]
    figures = [
        figure
        for number, variant in enumerate(context.shown)
        for figure in _heat_maps(stem("", number), variant, data[data["variant"] == variant])
    ]
    return Written(
        Section("placements", "Placements", text, _says(halves), figures=figures, tables=_tables(data))
    )


def _heat_maps(suffix: str, variant: str, data: pd.DataFrame) -> list[Figure]:
    """Draw popularity and worth of each field by round for one variant, a panel for each player count."""
    figures = []
    for measure, title in TITLES.items():
        part = data[(data["measure"] == measure) & (data["by"] == BY_ROUND)]
        panels = {
            f"{players} players": cell.pivot(index="field", columns="slot", values="value").loc[
                list(dict.fromkeys(cell["field"]))
            ]
            for players, cell in part.groupby("players")
        }
        if panels:
            caption = f"{title}, by round, variant {variant}."
            middle = 0.0 if measure == "worth" else None
            labels = ("field", "round")
            drawn = draw_matrix(
                f"fields-{measure}{suffix}", caption, panels, labels, UNITS[measure], middle
            )
            figures.append(replace(drawn, variant=variant))
    return figures


def _tables(data: pd.DataFrame) -> list[Table]:
    """Return shaded tables by order, and all estimates by round with their intervals."""
    tables = []
    for measure, title in TITLES.items():
        part = data[data["measure"] == measure]
        order = part[part["by"] == BY_ORDER]
        caption = f"{title}, by order of a seat's placements in a round ({LAST_ORDER}: or later), {UNITS[measure]}"
        shown = (0.0, "+.1f") if measure == "worth" else (100 / data["field"].nunique(), ".1f")
        tables += matrices(f"fields-{measure}-order", caption, order, ("field", "slot"), shown)
        rounds = part[part["by"] == BY_ROUND].rename(columns={"slot": "round"})
        rounds = rounds.assign(importance=rounds["value"].abs())
        caption = f"{title}, by round, {UNITS[measure]}."
        tables.append(
            side_by_side(f"fields-{measure}", caption, rounds, ["variant", "field", "round"], 1)
        )
    return tables


def _says(halves: pd.DataFrame) -> list[Headline]:
    """Report the field of most first placements, selected on half of the deals and measured on the other."""
    first = halves[(halves["by"] == BY_ORDER) & (halves["measure"] == "chosen") & (halves["slot"] == 1)]
    most = estimate_on_holdout(first.assign(size=first["value"]), ["variant", "players"], ["field"])
    return [
        Headline(
            f"{variant}: a seat's first placement of a round goes most often to {by_players(rows, _write)} "
            f"(n ≥ {int(rows['n'].min()):,} on held-out deals).",
            str(variant),
        )
        for variant, rows in most.groupby("variant", sort=False)
    ]


def _write(row: Any) -> str:
    return f"{row.field} ({write_estimate(row)} %)"
