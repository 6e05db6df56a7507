"""Polska set up for a rule's test: pawns, markers, hands and dice as the test needs them."""

from __future__ import annotations

from functools import partial
from typing import Any

from balance.contract.game import get_game
from balance.games.polska.display.names import names_of
from balance.games.polska.kernel import state as s
from support.scene import GameScene, change_rules

GAME = get_game("polska")
make_rules = partial(change_rules, GAME)


class Journey(GameScene):
    """Polska in progress."""

    def __init__(self, players: int = 3, changes: dict[str, Any] | None = None, seed: int = 1) -> None:
        super().__init__(GAME, make_rules(changes), players, seed)
        self.fields, self.faces = names_of(self.rules)

    def pawn(self, seat: int, field: str) -> Journey:
        """Put a pawn somewhere."""
        self.state.pawns_on[self.state.pawn[seat]] -= 1
        self.state.pawn[seat] = self.fields.index(field)
        self.state.pawns_on[self.state.pawn[seat]] += 1
        return self

    def markers(self, *fields: str, taken: int = 0) -> Journey:
        """Leave these markers on the map, and this number of the set already taken."""
        for field, name in enumerate(self.fields):
            self.state.marker_on[field] = name in fields
        self.state.taken_of_set = taken
        return self

    def hand(self, seat: int, *cards: str) -> Journey:
        """Give a hand."""
        self.state.hand_size[seat] = len(cards)
        for i, card in enumerate(cards):
            self.state.hand[seat, i] = self.faces.index(card)
        return self

    def dice(self, *showing: int) -> Journey:
        """Set these dice."""
        self.state.dice_left = len(showing)
        for side in range(1, 7):
            self.state.dice_showing[side] = showing.count(side)
        return self

    def at(self, seat: int, year: int) -> Journey:
        """Put a marker on the field of history with this year."""
        years = [field.year for field in self.rules.track.fields]
        self.state.position[seat] = years.index(year)
        return self

    def year(self, seat: int) -> int | None:
        """Return the year of the field where a marker stands."""
        return self.rules.track.fields[self.state.position[seat]].year

    def moves(self) -> set[str]:
        """Return the fields that the pawn may move to."""
        return {label.split()[1] for label in self.options() if label.startswith("move")}

    def cards(self, seat: int) -> list[str]:
        """Return a hand."""
        return [self.faces[face] for face in self.state.hand[seat][: self.state.hand_size[seat]]]

    def discards(self) -> list[str]:
        """Return the discard pile."""
        return [self.faces[face] for face in self.state.discards[: self.state.discard_count]]

    @property
    def asked(self) -> int:
        """Return the current question, a phase of `state`."""
        return int(self.state.phase)


__all__ = ["GAME", "Journey", "make_rules", "s"]
