"""Na Grunwald! set up for a rule's test: labels in, options and state out."""

from __future__ import annotations

from typing import Any

import numpy as np

from balance.contract.game import get_game
from support.scene import GameScene, change_rules

GAME = get_game("na-grunwald")
KINDS = ("crown", "mercenary")
Knights = list[tuple[str, int]]
SOURCE = {"source": "test", "reconstruction": False}
NO_EVENTS = {"name": "none", **SOURCE, "cards": []}


def event_deck(**card: Any) -> dict[str, Any]:
    """Return a deck of one event card for every round."""
    return {"name": "test", **SOURCE, "cards": [{"id": "it", "name": "It", "copies": 12, **card}]}


def shown(**values: list[int]) -> dict[str, Any]:
    """Return rules in which provisions or ducats show the same values each round."""
    return {"cards": {name: {**SOURCE, "values": [each] * 8} for name, each in values.items()}}


def war(**changes: Any) -> dict[str, Any]:
    """Return rules with skirmishes from round 1; `changes` are keys of the table `krzyzacy`."""
    cards = {**SOURCE, "strengths": [1, 2, 3, 4] * 4}
    return {"krzyzacy": {"first_round": 1, **changes}, "cards": {"krzyzacy": cards}}


def make_rules(changes: dict[str, Any] | None = None, variant: str = "base") -> Any:
    """Return a shipped variant with changes, without an event deck unless the changes name one."""
    own = {"event_deck": NO_EVENTS} if variant == "base" else {}
    return change_rules(GAME, {**own, **(changes or {})}, variant)


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
                    state[name][seat, KINDS.index(kind), strength] += 1
                    state.knights[seat] += 1

    def show_knights(self, field: int, stronger: int, weaker: int) -> Scene:
        """Set two knights on a field, as its awards at this player count."""
        awards = self.packed.awards[field]
        self.state.prize[field] = [(stronger, weaker)[award - 1] if award else 0 for award in awards]
        return self

    def all(self, good: str) -> list[int]:
        """Return what each player has of a good: ducats, provisions or helpers."""
        return self.state[good][: self.state.players].tolist()

    def hand(self, seat: int) -> Knights:
        return self._spread(self.state.hand[seat])

    def camp(self, seat: int) -> Knights:
        return self._spread(self.state.camp[seat])

    @staticmethod
    def _spread(counts: np.ndarray) -> Knights:
        knights = [(KINDS[kind], int(strength)) for kind, strength in np.argwhere(counts)]
        return [knight for knight, count in zip(knights, counts[counts > 0], strict=True) for _ in range(count)]

    def captives(self, seat: int) -> list[int]:
        return [int(s) for s in np.flatnonzero(self.state.captives[seat])]


def skirmish(
    hands: dict[int, Knights],
    krzyzacy: tuple[int, int],
    players: int = 4,
    order: list[int] | None = None,
    **changes: Any,
) -> Scene:
    """Set up a skirmish: each seat of `hands` has a pawn there, in the given order."""
    scene = Scene(players, war(**changes))
    scene.state.prize[0, :2] = sorted(krzyzacy, reverse=True)
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
