"""What must hold in every position: what is conserved, what a seat can't see."""

from __future__ import annotations

from copy import deepcopy

import numpy as np

from balance.engine.stepper import Stepper
from balance.testing.cases import Cases, same_records


class InvariantTests(Cases):
    """Conservation and blindness, in every variant."""

    def test_what_is_conserved(self, variant: str) -> None:
        """What the game declares to stay the same stays the same, and whatever it calls true is true."""
        players = self.players_of(variant)
        expected = next(self._conserved(stepper) for stepper, _ in self.deals(players, variant))
        for stepper, step in self.walks(players, variant):
            found = self._conserved(stepper)
            false = [name for name, value in found.items() if value is False]
            assert not false, f"before {step}: {', '.join(false)} does not hold"
            assert found == expected, f"before {step}: {found}, not {expected}"

    def _conserved(self, stepper: Stepper) -> dict[str, object]:
        found = dict(deepcopy(self.subject.display.conserved(stepper.rules, stepper.state)))
        assert found, "`conserved` declares nothing: say at least what is never below 0"
        return found

    def test_blindness(self, variant: str) -> None:
        """With everything hidden dealt anew a seat sees the same, may do the same, and values it the same."""
        game, rng = self.subject, np.random.default_rng(1)
        changed, players = 0, self.players_of(variant)
        names = [f"seat {seat}" for seat in range(players)]
        for stepper in self.decisions(players, variant):
            other = stepper.copy()
            other.redeal(int(rng.integers(2**62)))
            changed += other.state.tobytes() != stepper.state.tobytes()
            assert self._conserved(other) == self._conserved(stepper), "dealing anew lost something"
            assert other.options() == stepper.options(), "the legal actions tell what is hidden"
            seen, again = stepper.observe(), other.observe()
            shown, shown_again = (
                (game.display.show(stepper.rules, each, names), game.display.summarise(each, names))
                for each in (seen, again)
            )
            assert shown == shown_again, "an observation shows what is hidden"
            assert repr(seen) == repr(again), "an observation holds what is hidden"
            self._same_values(stepper, other)
            for each in (known := stepper.copy()), other:
                each.conceal()
            assert same_records(known.state, other.state), "`conceal` leaves something of what is hidden"
            assert repr(known.observe()) == repr(seen), "`conceal` forgets what the seat may see"
        assert changed, "`redeal` changes nothing: what lies face down, what will be rolled?"

    def _same_values(self, one: Stepper, two: Stepper) -> None:
        for weights in self.weights:
            values, others = one.evaluate(weights), two.evaluate(weights)
            assert np.array_equal(values, others, equal_nan=True), "a profile sees what is hidden"

    def test_values_are_finite(self, variant: str) -> None:
        """Every profile values every legal action."""
        for stepper in self.decisions(self.players_of(variant), variant):
            for weights in self.weights:
                assert np.isfinite(stepper.evaluate(weights)).all(), stepper.options()
