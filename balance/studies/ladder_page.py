"""The page of a ladder: ratings, the gain from larger search budgets, and the meta-game."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from balance.analysis.gather import gather
from balance.foundation.language import N_, tr, trn, write_number
from balance.report.context import Family, ReportContext
from balance.report.figures.strength import draw_ratings, draw_trace
from balance.report.model import Chapter, Section, Table
from balance.report.page import Files, write_page
from balance.report.rows.strategies import ROW
from balance.report.screen import Finding
from balance.report.section import questions_of, register_families
from balance.report.sections import played, rules, strategies
from balance.report.words import write_estimate, write_range
from balance.stats.ratings import ANCHORED_AT
from balance.studies.ladder import Games
from balance.studies.standings import FAMILIES, Standings

FILES = Files(html="ladder.html", markdown="ladder.md", tables=".")


def write_ladder(games: Games, standings: Standings, out: Path) -> Path:
    """Write ``ladder.html``, ``ladder.md``, ``ladder.csv`` and figures into a folder; return the page's path."""
    parts, facts = (played, strategies, rules), ReportContext(games.field)
    doublings = Family("doublings", facts.plan.tier.name)
    facts = replace(facts, registered=register_families([*parts, ROW], facts) | {doublings})
    assert len(facts.registered) == FAMILIES, (
        "the standings were judged as one of another number of families"
    )
    answers = gather(games.field, questions_of(parts, facts))
    written = [part.write(facts, answers) for part in parts]
    own = [_ladder_section(standings, games.searcher), *_trace_sections(standings)]
    findings = _findings(standings)
    first = Section("findings", tr("Findings"), [tr(_PREFACE)], findings=findings)
    subtitle = tr(
        "Ladder of strategies, rules {rules}: {games:,} games", rules=facts.first, games=games.played
    )
    chapter = Chapter(facts.plan.game.title, subtitle, [first, *own, *written])
    return write_page([chapter], out, FILES)


_PREFACE = N_(
    "Each interval has 95 % confidence. The results hold for these strategies; a stronger one changes them."
)


def _write_rating(row: Any, anchor: str) -> str:
    """Return a rating with its interval, or with one end if no games bound the other."""
    if row.strategy == anchor and math.isfinite(row.rating):
        return tr("{rating:.0f} (set)", rating=row.rating)
    if math.isfinite(row.rating):
        return _write_range(row.rating, row.rating_low, row.rating_high)
    if math.isfinite(row.rating_low):
        return tr("over {rating:.0f}", rating=row.rating_low)
    if math.isfinite(row.rating_high):
        return tr("under {rating:.0f}", rating=row.rating_high)
    return "–"


def _write_range(value: float, low: float, high: float) -> str:
    return write_range(*(write_number(each, ".0f") for each in (value, low, high)))


def _write_shares(table: pd.DataFrame, prefix: str = "") -> list[str]:
    """Return shares with their intervals as cells; a dash for a missing share."""
    names = [prefix, f"{prefix}_low", f"{prefix}_high"] if prefix else ["value", "low", "high"]
    shares = table[names].set_axis(["value", "low", "high"], axis=1)
    return ["–" if math.isnan(row.value) else write_estimate(row) for row in shares.itertuples()]


def ladder_tables(standings: Standings, against: str) -> dict[int, Table]:
    """Return a table for each player count, the strongest strategy first; one CSV file contains all tables."""
    return {
        players: _ladder_table(standings, players, cell, against)
        for players, cell in standings.table.groupby("players")
    }


def _ladder_table(standings: Standings, players: int, cell: pd.DataFrame, against: str) -> Table:
    frame = cell[["strategy"]].copy()
    frame[N_("wins, %")] = _write_shares(cell)
    frame[N_("rating")] = [_write_rating(row, standings.anchor) for row in cell.itertuples()]
    frame["mu ± sigma"] = [
        "–"
        if math.isnan(row.mu)
        else f"{write_number(row.mu, '.1f')} ± {write_number(row.sigma, '.1f')}"
        for row in cell.itertuples()
    ]
    frame[tr("against {strategy}, %", strategy=against)] = _write_shares(cell, "against")
    frame[N_("decisions/s")] = cell["speed"]
    caption = trn(
        "{n} player; n ≥ {seats:,} seats of the field", "{n} players; n ≥ {seats:,} seats of the field",
        players, seats=int(cell["n"].min()),
    )  # fmt: skip
    if cell["against_n"].any():
        caption += trn(
            ", {n:,} game against {strategy}", ", {n:,} games against {strategy}",
            int(cell["against_n"].min()), strategy=against,
        )  # fmt: skip
    caption += tr("; in brackets 95 % intervals.")
    return Table("ladder", caption, frame, {"decisions/s": ",.0f"}, standings.table)


def _ladder_section(standings: Standings, against: str) -> Section:
    text = [
        tr(
            "Wins: the share of its seats that a strategy wins, with line-ups drawn evenly from all strategies, in "
            "every seat."
        ),
        tr(
            "Rating: Plackett-Luce strengths, fitted to the rankings of all games of the field that ended (ties count "
            "half), on the Elo scale: a strategy rated 400 points higher finishes above the other ten times as often "
            "as below it. {anchor} is set to {rating:.0f}; intervals are for the distance to it, from a bootstrap "
            'over deals. "Over" and "under": no chain of games bounds the other end.',
            anchor=standings.anchor,
            rating=ANCHORED_AT,
        ),
        tr(
            "mu ± sigma: the OpenSkill rating, as online players are rated; the mean of five random orders of the same "
            "games. Sigma is OpenSkill's own measure of uncertainty, not a confidence interval."
        ),
        tr(
            "Against {strategy}: wins alone at a table of it, in every seat; fair is 50 % with 2 players, 25 % with 4.",
            strategy=against,
        ),
        tr(
            "Decisions/s: decisions with more than one option per second of processor time on one core, with the "
            "strategy in all seats, measured on this machine during this command."
        ),
    ]
    table = standings.table
    rated = table[table["rating_low"].notna()]
    figures = []
    if len(rated):
        caption = tr(
            "Ratings, {anchor} being {rating:.0f}.", anchor=standings.anchor, rating=ANCHORED_AT
        )
        figures.append(draw_ratings("ratings", caption, rated, tr("points of the Elo scale")))
    return Section(
        "ladder",
        tr("Ladder"),
        text,
        figures=figures,
        tables=[*ladder_tables(standings, against).values()],
    )


def depth_line(row: Any) -> str:
    """Describe the gain from doubling the search budget at a player count."""
    return tr(
        "from {least} to {most} iterations each doubling is worth {gain} points, mean of {doublings}, n = {n:,}; "
        "shown for {shown} of {doublings}",
        least=row.least, most=row.most, gain=_write_range(row.value, row.low, row.high),
        doublings=row.doublings, n=row.n, shown=row.shown,
    )  # fmt: skip


def _trace_sections(standings: Standings) -> list[Section]:
    trace = standings.trace
    if not len(trace):
        return []
    text = [
        tr(
            "How much skill the game rewards, measured with this searcher: each budget of iterations plays alone at a "
            "table of searchers with half of it. The depth is the sum of the gains divided by the number of doublings, "
            "in points of the Elo scale; it says nothing about budgets that were not played."
        )
    ]
    frame = trace[["players", "budget", "half"]].rename(
        columns={"half": N_("against"), "budget": N_("budget")}
    )
    frame["wins, %"] = _write_shares(trace)
    frame[N_("gain, points")] = [
        _write_range(row.gain, row.gain_low, row.gain_high) for row in trace.itertuples()
    ]
    frame["verdict"], frame["n"] = trace["verdict"], trace["n"]
    caption = tr("Each budget against half of it; verdicts are corrected together.")
    tables = [Table("trace", caption, frame, {"n": ","}, trace), _depth_table(standings.depth)]
    figures = [draw_trace("trace", tr("Wins of each budget against half of it."), trace)]
    return [Section("trace", tr("Skill trace"), text, figures=figures, tables=tables)]


def _depth_table(depth: pd.DataFrame) -> Table:
    frame = depth[["players"]].copy()
    frame[N_("points a doubling")] = [write_estimate(row, 0) for row in depth.itertuples()]
    frame[N_("iterations")] = [
        tr("{low} to {high}", low=row.least, high=row.most) for row in depth.itertuples()
    ]
    frame[N_("doublings shown")] = [
        tr("{shown} of {all}", shown=row.shown, all=row.doublings) for row in depth.itertuples()
    ]
    frame["n"] = depth["n"]
    return Table("depth", tr("The depth of the game, by this searcher."), frame, {"n": ","}, depth)


def _findings(standings: Standings) -> list[Finding]:
    """Return findings: at each player count the strategy most clearly rated above the anchor, and the depths."""
    anchor = standings.anchor
    above = standings.table[standings.table["rating_low"] > ANCHORED_AT]
    best = above.sort_values("rating_low", ascending=False).groupby("players").head(1)
    found = []
    for row in best.sort_values("players").itertuples():
        text = trn(
            "{n} player: {strategy} is rated {rating} where {anchor} has {set:.0f}, n = {seats:,} seats.",
            "{n} players: {strategy} is rated {rating} where {anchor} has {set:.0f}, n = {seats:,} seats.",
            row.players, strategy=row.strategy, rating=_write_rating(row, anchor), anchor=anchor,
            set=ANCHORED_AT, seats=row.n,
        )  # fmt: skip
        found.append(Finding(text, "ladder"))
    for row in standings.depth.itertuples():
        text = trn("{n} player: {depth}.", "{n} players: {depth}.", row.players, depth=depth_line(row))
        found.append(Finding(text, "trace"))
    return found
