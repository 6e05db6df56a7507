"""By tier: every verdict about seats, effects, length and tempo, with the tiers side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import pandas as pd

from balance.analysis.compare import KEYS
from balance.analysis.gather import Answers
from balance.analysis.question import Question, sort_rows
from balance.analysis.shares import LeavingOut, leaving_out_applies, seat_ranges
from balance.analysis.tier_comparison import (
    DIFFERS,
    EFFECTS,
    LEADER,
    SEAT_ROWS,
    TARGET_ROWS,
    TEMPO,
    TEMPO_ROWS,
    TierComparison,
    leaders_apply,
    rule_targets,
    tier_questions,
)
from balance.contract.sides import TEAM
from balance.experiments.plan import Plan
from balance.experiments.targets import show_targets
from balance.foundation.language import N_, tr
from balance.foundation.text import nth
from balance.report.context import Family, ReportContext
from balance.report.doubts import who_plays
from balance.report.figures.bars import draw_intervals
from balance.report.kit import figures_by_variant
from balance.report.model import Figure, Section, Table
from balance.report.words import label_of, name_group, smallest_n, write_change, write_difference, write_estimate

ORDER = 35
_MAIN = ("seat_win_share", "team_win_share", "margin", *TEMPO)
"""Effects that the page shows; the CSV compares all others too."""
TEXT = N_(
    "The same deals, played by {tiers}. Each tier has its own verdicts, corrected like all on this page. A "
    "difference is another tier's figure less the figure of {tier}. agrees: both tiers show the same. differs: the "
    "two tiers contradict each other, or the difference is shown (for win shares: shown to exceed the threshold). "
    "undecided: one of the two shows nothing, mostly because it has too few games; this is no contradiction."
)
STRENGTH = N_(
    "By strength: {order} (= means that the two can't be told apart). Measured: a player of one tier sits alone among "
    "players of the next, in every seat, and the other way round, on deals of their own under the rules of the first "
    "variant. A tier is stronger if the mean over player counts is shown to be above 0 and no player count shows the "
    "opposite (Holm)."
)
Named = tuple[str, Callable[[Any], str], int]
"""The heading of the column that names rows, a function for its cells, and the decimals of the estimates."""


def families(context: ReportContext) -> list[Family]:
    """Return the families of a run with several tiers: leaders at half time, and differences between tiers."""
    if not context.other_tiers:
        return []
    follows = leaders_apply(context.plan)
    kinds = [
        *[SEAT_ROWS] * context.has_rivals,
        *[EFFECTS] * (len(context.plan.variants) > 1),
        TEMPO_ROWS,
        *[LEADER] * follows,
    ]
    leaders = [Family(LEADER, tier) for tier in context.tiers if follows]
    return leaders + [Family(kind) for kind in kinds]


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the questions that other tiers are asked too."""
    return tier_questions(context.plan) if context.other_tiers else []


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write every verdict by tier, and how the tiers compare."""
    if not context.asked:
        return None
    plans = {name: each.plan for name, each in context.asked.items()}
    section = Section("tiers", tr("By strength of players"), [_text(plans, context.speakers.strongest)])
    for write_more in (_write_strength, _write_seats, _write_fields):
        section = write_more(section, context)
    kinds = (EFFECTS, _effects_table), (TEMPO_ROWS, _tempo_table), (TARGET_ROWS, _targets_table)
    compared = context.tier_comparisons
    return section.plus(tables=[table(context, compared[kind]) for kind, table in kinds if kind in compared])


def _text(plans: Mapping[str, Plan], reference: str) -> str:
    who = [
        tr(
            "{tier} ({who}; at most {games:,} games in each cell)",
            tier=name,
            who=who_plays(plan),
            games=plan.tier.most_games,
        )
        for name, plan in plans.items()
    ]
    return tr(TEXT, tiers="; ".join(who), tier=reference)


def _write_strength(section: Section, context: ReportContext) -> Section:
    """Write the order of strength of the tiers, with the duels that show it, or say that it is assumed."""
    strength = context.strength
    named = [strength.order[0]]
    for one, other in pairwise(strength.order):
        named += ["<" if strength.ranks[other] > strength.ranks[one] else "=", other]
    if not strength.is_measured:
        assumed = tr(
            "By strength: {order}. This order is assumed (searchers, then networks, then profiles), because these "
            "tiers have not met.",
            order=" ".join(named),
        )
        if not context.plan.members:
            command = f"balance run --resume {context.run.named}"
            assumed = f"{assumed} {tr('They meet at the end of: {command}', command=command)}"
        return section.plus([assumed])
    duels = strength.duels.sort_values(["tier", "other", "players"], kind="stable", ignore_index=True)
    frame = duels[["players", "tier"]].assign(**{N_("against"): duels["other"]})
    frame[N_("wins more than a fair share, points")] = [write_change(row) for row in duels.itertuples()]
    frame["n"], frame["deals"] = duels["n"], duels["clusters"]
    caption = tr("How strong the tiers are: duels of neighbours. 95 % intervals.")
    table = Table("tiers-strength", caption, frame, {"n": ",", "deals": ","}, duels)
    return section.plus([tr(STRENGTH, order=" ".join(named))], tables=[table])


def _write_seats(section: Section, context: ReportContext) -> Section:
    """Write the win shares of seats or teams by tier."""
    if SEAT_ROWS not in context.tier_comparisons:
        return section
    comparison, fair = context.tier_comparisons[SEAT_ROWS], context.plan.fair_share
    by = context.plan.game.sides.kind
    rows = pd.concat(
        [
            table.assign(tier=name, **{by: table["group"], "fair": fair(table["players"])})
            for name, table in comparison.rows.items()
        ],
        ignore_index=True,
    )
    rows["limit"] = context.thresholds.seat_limit(rows["fair"])

    def draw(name: str, caption: str, part: pd.DataFrame) -> Figure:
        by_tier = part.assign(variant=part["tier"])
        return draw_intervals(name, caption, by_tier, by, same_scale=rows)

    measure = context.side_share
    captions = (tr("Win share by seat, by strength of players"), tr("Win share by seat, %. 95 % intervals each."))
    if by == TEAM:
        captions = (tr("Win share by team, by strength of players"), tr("Win share by team, %. 95 % intervals each."))
    named: Named = (by, lambda row: name_group(measure, str(row.group)), 1)
    return section.plus(
        figures=figures_by_variant(context, f"tiers-{by}s", captions[0], rows, draw),
        tables=[_table(f"tiers-{by}s", captions[1], comparison, named)],
    )


def _write_fields(section: Section, context: ReportContext) -> Section:
    """Write how far a seat moves when one strategy leaves the field, for every tier where one can leave."""
    ranges = {
        name: seat_ranges(each.answers[LeavingOut()])
        for name, each in context.asked.items()
        if leaving_out_applies(each.plan)
    }
    if len(ranges) < 2:
        return section  # the section on seats has the first tier's
    found = pd.concat([table.assign(tier=name) for name, table in ranges.items()], ignore_index=True)
    place = ["players", "variant", "seat"]
    found["range"] = [
        tr("{share} without {strategy}", share=write_estimate(row), strategy=row.without) for row in found.itertuples()
    ]
    cells = found.groupby([*place, "tier"], sort=False)["range"].agg("; ".join).unstack("tier")
    shown = sort_rows(cells[[*ranges]].reset_index(), place, found["variant"])
    shown["seat"] = [nth(seat) for seat in shown["seat"]]
    caption = tr(
        "Win share of a seat without one strategy, %, for the strategies whose absence moves it furthest down and up "
        "(chosen on half of the deals and measured on the held-out half). 95 % intervals. {smallest}.",
        smallest=_smallest(ranges),
    )
    return section.plus(tables=[Table("tiers-fields", caption, shown, {}, found.drop(columns="range"), named=ranges)])


def _smallest(tables: Mapping[str, pd.DataFrame]) -> str:
    """Return the smallest n in the table of each tier."""
    return ", ".join(f"{smallest_n(table)} ({tier})" for tier, table in tables.items())


def _effects_table(context: ReportContext, comparison: TierComparison) -> Table:
    main = {name: table[table["measure"].isin(_MAIN)] for name, table in comparison.rows.items()}
    caption = tr(
        "Effects of rules compared with {baseline} on the main measures; the CSV has all measures. 95 % intervals "
        "each.",
        baseline=context.first,
    )
    named = (N_("effect on"), _labels(context), 2)
    return _table("tiers-effects", caption, TierComparison(main, comparison.table), named)


def _labels(context: ReportContext) -> Callable[[Any], str]:
    def label(row: Any) -> str:
        if row.measure == LEADER:
            return tr("wins of the sole leader after round {round}, %", round=row.group)
        return label_of(context.measures[row.measure], str(row.group))

    return label


def _tempo_table(context: ReportContext, comparison: TierComparison) -> Table:
    if LEADER in context.tier_comparisons:
        leaders = context.tier_comparisons[LEADER]
        rows = {
            name: pd.concat([table, leaders.rows[name]], ignore_index=True) for name, table in comparison.rows.items()
        }
        comparison = TierComparison(rows, pd.concat([comparison.table, leaders.table], ignore_index=True))
    caption = tr("Length and tempo. 95 % intervals each.")
    return _table("tiers-tempo", caption, comparison, ("measure", _labels(context), 2))


def _targets_table(context: ReportContext, comparison: TierComparison) -> Table:
    caption = tr("Targets. Intervals are widened so that all checks of a tier hold together.")
    shown = show_targets(rule_targets(context.plan))
    label: Named = ("target", lambda row: f"{shown[row.measure]} {row.group}".strip(), 1)
    return _table("tiers-targets", caption, comparison, label)


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
            lines[_key(row)][_against(row.tier, first)] = _difference(row, digits)
    for tier, table in rows.items():
        for row in table.itertuples():
            if _key(row) in lines:
                verdict = f", {tr(row.verdict)}" if row.verdict else ""
                lines[_key(row)][tier] = f"{write_estimate(row, digits)}{verdict}"
    columns = ["players", "variant", heading, *(_against(tier, first) for tier in others), *rows]
    cells = [[line.get(column, "–") for column in columns] for line in lines.values()]
    frame = pd.DataFrame(cells, columns=columns)
    caption = f"{caption} {_smallest(rows)}."
    return Table(name, caption, frame, {}, compared, importance=[*importance.values()], named=rows)


def _key(row: Any) -> tuple[Any, ...]:
    return tuple(getattr(row, column) for column in KEYS)


def _difference(row: Any, digits: int) -> str:
    if not row.difference_verdict:
        return str(row.relation)
    return f"{tr(row.relation)}, {write_difference(row, digits)}"


def _against(tier: str, first: str) -> str:
    """Return the heading of the comparison of a tier with the first."""
    return tr("{tier} against {other}", tier=tier, other=first)
