"""The sections of a report that every game has, made from the run's tables."""

from __future__ import annotations

from typing import Any

import duckdb
import pandas as pd

from balance.readings import connect, moments_by, with_intervals
from balance.report.figures import draw_intervals, draw_stacks
from balance.report.model import Chapter, Section, Table, write_mean, write_range
from balance.runfolder import RunFolder
from balance.variants import load_variant

PERCENT = {"win share %": ".2f", "low %": ".2f", "high %": ".2f", "fair %": ".2f"}


def write_chapter(run: RunFolder) -> Chapter:
    """All sections about one run."""
    game = run.plan.game
    with connect(run.path) as connection:
        seats = _shares(run, connection, "s.seat")
        strategies = _shares(run, connection, "s.strategy")
        sections = [
            _findings(run, seats, strategies),
            _played(run, connection),
            _rules(run),
            _seats(seats),
            _strategies(run, strategies),
            _points(run, connection),
            *game.module("report").write_sections(run, connection),
            _methods(run),
        ]
    games = int(run.info["rows"]["games"])
    subtitle = f"{games:,} games of {run.path.name}, played {run.info['started'][:10]}"
    return Chapter(game.title, subtitle, sections)


def _shares(run: RunFolder, connection: duckdb.DuckDBPyConnection, by: str) -> pd.DataFrame:
    """Win shares by seat or strategy in every cell, with intervals."""
    shares = with_intervals(moments_by(connection, "s.win_share", ["g.players", "g.variant", by]))
    games = connection.execute("SELECT players, variant, count(*) AS games FROM games GROUP BY ALL").df()
    return in_plan_order(run, shares.merge(games, on=["players", "variant"]))


def in_plan_order(run: RunFolder, frame: pd.DataFrame) -> pd.DataFrame:
    """Rows by player count, then by variant as the experiment lists them; else as they were."""
    order = {variant.name: number for number, variant in enumerate(run.plan.variants)}
    keys = frame["variant"].map(order)
    return (
        frame.assign(order=keys)
        .sort_values(["players", "order"], kind="stable", ignore_index=True)
        .drop(columns="order")
    )


def _percent(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns that a table of shares shows."""
    return pd.DataFrame(
        {
            "win share %": 100 * frame["value"],
            "low %": 100 * frame["low"],
            "high %": 100 * frame["high"],
            "fair %": 100 / frame["players"],
            "n": frame["n"],
            "decks": frame["clusters"],
        }
    )


def _findings(run: RunFolder, seats: pd.DataFrame, strategies: pd.DataFrame) -> Section:
    """The largest and smallest shares under the first variant, in sentences."""
    variant = run.plan.variants[0].name
    lines = []
    for players, cell in seats[seats["variant"] == variant].groupby("players"):
        best, worst = cell.loc[cell["value"].idxmax()], cell.loc[cell["value"].idxmin()]
        lines.append(
            f"{players} players: seat {best['seat']} wins most, {write_range(best)}, "
            f"seat {worst['seat']} least, {write_range(worst)}; fair is {100 / players:.1f} %; "
            f"n = {cell['games'].iloc[0]:,} games."
        )
    for players, cell in strategies[strategies["variant"] == variant].groupby("players"):
        if cell["strategy"].nunique() > 1:
            best, worst = cell.loc[cell["value"].idxmax()], cell.loc[cell["value"].idxmin()]
            lines.append(
                f"{players} players: {best['strategy']} wins most, {write_range(best)} "
                f"of its seats (n = {best['n']:,}), {worst['strategy']} least, "
                f"{write_range(worst)} (n = {worst['n']:,})."
            )
    note = (
        f"Variant {variant}; the others are in the sections below. Intervals are 95 % each. These "
        "sentences pick the largest and smallest of several shares, so a gap that is small beside "
        "its intervals may be chance."
    )
    return Section("findings", "At a glance", [note, *lines])


def _played(run: RunFolder, connection: duckdb.DuckDBPyConnection) -> Section:
    cells = connection.execute(
        """
        SELECT players, variant, count(*) AS games, count(DISTINCT deck_seed) AS decks,
               sum((status = 'truncated')::INT)::BIGINT AS truncated,
               100 * avg((winners > 1)::INT) AS "shared %",
               avg(decisions) AS decisions, avg(margin) AS margin
        FROM games GROUP BY ALL ORDER BY ALL
        """
    ).df()
    cells = in_plan_order(run, cells)
    experiment = run.info["experiment"]
    names = ", ".join(strategy["name"] for strategy in run.info["strategies"])
    how = "rotated through all seats" if experiment["rotate"] else "held in their seats"
    text = [
        f"Strategies: {names}. Line-ups were {how} on the same decks; "
        f"all variants met the same decks. Seed {experiment['seed']}.",
        f"Package {run.info['package_version']}, source {run.info['source_hash']}.",
    ]
    formats = {"games": ",", "decks": ",", "shared %": ".2f", "decisions": ".1f", "margin": ".2f"}
    caption = "Games played; decisions and margin (best score less second best) are means a game."
    return Section("played", "What was played", text, tables=[Table("played", caption, cells, formats)])


def flatten(rules: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """A rule set as dotted keys."""
    flat: dict[str, Any] = {}
    for key, value in rules.items():
        if isinstance(value, dict):
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def _brief(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return f"{len(value)} cards"
    return str(value)


def _rules(run: RunFolder) -> Section:
    """Each variant as its difference from base, and what is a reconstruction."""
    base = flatten(load_variant(run.plan.game, "base", run.path).rules.model_dump(by_alias=True))
    rows, text = [], []
    for variant in run.plan.variants:
        text.append(f"{variant.name}: {variant.rules.description}")
        own = flatten(variant.rules.model_dump(by_alias=True))
        for key in dict.fromkeys([*base, *own]):
            if key not in ("title", "description") and base.get(key) != own.get(key):
                rows.append((variant.name, key, _brief(base.get(key)), _brief(own.get(key))))
    difference = pd.DataFrame(rows, columns=["variant", "rule", "base", "here"])
    tables = [Table("rules", "What each variant changes.", difference)] if rows else []
    reconstructions = [
        (name, line) for name, lines in run.info["reconstructions"].items() for line in lines
    ]
    if reconstructions:
        text.append("Some data are reconstructions, not the published game's; they are listed below.")
        frame = pd.DataFrame(reconstructions, columns=["variant", "reconstruction"])
        frame = (
            frame.groupby("reconstruction", sort=False)["variant"]
            .agg(", ".join)
            .reset_index()[["reconstruction", "variant"]]
        )
        tables.append(Table("reconstructions", "Data that are reconstructions.", frame))
    return Section("rules", "Rules", text, tables=tables)


def _seats(seats: pd.DataFrame) -> Section:
    frame = pd.concat([seats[["players", "variant", "seat"]], _percent(seats)], axis=1)
    figure = draw_intervals("seats", "Win share by seat.", seats, "seat")
    text = ["Seat 0 moves first in round 1. A shared victory counts in equal parts."]
    table = Table("seats", "Win share by seat, 95 % intervals.", frame, _counted(PERCENT))
    return Section("seats", "Seats", text, [figure], [table])


def _counted(formats: dict[str, str]) -> dict[str, str]:
    return {**formats, "n": ",", "decks": ","}


def _strategies(run: RunFolder, strategies: pd.DataFrame) -> Section:
    frame = pd.concat([strategies[["players", "variant", "strategy"]], _percent(strategies)], axis=1)
    figure = draw_intervals(
        "strategies",
        "Win share by strategy, a share for each seat that it held.",
        strategies,
        "strategy",
    )
    profiles = [
        f"{s['name']}: {s['profile']['description']}" for s in run.info["strategies"] if "profile" in s
    ]
    text = ["n counts seats: a strategy that holds two seats of a game counts twice.", *profiles]
    table = Table("strategies", "Win share by strategy, 95 % intervals.", frame, _counted(PERCENT))
    return Section("strategies", "Strategies", text, [figure], [table])


def _points(run: RunFolder, connection: duckdb.DuckDBPyConnection) -> Section:
    """Mean score by its parts, for each strategy, under the first variant."""
    variant = run.plan.variants[0].name
    parts = run.plan.game.module("report").SCORE_PARTS
    where = "s.variant = '" + variant.replace("'", "''") + "'"
    by = ["g.players", "s.strategy"]
    score = with_intervals(moments_by(connection, "s.score", by, where))
    means = score[["players", "strategy", "n"]].copy()
    shown = means.copy()
    shown["score"] = [write_mean(row) for row in score.itertuples()]
    for column, label in parts:
        part = with_intervals(moments_by(connection, f"s.{column}", by, where))
        means[column] = part["value"]
        shown[label] = [write_mean(row) for row in part.itertuples()]
    caption = f"Where points come from, variant {variant}."
    figure = draw_stacks("points", caption, means, parts)
    table = Table("points", caption + " Means with 95 % intervals.", shown, {"n": ","})
    return Section("points", "Where points come from", [], [figure], [table])


def _methods(run: RunFolder) -> Section:
    names = {strategy["kind"] for strategy in run.info["strategies"]}
    kinds = {
        "random": "random (uniform over legal actions)",
        "profile": "profiles (greedy, looking at the present position only)",
        "custom": "custom bots of yours",
    }
    return Section(
        "methods",
        "Methods and limits",
        [
            "Intervals are 95 % and cluster-robust on the deck (linearised variance of a ratio of "
            "cluster totals, Student's t): games on one deck are alike, decks are independent. "
            "n is the number of observations, decks the number of independent clusters.",
            f"Players here are bots: {', '.join(kinds[k] for k in kinds if k in names)}. They show "
            "what such play does to the rules; people may find stronger or kinder play.",
        ],
    )
