"""What searchers thought in a game: it is played again, and their trees are read after each decision."""

from __future__ import annotations

import numpy as np

from balance.batch.jobs import jobs_of
from balance.engine.loop import Simulator
from balance.engine.records import TRACE
from balance.engine.search.thinker import Thought, read_thoughts
from balance.engine.stepper import Stepper
from balance.errors import BalanceError
from balance.plan.plan import Cell, Plan


def thoughts_of(plan: Plan, cell: Cell, number: int) -> dict[int, list[Thought]]:
    """The shortlists of a game's searchers by the number of the decision, from 0 over all seats.

    Decisions with one option, and those of others, have none. The search's streams are those of the run, so
    what is read is what was thought then.

    Raises
    ------
    BalanceError
        A bot in Python plays too, or the game goes otherwise than it went.
    """
    if cell.tier.has_custom_bots:
        raise BalanceError("thoughts can be read only of games without bots in Python")
    simulator = Simulator(plan.game, searching=True)
    room = simulator.room(*plan.pack_strategies(cell))
    view = Stepper(plan.game, cell.variant.rules, cell.players, room)
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
