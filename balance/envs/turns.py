"""The PettingZoo environment: an agent in each seat, one decision at a time (AEC)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from balance.envs.rendering import MODES, render
from balance.envs.seats import make_spaces
from balance.envs.stepping import Batch, Restorable
from balance.envs.table import set_table

Seen = dict[str, np.ndarray]


class TurnEnv(Restorable, AECEnv[str, Seen, int]):  # type: ignore[misc] # PettingZoo is untyped
    """A game whose seats are the agents ``seat_0``, ``seat_1``, ...

    Several decisions of one turn are steps of the same agent. Decisions with a single action are skipped. An
    observation is what the agent saw at its last decision, zeros before its first; ``action_mask`` is all 0 except for
    the agent to act. For `options` see `balance.envs.table.set_table`.
    """

    metadata: dict[str, Any] = {"render_modes": MODES, "is_parallelizable": False}  # noqa: RUF012
    _changing: ClassVar[tuple[str, ...]] = (
        "agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos",
        "_last", "_masks", "_skip_agent_selection",
    )  # fmt: skip

    def __init__(self, game: str, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        self.metadata = {**self.metadata, "name": f"balance/{game}-v0"}
        self.render_mode = render_mode
        self.batch = Batch(set_table(game, **options), 1, endless=False)
        self.action_names = self.batch.spaces.action_names
        self.observation_names = self.batch.spaces.observation_names
        mask = spaces.MultiBinary(len(self.action_names))
        both = spaces.Dict({"observation": make_spaces(self.batch.spaces)[0], "action_mask": mask})
        self.possible_agents = [f"seat_{seat}" for seat in range(self.batch.table.players)]
        self.observation_spaces = dict.fromkeys(self.possible_agents, both)
        self.action_spaces = {agent: make_spaces(self.batch.spaces)[1] for agent in self.possible_agents}
        self._blank = np.zeros(len(self.action_names), np.int8)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the first game of a seed's series or, without a seed, the next one; at first of a random series."""
        self.batch.begin_next(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        zeros = np.zeros(len(self.observation_names), np.float32)
        self._last = dict.fromkeys(self.agents, zeros)
        self._masks = dict.fromkeys(self.agents, self._blank)
        self._show()

    def _show(self) -> None:
        """Select the agent to act, and keep what it sees."""
        seen = self.batch.seen
        agent = self.agent_selection = self.possible_agents[seen.seat[0]]
        self._last[agent] = seen.observation[0].copy()
        self._masks[agent] = seen.mask[0].astype(np.int8)
        self.infos = {each: {"action_mask": mask} for each, mask in self._masks.items()}

    def observe(self, agent: str) -> Seen:
        """Return what an agent saw at its last decision, and its legal actions if it is to act."""
        return {"observation": self._last[agent], "action_mask": self._masks[agent]}

    def step(self, action: int | None) -> None:
        """Take an agent's action and play on to the next decision; the action is None when the game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seen = self.batch.step(np.array([action]))
        self._masks[agent] = self._blank
        self._cumulative_rewards[agent] = 0.0
        if seen.done[0]:
            self._end()
        else:
            self._clear_rewards()
            self._show()
        self._accumulate_rewards()

    def _end(self) -> None:
        """Give the rewards, and end the game for all agents."""
        seen = self.batch.seen
        truncated = bool(seen.truncated[0])
        for agent, reward in zip(self.possible_agents, seen.reward[0].tolist(), strict=True):
            self.rewards[agent] = reward
            self.terminations[agent], self.truncations[agent] = not truncated, truncated
        self.infos = {agent: {"action_mask": self._blank} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def render(self) -> Any:
        """Render the position as the agent to act sees it."""
        return None if self.render_mode is None else render(self.render_mode, self.batch.stepper())

    def close(self) -> None:
        """End the threads of the batch."""
        self.batch.close()
