"""The rule set of Grody: every number that a designer can change, with its limits (section 10)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Field, model_validator

from balance.contract.rule_tables import Amount, BySeat
from balance.foundation.toml import Settings, validate
from balance.games.grody.rules.geography import MOST_ROUNDS, MOST_WARRIORS, TERRAINS, Geography, lay_out

PATH_KEYS: dict[str, str] = {}  # keys that may name a file
ROWS: dict[str, str] = {}  # what the rows of a list are called

Capacity = Annotated[int, Field(ge=1, le=MOST_WARRIORS)]
Warriors = Annotated[int, Field(ge=0, le=MOST_WARRIORS)]
Tokens = Annotated[int, Field(ge=0, le=20)]
Copies = Annotated[int, Field(ge=0, le=30)]
Building = TypeVar("Building", bound=str)


class Terrain(Settings, Generic[Building]):
    """A kind of terrain (SET-4)."""

    cards: int = Field(ge=0, le=20, description="cards of this terrain in the deck (SET-4)")
    capacity: Capacity = Field(description="most warriors of a side on it (MOV-2)")
    points: int = Field(ge=-3, le=3, description="victory points of its owner (END-4)")
    warriors: int = Field(ge=0, le=2, description='warriors gained by its "+" (MOV-4)')
    building: Building = Field(description="what may be built there (BLD-1)")
    defence: int = Field(
        ge=-2, le=2, description="morale of its defender in the first round of a combat (CMB-1)"
    )
    gloom: int = Field(ge=0, le=3, description="morale that both sides lose (CMB-1)")
    deadly_from: int = Field(
        ge=0,
        le=9,
        description="with this number of warriors or more, one dies each turn; 0: never (TRN-2)",
    )


class Terrains(Settings):
    """The deck of terrains."""

    rownina: Terrain[Literal["zasieki", "none"]]
    pustynia: Terrain[Literal["zasieki", "none"]]
    las: Terrain[Literal["none"]]
    wzgorza: Terrain[Literal["twierdza", "none"]]
    rzeka: Terrain[Literal["most", "none"]]
    bagno: Terrain[Literal["none"]]


class Buildings(Settings):
    """Tokens of each kind of building (SET-1)."""

    zasieki: Tokens = Field(description="number of abatis tokens (SET-1)")
    most: Tokens = Field(description="number of bridge tokens (SET-1)")
    twierdza: Tokens = Field(description="number of fort tokens (SET-1)")


class Cards(Settings):
    """The deck of fate (CRD-4)."""

    na_pewno_sie_uda: Copies = Field(
        description="cards in the deck: morale +1 for one own warrior for the combat (CRD-4)"
    )
    piesn_bojowa: Copies = Field(
        description="cards in the deck: own morale +1 in the first round (CRD-4)"
    )
    zasadzka: Copies = Field(description="cards in the deck: the defender kills an attacker (CRD-4)")
    wilczy_dol: Copies = Field(description="cards in the deck: an enemy's roll is 1 more (CRD-4)")
    doskonaly_manewr: Copies = Field(
        description="cards in the deck: one own warrior's behaviour improves by one step (CRD-4)"
    )
    odwrot: Copies = Field(description="cards in the deck: all own warriors flee (CRD-4)")
    poscig: Copies = Field(description="cards in the deck: an enemy who fled dies (CRD-4)")
    forsowny_marsz: Copies = Field(description="cards in the deck: a second move (CRD-4)")
    zwiad: Copies = Field(description="cards in the deck: exchanges a terrain (CRD-4)")
    ochotnicy: Copies = Field(description="cards in the deck: adds a warrior (CRD-4)")
    sabotaz: Copies = Field(description="cards in the deck: removes an enemy building (CRD-4)")
    okup: Copies = Field(description="cards in the deck: own prisoners return (CRD-4)")
    wieszczba: Copies = Field(description="cards in the deck: draws cards (CRD-4)")
    czarodziej: Copies = Field(description="cards in the deck: cancels another card (CRD-4)")


class Rules(Settings):
    """A complete rule set; the keys of a variant file."""

    title: str
    description: str
    between: int = Field(ge=1, le=5, description="columns between the grody (SET-2)")
    rows: Literal[3, 5, 7] = Field(description="rows of the board (SET-2)")
    corners: bool = Field(description="whether the board keeps its four corners (SET-2)")
    first_warriors: Warriors = Field(
        description="warriors of seat 0 at the start, at most `grod_capacity` (SET-3)"
    )
    second_warriors: Warriors = Field(
        description="warriors of seat 1 at the start, at most `grod_capacity` (SET-3)"
    )
    unexplored_capacity: Capacity = Field(
        description="warriors that may enter an unexplored segment (MOV-2)"
    )
    grod_capacity: Capacity = Field(description="most warriors of a side in a gród (SET-4)")
    grod_cushion: int = Field(
        ge=0, le=4, description="blows that the defender of a gród ignores (CMB-5)"
    )
    grod_morale: int = Field(
        ge=-2, le=2, description="morale of a gród's defender in the first round of a combat (CMB-1)"
    )
    hand_start: Annotated[Amount, BySeat(0, 6, (2,))] = Field(
        description="fate cards at the start (SET-3)"
    )
    hand_limit: int = Field(ge=1, le=12, description="most fate cards kept (DRW-2)")
    draw: int = Field(ge=0, le=4, description="fate cards drawn per turn (DRW-1)")
    draw_won: int = Field(
        ge=0, le=6, description="fate cards drawn after a combat won as attacker (DRW-1)"
    )
    morale: int = Field(ge=1, le=6, description="morale of a warrior (CMB-1)")
    leader_at: int = Field(ge=1, le=9, description="number of warriors that has a leader (CMB-1)")
    leader_morale: int = Field(ge=0, le=3, description="morale that a leader adds (CMB-1)")
    cushion_per: Literal["combat", "round"] = Field(
        description="how often a cushion ignores its blows: once a combat or a round (CMB-5)"
    )
    build_warriors: int = Field(
        ge=0, le=4, description="warriors needed on a segment to build there (BLD-1)"
    )
    abatis_morale: int = Field(
        ge=-3, le=0, description="morale of the attacker of an abatis in the first round (CMB-1)"
    )
    bridge_capacity: Capacity = Field(
        description="most warriors of a side on a river with a bridge (BLD-1)"
    )
    fort_cushion: int = Field(
        ge=0, le=4, description="blows that the defender of a fort ignores (CMB-5)"
    )
    recruits: int = Field(ge=0, le=4, description="recruits per turn (REC-1)")
    recruits_more: int = Field(
        ge=0, le=4, description="extra recruits per turn with `recruits_segments` or more (REC-1)"
    )
    recruits_segments: int = Field(
        ge=0, le=40, description="number of segments from which extra recruits come (REC-1)"
    )
    ransoms: int = Field(ge=0, le=3, description="prisoners ransomed per turn (REC-2)")
    sure_morale: int = Field(ge=0, le=3, description="morale that na_pewno_sie_uda adds (CRD-4)")
    song_morale: int = Field(ge=0, le=3, description="morale that piesn_bojowa adds (CRD-4)")
    prophecy_draw: int = Field(ge=0, le=4, description="cards that wieszczba draws (CRD-4)")
    dominance_lead: int = Field(
        ge=1, le=60, description="lead in victory points that dominance needs (END-2)"
    )
    dominance_segments: int = Field(
        ge=0, le=40, description="segments owned that dominance also needs (END-2)"
    )
    dominance_at: Literal["round", "start", "end"] = Field(
        description="when dominance is checked: at the end of a round, or at the start or end of a turn (END-2)"
    )
    turn_limit: int = Field(
        ge=1, le=MOST_ROUNDS, description="turns of each player, then points decide (END-3)"
    )
    conquest_score: int = Field(
        ge=0, le=100, description="score that a conquest adds to the points in the tables (section 8)"
    )
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
        """The segments and their layout."""
        return lay_out(self.between, self.rows, self.corners)

    def terrain_named(self, name: str) -> Terrain[str]:
        """Return a kind of terrain by its name."""
        found: Terrain[str] = getattr(self.terrain, name)
        return found


def load_rules(data: Mapping[str, Any], where: str, folder: Path) -> Rules:
    """Return the checked rules of a merged rule set, which names no files: `folder` is not used."""
    return validate(Rules, data, where)


def list_reconstructions(rules: Rules) -> list[str]:
    """Return one line for each part that the rulebook does not give; the same in every rule set."""
    names = ", ".join(TERRAINS)
    return [
        "board: a grid without corners; the rulebook only says that three cards lie between the strongholds",
        f"terrain: cards, capacities and effects of {names}; the rulebook's table is lost",
        "cards: the numbers of all fate cards and the effects of ten of 14; the rulebook names four",
        "drawing, building, recruiting, ransom and the numbers for victory: the rulebook's pages are lost",
    ]


def game_columns(rules: Rules) -> dict[str, str]:
    """Return the columns of the games table that are constant for a rule set: none."""
    return {}
