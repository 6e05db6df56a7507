"""The rule set of Korona Piastów: every number and switch a designer may turn, with its limits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator

from balance.contract.sourced import name_reconstructions, resolve_components
from balance.games.korona_piastow.rules.events import Events
from balance.games.korona_piastow.rules.geography import Map
from balance.games.korona_piastow.rules.parts import (
    Buildings,
    Magnate,
    Quest,
    Ruler,
    Start,
    UnitTable,
)
from balance.games.korona_piastow.rules.vocabulary import MOST_ROUNDS, MOST_SEATS, PLAYERS, Name
from balance.settings import Settings, validate

PATH_KEYS = {
    "map": "maps",
    "events": "events",
}  # keys that may name a file, and where those lie that ship
ROWS = {
    "map.districts": "districts",
    "map.fiefs": "fiefs",
    "map.borders": "borders",
    "events.cards": "cards",
}  # what the rows of a list are called
FOLDER = Path(__file__).parents[1]

Small = Annotated[int, Field(ge=0, le=9)]
Some = Annotated[int, Field(ge=1, le=9)]
Amount = Annotated[int, Field(ge=0, le=20)]
Percent = Annotated[int, Field(ge=0, le=100)]
Crown = Annotated[
    list[Annotated[int, Field(ge=1, le=99)]],
    Field(min_length=len(PLAYERS), max_length=len(PLAYERS)),
]


class Rules(Settings):
    """A whole rule set; the keys of a variant file (section 9)."""

    title: str
    description: str
    rounds: int = Field(ge=1, le=MOST_ROUNDS)
    crown_fiefs: Crown
    zakon_fiefs: Crown
    pretender_gap: int = Field(ge=0, le=99)
    lines_drawn: bool
    second_players: int = Field(ge=0, le=3)
    second_infantry: Small
    foreign_garrison: Small
    orders: Some
    orders_max: int = Field(ge=1, le=12)
    same_kind: int = Field(ge=1, le=12)
    orders_per_turn: int = Field(ge=0, le=12)
    fief_limit: Some
    tribute_fief: Amount
    tribute_base: Amount
    muster_units: Some
    regroup_moves: Some
    hasten_units: Some
    time_passes: int = Field(ge=0, le=1)
    claim_cost: int = Field(ge=0, le=99)
    feud_rounds: int = Field(ge=0, le=40)
    loser_loss: Percent
    winner_loss: Percent
    levy: Small
    loot: Amount
    defend: Amount
    revenge: Amount
    siege_rounds: Small
    spy_cost: Amount
    tithe: Amount
    quest_denars: Amount
    relic_attack: Small
    repair_cost: Amount
    raise_cost: Amount
    collect: Amount
    lines: list[Name]
    start: Start
    ruler: Ruler
    magnate: Magnate
    quest: Quest
    units: UnitTable
    buildings: Buildings
    map: Map
    events: Events

    @model_validator(mode="after")
    def _lines_fit(self) -> Rules:
        ruled = {district.id: district.piast for district in self.map.districts if district.line}
        for line in self.lines:
            if line not in ruled:
                raise ValueError(f"lines: {line!r} is no district of the map that has a line")
            if self.lines.count(line) > 1:
                raise ValueError(f"lines: {line!r} is there twice")
        if len(self.lines) < MOST_SEATS:
            raise ValueError(f"lines: {MOST_SEATS} players need as many lines, got {len(self.lines)}")
        piasts = sum(ruled[line] for line in self.lines)
        if piasts < 2 * self.second_players:
            raise ValueError(
                f"lines: {self.second_players} players with two Piast lines each (second_players) "
                f"need {2 * self.second_players}, got {piasts}"
            )
        return self

    @model_validator(mode="after")
    def _tables_fit(self) -> Rules:
        if self.orders > self.orders_max:
            raise ValueError(f"orders: {self.orders} are more than orders_max ({self.orders_max})")
        foreign = {district.id for district in self.map.districts if not district.piast}
        for card in self.events.cards:
            if card.origin is not None and card.origin not in foreign:
                raise ValueError(
                    f"events: card {card.id!r}: the map has no foreign district {card.origin!r}"
                )
        return self


def load_rules(data: Mapping[str, Any], where: str, folder: Path) -> Rules:
    """Check a merged rule set, its map and events looked up by name or, relative to `folder`, by path.

    Raises
    ------
    BalanceError
        A key, value or table is wrong; names `where`.
    """
    resolved = resolve_components(Rules, PATH_KEYS, FOLDER, data, where, folder)
    return validate(Rules, resolved, where)


def list_reconstructions(rules: Rules) -> list[str]:
    """One line for the rules, of which most numbers are reconstructed, and for each table that is one."""
    found = [getattr(rules, key) for key in PATH_KEYS]
    lines = name_reconstructions(
        {f"{key} {table.name!r}": table for key, table in zip(PATH_KEYS, found, strict=True)}
    )
    return [
        "rules: the transcript of the designer's draft has lost its lists; numbers marked [R] are a guess",
        *lines,
    ]


def game_columns(rules: Rules) -> dict[str, str]:
    """Columns of the games table that a rule set fixes."""
    return {"map": rules.map.name, "events": rules.events.name}


def list_lines(rules: Rules) -> list[str]:
    """What the column `line` of the seats table numbers: the districts of the map."""
    return rules.map.district_ids
