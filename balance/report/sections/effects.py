"""What each variant changes: paired effects, with a forest plot for each variant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from balance.analysis.compare import NEGLIGIBLE, pair_questions, pairing_gains, read_pairs
from balance.analysis.ended import Played
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.shares import judged_seats, share_question
from balance.analysis.target_checks import read_targets_table, target_questions
from balance.analysis.tier_comparison import EFFECTS
from balance.contract.analytics import Measure
from balance.contract.sides import SEAT, TEAM
from balance.experiments.measures import choose_measures, named_measures
from balance.foundation.language import N_, tr, trn, write_number
from balance.report.context import Family, ReportContext
from balance.report.figures.curves import draw_forest
from balance.report.kit import side_by_side
from balance.report.model import Figure, Section, Table
from balance.report.rows.targets import ROW
from balance.report.words import label_of, name_group, name_of, smallest_n, write_estimate, write_small

ORDER = 210
_LONGEST_STEM = 60  # of the file of a variant's figures
_RANKING = {
    SEAT: N_(
        "Variants, nearest to the targets and to fair seats first. The distance is how far the furthest seat is from "
        "fair, averaged over player counts. Variants with overlapping intervals may be in the wrong order. {smallest}."
    ),
    TEAM: N_(
        "Variants, nearest to the targets and to fair teams first. The distance is how far the furthest team is from "
        "fair, averaged over player counts. Variants with overlapping intervals may be in the wrong order. {smallest}."
    ),
}


def families(context: ReportContext) -> list[Family]:
    """Return one family of verdicts for each tier if there are several variants."""
    return [Family(EFFECTS, tier) for tier in context.tiers] if len(context.plan.variants) > 1 else []


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the pairs with the first variant for all measures, and the questions that rank variants."""
    if len(context.plan.variants) < 2:
        return []
    targets = target_questions(context.plan, context.plan.experiment.targets)
    pairs = pair_questions(context.first, choose_measures(context.plan, None))
    shares = [share_question(context.side_share)] if context.has_rivals else []
    return [*pairs, *shares, Played(), *targets]


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write the effects compared with the first variant."""
    if len(context.plan.variants) < 2:
        return None
    asked = pair_questions(context.first, choose_measures(context.plan, None))
    effects = read_pairs(context.plan, asked, answers, context.family(EFFECTS))
    section = write_effects(context, effects, context.first)
    if context.has_rivals and (ranking := _ranking(context, answers)):
        return replace(section, tables=[ranking, *section.tables])
    return section


def _ranking(context: ReportContext, answers: Answers) -> Table | None:
    """Return the variants, ranked by missed targets, then by the distance of their seats or teams from fair.

    None if no player count has seats that can be judged, see `balance.experiments.plan.Plan.unmixed`.
    """
    measure, shares = context.side_share, judged_seats(context.plan, answers, context.family)
    shares = shares[~shares["players"].isin(context.plan.unmixed)]
    if shares.empty:
        return None
    shares = shares.assign(away=(shares["value"] - shares["fair"]).abs())
    worst = shares.loc[shares.groupby(["variant", "players"], sort=False)["away"].idxmax()]
    raw = worst.groupby("variant", sort=False)["away"].mean().rename(N_("points from fair")).reset_index()
    raw[N_("targets missed")] = 0
    if targets := context.plan.experiment.targets:
        families = context.family(ROW.name)
        table = read_targets_table(context.plan, targets, answers, "targets", families)
        missed = table[table["verdict"] == "fail"].groupby("variant").size()
        raw["targets missed"] = raw["variant"].map(missed).fillna(0).astype(int)
    raw = raw.sort_values(["targets missed", "points from fair"], kind="stable", ignore_index=True)
    frame = raw if targets else raw.drop(columns="targets missed")
    for players, part in worst.groupby("players"):
        cells = part.set_index("variant").loc[frame["variant"]]
        frame[tr("furthest of {players}, %", players=players)] = [
            f"{name_group(measure, str(getattr(row, measure.by)))} {write_estimate(row)}" for row in cells.itertuples()
        ]
    caption = tr(_RANKING[measure.by], smallest=smallest_n(worst))
    return Table("ranking", caption, frame, {"points from fair": ".1f"}, worst)


def write_effects(context: ReportContext, effects: pd.DataFrame, baseline: str) -> Section:
    """Write the paired effects of every variant: forest plots, and a table with player counts side by side."""
    text = tr(
        "Each game is paired with the game of {baseline} that has the same deal, line-up and seeds. The effect is the "
        "mean difference.",
        baseline=baseline,
    )
    text = f"{text} {_verdicts(context, effects)}"
    shown = named_effects(context.measures, effects)
    return Section(
        "effects", tr("What each variant changes"), [text], extension=context.extension(effects),
        figures=_figures(context, shown, baseline, paired=True),
        tables=[_table(shown, effects, baseline), _gain_table(shown)],
    )  # fmt: skip


def write_differences(context: ReportContext, differences: pd.DataFrame, one: str, other: str) -> Section:
    """Write the differences between two runs that can't be pooled, drawn like effects."""
    text = tr(
        "Differences of {other} less {one}. The runs were played separately: no games are paired, and the intervals "
        "are for independent runs.",
        other=other,
        one=one,
    )
    text = f"{text} {_verdicts(context, differences)}"
    shown = named_effects(named_measures(context.plan), differences)
    figures = _figures(context, shown, one, paired=False)
    tables = [_table(shown, differences, one)]
    return Section("differences", tr("What differs between the runs"), [text], figures=figures, tables=tables)


def _verdicts(context: ReportContext, effects: pd.DataFrame) -> str:
    """Return the meaning of the table's verdict words."""
    compared = trn(
        "{n} comparison, corrected together{shared}.",
        "{n} comparisons, corrected together{shared}.",
        len(effects),
        shared=context.shared,
    )
    words = tr(
        "higher, lower: shown to differ. same: shown to lie within {small} of 0. slightly higher, slightly lower: "
        "shown to differ, and shown to be too small to matter. undecided: not yet shown. equal: the same in every pair "
        "of games.",
        small=write_small(context.plan),
    )
    if context.shared:
        words += " " + tr("balance compare corrects these comparisons alone, so it may show more of them.")
    return f"{compared} {words}"


def _figures(context: ReportContext, shown: pd.DataFrame, baseline: str, paired: bool) -> list[Figure]:
    """Return forest plots for each variant, except for points of a sweep, which have a curve elsewhere."""
    named = [name for name in dict.fromkeys(shown["variant"]) if name not in context.plan.points]
    stems = _stems(named)
    return [figure for name in named for figure in forests(shown, name, baseline, stems[name], paired)]


def _table(shown: pd.DataFrame, effects: pd.DataFrame, baseline: str) -> Table:
    """Return a table of effects by measure, with player counts side by side."""
    estimates = shown.rename(columns={"effect": "value", "row": N_("effect on")})
    estimates[N_("levels")] = [
        f"{write_number(row.baseline, '.2f')} → {write_number(row.baseline + row.effect, '.2f')}"
        for row in effects.itertuples()
    ]
    # Measures without a threshold come last, in the order of the plan.
    estimates["importance"] = (shown["effect"].abs() / shown["threshold"]).fillna(0.0)
    caption = tr("Effects compared with {baseline}, with the levels before and after.", baseline=baseline)
    rows, notes = ["variant", "effect on"], ["levels", "verdict"]
    table = side_by_side("effects", caption, estimates, rows, notes=notes)
    return replace(table, raw=effects)


def named_effects(measures: Mapping[str, Measure], effects: pd.DataFrame) -> pd.DataFrame:
    """Return effects with the columns ``row`` (for tables), ``name``, ``label`` and ``threshold``."""
    named = [(measures[row.measure], row.group) for row in effects.itertuples()]
    return effects.assign(
        row=[label_of(measure, group) for measure, group in named],
        name=[name_of(measure, group) for measure, group in named],
        label=[name_of(measure) for measure, _ in named],
        threshold=pd.Series([m.threshold for m, _ in named], index=effects.index, dtype=float),
    )


def _gain_table(effects: pd.DataFrame) -> Table:
    """Return a table of the gain from pairing, measure by measure."""
    gains = pairing_gains(effects)
    labels = dict(zip(effects["measure"], effects["label"], strict=True))
    frame = gains.assign(measure=gains["measure"].map(labels))
    median = N_("times as many games, median")
    caption = tr(
        "Gain from pairing: unpaired games that would give the same intervals, as a multiple of the paired games."
    )
    formats = dict.fromkeys([median, N_("least"), N_("most")], ".2f")
    shown = frame.rename(columns={"median": median, "rows": N_("effects")})
    return Table("pairing", caption, shown, formats, gains)


def _stems(names: Sequence[str]) -> dict[str, str]:
    """Return the file stem of each variant: its name, or a number and the first characters that fit a file name."""
    fit = {name: re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-")[:_LONGEST_STEM] for name in names}
    return {
        name: stem if stem == name else f"{number}-{stem}".rstrip("-")
        for number, (name, stem) in enumerate(fit.items(), 1)
    }


def forests(effects: pd.DataFrame, variant: str, baseline: str, stem: str = "", paired: bool = True) -> list[Figure]:
    """Draw forest plots of a variant's effects: win shares in points, other measures in percent of the baseline.

    `effects` are from `named_effects`; a kind without rows has no plot. `stem` is the file stem of the variant. With
    `paired`, the baseline is a variant on the same deals; otherwise another run.
    """
    part = effects[effects["variant"] == variant].assign(row=lambda each: each["name"])
    counted = N_("pairs") if paired else N_("rows")
    names = {"variant": variant, "baseline": baseline}
    share = part["threshold"].notna()
    figures = []
    if share.any():
        rows, unit = (part[share].sort_values(["measure", "group"], kind="stable"), tr("points of win share"))
        caption = (
            tr("Effect of {variant} compared with {baseline}: win shares.", **names)
            if paired
            else tr("{variant} compared with {baseline}: win shares.", **names)
        )
        figures.append(draw_forest(f"forest-shares-{stem}", caption, rows, unit, True, counted))
    others = part[~share & (part["baseline"].abs() > NEGLIGIBLE)].copy()
    if len(others):
        for column in ("effect", "low", "high"):
            others[column] = 100 * others[column] / others["baseline"].abs()
        caption = (
            tr("Effect of {variant} compared with {baseline}: other measures.", **names)
            if paired
            else tr("{variant} compared with {baseline}: other measures.", **names)
        )
        unit = tr("change in % of {baseline}", baseline=baseline)
        figures.append(draw_forest(f"forest-{stem}", caption, others, unit, False, counted))
    return [replace(figure, variant=variant) for figure in figures]
