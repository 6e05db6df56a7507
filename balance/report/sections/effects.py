"""What each variant changes: paired effects, a forest plot each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from balance.analysis.check import read_targets_table, target_questions
from balance.analysis.compare import (
    NEGLIGIBLE,
    pair_questions,
    pairing_gains,
    read_pairs,
)
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.shares import judged_shares, share_question
from balance.analysis.unfinished import Played
from balance.contract.measure import Measure
from balance.contract.words import nth
from balance.report.facts import Facts
from balance.report.figures.curves import draw_forest
from balance.report.layout import label_of, name_of, side_by_side
from balance.report.model import Figure, Section, Table, write_estimate
from balance.report.section import Written

PLACE = 210


def judges(facts: Facts) -> int:
    """Effects, where there is something to compare."""
    return int(len(facts.plan.variants) > 1)


def questions(facts: Facts) -> Sequence[Question]:
    """Pairs with the first variant, of all measures; what variants are ranked by."""
    if len(facts.plan.variants) < 2:
        return []
    targets = target_questions(facts.plan, facts.plan.experiment.targets)
    pairs = pair_questions(facts.first, list(facts.measures.values()))
    return [*pairs, share_question(facts.seat_share), Played(), *targets]


def write(facts: Facts, answers: Answers) -> Written | None:
    """Effects against the first variant."""
    if len(facts.plan.variants) < 2:
        return None
    asked = pair_questions(facts.first, list(facts.measures.values()))
    effects = read_pairs(facts.plan, asked, answers, facts.families)
    section = write_effects(facts, effects, facts.first)
    section.tables.insert(0, _ranking(facts, answers))
    return Written(section)


def _ranking(facts: Facts, answers: Answers) -> Table:
    """Variants by the targets that they miss, then by how far their seats are from fair."""
    shares = judged_shares(facts.plan, answers, "seat", facts.families)
    shares["away"] = (shares["value"] - shares["fair"]).abs()
    worst = shares.loc[shares.groupby(["variant", "players"], sort=False)["away"].idxmax()]
    raw = worst.groupby("variant", sort=False)["away"].mean().rename("points from fair").reset_index()
    raw["targets missed"] = 0
    if targets := facts.plan.experiment.targets:
        table = read_targets_table(facts.plan, targets, answers, "targets", facts.families)
        missed = table[table["verdict"] == "fail"].groupby("variant").size()
        raw["targets missed"] = raw["variant"].map(missed).fillna(0).astype(int)
    raw = raw.sort_values(["targets missed", "points from fair"], kind="stable", ignore_index=True)
    frame = raw if targets else raw.drop(columns="targets missed")
    for players, part in worst.groupby("players"):
        told = part.set_index("variant")
        frame[f"furthest of {players}, %"] = [
            f"{nth(row.seat)} {write_estimate(row)}" for row in told.loc[frame["variant"]].itertuples()
        ]
    caption = (
        "Variants, nearest to the targets and to fair seats first: mean distance of the furthest seat over player "
        f"counts. Those whose intervals overlap may change places. n ≥ {int(worst['n'].min()):,}."
    )
    return Table("ranking", caption, frame, {"points from fair": ".1f"}, worst)


def write_effects(facts: Facts, effects: pd.DataFrame, baseline: str) -> Section:
    """Paired effects of every variant, a forest plot each; the table has player counts side by side."""
    text = [
        f"Each game is paired with the one of {baseline} that has the same deck, line-up and seeds; the effect "
        f"is the mean difference. {_verdicts(facts, effects)}"
    ]
    shown = named_effects(facts.measures, effects)
    figures = _figures(facts, shown, baseline, paired=True)
    tables = [_table(shown, effects, baseline), _gain_table(shown)]
    longer = facts.longer(effects)
    return Section(
        "effects", "What each variant changes", text, figures=figures, tables=tables, longer=longer
    )


def write_differences(facts: Facts, differences: pd.DataFrame, one: str, other: str) -> Section:
    """What another run shows more than one with which it can't be pooled, drawn as effects are."""
    text = [
        f"Of {other} less {one}, which were played apart: no game is paired, and intervals are those of independent "
        f"runs. {_verdicts(facts, differences)}"
    ]
    shown = named_effects(facts.measures, differences)
    figures = _figures(facts, shown, one, paired=False)
    tables = [_table(shown, differences, one)]
    return Section("differences", "What differs between the runs", text, figures=figures, tables=tables)


def _verdicts(facts: Facts, effects: pd.DataFrame) -> str:
    """How the words of the table are to be read."""
    limits = facts.thresholds
    return (
        f"{len(effects)} comparisons, corrected together{facts.shared}: higher and lower differ for sure; same is "
        f"shown to lie within {limits.seats:g} points (seats) or {limits.strategies:g} points (strategies); slightly "
        "higher and slightly lower are both, too small to matter; else undecided."
    )


def _figures(facts: Facts, shown: pd.DataFrame, baseline: str, paired: bool) -> list[Figure]:
    """A forest plot for each variant; points of a sweep have a curve elsewhere."""
    named = [name for name in dict.fromkeys(shown["variant"]) if name not in facts.plan.points]
    stems = _stems(named)
    return [figure for name in named for figure in forests(shown, name, baseline, stems[name], paired)]


def _table(shown: pd.DataFrame, effects: pd.DataFrame, baseline: str) -> Table:
    """Effects by what they are on, player counts side by side."""
    estimates = shown.rename(columns={"effect": "value", "row": "effect on"})
    estimates["levels"] = [
        f"{row.baseline:.2f} → {row.baseline + row.effect:.2f}" for row in effects.itertuples()
    ]
    # What has no threshold comes after what has one, in the order of the plan.
    estimates["importance"] = (shown["effect"].abs() / shown["threshold"]).fillna(0.0)
    table = side_by_side(
        "effects",
        f"Effects against {baseline}, and the levels that they lead from and to.",
        estimates,
        ["variant", "effect on"],
        notes=["levels", "verdict"],
    )
    return replace(table, raw=effects)


def named_effects(measures: Mapping[str, Measure], effects: pd.DataFrame) -> pd.DataFrame:
    """Effects as they are shown: with the columns ``row`` (of a table), ``name``, ``label`` and ``threshold``."""
    named = [(measures[row.measure], row.group) for row in effects.itertuples()]
    return effects.assign(
        row=[label_of(measure, group) for measure, group in named],
        name=[name_of(measure, group) for measure, group in named],
        label=[name_of(measure) for measure, _ in named],
        threshold=pd.Series([m.threshold for m, _ in named], index=effects.index, dtype=float),
    )


def _gain_table(effects: pd.DataFrame) -> Table:
    """What pairing was worth, measure by measure: it differs much."""
    gains = pairing_gains(effects)
    labels = dict(zip(effects["measure"], effects["label"], strict=True))
    frame = gains.assign(measure=gains["measure"].map(labels))
    names = {
        "median": "times as many games, median",
        "least": "least",
        "most": "most",
        "rows": "effects",
    }
    caption = (
        "What pairing was worth: how many times as many games the same intervals would need unpaired."
    )
    formats = dict.fromkeys([names["median"], "least", "most"], ".2f")
    return Table("pairing", caption, frame.rename(columns=names), formats, gains)


def _stems(names: Sequence[str]) -> dict[str, str]:
    """What files about variants are called: the name, or a number and what of it is fit for a file."""
    fit = {name: re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-") for name in names}
    return {
        name: stem if stem == name else f"{number}-{stem}".rstrip("-")
        for number, (name, stem) in enumerate(fit.items(), 1)
    }


def forests(
    effects: pd.DataFrame, variant: str, baseline: str, stem: str = "", paired: bool = True
) -> list[Figure]:
    """Forest plots of what a variant changes: win shares in points, other measures in percent of the baseline.

    Parameters
    ----------
    effects : DataFrame
        Of `named_effects`; a kind of which it has no rows has no plot.
    stem : str
        What files about the variant are called.
    paired : bool
        Whether the baseline is a variant on the same decks, or another run.
    """
    part = effects[effects["variant"] == variant]
    what, counted = (
        (f"Effect of {variant} against", "pairs") if paired else (f"{variant}, against that of", "rows")
    )
    share = part["threshold"].notna()
    figures = []
    if share.any():
        caption = f"{what} {baseline}: win shares."
        rows = part[share].sort_values(["measure", "group"], kind="stable")
        rows = rows.assign(row=rows["name"])
        figures.append(
            draw_forest(f"forest-shares-{stem}", caption, rows, "points of win share", True, counted)
        )
    others = part[~share & (part["baseline"].abs() > NEGLIGIBLE)].copy()
    if len(others):
        for column in ("effect", "low", "high"):
            others[column] = 100 * others[column] / others["baseline"].abs()
        caption = f"{what} {baseline}: other measures."
        rows = others.assign(row=others["name"])
        figures.append(
            draw_forest(f"forest-{stem}", caption, rows, f"change in % of {baseline}", False, counted)
        )
    return [replace(figure, variant=variant) for figure in figures]
