"""A whole game: its turns (section 2), drawing, building, recruiting (4), the end (5) and its rows (8)."""

from typing import Any

from support.oracles.grody.cards import TurnCards
from support.oracles.grody.combat import Combat
from support.oracles.grody.movement import Movement
from support.oracles.grody.table import COUNTERS, Table
from support.oracles.shared import Ask, of_seat


class Game(Table):
    """The table and its actions; every method that asks a question is a generator."""

    def __init__(self, rules: dict[str, Any]) -> None:
        super().__init__(rules)
        self.ended_by = ""
        self.winner: int | None = None
        self.turns = self.combats = self.combat_rounds = 0
        self.rounds: list[list[dict[str, int]]] = []

    def play(self) -> Ask:
        for seat in (0, 1):
            yield from self.draw(seat, of_seat(self.rules["hand_start"], seat, 2))
        while True:
            self.turns += 1
            for player in self.players:
                player.aside = 0
            yield from self.play_turn()
            if not self.ended_by and self.turns == 2 * self.rules["turn_limit"]:
                self.end_by_limit()
            if self.ended_by or self.active == 1:
                self.rounds.append(self.round_rows())
            if self.ended_by:
                return self.result()
            self.turn += 1

    def play_turn(self) -> Ask:
        a = self.active
        self.check_dominance("start")
        if self.ended_by:
            return
        cards = TurnCards(self)
        yield from cards.start()
        movement = Movement(self, cards)
        yield from movement.play()
        self.check_conquest()
        won = False
        for name in movement.attacked:
            if self.ended_by:
                return
            won |= yield from self.fight(name)
        if self.ended_by:
            return
        yield from self.draw(a, self.rules["draw_won"] if won else self.rules["draw"])
        yield from self.build(set(movement.attacked))
        yield from self.recruit()
        yield from cards.end()
        self.thirst()
        self.check_dominance("end")
        if a == 1:
            self.check_dominance("round")

    def fight(self, name: str) -> Ask:
        """Play one combat; return whether A has won it."""
        combat = Combat(self, self.segments[name])
        self.combats += 1
        yield from combat.fight()
        self.combat_rounds += combat.round
        self.check_conquest()
        if not self.ended_by:
            yield from combat.after()
        return combat.winner == self.active

    # 4 Building, recruiting

    def build(self, fought: set[str]) -> Ask:
        a, labels = self.active, []
        for segment in self.owned(a):
            kind = self.features(segment)["building"]
            if (
                kind != "none"
                and self.tokens[kind]
                and not segment.building
                and segment.name not in fought
                and segment.warriors[a] >= self.rules["build_warriors"]
            ):
                labels.append(f"build {kind} {segment.name}")
        words = yield from self.ask(a, "build", ["none", *labels])
        if words != ["none"]:
            self.segments[words[2]].building = words[1]
            self.tokens[words[1]] -= 1
            self.count(a, f"built_{words[1]}")

    def recruit(self) -> Ask:
        a, rules = self.active, self.rules
        number = rules["recruits"]
        if len(self.owned(a)) >= rules["recruits_segments"]:
            number += rules["recruits_more"]
        self.muster(a, self.grod(a), number, "recruited")
        captor = self.players[1 - a]
        for _ in range(rules["ransoms"]):
            if not captor.prisoners or not self.has_room(self.grod(a), a):
                return
            words = yield from self.ask(a, "ransom", ["none", *(f"ransom {card}" for card in self.held(a))])
            if words == ["none"]:
                return
            self.give_up(a, words[1])
            captor.prisoners -= self.muster(a, self.grod(a), 1, "ransomed")

    def thirst(self) -> None:
        """Remove one warrior wherever too many stand on a desert (TRN-2)."""
        a = self.active
        for segment in self.owned(a):
            deadly = self.features(segment)["deadly_from"]
            if deadly and segment.warriors[a] >= deadly:
                segment.warriors[a] -= 1
                self.count(a, "thirst")

    # 5 Victory

    def check_conquest(self) -> None:
        a = self.active
        warriors = self.grod(1 - a).warriors
        if warriors[a] and not warriors[1 - a]:
            self.ended_by, self.winner = "conquest", a

    def check_dominance(self, when: str) -> None:
        if self.rules["dominance_at"] != when:
            return
        for seat in (0, 1) if when == "round" else (self.active,):
            lead = self.victory_points(seat) - self.victory_points(1 - seat)
            enough = len(self.owned(seat)) >= self.rules["dominance_segments"]
            if lead >= self.rules["dominance_lead"] and enough:
                self.ended_by, self.winner = "dominance", seat

    def end_by_limit(self) -> None:
        self.ended_by = "limit"
        keys = [(self.victory_points(seat), len(self.owned(seat)), self.on_board(seat)) for seat in (0, 1)]
        if keys[0] != keys[1]:
            self.winner = 0 if keys[0] > keys[1] else 1

    # 8 Rows

    def score(self, seat: int) -> int:
        conquered = self.ended_by == "conquest" and self.winner == seat
        return self.victory_points(seat) + (self.rules["conquest_score"] if conquered else 0)

    def round_rows(self) -> list[dict[str, int]]:
        return [
            {
                "score": self.score(seat),
                "segments": len(self.owned(seat)),
                "warriors": self.on_board(seat),
                "prisoners": player.prisoners,
                "hand": player.hand.total(),
            }
            for seat, player in enumerate(self.players)
        ]

    def result(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for seat, player in enumerate(self.players):
            row: dict[str, Any] = dict(self.round_rows()[seat])
            row["victory_points"] = self.victory_points(seat)
            row["rank"] = 1 if self.winner in (None, seat) else 2
            row["win_share"] = 0.5 if self.winner is None else float(self.winner == seat)
            rows.append(row | {name: player.counts[name] for name in COUNTERS})
        return rows
