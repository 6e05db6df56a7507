"""Na Grunwald! in plain Python, written from the rule pages alone: the judge of the compiled rules.

`play` is a generator. It asks for every decision and chance outcome (`Question`) and is sent the label
that was taken; when the game is over it returns one result a seat. Rules are the plain dictionaries of
`run.json`. No NumPy, no Numba, nothing from the package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from support.oracles.shared import Ask, Question, of_seat

FIELDS = ["krzyzacy", "crown", "provisions", "ducats", "mercenaries", "helpers"]
KINDS = ["crown", "mercenary"]
PURSE = ["ducats", "provisions", "helpers"]


@dataclass
class Player:
    ducats: int
    provisions: int
    helpers: int
    hand: list[Knight] = field(default_factory=list)
    camp: list[Knight] = field(default_factory=list)
    captives: list[int] = field(default_factory=list)
    starved: int = 0
    joined: int = 0  # skirmishes
    officer: bool = True
    free: int = 0
    passed: bool = False

    def knights(self) -> list[Knight]:
        return self.hand + self.camp

    def use(self, knight: Knight) -> None:
        """Move a knight from the hand to the camp."""
        self.hand.remove(knight)
        self.camp.append(knight)


@dataclass
class Stand:
    """A player's pawns and ducats on one field, and when the first pawn came."""

    seat: int
    arrival: int
    officer: bool = False
    helpers: int = 0
    ducats: int = 0


@dataclass
class Round:
    """Facts that hold for one round."""

    bonus: int
    officer_strength: int
    closed: set[str] = field(default_factory=set)
    supply: dict[str, int] = field(default_factory=dict)
    hire: int | None = None
    prizes: dict[str, list[int]] = field(default_factory=dict)
    stands: dict[str, list[Stand]] = field(default_factory=dict)


Knight = tuple[str, int]


def labels_of(verb: str, knights: Iterable[Knight]) -> list[str]:
    """Return one label for each distinct knight."""
    return [f"{verb} {kind} {strength}" for kind, strength in sorted(set(knights))]


def knight_in(words: list[str]) -> Knight | None:
    """Return the knight at the end of a label; None for the peasant or none."""
    return (words[-2], int(words[-1])) if words[-1].isdigit() else None


class Game:
    """One game; every method that asks a question is a generator."""

    def __init__(self, rules: dict[str, Any], players: int) -> None:
        self.rules = rules
        self.n = players
        start = rules["start"]
        self.players = [Player(*(of_seat(start[kind], seat, players) for kind in PURSE)) for seat in range(players)]
        self.start = 0
        self.number = 0
        self.won = self.lost = self.plundered = 0
        self.events: list[str] = []
        self.round = Round(0, 0)

    def of(self, table: dict[str, Any]) -> Any:
        """Return the value of a table by player count."""
        return table[str(self.n)]

    def turn_order(self) -> list[int]:
        return [(self.start + i) % self.n for i in range(self.n)]

    def ask(self, seat: int, kind: str, labels: list[str]) -> Ask:
        label = yield Question(self.number, seat, kind, labels)
        assert label in labels, f"illegal {kind} of seat {seat}: {label!r} not in {labels}"
        return label.split()

    def chance(self, prefix: str) -> Ask:
        label = yield Question(self.number, -1, "chance", [prefix])
        assert label.startswith(prefix + " "), f"expected {prefix}, got {label!r}"
        return label.split()[2:]

    # 2 Round

    def play(self) -> Ask:
        for number in range(1, self.rules["rounds"] + 1):
            self.number = number
            bonus = self.of(self.rules["krzyzacy"]["bonus"])
            self.round = Round(bonus, self.rules["pawns"]["officer_strength"])
            if self.number > 1 and self.rules["event_deck"]["cards"]:
                yield from self.event_phase()
            yield from self.reveal()
            yield from self.placement_phase()
            yield from self.resolution_phase()
            self.start = (self.start + 1) % self.n
        provisions = [p.provisions for p in self.players]
        yield from self.feed()
        return self.score(provisions)

    def reveal(self) -> Ask:
        r, closed = self.round, self.round.closed
        if self.number < self.rules["krzyzacy"]["first_round"]:
            closed.add("krzyzacy")
        for name in ["crown", "provisions", "ducats", "mercenaries", "krzyzacy"]:
            if name in closed:
                continue
            shown = [int(v) for v in (yield from self.chance(f"reveal {name}"))]
            values = sorted((v for v in shown if v > 0), reverse=True)
            if name == "krzyzacy":
                r.prizes[name] = values
                continue
            awards = self.of(self.rules["awards"][name])
            places = [award - 1 if award > 0 else len(values) + award for award in awards]
            assert len(set(places)) == len(places), f"{name}: two places take the same value (4.3)"
            won = {index: value + r.supply.get(name, 0) for index, value in enumerate(values)}
            r.prizes[name] = [won.get(index, 0) for index in places]

    # 5 Events

    def event_phase(self) -> Ask:
        (name,) = yield from self.chance("reveal event")
        self.events.append(name)
        card = next(c for c in self.rules["event_deck"]["cards"] if c["id"] == name)
        effect, n, r = card["effect"], card["n"], self.round
        if effect == "gain":
            for p in self.players:
                self.gain(p, card["bundle"])
        elif effect == "pay":
            for p in self.players:
                for what in PURSE:
                    setattr(p, what, max(0, getattr(p, what) - card["bundle"][what]))
        elif effect == "plunder":
            yield from self.plunder(n)
        elif effect in ("buy", "auction", "task", "contest"):
            yield from getattr(self, f"event_{effect}")(card)
        elif effect == "bonus":
            r.bonus += n
        elif effect == "truce":
            r.closed.add("krzyzacy")
        elif effect == "close":
            r.closed.add(card["field"])
        elif effect == "officer":
            r.officer_strength = n
        elif effect == "supply":
            r.supply[card["field"]] = n
        elif effect == "hire":
            r.hire = n
        else:
            raise AssertionError(f"unknown effect {effect}")

    def gain(self, p: Player, bundle: dict[str, int]) -> None:
        p.provisions += bundle["provisions"]
        p.ducats += bundle["ducats"]
        p.helpers = min(self.rules["pawns"]["most_helpers"], p.helpers + bundle["helpers"])

    def event_buy(self, card: dict[str, Any]) -> Ask:
        for seat in self.turn_order():
            p = self.players[seat]
            if p.ducats >= card["price"]:
                _, answer = yield from self.ask(seat, "buy", ["buy no", "buy yes"])
                if answer == "yes":
                    p.ducats -= card["price"]
                    self.gain(p, card["bundle"])

    def event_auction(self, card: dict[str, Any]) -> Ask:
        highest, bidder = 0, None
        for seat in self.turn_order():
            bids = range(highest + 1, self.players[seat].ducats + 1)
            labels = ["bid pass"] + [f"bid {n}" for n in bids]
            _, answer = yield from self.ask(seat, "bid", labels)
            if answer != "pass":
                highest, bidder = int(answer), seat
        if bidder is not None:
            self.players[bidder].ducats -= highest
            self.gain(self.players[bidder], card["bundle"])

    def event_task(self, card: dict[str, Any]) -> Ask:
        for seat in self.turn_order():
            p = self.players[seat]
            labels = labels_of("send", [k for k in p.hand if k[1] >= card["n"]])
            knight = knight_in((yield from self.ask(seat, "send", ["send none", *labels])))
            if knight:
                p.use(knight)
                self.gain(p, card["bundle"])

    def event_contest(self, card: dict[str, Any]) -> Ask:
        entered: list[tuple[int, Knight]] = []
        for seat in self.turn_order():
            labels = ["enter none", *labels_of("enter", self.players[seat].hand)]
            knight = knight_in((yield from self.ask(seat, "enter", labels)))
            if knight:
                entered.append((seat, knight))
        for seat, knight in entered:
            self.players[seat].use(knight)
        by_strength = sorted(entered, key=lambda entry: -entry[1][1])  # stable: turn order
        for (seat, _), reward in zip(by_strength, (card["bundle"], card["second"]), strict=False):
            self.gain(self.players[seat], reward)

    # 3 Placement phase

    def placement_phase(self) -> Ask:
        for p in self.players:
            p.officer, p.free, p.passed = True, p.helpers, False
        self.round.stands = {name: [] for name in FIELDS}
        arrivals = 0
        seat = self.start
        while any(not p.passed and (p.officer or p.free) for p in self.players):
            p = self.players[seat]
            if not p.passed and (p.officer or p.free):
                words = yield from self.ask(seat, "place", self.placements(seat))
                if words == ["pass"]:
                    p.passed = True
                else:
                    arrivals += 1
                    self.place(seat, words, arrivals)
            seat = (seat + 1) % self.n

    def stand(self, name: str, seat: int) -> Stand | None:
        return next((s for s in self.round.stands[name] if s.seat == seat), None)

    def placements(self, seat: int) -> list[str]:
        p = self.players[seat]
        labels = ["pass"]
        for name in FIELDS:
            own = self.stand(name, seat)
            if name in self.round.closed:
                continue
            if name == "helpers" and p.helpers >= self.rules["pawns"]["most_helpers"]:
                continue
            if name in ("krzyzacy", "mercenaries") and own:
                continue
            pawns = ["officer"] if p.officer else []
            if not (own and own.helpers):
                most = min(1, p.free) if name in ("krzyzacy", "mercenaries") else p.free
                pawns += [f"helpers {k}" for k in range(1, most + 1)]
            ducats = [""]
            if name == "provisions":
                ducats = [f" {d}" for d in range(p.ducats + 1)]
            elif name == "mercenaries":
                ducats = [f" {d}" for d in range(1, p.ducats + 1)]
            labels += [f"place {name} {what}{d}" for what in pawns for d in ducats]
        return labels

    def place(self, seat: int, words: list[str], arrival: int) -> None:
        p, name = self.players[seat], words[1]
        own = self.stand(name, seat)
        if own is None:
            own = Stand(seat, arrival)
            self.round.stands[name].append(own)
        rest = words[3:]
        if words[2] == "officer":
            p.officer, own.officer = False, True
        else:
            k = int(rest.pop(0))
            p.free -= k
            own.helpers += k
        if rest:
            p.ducats -= int(rest[0])
            own.ducats += int(rest[0])

    # 4 Resolution phase

    def strength(self, name: str, stand: Stand) -> int:
        if name == "mercenaries":
            return stand.ducats
        helpers = stand.helpers * self.rules["pawns"]["helper_strength"]
        return stand.officer * self.round.officer_strength + helpers + stand.ducats

    def tie(self, stand: Stand) -> int:
        """A key that sorts first at equal strength."""
        return stand.arrival if self.rules["tie_rule"] == "first-placed" else -stand.arrival

    def ranking(self, name: str) -> list[Stand]:
        return sorted(self.round.stands[name], key=lambda s: (-self.strength(name, s), self.tie(s)))

    def resolution_phase(self) -> Ask:
        if "krzyzacy" not in self.round.closed:
            yield from self.skirmish()
        for name in ["crown", "provisions", "ducats", "mercenaries"]:
            for place, stand in enumerate(self.ranking(name)):
                prizes = self.round.prizes[name]
                prize = prizes[place] if place < len(prizes) else 0
                p = self.players[stand.seat]
                if prize == 0:
                    p.ducats += stand.ducats
                elif name == "provisions":
                    p.provisions += prize
                elif name == "ducats":
                    p.ducats += prize
                else:
                    p.hand.append(("crown" if name == "crown" else "mercenary", prize))
        if "helpers" not in self.round.closed:
            yield from self.hiring()

    def hiring(self) -> Ask:
        hire = self.rules["hire"]
        places = self.of(self.rules["awards"]["helpers"])
        for place, stand in enumerate(self.ranking("helpers")[:places]):
            p = self.players[stand.seat]
            if place == 0 and not hire["first_pays"]:
                p.helpers += 1
                continue
            if place > 0 and self.round.hire is not None:
                price = self.round.hire
            elif hire["price"] == "owned":
                price = p.helpers
            elif isinstance(hire["price"], int):
                price = hire["price"]
            else:
                price = hire["price"][p.helpers]
            if p.ducats >= price:
                _, answer = yield from self.ask(stand.seat, "hire", ["hire no", "hire yes"])
                if answer == "yes":
                    p.ducats -= price
                    p.helpers += 1

    # 4.1 Krzyżacy

    def skirmish(self) -> Ask:
        stands = self.round.stands["krzyzacy"]
        for stand in stands:
            self.players[stand.seat].joined += 1
        if not stands and self.rules["krzyzacy"]["unopposed"] == "ignore":
            return
        played: dict[int, Knight | None] = {}
        for seat in self.turn_order():
            if any(stand.seat == seat for stand in stands):
                labels = ["fight peasant", *labels_of("fight", self.players[seat].hand)]
                played[seat] = knight_in((yield from self.ask(seat, "fight", labels)))
        for seat, knight in played.items():
            if knight:
                self.players[seat].hand.remove(knight)
        strengths = {seat: knight[1] if knight else 0 for seat, knight in played.items()}
        ranked = sorted(stands, key=lambda s: (-strengths[s.seat], self.tie(s)))
        taken = self.captives([(s.seat, strengths[s.seat]) for s in ranked])
        strength = max(0, sum(self.round.prizes["krzyzacy"]) + self.round.bonus)
        missing = strength - sum(strengths.values())

        def to_camp() -> None:
            for seat, knight in played.items():
                self.players[seat].camp += [knight] if knight else []
            for seat, captive in taken.items():
                self.players[seat].captives.append(captive)

        if missing <= 0:
            self.won += 1
            to_camp()
            return
        self.lost += 1
        self.plundered += missing
        if self.rules["krzyzacy"]["give_from_table"]:
            to_camp()
            yield from self.plunder(missing)
        else:
            yield from self.plunder(missing)
            to_camp()

    def captives(self, ranked: list[tuple[int, int]]) -> dict[int, int]:
        """Return who takes which Krzyżak (KRZ-3, KRZ-4); `ranked` is seat and card, strongest first."""
        stronger, weaker = self.round.prizes["krzyzacy"]
        captors = self.of(self.rules["krzyzacy"]["captors"])
        taken: dict[int, int] = {}
        if ranked and captors >= 1:
            seat, card = ranked[0]
            if card > stronger:
                taken[seat] = stronger
            elif card > weaker:
                taken[seat] = weaker
                return taken
        if len(ranked) >= 2 and captors >= 2 and ranked[1][1] > weaker:
            taken[ranked[1][0]] = weaker
        return taken

    def plunder(self, n: int) -> Ask:
        for seat in self.turn_order():
            p, owed = self.players[seat], n
            while owed > 0 and (p.provisions or p.knights() or p.captives):
                labels = ["give provision"] if p.provisions else []
                labels += labels_of("give hand", p.hand) + labels_of("give camp", p.camp)
                labels += [f"give captive {s}" for s in sorted(set(p.captives))]
                words = (yield from self.ask(seat, "plunder", labels))[1:]
                if words == ["provision"]:
                    p.provisions -= 1
                elif words[0] == "captive":
                    p.captives.remove(int(words[1]))
                else:
                    (p.hand if words[0] == "hand" else p.camp).remove(knight_in(words))
                owed -= 1 if words == ["provision"] else int(words[-1])

    # 6 End of the game

    def feed(self) -> Ask:
        for seat in self.turn_order():
            p = self.players[seat]
            fed = p.provisions * self.rules["scoring"]["knights_per_provision"]
            while len(p.knights()) > fed:
                labels = labels_of("starve", p.knights())
                knight = knight_in((yield from self.ask(seat, "starve", labels)))
                (p.hand if knight in p.hand else p.camp).remove(knight)
                p.starved += 1

    def title(self, name: str, counts: list[int], ties: list[int]) -> list[int]:
        value = self.rules["titles"][name]
        best = max((c, t) for c, t in zip(counts, ties, strict=True))
        points = []
        for count, tie in zip(counts, ties, strict=True):
            holds = count > 0 and (count, tie) == best and value != "off"
            points.append((count if value == "count" else value) if holds else 0)
        return points

    def score(self, provisions: list[int]) -> list[dict[str, Any]]:
        per = self.rules["scoring"]["knights_per_provision"]
        rows: list[dict[str, Any]] = [{} for _ in self.players]
        for kind in KINDS:
            sums = [sum(s for k, s in p.knights() if k == kind) for p in self.players]
            counts = [sum(k == kind for k, _ in p.knights()) for p in self.players]
            points = self.title(f"{kind}_commander", counts, sums)
            for row, s, c, t in zip(rows, sums, counts, points, strict=True):
                row |= {f"{kind}_strength": s, f"{kind}_count": c, f"{kind}_commander": t}
        spare = [p.provisions - -(-len(p.knights()) // per) for p in self.players]
        points = self.title("quartermaster", spare, [0] * self.n)
        for row, p, q, before in zip(rows, self.players, points, provisions, strict=True):
            row["quartermaster"] = q
            row["captive_strength"] = sum(p.captives)
            row["captive_count"] = len(p.captives)
            row["ducat_points"] = p.ducats // self.rules["scoring"]["ducats_per_point"]
            row |= {"ducats": p.ducats, "helpers": p.helpers, "starved": p.starved}
            row |= {"provisions": before, "skirmishes_joined": p.joined}
            parts = ["crown_strength", "mercenary_strength", "captive_strength", "ducat_points"]
            parts += ["crown_commander", "mercenary_commander", "quartermaster"]
            row["score"] = sum(row[part] for part in parts)
        self.rank(rows)
        return rows

    @staticmethod
    def rank(rows: list[dict[str, Any]]) -> None:
        """Return points, then number of cards (END-6)."""

        def key(row: dict[str, Any]) -> tuple[int, int]:
            cards = row["crown_count"] + row["mercenary_count"] + row["captive_count"]
            return row["score"], cards

        better = Counter(key(row) for row in rows)
        for row in rows:
            row["rank"] = 1 + sum(n for k, n in better.items() if k > key(row))
        winners = sum(row["rank"] == 1 for row in rows)
        for row in rows:
            row["win_share"] = 1 / winners if row["rank"] == 1 else 0.0


def play(rules: dict[str, Any], players: int) -> tuple[Game, Ask]:
    """Return a new game and the generator that plays it."""
    game = Game(rules, players)
    return game, game.play()
