"""Grody set up for a rule's test: land, warriors, hands, dice and decks as the test needs them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from balance.contract.game import get_game
from balance.foundation.streams import GOLDEN, scramble
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.ruleset import BUILDINGS, CARDS, TERRAINS
from support.scene import GameScene, change_rules

GAME = get_game("grody")
make_rules = partial(change_rules, GAME)
WINDOWS = {"start": s.START, "end": s.END}
FURY, FIGHT, STAND, FLEE = 1, 3, 4, 6  # rolls with morale 3


def stream_that_draws(bounds: Sequence[int], wanted: Sequence[int]) -> int:
    """Return a stream (see `balance.foundation.streams`) whose next numbers below `bounds` are those given."""
    for block in range(64):
        streams = np.arange(block << 16, (block + 1) << 16, dtype=np.uint64)
        fits = np.ones(len(streams), bool)
        for step, (bound, number) in enumerate(zip(bounds, wanted, strict=True), start=1):
            words = scramble(streams + np.uint64(step) * GOLDEN) >> np.uint64(32)
            fits &= (words * np.uint64(bound)) >> np.uint64(32) == number
        if fits.any():
            return int(streams[fits][0])
    raise AssertionError(f"no stream draws {wanted}")


class Campaign(GameScene):
    """Grody in progress: the movement of seat 0, with all segments but the grody explored and empty."""

    def __init__(self, changes: dict[str, Any] | None = None, seed: int = 1) -> None:
        super().__init__(GAME, make_rules(changes), 2, seed)
        self.names = self.rules.board.names
        self.turn(0)

    def at(self, name: str) -> int:
        """Return the number of a segment."""
        return self.names.index(name)

    def land(self, owner: int, terrain: str, *names: str, building: str = "") -> Campaign:
        """Reveal segments with cards from the deck, as long as it has them."""
        for name in names:
            i = self.at(name)
            self.state.terrain[i] = TERRAINS.index(terrain)
            self.state.owner[i] = owner
            self.state.building[i] = BUILDINGS.index(building) if building else s.NOTHING
            if self.state.terrain_deck[TERRAINS.index(terrain)] > 0:
                self.state.terrain_deck[TERRAINS.index(terrain)] -= 1
                self.state.terrain_count -= 1
            if building:
                self.state.tokens[BUILDINGS.index(building)] -= 1
        return self

    def army(self, seat: int, **counts: int) -> Campaign:
        """Put warriors of a seat on segments, then restart the movement."""
        for name, count in counts.items():
            self.state.warriors[seat, self.at(name)] = count
        return self.turn(int(self.state.active))

    def hand(self, seat: int, *cards: str) -> Campaign:
        """Give a hand from the cards of the pile."""
        for i, card in enumerate(CARDS):
            now, wanted = int(self.state.hand[seat, i]), cards.count(card)
            self.state.pile[i] += now - wanted
            self.state.pile_count += now - wanted
            self.state.hand[seat, i] = wanted
        self.state.hand_size[seat] = len(cards)
        return self

    def pile(self, *cards: str) -> Campaign:
        """Leave only these cards in the pile."""
        self.state.pile[:] = [cards.count(card) for card in CARDS]
        self.state.pile_count = len(cards)
        return self

    def turn(self, seat: int, number: int = 1) -> Campaign:
        """Go to the movement of a seat in round `number`."""
        state = self.state
        state.active = state.seat = seat
        state.round_number, state.turns = number, 2 * number - 1 + seat
        state.phase, state.window = s.ASK_MOVE, s.START
        state.fresh[:], state.once[:] = state.warriors[seat], 0
        state.entered_count = state.explored = state.attack_count = state.fought = 0
        state.attacks_won = state.marches = state.scouts = 0
        return self

    def window(self, name: str) -> Campaign:
        """Go to the beginning of a card phase of the turn."""
        self.state.phase, self.state.window, self.state.declines = s.ASK_CARD, WINDOWS[name], 0
        self.state.seat = self.state.active
        return self

    def dice(self, *rolls: int) -> Campaign:
        """Set the next dice."""
        self.state.chance[s.DICE] = stream_that_draws([6] * len(rolls), [roll - 1 for roll in rolls])
        return self

    def terrains(self, *names: str) -> Campaign:
        """Leave these terrain cards in the deck, revealed in this order; a returned one goes last."""
        self.state.terrain_deck[:] = [names.count(name) for name in TERRAINS]
        self.state.terrain_count = len(names)
        left, bounds, wanted = sorted(map(TERRAINS.index, names)), [], []
        for name in names:
            bounds.append(len(left))
            wanted.append(left.index(TERRAINS.index(name)))
            left.remove(TERRAINS.index(name))
        self.state.chance[s.TERRAIN_DECK] = stream_that_draws(bounds, wanted)
        return self

    def warriors(self, seat: int, name: str) -> int:
        """Return how many warriors of a seat are on a segment."""
        return int(self.state.warriors[seat, self.at(name)])

    def owner(self, name: str) -> int:
        """Return the owner of a segment."""
        return int(self.state.owner[self.at(name)])

    def count(self, counter: str, seat: int = 0) -> int:
        """Return a column of a seat's row."""
        return int(self.stepper.result()[1][seat][counter])

    def behaviours(self, seat: int) -> list[int]:
        """Return the behaviour of each warrior that a seat brought to the combat."""
        return [int(each) for each in self.state.behaviour[seat][: self.state.fighters[seat]]]

    def chance(self, beginning: str) -> list[str]:
        """Return the chance outcomes so far with labels that begin so."""
        return [label for label in self.said if label.startswith(beginning)]

    @property
    def asked(self) -> str:
        """Return the kind of the current decision."""
        return str(self.stepper.observe().kind)


def battle(
    attackers: int = 2,
    defenders: int = 2,
    *,
    terrain: str = "rownina",
    building: str = "",
    hands: tuple[Sequence[str], Sequence[str]] = ((), ()),
    changes: dict[str, Any] | None = None,
    dice: Sequence[int] = (),
) -> Campaign:
    """Set up seat 0's attack on c3r3 from c2r3; c2r3 is its own, c4r3 is the other's."""
    scene = Campaign(changes).land(0, "rownina", "c2r3").land(1, "rownina", "c4r3")
    scene.land(1, terrain, "c3r3", building=building).army(0, c2r3=attackers).army(1, c3r3=defenders)
    for seat in range(2):
        scene.hand(seat, *hands[seat])
    if dice:
        scene.dice(*dice)
    scene.take(*["move c2r3 c3r3"] * attackers)
    if scene.state.phase == s.ASK_MOVE and scene.state.fresh.any():
        scene.take("done")
    return scene


def front(**changes: int) -> Campaign:
    """Return land of seat 0 around c3r3, next to a forest of seat 1 on c4r3."""
    scene = Campaign(changes).land(0, "rownina", "c3r3", "c2r3", "c3r2", "c3r4")
    return scene.land(1, "las", "c4r3")
