"""The steps of a game with the states around each: what a replay tells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from balance.contract.records import CHANCE, blank
from balance.contract.telling import Move
from balance.engine.stepper import Step, Stepper


def moves_of(stepper: Stepper, steps: Iterator[Step], names: list[str]) -> Iterator[tuple[Step, Move]]:
    """Every step with the states around it, a decision once it has taken effect; see `balance.contract.telling`."""
    viewer, waiting = 0, None
    for step in steps:
        if waiting:
            yield waiting[0], Move(*waiting[1:], _copy(stepper.state), viewer, names)
            waiting = None
        if step.seat == CHANCE:
            state = _copy(stepper.state)
            yield step, Move(step.label, CHANCE, state, state, viewer, names)
        else:
            waiting, viewer = (step, step.label, step.seat, _copy(stepper.state)), step.seat
    if waiting:
        yield waiting[0], Move(*waiting[1:], _copy(stepper.state), viewer, names)


def _copy(state: Any) -> np.record:
    copied = blank(1, state.dtype)
    copied[0] = state
    record: np.record = copied[0]
    return record
