"""A game of Korona Piastów in progress: questions to rulers and chance, cards, magnates."""

from typing import Any

from support.oracles.shared import Ask, Question

from .board import TRAITS, Board


class Game(Board):
    """The board and the bags; every method that asks a question is a generator."""

    def __init__(self, rules: dict[str, Any], players: int) -> None:
        super().__init__(rules, players)
        self.cards = {card["id"]: card for card in rules["events"]["cards"]}
        self.stack = [card["id"] for card in rules["events"]["cards"]]
        self.discards: list[str] = []
        self.reshuffles = 0
        self.end = ""
        self.rounds: list[list[dict[str, int]]] = []  # denars, units, fiefs, income of each seat
        self.income: list[int] = []  # of this round

    def ask(self, seat: int, kind: str, labels: list[str]) -> Ask:
        label = yield Question(self.round, seat, kind, labels)
        assert label in labels, f"illegal {kind} of seat {seat}: {label!r} not in {labels}"
        return label.split()

    def chance(self, labels: list[str]) -> Ask:
        label = yield Question(self.round, -1, "chance", labels)
        assert label in labels, f"chance brings {label!r}, not of {labels}"
        return label.split()

    def draw(self, prefix: str, numbers: bool = True) -> Ask:
        """Draw the top card of the stack (EVN-2) and return its id; the card is then in no pile."""
        if not self.stack:
            yield from self.chance(["reshuffle"])
            self.stack, self.discards = self.discards, []
            self.reshuffles += 1
        labels = []
        for name in sorted(set(self.stack)):
            card = self.cards[name]
            labels.append(f"{prefix} {name}" + (f" {card['attack']} {card['defence']}" if numbers else ""))
        words = yield from self.chance(labels)
        name = words[len(prefix.split())]
        self.stack.remove(name)
        return name

    def fate(self, what: str) -> Ask:
        """LOS-1: draw a card for its numbers; the card goes to the discards."""
        name = yield from self.draw(f"fate {what}")
        self.discards.append(name)
        return self.cards[name]

    def magnate(self, seat: int) -> Ask:
        """TRT-3: return the trait of a magnate drawn from the bag, or nothing."""
        if not self.bag.total():
            return ""
        traits = [trait for trait in TRAITS if self.bag[trait]]
        words = yield from self.chance([f"magnate {seat} {trait}" for trait in traits])
        self.bag[words[2]] -= 1
        return words[2]

    def free_magnate(self, seat: int) -> Ask:
        trait = yield from self.magnate(seat)
        if trait:
            self.rulers[seat].free[trait] += 1

    def note_round(self) -> None:
        """Record the round's columns (section 6)."""
        kept = []
        for seat, ruler in enumerate(self.rulers):
            row = {"denars": ruler.denars, "units": self.units(seat)}
            kept.append(row | {"fiefs": len(self.own_fiefs(seat)), "income": self.income[seat]})
        self.rounds.append(kept)
