"""The rule set of Polska: every number that a designer can change, with its limits."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from balance.contract.rule_tables import Amount, BySeat
from balance.foundation.language import N_, tr, trn
from balance.foundation.toml import Settings
from balance.games.polska.rules.components import Cards, Map, Track

PATH_KEYS = {"map": "maps", "track": "tracks", "cards": "cards"}
"""Keys that may name a file, and the folder of the shipped files."""
ROWS = {"map.roads": "roads", "track.fields": "fields"}
"""What the rows of a list are called."""
PLAYERS = (2, 3, 4, 5, 6)

Drawn = Annotated[int, Field(ge=0, le=6)]
Step = Annotated[int, Field(ge=0, le=9)]


class Steps(Settings):
    """Steps that a card moves the marker (section 4)."""

    grey_same: Step = Field(description="steps of a grey card with exactly the date of the field (section 4)")
    grey_other: Step = Field(description="steps of a grey card with another date (section 4)")
    blue_past: Step = Field(description="steps of a blue card not later than the field (section 4)")
    blue_future: Step = Field(description="steps of a blue card later than the field (section 4)")
    city: Step = Field(description="steps of a city card (section 4)")
    eagle: Step = Field(description="steps of the white eagle (section 4)")


class Rules(Settings):
    """A complete rule set; the keys of a variant file."""

    title: str
    description: str
    dice: int = Field(ge=1, le=7, description="dice rolled at a time (TRN-1)")
    one_allows: int = Field(ge=1, le=20, description="steps that a 1 allows (MOV-1)")
    hand_start: Annotated[Amount, BySeat(0, 8, PLAYERS)] = Field(
        description="cards dealt to each player at the start (SET-6)"
    )
    hand_limit: int = Field(ge=1, le=8, description="most cards kept at the end of a turn (TRN-4)")
    cards_per_turn: int = Field(ge=1, le=5, description="most cards played in a turn (TRN-2)")
    markers_out: int = Field(ge=1, le=10, description="location markers in a set, on the map at a time (SET-5)")
    cards_per_marker: Annotated[list[Drawn], Field(max_length=10)] = Field(
        description="cards for the first to the last marker of a set (MOV-5)"
    )
    turn_limit: int = Field(ge=10, le=400, description="turns after which a game is a draw (END-2)")
    start: str = Field(
        description="the city where pawns begin (SET-4)",
        json_schema_extra={"allowed": N_('a city of the map; "": the map\'s own start')},
    )
    map: Map = Field(description="cities and the roads between them (SET-1)")
    track: Track = Field(description="the dated fields of history (SET-2)")
    cards: Cards = Field(description="number and values of the cards in the deck (SET-3)")
    steps: Steps

    @model_validator(mode="after")
    def _tables_fit(self) -> Rules:
        if len(self.cards_per_marker) != self.markers_out:
            raise ValueError(
                tr(
                    "cards_per_marker: {size} numbers for {markers} markers",
                    size=len(self.cards_per_marker), markers=self.markers_out,
                )
            )  # fmt: skip
        if self.markers_out > len(self.map.locations):
            raise ValueError(
                trn(
                    "markers_out: the map has only {n} location",
                    "markers_out: the map has only {n} locations",
                    len(self.map.locations),
                )
            )
        if self.start and self.start not in self.map.cities:
            raise ValueError(tr("{key}: the map has no city {city}", key="start", city=repr(self.start)))
        for city in self.cards.cities:
            if city not in self.map.cities:
                key = f"cards {self.cards.name!r}"
                raise ValueError(tr("{key}: the map has no city {city}", key=key, city=repr(city)))
        return self

    @property
    def start_city(self) -> str:
        """The city where pawns begin."""
        return self.start or self.map.start
