"""Gymnasium environments: one agent against strategies in the other seats, one game or many at once."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from balance.envs.rendering import MODES, render
from balance.envs.spaces import Spaces
from balance.envs.stepping import Batch
from balance.envs.table import Table, set_table
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr

Info = dict[str, Any]
_SEEDS = 2**62


def make_spaces(found: Spaces) -> tuple[spaces.Box, spaces.Discrete]:
    """Return the spaces of observations and of actions."""
    return spaces.Box(found.low, found.high, dtype=np.float32), spaces.Discrete(len(found.action_names))


def _set_single(game: str, options: dict[str, Any]) -> Table:
    """Return the table of one agent; the opponents are `random` if the options name none."""
    return set_table(game, **{**options, "opponents": options.get("opponents") or "random"})


class SeatEnv(gymnasium.Env[np.ndarray, np.int64]):
    """One agent's seat in a game; a step is one decision of the agent.

    The mask of legal actions is ``info["action_mask"]`` and ``action_masks()``. The reward comes with the last step.
    For `options` see `balance.envs.table.set_table`.
    """

    metadata: Info = {"render_modes": MODES, "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, game: str, render_mode: str | None = None, **options: Any) -> None:
        self.render_mode = render_mode
        self._batch = Batch(_set_single(game, options), 1, endless=False)
        self.action_names = self._batch.spaces.action_names
        self.observation_names = self._batch.spaces.observation_names
        self.observation_space, self.action_space = make_spaces(self._batch.spaces)
        self._seed, self._game = 0, -1
        self._ended = True

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[np.ndarray, Info]:
        """Begin the first game of a seed's series or, without a seed, the next one."""
        super().reset(seed=seed)
        if seed is not None or self._game < 0:
            self._seed, self._game = int(self.np_random.integers(_SEEDS)) if seed is None else seed, -1
        self._game += 1
        seen = self._batch.reset(self._seed, [self._game])
        self._ended = bool(seen.done[0])
        return seen.observation[0].copy(), self._info()

    def _info(self) -> Info:
        return {"action_mask": self.action_masks(), "seat": int(self._batch.seen.seat[0])}

    def action_masks(self) -> np.ndarray:
        """Return which actions are legal, as int8 0 and 1."""
        mask: np.ndarray = self._batch.seen.mask[0].astype(np.int8)
        return mask

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, Info]:
        """Take an action, and play on to the agent's next decision or the end."""
        if self._ended:
            raise BalanceError(tr("the game has ended: call reset() before step()"))
        seat = int(self._batch.seen.seat[0])
        seen = self._batch.step(np.array([action]))
        self._ended, truncated = bool(seen.done[0]), bool(seen.truncated[0])
        ended = self._ended and not truncated
        return seen.observation[0].copy(), float(seen.reward[0, seat]), ended, truncated, self._info()

    def render(self) -> Any:
        """Render the position as the agent sees it."""
        return None if self.render_mode is None else render(self.render_mode, self._batch.stepper())


class SeatVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """The agent's seat in N games at once, with the options of `SeatEnv`.

    A game that ends is replaced in the same step. Its last observation is not described, because nothing follows it.
    """

    metadata: Info = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(self, num_envs: int, game: str, threads: int | None = None, **options: Any) -> None:
        options.pop("render_mode", None)
        self._batch = Batch(_set_single(game, options), num_envs, threads)
        self.num_envs = num_envs
        self.action_names = self._batch.spaces.action_names
        self.observation_names = self._batch.spaces.observation_names
        self.single_observation_space, self.single_action_space = make_spaces(self._batch.spaces)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[np.ndarray, Info]:
        """Begin the first games of a seed's series; without a seed, a random one."""
        super().reset(seed=seed)
        series = int(self.np_random.integers(_SEEDS)) if seed is None else seed
        return self._batch.reset(series).observation.copy(), self._info()

    def _info(self) -> Info:
        return {"action_mask": self.action_masks(), "seat": self._batch.seen.seat.copy()}

    def action_masks(self) -> np.ndarray:
        """Return which actions are legal in each game, as int8 0 and 1."""
        return self._batch.seen.mask.astype(np.int8)

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Info]:  # fmt: skip
        """Take an action in each game, and play on to the agent's next decision, in the next game where one ends."""
        seats = self._batch.seen.seat.astype(np.intp)
        seen = self._batch.step(np.asarray(actions))
        rewards = seen.reward[np.arange(self.num_envs), seats].astype(np.float64)
        truncated = seen.truncated.astype(bool)
        return (
            seen.observation.copy(),
            rewards,
            seen.done.astype(bool) & ~truncated,
            truncated,
            self._info(),
        )

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self._batch.close()
