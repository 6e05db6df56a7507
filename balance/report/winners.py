"""Who wins: seats and strategies, head to head, the meta-game, early choices, where points come from."""

from __future__ import annotations

import pandas as pd

from balance.analysis.choices import choice_effects
from balance.analysis.gather import Question, means, quote
from balance.analysis.measures import STRATEGY_SHARE, share_of
from balance.analysis.shares import halves_question, judge_shares, remeasure_best, share_questions
from balance.analysis.strategies import find_dead, find_equilibria, matrix_of, meetings_question
from balance.experiments import Plan
from balance.report.curves import draw_matrix
from balance.report.figures import draw_intervals, draw_stacks
from balance.report.layout import share_table, side_by_side
from balance.report.model import Finding, Section, Table, write_estimate, write_half
from balance.runfolder import RunFolder


def questions(plan: Plan) -> dict[str, Question]:
    """Everything that these sections ask of a run."""
    first = f"variant = {quote(plan.variants[0].name)}"
    parts = {column: column for column, _ in plan.game.module("measures").SCORE_PARTS}
    found = {f"share {by}": question for by, question in share_questions(plan).items()}
    found["points"] = means({"score": "score", **parts}, ["players", "strategy", "won"], first)
    found["points all"] = means({"score": "score", **parts}, ["players", "strategy"], first)
    if len(plan.strategies) > 1:
        found["meetings"] = meetings_question()
        found["halves"] = halves_question(STRATEGY_SHARE)
    return found


def write_seats(run: RunFolder, answers: dict[str, pd.DataFrame]) -> tuple[Section, list[Finding]]:
    """Win shares by seat."""
    measure = share_of(run.plan, "seat")
    shares = judge_shares(answers["share seat"], measure)
    figure = draw_intervals("seats", "Win share by seat.", shares, "seat", measure.threshold or 0)
    text = ["Seat 0 moves first in round 1. A shared victory counts in equal parts."]
    table = share_table("seats", "Win share by seat.", shares, "seat")
    return Section("seats", "Seats", text, figures=[figure], tables=[table]), _seat_findings(run, shares)


def _seat_findings(run: RunFolder, shares: pd.DataFrame) -> list[Finding]:
    variant = run.plan.variants[0].name
    found = []
    for players, cell in shares[shares["variant"] == variant].groupby("players"):
        away = (cell["value"] - cell["fair"]).abs()
        row = cell.loc[away.idxmax()]
        size = f"seat {row['seat']} wins {write_estimate(row)} % of n = {row['n']:,} games, fair is {row['fair']:.1f} %"
        verdicts = set(cell["verdict"])
        if verdicts == {"balanced"}:
            limit = run.plan.experiment.thresholds.seats
            text = f"With {players} players all seats are balanced, within {limit:g} of fair; the furthest, {size}."
        elif verdicts & {"favoured", "disfavoured"}:
            text = f"With {players} players the seats are not balanced: {size}."
        else:
            more = int(cell["more_games"].max())
            text = f"With {players} players the seats are undecided: {size}; about {more:,} games more would decide."
        found.append(Finding(f"{variant}: {text}", "seats", float(away.max())))
    return found


def write_strategies(run: RunFolder, answers: dict[str, pd.DataFrame]) -> tuple[Section, list[Finding]]:
    """Win shares in the mixed field, head to head, equilibrium, dominated and dead ones."""
    profiles = [
        f"{s['name']}: {s['profile']['description']}" for s in run.info["strategies"] if "profile" in s
    ]
    if len(run.plan.strategies) < 2:
        text = ["One strategy sits on every seat, so there is nothing to compare."]
        return Section("strategies", "Strategies", text, notes=profiles), []
    measure = share_of(run.plan, "strategy")
    shares = judge_shares(answers["share strategy"], measure)
    caption = "Win share by strategy, a share for each seat that it held."
    figures = [draw_intervals("strategies", caption, shares, "strategy", measure.threshold or 0)]
    tables = [share_table("strategies", "Win share by strategy.", shares, "strategy")]
    variant = run.plan.variants[0].name
    meetings = answers["meetings"]
    first = meetings[meetings["variant"] == variant]
    matrices = {
        f"{players} players, n ≥ {int(cell['n'].min()):,}": 100 * matrix_of(cell)
        for players, cell in first.groupby("players")
    }
    labels = ("this strategy", "ends above this one")
    caption = f"Head to head, variant {variant}."
    if matrices:
        figures.append(draw_matrix("head-to-head", caption, matrices, labels, "meetings won, %", 50.0))
    tables.append(_meetings_table(first, caption))
    equilibria = find_equilibria(first)
    dead = find_dead(equilibria, shares)
    tables.append(_equilibrium_table(equilibria, variant))
    tables.append(_best_table(answers["halves"]))
    text = [
        "n counts seats: a strategy that holds two seats of a game counts twice. Head to head counts in how "
        "many of its games the row strategy ends above the column strategy, ties half.",
        "The equilibrium is the mixture of strategies that no other does better against, in the pairwise game "
        "of the matrix (with more than two players an approximation). What lives in it is worth a designer's "
        "look: one strategy alone there crushes the rest; many make a rich game.",
    ]
    section = Section("strategies", "Strategies", text, notes=profiles, figures=figures, tables=tables)
    return section, _strategy_findings(run, shares, equilibria, dead, answers["halves"])


def _meetings_table(meetings: pd.DataFrame, caption: str) -> Table:
    shown = meetings.rename(columns={"row_strategy": "strategy", "column_strategy": "against"}).copy()
    for column in ("value", "low", "high"):
        shown[column] *= 100
    table = side_by_side(
        "head-to-head", f"{caption} Meetings that the strategy wins, %.", shown, ["strategy", "against"]
    )
    return Table(table.name, table.caption, table.data, {}, meetings)


def _equilibrium_table(equilibria: pd.DataFrame, variant: str) -> Table:
    shown = equilibria.rename(columns={"share": "value"})
    frame = shown[["players", "strategy"]].copy()
    frame["share of the equilibrium, %"] = [write_estimate(row) for row in shown.itertuples()]
    frame["in it, % of draws"] = shown["alive"]
    frame["dominated by"] = shown["dominated_by"]
    frame["meetings"] = shown["n"]
    caption = (
        f"Equilibrium of the pairwise meta-game, variant {variant}; in brackets the middle 95 % of 200 draws "
        "of the matrix from its errors."
    )
    return Table(
        "equilibrium", caption, frame, {"in it, % of draws": ".0f", "meetings": ","}, equilibria
    )


def _best_table(halves: pd.DataFrame) -> Table:
    best = remeasure_best(halves, "strategy")
    frame = best[["players", "variant", "strategy"]].copy()
    frame["where it was chosen, %"] = best["chosen_value"]
    frame["on fresh decks, %"] = [write_estimate(row, 2) for row in best.itertuples()]
    frame["n"] = best["n"]
    caption = (
        "The best strategy of each cell, chosen on half of the decks and measured on the other half."
    )
    return Table("best", caption, frame, {"where it was chosen, %": ".2f", "n": ","}, best)


def _strategy_findings(
    run: RunFolder,
    shares: pd.DataFrame,
    equilibria: pd.DataFrame,
    dead: pd.DataFrame,
    halves: pd.DataFrame,
) -> list[Finding]:
    variant = run.plan.variants[0].name
    best = remeasure_best(halves[halves["variant"] == variant], "strategy")
    found = []
    for row in best.itertuples():
        cell = shares[(shares["players"] == row.players) & (shares["variant"] == variant)].set_index(
            "strategy"
        )
        away = row.value - 100 / row.players
        verdict = cell.loc[row.strategy, "verdict"]
        found.append(
            Finding(
                f"{variant}: with {row.players} players {row.strategy} wins most of its seats, "
                f"{write_estimate(row)} % on fresh decks (n = {row.n:,}; fair is {100 / row.players:.1f} %), "
                f"and is {verdict}.",
                "strategies",
                abs(away) / 3,
            )
        )
    return found + _equilibrium_findings(variant, equilibria, dead)


def _equilibrium_findings(variant: str, equilibria: pd.DataFrame, dead: pd.DataFrame) -> list[Finding]:
    """What lives and what is dead, a sentence for all player counts of which the same is true."""
    same: dict[tuple[tuple[str, ...], tuple[str, ...]], list[pd.DataFrame]] = {}
    for players, cell in equilibria.groupby("players"):
        alive = tuple(cell[cell["share"] > 1]["strategy"])
        gone = dead[(dead["players"] == players) & (dead["variant"] == variant)]["strategy"]
        same.setdefault((alive, tuple(sorted(gone))), []).append(cell)
    found = []
    for (alive, gone), cells in same.items():
        counts = ", ".join(str(cell["players"].iloc[0]) for cell in cells)
        text = f"{variant}: with {counts} players {_count(len(alive))} in the meta-game's equilibrium ("
        text += ", ".join(alive) + ")"
        text += f"; without a part in it and below a fair share: {', '.join(gone)}." if gone else "."
        text += f" n ≥ {min(int(cell['n'].min()) for cell in cells):,} meetings a strategy."
        found.append(Finding(text, "strategies", 3.0 if len(alive) == 1 else 1.5))
    return found


def _count(number: int) -> str:
    return "one strategy lives" if number == 1 else f"{number} strategies live"


def write_points(run: RunFolder, answers: dict[str, pd.DataFrame]) -> Section:
    """Mean score by its parts, for each strategy, and winners against the rest."""
    variant = run.plan.variants[0].name
    parts = run.plan.game.module("measures").SCORE_PARTS
    labels = {"score": "score", **dict(parts)}
    everybody = answers["points all"]
    wide = everybody.pivot(
        index=["players", "strategy"], columns="measure", values="value"
    ).reset_index()
    wide["n"] = everybody.groupby(["players", "strategy"])["n"].first().to_numpy()
    caption = f"Where points come from, variant {variant}."
    figure = draw_stacks("points", caption, wide, parts)
    tables = [_parts_table("points", caption, everybody, ["players", "strategy"], labels)]
    split = answers["points"].copy()
    split["seats"] = split["won"].map({1: "winners", 0: "the rest"})
    caption = f"Where the points of winners and of the rest come from, variant {variant}."
    tables.append(
        _parts_table("points-winners", caption, split, ["players", "strategy", "seats"], labels)
    )
    return Section("points", "Where points come from", [], figures=[figure], tables=tables)


def _parts_table(
    name: str, caption: str, answer: pd.DataFrame, keys: list[str], labels: dict[str, str]
) -> Table:
    rows = []
    for key, group in answer.groupby(keys, sort=False):
        cells = {row.measure: write_half(row) for row in group.itertuples()}
        rows.append([*key, *(cells[column] for column in labels), int(group["n"].iloc[0])])
    frame = pd.DataFrame(rows, columns=[*keys, *labels.values(), "n"])
    return Table(name, f"{caption} Means ± half the 95 % interval.", frame, {"n": ","}, answer)


def write_choices(run: RunFolder) -> tuple[list[Section], list[Finding]]:
    """Early choices that go with winning; none where rounds were not logged."""
    choices = list(run.plan.game.module("measures").CHOICES)
    if run.plan.experiment.log == "games" or not choices:
        return [], []
    variant = run.plan.variants[0].name
    effects = choice_effects(run, choices, variant)
    text = [
        "Compared are seats of one strategy in one seat; all choices are in one model (least squares with fixed "
        "effects, errors clustered on the deck), so each is with the others held. These are associations "
        "under such bots and no experiments: what made a bot choose may also have made it win.",
    ]
    tables = []
    for outcome, unit in (("win_share", "points of win share"), ("score", "points of score")):
        part = effects[effects["outcome"] == outcome]
        caption = f"What each early choice goes with, in {unit}, variant {variant}; {len(effects)} comparisons."
        tables.append(side_by_side(f"choices-{outcome}", caption, part, ["choice"]))
    section = Section("choices", "Early choices", text, tables=tables)
    shares = effects[(effects["outcome"] == "win_share") & (effects["p"] < 0.05)]
    if shares.empty:
        return [section], []
    largest = shares.loc[shares["value"].abs().idxmax(), "choice"]
    parts = [
        f"{row.value:+.1f} ({row.low:+.1f} to {row.high:+.1f}, n = {row.n:,} seats) with {row.players}"
        for row in shares[shares["choice"] == largest].itertuples()
    ]
    text_of = f"{variant}: {largest} goes with {', '.join(parts)} players, in points of win share; "
    text_of += "strategy and seat held."
    weight = float(shares["value"].abs().max()) / 5
    return [section], [Finding(text_of, "choices", weight)]
