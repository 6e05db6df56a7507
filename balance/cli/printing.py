"""Results on the terminal: effects, targets, sample sizes, studies, and tables as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pandas as pd
from rich.text import Text

from balance.analysis.compare import pairing_gains
from balance.analysis.ended import WITHHELD
from balance.analysis.sample_size import MOST, plan_extension
from balance.cli.output import echo_block
from balance.cli.terminal import Terminal, open_terminal, show_verdict
from balance.contract.analytics import Measure
from balance.experiments.measures import named_measures
from balance.experiments.plan import Plan
from balance.experiments.planning import equal_cells
from balance.experiments.targets import Target, show_targets
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.text import ESTIMATE, NAME, NUMBER, TEXT
from balance.report.words import (
    count_players,
    more_games,
    name_group,
    name_of,
    withheld_words,
    write_levels,
    write_range,
    write_small,
)
from balance.runs.folder import RunFolder
from balance.stats.comparisons import EQUAL, PLAYERS_DIFFER, TOO_FEW
from balance.studies.study import Brief


def print_study(brief: Iterable[Brief | str]) -> None:
    """Print what a study finds: its tables, and sentences on how to read them."""
    console = open_terminal()
    for part in brief:
        if isinstance(part, str):
            console.print_note(part)
        else:
            console.print_table(part.table, part.columns)


def _print_tier(console: Terminal, plan: Plan) -> None:
    """Print the active tier, if the run has several."""
    others = ", ".join(tier.name for tier in plan.tiers if tier is not plan.tier)
    if others:
        console.print_note(tr("Tier {tier} (others: {others})", tier=plan.tier.name, others=others))


def print_records(table: pd.DataFrame) -> None:
    """Print a table as a JSON list of records; missing numbers are null."""
    echo_block(table.to_json(orient="records", indent=1, force_ascii=False, double_precision=9))


_CHECKS = {
    N_("players"): NUMBER, N_("variant"): NAME, N_("group"): NAME, N_("mean"): NUMBER, N_("interval"): NUMBER,
    N_("verdict"): TEXT, "n": NUMBER, N_("deals"): NUMBER,
}  # fmt: skip


def print_check(table: pd.DataFrame, plan: Plan, targets: Sequence[Target]) -> None:
    """Print verdicts on targets (`balance.analysis.target_checks.check_targets`), a block for each target."""
    console = open_terminal()
    _print_tier(console, plan)
    measures = named_measures(plan)
    shown = show_targets(targets)
    for target, block in table.groupby("target", sort=False):
        split = (block["group"] != "").any()
        columns = {name: kind for name, kind in _CHECKS.items() if split or name != "group"}
        cells = [_check_cells(row, measures[row.measure]) for row in block.itertuples()]
        console.print_rows(shown.get(target, target), columns, [[row[name] for name in columns] for row in cells])
    counts = table["verdict"].value_counts()
    words = (N_("pass"), N_("fail"), N_("undecided"), PLAYERS_DIFFER, TOO_FEW, WITHHELD)
    summary = ", ".join(tr("{count} {verdict}", count=counts.get(word, 0), verdict=tr(word)) for word in words)
    console.print_note(
        trn(
            "{n} check: {summary}. Intervals are widened: all hold together with 95 % confidence.",
            "{n} checks: {summary}. Intervals are widened: all hold together with 95 % confidence.",
            len(table), summary=summary,
        )
    )  # fmt: skip
    _print_withheld(console, plan)


def _check_cells(row: Any, measure: Measure) -> dict[str, str | Text]:
    """Return the cells of a verdict on a target by column."""
    more = f", {more_games(row.more_games)}" if row.more_games else ""
    return {
        "players": str(row.players),
        "variant": row.variant,
        "group": name_group(measure, row.group),
        "mean": write_number(row.value, ".2f"),
        "interval": tr("{low:.2f} to {high:.2f}", low=row.low, high=row.high) if math.isfinite(row.low) else "–",
        "verdict": show_verdict(row.verdict, more),
        "n": write_number(row.n, ","),
        "deals": write_number(row.decks, ","),
    }


def print_plan(table: pd.DataFrame, effect: float, power: float, run: RunFolder | None) -> None:
    """Print how many games questions need (`balance.analysis.sample_size`), and how long a run takes to play them."""
    columns = {"players": NUMBER, N_("question"): TEXT, N_("games in a cell"): NUMBER}
    rows: list[tuple[str, ...]]
    rows = [(str(row.players), tr(row.question), write_number(row.games, ",")) for row in table.itertuples()]
    if run is not None:
        columns[N_("to be played")] = TEXT
        to_play = [_to_play(run, more) for more in table["more_games"]]
        rows = [(*row, time) for row, time in zip(rows, to_play, strict=True)]
    title = tr("Games to find {effect:g} points with power {power:g}", effect=effect, power=power)
    open_terminal().print_rows(title, columns, rows)


def _to_play(run: RunFolder, more: int) -> str:
    """Return how long it takes to play `more` games in each cell."""
    if not more:
        return tr("none")
    extension = plan_extension(run, more)
    return extension.time if extension else "–"


_COLUMNS = {"variant": NAME, N_("effect on"): TEXT, N_("levels"): ESTIMATE, N_("effect"): ESTIMATE, "verdict": TEXT}
_SHARES = {
    "seat_win_share": N_("win shares of seats"),
    "strategy_win_share": N_("win shares of strategies"),
    "faction_win_share": N_("win shares of factions"),
    "team_win_share": N_("win shares of teams"),
}
_PAIRS = N_("{rules} (n up to {n:,} pairs on {deals:,} deals)")
_ROWS = N_("{rules} (n up to {n:,} rows on {deals:,} deals)")
_WIDE = 100  # characters; on a narrower terminal levels are below the effect if variants take a column


def print_comparison(table: pd.DataFrame, baseline: str, plan: Plan) -> None:
    """Print effects in the table's order, one table for each player count.

    Parameters
    ----------
    table : DataFrame
        From `balance.analysis.compare.compare_variants`.
    plan : Plan
        The run's plan, for names and thresholds.
    """
    measures = named_measures(plan)
    console = open_terminal()
    _print_tier(console, plan)
    _print_tables(console, table, measures, baseline, _PAIRS)
    gains = [
        tr(
            "{measure} by {factor:.1f}",
            measure=tr(_SHARES.get(row.measure, measures[row.measure].label)), factor=row.median,
        )
        for row in pairing_gains(table).itertuples()
    ]  # fmt: skip
    console.print_note(tr("Effects with 95 % intervals. {words}", words=_words(table, plan)))
    if gains:
        text = tr(
            "Pairing on the same games multiplied the effective number of games: {gains}.", gains=", ".join(gains)
        )
        console.print_note(text)
    if equal := _equal_words(table, plan, baseline):
        console.print_note(tr("All games are equal to those of {baseline}: {cells}.", baseline=baseline, cells=equal))
    _print_withheld(console, plan)
    for left in filter(None, (tell_undecided(table), tell_players_differ(table))):
        console.print_note(left)


def _equal_words(table: pd.DataFrame, plan: Plan, baseline: str) -> str:
    """Return the cells whose games are those of the baseline, "" for none."""
    cells = table.loc[table["verdict"] == EQUAL, ["players", "variant"]].drop_duplicates()
    equal = equal_cells(plan, baseline)
    return "; ".join(
        f"{variant}, {count_players(players)}"
        for players, variant in cells.itertuples(index=False, name=None)
        if (players, variant) in equal
    )


def _print_withheld(console: Terminal, plan: Plan) -> None:
    """Print why verdicts on seats and strategies are withheld, if they are."""
    if text := withheld_words(plan):
        console.print_note(text)


def tell_players_differ(table: pd.DataFrame) -> str:
    """Return how many effects no number of games decides, because players differ; "" if there is none."""
    if not (differ := int((table["verdict"] == PLAYERS_DIFFER).sum())):
        return ""
    return trn(
        "Players differ on {n}: equally strong players disagree, and more games can't decide it.",
        "Players differ on {n}: equally strong players disagree, and more games can't decide them.",
        differ,
    )


def tell_undecided(table: pd.DataFrame) -> str:
    """Return how many effects are undecided and how many more games would decide them; "" if none is undecided."""
    games = table.loc[table["verdict"] == "undecided", "more_games"]
    if games.empty:
        return ""
    near = games[games.between(1, MOST)]
    if near.empty:
        return trn(
            "{n} undecided; a million more games are not expected to decide any of them.",
            "{n} undecided; a million more games are not expected to decide any of them.",
            len(games),
        )
    values = {"more_games": more_games(round(near.median())), "near": len(near)}
    if len(games) == 1:
        return tr("1 undecided; {more_games} in a cell would decide it, with a chance of 80 %.", **values)
    if len(near) == 1:
        return trn(
            "{n} undecided; {more_games} in a cell would decide one of them, with a chance of 80 %.",
            "{n} undecided; {more_games} in a cell would decide one of them, with a chance of 80 %.",
            len(games), **values,
        )  # fmt: skip
    if len(near) == len(games):
        return trn(
            "{n} undecided; {more_games} in a cell would decide half of them, each with a chance of 80 %.",
            "{n} undecided; {more_games} in a cell would decide half of them, each with a chance of 80 %.",
            len(games), **values,
        )  # fmt: skip
    return trn(
        "{n} undecided; {more_games} in a cell would decide half of the {near} that games can decide, each with a "
        "chance of 80 %.",
        "{n} undecided; {more_games} in a cell would decide half of the {near} that games can decide, each with a "
        "chance of 80 %.",
        len(games), **values,
    )  # fmt: skip


def print_differences(table: pd.DataFrame, one: RunFolder, other: RunFolder) -> None:
    """Print the differences between two runs (`balance.analysis.compare.compare_runs`)."""
    measures = named_measures(one.plan)
    console = open_terminal()
    _print_tables(console, table, measures, one.path.name, _ROWS)
    console.print_note(
        tr(
            "{other} minus {one}, with 95 % intervals. {words} Games are not paired, because the runs differ in more "
            "than their seeds or their variants.",
            other=other.path.name,
            one=one.path.name,
            words=_words(table, one.plan),
        )
    )


def _print_tables(
    console: Terminal, table: pd.DataFrame, measures: dict[str, Measure], against: str, title: str
) -> None:
    """Print a table for each player count."""
    alone = table["variant"].nunique() == 1
    apart = alone or console.width >= _WIDE
    left_out = {"variant"} if alone else set[str]() if apart else {"levels"}
    columns = {name: kind for name, kind in _COLUMNS.items() if name not in left_out}
    for players, block in table.groupby("players", sort=False):
        variant = block["variant"].iloc[0]
        rules = (
            trn(
                "{n} player, {variant} against {baseline}",
                "{n} players, {variant} against {baseline}",
                players,
                variant=variant,
                baseline=against,
            )
            if alone
            else trn("{n} player, against {baseline}", "{n} players, against {baseline}", players, baseline=against)
        )
        words = tr(title, rules=rules, n=int(block["n"].max()), deals=int(block["decks"].max()))
        rows = [[cells[name] for name in columns] for cells in _rows(block, measures, apart)]
        console.print_rows(words, columns, rows)


def _rows(block: pd.DataFrame, measures: dict[str, Measure], apart: bool) -> Iterator[dict[str, str | Text]]:
    """Yield the cells of each row by column; levels without a column of their own are below the effect."""
    for row in block.itertuples():
        levels = write_levels(row.baseline, row.baseline + row.effect)
        yield {
            "variant": row.variant,
            "effect on": name_of(measures[row.measure], row.group),
            "levels": levels,
            "effect": Text(_estimate(row) if apart else f"{_estimate(row)}\n{levels}"),
            "verdict": show_verdict(row.verdict),
        }


def _estimate(row: Any) -> str:
    return write_range(*(write_number(each, "+.2f") for each in (row.effect, row.low, row.high)))


def _words(table: pd.DataFrame, plan: Plan) -> str:
    """Return how to read intervals and verdicts."""
    return trn(
        "{n} comparison: the verdict is right with 95 % confidence. same: the effect is shown to be within {small}; "
        "slightly: within these limits and shown to differ from 0.",
        "{n} comparisons, corrected together: all verdicts are right with 95 % confidence. same: the effect is shown "
        "to be within {small}; slightly: within these limits and shown to differ from 0. A report corrects all "
        "verdicts of its page together, so it shows fewer.",
        len(table), small=write_small(plan),
    )  # fmt: skip
