"""Batches of a run's games, played again: with components given, judged by a searcher, followed or looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from balance.contract.analytics import Component
from balance.contract.game import component_kernel, components_of
from balance.contract.records import MOVES_HASH, TRUNCATED, blank
from balance.contract.sides import RIVALS, SEAT
from balance.engine.buffers import TRACE, Buffers, Rows, sample_type
from balance.engine.giving import Watch, make_kept, make_watch
from balance.engine.loop import SEARCHES, Simulator
from balance.engine.search.judging import make_judge_buffers
from balance.engine.search.thinker import Thought, read_thoughts
from balance.engine.search.trying import make_try_buffers
from balance.engine.stepper import Stepper
from balance.experiments.plan import Cell, Plan
from balance.experiments.strategies import Strategy, check_plays, load_strategy
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.runs.jobs import jobs_of, loop_of, make_loop


def thoughts_of(plan: Plan, cell: Cell, number: int) -> dict[int, list[Thought]]:
    """Return the shortlists of a game's searchers by decision number, from 0 over all seats.

    Decisions with one option, and decisions of other strategies, have none. The search uses the run's random streams,
    so the shortlists are the original ones.
    """
    if cell.tier.has_custom_bots:
        raise BalanceError(tr("--thoughts works only for games without Python bots"))
    rules, players = cell.variant.rules, cell.players
    simulator, room, _ = make_loop(plan.game, rules, players, cell.strategies, SEARCHES)
    view = Stepper(plan.game, rules, players, room)
    job = jobs_of(plan.schedule(cell), number, number + 1)
    simulator.begin(view.packed, room, job[0])
    episode, found = room.episode[0], {}
    trace = np.zeros(0, TRACE).view(np.recarray)
    while not view.over and episode.decisions < plan.experiment.decision_limit:
        strategy = cell.tier.strategies[int(job.lineup[0, view.seat])]
        decision, choices = int(episode.decisions), int(episode.choices)
        simulator.play_on(view.packed, room, trace, decision + 1, -1)
        if strategy.kind == "search" and episode.choices > choices:
            found[decision] = read_thoughts(room.thinking.nodes, view)
    return found


_GIFTS = 100  # initial buffer for the gifts of a game


@dataclass(frozen=True)
class LeftOut:
    """Games in which a component turned up, as dealt and with that component left out."""

    component: int
    game: np.ndarray  # int (n,), positions in the batch
    score: np.ndarray  # float (n, players), score as dealt minus score without the component
    changed: np.ndarray  # bool (n,), whether the winners change without the component


@dataclass(frozen=True)
class Batch:
    """Whole deals of a cell, played again."""

    decks: np.ndarray  # uint64 (games,), seeds of the deals
    lineups: np.ndarray  # int16 (games, players), numbers of strategies
    ended: np.ndarray  # bool (games,)
    win_share: np.ndarray  # float (games, players)
    sights: np.ndarray  # records (games, components), see `balance.engine.giving.SIGHT`
    gifts: np.ndarray  # records (n,), see `balance.engine.giving.GIFT`
    left_out: list[LeftOut]


def _check_replayable(plan: Plan) -> None:
    """Refuse a tier whose games can't be continued from a position in compiled code alone."""
    if plan.tier.has_custom_bots:
        raise BalanceError(
            tr(
                "tier {tier} has Python bots, which can't play a position twice; choose another --tier",
                tier=plan.tier.name,
            )
        )
    if plan.tier.has_restrictions:
        raise BalanceError(
            tr(
                "tier {tier} has restricted strategies, which can't play a position twice; choose another --tier",
                tier=plan.tier.name,
            )
        )


def check_components(plan: Plan) -> None:
    """Refuse a plan whose game has no components, or whose tier has Python bots or restricted strategies."""
    plan.game.sides.require("balance components", (SEAT,))
    if not any(components_of(plan.game, variant.rules) for variant in plan.variants):
        raise BalanceError(
            tr(
                "{game} has no components to try (see {page})",
                game=plan.game.title,
                page=f"{plan.game.page}#components",
            )
        )
    _check_replayable(plan)


def play_batch(plan: Plan, cell: Cell, first: int, last: int) -> Batch:
    """Play games `first`..`last`-1 of a cell again, and give each component that turns up to a random seat.

    The game continues from there with and without the gift, with the same deals, line-up and random choices of the
    bots. A component that can't be given is left out of the rules instead, and the game is played from its beginning.
    """
    simulator, room, packed = loop_of(plan, cell)
    jobs = jobs_of(plan.schedule(cell), first, last)
    rows = simulator.rows(len(jobs), cell.players, False, 0)
    components = components_of(plan.game, cell.variant.rules)
    watch = _give(plan, simulator, room, packed, jobs, rows, components)
    ended = rows.games.status != TRUNCATED
    own = rows.seats.reshape(len(jobs), cell.players)
    left_out = []
    for number, component in enumerate(components):
        seen = np.flatnonzero((watch.sights["shown"][:, number] > 0) & ended)
        if not component.given and len(seen):
            left_out.append(_leave_out(plan, cell, simulator, room, jobs, own, number, seen))
    lineups, gifts = jobs.lineup[:, : cell.players].copy(), watch.gifts[: int(watch.used[0])]
    shares = own["win_share"].astype(float)
    return Batch(jobs.deal_seed.copy(), lineups, ended, shares, watch.sights, gifts, left_out)


def _give(
    plan: Plan, simulator: Simulator, room: Buffers, packed: np.record, jobs: np.recarray, rows: Rows,
    components: Sequence[Component],
) -> Watch:  # fmt: skip
    """Play all jobs with a buffer for gifts that grows as needed."""
    assert simulator.give_each is not None, "a game with components has functions that give them"
    given = np.array([component.given for component in components])
    kept, each, most = make_kept(plan.game, room), _GIFTS, component_kernel(plan.game).MOST_COMPONENTS
    limit = plan.experiment.decision_limit
    while True:
        watch = make_watch(len(jobs), given, each * len(jobs), most)
        if simulator.give_each(packed, room, jobs, rows, kept, watch, limit) == len(jobs):
            return watch
        each *= 4


def _leave_out(
    plan: Plan, cell: Cell, simulator: Simulator, room: Buffers, jobs: np.recarray, own: np.ndarray,
    component: int, seen: np.ndarray,
) -> LeftOut:  # fmt: skip
    """Play the games in which a component turned up without it; truncated games are dropped."""
    packed = plan.game.kernel.pack_rules(cell.variant.rules, cell.players)
    component_kernel(plan.game).remove_component(packed, component)
    rows = simulator.rows(len(seen), cell.players, False, 0)
    simulator.play_games(packed, room, jobs[seen], rows, plan.experiment.decision_limit)
    ended = rows.games.status != TRUNCATED
    other = rows.seats.reshape(len(seen), cell.players)[ended]
    seen = seen[ended]
    score = own["score"][seen].astype(float) - other["score"]
    changed = ((own["rank"][seen] == 1) != (other["rank"] == 1)).any(axis=1)
    return LeftOut(component, seen, score, changed)


_PLAYOUTS = 64  # rollouts of each action, on shared deals
_DECISIONS = 400  # most judged decisions of a game


def load_judge(plan: Plan, name: str) -> Strategy:
    """Load the searcher that judges."""
    judge = load_strategy(plan.game, name, Path())
    if not judge.search:
        raise BalanceError(tr("--judge {name} is not a searcher; name one such as search-100", name=name))
    check_plays(judge, plan.experiment.players)
    _check_replayable(plan)
    return judge


def judge_batch(plan: Plan, cell: Cell, first: int, last: int, judge: Strategy, every: int) -> pd.DataFrame:
    """Play games `first`..`last`-1 of a cell again, and judge one in `every` of their choices, drawn at random.

    Returns
    -------
    DataFrame
        A row for each judged decision of a finished game: ``deck`` (seed), ``game``, ``kind``, ``done`` (0 to 1: the
        share of the game's decisions before it), ``agreed``, ``lost``, ``gap``, ``gap_error``, ``spread``,
        ``spread_error``; see `balance.engine.search.judging.DECISION`.
    """
    players = [*cell.strategies, judge]
    simulator, room, packed = make_loop(plan.game, cell.variant.rules, cell.players, players)
    jobs = jobs_of(plan.schedule(cell), first, last)
    rows = simulator.rows(len(jobs), cell.players, False, 1)
    bench = make_judge_buffers(plan.game, _PLAYOUTS, _DECISIONS * len(jobs))
    limit = plan.experiment.decision_limit
    simulator.judge_each(packed, room, jobs, rows, bench, len(players) - 1, every, limit)
    found = bench.decisions[: int(bench.used[0])]
    found = found[(rows.games.status != TRUNCATED)[found["game"]]]
    kinds = {int(code): plan.game.display.kind_name(int(code)) for code in np.unique(found["code"])}
    columns = {
        "deck": jobs.deal_seed[found["game"]],
        "game": first + found["game"],
        "kind": [kinds[code] for code in found["code"].tolist()],
        "done": found["number"] / np.maximum(1, found["decisions"]),
        "agreed": found["agreed"] == 1,
        **{name: found[name].astype(float) for name in ("lost", "gap", "gap_error", "spread", "spread_error")},
    }
    return pd.DataFrame(columns)


_CHECKPOINTS = 400  # initial buffer for the positions of a game that is followed


def check_followed(plan: Plan) -> None:
    """Refuse a plan whose games can't be followed: no seat wins alone, or with Python bots or restrictions."""
    plan.game.sides.require("balance chances", (RIVALS, SEAT))
    _check_replayable(plan)


def follow_batch(plan: Plan, cell: Cell, first: int, last: int) -> pd.DataFrame:
    """Play games `first`..`last`-1 of a cell again, and look at every seat after each round but the last.

    Returns
    -------
    DataFrame
        A row for each finished game, round and seat: ``deck`` (seed), ``game``, ``lineup`` (a number for the
        strategies by seat), ``moves`` (the same for games with the same moves, if the game counts them), ``step``
        (rounds played, from 1), ``progress`` (0 to 1), ``seat``, ``won`` (win share at the end), ``rank``, and a column
        for each feature of a position (`balance.contract.game.Game.position`). A game without features has one, the
        score.
    """
    simulator, room, packed = make_loop(plan.game, cell.variant.rules, cell.players, cell.strategies, SEARCHES)
    jobs, players = jobs_of(plan.schedule(cell), first, last), cell.players
    names, limit = list(plan.game.position) or ["score"], plan.experiment.decision_limit
    rows = simulator.rows(len(jobs), players, not plan.game.position, 0)
    if plan.game.position:
        found = _collect(simulator, room, packed, jobs, rows, limit)
        number, progress = found.game, found.progress
        seen = found.position[:, :players, : len(names)]
    else:
        simulator.play_games(packed, room, jobs, rows, limit)
        rounds = np.maximum(rows.games["rounds"].astype(int) - 1, 0)
        number = np.repeat(np.arange(len(jobs)), rounds)
        at = np.arange(len(number)) - np.repeat(np.cumsum(rounds) - rounds, rounds)
        progress = (1 + at) / max(1, rounds.max(initial=0) + 1)
        seen = rows.rounds[number, at]["score"][:, :players, None]
    seats = rows.seats.reshape(len(jobs), players)
    step = pd.Series(number).groupby(number).cumcount().to_numpy() + 1
    lineup = jobs.lineup[:, :players].astype(int) @ len(cell.strategies) ** np.arange(players)
    counted = MOVES_HASH in (rows.games.dtype.names or ())
    moves = rows.games[MOVES_HASH] if counted else first + np.arange(len(jobs))
    columns = {
        "deck": jobs.deal_seed[number], "game": first + number, "lineup": lineup[number], "moves": moves[number],
        "step": step, "progress": progress,
    }  # fmt: skip
    ended = (rows.games["status"] != TRUNCATED)[number]
    long = {name: np.repeat(each[ended], players) for name, each in columns.items()}
    own = seats[number[ended]].reshape(-1)
    long |= {"seat": own["seat"], "won": own["win_share"].astype(float), "rank": own["rank"]}
    flat = seen[ended].reshape(-1, len(names)).astype(float)
    return pd.DataFrame(long | {name: flat[:, at] for at, name in enumerate(names)})


def _collect(simulator: Simulator, room: Buffers, packed: np.record, jobs: np.recarray, rows: Rows, limit: int) -> Any:
    """Play all jobs with a buffer for positions after each round that grows as needed."""
    each = _CHECKPOINTS
    while True:
        samples: Any = blank(len(jobs) * each, sample_type(len(simulator.game.position)))
        used = int(simulator.collect(packed, room, jobs, rows, samples, limit))
        if used < len(samples):
            return samples[:used]
        each *= 4


_TRIALS, _TRACED = 100, 400  # most tried choices of a game, and initial rows of its trace


@dataclass(frozen=True)
class Looked:
    """Finished games, looked at choice by choice."""

    decks: np.ndarray  # uint64 (games,), seeds of the deals
    # A row for each choice, in order, without those that people make together with the one before: ``game`` (its
    # position in `decks`), ``seat``.
    choices: pd.DataFrame
    trials: np.recarray  # see `balance.engine.search.trying.trial_type`; empty if the game shows no position


def look_batch(plan: Plan, cell: Cell, first: int, last: int, every: int) -> Looked:
    """Play games `first`..`last`-1 of a cell again, note who chooses, and try other options.

    Another option is tried at the first choice of each round, and at one in `every` of the others.
    """
    simulator, room, packed = make_loop(plan.game, cell.variant.rules, cell.players, cell.strategies, SEARCHES)
    jobs, limit = jobs_of(plan.schedule(cell), first, last), plan.experiment.decision_limit
    jobs.game_id[:] = np.arange(len(jobs))
    traced = _trace(simulator, room, packed, jobs, cell.players, limit)
    ended = traced.games["status"] != TRUNCATED
    trials = make_try_buffers(plan.game, room, _TRIALS * len(jobs))
    if plan.game.position or plan.game.own_loop:
        rows = simulator.rows(len(jobs), cell.players, False, 1)
        simulator.try_each(packed, room, jobs, rows, trials, every, limit)
    tried = trials.trials[: int(trials.used[0])].copy()
    if not plan.game.position:
        tried["progress"] = (tried["step"] - 1) / max(1, traced.games["rounds"].max(initial=0))
    tried = tried[ended[tried["game"]]]
    number = np.cumsum(ended) - 1
    tried["game"] = number[tried["game"]]
    made = traced.trace[(traced.trace["options"] > 1) & ended[traced.trace["game_id"]]]
    choices = pd.DataFrame({"game": number[made["game_id"]], "seat": made["seat"].astype(int)})
    block_of = getattr(plan.game.kernel, "choice_block", lambda code: -1)
    blocks = {code: int(block_of(code)) for code in np.unique(made["code"]).tolist()}
    choices["block"] = [blocks[code] for code in made["code"].tolist()]
    together = (choices == choices.shift()).all(axis=1) & (choices["block"] >= 0)
    choices = choices[~together].drop(columns="block").reset_index(drop=True)
    return Looked(jobs.deal_seed[ended], choices, tried)


def _trace(simulator: Simulator, room: Buffers, packed: np.record, jobs: np.recarray, players: int, limit: int) -> Rows:
    """Play all jobs with a trace that grows as needed."""
    each = _TRACED
    while True:
        rows = simulator.rows(len(jobs), players, False, each * len(jobs))
        if simulator.play_games(packed, room, jobs, rows, limit) == len(jobs):
            return rows._replace(trace=rows.trace[: int(room.episode[0].trace_used)])
        each *= 4
