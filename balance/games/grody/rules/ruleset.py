"""The rule set of Grody: its names, its board, and every number that a designer can change (section 10)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Field, model_validator

from balance.contract.rule_tables import Amount, BySeat
from balance.foundation.language import N_, tr
from balance.foundation.toml import Settings

# Names that rule sets and labels share, in the order of their numbers in compiled code.
TERRAINS = ("rownina", "pustynia", "las", "wzgorza", "rzeka", "bagno")  # SET-4
BUILDINGS = ("zasieki", "most", "twierdza")  # SET-1
CARDS = (
    "na_pewno_sie_uda", "piesn_bojowa", "zasadzka", "wilczy_dol", "doskonaly_manewr", "odwrot", "poscig",
    "forsowny_marsz", "zwiad", "ochotnicy", "sabotaz", "okup", "wieszczba", "czarodziej",
)  # fmt: skip
"""Kinds of fate cards (CRD-4)."""
ENDINGS = (N_("conquest"), N_("dominance"), N_("limit"))  # END-1 to END-3

MOST_SEGMENTS = 49  # 7 columns of 7 rows
MOST_WARRIORS = 8  # of a side on a segment
MOST_ROUNDS = 200


@dataclass(frozen=True)
class Geography:
    """Segments by number, column by column."""

    names: list[str]  # such as `c1r3`: column 1, row 3
    places: list[tuple[int, int]]  # column and row, from 1
    neighbours: list[list[int]]  # segments that share an edge
    grody: tuple[int, int]  # the gród of each seat


@cache
def lay_out(between: int, rows: int, corners: bool) -> Geography:
    """Return the board with `between` columns between the grody and `rows` rows, with or without its four corners."""
    columns = between + 2
    cut = set() if corners else {(column, row) for column in (1, columns) for row in (1, rows)}
    every = [(column, row) for column in range(1, columns + 1) for row in range(1, rows + 1)]
    places = [place for place in every if place not in cut]
    number = {place: i for i, place in enumerate(places)}
    around = [[(c - 1, r), (c, r - 1), (c, r + 1), (c + 1, r)] for c, r in places]
    middle = (rows + 1) // 2
    return Geography(
        [f"c{column}r{row}" for column, row in places],
        places,
        [[number[place] for place in near if place in number] for near in around],
        (number[1, middle], number[columns, middle]),
    )


def _number(least: int, most: int, description: str) -> Any:
    """Return the field of a whole number from `least` to `most`."""
    return Field(ge=least, le=most, description=description)


def _capacity(description: str) -> Any:
    return _number(1, MOST_WARRIORS, description)


def _copies(description: str) -> Any:
    """Return the field of the number of fate cards of a kind."""
    return _number(0, 30, description)


Building = TypeVar("Building", bound=str)


class Terrain(Settings, Generic[Building]):
    """A kind of terrain (SET-4)."""

    cards: int = _number(0, 20, "cards of this terrain in the deck (SET-4)")
    capacity: int = _capacity("most warriors of a side on it (MOV-2)")
    points: int = _number(-3, 3, "victory points of its owner (END-4)")
    warriors: int = _number(0, 2, 'warriors gained by its "+" (MOV-4)')
    building: Building = Field(description="what may be built there (BLD-1)")
    defence: int = _number(-2, 2, "morale of its defender in the first round of a combat (CMB-1)")
    gloom: int = _number(0, 3, "morale that both sides lose (CMB-1)")
    deadly_from: int = _number(0, 9, "with this number of warriors or more, one dies each turn; 0: never (TRN-2)")


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

    zasieki: int = _number(0, 20, "number of abatis tokens (SET-1)")
    most: int = _number(0, 20, "number of bridge tokens (SET-1)")
    twierdza: int = _number(0, 20, "number of fort tokens (SET-1)")


class Cards(Settings):
    """The deck of fate (CRD-4)."""

    na_pewno_sie_uda: int = _copies("cards in the deck: morale +1 for one own warrior for the combat (CRD-4)")
    piesn_bojowa: int = _copies("cards in the deck: own morale +1 in the first round (CRD-4)")
    zasadzka: int = _copies("cards in the deck: the defender kills an attacker (CRD-4)")
    wilczy_dol: int = _copies("cards in the deck: an enemy's roll is 1 more (CRD-4)")
    doskonaly_manewr: int = _copies("cards in the deck: one own warrior's behaviour improves by one step (CRD-4)")
    odwrot: int = _copies("cards in the deck: all own warriors flee (CRD-4)")
    poscig: int = _copies("cards in the deck: an enemy who fled dies (CRD-4)")
    forsowny_marsz: int = _copies("cards in the deck: a second move (CRD-4)")
    zwiad: int = _copies("cards in the deck: exchanges a terrain (CRD-4)")
    ochotnicy: int = _copies("cards in the deck: adds a warrior (CRD-4)")
    sabotaz: int = _copies("cards in the deck: removes an enemy building (CRD-4)")
    okup: int = _copies("cards in the deck: own prisoners return (CRD-4)")
    wieszczba: int = _copies("cards in the deck: draws cards (CRD-4)")
    czarodziej: int = _copies("cards in the deck: cancels another card (CRD-4)")


class Rules(Settings):
    """A complete rule set; the keys of a variant file."""

    title: str
    description: str
    between: int = _number(1, 5, "columns between the grody (SET-2)")
    rows: Literal[3, 5, 7] = Field(description="rows of the board (SET-2)")
    corners: bool = Field(description="whether the board keeps its four corners (SET-2)")
    first_warriors: int = _number(0, MOST_WARRIORS, "warriors of seat 0 at the start, at most `grod_capacity` (SET-3)")
    second_warriors: int = _number(0, MOST_WARRIORS, "warriors of seat 1 at the start, at most `grod_capacity` (SET-3)")
    unexplored_capacity: int = _capacity("warriors that may enter an unexplored segment (MOV-2)")
    grod_capacity: int = _capacity("most warriors of a side in a gród (SET-4)")
    grod_cushion: int = _number(0, 4, "blows that the defender of a gród ignores (CMB-5)")
    grod_morale: int = _number(-2, 2, "morale of a gród's defender in the first round of a combat (CMB-1)")
    hand_start: Annotated[Amount, BySeat(0, 6, (2,))] = Field(description="fate cards at the start (SET-3)")
    hand_limit: int = _number(1, 12, "most fate cards kept (DRW-2)")
    draw: int = _number(0, 4, "fate cards drawn per turn (DRW-1)")
    draw_won: int = _number(0, 6, "fate cards drawn after a combat won as attacker (DRW-1)")
    morale: int = _number(1, 6, "morale of a warrior (CMB-1)")
    leader_at: int = _number(1, 9, "number of warriors that has a leader (CMB-1)")
    leader_morale: int = _number(0, 3, "morale that a leader adds (CMB-1)")
    cushion_per: Literal["combat", "round"] = Field(
        description="how often a cushion ignores its blows: once a combat or a round (CMB-5)"
    )
    build_warriors: int = _number(0, 4, "warriors needed on a segment to build there (BLD-1)")
    abatis_morale: int = _number(-3, 0, "morale of the attacker of an abatis in the first round (CMB-1)")
    bridge_capacity: int = _capacity("most warriors of a side on a river with a bridge (BLD-1)")
    fort_cushion: int = _number(0, 4, "blows that the defender of a fort ignores (CMB-5)")
    recruits: int = _number(0, 4, "recruits per turn (REC-1)")
    recruits_more: int = _number(0, 4, "extra recruits per turn with `recruits_segments` or more (REC-1)")
    recruits_segments: int = _number(0, 40, "number of segments from which extra recruits come (REC-1)")
    ransoms: int = _number(0, 3, "prisoners ransomed per turn (REC-2)")
    sure_morale: int = _number(0, 3, "morale that na_pewno_sie_uda adds (CRD-4)")
    song_morale: int = _number(0, 3, "morale that piesn_bojowa adds (CRD-4)")
    prophecy_draw: int = _number(0, 4, "cards that wieszczba draws (CRD-4)")
    dominance_lead: int = _number(1, 60, "lead in victory points that dominance needs (END-2)")
    dominance_segments: int = _number(0, 40, "segments owned that dominance also needs (END-2)")
    dominance_at: Literal["round", "start", "end"] = Field(
        description="when dominance is checked: at the end of a round, or at the start or end of a turn (END-2)"
    )
    turn_limit: int = _number(1, MOST_ROUNDS, "turns of each player, then points decide (END-3)")
    conquest_score: int = _number(0, 100, "score that a conquest adds to the points in the tables (section 8)")
    terrain: Terrains
    buildings: Buildings
    cards: Cards

    @model_validator(mode="after")
    def _warriors_fit(self) -> Rules:
        for key in ("first_warriors", "second_warriors"):
            if (warriors := getattr(self, key)) > self.grod_capacity:
                raise ValueError(
                    tr("{key} is {n}, more than grod_capacity ({most})", key=key, n=warriors, most=self.grod_capacity)
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


def list_reconstructions(rules: Rules) -> list[str]:
    """Return one line for each part that the rulebook does not give; the same in every rule set."""
    return [
        N_("board: a grid without corners; the rulebook only says that three cards lie between the strongholds"),
        N_(
            "terrain: cards, capacities and effects of rownina, pustynia, las, wzgorza, rzeka, bagno; the rulebook's "
            "table is lost"
        ),
        N_("cards: the numbers of all fate cards and the effects of ten of 14; the rulebook names four"),
        N_("drawing, building, recruiting, ransom and the numbers for victory: the rulebook's pages are lost"),
    ]
