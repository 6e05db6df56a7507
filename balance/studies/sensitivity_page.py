"""The page of a sensitivity analysis: a tornado chart for each measure, and a matrix of keys and measures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from balance.contract.analytics import Measure
from balance.experiments.measures import all_measures
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.text import listed
from balance.report.figures.bars import draw_tornado
from balance.report.kit import side_by_side
from balance.report.model import Chapter, Figure, Headline, Section, Table
from balance.report.page import Files, write_page
from balance.report.row import find_rows
from balance.report.sections import played
from balance.report.words import capital, label_of, name_of, signed
from balance.studies.sensitivity import SensitivityGames

FILES = Files(html="sensitivity.html", markdown="sensitivity.md", tables=".")
_BARS = 12  # keys in a tornado chart
_NAMED = 3  # steps in a sentence


def write_sensitivity(games: SensitivityGames, effects: pd.DataFrame, out: Path) -> Path:
    """Write ``sensitivity.html``, ``sensitivity.md``, CSV files and figures into a folder; return the page's path.

    `effects` are those of `balance.studies.sensitivity.read_effects`.
    """
    first = {measure.name for measure in first_measures(games)}
    charts = [_charts(measure, effects, measure.name not in first) for measure in games.measures]
    sections = [
        _overview(games, effects),
        *charts,
        _matrix(games, effects),
        played.write_alone(games.run),
    ]
    subtitle = tr(
        "Sensitivity of {rules}, played by {names}: {steps} steps of {keys} rule keys",
        rules=games.baseline, steps=len(games.steps), keys=games.keys,
        names=", ".join(strategy.name for strategy in games.run.plan.strategies),
    )  # fmt: skip
    chapter = Chapter(games.run.plan.game.title, subtitle, [*filter(None, sections)])
    return write_page([chapter], out, FILES)


def first_measures(games: SensitivityGames) -> list[Measure]:
    """Return the measures that designers ask about first; all if none of these was played."""
    plan = games.run.plan
    judged = {row.measure for row in find_rows(plan)}
    others = {measure.name for measure in all_measures(plan.game)} - {*judged, "margin"}
    return [measure for measure in games.measures if measure.name not in others] or games.measures


def _overview(games: SensitivityGames, effects: pd.DataFrame) -> Section:
    lines = [line for measure in first_measures(games) for line in _largest(measure, effects)]
    moved = set(effects.loc[effects["size"] > 0, "measure"])
    if unmoved := [tr(measure.label) for measure in games.measures if measure.name not in moved]:
        lines.append(tr("No step is shown to move: {measures}.", measures=", ".join(unmoved)))
    return Section("moves", tr("What moves what"), how_to_read(games, effects), notes=lines)


def how_to_read(games: SensitivityGames, effects: pd.DataFrame) -> list[str]:
    """Return what an effect is, how sure it is, and for whom it holds."""
    who = listed([strategy.name for strategy in games.run.plan.strategies])
    return [
        tr(
            "Each rule key goes one step down and up, alone, on the deals of {rules}. An effect is the mean difference "
            "between the two games of a pair.",
            rules=games.baseline,
        ),
        tr(
            "All {n:,} intervals hold together with 95 % confidence. The effects are shrunk a little, because they are "
            "chosen for their size.",
            n=len(effects),
        ),
        tr(
            "Played by {strategies}, without adapting to the changed rules. Play a promising step with other "
            "strategies before you change the game.",
            strategies=who,
        ),
    ]


def _largest(measure: Measure, effects: pd.DataFrame) -> Iterator[str]:
    """Yield a line for each group of a measure that is moved: the largest steps at each player count."""
    found = effects[(effects["measure"] == measure.name) & (effects["size"] > 0)]
    for group, cell in found.groupby("group"):
        counts = [
            trn(
                "with {n} player, from {level}: {steps}",
                "with {n} players, from {level}: {steps}",
                players,
                level=write_number(float(part["baseline"].iloc[0]), ".3g"),
                steps=", ".join(
                    f"{row.key} {tr(row.step)} ({signed(row.quoted)})"
                    for row in part.head(_NAMED).itertuples()
                ),
            )
            for players, part in cell.groupby("players")
        ]
        yield f"{capital(label_of(measure, str(group)))}: {'; '.join(counts)}."


def _charts(measure: Measure, effects: pd.DataFrame, folded: bool) -> Section | None:
    """Return a tornado chart for each group of a measure that any step is shown to move; None if there is none."""
    found = effects[effects["measure"] == measure.name]
    figures = [
        figure for group, part in found.groupby("group") if (figure := _chart(measure, str(group), part))
    ]
    if not figures:
        return None
    shown = found.assign(
        value=found["quoted"], measure=[name_of(measure, group) for group in found["group"]]
    )
    caption = tr("Effects of every step: {measure}.", measure=tr(measure.label))
    tables = [side_by_side(measure.name, caption, shown, ["measure", "key", "step"])]
    headlines = [Headline(line) for line in _largest(measure, effects)] if folded else []
    title, text = capital(tr(measure.label)), [tr(measure.meaning)]
    return Section(measure.name, title, text, headlines, figures=figures, tables=tables, rest=folded)


def _chart(measure: Measure, group: str, part: pd.DataFrame) -> Figure | None:
    """Return the keys that move a measure most, all their steps included."""
    sizes = part[part["size"] > 0].groupby("key")["size"].max()
    keys = list(sizes.sort_values(ascending=False, kind="stable").index[:_BARS])
    if not keys:
        return None
    rows = part[part["key"].isin(keys)].sort_values(
        "key", key=lambda names: names.map(keys.index), kind="stable"
    )
    name, label = f"{measure.name}-{group}".rstrip("-"), label_of(measure, group)
    return draw_tornado(
        name, tr("What moves {measure}.", measure=label), rows, tr("change of {measure}", measure=label)
    )


def _matrix(games: SensitivityGames, effects: pd.DataFrame) -> Section | None:
    """Return steps by measures for each player count: the shown effects, in standard deviations between deals."""
    measures = {measure.name: measure for measure in games.measures}
    shown = effects[effects["size"] > 0]
    if shown.empty:
        return None
    shown = shown.assign(
        label=[name_of(measures[row.measure], row.group) for row in shown.itertuples()],
        moved=np.sign(shown["quoted"]) * shown["size"],
        row=shown["key"] + " " + shown["step"].map(tr),
    )
    tables = []
    for players, part in shown.groupby("players"):
        wide = part.pivot(index="row", columns="label", values="moved")
        wide = wide.loc[part["row"].unique(), part["label"].unique()].reset_index(names=N_("step"))
        caption = trn(
            "{n} player: shown effects, in standard deviations of the measure between deals.",
            "{n} players: shown effects, in standard deviations of the measure between deals.",
            players,
        )
        formats = dict.fromkeys(wide.columns[1:], "+.1f")
        tables.append(Table("matrix", caption, wide, formats, effects, middle=0.0))
    return Section("matrix", tr("Steps and measures"), tables=tables)
