"""What was played, by which rules, and by what methods it was judged."""

from __future__ import annotations

from typing import Any

import pandas as pd

from balance.analysis.gather import Question, in_plan_order
from balance.analysis.measures import measures_of
from balance.analysis.sequences import seat_verdicts
from balance.report.model import Section, Table
from balance.runfolder import RunFolder
from balance.variants import load_variant


def questions() -> dict[str, Question]:
    """Games, decks and statuses of every cell."""
    sql = """
        SELECT players, variant, count(*)::DOUBLE AS games, count(DISTINCT deck_seed)::DOUBLE AS decks,
               count_if(status = 'truncated')::DOUBLE AS truncated, sum(decisions)::DOUBLE AS decisions
        FROM rows WHERE seat = 0 GROUP BY ALL
    """
    return {"played": Question(sql, ("players", "variant"))}


def write_played(run: RunFolder, answers: dict[str, pd.DataFrame]) -> Section:
    """How many games of what, and how the run ended."""
    cells = answers["played"].copy()
    cells["decisions a game"] = cells.pop("decisions") / cells["games"]
    experiment = run.info["experiment"]
    names = ", ".join(strategy["name"] for strategy in run.info["strategies"])
    how = "rotated through all seats" if experiment["rotate"] else "held in their seats"
    text = [
        f"Strategies: {names}. Line-ups were {how} on the same decks; all variants met the same decks. "
        f"Seed {experiment['seed']}.",
        f"Package {run.info['package_version']}, source {run.info['source_hash']}, started {run.info['started']}.",
    ]
    formats = {"games": ",.0f", "decks": ",.0f", "truncated": ",.0f", "decisions a game": ".1f"}
    tables = [Table("played", "Games played.", cells, formats)]
    if run.plan.experiment.stop:
        tables.append(_stopped(run, cells))
        text.append(
            "Cells were played until every seat was decided. The bounds below hold at all looks at once "
            "(confidence sequences), so that stopping early does no harm; other intervals of this report are "
            "of fixed size and, after such a stop, describe rather than prove."
        )
    return Section("played", "What was played", text, tables=tables)


def _stopped(run: RunFolder, cells: pd.DataFrame) -> Table:
    """Bounds of every seat where a stop rule was at work."""
    stop = run.plan.experiment.stop
    assert stop is not None
    games = {(row.players, row.variant): int(row.games) for row in cells.itertuples()}
    parts = [
        seat_verdicts(run, cell, games[cell.players, cell.variant.name], stop.threshold_points).assign(
            players=cell.players, variant=cell.variant.name
        )
        for cell in run.plan.cells
    ]
    frame = in_plan_order(run.plan, pd.concat(parts, ignore_index=True), ["players", "variant", "seat"])
    frame = frame[["players", "variant", "seat", "low", "high", "verdict", "games"]]
    caption = "Where the seats stood when play stopped: percent of wins, decided within "
    caption += f"{stop.threshold_points:g} points."
    return Table("stopped", caption, frame, {"low": ".2f", "high": ".2f", "games": ","})


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


def write_rules(run: RunFolder) -> Section:
    """Each variant as its difference from base, and what is a reconstruction."""
    base = flatten(load_variant(run.plan.game, "base", run.path).rules.model_dump(by_alias=True))
    rows, notes = [], []
    for variant in run.plan.variants:
        notes.append(f"{variant.name}: {variant.rules.description}")
        own = flatten(variant.rules.model_dump(by_alias=True))
        for key in dict.fromkeys([*base, *own]):
            if key not in ("title", "description") and base.get(key) != own.get(key):
                rows.append((variant.name, key, _brief(base.get(key)), _brief(own.get(key))))
    difference = pd.DataFrame(rows, columns=["variant", "rule", "base", "here"])
    tables = [Table("rules", "What each variant changes.", difference)] if rows else []
    text = []
    reconstructions = [
        (name, line) for name, lines in run.info["reconstructions"].items() for line in lines
    ]
    if reconstructions:
        text.append("Some data are reconstructions, not the published game's; they are listed below.")
        frame = pd.DataFrame(reconstructions, columns=["variant", "reconstruction"])
        frame = frame.groupby("reconstruction", sort=False)["variant"].agg(_several).reset_index()
        tables.append(Table("reconstructions", "Data that are reconstructions.", frame))
    notes = notes if len(notes) <= 12 else [*notes[:12], f"and {len(notes) - 12} more"]
    return Section("rules", "Rules", text, notes=notes, tables=tables)


def _several(names: pd.Series) -> str:
    return ", ".join(names) if len(names) <= 6 else f"{len(names)} variants"


def write_methods(run: RunFolder) -> Section:
    """How figures were made, what they are called and where they end."""
    kinds = {
        "random": "random (uniform over legal actions)",
        "profile": "profiles (greedy, looking at the present position only)",
        "custom": "custom bots of yours",
    }
    limits = run.plan.experiment.thresholds
    names = {strategy["kind"] for strategy in run.info["strategies"]}
    rows = [(m.name, m.label, m.unit, m.meaning) for m in measures_of(run.plan)]
    text = [
        "Intervals are 95 % and cluster-robust on the deck (linearised variance of a ratio of cluster "
        "totals, Student's t): games on one deck are alike, decks are independent (Wilson's interval for win "
        "shares where no two games share a deck). n is the number of observations, decks the number of "
        "independent clusters.",
        f"Verdicts: a seat is balanced if its whole interval lies within {limits.seats:g} points of fair, a strategy "
        f"within {limits.strategies:g}; favoured or disfavoured if it differs from fair after Holm's correction for "
        "all comparisons of its "
        "table; else undecided, with about how many games more would decide it if the figure stays as it is.",
        "Effects of variants are differences of pairs: games with the same deck, line-up and seeds.",
        "The best of several is chosen on half of the decks and measured again on the other half.",
        f"Players here are bots: {', '.join(kinds[k] for k in kinds if k in names)}. They show what such play "
        "does to the rules; people may find stronger or kinder play.",
    ]
    if run.plan.experiment.log == "games":
        text.append(
            "Scores after each round were not logged, so lead changes, drama, comebacks, runaway leaders and "
            "early choices are not shown: play with log level rounds."
        )
    table = Table(
        "measures", "Measures.", pd.DataFrame(rows, columns=["name", "label", "unit", "meaning"])
    )
    return Section("methods", "Methods and limits", text, tables=[table])
