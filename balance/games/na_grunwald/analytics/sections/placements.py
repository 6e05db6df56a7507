"""Where seats place pawns, and how their win share differs, by round and by order; from traced games."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.holdout import of_all_decks, with_all_decks
from balance.analysis.question import interval_columns, intervals_of, moments
from balance.analysis.traced import read_traced
from balance.foundation.language import N_, tr, trn
from balance.games.na_grunwald.rules.decks import FIELDS
from balance.report.context import ReportContext
from balance.report.figures.curves import draw_matrix
from balance.report.kit import (
    CELL,
    figures_by_variant,
    in_variant_order,
    largest_on_holdout,
    matrices,
    name_largest,
    side_by_side,
    write_headlines,
)
from balance.report.model import Figure, Section
from balance.report.words import by_players, smallest_n, write_percent
from balance.runs.folder import RunFolder
from balance.stats.intervals import difference_of

BY_ROUND, BY_ORDER = "round", "order"
"""Groupings of placements: by round, or by their order among the seat's placements of a round."""
LAST_ORDER = 4
"""This order stands for itself and all later placements of a seat in a round."""
LEAST_DECKS = 20
"""Fewest deals with, and without, a placement on a field for which its worth is estimated."""


def read_placements(run: RunFolder, variants: Sequence[str]) -> pd.DataFrame | None:
    """Return how often seats place on each field, and how their win share differs from that of other seats.

    By round: the share of seats that place there at least once. By order: the share of first, second, ... placements
    of a round that go there. Win shares are compared after subtracting the mean of the same strategy in the same
    seat, so that differences between strategies do not count as effects of a field. The results are associations.

    Returns
    -------
    DataFrame or None
        ``players``, ``variant``, ``by`` (`BY_ROUND` or `BY_ORDER`), ``slot``, ``field``, ``half`` (0, 1, or
        all deals), ``measure`` (``chosen``: percent, or ``worth``: points of win share), ``value``, ``low``,
        ``high``, ``n``, ``decks``. Estimates from too few deals are left out. None if too few games were traced.
    """
    found = read_traced(run, variants, lambda cell, connection, games: _estimates(connection.execute(_sql(games)).df()))
    names = [*CELL, "by", "slot", "field", "half", "measure", "value", "low", "high", "n", "decks"]
    return None if found is None else found[names]


def _sql(games: str) -> str:
    """Return SQL for sums over deals by field and slot; `games` is the SQL condition that selects the games."""
    fields = ", ".join(f"'{field}'" for field in FIELDS)
    chosen = moments("chosen", "100 * there", "seats")
    worth = moments("with", "won_there", "there")
    elsewhere = moments("without", "won_elsewhere", "(seats - there)")
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
        ), deals AS (
            SELECT "by", slot, f.field AS field, (deal_seed % 2)::INT AS half, deal_seed, count(*)::DOUBLE AS seats,
                   count_if(list_contains(fields, f.field))::DOUBLE AS there,
                   coalesce(sum(chance) FILTER (list_contains(fields, f.field)), 0)::DOUBLE AS won_there,
                   coalesce(sum(chance) FILTER (NOT list_contains(fields, f.field)), 0)::DOUBLE AS won_elsewhere
            FROM places JOIN chances USING (game_id, seat), (SELECT unnest([{fields}]) AS field) f GROUP BY ALL
        )
        SELECT "by", slot, field, half, {chosen}, {worth}, {elsewhere} FROM deals GROUP BY ALL
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
KINDS = {
    "chosen": (
        N_("How popular each field is, by round"),
        N_("How popular each field is, by order of a seat's placements in a round ({last}: or later)"),
        N_("% of seats"),
        None,
    ),
    "worth": (
        N_("Win share and placing on a field, by round"),
        N_("Win share and placing on a field, by order of a seat's placements in a round ({last}: or later)"),
        N_("points of win share"),
        0.0,
    ),
}
"""Titles by round and by order, unit and middle of the colours of each measure."""
NAMES = (N_("krzyzacy"), N_("crown"), N_("provisions"), N_("ducats"), N_("mercenaries"), N_("helpers"))
"""The fields as tables and figures name them; their cells are translated."""
TEXT = N_(
    "By round: a seat places on the field at least once in the round. By order: a seat's first, second, ... "
    "placement of a round goes there. Worth is the win share of the seats that place there minus that of the seats "
    "that don't; the mean of the same strategy in the same seat is subtracted from each. It is an association "
    "under these strategies, not an experiment. From traced games; {n} seats in each cell."
)


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write heat maps of fields by round and shaded tables by order, for each shown variant; None without traces."""
    halves = read_placements(context.run, context.shown)
    if halves is None:
        return None
    data = of_all_decks(halves)
    figures, tables = [], []
    for measure, (by_round, by_order, in_unit, middle) in KINDS.items():
        caption, unit = tr(by_round), tr(in_unit)
        part = data[data["measure"] == measure]
        rounds = part[part["by"] == BY_ROUND].rename(columns={"slot": "round"})
        figures += figures_by_variant(context, f"fields-{measure}", caption, rounds, _draw, unit, middle)
        order = part[part["by"] == BY_ORDER]
        title = f"{tr(by_order, last=LAST_ORDER)}, {unit}"
        even = 100 / data["field"].nunique() if middle is None else middle
        spec = ".1f" if middle is None else "+.1f"
        tables += matrices(f"fields-{measure}-order", title, order, ("field", "slot"), even, spec)
        rounds = rounds.assign(importance=rounds["value"].abs())
        rows = ["variant", "field", "round"]
        tables.append(side_by_side(f"fields-{measure}", f"{caption}, {unit}.", rounds, rows, 1))
    first = halves[(halves["by"] == BY_ORDER) & (halves["measure"] == "chosen") & (halves["slot"] == 1)]
    headlines = write_headlines(largest_on_holdout(first, ["field"]), _most_chosen)
    text = tr(TEXT, n=smallest_n(data))
    figures = in_variant_order(context, figures)
    return Section("placements", tr("Placements"), [text], headlines, figures=figures, tables=tables)


def _draw(name: str, caption: str, rows: pd.DataFrame, unit: str, middle: float | None) -> Figure:
    """Draw each field by round, a panel for each player count."""
    panels = {}
    for players, cell in rows.groupby("players"):
        wide = cell.pivot(index="field", columns="round", values="value")
        wide = wide.loc[list(dict.fromkeys(cell["field"]))].rename(index=tr)
        panels[trn("{n} player", "{n} players", players)] = wide
    return draw_matrix(name, caption, panels, (tr("field"), tr("round")), unit, middle)


def _most_chosen(rows: pd.DataFrame) -> str:
    """Return the field of most first placements of a variant."""
    fields = by_players(rows, lambda row: f"{name_largest(row, 'field')}: {write_percent(row)}")
    return tr(
        "a seat's first placement of a round goes most often to these fields: {fields} ({smallest} on held-out deals)",
        fields=fields,
        smallest=smallest_n(rows),
    )
