"""The table: board, players and decks; and how a question is asked (sections 1 and 7)."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from support.oracles.shared import Ask, Question

CARDS = [
    "na_pewno_sie_uda", "piesn_bojowa", "zasadzka", "wilczy_dol", "doskonaly_manewr", "odwrot", "poscig",
    "forsowny_marsz", "zwiad", "ochotnicy", "sabotaz", "okup", "wieszczba", "czarodziej",
]  # fmt: skip
TERRAINS = ["rownina", "pustynia", "las", "wzgorza", "rzeka", "bagno"]
BUILDINGS = ["zasieki", "most", "twierdza"]
COUNTERS = [
    "lost", "captured", "fled", "explored", "exchanged", "taken", "attacks", "attacks_won", "defences",
    "defences_won", "recruited", "joined", "drawn", "discarded", "cancelled", "ransomed", "freed", "thirst",
    "strayed", "blows_ignored", *(f"played_{card}" for card in CARDS), *(f"built_{kind}" for kind in BUILDINGS),
]  # fmt: skip


@dataclass
class Segment:
    name: str
    terrain: str | None = None  # unexplored
    owner: int | None = None
    building: str | None = None
    warriors: list[int] = field(default_factory=lambda: [0, 0])


@dataclass
class Player:
    grod: str
    hand: Counter[str] = field(default_factory=Counter)
    discards: Counter[str] = field(default_factory=Counter)
    aside: int = 0  # copies of `wieszczba` in the hand that can't be played this turn (CRD-6)
    prisoners: int = 0  # of the enemy, held
    counts: Counter[str] = field(default_factory=Counter)


class Table:
    """Everything on the table, with the small actions on it."""

    def __init__(self, rules: dict[str, Any]) -> None:
        self.rules = rules
        columns, rows = rules["between"] + 2, rules["rows"]
        corners = {(c, r) for c in (1, columns) for r in (1, rows)}
        self.places = [
            (c, r)
            for c in range(1, columns + 1)
            for r in range(1, rows + 1)
            if rules["corners"] or (c, r) not in corners
        ]
        self.segments = {f"c{c}r{r}": Segment(f"c{c}r{r}") for c, r in self.places}
        middle = (rows + 1) // 2
        self.players = [Player(f"c1r{middle}"), Player(f"c{columns}r{middle}")]
        for seat, number in enumerate((rules["first_warriors"], rules["second_warriors"])):
            grod = self.grod(seat)
            grod.terrain, grod.owner = "grod", seat
            grod.warriors[seat] = number
        self.terrains = Counter({name: rules["terrain"][name]["cards"] for name in TERRAINS})
        self.pile = Counter({name: rules["cards"][name] for name in CARDS})
        self.tokens = Counter({kind: rules["buildings"][kind] for kind in BUILDINGS})
        self.turn = 0
        self.reshuffles = 0

    # who and where

    @property
    def round(self) -> int:
        return 1 + self.turn // 2

    @property
    def active(self) -> int:
        return self.turn % 2

    def count(self, seat: int, what: str, number: int = 1) -> None:
        self.players[seat].counts[what] += number

    def grod(self, seat: int) -> Segment:
        return self.segments[self.players[seat].grod]

    def neighbours(self, segment: Segment) -> list[Segment]:
        c, r = (int(part) for part in segment.name[1:].split("r"))
        around = [f"c{c - 1}r{r}", f"c{c + 1}r{r}", f"c{c}r{r - 1}", f"c{c}r{r + 1}"]
        return [self.segments[name] for name in around if name in self.segments]

    def owned(self, seat: int) -> list[Segment]:
        """Return the segments that count as owned, never the gród."""
        return [s for s in self.segments.values() if s.owner == seat and s.terrain != "grod"]

    def victory_points(self, seat: int) -> int:
        return sum(self.features(segment)["points"] for segment in self.owned(seat))

    def on_board(self, seat: int) -> int:
        return sum(segment.warriors[seat] for segment in self.segments.values())

    def features(self, segment: Segment) -> dict[str, Any]:
        """Return the terrain's effects on an explored segment."""
        assert segment.terrain is not None
        if segment.terrain != "grod":
            return dict(self.rules["terrain"][segment.terrain])
        rules = self.rules
        grod = {"capacity": rules["grod_capacity"], "defence": rules["grod_morale"]}
        return {"points": 0, "warriors": 0, "building": "none", "gloom": 0, "deadly_from": 0, **grod}

    def capacity(self, segment: Segment) -> int:
        if segment.terrain is None:
            return int(self.rules["unexplored_capacity"])
        if segment.building == "most":
            return int(self.rules["bridge_capacity"])
        return int(self.features(segment)["capacity"])

    def has_room(self, segment: Segment, seat: int) -> bool:
        return segment.warriors[seat] < self.capacity(segment)

    def claim(self, seat: int, segment: Segment) -> None:
        """Give a segment to the seat; a gród never changes hands (SET-4)."""
        if segment.terrain == "grod":
            return
        if segment.owner == 1 - seat:
            self.count(seat, "taken")
        segment.owner = seat

    def muster(self, seat: int, segment: Segment, number: int, what: str) -> int:
        """Add new or returning warriors as far as there is room, counted under that name."""
        came = 0
        while came < number and self.has_room(segment, seat):
            segment.warriors[seat] += 1
            came += 1
        self.count(seat, what, came)
        return came

    # questions

    def ask(self, seat: int, kind: str, labels: list[str]) -> Ask:
        """Ask for a decision, unless it has a single label (DEC-1)."""
        assert len(set(labels)) == len(labels) > 0, labels
        if len(labels) == 1:
            return labels[0].split()
        label = yield Question(self.round, seat, kind, labels)
        assert label in labels, f"illegal {kind} of seat {seat}: {label!r} not in {labels}"
        return label.split()

    def chance(self, labels: list[str], dice: int = 0) -> Ask:
        label = yield Question(self.round, -1, "chance", labels, dice)
        assert any(label.startswith(each) for each in labels), f"expected {labels}, got {label!r}"
        return label.split()

    # fate cards (section 4)

    def draw(self, seat: int, number: int, of: str = "") -> Ask:
        """Draw, then discard down to the limit (DRW-2, DRW-3); the card `of` causes the draw (CRD-6)."""
        me = self.players[seat]
        for _ in range(number):
            if not self.pile.total():
                used = [player.discards for player in self.players]
                if not used[0].total() + used[1].total():
                    break
                yield from self.chance(["reshuffle"])
                self.reshuffles += 1
                self.pile = used[0] + used[1]
                for discards in used:
                    discards.clear()
            possible = sorted(card for card in self.pile if self.pile[card])
            words = yield from self.chance([f"draw {seat} {card}" for card in possible])
            self.pile[words[2]] -= 1
            me.hand[words[2]] += 1
            self.count(seat, "drawn")
            if of == "wieszczba" == words[2]:
                me.aside += 1
        while me.hand.total() > self.rules["hand_limit"]:
            words = yield from self.ask(seat, "discard", [f"discard {card}" for card in self.held(seat)])
            self.give_up(seat, words[1])
            self.count(seat, "discarded")

    def held(self, seat: int) -> list[str]:
        """Return the distinct cards of a hand."""
        return [card for card in CARDS if self.players[seat].hand[card]]

    def playable(self, seat: int) -> list[str]:
        """Return the cards with a copy that is not set aside (CRD-6)."""
        me = self.players[seat]
        return [card for card in self.held(seat) if card != "wieszczba" or me.hand[card] > me.aside]

    def give_up(self, seat: int, card: str) -> None:
        """Discard or pay a card; among several copies one that is set aside goes first (CRD-6)."""
        if card == "wieszczba" and self.players[seat].aside:
            self.players[seat].aside -= 1
        self.throw(seat, card)

    def throw(self, seat: int, card: str) -> None:
        """Move a card from the hand to its player's discard pile."""
        me = self.players[seat]
        assert me.hand[card] > 0, card
        me.hand[card] -= 1
        me.discards[card] += 1
