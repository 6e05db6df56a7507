"""Gymnasium environments: one agent against strategies in the other seats, one game or many at once."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from balance.engine.environments import Seen
from balance.envs.rendering import MODES, render
from balance.envs.spaces import Spaces
from balance.envs.stepping import Batch, Restorable
from balance.envs.table import Table, check_seed, check_whole, set_table
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import tr

Info = dict[str, Any]
_AUTORESET = {mode.value: mode for mode in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP)}


def make_spaces(found: Spaces) -> tuple[spaces.Box, spaces.Discrete]:
    """Return the spaces of observations and of actions."""
    return spaces.Box(found.low, found.high, dtype=np.float32), spaces.Discrete(len(found.action_names))


def _set_single(game: str, options: dict[str, Any]) -> Table:
    """Return the table of one agent; the opponents are `random` if the options name none."""
    return set_table(game, **{**options, "opponents": options.get("opponents") or "random"})


class SeatEnv(Restorable, gymnasium.Env[np.ndarray, np.int64]):
    """One agent's seat in a game; a step is one decision of the agent.

    The mask of legal actions is ``info["action_mask"]`` and ``action_masks()``. The reward comes with the last step,
    whose observation and mask are those of the agent's last decision. For `options` see
    `balance.envs.table.set_table`.
    """

    _changing: ClassVar[tuple[str, ...]] = ("_ended",)

    metadata: Info = {"render_modes": MODES, "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, game: str, render_mode: str | None = None, **options: Any) -> None:
        self.render_mode = render_mode
        self.batch = Batch(_set_single(game, options), 1, endless=False)
        self.action_names = self.batch.spaces.action_names
        self.observation_names = self.batch.spaces.observation_names
        self.observation_space, self.action_space = make_spaces(self.batch.spaces)
        self._ended = True

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[np.ndarray, Info]:
        """Begin the first game of a seed's series or, without a seed, the next one; at first of a random series."""
        seed = check_seed(seed)
        super().reset(seed=seed)
        seen = self.batch.begin_next(seed)
        self._ended = bool(seen.done[0])
        return seen.observation[0].copy(), self._info()

    def _info(self) -> Info:
        return {"action_mask": self.action_masks(), "seat": int(self.batch.seen.seat[0])}

    def action_masks(self) -> np.ndarray:
        """Return which actions are legal, as int8 0 and 1."""
        mask: np.ndarray = self.batch.seen.mask[0].astype(np.int8)
        return mask

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, Info]:
        """Take an action, and play on to the agent's next decision or the end."""
        if self._ended:
            raise BalanceError(tr("the game has ended: call reset() before step()"))
        seat = int(self.batch.seen.seat[0])
        seen = self.batch.step(np.array([action]))
        self._ended, truncated = bool(seen.done[0]), bool(seen.truncated[0])
        ended = self._ended and not truncated
        return seen.observation[0].copy(), float(seen.reward[0, seat]), ended, truncated, self._info()

    def render(self) -> Any:
        """Render the position as the agent sees it."""
        return None if self.render_mode is None else render(self.render_mode, self.batch.stepper())


class _Shown(NamedTuple):
    """What the agent of each game sees."""

    observation: np.ndarray
    mask: np.ndarray  # int8
    seat: np.ndarray

    @classmethod
    def copy_of(cls, seen: Seen) -> _Shown:
        """Return copies of buffers, which the next steps change."""
        return cls(seen.observation.copy(), seen.mask.astype(np.int8), seen.seat.copy())

    def info(self, which: np.ndarray) -> Info:
        """Return masks and seats as Gymnasium lists them, with the games `which` that have them."""
        return {
            "action_mask": np.where(which[:, None], self.mask, np.int8(0)), "_action_mask": which,
            "seat": np.where(which, self.seat, np.int8(0)), "_seat": which,
        }  # fmt: skip


class SeatVectorEnv(Restorable, VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """The agent's seat in N games at once, with the options of `SeatEnv`.

    With the `autoreset_mode` ``SameStep``, a game that ends is replaced in the same step; ``info["final_obs"]`` and
    ``info["final_info"]`` are what `SeatEnv` returns at the end. With ``NextStep`` it is replaced in the next step,
    which ignores its action.
    """

    metadata: Info = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012
    _changing: ClassVar[tuple[str, ...]] = ("_shown", "_over")

    def __init__(
        self, num_envs: int, game: str, threads: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP, **options: Any,
    ) -> None:  # fmt: skip
        options.pop("render_mode", None)
        mode = autoreset_mode.value if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        if mode not in _AUTORESET:
            raise unknown("autoreset_mode", str(mode), _AUTORESET)
        self.metadata = {**self.metadata, "autoreset_mode": _AUTORESET[mode]}
        self._waits = _AUTORESET[mode] is AutoresetMode.NEXT_STEP
        self.num_envs = check_whole("num_envs", num_envs, 1)
        self.batch = Batch(_set_single(game, options), self.num_envs, threads)
        self._spare = self.batch.make_buffers()  # those of the step before
        self._shown = _Shown.copy_of(self.batch.seen)
        self._over = np.zeros(self.num_envs, bool)  # which games ended in the last step
        self.action_names = self.batch.spaces.action_names
        self.observation_names = self.batch.spaces.observation_names
        self.single_observation_space, self.single_action_space = make_spaces(self.batch.spaces)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[np.ndarray, Info]:
        """Begin the first games of a seed's series; without a seed, of the next series, at first of a random one."""
        seed = check_seed(seed)
        super().reset(seed=seed)
        self._shown = _Shown.copy_of(self.batch.reset(seed))
        self._over = np.zeros(self.num_envs, bool)
        return self._shown.observation.copy(), self._shown.info(np.ones(self.num_envs, bool))

    def action_masks(self) -> np.ndarray:
        """Return which actions are legal in each game, as int8 0 and 1."""
        return self._shown.mask.copy()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Info]:
        """Take an action in each game, and play on to the agent's next decision, in the next game where one ends."""
        before, last = self.batch.seen, self._shown
        idle = self._over if self._waits else None
        seen = self.batch.step(np.asarray(actions), self._spare, idle)
        self._spare = before
        over, truncated = seen.done.astype(bool), seen.truncated.astype(bool)
        rewards = seen.reward[np.arange(self.num_envs), last.seat.astype(np.intp)].astype(np.float64)
        self._over, self._shown = over, _Shown.copy_of(seen)
        final: Info = {}
        if over.any() and self._waits:
            for shown, kept in zip(self._shown, last, strict=True):
                shown[over] = kept[over]
        elif over.any():
            final = {
                "final_obs": _list_rows(last.observation, over), "_final_obs": over,
                "final_info": last.info(over), "_final_info": over,
            }  # fmt: skip
        info = {**self._shown.info(np.ones(self.num_envs, bool)), **final}
        return self._shown.observation.copy(), rewards, over & ~truncated, truncated, info

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.batch.close()


def _list_rows(rows: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Return an array of objects, the rows of some games and None for the others."""
    found = np.full(len(rows), None, dtype=object)
    for place in np.flatnonzero(which):
        found[place] = rows[place]
    return found
