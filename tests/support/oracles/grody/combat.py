"""One combat (section 3) and the cards played in it."""

from collections import Counter
from dataclasses import dataclass

from support.oracles.grody.cards import card_phase
from support.oracles.grody.table import Segment, Table
from support.oracles.shared import Ask

BEHAVIOURS = ["fleeing", "standing", "fighting", "furious"]  # from bad to good


@dataclass
class Fighter:
    number: int
    sure: int = 0  # morale by `na_pewno_sie_uda`
    behaviour: str = ""
    roll: int | None = None  # while it counts


class Combat:
    """A fight on one segment; A attacks, B defends."""

    def __init__(self, table: Table, segment: Segment) -> None:
        self.table, self.segment = table, segment
        self.a = table.active
        self.b = 1 - self.a
        rules = table.rules
        self.sides = [[Fighter(n) for n in range(1, number + 1)] for number in segment.warriors]
        self.leader = [rules["leader_morale"] if len(side) >= rules["leader_at"] else 0 for side in self.sides]
        self.song = [0, 0]
        self.round = 0
        self.cushion = self.full_cushion()
        self.refuges: list[Counter[str]] = [Counter(), Counter()]
        self.winner: int | None = None

    def full_cushion(self) -> int:
        rules = self.table.rules
        if self.segment.terrain == "grod":
            return int(rules["grod_cushion"])
        return int(rules["fort_cushion"]) if self.segment.building == "twierdza" else 0

    def morale(self, seat: int, fighter: Fighter) -> int:
        rules, features = self.table.rules, self.table.features(self.segment)
        morale = rules["morale"] + self.leader[seat] + fighter.sure - features["gloom"]
        if self.round <= 1:
            morale += self.song[seat]
            if seat == self.b:
                morale += features["defence"]
            elif self.segment.building == "zasieki":
                morale += rules["abatis_morale"]
        return int(morale)

    def both_there(self) -> bool:
        return bool(self.sides[0] and self.sides[1])

    # the course of it

    def fight(self) -> Ask:
        """Play the combat except END-1 and the phase `after`."""
        count = self.table.count
        count(self.a, "attacks")
        count(self.b, "defences")
        yield from card_phase(self.table, self.before_labels, self.before_effect, lambda: not self.both_there())
        while self.both_there():
            yield from self.fight_round()
        if self.sides[self.a]:
            self.winner = self.a
            count(self.a, "attacks_won")
            self.table.claim(self.a, self.segment)
        elif self.sides[self.b]:
            self.winner = self.b
            count(self.b, "defences_won")

    def fight_round(self) -> Ask:
        self.round += 1
        if self.table.rules["cushion_per"] == "round":
            self.cushion = self.full_cushion()
        for seat in (self.a, self.b):
            yield from self.roll(seat)
        yield from card_phase(self.table, self.during_labels, self.during_effect)
        for seat in (self.a, self.b):
            yield from self.leave(seat)
        if not self.both_there():
            return
        for behaviour in ("furious", "fighting"):
            blows = [sum(f.behaviour == behaviour for f in side) for side in self.sides]
            for seat in (self.a, self.b):
                yield from self.strike(seat, blows[seat], behaviour)

    def roll(self, seat: int) -> Ask:
        rolling = []
        for fighter in self.sides[seat]:
            fighter.roll = None
            if self.round == 1 or fighter.behaviour == "standing":
                rolling.append(fighter)
            else:
                fighter.behaviour = "fighting"
        if rolling:
            words = yield from self.table.chance([f"roll {seat}"], len(rolling))
            assert len(words) == 2 + len(rolling), f"{len(rolling)} dice, not {words}"
            for fighter, value in zip(rolling, words[2:], strict=True):
                fighter.roll = int(value)
                self.judge(seat, fighter)

    def judge(self, seat: int, fighter: Fighter) -> None:
        """Return the behaviour for a roll (CMB-2)."""
        assert fighter.roll is not None
        over = fighter.roll - self.morale(seat, fighter)
        if over >= 2:
            fighter.behaviour = "fleeing"
        elif over == 1:
            fighter.behaviour = "standing"
        else:
            fighter.behaviour = "fighting" if over >= -1 else "furious"

    def leave(self, seat: int) -> Ask:
        """Let the fleeing of a side leave, or take them prisoner (CMB-7)."""
        table = self.table
        for fighter in [f for f in self.sides[seat] if f.behaviour == "fleeing"]:
            refuges = [
                s.name
                for s in table.neighbours(self.segment)
                if s.owner == seat and not s.warriors[1 - seat] and table.has_room(s, seat)
            ]
            table.count(seat, "fled")
            if refuges:
                words = yield from table.ask(seat, "flee", [f"flee {name}" for name in refuges])
                table.segments[words[1]].warriors[seat] += 1
                self.refuges[seat][words[1]] += 1
            else:
                table.players[1 - seat].prisoners += 1
                table.count(seat, "captured")
            self.remove(seat, fighter)

    def remove(self, seat: int, fighter: Fighter) -> None:
        self.sides[seat].remove(fighter)
        self.segment.warriors[seat] -= 1

    def kill(self, seat: int, fighter: Fighter) -> None:
        self.remove(seat, fighter)
        self.table.count(seat, "lost")

    def strike(self, seat: int, blows: int, behaviour: str) -> Ask:
        """Carry out the blows of a seat's furious or fighting warriors (CMB-4, CMB-5)."""
        enemy = 1 - seat
        targets = self.sides[enemy]
        while blows and targets:
            if behaviour == "fighting" and enemy == self.b and self.cushion:
                self.cushion -= 1
                self.table.count(enemy, "blows_ignored")
            else:
                yield from self.strike_once(seat, blows)
            blows -= 1

    def strike_once(self, seat: int, blows: int) -> Ask:
        """Carry out one of the `blows` left; rules or the striker choose the target."""
        enemy = 1 - seat
        worst = max(BEHAVIOURS.index(f.behaviour) for f in self.sides[enemy])
        equals = [f for f in self.sides[enemy] if f.behaviour == BEHAVIOURS[worst]]
        victim = equals[0]
        if victim.behaviour == "standing" and blows < len(equals):
            first: dict[int, Fighter] = {}
            for fighter in equals:
                first.setdefault(self.morale(enemy, fighter), fighter)
            labels = [f"hit {fighter.number}" for fighter in first.values()]
            words = yield from self.table.ask(seat, "hit", labels)
            victim = self.numbered(enemy, words[1])
        self.kill(enemy, victim)

    # cards

    def numbered(self, seat: int, number: str) -> Fighter:
        return next(f for f in self.sides[seat] if f.number == int(number))

    def on_each(self, card: str, seat: int, fighters: list[Fighter]) -> list[str]:
        """Return labels for the lowest number of each group with equal morale, behaviour and roll (CRD-4)."""
        first: dict[tuple[int, str, int | None], int] = {}
        for f in fighters:
            first.setdefault((self.morale(seat, f), f.behaviour, f.roll), f.number)
        return [f"play {card} {number}" for number in first.values()]

    def before_labels(self, seat: int) -> list[str]:
        labels = []
        for card in self.table.held(seat):
            if card == "na_pewno_sie_uda":
                labels += self.on_each(card, seat, self.sides[seat])
            elif card == "piesn_bojowa":
                labels.append(f"play {card}")
            elif card == "zasadzka" and seat == self.b:
                labels += self.on_each(card, self.a, self.sides[self.a])
        return labels

    def before_effect(self, seat: int, words: list[str]) -> Ask:
        rules = self.table.rules
        if words[0] == "na_pewno_sie_uda":
            self.numbered(seat, words[1]).sure += rules["sure_morale"]
        elif words[0] == "piesn_bojowa":
            self.song[seat] += rules["song_morale"]
        else:
            assert words[0] == "zasadzka"
            self.kill(self.a, self.numbered(self.a, words[1]))
        yield from ()

    def during_labels(self, seat: int) -> list[str]:
        labels, own, enemies = [], self.sides[seat], self.sides[1 - seat]
        for card in self.table.held(seat):
            if card == "wilczy_dol":
                fit = [f for f in enemies if f.roll is not None and f.behaviour != "fleeing"]
                labels += self.on_each(card, 1 - seat, fit)
            elif card == "doskonaly_manewr":
                fit = [f for f in own if f.behaviour != "furious"]
                labels += self.on_each(card, seat, fit)
            elif card == "odwrot" and any(f.behaviour != "fleeing" for f in own):
                labels.append(f"play {card}")
        return labels

    def during_effect(self, seat: int, words: list[str]) -> Ask:
        if words[0] == "wilczy_dol":
            fighter = self.numbered(1 - seat, words[1])
            assert fighter.roll is not None
            fighter.roll += 1
            self.judge(1 - seat, fighter)
        elif words[0] == "doskonaly_manewr":
            fighter = self.numbered(seat, words[1])
            fighter.behaviour = BEHAVIOURS[BEHAVIOURS.index(fighter.behaviour) + 1]
            fighter.roll = None
        else:
            assert words[0] == "odwrot"
            for fighter in self.sides[seat]:
                fighter.behaviour, fighter.roll = "fleeing", None
        yield from ()

    def after(self) -> Ask:
        """Play the phase `after` if a side has won (CMB-8)."""
        if self.winner is not None:
            yield from card_phase(self.table, self.after_labels, self.after_effect)

    def after_labels(self, seat: int) -> list[str]:
        if seat != self.winner or not self.table.players[seat].hand["poscig"]:
            return []
        return [f"play poscig {name}" for name, number in self.refuges[1 - seat].items() if number]

    def after_effect(self, seat: int, words: list[str]) -> Ask:
        assert words[0] == "poscig"
        self.refuges[1 - seat][words[1]] -= 1
        self.table.segments[words[1]].warriors[1 - seat] -= 1
        self.table.count(1 - seat, "lost")
        yield from ()
