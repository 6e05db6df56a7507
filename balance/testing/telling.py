"""Telling: what a replay says and shows of each move."""

from __future__ import annotations

from balance.contract.telling import name_round, tell
from balance.engine.moves import moves_of
from balance.engine.stepper import walk
from balance.testing.cases import Cases, as_far_as


class TellingTests(Cases):
    """What must hold of a game's `tell` and `name_round`, or of what stands for them."""

    def test_moves_are_told(self, players: int) -> None:
        """Each in words, with a position that can be shown; the states stay as they are."""
        display = self.subject.display
        names = [f"player {seat + 1}" for seat in range(players)]
        for stepper, rng in self.deals(players):
            steps = as_far_as(walk(stepper, self.chooser(rng)), type(self).most_steps)
            for _, move in moves_of(stepper, steps, names):
                states = move.before.tobytes(), move.after.tobytes()
                told = tell(display, stepper.rules, move)
                assert told, f"nothing is told of {move.label!r}"
                for each in told:
                    assert each.text, f"{move.label!r} is told without words"
                    panels = display.show(stepper.rules, each.observation, names)
                    titles = {panel.title for panel in panels}
                    assert not each.about or each.about in titles, f"there is no panel {each.about!r}"
                    lines = display.summarise(each.observation, names)
                    assert len(lines) == players, "not a line for every player"
                    assert isinstance(name_round(display, stepper.rules, each.observation), str)
                after = move.before.tobytes(), move.after.tobytes()
                assert after == states, f"telling {move.label!r} changed a state"
