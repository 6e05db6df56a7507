"""The page of a ladder: ratings, the gain from larger search budgets, and the meta-game."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd

from balance.analysis.gather import gather
from balance.report.context import ReportContext
from balance.report.figures.strength import draw_ratings, draw_trace
from balance.report.model import Chapter, Finding, Section, Table
from balance.report.page import Files, check_place, write_page
from balance.report.section import questions_of
from balance.report.sections import played, rules, strategies
from balance.report.words import write_estimate
from balance.stats.ratings import ANCHORED_AT
from balance.studies.ladder import Games
from balance.studies.standings import FAMILIES, Standings

FILES = Files(html="ladder.html", markdown="ladder.md", tables=".")


def check_ladder(out: Path) -> None:
    """Refuse a folder that `write_ladder` could not write, before any game."""
    check_place(out, FILES)


def write_ladder(games: Games, standings: Standings, out: Path) -> Path:
    """Write ``ladder.html``, ``ladder.md``, ``ladder.csv`` and figures into a folder; return the page's path."""
    facts = ReportContext(games.field, FAMILIES)
    parts = (played, strategies, rules)
    answers = gather(games.field, questions_of(parts, facts))
    written = [part.write(facts, answers) for part in parts]
    own = [_ladder_section(standings, games.searcher), *_trace_sections(standings)]
    findings = _findings(standings)
    first = Section("findings", "Findings", [_PREFACE], findings=findings)
    subtitle = f"Ladder of strategies, rules {facts.first}: {games.played:,} games"
    chapter = Chapter(facts.plan.game.title, subtitle, [first, *own, *written])
    return write_page([chapter], out, FILES)


_PREFACE = "Each interval has 95 % confidence. The results hold for these strategies; a stronger one changes them."


def _write_rating(row: Any, anchor: str) -> str:
    """Return a rating with its interval, or with one end if no games bound the other."""
    if row.strategy == anchor:
        return f"{row.rating:.0f} (set)"
    if math.isfinite(row.rating):
        return f"{row.rating:.0f} ({row.rating_low:.0f} to {row.rating_high:.0f})"
    if math.isfinite(row.rating_low):
        return f"over {row.rating_low:.0f}"
    return f"under {row.rating_high:.0f}" if math.isfinite(row.rating_high) else "–"


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
    frame["wins, %"] = _write_shares(cell)
    frame["rating"] = [_write_rating(row, standings.anchor) for row in cell.itertuples()]
    frame["mu ± sigma"] = [
        "–" if math.isnan(row.mu) else f"{row.mu:.1f} ± {row.sigma:.1f}" for row in cell.itertuples()
    ]
    frame[f"against {against}, %"] = _write_shares(cell, "against")
    frame["decisions/s"] = cell["speed"]
    caption = f"{players} players; n ≥ {int(cell['n'].min()):,} seats of the field"
    if cell["against_n"].any():
        caption += f", {int(cell['against_n'].min()):,} games against {against}"
    caption += "; in brackets 95 % intervals."
    return Table("ladder", caption, frame, {"decisions/s": ",.0f"}, standings.table)


def _ladder_section(standings: Standings, against: str) -> Section:
    text = [
        "Wins: the share of its seats that a strategy wins, with line-ups drawn evenly from all strategies, in every "
        "seat.",
        f"Rating: Plackett-Luce strengths, fitted to the rankings of all games of the field that ended (ties count "
        f"half), on the Elo scale: a strategy rated 400 points higher finishes above the other ten times as often as "
        f"below it. {standings.anchor} is set to {ANCHORED_AT:.0f}; intervals are for the distance to it, from a "
        'bootstrap over deals. "Over" and "under": no chain of games bounds the other end.',
        "mu ± sigma: the OpenSkill rating, as online players are rated; the mean of five random orders of the same "
        "games. Sigma is OpenSkill's own measure of uncertainty, not a confidence interval.",
        f"Against {against}: wins alone at a table of it, in every seat; fair is 50 % with 2 players, 25 % with 4.",
        "Decisions/s: decisions with more than one option per second of processor time on one core, with the strategy "
        "in all seats, measured on this machine during this command.",
    ]
    table = standings.table
    rated = table[table["rating_low"].notna()]
    figures = []
    if len(rated):
        caption = f"Ratings, {standings.anchor} being {ANCHORED_AT:.0f}."
        figures.append(draw_ratings("ratings", caption, rated, "points of the Elo scale"))
    return Section(
        "ladder", "Ladder", text, figures=figures, tables=[*ladder_tables(standings, against).values()]
    )


def depth_line(row: Any) -> str:
    """Describe the gain from doubling the search budget at a player count."""
    return (
        f"from {row.least} to {row.most} iterations each doubling is worth {row.value:.0f} "
        f"({row.low:.0f} to {row.high:.0f}) points, mean of {row.doublings}, n = {row.n:,}; "
        f"shown for {row.shown} of {row.doublings}"
    )


def _trace_sections(standings: Standings) -> list[Section]:
    trace = standings.trace
    if not len(trace):
        return []
    text = [
        "How much skill the game rewards, measured with this searcher: each budget of iterations plays alone at a "
        "table of searchers with half of it. The depth is the sum of the gains divided by the number of doublings, in "
        "points of the Elo scale; it says nothing about budgets that were not played."
    ]
    frame = trace[["players", "budget", "half"]].rename(columns={"half": "against"})
    frame["wins, %"] = _write_shares(trace)
    frame["gain, points"] = [
        f"{row.gain:.0f} ({row.gain_low:.0f} to {row.gain_high:.0f})" for row in trace.itertuples()
    ]
    frame["verdict"], frame["n"] = trace["verdict"], trace["n"]
    caption = "Each budget against half of it; verdicts are corrected together."
    tables = [Table("trace", caption, frame, {"n": ","}, trace), _depth_table(standings.depth)]
    figures = [draw_trace("trace", "Wins of each budget against half of it.", trace)]
    return [Section("trace", "Skill trace", text, figures=figures, tables=tables)]


def _depth_table(depth: pd.DataFrame) -> Table:
    frame = depth[["players"]].copy()
    frame["points a doubling"] = [write_estimate(row, 0) for row in depth.itertuples()]
    frame["iterations"] = [f"{row.least} to {row.most}" for row in depth.itertuples()]
    frame["doublings shown"] = [f"{row.shown} of {row.doublings}" for row in depth.itertuples()]
    frame["n"] = depth["n"]
    return Table("depth", "The depth of the game, by this searcher.", frame, {"n": ","}, depth)


def _findings(standings: Standings) -> list[Finding]:
    """Return findings: at each player count the strategy most clearly rated above the anchor, and the depths."""
    anchor = standings.anchor
    above = standings.table[standings.table["rating_low"] > ANCHORED_AT]
    best = above.sort_values("rating_low", ascending=False).groupby("players").head(1)
    found = []
    for row in best.sort_values("players").itertuples():
        rated = (
            f"{row.strategy} is rated {_write_rating(row, anchor)} where {anchor} has {ANCHORED_AT:.0f}"
        )
        found.append(Finding(f"{row.players} players: {rated}, n = {row.n:,} seats.", "ladder"))
    for row in standings.depth.itertuples():
        found.append(Finding(f"{row.players} players: {depth_line(row)}.", "trace"))
    return found
