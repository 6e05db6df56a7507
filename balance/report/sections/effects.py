"""What each variant changes: paired effects, a forest plot each."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from balance.analysis.compare import (
    NEGLIGIBLE,
    Pairs,
    pair_questions,
    pairing_gains,
    read_pairs,
)
from balance.analysis.gather import Answers
from balance.analysis.unfinished import Played, withhold
from balance.report.facts import Facts
from balance.report.figures.curves import draw_forest
from balance.report.layout import label_of, name_of, side_by_side
from balance.report.model import Figure, Section, Table
from balance.report.section import Written

PLACE = 210


def judges(facts: Facts) -> int:
    """Effects, where there is something to compare."""
    return int(len(facts.plan.variants) > 1)


def questions(facts: Facts) -> Sequence[Pairs]:
    """Pairs with the first variant, of all measures."""
    if len(facts.plan.variants) < 2:
        return []
    return pair_questions(facts.first, list(facts.measures.values()))


def write(facts: Facts, answers: Answers) -> Written | None:
    """Effects against the first variant."""
    asked = questions(facts)
    if not asked:
        return None
    effects = read_pairs(facts.plan, asked, answers, facts.families)
    effects = withhold(effects, answers[Played()], facts.first)
    return Written(write_effects(facts, effects, facts.first))


def write_effects(facts: Facts, effects: pd.DataFrame, baseline: str) -> Section:
    """Paired effects of every variant, a forest plot each; the table has player counts side by side."""
    measures = facts.measures
    shown = effects.assign(
        row=[label_of(measures[row.measure], row.group) for row in effects.itertuples()],
        name=[name_of(measures[row.measure], row.group) for row in effects.itertuples()],
        label=[name_of(measures[row.measure]) for row in effects.itertuples()],
    )
    shown["threshold"] = (
        shown["measure"].map({name: m.threshold for name, m in measures.items()}).astype(float)
    )
    named = [name for name in dict.fromkeys(effects["variant"]) if name not in facts.plan.points]
    stems = _stems(named)
    figures = [figure for name in named for figure in _forests(shown, name, baseline, stems[name])]
    limits = facts.thresholds
    text = [
        f"Each game is paired with the one of {baseline} that has the same deck, line-up and seeds; the effect "
        f"is the mean difference. {len(effects)} comparisons, corrected together{facts.shared}: higher and lower "
        "differ for sure; same is shown to lie within "
        f"{limits.seats:g} points (seats) or {limits.strategies:g} points (strategies); slightly higher and "
        "slightly lower are both, too small to matter; else undecided.",
    ]
    estimates = shown.rename(columns={"effect": "value", "row": "effect on"})
    estimates["levels"] = [
        f"{row.baseline:.2f} → {row.baseline + row.effect:.2f}" for row in effects.itertuples()
    ]
    table = side_by_side(
        "effects",
        f"Effects against {baseline}, and the levels that they lead from and to.",
        estimates,
        ["variant", "effect on"],
        notes=["levels", "verdict"],
    )
    tables = [Table(table.name, table.caption, table.data, {}, effects), _gain_table(shown)]
    return Section("effects", "What each variant changes", text, figures=figures, tables=tables)


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


def _forests(effects: pd.DataFrame, variant: str, baseline: str, stem: str) -> list[Figure]:
    part = effects[effects["variant"] == variant]
    share = part["threshold"].notna()
    figures = []
    if share.any():
        caption = f"Effect of {variant} against {baseline} on win shares."
        rows = part[share].sort_values(["measure", "group"], kind="stable")
        rows = rows.assign(row=rows["name"])
        figures.append(draw_forest(f"forest-shares-{stem}", caption, rows, "points of win share", True))
    others = part[~share & (part["baseline"].abs() > NEGLIGIBLE)].copy()
    if len(others):
        for column in ("effect", "low", "high"):
            others[column] = 100 * others[column] / others["baseline"].abs()
        caption = f"Effect of {variant} against {baseline} on other measures."
        rows = others.assign(row=others["name"])
        figures.append(draw_forest(f"forest-{stem}", caption, rows, f"change in % of {baseline}", False))
    return figures
