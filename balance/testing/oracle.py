"""The oracle harness: the compiled rules and a plain program of the same rules play one game together."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from balance.contract.game import Game
from balance.contract.records import CHANCE, OUTCOME
from balance.engine.stepper import Step, Stepper, walk


class Asked(Protocol):
    """A question of an oracle: a decision, or a chance outcome (seat -1)."""

    round: int
    seat: int
    kind: str
    labels: Sequence[str]


Asking = Generator[Any, str, Sequence[Mapping[str, Any]]]
Oracle = Callable[[dict[str, Any], int], tuple[Any, Asking]]
"""``play(rules, players)`` returns the oracle's game, for inspection, and a generator. The generator yields
questions (`Asked`), receives labels, and returns the expected row of each seat."""

Pick = Callable[[np.random.Generator, Any, list[str]], int]
Watch = Callable[[Stepper, Any, Step], None]


def pick_any(rng: np.random.Generator, judge: Any, options: list[str]) -> int:
    """Return the index of a random option."""
    return int(rng.integers(len(options)))


def agree(
    game: Game, rules: Any, players: int, seed: int, oracle: Oracle, pick: Pick = pick_any,
    watch: Watch = lambda stepper, judge, step: None,
) -> tuple[Stepper, Any]:  # fmt: skip
    """Play one game with both; AssertionError if a question, the legal labels, the end or a row differ.

    Parameters
    ----------
    pick : callable
        Given a generator, the oracle's game and the labels, returns the index to take.
    watch : callable
        Called before every decision, to compare more: the stepper, the oracle's game, the step.

    Returns
    -------
    tuple
        The game at its end, from both.
    """
    rng = np.random.default_rng([seed, players])
    stepper = Stepper.deal(game, rules, players, int(rng.integers(2**62)))
    judge, asking = oracle(rules.model_dump(by_alias=True), players)
    question, result = next(asking), None
    for step in walk(stepper, lambda _, options: pick(rng, judge, options)):
        if step.kind == OUTCOME:  # an oracle answers with the game, not with its account
            continue
        assert result is None, f"the oracle has ended, but the game continues with {step}"
        asked = (question.round, question.seat, question.kind)
        assert asked == (step.round, step.seat, step.kind), f"the oracle asks {question}, not {step}"
        if step.seat != CHANCE:
            watch(stepper, judge, step)
            assert set(question.labels) == set(step.options), f"{sorted(question.labels)} against {step}"
        else:
            fits = any(step.label.startswith(label) for label in question.labels)
            says = f"the chance outcome is {step.label!r}"
            assert fits, f"{says}, but the oracle expects {question.labels}"
        try:
            question = asking.send(step.label)
        except StopIteration as end:
            result = end.value
    assert result is not None, f"the game is over, but the oracle asks {question}"
    _, seats = stepper.result()
    compare_rows(result, seats)
    return stepper, judge


def compare_rows(expected: Sequence[Mapping[str, Any]], seats: Any) -> None:
    """Compare the rows of all seats with those of an oracle."""
    assert len(expected) == len(seats), f"the oracle has {len(expected)} seats, the game {len(seats)}"
    assert all({"score", "rank"} <= set(row) for row in expected), "an oracle's rows need score and rank"
    for seat, (row, found) in enumerate(zip(expected, seats, strict=True)):
        for name, value in row.items():
            if name != "win_share":  # computed by the loop
                assert found[name] == value, f"seat {seat}, {name}: {found[name]} is not {value}"
