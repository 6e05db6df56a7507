"""Card phases (CRD-1 to CRD-3), and the cards played outside combat."""

from collections.abc import Callable, Generator
from typing import Any

from support.oracles.grody.table import Segment, Table
from support.oracles.shared import Ask, Question

Labels = Callable[[int], list[str]]
Effect = Callable[[int, list[str]], Generator[Question, str, Any]]


def card_phase(table: Table, labels_of: Labels, effect: Effect, over: Callable[[], bool] = lambda: False) -> Ask:
    """Play cards by turns, A first, until two declines in a row or until the phase is `over`.

    `labels_of` returns the cards that a seat may play; `effect` carries out a card that was not cancelled.
    """
    seat, declines = table.active, 0
    while declines < 2 and not over():
        words = yield from table.ask(seat, "card", ["decline", *labels_of(seat)])
        if words == ["decline"]:
            declines += 1
            seat = 1 - seat
            continue
        declines = 0
        answers = yield from play_card(table, seat, words[1])
        if answers % 2 == 0:
            yield from effect(seat, words[1:])
        else:
            table.count(seat, "cancelled")
        last = seat if answers % 2 == 0 else 1 - seat
        seat = 1 - last


def play_card(table: Table, seat: int, card: str) -> Ask:
    """Play a card and ask for answers; return their number."""
    spend(table, seat, card)
    answers, other = 0, 1 - seat
    while table.players[other].hand["czarodziej"]:
        words = yield from table.ask(other, "answer", ["accept", "play czarodziej"])
        if words == ["accept"]:
            break
        spend(table, other, "czarodziej")
        answers += 1
        other = 1 - other
    return answers


def spend(table: Table, seat: int, card: str) -> None:
    table.throw(seat, card)
    table.count(seat, f"played_{card}")


class TurnCards:
    """Cards of the phases `start` and `end` of one turn, and their effects on its movement."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.marches = 0  # second moves still allowed
        self.scouts = 0  # exchanges still allowed

    def start(self) -> Ask:
        yield from card_phase(self.table, self.start_labels, self.effect)

    def end(self) -> Ask:
        yield from card_phase(self.table, self.end_labels, self.effect)

    def start_labels(self, seat: int) -> list[str]:
        fit = ["wieszczba"]
        if seat == self.table.active:
            fit += ["forsowny_marsz", "zwiad"]
        return [f"play {card}" for card in self.table.playable(seat) if card in fit]

    def end_labels(self, seat: int) -> list[str]:
        table, labels = self.table, []
        for card in table.playable(seat):
            if card == "wieszczba":
                labels.append("play wieszczba")
            elif card == "okup":
                if table.players[1 - seat].prisoners and table.has_room(table.grod(seat), seat):
                    labels.append("play okup")
            elif card == "ochotnicy":
                labels += [f"play ochotnicy {s.name}" for s in self.homes(seat)]
            elif card == "sabotaz":
                labels += [f"play sabotaz {s.name}" for s in self.within_reach(seat)]
        return labels

    def homes(self, seat: int) -> list[Segment]:
        """Return the own gród and own forests with room."""
        forests = [s for s in self.table.owned(seat) if s.terrain == "las"]
        return [s for s in [self.table.grod(seat), *forests] if self.table.has_room(s, seat)]

    def within_reach(self, seat: int) -> list[Segment]:
        """Return enemy-owned segments with a building next to an own warrior."""
        return [
            s
            for s in self.table.owned(1 - seat)
            if s.building and any(near.warriors[seat] for near in self.table.neighbours(s))
        ]

    def effect(self, seat: int, words: list[str]) -> Ask:
        table, card = self.table, words[0]
        if card == "wieszczba":
            yield from table.draw(seat, table.rules["prophecy_draw"], card)
        elif card == "forsowny_marsz":
            self.marches += 1
        elif card == "zwiad":
            self.scouts += 1
        elif card == "ochotnicy":
            table.muster(seat, table.segments[words[1]], 1, "joined")
        elif card == "okup":
            captor = table.players[1 - seat]
            captor.prisoners -= table.muster(seat, table.grod(seat), captor.prisoners, "freed")
        elif card == "sabotaz":
            segment = table.segments[words[1]]
            assert segment.building
            table.tokens[segment.building] += 1
            segment.building = None
        else:
            raise AssertionError(f"{card} is no card of this phase")
