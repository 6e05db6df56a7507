"""Na Grunwald! set up for a rule's test: labels in, options and state out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.game import get_game
from balance.experiments.variants import read_extended
from balance.foundation.toml import merge
from support.scene import GameScene

GAME = get_game("na-grunwald")
NO_EVENTS = {"name": "none", "source": "test", "reconstruction": False, "cards": []}


def event_deck(**card: Any) -> dict[str, Any]:
    """Return a deck of one event card for every round."""
    card = {"id": "it", "name": "It", "copies": 12, **card}
    return {"name": "test", "source": "test", "reconstruction": False, "cards": [card]}


def make_rules(changes: dict[str, Any] | None = None, variant: str = "base") -> Any:
    """Return a shipped variant with changes, without an event deck unless the changes name one."""
    data = read_extended(GAME, GAME.folder / "variants" / f"{variant}.toml")
    data = merge(data, {"event_deck": NO_EVENTS} if variant == "base" else {})
    data = merge(data, changes or {})
    return GAME.rules.load_rules(data, "test", Path())


class Scene(GameScene):
    """Na Grunwald! under way.

    Parameters
    ----------
    changes : dict
        Rules that differ from base (nested tables).
    """

    def __init__(self, players: int = 4, changes: dict[str, Any] | None = None, seed: int = 1) -> None:
        super().__init__(GAME, make_rules(changes), players, seed)

    def asked(self, kind: str) -> bool:
        """Return whether the current decision is of this kind (its first word)."""
        return not self.state.over and self.options()[-1].split()[0] == kind

    def pass_all(self) -> Scene:
        """Pass for all players until the placement phase of this round is over."""
        current = self.state.round_number
        while not self.state.over and self.state.round_number == current and "pass" in self.options():
            self.take("pass")
        return self

    def to_round(self, number: int) -> Scene:
        """Pass for all players (give, fight or starve with the first option) until that round."""
        while self.state.round_number < number:
            self.take(self.options()[0])
        return self

    def finish(self) -> np.recarray:
        """Play the first option to the end, and return the seats' rows."""
        while not self.state.over:
            self.take(self.options()[0])
        return self.rows()

    def rows(self) -> np.recarray:
        return self.stepper.result()[1]

    def give(self, seat: int, **what: Any) -> None:
        """Set the possessions of a player: ducats, provisions, helpers, hand, camp (lists), captives."""
        state = self.state
        for name, value in what.items():
            if name in ("ducats", "provisions", "helpers"):
                state[name][seat] = value
            elif name == "captives":
                for strength in value:
                    state.captives[seat, strength] += 1
                    state.captive_count[seat] += 1
            else:
                for kind, strength in value:
                    state[name][seat, ("crown", "mercenary").index(kind), strength] += 1
                    state.knights[seat] += 1

    def hand(self, seat: int) -> list[tuple[str, int]]:
        return self._spread(self.state.hand[seat])

    def camp(self, seat: int) -> list[tuple[str, int]]:
        return self._spread(self.state.camp[seat])

    @staticmethod
    def _spread(counts: np.ndarray) -> list[tuple[str, int]]:
        return [
            (("crown", "mercenary")[kind], int(strength))
            for kind, strength in np.argwhere(counts)
            for _ in range(counts[kind, strength])
        ]

    def captives(self, seat: int) -> list[int]:
        return [int(s) for s in np.flatnonzero(self.state.captives[seat])]


def war(**changes: Any) -> dict[str, Any]:
    """Return rules with skirmishes from round 1; `changes` are keys of the table `krzyzacy`."""
    cards = {"source": "test", "reconstruction": False, "strengths": [1, 2, 3, 4] * 4}
    return {"krzyzacy": {"first_round": 1, **changes}, "cards": {"krzyzacy": cards}}


def skirmish(
    hands: dict[int, list[tuple[str, int]]],
    krzyzacy: tuple[int, int],
    players: int = 4,
    order: list[int] | None = None,
    **changes: Any,
) -> Scene:
    """Set up a skirmish: each seat of `hands` has a pawn there, in the given order."""
    scene = Scene(players, war(**changes))
    scene.state.prize[0, 0], scene.state.prize[0, 1] = max(krzyzacy), min(krzyzacy)
    for seat, hand in hands.items():
        scene.give(seat, hand=hand)
    joining = order if order is not None else sorted(hands)
    while joining:
        if scene.seat == joining[0]:
            joining = joining[1:]
            scene.take("place krzyzacy officer")
        else:  # who joins later waits with a pawn elsewhere
            scene.take("place ducats helpers 1" if scene.seat in joining else "pass")
    return scene.pass_all()
