"""Polska. Gra z historią in plain Python, straight from the rule page; slow, and no code shared with the rules.

A game is a generator: it yields a `Question` for every decision and chance outcome and is sent the label.
"""

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from support.oracles.shared import Ask, Question, of_seat

NO_YEAR = 10**6


@dataclass
class Player:
    pawn: str
    hand: list[str] = field(default_factory=list)
    marker: int = 0
    stops: int = 0
    markers: int = 0
    blocked: int = 0
    thrown: int = 0
    idle: int = 0
    played: Counter = field(default_factory=Counter)


class Game:
    """One game."""

    def __init__(self, rules: dict[str, Any], players: int) -> None:
        self.rules = rules
        self.roads: dict[str, set[str]] = {}
        for road in rules["map"]["roads"]:
            a, b = road["ends"]
            way = [a, *(f"{a}-{b}-{i}" for i in range(1, road["steps"])), b]
            for here, there in pairwise(way):
                self.roads.setdefault(here, set()).add(there)
                self.roads.setdefault(there, set()).add(here)
        start = rules["start"] or rules["map"]["start"]
        self.players = [Player(start) for _ in range(players)]
        self.track = [f["year"] or NO_YEAR for f in rules["track"]["fields"]]
        self.locations = [city for city in rules["map"]["cities"] if city != rules["map"]["start"]]
        self.markers: set[str] = set()
        self.aside: set[str] = set()
        self.taken = 0
        self.dice: list[int] = []
        cards = rules["cards"]
        self.pile: Counter[str] = Counter([f"grey {y}" for y in cards["grey"]] + [f"blue {y}" for y in cards["blue"]])
        self.pile += Counter([f"city {city}" for city in cards["cities"]])
        self.pile += Counter({kind: cards[kind] for kind in ("stop", "train", "coach", "eagle")})
        self.discards: Counter[str] = Counter()
        self.turns = 0
        self.winner: int | None = None

    @property
    def round(self) -> int:
        """Play a turn of each player; draws in a turn belong to this round."""
        return 1 + self.turns // len(self.players)

    # chance

    def chance(self, prefix: str) -> Ask:
        label = yield Question(self.round, -1, "chance", [prefix])
        assert label.startswith(prefix), f"expected {prefix}, got {label!r}"
        return label[len(prefix) :].split()

    def draw(self, seat: int, verb: str) -> Ask:
        if not self.pile:
            if not self.discards:
                return
            yield from self.chance("reshuffle")
            self.pile, self.discards = self.discards, Counter()
        words = yield from self.chance(f"{verb} {seat} ")
        card = " ".join(words)
        assert self.pile[card] > 0, f"{card} is not in the pile"
        self.pile = self.pile - Counter([card])
        self.players[seat].hand.append(card)

    def lay_markers(self) -> Ask:
        count = self.rules["markers_out"]
        if len(self.aside) < count:
            self.aside = set(self.locations)
        for _ in range(count):
            (city,) = yield from self.chance("marker ")
            self.aside.remove(city)
            self.markers.add(city)
        self.taken = 0

    # a turn

    def play(self) -> Ask:
        yield from self.lay_markers()
        for seat in range(len(self.players)):
            for _ in range(of_seat(self.rules["hand_start"], seat, len(self.players))):
                yield from self.draw(seat, "deal")
        seat = 0
        while True:
            yield from self.turn(seat)
            if self.winner is None:
                yield from self.limit_hand(seat)
            self.turns += 1
            if self.winner is not None or self.turns == self.rules["turn_limit"]:
                return self.result()
            seat = (seat + 1) % len(self.players)

    def ask(self, seat: int, kind: str, labels: list[str]) -> Ask:
        label = yield Question(self.round, seat, kind, labels)
        assert label in labels
        return label.split()

    def turn(self, seat: int) -> Ask:
        me = self.players[seat]
        if not self.dice:
            dice = yield from self.chance("roll ")
            self.dice = [int(die) for die in dice]
            assert len(self.dice) == self.rules["dice"]
            assert self.dice == sorted(self.dice)
        words = yield from self.ask(seat, "die", [f"die {die}" for die in sorted(set(self.dice))])
        die = int(words[1])
        self.dice.remove(die)
        if me.stops:
            me.stops -= 1
            me.blocked += 1
            self.discards["stop"] += 1
            return
        yield from self.action(seat, die)

    def steps_of(self, die: int) -> int:
        return self.rules["one_allows"] if die == 1 else die

    def action(self, seat: int, die: int) -> Ask:
        me = self.players[seat]
        moves = [f"move {field}" for field in sorted(self.reach(seat, self.steps_of(die)))]
        cards = self.playable(seat)
        if "train" in me.hand:
            cards += [f"play train {field}" for field in self.roads if not self.standing(field)]
        cards += ["play coach"] if "coach" in me.hand else []
        words = yield from self.ask(seat, "act", ["nothing", *moves, *cards])
        if words == ["nothing"]:
            me.idle += 1
        elif words[0] == "move":
            yield from self.arrive(seat, words[1])
        elif words[1] == "train":
            self.spend(seat, "train")
            yield from self.arrive(seat, words[2])
        elif words[1] == "coach":
            self.spend(seat, "coach")
            added = yield from self.ask(seat, "coach", ["add 0", "add 1", "add 2"])
            more = int(added[1])
            steps = self.steps_of(die) if more == 0 else die + more
            moves = [f"move {field}" for field in sorted(self.reach(seat, steps))]
            words = yield from self.ask(seat, "act", ["nothing", *moves])
            if words[0] == "move":
                yield from self.arrive(seat, words[1])
        else:
            yield from self.several(seat, words)

    def several(self, seat: int, words: list[str]) -> Ask:
        """Play cards one after another, each judged from the marker's current field."""
        for number in range(1, self.rules["cards_per_turn"] + 1):
            self.play_card(seat, words)
            if self.winner is not None or number == self.rules["cards_per_turn"]:
                return
            words = yield from self.ask(seat, "more", ["nothing", *self.playable(seat)])
            if words == ["nothing"]:
                return

    def limit_hand(self, seat: int) -> Ask:
        me = self.players[seat]
        while len(me.hand) > self.rules["hand_limit"]:
            words = yield from self.ask(seat, "discard", [f"discard {card}" for card in sorted(set(me.hand))])
            card = " ".join(words[1:])
            me.hand.remove(card)
            self.discards[card] += 1
            me.thrown += 1

    # the map

    def standing(self, field: str) -> bool:
        return any(player.pawn == field for player in self.players)

    def reach(self, seat: int, steps: int) -> set[str]:
        """Return the ends of all ways that meet no field twice, walked step by step."""
        start = self.players[seat].pawn
        reached, edge = {start}, {start}
        for _ in range(steps):
            open_ends = {field for field in edge if field == start or field not in self.markers}
            ahead = {other for field in open_ends for other in self.roads[field]} - reached
            edge = {field for field in ahead if not (field in self.markers and self.standing(field))}
            reached |= edge
        return {field for field in reached - {start} if not self.standing(field)}

    def arrive(self, seat: int, field: str) -> Ask:
        me = self.players[seat]
        me.pawn = field
        if field not in self.markers:
            return
        self.markers.remove(field)
        me.markers += 1
        for _ in range(self.rules["cards_per_marker"][self.taken]):
            yield from self.draw(seat, "draw")
        self.taken += 1
        if self.taken == self.rules["markers_out"]:
            yield from self.lay_markers()

    # cards

    def playable(self, seat: int) -> list[str]:
        me = self.players[seat]
        labels = []
        for card in dict.fromkeys(me.hand):
            words = card.split()
            if card == "stop":
                labels += [f"play stop {other}" for other in range(len(self.players)) if other != seat]
            elif words[0] in ("grey", "blue", "eagle") or words == ["city", me.pawn]:
                labels.append(f"play {card}")
        return labels

    def spend(self, seat: int, card: str) -> None:
        me = self.players[seat]
        me.hand.remove(card)
        me.played[card.split()[0]] += 1
        if card != "stop":
            self.discards[card] += 1

    def play_card(self, seat: int, words: list[str]) -> None:
        me = self.players[seat]
        if words[1] == "stop":
            self.spend(seat, "stop")
            self.players[int(words[2])].stops += 1
            return
        card = " ".join(words[1:])
        here, steps = self.track[me.marker], self.rules["steps"]
        forward = {"city": steps["city"], "eagle": steps["eagle"]}.get(words[1], 0)
        if words[1] == "grey":
            forward = steps["grey_same"] if int(words[2]) == here else steps["grey_other"]
        if words[1] == "blue":
            forward = steps["blue_past"] if int(words[2]) <= here else steps["blue_future"]
        self.spend(seat, card)
        me.marker = min(me.marker + forward, len(self.track) - 1)
        if me.marker == len(self.track) - 1:
            self.winner = seat

    def result(self) -> list[dict[str, Any]]:
        rows = []
        for me in self.players:
            ahead = sum(other.marker > me.marker for other in self.players)
            row = {"score": me.marker, "rank": 1 if self.winner is None else 1 + ahead}
            row |= {"markers": me.markers, "blocked": me.blocked, "thrown": me.thrown, "idle": me.idle}
            kinds = ("grey", "blue", "city", "stop", "train", "coach", "eagle")
            row |= {f"{kind}_played": me.played[kind] for kind in kinds}
            rows.append(row)
        return rows


def play(rules: dict[str, Any], players: int) -> tuple[Game, Ask]:
    """Return a new game and the generator that plays it."""
    game = Game(rules, players)
    return game, game.play()
