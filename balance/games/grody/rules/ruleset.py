"""The rule set of Grody: every number a designer may turn, with its limits (section 10)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from balance.contract.by_seat import Amount, BySeat
from balance.games.grody.rules.geography import Geography, lay_out
from balance.games.grody.rules.vocabulary import MOST_ROUNDS, MOST_WARRIORS, OWN_BUILDING, TERRAINS
from balance.settings import Settings, validate

PATH_KEYS: dict[str, str] = {}  # keys that may name a file
ROWS: dict[str, str] = {}  # what the rows of a list are called

Capacity = Annotated[int, Field(ge=1, le=MOST_WARRIORS)]
Warriors = Annotated[int, Field(ge=0, le=MOST_WARRIORS)]
Tokens = Annotated[int, Field(ge=0, le=20)]
Copies = Annotated[int, Field(ge=0, le=30)]


class Terrain(Settings):
    """A kind of terrain (SET-4)."""

    cards: int = Field(ge=0, le=20)
    capacity: Capacity
    points: int = Field(ge=-3, le=3)
    warriors: int = Field(ge=0, le=2)  # brought by a "+" (MOV-4)
    building: Literal["zasieki", "most", "twierdza", "none"]
    defence: int = Field(ge=-2, le=2)  # the defender's morale in the first round (CMB-1)
    gloom: int = Field(ge=0, le=3)  # off the morale of both sides (CMB-1)
    deadly_from: int = Field(ge=0, le=9)  # warriors from which on one dies (TRN-2); 0: never


class Terrains(Settings):
    """The deck of terrains."""

    rownina: Terrain
    pustynia: Terrain
    las: Terrain
    wzgorza: Terrain
    rzeka: Terrain
    bagno: Terrain

    @field_validator("*")
    @classmethod
    def _own_building(cls, terrain: Terrain, info: Any) -> Terrain:
        own = OWN_BUILDING.get(info.field_name, "none")
        if terrain.building not in (own, "none"):
            allowed = '"none"' if own == "none" else f'"{own}" or "none"'
            raise ValueError(f"building: must be {allowed} here, got {terrain.building!r}")
        return terrain


class Buildings(Settings):
    """Tokens of each kind (SET-1)."""

    zasieki: Tokens
    most: Tokens
    twierdza: Tokens


class Cards(Settings):
    """The deck of fate (CRD-4)."""

    na_pewno_sie_uda: Copies
    piesn_bojowa: Copies
    zasadzka: Copies
    wilczy_dol: Copies
    doskonaly_manewr: Copies
    odwrot: Copies
    poscig: Copies
    forsowny_marsz: Copies
    zwiad: Copies
    ochotnicy: Copies
    sabotaz: Copies
    okup: Copies
    wieszczba: Copies
    czarodziej: Copies


class Rules(Settings):
    """A whole rule set; the keys of a variant file."""

    title: str
    description: str
    between: int = Field(ge=1, le=5)
    rows: Literal[3, 5, 7]
    corners: bool
    first_warriors: Warriors
    second_warriors: Warriors
    unexplored_capacity: Capacity
    grod_capacity: Capacity
    grod_cushion: int = Field(ge=0, le=4)
    grod_morale: int = Field(ge=-2, le=2)
    hand_start: Annotated[Amount, BySeat(0, 6, (2,))]
    hand_limit: int = Field(ge=1, le=12)
    draw: int = Field(ge=0, le=4)
    draw_won: int = Field(ge=0, le=6)
    morale: int = Field(ge=1, le=6)
    leader_at: int = Field(ge=1, le=9)
    leader_morale: int = Field(ge=0, le=3)
    cushion_per: Literal["combat", "round"]
    build_warriors: int = Field(ge=0, le=4)
    abatis_morale: int = Field(ge=-3, le=0)
    bridge_capacity: Capacity
    fort_cushion: int = Field(ge=0, le=4)
    recruits: int = Field(ge=0, le=4)
    recruits_more: int = Field(ge=0, le=4)
    recruits_segments: int = Field(ge=0, le=40)
    ransoms: int = Field(ge=0, le=3)
    sure_morale: int = Field(ge=0, le=3)
    song_morale: int = Field(ge=0, le=3)
    prophecy_draw: int = Field(ge=0, le=4)
    dominance_lead: int = Field(ge=1, le=60)
    dominance_segments: int = Field(ge=0, le=40)
    dominance_at: Literal["round", "start", "end"]
    turn_limit: int = Field(ge=1, le=MOST_ROUNDS)
    conquest_score: int = Field(ge=0, le=100)
    terrain: Terrains
    buildings: Buildings
    cards: Cards

    @model_validator(mode="after")
    def _warriors_fit(self) -> Rules:
        for key in ("first_warriors", "second_warriors"):
            if getattr(self, key) > self.grod_capacity:
                raise ValueError(
                    f"{key} is {getattr(self, key)}, more than grod_capacity ({self.grod_capacity})"
                )
        return self

    @property
    def board(self) -> Geography:
        """The segments and how they lie."""
        return lay_out(self.between, self.rows, self.corners)

    def terrain_named(self, name: str) -> Terrain:
        """A kind of terrain by its name."""
        found: Terrain = getattr(self.terrain, name)
        return found


def load_rules(data: Mapping[str, Any], where: str, folder: Path) -> Rules:
    """Check a merged rule set; it names no files, so `folder` is not looked at.

    Raises
    ------
    BalanceError
        A key or value is wrong; names `where`.
    """
    return validate(Rules, data, where)


def list_reconstructions(rules: Rules) -> list[str]:
    """What the rulebook does not give; the same in every rule set."""
    names = ", ".join(TERRAINS)
    return [
        "board: a grid without corners; the rulebook says only that three cards lie between the strongholds",
        f"terrain: cards, capacities and effects of {names}; the rulebook's table is lost",
        "cards: the numbers of all fate cards and the effects of ten of 14; the rulebook names four",
        "drawing, building, recruiting, ransom and the figures of victory: the pages are lost",
    ]


def game_columns(rules: Rules) -> dict[str, str]:
    """Columns of the games table that a rule set fixes: none."""
    return {}
