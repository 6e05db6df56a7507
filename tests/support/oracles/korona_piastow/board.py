"""The board of Korona Piastów: fiefs, districts, rulers, and what follows from them (sections 1 and 4)."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

NOBODY, FOREIGN = -1, -2  # holders without a seat
OWN = ("infantry", "cavalry", "knight")  # units that make a fief a ruler's
SENT = ("infantry", "cavalry", "knight", "engine", "foreign")
LOSSES = ("infantry", "foreign", "cavalry", "knight")  # who falls first (CMB-4)
TRAITS = ("attack", "defence", "money", "time")
AUTOMATIC = ("defend", "diversion", "revenge")  # orders that no ruler turns up (EXE-1)
ZAKON = "zakon"


@dataclass
class Fief:
    name: str
    district: str
    legendary: bool
    units: Counter[str] = field(default_factory=Counter)
    seat: int = NOBODY  # whose the units are, if a ruler's
    building: str = ""  # finished
    damage: int = 0
    site: str = ""  # under construction
    time: int = 0  # that the site still takes
    devastated: bool = False
    siege: tuple[int, int] | None = None  # besieger, round
    defended: int = 0  # defend orders that came into force in this phase

    def army(self, seat: int) -> bool:
        """Return whether a ruler's infantry, cavalry or knights stand here (UNT-1)."""
        return self.seat == seat and any(self.units[kind] for kind in OWN)

    def total(self) -> int:
        return sum(self.units.values())

    def put(self, seat: int, kind: str, count: int = 1) -> None:
        self.seat = seat
        self.units[kind] += count

    def clear(self) -> None:
        self.units = Counter()

    def devastate(self) -> None:
        """MAP-5: what is under construction is lost."""
        self.devastated, self.site, self.time = True, "", 0


@dataclass
class District:
    name: str
    piast: bool
    line: bool
    fiefs: list[Fief]
    owner: int
    magnate: str = ""  # trait of the magnate granted here


@dataclass
class Ruler:
    denars: int = 0
    line: str = ""  # and capital district
    stands: str = ""
    free: Counter[str] = field(default_factory=Counter)  # magnates
    relics: int = 0
    out_round: int = 0
    counters: Counter[str] = field(default_factory=Counter)  # counters of the whole game


@dataclass
class Staying:
    """A card that stays with a ruler (EVT-1)."""

    card: str
    kind: str
    seats: tuple[int, ...]  # whom it names: for `peace` both, for `interdict` the one
    time: int


class Board:
    """The table and questions about it; nothing here changes it."""

    def __init__(self, rules: dict[str, Any], players: int) -> None:
        self.rules = rules
        self.n = players
        self.round = 1
        self.before = max(0, rules.get("scenario", {}).get("round", 0) - 1)  # rounds over (SET-7)
        self.rulers = [Ruler() for _ in range(players)]
        table = rules["map"]
        self.fiefs = {row["id"]: Fief(row["id"], row["district"], row["legendary"]) for row in table["fiefs"]}
        self.districts = {}
        for row in table["districts"]:
            fiefs = [fief for fief in self.fiefs.values() if fief.district == row["id"]]
            owner = NOBODY if row["piast"] else FOREIGN
            self.districts[row["id"]] = District(row["id"], row["piast"], row["line"], fiefs, owner)
        self.borders: dict[str, list[str]] = {name: [] for name in self.fiefs}
        for a, b in table["borders"]:
            self.borders[a].append(b)
            self.borders[b].append(a)
        self.bag = Counter(dict.fromkeys(TRAITS, rules["magnate"]["tokens"]))
        self.tokens: Counter[tuple[int, str, str]] = Counter()  # seat, fief, kind
        self.invaded: dict[tuple[int, int], int] = {}  # invader, invaded: the last round
        self.staying: list[Staying] = []

    def seats(self) -> list[int]:
        """Return the seats that are not out, in seat order."""
        return [seat for seat in range(self.n) if not self.rulers[seat].out_round]

    def in_turn(self) -> list[int]:
        """Return the seats that are not out, clockwise from the beginner (RND-1)."""
        first = (self.before + self.round - 1) % self.n
        around = [(first + i) % self.n for i in range(self.n)]
        return [seat for seat in around if not self.rulers[seat].out_round]

    def around(self, fief: Fief) -> list[Fief]:
        return [self.fiefs[name] for name in self.borders[fief.name]]

    # whose is what (MAP-3, MAP-4)

    def owner(self, fief: Fief) -> int:
        return self.districts[fief.district].owner

    def holder(self, fief: Fief) -> int:
        if fief.army(fief.seat):
            return fief.seat
        return FOREIGN if fief.units["foreign"] else self.owner(fief)

    def own(self, seat: int, fief: Fief) -> bool:
        return self.owner(fief) == seat == self.holder(fief)

    def held(self, seat: int) -> list[Fief]:
        return [fief for fief in self.fiefs.values() if self.holder(fief) == seat]

    def state(self, seat: int) -> list[District]:
        return [district for district in self.districts.values() if district.owner == seat]

    def own_fiefs(self, seat: int) -> list[Fief]:
        return [fief for fief in self.fiefs.values() if self.own(seat, fief)]

    def units(self, seat: int) -> int:
        """Return all kinds of units that obey the ruler."""
        return sum(
            fief.total() if fief.army(seat) else fief.units["engine"]
            for fief in self.fiefs.values()
            if fief.seat == seat
        )

    def room(self, fief: Fief) -> int:
        return max(0, self.rules["fief_limit"] - fief.total())

    # what they can do

    def trait(self, seat: int, district: str, what: str) -> int:
        """TRT-2: what of a trait acts for a ruler in a district of its state, else 0."""
        place = self.districts[district]
        if place.owner != seat:
            return 0
        if self.rulers[seat].stands == district:
            return int(self.rules["ruler"][what])
        return int(self.rules["magnate"][what]) if place.magnate == what else 0

    def active(self, seat: int, *kinds: str) -> int:
        """Return how many of the ruler's buildings of these kinds are active (TRB-2)."""
        return sum(fief.building in kinds and not fief.damage for fief in self.own_fiefs(seat))

    def free_fiefs(self, seat: int) -> int:
        """TRB-1."""
        good = sum(not fief.devastated for fief in self.own_fiefs(seat))
        knights = sum(fief.units["knight"] for fief in self.fiefs.values() if fief.seat == seat)
        return max(0, good - knights)

    def worth(self, units: dict[str, int], what: str) -> int:
        """Return the attack or defence of units together."""
        return sum(self.rules["units"][kind][what] * count for kind, count in units.items())

    def building_counts(self, fief: Fief, against: int) -> bool:
        """CMB-2: whether a gród or castle counts against a ruler or the foreign states."""
        besieger, since = fief.siege or (NOBODY, 0)
        over = besieger == against and self.round - since >= self.rules["siege_rounds"]
        return fief.building in ("grod", "castle") and not fief.damage and not over

    def building_defence(self, fief: Fief, against: int) -> int:
        if not self.building_counts(fief, against):
            return 0
        return int(self.rules["buildings"][fief.building]["defence"])

    def diocese(self, district: District) -> bool:
        return any(fief.building == "cathedral" for fief in district.fiefs)

    def tithable(self, seat: int, fief: Fief) -> bool:
        """TTH-1."""
        good = self.own(seat, fief) and not fief.devastated
        return good and self.diocese(self.districts[fief.district]) and self.active(seat, "cathedral") > 0

    def score(self, seat: int) -> int:
        """END-2."""
        me = self.rulers[seat]
        if me.out_round:
            return 0
        score = 0
        for district in self.state(seat):
            if me.line != ZAKON and not district.piast:
                continue
            watched = bool(district.magnate) or me.stands == district.name
            protected = self.diocese(district) and watched
            score += sum(protected or self.holder(fief) == seat for fief in district.fiefs)
        if me.line == ZAKON:
            score += self.crown() - self.rules["zakon_fiefs"][self.n - 2]
        return max(0, score)

    def crown(self) -> int:
        return int(self.rules["crown_fiefs"][self.n - 2])
