"""What reports show of Na Grunwald! alone: score parts, skirmishes, the box."""

from __future__ import annotations

import duckdb
import pandas as pd

from balance.analysis.measures import Measure
from balance.readings import moments_by, with_intervals
from balance.report.chapters import in_plan_order
from balance.report.figures import draw_bars
from balance.report.model import Section, Table, write_mean
from balance.runfolder import RunFolder

SCORE_PARTS = (
    ("crown_strength", "crown knights"),
    ("mercenary_strength", "mercenaries"),
    ("captive_strength", "captives"),
    ("crown_commander", "crown commander"),
    ("mercenary_commander", "mercenary commander"),
    ("quartermaster", "quartermaster"),
    ("ducat_points", "ducats"),
)
SECONDS_PER_CHOICE = 55  # so that the four-player game takes the box's 60 to 120 minutes
MEASURES = (
    Measure("skirmishes_won", "skirmishes won", "skirmishes_won", per_game=True),
    Measure("skirmishes_lost", "skirmishes lost", "skirmishes_lost", per_game=True),
    Measure(
        "skirmishes_lost_share", "skirmishes lost", "skirmishes_lost / nullif(skirmishes_won + skirmishes_lost, 0)",
        "%", per_game=True, scale=100, meaning="Share of a game's skirmishes that are lost.",
    ),
    Measure("plunder", "points owed to Krzyżacy", "plunder_total", "points", per_game=True),
    Measure("helpers", "helpers at the end", "helpers"),
    Measure("starved", "knights starved", "starved"),
)  # fmt: skip
BOX_DUCATS = 48
BOX_PROVISIONS = 18 * 3  # 18 tokens of 5, 3 and 1; worth 54 at most as the rule page counts


def _by_game(run: RunFolder, connection: duckdb.DuckDBPyConnection, value: str) -> pd.DataFrame:
    """Mean of a game's value in every cell."""
    moments = moments_by(connection, value, ["g.players", "g.variant"], "s.seat = 0")
    return in_plan_order(run, with_intervals(moments))


def write_sections(run: RunFolder, connection: duckdb.DuckDBPyConnection) -> list[Section]:
    """The game's own sections."""
    return [_skirmishes(run, connection), _box(run, connection)]


def _skirmishes(run: RunFolder, connection: duckdb.DuckDBPyConnection) -> Section:
    measures = {
        "won": "g.skirmishes_won",
        "lost": "g.skirmishes_lost",
        "points owed by each": "g.plunder_total",
    }
    found = {name: _by_game(run, connection, value) for name, value in measures.items()}
    lost = found["lost"]
    frame = lost[["players", "variant"]].copy()
    for name, part in found.items():
        frame[name] = [write_mean(row) for row in part.itertuples()]
    frame["n"] = lost["n"]
    figure = draw_bars("skirmishes", "Skirmishes lost in a game.", lost, "skirmishes lost, mean a game")
    text = [
        "A lost skirmish is paid by everybody, those who stayed away too. "
        "Points owed are the sum of all that was lacking in the lost skirmishes of a game."
    ]
    table = Table("skirmishes", "Skirmishes a game, 95 % intervals.", frame, {"n": ","})
    return Section("skirmishes", "Skirmishes", text, [figure], [table])


def _box(run: RunFolder, connection: duckdb.DuckDBPyConnection) -> Section:
    """How often the box would run out of ducats or provisions (SET-2)."""
    limits = {
        f"over {BOX_DUCATS} ducats %": f"(g.peak_ducats > {BOX_DUCATS})::INT",
        f"over {BOX_PROVISIONS} provisions %": f"(g.peak_provisions > {BOX_PROVISIONS})::INT",
    }
    found = {name: _by_game(run, connection, value) for name, value in limits.items()}
    first = next(iter(found.values()))
    frame = first[["players", "variant"]].copy()
    for name, part in found.items():
        frame[name] = [write_mean(row, 100) for row in part.itertuples()]
    frame["n"] = first["n"]
    text = [
        f"The bank never runs out here. The box has {BOX_DUCATS} ducats and 18 provision tokens, "
        f"worth {BOX_PROVISIONS} at most; this is the share of games in which more were in play."
    ]
    table = Table("box", "Games that outgrow the box, 95 % intervals.", frame, {"n": ","})
    return Section("box", "Components", text, tables=[table])
