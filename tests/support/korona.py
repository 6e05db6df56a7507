"""Korona Piastów set up for a rule's test: a bare map, and units, buildings and cards as the test needs them."""

from __future__ import annotations

from functools import partial
from typing import Any

from balance.contract.game import get_game
from balance.foundation.toml import merge
from balance.games.korona_piastow.display.observation import observe
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.rules.tables import BUILDINGS, TRAITS, UNITS
from support.scene import GameScene, change_rules

GAME = get_game("korona-piastow")
make_rules = partial(change_rules, GAME)
BARE = {
    "lines_drawn": False,
    "second_players": 0,
    "foreign_garrison": 0,
    "start": {"denars": 8, "infantry": 1, "cavalry": 0, "knights": 0, "magnates": 0},
}
"""Seats 0, 1, 2, ... rule Wielkopolska, Małopolska, Mazowsze, Kujawy, ...; only the last seat has units."""
POSITION: dict[str, Any] = {
    "lines_drawn": False,
    "scenario": {
        "round": 3,
        "rulers": {
            "wielkopolska": {
                "denars": 5, "relics": 2, "magnates": ["money"], "stands": "pomorze",
                "districts": {"pomorze": "attack", "lubusz": "none"},
            },
            "malopolska": {"districts": {"mazowsze": "time"}},
            "kujawy": {"denars": 9, "districts": {"dobrzyn": "none"}},
        },
        "fiefs": {
            "poznan": {"ruler": "wielkopolska", "infantry": 2, "engines": 1, "building": "grod", "damage": 1},
            "krakow": {"ruler": "malopolska", "knights": 1, "foreign": 1, "site": "townhall", "time": 2},
            "dobrzyn": {"ruler": "kujawy", "infantry": 1, "foreign": 1},
            "sieradz": {"devastated": True},
            "berlin": {"foreign": 1},
        },
    },
}  # fmt: skip
"""A scenario (SET-7)."""


class Realm(GameScene):
    """Korona Piastów under way.

    A bare one waits for the last seat's only infantry to be placed, so that a test can lay out the map before round 1
    begins; it then stands in the last fief of that seat's capital district.
    """

    def __init__(
        self, players: int = 4, changes: dict[str, Any] | None = None, seed: int = 1, bare: bool = True
    ) -> None:
        rules = make_rules(merge(BARE if bare else {}, changes or {}))
        super().__init__(GAME, rules, players, seed)
        self.fiefs = rules.map.fief_ids
        self.districts = rules.map.district_ids
        self.cards = [card.id for card in rules.events.cards]
        while bare and self.seat < players - 1:
            self.take(self.options()[-1])
        if bare:
            self.state.units[:] = 0

    def begin(self) -> Realm:
        """Begin round 1: place the last infantry, collect tribute, ask the first ruler for orders."""
        if self.kind == "place":
            self.take(self.options()[-1])
        return self

    def units(self, fief: str, seat: int = s.NOTHING, **counts: int) -> Realm:
        """Set the units of a fief and their owner."""
        number = self.fiefs.index(fief)
        for kind, name in enumerate(UNITS):
            self.state.units[number, kind] = counts.get(name, 0)
        self.state.lord[number] = seat
        return self

    def building(self, fief: str, kind: str, damage: int = 0) -> Realm:
        """Set a finished building."""
        self.state.building[self.fiefs.index(fief)] = BUILDINGS.index(kind)
        self.state.damage[self.fiefs.index(fief)] = damage
        return self

    def mark(self, fief: str, **values: int) -> Realm:
        """Set fields of a fief: `devastated`, `besieger`, `siege_round`, `rising`, `time_left`, ..."""
        for name, value in values.items():
            self.state[name][self.fiefs.index(fief)] = value
        return self

    def stands(self, seat: int, district: str) -> Realm:
        """Set where a ruler stands."""
        self.state.stands[seat] = self.districts.index(district)
        return self

    def stays(self, card: str, seat: int, other: int = s.NOTHING) -> Realm:
        """Place a card with a ruler for two rounds."""
        state, i = self.state, self.state.stay_count
        state.stay_card[i], state.stay_time[i] = self.cards.index(card), 2
        state.stay_with[i], state.stay_other[i] = seat, other
        state.stay_count += 1
        return self

    def owner(self, district: str, seat: int) -> Realm:
        self.state.owner[self.districts.index(district)] = seat
        return self

    def magnate(self, district: str, trait: str) -> Realm:
        """Grant a magnate from the bag."""
        self.state.magnate[self.districts.index(district)] = TRAITS.index(trait)
        self.state.bag[TRAITS.index(trait)] -= 1
        return self

    def stack(self, *cards: str) -> Realm:
        """Put these cards on top, and the others after them in their order."""
        others = [card for card in self.cards if card not in cards]
        order = [self.cards.index(card) for card in [*cards, *others]]
        self.state.stack_count = len(order)
        self.state.stack[: len(order)] = order[::-1]
        self.state.discard_count = 0
        return self

    def orders(self, *given: str) -> Realm:
        """Give orders by seat, each as `FIEF KIND, FIEF KIND`; a seat not named gives none."""
        self.begin()
        while self.kind == "fief":
            seat = self.seat
            for order in given[seat].split(", ") if seat < len(given) and given[seat] else []:
                fief, kind = order.split()
                self.take(f"fief {fief}", f"order {kind}")
            if self.kind == "fief" and self.seat == seat:
                self.take("done")
        return self

    def do(self, order: str, *labels: str) -> Realm:
        """Give seat 0 this order alone and turn it up; then take these actions."""
        return self.orders(order).take(f"do {order}", *labels)

    def skip_to(self, *kinds: str) -> Realm:
        """Decline everything until a decision of these kinds, or the end of the round."""
        now = self.state.round_number
        while not self.stepper.over and self.kind not in kinds and self.state.round_number == now:
            options = self.options()
            passive = [label for label in options if label.split()[0] in ("none", "done", "drop")]
            self.take((passive or options)[0])
        return self

    def next_round(self) -> Realm:
        """Go to the first order of the next round, declining everything."""
        now = self.begin().state.round_number
        while not self.stepper.over and self.state.round_number == now:
            self.skip_to()
        return self

    @property
    def kind(self) -> str:
        """Return the kind of the current decision, as in the trace."""
        return self.seen().kind

    def seen(self, seat: int | None = None) -> Any:
        """Return the observation of a seat, or of the one to choose."""
        return observe(self.rules, self.state, self.seat if seat is None else seat)

    def fief(self, name: str, seat: int | None = None) -> Any:
        """Return a fief as a seat sees it, or the one to choose."""
        return self.seen(seat).fiefs[self.fiefs.index(name)]

    def ruler(self, seat: int) -> Any:
        return self.seen().seats[seat]

    def place_all(self) -> Realm:
        """Place all units, each in the first fief offered."""
        while self.kind == "place":
            self.take(self.options()[0])
        return self

    def denars(self, seat: int, number: int) -> Realm:
        self.state.denars[seat] = number
        return self

    def owner_of(self, district: str) -> int:
        return int(self.state.owner[self.districts.index(district)])

    def words(self, verb: str) -> set[str]:
        """Return the words after a verb among the options."""
        return {label[len(verb) + 1 :] for label in self.options() if label.split()[0] == verb}


__all__ = ["BARE", "GAME", "POSITION", "Realm", "make_rules", "s"]
