"""What each variant changes: forest plots, response curves and heat maps of sweeps, targets."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

from balance.analysis.check import read_targets_table, target_questions
from balance.analysis.compare import pair_questions
from balance.analysis.gather import Question
from balance.analysis.measures import SEAT_SHARE, Measure, measures_of
from balance.analysis.shares import halves_question
from balance.analysis.sweep import best_point, response, spread_table
from balance.experiments import Plan
from balance.report.curves import draw_curves, draw_forest, draw_matrix
from balance.report.layout import side_by_side
from balance.report.model import Figure, Finding, Section, Table, write_estimate, write_p
from balance.runfolder import RunFolder

_SHOWN_OF_SWEEP = ("score", "margin", "comeback", "minutes")


def questions(plan: Plan) -> dict[str, Question]:
    """Everything that these sections ask of a run."""
    found: dict[str, Question] = {}
    if len(plan.variants) > 1:
        found |= pair_questions(plan, plan.variants[0].name, measures_of(plan))
    if plan.points:
        found["seat halves"] = halves_question(SEAT_SHARE)
    if plan.experiment.targets:
        found |= target_questions(plan, plan.experiment.targets, "targets")
    return found


def write_effects(plan: Plan, effects: pd.DataFrame, baseline: str) -> tuple[Section, list[Finding]]:
    """Paired effects of every variant, a forest plot each; the table has player counts side by side."""
    measures = {measure.name: measure for measure in measures_of(plan)}
    shown = effects.assign(
        row=[_label(measures[row.measure], row.group) for row in effects.itertuples()]
    )
    shown["threshold"] = (
        shown["measure"].map({name: m.threshold for name, m in measures.items()}).astype(float)
    )
    named = [name for name in dict.fromkeys(effects["variant"]) if name not in plan.points]
    figures = [figure for name in named for figure in _forests(shown, name, baseline)]
    gain = effects["gain"].replace(float("inf"), float("nan")).median()
    limits = plan.experiment.thresholds
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
    return section, _effect_findings(shown, baseline, set(named))


def _label(measure: Measure, group: str) -> str:
    unit = f", {measure.unit}" if measure.unit else ""
    return f"{measure.label} {group}".strip() + unit


def _forests(effects: pd.DataFrame, variant: str, baseline: str) -> list[Figure]:
    part = effects[effects["variant"] == variant]
    share = part["threshold"].notna()
    figures = []
    stem = re.sub(r"[^A-Za-z0-9]+", "-", variant).strip("-")
    if share.any():
        caption = f"Effect of {variant} against {baseline} on win shares."
        rows = part[share].sort_values(["measure", "group"], kind="stable")
        rows["row"] = rows["row"].str.replace(", %", "")
        figures.append(draw_forest(f"forest-shares-{stem}", caption, rows, "points of win share", True))
    others = part[~share & (part["baseline"].abs() > 1e-9)].copy()
    if len(others):
        for column in ("effect", "low", "high"):
            others[column] = 100 * others[column] / others["baseline"].abs()
        caption = f"Effect of {variant} against {baseline} on other measures."
        rows = others.assign(row=others["row"].str.replace(r", [^,]*$", "", regex=True))
        figures.append(draw_forest(f"forest-{stem}", caption, rows, f"change in % of {baseline}", False))
    return figures


def _effect_findings(effects: pd.DataFrame, baseline: str, named: set[str]) -> list[Finding]:
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
        for row in best:
            share = row["threshold"] == row["threshold"]
            size = (
                abs(row["effect"]) / row["threshold"]
                if share
                else abs(row["effect"] / row["baseline"]) * 2
            )
            text = (
                f"{variant} against {baseline}, {players} players: {row['row'].rsplit(',', 1)[0]} changes by "
                f"{row['effect']:+.2f}{_words(row['unit'])} "
                f"({row['low']:+.2f} to {row['high']:+.2f}, from {row['baseline']:.2f}; n = {row['n']:,} pairs; "
                f"p {write_p(row['p']) if row['p'] < 0.001 else '= ' + write_p(row['p'])})."
            )
            found.append(Finding(text, "effects", float(min(size, 4))))
    return found


def _words(unit: str) -> str:
    """A unit behind a difference."""
    return " points" if unit.startswith("%") else f" {unit}".rstrip()


def write_sweep(run: RunFolder, answers: dict[str, pd.DataFrame]) -> tuple[Section, list[Finding]]:
    """Response curves (one key) or heat maps (two) of a sweep, and its best point measured again."""
    plan = run.plan
    keys = list(plan.experiment.sweep)
    spread = spread_table(plan, answers["share seat"])
    measures = {measure.name: measure for measure in measures_of(plan)}
    own = [measure.name for measure in plan.game.module("measures").MEASURES]
    wanted = [name for name in [*_SHOWN_OF_SWEEP, *own] if name in measures]
    means = response(plan, answers, [measures[name] for name in wanted])
    label = {name: _label(measures[name], "") for name in wanted}
    means["title"] = means["measure"].map(label)
    figures = (
        _curves(keys[0], means, spread)
        if len(keys) == 1
        else _maps(keys, means, spread, wanted[:4], label)
    )
    best = best_point(plan, answers["seat halves"])
    table = Table(
        "sweep-best",
        "The point with the fairest seats, chosen on half of the decks and measured again on the other half: the "
        "largest distance of a seat from fair, in points.",
        best.assign(**{"on fresh decks": [write_estimate(row, 2) for row in best.itertuples()]})[
            ["players", "point", "chosen_value", "on fresh decks", "n"]
        ].rename(columns={"chosen_value": "where it was chosen"}),
        {"where it was chosen": ".2f", "n": ","},
        best,
    )
    shown = means.rename(columns={"title": "mean of"})
    tables = [table, side_by_side("sweep", "Every point of the sweep.", shown, ["point", "mean of"])]
    text = [f"Every combination of {' and '.join(keys)} was played on the same decks."]
    found = [
        Finding(
            f"With {row.players} players the seats are fairest at {row.point}: the furthest is "
            f"{write_estimate(row, 2)} points from fair on fresh decks (n = {row.n:,} games).",
            "sweep",
            2.5,
        )
        for row in best.itertuples()
    ]
    return Section("sweep", "Sweep", text, figures=figures, tables=tables), found


def _curves(key: str, means: pd.DataFrame, spread: pd.DataFrame) -> list[Figure]:
    """A panel for each measure, a curve for each player count."""
    if not pd.api.types.is_numeric_dtype(means[key]):
        means, spread = (frame.assign(**{key: pd.factorize(frame[key])[0]}) for frame in (means, spread))
    curves = means.assign(curve=[f"{players} players" for players in means["players"]])
    caption = f"Response to {key}."
    first = draw_curves("sweep", caption, curves, key, (key, "mean"), "title")
    seats = spread.assign(curve=[f"seat {seat}" for seat in spread["seat"]])
    caption = f"Win share of the seats by {key}."
    return [draw_curves("sweep-seats", caption, seats, key, (key, "win share, %")), first]


def _maps(
    keys: Sequence[str],
    means: pd.DataFrame,
    spread: pd.DataFrame,
    names: Sequence[str],
    label: dict[str, str],
) -> list[Figure]:
    """A heat map for each measure, a panel for each player count."""
    spread = spread.assign(away=(spread["value"] - 100 / spread["players"]).abs())
    spread["half"] = (spread["high"] - spread["low"]) / 2
    worst = spread.loc[spread.groupby(["players", *keys], sort=False)["away"].idxmax()]
    means = means.assign(half=(means["high"] - means["low"]) / 2)

    def draw(name: str, caption: str, frame: pd.DataFrame, values: str, unit: str) -> Figure:
        value, half = (
            {
                f"{players} players, n ≥ {int(cell['n'].min()):,}": cell.pivot(
                    index=keys[0], columns=keys[1], values=column
                )
                for players, cell in frame.groupby("players")
            }
            for column in (values, "half")
        )
        return draw_matrix(name, caption, value, (keys[0], keys[1]), unit, None, half)

    caption = "Largest distance of a seat from fair, with half its 95 % interval."
    figures = [draw("sweep-seats", caption, worst, "away", "points")]
    for name in names:
        part = means[means["measure"] == name]
        caption = f"{label[name]}, with half the 95 % interval."
        figures.append(draw(f"sweep-{name}", caption, part, "value", label[name]))
    return figures


def write_targets(run: RunFolder, answers: dict[str, pd.DataFrame]) -> tuple[Section, list[Finding]]:
    """The experiment's own targets, and which variants meet all of them."""
    targets = run.plan.experiment.targets
    table = read_targets_table(run.plan, targets, answers, "targets")
    frame = table[["target", "players", "variant", "group"]].copy()
    frame["mean"] = [write_estimate(row, 2) for row in table.itertuples()]
    frame["verdict"] = [
        f"{row.verdict}, about {row.more_games:,} games more" if row.more_games else row.verdict
        for row in table.itertuples()
    ]
    frame["n"] = table["n"]
    found = []
    for players, cell in table.groupby("players"):
        good = [
            name
            for name, part in cell.groupby("variant", sort=False)
            if set(part["verdict"]) == {"pass"}
        ]
        total = cell["variant"].nunique()
        text = f"With {players} players {len(good)} of {total} variants are shown to meet all targets"
        text += f": {'; '.join(good)}" if good else ""
        found.append(
            Finding(f"{text} ({len(cell)} checks, n ≥ {int(cell['n'].min()):,} each).", "targets", 3.5)
        )
    note = [f"{len(table)} checks; intervals are widened so that all of them hold together with 95 %."]
    caption = "Targets."
    section = Section(
        "targets", "Targets", note, tables=[Table("targets", caption, frame, {"n": ","}, table)]
    )
    return section, found
