"""Games with Python bots: one process for each seat that a bot plays."""

from __future__ import annotations

import threading

import numpy as np

from balance.engine.buffers import Buffers
from balance.engine.custom import BotError, BotProcess
from balance.engine.loop import Simulator
from balance.engine.stepper import Stepper
from balance.experiments.plan import Part, Plan
from balance.experiments.strategies import Strategy


class Bots:
    """The bot processes of one worker, kept from game to game.

    Two seats of a game never share a process, even with the same bot: a bot's module state is not visible to another
    seat. All games of a worker use the same processes.
    """

    def __init__(self, plan: Plan, stop: threading.Event) -> None:
        self._plan, self._stop = plan, stop
        self._module = f"{plan.game.package}.display"
        self._processes: dict[tuple[str, int], BotProcess] = {}

    def get(self, strategy: Strategy, place: int) -> BotProcess:
        """Return the process of a strategy for its `place`-th seat in a game."""
        found = self._processes.get((strategy.bot, place))
        if found is None:
            self._plan.check_bots_allowed([strategy])
            limits = self._plan.experiment.bot_limits
            found = BotProcess(strategy.bot, limits, self._module, self._stop)
            self._processes[strategy.bot, place] = found
        return found

    def close(self) -> None:
        """End all processes."""
        for process in self._processes.values():
            process.close()
        self._processes.clear()


class Conversation:
    """The games of a part with Python bots.

    Attributes
    ----------
    packed : record
        The part's rules.
    """

    def __init__(self, plan: Plan, part: Part, simulator: Simulator, room: Buffers, bots: Bots) -> None:
        self._plan, self._simulator, self._room, self._bots = plan, simulator, room, bots
        cell = plan.cells[part.cell]
        self._strategies = cell.tier.strategies
        self._view = Stepper(plan.game, cell.variant.rules, cell.players, room)
        self.packed = self._view.packed

    def play(self, job: np.record, trace: np.ndarray) -> None:
        """Play one game to its end.

        Raises
        ------
        BotError
            A bot failed; the message names the bot, the game and the seat.
        """
        view, room, seat = self._view, self._room, 0
        limit, answer = self._plan.experiment.decision_limit, -1
        self._simulator.begin(self.packed, room, job)
        try:
            playing: dict[int, BotProcess] = {}
            for seat, number in enumerate(job.lineup[: int(self.packed.players)].tolist()):
                strategy = self._strategies[number]
                if strategy.kind == "custom":
                    place = job.lineup[:seat].tolist().count(number)
                    playing[seat] = self._bots.get(strategy, place)
                    self._seat(playing[seat], int(room.episode[0].streams[seat]))
            while self._simulator.play_on(self.packed, room, trace, limit, answer):
                seat = view.seat
                bot = playing[seat]
                known = view.known() if bot.wants_simulator else None
                answer = bot.choose(view.observe(), view.options(), known)
        except BotError as error:
            self._bots.close()  # one process has ended
            name = self._strategies[job.lineup[seat]].name
            raise BotError(f"bot {name}, game {int(job.game_id)}, seat {seat} {error}") from None

    def _seat(self, process: BotProcess, seed: int) -> None:
        """Create a new bot for a game, with a simulator if it wants one."""
        process.make(seed)
        if process.wants_simulator:
            view = self._view
            rules = view.rules.model_dump(by_alias=True)
            process.simulate(view.game.package, rules, int(self.packed.players), seed)
