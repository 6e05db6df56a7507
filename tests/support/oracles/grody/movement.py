"""Movement and exploration (MOV-1 to MOV-7)."""

from dataclasses import dataclass

from support.oracles.grody.cards import TurnCards
from support.oracles.grody.table import Segment, Table
from support.oracles.shared import Ask


@dataclass(eq=False)  # two who have done the same are still two
class Walker:
    """A warrior of A in the movement of one turn."""

    at: str
    came_from: str = ""
    moves: int = 0
    stopped: bool = False


class Movement:
    """The second phase of a turn.

    Attributes
    ----------
    attacked, entered : lists of names
        Segments with enemies, and unexplored ones, in the order in which they were first entered.
    """

    def __init__(self, table: Table, cards: TurnCards) -> None:
        self.table, self.cards = table, cards
        self.seat = table.active
        self.walkers = [Walker(s.name) for s in table.segments.values() for _ in range(s.warriors[self.seat])]
        self.attacked: list[str] = []
        self.entered: list[str] = []

    def play(self) -> Ask:
        """Play all moves, then all exploration."""
        while True:
            words = yield from self.table.ask(self.seat, "move", ["done", *self.moves()])
            if words == ["done"]:
                break
            self.move(words[1], words[2])
        for name in self.entered:
            yield from self.explore(self.table.segments[name])

    # moving

    def movable(self, name: str) -> Walker | None:
        """Return the next warrior to leave a segment: one that has not moved, otherwise one that may march on."""
        here = [w for w in self.walkers if w.at == name and not w.stopped]
        for walker in here:
            if walker.moves == 0:
                return walker
        for walker in here:
            if walker.moves == 1 and self.cards.marches:
                return walker
        return None

    def moves(self) -> list[str]:
        return [
            f"move {here.name} {there.name}"
            for here in self.table.segments.values()
            if self.movable(here.name)
            for there in self.table.neighbours(here)
            if self.may_enter(there)
        ]

    def may_enter(self, segment: Segment) -> bool:
        if segment.terrain is None and segment.name not in self.entered:
            cards_left = self.table.terrains.total() - len(self.entered)
            if cards_left <= 0:  # MOV-6
                return False
        return self.table.has_room(segment, self.seat)

    def move(self, origin: str, target: str) -> None:
        here, there = self.table.segments[origin], self.table.segments[target]
        walker = self.movable(origin)
        assert walker
        if walker.moves == 1:
            self.cards.marches -= 1
        here.warriors[self.seat] -= 1
        there.warriors[self.seat] += 1
        walker.moves += 1
        walker.at, walker.came_from = target, origin
        self.walkers.remove(walker)
        self.walkers.append(walker)  # in the order in which they entered where they are
        if there.terrain is None:
            walker.stopped = True
            if target not in self.entered:
                self.entered.append(target)
        elif there.warriors[1 - self.seat]:
            walker.stopped = True
            if target not in self.attacked:
                self.attacked.append(target)
        elif there is self.table.grod(1 - self.seat):
            walker.stopped = True
        else:
            self.table.claim(self.seat, there)

    # exploring

    def explore(self, segment: Segment) -> Ask:
        table, seat = self.table, self.seat
        first = table.players[seat].counts["explored"] == 0
        table.count(seat, "explored")
        segment.owner = seat
        yield from self.turn_up(segment)
        if first or self.cards.scouts:
            words = yield from table.ask(seat, "exchange", ["keep", "exchange"])
            if words == ["exchange"]:
                if not first:
                    self.cards.scouts -= 1
                table.count(seat, "exchanged")
                assert segment.terrain
                table.terrains[segment.terrain] += 1
                segment.terrain = None
                yield from self.turn_up(segment)
        self.settle(segment)

    def turn_up(self, segment: Segment) -> Ask:
        terrains = self.table.terrains
        possible = [name for name in terrains if terrains[name]]
        words = yield from self.table.chance([f"explore {segment.name} {name}" for name in possible])
        segment.terrain = words[2]
        terrains[words[2]] -= 1

    def settle(self, segment: Segment) -> None:
        """Send the surplus back, then let a warrior appear (MOV-4)."""
        table, seat = self.table, self.seat
        while segment.warriors[seat] > table.capacity(segment):
            last = [w for w in self.walkers if w.at == segment.name][-1]
            origin = table.segments[last.came_from]
            self.walkers.remove(last)
            segment.warriors[seat] -= 1
            if table.has_room(origin, seat):
                origin.warriors[seat] += 1
            else:
                table.count(seat, "strayed")
        table.muster(seat, segment, table.features(segment)["warriors"], "joined")
