"""What each variant changes: paired effects, a forest plot each."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import pandas as pd

from balance.analysis.compare import Pairs, pair_questions, read_pairs
from balance.analysis.gather import Answers
from balance.analysis.unfinished import Played, withhold
from balance.report.facts import Facts
from balance.report.figures.curves import draw_forest
from balance.report.layout import label_of, name_of, side_by_side
from balance.report.model import Figure, Finding, Section, Table, write_p
from balance.report.section import Written

PLACE = 210


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
    effects = read_pairs(facts.plan, asked, answers)
    return write_effects(facts, withhold(effects, answers[Played()], facts.first), facts.first)


def write_effects(facts: Facts, effects: pd.DataFrame, baseline: str) -> Written:
    """Paired effects of every variant, a forest plot each; the table has player counts side by side."""
    measures = facts.measures
    shown = effects.assign(
        row=[label_of(measures[row.measure], row.group) for row in effects.itertuples()],
        name=[name_of(measures[row.measure], row.group) for row in effects.itertuples()],
    )
    shown["threshold"] = (
        shown["measure"].map({name: m.threshold for name, m in measures.items()}).astype(float)
    )
    named = [name for name in dict.fromkeys(effects["variant"]) if name not in facts.plan.points]
    stems = _stems(named)
    figures = [figure for name in named for figure in _forests(shown, name, baseline, stems[name])]
    gain = effects["gain"].replace(float("inf"), float("nan")).median()
    limits = facts.thresholds
    text = [
        f"Each game is paired with the one of {baseline} that has the same deck, line-up and seeds; the effect "
        "is the mean difference. Pairing was worth "
        f"{gain:.1f} times as many games (median). {len(effects)} comparisons, corrected together by Holm's "
        "method: higher and lower are verdicts after it; same means that the whole interval lies within "
        f"{limits.seats:g} points (seats) or {limits.strategies:g} points (strategies); else undecided.",
    ]
    estimates = shown.rename(columns={"effect": "value", "row": "effect on"})
    table = side_by_side(
        "effects", f"Effects against {baseline}.", estimates, ["variant", "effect on"], notes=["verdict"]
    )
    table = Table(table.name, table.caption, table.data, {}, effects)
    section = Section("effects", "What each variant changes", text, figures=figures, tables=[table])
    return Written(section, _findings(shown, baseline, set(named)))


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
    others = part[~share & (part["baseline"].abs() > 1e-9)].copy()
    if len(others):
        for column in ("effect", "low", "high"):
            others[column] = 100 * others[column] / others["baseline"].abs()
        caption = f"Effect of {variant} against {baseline} on other measures."
        rows = others.assign(row=others["name"])
        figures.append(draw_forest(f"forest-{stem}", caption, rows, f"change in % of {baseline}", False))
    return figures


def _findings(effects: pd.DataFrame, baseline: str, named: set[str]) -> list[Finding]:
    found = []
    decided = effects[effects["verdict"].isin(["higher", "lower"]) & effects["variant"].isin(named)]
    for (variant, players), cell in decided.groupby(["variant", "players"], sort=False):
        shares = cell[cell["threshold"].notna()]
        others = cell[cell["threshold"].isna() & (cell["baseline"].abs() > 1e-9)]
        best = []
        if len(shares):
            best.append(shares.loc[shares["effect"].abs().idxmax()])
        if len(others):
            best.append(others.loc[(others["effect"] / others["baseline"]).abs().idxmax()])
        found += [_finding(row, variant, players, baseline) for row in best]
    return found


def _finding(row: pd.Series, variant: str, players: int, baseline: str) -> Finding:
    """One effect in words; those on shares weigh by their threshold, others by their baseline."""
    if math.isnan(row["threshold"]):
        size = abs(row["effect"] / row["baseline"]) * 2
    else:
        size = abs(row["effect"]) / row["threshold"]
    p = write_p(row["p"])
    text = (
        f"{variant} against {baseline}, {players} players: {row['name']} changes by "
        f"{row['effect']:+.2f}{_words(row['unit'])} "
        f"({row['low']:+.2f} to {row['high']:+.2f}, from {row['baseline']:.2f}; n = {row['n']:,} pairs; "
        f"p {p if p.startswith('<') else '= ' + p})."
    )
    return Finding(text, "effects", float(min(size, 4)))


def _words(unit: str) -> str:
    """A unit behind a difference."""
    return " points" if unit.startswith("%") else f" {unit}".rstrip()
