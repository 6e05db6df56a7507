"""A ladder: strategies by how often they win, their ratings, and what a larger search budget is worth.

Its games are a mixed field, each strategy alone against a searcher, and each budget against half of it. Then come the
results and the page.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from balance.analysis.ended import MOST, Played, without_broken
from balance.analysis.gather import gather
from balance.analysis.head_to_head import Meetings, bags_of
from balance.analysis.question import interval_of, scale
from balance.analysis.row_tables import NO_REPEAT, declare_repeats
from balance.analysis.shares import FAVOURED, judge_shares, share_question
from balance.contract.game import get_game
from balance.contract.sides import SEAT
from balance.experiments.experiment import make_experiment
from balance.experiments.lineups import Schedule
from balance.experiments.measures import share_of
from balance.experiments.plan import Plan
from balance.experiments.planning import make_plan
from balance.experiments.profiles import CHAMPION, RANDOM_NAME, STRATEGY_FOLDERS
from balance.experiments.strategies import Strategy
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.streams import derive_many
from balance.foundation.text import ESTIMATE, NAME, NUMBER
from balance.report.context import Family, ReportContext
from balance.report.figures.strength import draw_ratings, draw_trace
from balance.report.model import Chapter, Section, Table
from balance.report.rows.strategies import ROW
from balance.report.screen import Finding
from balance.report.section import questions_of, register_families
from balance.report.sections import played, rules, strategies
from balance.report.words import write_estimate, write_range
from balance.runs.database import connect
from balance.runs.folder import RunFolder
from balance.runs.jobs import jobs_of, make_loop
from balance.runs.workers import Workers
from balance.stats.comparisons import LEAST_DECKS
from balance.stats.intervals import Interval
from balance.stats.ratings import ANCHORED_AT, depth_of, gain_of, rate, rate_in_line
from balance.studies.playing import play_or_resume
from balance.studies.settings import Ladder
from balance.studies.study import Brief, Study

_LEAST_SECONDS = 0.1  # of processor time for a reliable figure
_MOST_GAMES = 1 << 16


def decisions_a_second(plan: Plan, strategies: Sequence[Strategy], players: int) -> np.ndarray:
    """Return decisions with more than one option per second of processor time, with each strategy in all seats.

    The games use the first variant of the plan, without logs. NaN for Python bots, which wait for other processes.
    """
    return np.array([_rate(plan, each, players) for each in strategies])


def _rate(plan: Plan, strategy: Strategy, players: int) -> float:
    if strategy.kind == "custom":
        return float("nan")
    simulator, room, rules = make_loop(plan.game, plan.first_variant.rules, players, [strategy])
    games, took, choices = 1, 0.0, 0
    while took < _LEAST_SECONDS and games <= _MOST_GAMES:
        jobs = jobs_of(Schedule(players, 1, [], True, plan.experiment.seed), 0, games)
        rows = simulator.rows(games, players, False, 0)
        if not choices:  # the first game loads compiled code
            simulator.play_games(rules, room, jobs, rows, plan.experiment.decision_limit)
        begin = time.process_time()
        simulator.play_games(rules, room, jobs, rows, plan.experiment.decision_limit)
        took = time.process_time() - begin
        choices, games = int(rows.games.choices.sum()), 2 * games
    return choices / took if took else float("nan")


LEAST_BUDGET = 12  # iterations; with fewer, a searcher has hardly tried its shortlist
_WHERE = "ladder"  # named in error messages


@dataclass(frozen=True)
class Doubling:
    """A budget of iterations, and the half of it as opponent."""

    budget: int
    half: int

    @property
    def ratio(self) -> float:
        """Ratio of the budgets: 2, or slightly more if the budget is odd."""
        return self.budget / self.half

    @property
    def name(self) -> str:
        """Name of the doubling's run."""
        return f"trace-{self.budget}"


@dataclass
class Games:
    """The runs of a ladder."""

    field: RunFolder
    against: RunFolder
    trace: dict[Doubling, RunFolder]  # the largest first

    @property
    def searcher(self) -> str:
        """The opponent in duels."""
        return self.against.plan.tier.lineups[0][-1]

    @property
    def played(self) -> int:
        """Number of games of all runs."""
        runs = (self.field, self.against, *self.trace.values())
        return sum(int(run.info["rows"]["games"]) for run in runs)


def play_ladder(ladder: Ladder, folder: Path, progress: Progress = SILENCE, workers: Workers | None = None) -> Games:
    """Play a ladder's runs into a folder, or resume those that exist; finished runs are only read.

    `workers` play the games; None for a thread on each core.
    """
    plans = plan_ladder(ladder)  # reports all mistakes before the first game
    runs = {name: play_or_resume(plan, folder / name, progress, workers) for name, plan in plans.items()}
    trace = {each: runs[each.name] for each in doublings_of(ladder.trace)}
    return Games(runs["field"], runs["against"], trace)


def plan_ladder(ladder: Ladder) -> dict[str, Plan]:
    """Return the plans of a ladder's runs by folder name, ``field`` first."""
    return {name: make_plan(make_experiment(keys, _WHERE), Path(), _WHERE) for name, keys in _experiments(ladder)}


def _experiments(ladder: Ladder) -> Iterator[tuple[str, dict[str, Any]]]:
    game = get_game(ladder.game)
    game.sides.require("balance ladder", (SEAT,))
    shipped = (*game.shipped(*STRATEGY_FOLDERS), RANDOM_NAME, "search-25", "search-100")
    names = list(ladder.strategies or shipped)
    if len(names) < 2:
        raise BalanceError(tr("--strategies: a ladder needs at least two strategies, got only {name}", name=names[0]))
    if 0 < ladder.trace < 2 * LEAST_BUDGET:
        raise BalanceError(
            tr(
                "--trace: the smallest trace is {budget} iterations against {half}; 0 means no trace",
                budget=2 * LEAST_BUDGET, half=LEAST_BUDGET,
            )
        )  # fmt: skip
    counts = list(ladder.players or game.players)
    shared = {"game": ladder.game, "variants": [ladder.variant], "players": counts}
    field = {**shared, "strategies": names, "games": ladder.games}
    yield "field", {**field, "seed": seed_of(ladder.seed, 0)}
    others = [name for name in names if name != ladder.against]
    against = {**shared, "games": ladder.duels * len(others), "seed": seed_of(ladder.seed, 1)}
    yield "against", {**against, "lineups": _one_among(others, ladder.against, counts)}
    for each in doublings_of(ladder.trace):
        lineups = _one_among([f"search-{each.budget}"], f"search-{each.half}", counts)
        doubling = {**shared, "games": ladder.duels, "seed": seed_of(ladder.seed, each.budget)}
        yield each.name, {**doubling, "lineups": lineups}


def seed_of(seed: int, number: int) -> int:
    """Return the seed of a study's run: its deals differ from those of other runs and do not depend on them."""
    return int(derive_many(seed, number)[0]) >> 1


def _one_among(names: list[str], other: str, counts: list[int]) -> list[list[str]]:
    """Return line-ups of each strategy alone at a table of `other`, at each player count."""
    return [[name, *[other] * (players - 1)] for players in counts for name in names]


def doublings_of(top: int) -> list[Doubling]:
    """Return doublings from the largest budget down to `LEAST_BUDGET`; none if `top` is 0."""
    found = []
    while top // 2 >= LEAST_BUDGET:
        found.append(Doubling(top, top // 2))
        top //= 2
    return found


FAMILIES = 3  # of verdicts on the page: shares, the meta-game, doublings
_MOST_IN_LINE = 20_000  # games used for OpenSkill ratings


@dataclass(frozen=True)
class Standings:
    """The results of a ladder; shares are in percent, ratings and gains in points of the Elo scale.

    Attributes
    ----------
    table : DataFrame
        A row for each player count and strategy, the strongest first: ``players``, ``strategy``; ``value``,
        ``low``, ``high``, ``n``, ``decks`` of the share of wins in the mixed field; ``rating``, ``rating_low``,
        ``rating_high`` (NaN if too many games were truncated or too few deals played); ``mu``, ``sigma``,
        ``spread``; ``against``, ``against_low``, ``against_high``, ``against_n`` of the share against the
        searcher; ``speed``.
    trace : DataFrame
        A row for each player count and doubling: ``players``, ``budget``, ``half``, ``value``, ``low``, ``high``,
        ``n``, ``verdict`` of the share; ``gain``, ``gain_low``, ``gain_high``.
    depth : DataFrame
        A row for each player count: ``players``, ``value``, ``low``, ``high``, ``n``, ``least``, ``most`` budget,
        ``doublings`` and how many of them are ``shown``.
    anchor : str
        The strategy whose rating is fixed.
    games : Games
        The games that these are the results of.
    """

    table: pd.DataFrame
    trace: pd.DataFrame
    depth: pd.DataFrame
    anchor: str
    games: Games


def find_standings(ladder: Ladder, folder: Path, progress: Progress, workers: Workers | None) -> Standings:
    """Play a ladder as `play_ladder`, and return its results."""
    return read_standings(play_ladder(ladder, folder, progress, workers))


def read_standings(games: Games) -> Standings:
    """Compute all results of a ladder."""
    field = games.field
    names = [strategy.name for strategy in field.plan.strategies]
    profiles = [each.name for each in field.plan.strategies if each.profile]
    anchor = CHAMPION if CHAMPION in names else (profiles or names)[0]
    table = _shares(field)[["players", "strategy", "value", "low", "high", "n", "decks"]]
    keys = ["players", "strategy"]
    for more in (_ratings(field, anchor), _in_line(field), _against(games), _speeds(field)):
        table = table.merge(more, on=keys, how="left")
    order = ["players", "rating", "value"]
    table = table.sort_values(order, ascending=[True, False, False], ignore_index=True)
    trace = _trace(games)
    return Standings(table, trace, _depth(trace), anchor, games)


def _shares(run: RunFolder) -> pd.DataFrame:
    """Return win shares by strategy, in percent, of the cells with few truncated games."""
    question = share_question(share_of(run.plan, "strategy"))
    answers = gather(run, [question, Played()])
    shares = without_broken(answers[question], answers[Played()])
    if shares.empty:
        limit = run.plan.experiment.decision_limit
        raise BalanceError(
            tr(
                "{run}: no ladder can be made: more than {most:g} % of the games were truncated after {limit:,} "
                "decisions",
                run=run.path,
                most=100 * MOST,
                limit=limit,
            )
        )
    return shares.assign(decks=shares["clusters"])


def _ratings(run: RunFolder, anchor: str) -> pd.DataFrame:
    answers = gather(run, [Meetings(), Played()])
    decks = answers[Played()].set_index("players")["decks"]
    rows = []
    for players, cell in without_broken(answers[Meetings()], answers[Played()]).groupby("players"):
        won, _, names = bags_of(cell)
        if anchor not in names or decks[players] < LEAST_DECKS:
            continue
        found = rate(won, names.index(anchor), run.plan.experiment.seed)
        ratings = zip(names, found.value, found.low, found.high, strict=True)
        rows += [(players, *row) for row in ratings]
    return pd.DataFrame(rows, columns=["players", "strategy", "rating", "rating_low", "rating_high"])


def _in_line(run: RunFolder) -> pd.DataFrame:
    """Return OpenSkill ratings, from games without a repeated strategy."""
    names = [strategy.name for strategy in run.plan.strategies]
    rows = []
    for players in run.plan.experiment.players:
        if len(names) < players:
            continue
        with connect(run.path, run.bond) as connection:
            declare_repeats(connection, "games")
            seats = connection.execute(
                f"""
                SELECT list(strategy ORDER BY seat) AS strategies, list(rank ORDER BY seat) AS ranks
                FROM seats JOIN (
                    SELECT game_id, seed FROM games WHERE players = ? AND status <> 'truncated' AND {NO_REPEAT}
                    ORDER BY seed LIMIT ?
                ) USING (game_id) GROUP BY game_id
                """,
                [players, _MOST_IN_LINE],
            ).fetchall()
        if seats:
            lineups = np.array([[names.index(name) for name in own] for own, _ in seats])
            found = rate_in_line(lineups, np.array([ranks for _, ranks in seats]), len(names))
            ratings = zip(names, found.mu, found.sigma, found.spread, strict=True)
            rows += [(players, *row) for row in ratings]
    return pd.DataFrame(rows, columns=["players", "strategy", "mu", "sigma", "spread"])


def _against(games: Games) -> pd.DataFrame:
    shares = _shares(games.against)
    alone = shares[shares["strategy"] != games.searcher]
    columns = {"value": "against", "low": "against_low", "high": "against_high", "n": "against_n"}
    return alone.rename(columns=columns)[["players", "strategy", *columns.values()]]


def _speeds(run: RunFolder) -> pd.DataFrame:
    strategies = run.plan.strategies
    names = [each.name for each in strategies]
    rows = [
        (players, name, speed)
        for players in run.plan.experiment.players
        for name, speed in zip(names, decisions_a_second(run.plan, strategies, players), strict=True)
    ]
    return pd.DataFrame(rows, columns=["players", "strategy", "speed"])


def _trace(games: Games) -> pd.DataFrame:
    """Return the larger budget's share in each doubling, with verdicts corrected together."""
    parts = []
    for doubling, run in games.trace.items():
        shares = _shares(run)
        own = shares[shares["strategy"] == f"search-{doubling.budget}"]
        parts.append(own.assign(budget=doubling.budget, half=doubling.half))
    if not parts:
        return pd.DataFrame(columns=["players", "budget", "half", "value", "low", "high", "n", "verdict"])
    trace = pd.concat(parts).sort_values(["players", "budget"], ignore_index=True)
    judged = judge_shares(trace.drop(columns="decks"), "strategy", 0.0, FAMILIES)
    gains = [gain_of(scale(interval_of(row), 0.01), row.players) for row in trace.itertuples()]
    columns = {f"gain_{part}": [getattr(gain, part) for gain in gains] for part in ("low", "high", "error")}
    return trace.assign(verdict=judged["verdict"], gain=[gain.value for gain in gains], **columns)


def _depth(trace: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for players, part in trace.groupby("players"):
        gains = [
            Interval(row.gain, row.gain_low, row.gain_high, row.n, row.decks, row.gain_error)
            for row in part.itertuples()
        ]
        ratios = [Doubling(row.budget, row.half).ratio for row in part.itertuples()]
        found = depth_of(gains, ratios)
        shown = int((part["verdict"] == FAVOURED).sum())
        budgets = (part["half"].min(), part["budget"].max(), len(part), shown)
        rows.append((players, found.value, found.low, found.high, found.n, *budgets))
    columns = ["players", "value", "low", "high", "n", "least", "most", "doublings", "shown"]
    return pd.DataFrame(rows, columns=columns)


def _write_chapter(standings: Standings) -> Chapter:
    """Return the page: ratings, the gain from larger search budgets, and the meta-game."""
    games = standings.games
    parts, facts = (played, strategies, rules), ReportContext(games.field)
    doublings = Family("doublings", facts.plan.tier.name)
    facts = replace(facts, registered=register_families([*parts, ROW], facts) | {doublings})
    assert len(facts.registered) == FAMILIES, "the standings were judged as one of another number of families"
    answers = gather(games.field, questions_of(parts, facts))
    written = [part.write(facts, answers) for part in parts]
    own = [_ladder_section(standings), *_trace_sections(standings)]
    findings = _findings(standings)
    first = Section("findings", tr("Findings"), [tr(_PREFACE)], findings=findings)
    subtitle = tr("Ladder of strategies, rules {rules}: {games:,} games", rules=facts.first, games=games.played)
    return Chapter(facts.plan.game.title, subtitle, [first, *own, *written])


_PREFACE = N_("Each interval has 95 % confidence. The results hold for these strategies; a stronger one changes them.")


def _write_rating(row: Any, anchor: str) -> str:
    """Return a rating with its interval, or with one end if no games bound the other."""
    if row.strategy == anchor and math.isfinite(row.rating):
        return tr("{rating:.0f} (set)", rating=row.rating)
    return _write_range(row.rating, row.rating_low, row.rating_high)


def _write_range(value: float, low: float, high: float) -> str:
    """Return points with their interval; of an interval without end, the end that it has."""
    if all(map(math.isfinite, (value, low, high))):
        return write_range(*(write_number(each, ".0f") for each in (value, low, high)))
    if math.isfinite(low):
        return tr("over {rating:.0f}", rating=low)
    if math.isfinite(high):
        return tr("under {rating:.0f}", rating=high)
    return "–"


def _write_shares(table: pd.DataFrame, prefix: str = "") -> list[str]:
    """Return shares with their intervals as cells; a dash for a missing share."""
    names = [prefix, f"{prefix}_low", f"{prefix}_high"] if prefix else ["value", "low", "high"]
    shares = table[names].set_axis(["value", "low", "high"], axis=1)
    return ["–" if math.isnan(row.value) else write_estimate(row) for row in shares.itertuples()]


def _ladder_tables(standings: Standings) -> dict[int, Table]:
    """Return a table for each player count, the strongest strategy first; one CSV file contains all tables."""
    return {players: _ladder_table(standings, players, cell) for players, cell in standings.table.groupby("players")}


def _ladder_table(standings: Standings, players: int, cell: pd.DataFrame) -> Table:
    against = standings.games.searcher
    frame = cell[["strategy"]].copy()
    frame[N_("wins, %")] = _write_shares(cell)
    frame[N_("rating")] = [_write_rating(row, standings.anchor) for row in cell.itertuples()]
    frame["mu ± sigma"] = [
        "–" if math.isnan(row.mu) else f"{write_number(row.mu, '.1f')} ± {write_number(row.sigma, '.1f')}"
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


def _ladder_section(standings: Standings) -> Section:
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
            strategy=standings.games.searcher,
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
        caption = tr("Ratings, {anchor} being {rating:.0f}.", anchor=standings.anchor, rating=ANCHORED_AT)
        figures.append(draw_ratings("ratings", caption, rated, tr("points of the Elo scale")))
    return Section("ladder", tr("Ladder"), text, figures=figures, tables=[*_ladder_tables(standings).values()])


def _depth_line(row: Any) -> str:
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
    frame = trace[["players", "budget", "half"]].rename(columns={"half": N_("against"), "budget": N_("budget")})
    frame["wins, %"] = _write_shares(trace)
    frame[N_("gain, points")] = [_write_range(row.gain, row.gain_low, row.gain_high) for row in trace.itertuples()]
    frame["verdict"], frame["n"] = trace["verdict"], trace["n"]
    caption = tr("Each budget against half of it; verdicts are corrected together.")
    tables = [Table("trace", caption, frame, {"n": ","}, trace), _depth_table(standings.depth)]
    figures = [draw_trace("trace", tr("Wins of each budget against half of it."), trace)]
    return [Section("trace", tr("Skill trace"), text, figures=figures, tables=tables)]


def _depth_table(depth: pd.DataFrame) -> Table:
    frame = depth[["players"]].copy()
    frame[N_("points a doubling")] = [write_estimate(row, 0) for row in depth.itertuples()]
    frame[N_("iterations")] = [tr("{low} to {high}", low=row.least, high=row.most) for row in depth.itertuples()]
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
        text = trn("{n} player: {depth}.", "{n} players: {depth}.", row.players, depth=_depth_line(row))
        found.append(Finding(text, "trace"))
    return found


# Only on the page: with them estimates would not fit into 80 columns.
_ON_THE_PAGE = ("mu ± sigma", "decisions/s")


def _write_brief(standings: Standings) -> Iterator[Brief | str]:
    """Yield the ratings of the strategies, the strongest first, and the gain from doubling the search budget."""
    depths = {row.players: row for row in standings.depth.itertuples()}
    for players, table in _ladder_tables(standings).items():
        columns = {
            heading: NAME if heading == "strategy" else ESTIMATE if heading.endswith("%") else NUMBER
            for heading in table.columns
            if heading not in _ON_THE_PAGE
        }
        yield Brief(table, columns)
        if players in depths:
            yield tr("Skill trace: {depth}.", depth=_depth_line(depths[players]))
    yield tr(
        "Ratings are set so that {anchor} has {rating:.0f}. A strategy rated 400 points higher finishes above the "
        "other ten times as often as below it. The page (--out) also has OpenSkill ratings and decisions per "
        "second.",
        anchor=standings.anchor, rating=ANCHORED_AT,
    )  # fmt: skip


STUDY = Study(
    "ladder", N_("ladder: {path}"), find_standings, _write_brief, lambda standings: standings.table, _write_chapter
)
