"""Batches of a run's games, played again: with components given, judged by a searcher, or followed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

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
from balance.engine.search.trying import LookBuffers, Room, make_look_buffers, what_was_seen
from balance.engine.stepper import Stepper
from balance.experiments.plan import Cell, Plan
from balance.experiments.strategies import Strategy, check_plays, load_strategy
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.runs.jobs import jobs_of, loop_of, make_loop


def thoughts_of(plan: Plan, cell: Cell, number: int) -> dict[int, list[Thought]]:
    """Return the shortlists of a game's searchers by decision number, from 0 over all seats.

    Decisions with one option, and decisions of other strategies, have none. The searches use the run's random streams,
    and all their iterations: in the run they stopped when their choice was certain.
    """
    if cell.tier.has_custom_bots:
        raise BalanceError(tr("--thoughts works only for games without Python bots"))
    rules, players = cell.variant.rules, cell.players
    simulator, room, _ = make_loop(plan.game, rules, players, cell.strategies, SEARCHES)
    room.thinking.desk.uses_all[:] = 1
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


T = TypeVar("T")


def with_room(play: Callable[[int], T | None]) -> T:
    """Return what `play` returns with buffers of this size, the first time that all games fit; else it returns None."""
    size = 1
    while (found := play(size)) is None:
        size *= 4
    return found


def _give(
    plan: Plan, simulator: Simulator, room: Buffers, packed: np.record, jobs: np.recarray, rows: Rows,
    components: Sequence[Component],
) -> Watch:  # fmt: skip
    """Play all jobs, and give components."""
    assert simulator.give_each is not None, "a game with components has functions that give them"
    given, give = np.array([component.given for component in components]), simulator.give_each
    kept, most = make_kept(plan.game, room), component_kernel(plan.game).MOST_COMPONENTS
    limit = plan.experiment.decision_limit

    def play(size: int) -> Watch | None:
        watch = make_watch(len(jobs), given, size * _GIFTS * len(jobs), most)
        done = give(packed, room, jobs, rows, kept, watch, limit) == len(jobs)
        return watch if done else None

    return with_room(play)


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
    room.thinking.desk.uses_all[:] = 1
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


def check_followed(plan: Plan) -> None:
    """Refuse a plan whose games can't be followed: no seat wins alone, or with Python bots or restrictions."""
    plan.game.sides.require("balance chances", (RIVALS, SEAT))
    _check_replayable(plan)


_SEEN = Room(choices=400, positions=400, trials=100)  # initial buffers for each game that is followed


@dataclass(frozen=True)
class Seen:
    """Finished games that were followed."""

    # A row for each game, round but the last, and seat: ``deck`` (seed), ``game``, ``lineup`` (a number for the
    # strategies by seat), ``moves`` (the same for games with the same moves, if the game counts them), ``step``
    # (rounds played, from 1), ``progress`` (0 to 1), ``seat``, ``won`` (win share at the end), ``rank``, and a column
    # for each feature of a position (`balance.contract.game.Game.position`). A game without features has one, the
    # score.
    rows: pd.DataFrame
    choices: pd.DataFrame  # each choice in order, like ones that follow each other once: ``deck``, ``game``, ``seat``
    trials: pd.DataFrame  # of each tried choice: ``deck``, ``game``
    tried: np.recarray  # each tried choice, see `balance.engine.search.trying.trial_type`

    def without(self, games: Collection[int]) -> Seen:
        """Return the games but these."""
        rows, choices = (each[~each["game"].isin(games)] for each in (self.rows, self.choices))
        kept = ~self.trials["game"].isin(games)
        return Seen(rows, choices, self.trials[kept], self.tried[kept.to_numpy()])

    @classmethod
    def together(cls, parts: Sequence[Seen]) -> Seen:
        """Return all games of several batches."""

        def join(name: str) -> pd.DataFrame:
            return pd.concat([getattr(each, name) for each in parts], ignore_index=True)

        tried: Any = np.concatenate([each.tried for each in parts])
        return cls(join("rows"), join("choices"), join("trials"), tried)


def follow_batch(plan: Plan, cell: Cell, first: int, last: int, tried: int, every: int) -> Seen:
    """Play games `first`..`last`-1 of a cell again: who chooses, and where every seat stands after each round.

    In the first `tried` games of the cell another option is tried at the first choice of each round, and at one in
    `every` of the others.
    """
    simulator, room, packed = make_loop(plan.game, cell.variant.rules, cell.players, cell.strategies, SEARCHES)
    jobs, players, limit = jobs_of(plan.schedule(cell), first, last), cell.players, plan.experiment.decision_limit
    sampled = bool(plan.game.position or plan.game.own_loop)
    looked = min(max(tried - first, 0), len(jobs)) if sampled else 0
    rows = simulator.rows(len(jobs), players, not sampled, 1)
    choices, positions, trials = (len(jobs) * each for each in _SEEN)

    def play(size: int) -> LookBuffers | None:
        most = Room(size * choices, size * positions * sampled, size * trials * (looked > 0))
        bench = make_look_buffers(plan.game, room, most)
        done = simulator.look_each(packed, room, jobs, rows, bench, looked, every, limit) == len(jobs)
        return bench if done else None

    made, seen, tries = what_was_seen(with_room(play))
    ended, rounds = rows.games["status"] != TRUNCATED, rows.games["rounds"].astype(int)
    tries = tries[ended[tries["game"]]].copy()
    if not sampled:
        seen = _scores_after_rounds(rows, players)
    if not plan.game.position:
        seen["progress"] = 1 + pd.Series(seen["game"]).groupby(seen["game"]).cumcount().to_numpy()
        seen["progress"] /= max(1, rounds.max(initial=0))
        tries["progress"] = (tries["step"] - 1) / max(1, rounds.max(initial=0))
    lines = _lines(plan, cell, jobs, rows, first, seen[ended[seen["game"]]])
    decks, made = jobs.deal_seed, made[ended[made["game"]]]
    chosen = {"deck": decks[made["game"]], "game": first + made["game"], "seat": made["seat"].astype(int)}
    keys = {"deck": decks[tries["game"]], "game": first + tries["game"]}
    return Seen(lines, pd.DataFrame(chosen), pd.DataFrame(keys), tries)


def _scores_after_rounds(rows: Rows, players: int) -> np.recarray:
    """Return the scores after each round but the last as positions with one feature."""
    rounds = np.maximum(rows.games["rounds"].astype(int) - 1, 0)
    number = np.repeat(np.arange(len(rounds)), rounds)
    found: np.recarray = blank(len(number), sample_type(0))
    found["game"] = number
    at = np.arange(len(number)) - np.repeat(np.cumsum(rounds) - rounds, rounds)
    found["position"][:, :players, 0] = rows.rounds[number, at]["score"][:, :players]
    return found


def _lines(plan: Plan, cell: Cell, jobs: Any, rows: Rows, first: int, seen: np.recarray) -> pd.DataFrame:
    """Return `Seen.rows` from positions."""
    players, number = cell.players, seen["game"]
    step = pd.Series(number).groupby(number).cumcount().to_numpy() + 1
    lineup = jobs.lineup[:, :players].astype(int) @ len(cell.strategies) ** np.arange(players)
    counted = MOVES_HASH in (rows.games.dtype.names or ())
    moves = rows.games[MOVES_HASH] if counted else first + np.arange(len(jobs))
    columns = {
        "deck": jobs.deal_seed[number], "game": first + number, "lineup": lineup[number], "moves": moves[number],
        "step": step, "progress": seen["progress"],
    }  # fmt: skip
    long = {name: np.repeat(each, players) for name, each in columns.items()}
    own = rows.seats.reshape(len(jobs), players)[number].reshape(-1)
    long |= {"seat": own["seat"], "won": own["win_share"].astype(float), "rank": own["rank"]}
    names = list(plan.game.position) or ["score"]
    flat = seen["position"][:, :players, : len(names)].reshape(-1, len(names)).astype(float)
    return pd.DataFrame(long | {name: flat[:, at] for at, name in enumerate(names)})
