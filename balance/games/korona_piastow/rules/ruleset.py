"""The rule set of Korona Piastów: every number and switch that a designer can change, with its limits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator

from balance.contract.rule_tables import name_reconstructions, resolve_components
from balance.foundation.toml import Settings, validate
from balance.games.korona_piastow.rules.events import Events
from balance.games.korona_piastow.rules.geography import MOST_ROUNDS, MOST_SEATS, PLAYERS, Map, Name
from balance.games.korona_piastow.rules.parts import (
    Buildings,
    Magnate,
    Quest,
    Ruler,
    Start,
    UnitTable,
)

PATH_KEYS = {
    "map": "maps",
    "events": "events",
}  # keys that may name a file, and the folder of the shipped files
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
    """A complete rule set; the keys of a variant file (section 9)."""

    title: str
    description: str
    rounds: int = Field(ge=1, le=MOST_ROUNDS, description="most rounds (section 3)")
    crown_fiefs: Crown = Field(
        description="score that wins the crown (END-3)", json_schema_extra={"by": ["players"]}
    )
    zakon_fiefs: Crown = Field(
        description="fiefs of the Zakon that are worth as much as the crown (END-2)",
        json_schema_extra={"by": ["players"]},
    )
    pretender_gap: int = Field(
        ge=0,
        le=99,
        description="all may invade a ruler whose score is this near to the crown (CSB-2)",
    )
    lines_drawn: bool = Field(
        description="whether lines are drawn at random; false: in the order of `lines` (SET-1)"
    )
    second_players: int = Field(
        ge=0,
        le=3,
        description="with up to this number of players, each rules a second line; 0: never (SET-4)",
    )
    second_infantry: Small = Field(description="infantry of a second line (SET-4)")
    foreign_garrison: Small = Field(description="foreign units in each foreign fief (SET-5)")
    orders: Some = Field(description="order tokens per round (ORD-1)")
    orders_max: int = Field(ge=1, le=12, description="most order tokens, with town halls (ORD-1)")
    same_kind: int = Field(ge=1, le=12, description="most tokens of one kind (ORD-3)")
    orders_per_turn: int = Field(
        ge=0,
        le=12,
        description="orders carried out before the next ruler's turn; 0: all (EXE-1)",
    )
    fief_limit: Some = Field(description="most units in a fief (MAP-2)")
    tribute_fief: Amount = Field(description="denars of tribute for each free fief (TRB-2)")
    tribute_base: Amount = Field(
        description="denars of tribute in addition to those for free fiefs (TRB-2)"
    )
    muster_units: Some = Field(description="units mustered by a muster order (MUS-1)")
    regroup_moves: Some = Field(description="moves of a regroup order (REG-1)")
    hasten_units: Some = Field(description="time units gained by hastening a building (BLD-4)")
    time_passes: int = Field(ge=0, le=1, description="time units gained each round (BLD-4)")
    works_everywhere: bool = Field(
        description="whether the event `works` reaches occupied and besieged fiefs too (BLD-4)"
    )
    claim_cost: int = Field(ge=0, le=99, description="price of a claim in denars (CSB-1)")
    feud_rounds: int = Field(
        ge=0,
        le=40,
        description="rounds for which an invasion is a cause for war; 2: this round and the last (CSB-2)",
    )
    loser_loss: Percent = Field(description="% of the units sent that a beaten attacker loses (CMB-6)")
    winner_loss: Percent = Field(description="% of the enemy's strength that a winner loses (CMB-3)")
    levy: Small = Field(description="infantry that defends a fief without units (CMB-1)")
    loot: Amount = Field(description="denars gained from a devastated fief (CMB-5)")
    defend: Amount = Field(description="strength of a defend order (CMB-1)")
    revenge: Amount = Field(description="strength of a revenge (REV-1)")
    siege_rounds: Small = Field(description="rounds until a besieged building no longer counts (CMB-2)")
    spy_cost: Amount = Field(description="price of spying in denars (SPY-1)")
    tithe: Amount = Field(description="denars gained by a tithe (TTH-1)")
    quest_denars: Amount = Field(description="denars found on a quest (QST-1)")
    relic_attack: Small = Field(description="strength of a relic in an invasion (QST-1)")
    repair_cost: Amount = Field(description="price of repairing a fief in denars (CRT-1)")
    raise_cost: Amount = Field(description="price of raising infantry in denars (CRT-1)")
    collect: Amount = Field(description="denars that a ruler at home collects (CRT-3)")
    lines: list[Name] = Field(
        description="the pool of lines, at least one for each player (SET-1)",
        json_schema_extra={"allowed": "list of districts with a line"},
    )
    start: Start
    ruler: Ruler
    magnate: Magnate
    quest: Quest
    units: UnitTable
    buildings: Buildings
    map: Map = Field(description="districts, fiefs and borders (MAP-1)")
    events: Events = Field(description="the event cards, which also decide fate (EVN-1)")

    @model_validator(mode="after")
    def _lines_fit(self) -> Rules:
        ruled = {district.id: district.piast for district in self.map.districts if district.line}
        for line in self.lines:
            if line not in ruled:
                raise ValueError(f"lines: {line!r} is not a district of the map with a line")
            if self.lines.count(line) > 1:
                raise ValueError(f"lines: {line!r} appears twice")
        if len(self.lines) < MOST_SEATS:
            raise ValueError(
                f"lines: {MOST_SEATS} players need {MOST_SEATS} lines, got {len(self.lines)}"
            )
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
    """Return the checked rules of a merged rule set; its map and events are shipped names, or paths from `folder`."""
    resolved = resolve_components(Rules, PATH_KEYS, FOLDER, data, where, folder)
    return validate(Rules, resolved, where)


def list_reconstructions(rules: Rules) -> list[str]:
    """Return one line for the rules, whose numbers are mostly reconstructed, and for each reconstructed table."""
    found = [getattr(rules, key) for key in PATH_KEYS]
    lines = name_reconstructions(
        {f"{key} {table.name!r}": table for key, table in zip(PATH_KEYS, found, strict=True)}
    )
    return [
        "rules: the lists of the designer's draft are lost in its transcript; numbers marked [R] are a guess",
        *lines,
    ]


def game_columns(rules: Rules) -> dict[str, str]:
    """Return the columns of the games table that are constant for a rule set."""
    return {"map": rules.map.name, "events": rules.events.name}


def list_lines(rules: Rules) -> list[str]:
    """Return the districts of the map, in the order that the column `line` of the seats table numbers."""
    return rules.map.district_ids
