"""Games of a run played again with a searcher looking on: what it thinks of the decisions that are made."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from balance.batch.jobs import jobs_of
from balance.contract.records import TRUNCATED
from balance.engine.loop import Simulator
from balance.engine.search.judging import make_bench
from balance.errors import BalanceError
from balance.plan.plan import Cell, Plan
from balance.plan.strategies import Strategy, check_plays, load_strategy, pack_strategies

PLAYOUTS = 64  # of each action, on shared deals
_DECISIONS = 400  # of a game, to make room for; more are not judged


def load_judge(plan: Plan, name: str) -> Strategy:
    """The searcher that judges.

    Raises
    ------
    BalanceError
        There is no such strategy, it is no searcher or doesn't know a player count, or the tier has bots in Python.
    """
    judge = load_strategy(plan.game, name, Path())
    if not judge.search:
        raise BalanceError(f"judge {name} is no searcher; take one such as search-100")
    check_plays(judge, plan.experiment.players)
    if plan.tier.has_custom_bots:
        raise BalanceError(f"tier {plan.tier.name} has bots in Python, whose games are not judged")
    return judge


def judge_batch(
    plan: Plan, cell: Cell, first: int, last: int, judge: Strategy, every: int
) -> pd.DataFrame:
    """Play games `first`..`last`-1 of a cell again, judging one in `every` of their choices by lot.

    Returns
    -------
    DataFrame
        A row a decision of a game that ended: ``deck`` (seed), ``game``, ``kind``, ``done`` (0 to 1: how much of the
        game's decisions lie before it), ``agreed``, ``lost``, ``gap``, ``gap_error``; see
        `balance.engine.search.judging.DECISION`.
    """
    simulator = Simulator(plan.game, searching=True)
    players = [*cell.tier.strategies_in(cell.variant.name, cell.players), judge]
    room = simulator.room(*pack_strategies(plan.game, players, cell.players))
    jobs = jobs_of(plan.schedule(cell), first, last)
    packed = plan.game.kernel.pack_rules(cell.variant.rules, cell.players)
    rows = simulator.rows(len(jobs), cell.players, False, 1)
    bench = make_bench(plan.game, PLAYOUTS, _DECISIONS * len(jobs))
    limit = plan.experiment.decision_limit
    simulator.judge_each(packed, room, jobs, rows, bench, len(players) - 1, every, limit)
    found = bench.decisions[: int(bench.used[0])]
    found = found[(rows.games.status != TRUNCATED)[found["game"]]]
    kinds = {int(code): plan.game.display.kind_name(int(code)) for code in np.unique(found["code"])}
    return pd.DataFrame(
        {
            "deck": jobs.deck_seed[found["game"]],
            "game": first + found["game"],
            "kind": [kinds[code] for code in found["code"].tolist()],
            "done": found["number"] / np.maximum(1, found["decisions"]),
            "agreed": found["agreed"] == 1,
            "lost": found["lost"].astype(float),
            "gap": found["gap"].astype(float),
            "gap_error": found["gap_error"].astype(float),
        }
    )
