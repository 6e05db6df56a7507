"""The results of a ladder: win shares, ratings, duels, speed, and the skill trace."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.analysis.ended import MOST, Played, without_broken
from balance.analysis.gather import gather
from balance.analysis.head_to_head import Meetings, bags_of
from balance.analysis.question import interval_of, scale
from balance.analysis.row_tables import NO_REPEAT, declare_repeats
from balance.analysis.shares import FAVOURED, judge_shares, share_question
from balance.experiments.measures import share_of
from balance.experiments.profiles import CHAMPION
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.runs.database import connect
from balance.runs.folder import RunFolder
from balance.stats.comparisons import LEAST_DECKS
from balance.stats.intervals import Interval
from balance.stats.ratings import depth_of, gain_of, rate, rate_in_line
from balance.studies.ladder import Doubling, Games, decisions_a_second

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
    """

    table: pd.DataFrame
    trace: pd.DataFrame
    depth: pd.DataFrame
    anchor: str


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
    return Standings(table, trace, _depth(trace), anchor)


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
        return pd.DataFrame(
            columns=["players", "budget", "half", "value", "low", "high", "n", "verdict"]
        )
    trace = pd.concat(parts).sort_values(["players", "budget"], ignore_index=True)
    judged = judge_shares(trace.drop(columns="decks"), "strategy", 0.0, FAMILIES)
    gains = [gain_of(scale(interval_of(row), 0.01), row.players) for row in trace.itertuples()]
    columns = {
        f"gain_{part}": [getattr(gain, part) for gain in gains] for part in ("low", "high", "error")
    }
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
