"""Games of a run played again, with components given and left out: what their worth is found from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from balance.batch.jobs import jobs_of
from balance.contract.component import Component, component_kernel, components_of
from balance.contract.records import TRUNCATED
from balance.engine.giving import Watch, make_kept, make_watch
from balance.engine.loop import Simulator
from balance.engine.records import Room, Rows
from balance.errors import BalanceError
from balance.plan.plan import Cell, Plan

_GIFTS = 100  # of a game, to begin with


@dataclass(frozen=True)
class LeftOut:
    """Games in which a component turned up, as dealt and with that component left out.

    Attributes
    ----------
    component : int
    game : int array (n,)
        Their places in the batch.
    score : float array (n, players)
        As dealt less without it.
    changed : bool array (n,)
        Whether other seats win without it.
    """

    component: int
    game: np.ndarray
    score: np.ndarray
    changed: np.ndarray


@dataclass(frozen=True)
class Batch:
    """Whole decks of a cell, played again.

    Attributes
    ----------
    decks : uint64 array (games,)
        Seeds of their decks.
    lineups : int16 array (games, players)
        Numbers of strategies.
    ended : bool array (games,)
        Whether the game came to an end.
    win_share : float array (games, players)
    sights : record array (games, components)
        See `balance.engine.giving.SIGHT`.
    gifts : record array (n,)
        See `balance.engine.giving.GIFT`.
    left_out : list of LeftOut
    """

    decks: np.ndarray
    lineups: np.ndarray
    ended: np.ndarray
    win_share: np.ndarray
    sights: np.ndarray
    gifts: np.ndarray
    left_out: list[LeftOut]


def check_components(plan: Plan) -> None:
    """Refuse a plan of whose games nothing can be found out so.

    Raises
    ------
    BalanceError
        The game has no components, or the tier has bots in Python.
    """
    if not any(components_of(plan.game, variant.rules) for variant in plan.variants):
        raise BalanceError(f"{plan.game.name} names no components (see docs/games.md)")
    if plan.tier.has_custom_bots:
        raise BalanceError(
            f"tier {plan.tier.name} has bots in Python, which can't be asked twice in a game"
        )


def play_batch(plan: Plan, cell: Cell, first: int, last: int) -> Batch:
    """Play games `first`..`last`-1 of a cell again, giving each component that turns up to a seat drawn by lot.

    The game goes on from there with the gift, and without: the same deals, line-up and lots of the bots. A component
    that can't be given is left out of the rules instead, and the game is played again from its beginning.
    """
    simulator = Simulator(plan.game, cell.tier.iterations > 0)
    room = simulator.room(*plan.pack_strategies(cell))
    jobs = jobs_of(plan.schedule(cell), first, last)
    packed = plan.game.kernel.pack_rules(cell.variant.rules, cell.players)
    rows = simulator.rows(len(jobs), cell.players, False, 0)
    components = components_of(plan.game, cell.variant.rules)
    watch = _give(plan, simulator, room, packed, jobs, rows, components)
    ended = rows.games.status != TRUNCATED
    own = rows.seats.reshape(len(jobs), cell.players)
    return Batch(
        jobs.deck_seed.copy(),
        jobs.lineup[:, : cell.players].copy(),
        ended,
        own["win_share"].astype(float),
        watch.sights,
        watch.gifts[: int(watch.used[0])],
        [
            _leave_out(plan, cell, simulator, room, jobs, own, number, seen)
            for number, component in enumerate(components)
            if not component.given
            and len(seen := np.flatnonzero((watch.sights["shown"][:, number] > 0) & ended))
        ],
    )


def _give(
    plan: Plan, simulator: Simulator, room: Room, packed: np.record, jobs: np.recarray, rows: Rows,
    components: Sequence[Component],
) -> Watch:  # fmt: skip
    """Play all jobs, with as much room for gifts as they turn out to need."""
    assert simulator.give_each is not None, "a game with components brings what gives them"
    given = np.array([component.given for component in components])
    kept, each = make_kept(plan.game, room), _GIFTS
    while True:
        watch = make_watch(
            len(jobs), given, each * len(jobs), component_kernel(plan.game).MOST_COMPONENTS
        )
        limit = plan.experiment.decision_limit
        if simulator.give_each(packed, room, jobs, rows, kept, watch, limit) == len(jobs):
            return watch
        each *= 4


def _leave_out(
    plan: Plan, cell: Cell, simulator: Simulator, room: Room, jobs: np.recarray, own: np.ndarray,
    component: int, seen: np.ndarray,
) -> LeftOut:  # fmt: skip
    """The games in which a component was seen, without it; those that are broken off are dropped."""
    packed = plan.game.kernel.pack_rules(cell.variant.rules, cell.players)
    component_kernel(plan.game).remove_component(packed, component)
    rows = simulator.rows(len(seen), cell.players, False, 0)
    simulator.play_games(packed, room, jobs[seen], rows, plan.experiment.decision_limit)
    ended = rows.games.status != TRUNCATED
    other = rows.seats.reshape(len(seen), cell.players)[ended]
    seen = seen[ended]
    return LeftOut(
        component,
        seen,
        own["score"][seen].astype(float) - other["score"],
        ((own["rank"][seen] == 1) != (other["rank"] == 1)).any(axis=1),
    )
