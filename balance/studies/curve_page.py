"""The page of a strength curve: values of the strongest level, forecasts with twice the thought, and all levels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from balance.analysis.gather import gather
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.text import ESTIMATE, NAME, NUMBER, nth, seat_name
from balance.report.context import ReportContext
from balance.report.figures.strength import draw_strength
from balance.report.model import Chapter, Section, Table
from balance.report.screen import Finding
from balance.report.section import questions_of
from balance.report.sections import played, rules
from balance.report.words import name_group, name_of, write_estimate, write_range
from balance.stats.curves import KINDS
from balance.studies.curve import LEAST_COVERED, CurveResults, find_curve
from balance.studies.study import Brief, Study

_MEASURED, _NEXT = N_("measured"), N_("twice the thought")


def _write_chapter(results: CurveResults) -> Chapter:
    games = results.games
    facts = ReportContext(games.field)
    parts = (played, rules)
    answers = gather(games.field, questions_of(parts, facts))
    written = [part.write(facts, answers) for part in parts]
    text = [tr(_PREFACE), *_notes_on(results)]
    first = Section("findings", tr("Findings"), text, findings=_findings(results))
    subtitle = tr("Strength curve, rules {rules}: {games:,} games", rules=facts.first, games=games.played)
    sections = [first, _curve_section(results), _levels_section(results), *written]
    return Chapter(facts.plan.game.title, subtitle, sections)


_PREFACE = N_(
    "Each interval has 95 % confidence. Measured intervals are from a bootstrap over deals. Where a level plays with "
    "several networks, the results hold for these networks; other networks may differ by more."
)


def _notes_on(results: CurveResults) -> list[str]:
    """Return how well the strongest level was predicted, and whether an expert is missing."""
    cells, level = results.cells, results.games.levels[-1].name
    values = {
        "level": level, "covered": int(cells["covered"].sum()), "cells": len(cells),
        "share": 100 * results.coverage,
    }  # fmt: skip
    if results.is_shown:
        note = tr(
            "From the levels below it, {level} was predicted in {covered} of {cells} cells ({share:.0f} %): "
            "forecasts are shown.",
            **values,
        )
    else:
        note = tr(
            "No forecast is shown: from the levels below it, {level} was predicted in only {covered} of {cells} cells "
            "({share:.0f} %), and at least {least:.0f} % are needed.",
            least=100 * LEAST_COVERED, **values,
        )  # fmt: skip
    return [note, *filter(None, [results.games.without_expert])]


def _label(results: CurveResults, row: Any) -> str:
    """Return the seat, or the measure with its faction, with a percent sign for shares."""
    measure = results.measures[row.measure]
    name = seat_name(row.seat - 1) if row.seat else name_of(measure, row.faction)
    return f"{name}, %" if measure.is_share else name


def _write(row: Any, name: str = "value") -> str:
    """Return a value with its interval; a dash if it is withheld."""
    low, high = ("low", "high") if name == "value" else (f"{name}_low", f"{name}_high")
    value, low, high = (getattr(row, each) for each in (name, low, high))
    if pd.isna(value):
        return "–"
    return write_estimate(pd.Series({"value": value, "low": low, "high": high}))


def _curve_tables(results: CurveResults) -> list[Table]:
    """Return a table for each player count; one CSV file contains all tables."""
    return [_curve_table(results, players, cell) for players, cell in results.cells.groupby("players")]


def _curve_table(results: CurveResults, players: int, cell: pd.DataFrame) -> Table:
    rows = list(cell.itertuples())
    frame = pd.DataFrame({N_("measure"): [_label(results, row) for row in rows]})
    frame[_MEASURED] = [_write(row) for row in rows]
    frame[N_("predicted")] = [_write(row, "predicted") for row in rows]
    frame[_NEXT] = [_write(row, "next") for row in rows]
    frame[N_("curves, %")] = [
        " / ".join(write_number(100 * weight, ".0f") for weight in weights)
        for weights in cell[list(KINDS)].itertuples(index=False)
    ]
    frame["n"] = cell["n"].to_numpy()
    caption = trn(
        "{n} player: {level} measured, and twice the thought ({iterations:,} iterations) predicted.",
        "{n} players: {level} measured, and twice the thought ({iterations:,} iterations) predicted.",
        players, level=cell["level"].iloc[0], iterations=int(cell["iterations"].iloc[0]),
    )  # fmt: skip
    return Table("curve", caption, frame, {"n": ","}, results.cells)


def _curve_section(results: CurveResults) -> Section:
    text = [
        tr(
            "Measured: {level}, the strongest level, in all seats. Predicted: the same from the levels below it, as a "
            "test. Twice the thought: a forecast from all levels, for twice the iterations; the rating is taken to "
            "grow by the mean gain of the last doublings.",
            level=results.games.levels[-1].name,
        ),
        tr(
            "Curves: the weights of three curves of the effect by rating ({kinds}), by how well each predicted the "
            "strongest levels. Intervals of forecasts include the sampling of deals and the scatter of levels around "
            "the curve.",
            kinds=", ".join(map(tr, KINDS)),
        ),
    ]
    seats = results.levels[results.levels["measure"] == "seat_win_share"]
    caption = tr("Win shares of seats by the rating of the level that plays.")
    if results.is_shown:
        caption += " " + tr("The band contains 95 % of strong levels.")
    figures = [draw_strength("strength", caption, seats, results.curves)]
    return Section("curve", tr("Curve"), text, figures=figures, tables=_curve_tables(results))


def _levels_section(results: CurveResults) -> Section:
    text = [
        tr(
            "Each level plays itself in all seats; all levels play the same deals. Ratings are from games of each "
            "level against the next (Plackett-Luce, on the Elo scale)."
        )
    ]
    tables = []
    for players, cell in results.levels.groupby("players"):
        rows = list(cell.itertuples())
        named = cell.assign(label=[_label(results, row) for row in rows], text=[*map(_write, rows)])
        frame = named.pivot(index="level", columns="label", values="text")
        frame = frame.loc[cell["level"].unique(), named["label"].unique()]
        first = cell.drop_duplicates("level").set_index("level")
        frame.insert(0, N_("rating"), [_write_rating(row) for row in first.itertuples()])
        frame["n"] = first["n"]
        caption = trn(
            "{n} player, the weakest level first; in brackets 95 % intervals.",
            "{n} players, the weakest level first; in brackets 95 % intervals.",
            players,
        )
        tables.append(Table("levels", caption, frame.reset_index(names=N_("level")), {"n": ","}, results.levels))
    return Section("levels", tr("Levels"), text, tables=tables)


def _write_rating(row: Any) -> str:
    if row.rating_low == row.rating_high:
        return tr("{rating:.0f} (set)", rating=row.rating)
    return write_range(*(write_number(each, ".0f") for each in (row.rating, row.rating_low, row.rating_high)))


def _findings(results: CurveResults) -> list[Finding]:
    """Return a finding for each seat and faction: its share at the strongest level, and with twice the thought."""
    found = []
    for row in results.cells.itertuples():
        measure = results.measures[row.measure]
        if measure.per_game:
            continue
        who = tr("the {nth} seat", nth=nth(row.seat - 1)) if row.seat else name_group(measure, row.faction)
        text = trn(
            "{n} player: {who} wins {share} % of games at {level}, n = {games:,}",
            "{n} players: {who} wins {share} % of games at {level}, n = {games:,}",
            row.players, who=who, share=_write(row), level=row.level, games=row.n,
        )  # fmt: skip
        if results.is_shown:
            text += tr("; with twice the thought {share}", share=_write(row, "next"))
        found.append(Finding(f"{text}.", "curve"))
    return found


_SHOWN = {N_("measure"): NAME, _MEASURED: ESTIMATE, _NEXT: ESTIMATE, "n": NUMBER}


def _write_brief(results: CurveResults) -> Iterator[Brief | str]:
    """Yield the strongest level's values, and the forecasts with twice the thought if they are shown."""
    yield from (Brief(table, _SHOWN) for table in _curve_tables(results))
    yield from _notes_on(results)


STUDY = Study("curve", N_("curve: {path}"), find_curve, _write_brief, lambda results: results.cells, _write_chapter)
