"""By tier: every verdict about seats, effects, length and tempo, with the tiers side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from balance.analysis.compare import KEYS
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.shares import LeavingOut, leaving_out_applies, seat_ranges
from balance.analysis.tier_comparison import (
    DIFFERS,
    EFFECTS,
    LEADER,
    SEATS,
    TARGETS,
    TEMPO,
    TEMPO_ROWS,
    TierComparison,
    rule_targets,
    tier_questions,
)
from balance.experiments.plan import Plan
from balance.foundation.text import nth
from balance.report.context import ReportContext
from balance.report.doubts import who_plays
from balance.report.figures.bars import draw_intervals
from balance.report.model import Section, Table, write_difference, write_estimate
from balance.report.section import Written, label_of, stem

ORDER = 35
_MAIN = ("seat_win_share", "margin", *TEMPO)
"""Effects that the page shows; the CSV compares all others too."""
TEXT = (
    "The same deals, played by {tiers}. Each tier has its own verdicts, corrected like all on this page. A "
    "difference is another tier's figure less the figure of {tier}. agrees: both tiers show the same. differs: one "
    "tier shows what the other contradicts, or the difference itself is shown, for win shares to be more than the "
    "threshold. undecided: one of the two can't say, mostly because of too few games; this is no contradiction."
)
Named = tuple[str, Callable[[Any], str], int]
"""The heading of the column that names rows, a function for its cells, and the decimals of the estimates."""


def judges(context: ReportContext) -> int:
    """Return the families: seats, effects, targets, tempo of other tiers, all leaders, differences except targets."""
    if not context.other_tiers:
        return 0
    each = [True, len(context.plan.variants) > 1, bool(rule_targets(context.plan))]
    differences = [True, len(context.plan.variants) > 1, True]
    leaders = context.has_rounds * (len(context.other_tiers) + 2)
    each += [True, context.has_rounds]
    return len(context.other_tiers) * sum(each) + sum(differences) + leaders


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the questions that other tiers are asked too."""
    return tier_questions(context.plan) if context.other_tiers else []


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write every verdict by tier, and how the tiers compare."""
    if not context.asked:
        return None
    section = Section(
        "tiers", "By tier", [_text({name: each.plan for name, each in context.asked.items()})]
    )
    _write_seats(section, context)
    _write_fields(section, context)
    for kind, write_kind in (
        (EFFECTS, _write_effects),
        (TEMPO_ROWS, _write_tempo),
        (TARGETS, _write_targets),
    ):
        if kind in context.tier_comparisons:
            write_kind(section, context, context.tier_comparisons[kind])
    return Written(section)


def _text(plans: Mapping[str, Plan]) -> str:
    told = [
        f"{name} ({who_plays(plan)}; at most {plan.tier.most_games:,} games in each cell)"
        for name, plan in plans.items()
    ]
    return TEXT.format(tiers="; ".join(told), tier=next(iter(plans)))


def _write_seats(section: Section, context: ReportContext) -> None:
    comparison = context.tier_comparisons[SEATS]
    limit = context.seat_share.threshold
    rows = pd.concat(
        [
            table.assign(tier=name, seat=table["group"], limit=limit)
            for name, table in comparison.rows.items()
        ],
        ignore_index=True,
    )
    for number, variant in enumerate(context.shown):
        part = rows[rows["variant"] == variant].assign(variant=rows["tier"])
        caption = f"Win share by seat in every tier, variant {variant}."
        drawn = draw_intervals(stem("tiers-seats", number), caption, part, "seat", reach_of=rows)
        section.figures.append(replace(drawn, variant=variant))
    caption = "Win share by seat, %. 95 % intervals each."
    section.tables.append(
        _table("tiers-seats", caption, comparison, ("seat", lambda row: nth(int(row.group)), 1))
    )


def _write_fields(section: Section, context: ReportContext) -> None:
    """Write how far a seat moves when one strategy leaves the field, for every tier where one can leave."""
    ranges = {
        name: seat_ranges(each.answers[LeavingOut()])
        for name, each in context.asked.items()
        if leaving_out_applies(each.plan)
    }
    if len(ranges) < 2:
        return  # the section on seats has the first tier's
    found = pd.concat([table.assign(tier=name) for name, table in ranges.items()], ignore_index=True)
    place = ["players", "variant", "seat"]
    found["range"] = [f"{write_estimate(row)} without {row.without}" for row in found.itertuples()]
    cells = found.groupby([*place, "tier"], sort=False)["range"].agg("; ".join).unstack("tier")
    shown = cells[[*ranges]].reset_index()
    shown["seat"] = [nth(seat) for seat in shown["seat"]]
    least = ", ".join(f"{int(table['n'].min()):,} ({tier})" for tier, table in ranges.items())
    caption = (
        "Win share of a seat when one strategy leaves the field, %, for the strategy whose absence moves it furthest "
        f"down and up, chosen on half of the deals and measured on the held-out half. 95 % intervals. n ≥ {least}."
    )
    section.tables.append(Table("tiers-fields", caption, shown, {}, found.drop(columns="range")))


def _write_effects(section: Section, context: ReportContext, comparison: TierComparison) -> None:
    main = {name: table[table["measure"].isin(_MAIN)] for name, table in comparison.rows.items()}
    caption = (
        f"Effects of rules compared with {context.first} on the main measures; the CSV has all measures."
    )
    caption += " 95 % intervals each."
    shown = TierComparison(main, comparison.table)
    section.tables.append(_table("tiers-effects", caption, shown, ("effect on", _labels(context), 2)))


def _labels(context: ReportContext) -> Callable[[Any], str]:
    def label(row: Any) -> str:
        if row.measure == LEADER:
            return f"wins of the sole leader after round {row.group}, %"
        return label_of(context.measures[row.measure], str(row.group))

    return label


def _write_tempo(section: Section, context: ReportContext, comparison: TierComparison) -> None:
    if LEADER in context.tier_comparisons:
        leaders = context.tier_comparisons[LEADER]
        rows = {
            name: pd.concat([table, leaders.rows[name]], ignore_index=True)
            for name, table in comparison.rows.items()
        }
        comparison = TierComparison(
            rows, pd.concat([comparison.table, leaders.table], ignore_index=True)
        )
    caption = "Length and tempo. 95 % intervals each."
    section.tables.append(_table("tiers-tempo", caption, comparison, ("measure", _labels(context), 2)))


def _write_targets(section: Section, context: ReportContext, comparison: TierComparison) -> None:
    caption = "Targets. Intervals are widened so that all checks of a tier hold together."
    label: Named = ("target", lambda row: f"{row.measure} {row.group}".strip(), 1)
    section.tables.append(_table("tiers-targets", caption, comparison, label))


def _table(name: str, caption: str, comparison: TierComparison, named: Named) -> Table:
    """Return a table with a row for each result of the first tier: comparisons with it, then each tier's result."""
    rows, compared = comparison.rows, comparison.table
    first, *others = rows
    heading, label, digits = named
    lines = {
        _key(row): {"players": row.players, "variant": row.variant, heading: label(row)}
        for row in rows[first].itertuples()
    }
    importance = dict.fromkeys(lines, 0)
    for row in compared.itertuples():
        if _key(row) in lines:
            importance[_key(row)] += row.relation == DIFFERS
            lines[_key(row)][f"{row.tier} against {first}"] = _difference(row, digits)
    for tier, table in rows.items():
        for row in table.itertuples():
            if _key(row) in lines:
                verdict = f", {row.verdict}" if row.verdict else ""
                lines[_key(row)][tier] = f"{write_estimate(row, digits)}{verdict}"
    columns = ["players", "variant", heading, *(f"{tier} against {first}" for tier in others), *rows]
    cells = [[line.get(column, "–") for column in columns] for line in lines.values()]
    least = ", ".join(f"{int(table['n'].min()):,} ({tier})" for tier, table in rows.items())
    frame = pd.DataFrame(cells, columns=columns)
    caption = f"{caption} n ≥ {least}."
    return Table(name, caption, frame, {}, compared, importance=[*importance.values()])


def _key(row: Any) -> tuple[Any, ...]:
    return tuple(getattr(row, column) for column in KEYS)


def _difference(row: Any, digits: int) -> str:
    if not row.difference_verdict:
        return str(row.relation)
    return f"{row.relation}, {write_difference(row, digits)}"
