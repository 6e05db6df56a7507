"""The map, the event cards, and the names that rule sets, tables and labels share.

Names are in the order of their numbers in compiled code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, field_validator, model_validator

from balance.contract.rule_tables import Sourced, say_words
from balance.foundation.language import tr, trn
from balance.foundation.toml import Settings

UNITS = ("infantry", "cavalry", "knight", "engine", "foreign")  # UNT-1
TRAITS = ("attack", "defence", "money", "time")  # TRT-1
BUILDINGS = ("grod", "castle", "cathedral", "townhall", "clothhall")  # BLD-2
ORDERS = ("muster", "regroup", "build", "invade", "defend", "quest", "siege", "tithe", "diversion", "revenge")  # ORD-3
ENDINGS = ("crown", "last", "limit")  # END-3
Effect = Literal[
    "gain", "pay", "plague", "settle", "fire", "rebellion", "raid", "allies", "levy", "heir", "works", "peace",
    "interdict",
]  # fmt: skip
EFFECTS: tuple[str, ...] = get_args(Effect)
Who = Literal["all", "drawer", "poorest", "richest"]
WHO: tuple[str, ...] = get_args(Who)

Name = Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
PLAYERS = (2, 3, 4, 5, 6)
MOST_SEATS = max(PLAYERS)
MOST_FIEFS = 64
MOST_DISTRICTS = 24
MOST_BORDERS = 10  # of a fief
MOST_CARDS = 60
MOST_STAYING = 12  # cards that may stay with a ruler
MOST_ROUNDS = 40


def _first_twice(names: list[str]) -> str:
    """Return the first name that appears twice, or ""."""
    return next((name for name in names if names.count(name) > 1), "")


class District(Settings):
    """A district; a player may rule it if it has a line."""

    id: Name
    name: str
    piast: bool
    line: bool


class Fief(Settings):
    """A fief of a district; `place` is its position on the drawn map, in degrees east and north."""

    id: Name
    district: Name
    legendary: bool
    place: tuple[float, float] | None = None

    @field_validator("place", mode="before")
    @classmethod
    def _pair(cls, place: Any) -> Any:
        return tuple(place) if isinstance(place, list) else place


class Map(Sourced):
    """The map; labels list districts and fiefs in the order of its rows.

    Attributes
    ----------
    borders : list of pairs of fiefs
        Each pair once; its first fief is the one listed first in `fiefs`.
    """

    name: str
    districts: Annotated[list[District], Field(min_length=2, max_length=MOST_DISTRICTS)]
    fiefs: Annotated[list[Fief], Field(min_length=2, max_length=MOST_FIEFS)]
    borders: list[Annotated[list[Name], Field(min_length=2, max_length=2)]]

    @model_validator(mode="after")
    def _names_fit(self) -> Map:
        districts, fiefs = self.district_ids, self.fief_ids
        for what, ids in (("districts", districts), ("fiefs", fiefs)):
            if twice := _first_twice(ids):
                raise ValueError(tr("{key}: two are called {name}", key=what, name=repr(twice)))
        for fief in self.fiefs:
            if fief.district not in districts:
                raise ValueError(
                    tr(
                        "fiefs: {fief} lies in {district}, which is not a district",
                        fief=fief.id, district=repr(fief.district),
                    )
                )  # fmt: skip
        return self

    @model_validator(mode="after")
    def _borders_fit(self) -> Map:
        fiefs = self.fief_ids
        for one, other in self.borders:
            for end in (one, other):
                if end not in fiefs:
                    raise ValueError(tr("borders: there is no fief {fief}", fief=repr(end)))
            if fiefs.index(one) >= fiefs.index(other):
                raise ValueError(
                    tr(
                        "borders: {first}, {second}: write first the fief that `fiefs` lists first",
                        first=one,
                        second=other,
                    )
                )
        if twice := _first_twice(["-".join(pair) for pair in self.borders]):
            raise ValueError(tr("borders: {border} appears twice", border=twice))
        for fief, near in self.neighbours.items():
            if len(near) > MOST_BORDERS:
                raise ValueError(
                    trn(
                        "borders: {fief} has {n} border; the most is {most}",
                        "borders: {fief} has {n} borders; the most is {most}",
                        len(near), fief=fief, most=MOST_BORDERS,
                    )
                )  # fmt: skip
        return self

    @model_validator(mode="after")
    def _connected(self) -> Map:
        if lost := self._out_of_reach(self.fief_ids):
            raise ValueError(
                tr("borders: no path leads from {start} to {fiefs}", start=self.fief_ids[0], fiefs=", ".join(lost))
            )
        for district in self.district_ids:
            fiefs = self.fiefs_of(district)
            if not fiefs:
                raise ValueError(tr("districts: {district} has no fief", district=district))
            if lost := self._out_of_reach(fiefs):
                raise ValueError(
                    tr(
                        "districts: {district} is not connected: {fiefs} lies apart",
                        district=district, fiefs=", ".join(lost),
                    )
                )  # fmt: skip
        return self

    def _out_of_reach(self, fiefs: list[str]) -> list[str]:
        """Return the fiefs of a list that can't be reached from its first without leaving the list."""
        reached, near = [fiefs[0]], self.neighbours
        for fief in reached:
            reached += [other for other in near[fief] if other in fiefs and other not in reached]
        return [fief for fief in fiefs if fief not in reached]

    @property
    def district_ids(self) -> list[str]:
        """Ids of the districts, in the order of the map."""
        return [district.id for district in self.districts]

    @property
    def fief_ids(self) -> list[str]:
        """Ids of the fiefs, in the order of the map."""
        return [fief.id for fief in self.fiefs]

    @property
    def neighbours(self) -> Mapping[str, list[str]]:
        """Neighbours of each fief, in the order of the map."""
        found: dict[str, list[str]] = {fief: [] for fief in self.fief_ids}
        for one, other in self.borders:
            found[one].append(other)
            found[other].append(one)
        order = {fief: number for number, fief in enumerate(found)}
        return {fief: sorted(near, key=order.__getitem__) for fief, near in found.items()}

    def fiefs_of(self, district: str) -> list[str]:
        """Return the ids of a district's fiefs."""
        return [fief.id for fief in self.fiefs if fief.district == district]


# The keys of each effect, with the range of each number.
EFFECT_KEYS: dict[str, dict[str, tuple[int, int]]] = {
    "gain": {"who": (0, 0), "n": (0, 50)},
    "pay": {"who": (0, 0), "n": (0, 50)},
    "plague": {},
    "settle": {},
    "fire": {"n": (1, 9)},
    "rebellion": {},
    "raid": {"origin": (0, 0), "strength": (0, 60), "units": (0, 9)},
    "allies": {"n": (1, 9)},
    "levy": {"n": (1, 9)},
    "heir": {},
    "works": {},
    "peace": {"time": (1, 40)},
    "interdict": {"time": (1, 40)},
}
WHO_OF = {"gain": ("all", "drawer", "poorest"), "pay": ("all", "drawer", "richest")}
STAYING = ("peace", "interdict")
FEWEST = 8  # cards of a deck
FEWEST_PASSING = 4  # cards that do not stay with a ruler: fate is drawn from them
Number = Annotated[int, Field(ge=0, le=9)]


def _examples(effect: str) -> dict[str, str]:
    """Return an example of each key of an effect, with a low number."""
    written = {"who": f'who = "{WHO_OF.get(effect, ("all",))[0]}"', "origin": 'from = "litwa"'}
    return {
        key.replace("origin", "from"): written.get(key, f"{key} = {max(1, low)}")
        for key, (low, _) in EFFECT_KEYS[effect].items()
    }


class EventCard(Settings):
    """An event card: an effect with its keys, and two numbers of fate."""

    id: Name
    name: str
    effect: Effect
    attack: Number
    defence: Number
    who: Who | None = None
    n: int | None = None
    origin: Name | None = Field(default=None, alias="from")
    strength: int | None = None
    units: int | None = None
    time: int | None = None

    @model_validator(mode="after")
    def _complete(self) -> EventCard:
        keys = ("who", "n", "origin", "strength", "units", "time")
        given = {key for key in keys if getattr(self, key) is not None}
        wanted = EFFECT_KEYS[self.effect]
        if given != set(wanted):
            words = {key.replace("origin", "from") for key in given}
            raise ValueError(say_words(self.effect, _examples(self.effect), words))
        if self.who is not None and self.who not in WHO_OF[self.effect]:
            raise ValueError(tr("who must be one of {words}", words=", ".join(WHO_OF[self.effect])))
        for key in wanted.keys() - {"who", "origin"}:
            low, high = wanted[key]
            if not low <= getattr(self, key) <= high:
                raise ValueError(
                    tr("{key} is {low} to {high}, got {n}", key=key, low=low, high=high, n=getattr(self, key))
                )
        return self


class Events(Sourced):
    """A deck of event cards, with its source."""

    name: str
    cards: Annotated[list[EventCard], Field(min_length=FEWEST, max_length=MOST_CARDS)]

    @model_validator(mode="after")
    def _deck_lasts(self) -> Events:
        if twice := _first_twice([card.id for card in self.cards]):
            raise ValueError(tr("two cards have the id {id}", id=repr(twice)))
        staying = sum(card.effect in STAYING for card in self.cards)
        passing = len(self.cards) - staying
        if passing < FEWEST_PASSING:
            raise ValueError(
                tr(
                    "at least {least} cards must be neither peace nor interdict, got {n}",
                    least=FEWEST_PASSING, n=passing,
                )
            )  # fmt: skip
        if staying > MOST_STAYING:
            raise ValueError(
                tr("at most {most} cards may be peace or interdict, got {n}", most=MOST_STAYING, n=staying)
            )
        return self
