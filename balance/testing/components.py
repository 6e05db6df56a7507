"""Components: what has turned up and was taken is counted, and one more of each can be given."""

from __future__ import annotations

from typing import Any

import numpy as np

from balance.contract.component import Component, component_kernel, components_of
from balance.contract.records import MAX_SEATS, blank
from balance.engine.giving import counts_type
from balance.engine.stepper import Stepper, walk
from balance.testing.cases import Cases, as_far_as


class ComponentTests(Cases):
    """What must hold of a game's components; skipped where it names none."""

    def _components(self) -> list[Component]:
        found = components_of(self.subject, self.rules())
        if not found:
            import pytest

            pytest.skip("the game names no components")
        return found

    def _count(self, stepper: Stepper) -> Any:
        kernel = component_kernel(self.subject)
        counts = blank(1, counts_type(MAX_SEATS, kernel.MOST_COMPONENTS))[0]
        kernel.count_components(stepper.packed, stepper.state, stepper.log, counts)
        return counts

    def test_components_are_counted(self, players: int) -> None:
        """Numbers never fall, counting changes nothing, and whatever turns up has a name."""
        components, turned_up = self._components(), 0
        for stepper, rng in self.deals(players):
            shown, taken = np.zeros(1, int), np.zeros(1, int)
            for _ in as_far_as(walk(stepper, self.chooser(rng)), type(self).most_steps):
                state = stepper.state.tobytes()
                counts = self._count(stepper)
                assert stepper.state.tobytes() == state, "counting components changes the state"
                assert (counts.shown >= shown).all(), "a component has turned up less often than before"
                assert (counts.taken >= taken).all(), "a component was taken less often than before"
                shown, taken = counts.shown.copy(), counts.taken.copy()
            assert not shown[len(components) :].any(), "a component without a name turned up"
            turned_up += int(shown.sum())
        assert turned_up > 0, "no component ever turned up"

    def test_components_can_be_given(self, players: int) -> None:
        """What has just turned up, to any seat; the game goes on with it, whatever is chosen."""
        components, given = self._components(), 0
        for stepper, rng in self.deals(players):
            before = np.zeros(len(components), int)
            steps = as_far_as(walk(stepper, self.chooser(rng)), type(self).most_steps // 4)
            for _ in steps:
                shown = self._count(stepper).shown[: len(components)].astype(int)
                for number in np.flatnonzero(shown > before):
                    if components[number].given:
                        given += self._give(stepper.copy(), int(number), int(rng.integers(players)), rng)
                before = shown
        assert given > 0, "nothing could be given"

    def _give(self, stepper: Stepper, number: int, seat: int, rng: np.random.Generator) -> bool:
        """Give a component, check that the record was changed, and go on for a few steps."""
        kernel = component_kernel(self.subject)
        shown = self._count(stepper).shown.copy()
        possible = bool(kernel.give_component(stepper.packed, stepper.state, stepper.log, number, seat))
        assert (self._count(stepper).shown == shown).all(), "a gift counts as turned up"
        for _ in as_far_as(walk(stepper, self.chooser(rng)), 30):
            pass
        return possible
