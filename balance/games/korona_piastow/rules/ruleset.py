"""The rule set of Korona Piastów: every number and switch that a designer can change, with its limits."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, field_validator, model_serializer, model_validator

from balance.contract.rule_tables import Amount, BySeat, name_reconstructions
from balance.foundation.language import N_, tr
from balance.foundation.toml import Settings
from balance.games.korona_piastow.rules.scenario import Scenario, check_scenario
from balance.games.korona_piastow.rules.tables import MOST_ROUNDS, MOST_SEATS, PLAYERS, Events, Map, Name

PATH_KEYS = {"map": "maps", "events": "events"}
"""Keys that may name a file, and the folder of the shipped files."""
ROWS = {f"map.{name}": name for name in ("districts", "fiefs", "borders")} | {"events.cards": "cards"}
"""How pages call the rows of a list."""

UpTo9 = Annotated[int, Field(ge=0, le=9)]
UpTo18 = Annotated[int, Field(ge=0, le=18)]
UpTo20 = Annotated[int, Field(ge=0, le=20)]
UpTo30 = Annotated[int, Field(ge=0, le=30)]
UpTo40 = Annotated[int, Field(ge=0, le=40)]
UpTo99 = Annotated[int, Field(ge=0, le=99)]
Within99 = Annotated[int, Field(ge=-99, le=99)]
Percent = Annotated[int, Field(ge=0, le=100)]
OneTo9 = Annotated[int, Field(ge=1, le=9)]
OneTo12 = Annotated[int, Field(ge=1, le=12)]
UpTo99BySeat = Annotated[Amount, BySeat(0, 99, PLAYERS)]
Score = Annotated[int, Field(ge=1, le=99)]
ByPlayers = Annotated[list[Score], Field(min_length=len(PLAYERS), max_length=len(PLAYERS))]


class LineStart(Settings):
    """What the ruler of one line starts with in addition to every ruler's start; less if negative (SET-6)."""

    denars: Within99 = Field(default=0, description="denars in addition to `start.denars` (SET-6)")
    infantry: Within99 = Field(default=0, description="infantry in addition to `start.infantry` (SET-6)")
    cavalry: Within99 = Field(default=0, description="cavalry in addition to `start.cavalry` (SET-6)")
    knights: Within99 = Field(default=0, description="knights in addition to `start.knights` (SET-6)")
    magnates: int = Field(default=0, ge=-4, le=4, description="free magnates in addition to `start.magnates` (SET-6)")


class Start(Settings):
    """What a ruler starts with (SET-2, SET-3): the same for all, by seat, or by player count; and by line (SET-6)."""

    denars: UpTo99BySeat = Field(description="denars of each ruler (SET-2)")
    infantry: UpTo99BySeat = Field(description="infantry of each ruler (SET-3)")
    cavalry: UpTo99BySeat = Field(description="cavalry of each ruler (SET-3)")
    knights: UpTo99BySeat = Field(description="knights of each ruler (SET-3)")
    magnates: Annotated[Amount, BySeat(0, 4, PLAYERS)] = Field(description="free magnates of each ruler (SET-2)")
    lines: dict[Name, LineStart] = Field(default={}, description="what a line has in addition to these (SET-6)")

    @field_validator("lines")
    @classmethod
    def _leave_out_equal_lines(cls, lines: dict[str, LineStart]) -> dict[str, LineStart]:
        """Return the lines that differ from the others."""
        return {line: own for line, own in lines.items() if own != LineStart()}

    @model_serializer(mode="wrap")
    def _write_differences(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Return the table with no more of `lines` than their differences, so that equal rules have equal hashes."""
        table = handler(self)
        lines = table.pop("lines")
        written = {line: {key: more for key, more in own.items() if more} for line, own in lines.items()}
        return {**table, "lines": written} if written else table


class Ruler(Settings):
    """Traits of a ruler (TRT-1)."""

    attack: UpTo9 = Field(description="value of a ruler's trait attack (TRT-1)")
    defence: UpTo9 = Field(description="value of a ruler's trait defence (TRT-1)")
    money: UpTo9 = Field(description="value of a ruler's trait money (TRT-1)")
    time: UpTo9 = Field(description="value of a ruler's trait time (TRT-1)")


class Magnate(Settings):
    """Value of each trait of a magnate, magnates of each trait in the bag, and magnates gained with a district."""

    attack: UpTo9 = Field(description="value of a magnate's trait attack (TRT-1)")
    defence: UpTo9 = Field(description="value of a magnate's trait defence (TRT-1)")
    money: UpTo9 = Field(description="value of a magnate's trait money (TRT-1)")
    time: UpTo9 = Field(description="value of a magnate's trait time (TRT-1)")
    tokens: UpTo9 = Field(description="magnates of each trait in the bag (TRT-3)")
    per_district: int = Field(ge=0, le=4, description="free magnates gained with a joined district (JOI-2)")


class Quest(Settings):
    """The largest sum of fate of each outcome; a larger sum than all of them finds a relic (QST-1)."""

    lost: UpTo18 = Field(description="largest sum of fate that loses the knight (QST-1)")
    nothing: UpTo18 = Field(description="largest sum of fate that finds nothing (QST-1)")
    denars: UpTo18 = Field(description="largest sum of fate that finds denars (QST-1)")
    magnate: UpTo18 = Field(description="largest sum of fate that finds a magnate; a larger sum finds a relic (QST-1)")

    @model_validator(mode="after")
    def _rising(self) -> Quest:
        sums = [self.lost, self.nothing, self.denars, self.magnate]
        if sums != sorted(sums):
            raise ValueError(tr("lost, nothing, denars and magnate must rise, got {sums}", sums=str(sums)))
        return self


class Foreign(Settings):
    """A kind of unit that no ruler musters (UNT-1)."""

    attack: UpTo30 = Field(description="strength of a unit that attacks (UNT-1)")
    defence: UpTo30 = Field(description="strength of a unit that defends (UNT-1)")


class Unit(Foreign):
    """A kind of unit that a ruler musters for denars (UNT-1)."""

    cost: UpTo30 = Field(description="price of a unit in denars (UNT-1)")


class UnitTable(Settings):
    """The kinds of unit."""

    infantry: Unit
    cavalry: Unit
    knight: Unit
    engine: Unit
    foreign: Foreign


class Building(Settings):
    """A kind of building (BLD-2)."""

    cost: UpTo99 = Field(description="price of the building in denars (BLD-2)")
    time: OneTo9 = Field(description="time units until it is finished (BLD-2)")


class Fortress(Building):
    """A building that defends its fief."""

    defence: UpTo40 = Field(description="strength that it adds to its fief's defence (BLD-2)")


class TownHall(Building):
    """A building that gives tokens (ORD-1)."""

    orders: int = Field(ge=0, le=3, description="order tokens that it adds (ORD-1)")


class ClothHall(Building):
    """A building that gives denars (TRB-2)."""

    money: UpTo9 = Field(description="denars of tribute that it adds (TRB-2)")


class Buildings(Settings):
    """The kinds of building."""

    grod: Fortress
    castle: Fortress
    cathedral: Building
    townhall: TownHall
    clothhall: ClothHall


class Rules(Settings):
    """A complete rule set; the keys of a variant file (section 9)."""

    title: str
    description: str
    rounds: int = Field(ge=1, le=MOST_ROUNDS, description="most rounds (section 3)")
    crown_fiefs: ByPlayers = Field(
        description="score that wins the crown (END-3)", json_schema_extra={"by": ["players"]}
    )
    zakon_fiefs: ByPlayers = Field(
        description="fiefs of the Zakon that are worth as much as the crown (END-2)",
        json_schema_extra={"by": ["players"]},
    )
    pretender_gap: UpTo99 = Field(description="all may invade a ruler whose score is this near to the crown (CSB-2)")
    lines_drawn: bool = Field(description="whether lines are drawn at random; false: in the order of `lines` (SET-1)")
    lines_chosen: bool = Field(description="whether each ruler in turn chooses its line from the pool instead (SET-1)")
    second_players: int = Field(
        ge=0, le=3, description="with up to this number of players, each rules a second line; 0: never (SET-4)"
    )
    second_infantry: UpTo9 = Field(description="infantry of a second line (SET-4)")
    foreign_garrison: UpTo9 = Field(description="foreign units in each foreign fief (SET-5)")
    orders: OneTo9 = Field(description="order tokens per round (ORD-1)")
    orders_max: OneTo12 = Field(description="most order tokens, with town halls (ORD-1)")
    same_kind: OneTo12 = Field(description="most tokens of one kind (ORD-3)")
    orders_per_turn: Literal["any"] | Annotated[int, Field(ge=0, le=12)] = Field(
        description="orders carried out before the next ruler's turn; 0: all; any: the ruler chooses (EXE-1)"
    )
    fief_limit: OneTo9 = Field(description="most units in a fief (MAP-2)")
    tribute_fief: UpTo20 = Field(description="denars of tribute for each free fief (TRB-2)")
    tribute_base: UpTo20 = Field(description="denars of tribute in addition to those for free fiefs (TRB-2)")
    muster_units: OneTo9 = Field(description="units mustered by a muster order (MUS-1)")
    regroup_moves: OneTo9 = Field(description="moves of a regroup order (REG-1)")
    hasten_units: OneTo9 = Field(description="time units gained by hastening a building (BLD-4)")
    time_passes: int = Field(ge=0, le=1, description="time units gained each round (BLD-4)")
    works_everywhere: bool = Field(
        description="whether the event `works` reaches occupied and besieged fiefs too (BLD-4)"
    )
    claim_cost: UpTo99 = Field(description="price of a claim in denars (CSB-1)")
    feud_rounds: UpTo40 = Field(
        description="rounds for which an invasion is a cause for war; 2: this round and the last (CSB-2)"
    )
    loser_loss: Percent = Field(description="% of the units sent that a beaten attacker loses (CMB-6)")
    winner_loss: Percent = Field(description="% of the enemy's strength that a winner loses (CMB-3)")
    levy: UpTo9 = Field(description="infantry that defends a fief without units (CMB-1)")
    loot: UpTo20 = Field(description="denars gained from a devastated fief (CMB-5)")
    defend: UpTo20 = Field(description="strength of a defend order (CMB-1)")
    revenge: UpTo20 = Field(description="strength of a revenge (REV-1)")
    siege_rounds: UpTo9 = Field(description="rounds until a besieged building no longer counts (CMB-2)")
    spy_cost: UpTo20 = Field(description="price of spying in denars (SPY-1)")
    tithe: UpTo20 = Field(description="denars gained by a tithe (TTH-1)")
    quest_denars: UpTo20 = Field(description="denars found on a quest (QST-1)")
    relic_attack: UpTo9 = Field(description="strength of a relic in an invasion (QST-1)")
    repair_cost: UpTo20 = Field(description="price of repairing a fief in denars (CRT-1)")
    raise_cost: UpTo20 = Field(description="price of raising infantry in denars (CRT-1)")
    collect: UpTo20 = Field(description="denars that a ruler at home collects (CRT-3)")
    lines: list[Name] = Field(
        description="the pool of lines, at least one for each player (SET-1)",
        json_schema_extra={"allowed": N_("list of districts with a line")},
    )
    start: Start
    scenario: Scenario = Scenario()
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
                raise ValueError(_no_line("lines", line))
            if self.lines.count(line) > 1:
                raise ValueError(tr("lines: {line} appears twice", line=repr(line)))
        if len(self.lines) < MOST_SEATS:
            raise ValueError(
                tr("lines: {players} players need {players} lines, got {n}", players=MOST_SEATS, n=len(self.lines))
            )
        for line in self.start.lines:
            if line not in ruled:
                raise ValueError(_no_line("start.lines", line))
        piasts, needed = sum(ruled[line] for line in self.lines), 2 * self.second_players
        if piasts < needed:
            raise ValueError(
                tr(
                    "lines: {players} players with two Piast lines each (second_players) need {needed}, got {n}",
                    players=self.second_players, needed=needed, n=piasts,
                )
            )  # fmt: skip
        return self

    @model_validator(mode="after")
    def _tables_fit(self) -> Rules:
        if self.orders > self.orders_max:
            raise ValueError(tr("orders: {n} are more than orders_max ({most})", n=self.orders, most=self.orders_max))
        foreign = {None, *(district.id for district in self.map.districts if not district.piast)}
        for card in self.events.cards:
            if card.origin not in foreign:
                raise ValueError(
                    tr(
                        "events: card {card}: the map has no foreign district {district}",
                        card=repr(card.id), district=repr(card.origin),
                    )
                )  # fmt: skip
        return self

    @model_validator(mode="after")
    def _scenario_fits(self) -> Rules:
        settings = {"rounds": self.rounds, "fief_limit": self.fief_limit, "tokens": self.magnate.tokens}
        in_order = not (self.lines_drawn or self.lines_chosen)
        if fault := check_scenario(self.scenario, self.map, self.lines, settings, in_order):
            raise ValueError(fault)
        return self

    @model_serializer(mode="wrap")
    def _write_scenario(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Return the table with no more of `scenario` than is set, so that equal rules have equal hashes."""
        table = handler(self)
        written = self.scenario.model_dump(exclude_defaults=True)
        table.pop("scenario", None)
        return {**table, "scenario": written} if written else table

    @property
    def rounds_before(self) -> int:
        """Rounds over before a scenario begins (SET-7)."""
        return max(0, self.scenario.round - 1)

    @property
    def rounds_to_play(self) -> int:
        """Most rounds of a game."""
        return self.rounds - self.rounds_before


def _no_line(key: str, line: str) -> str:
    return tr("{key}: {line} is not a district of the map with a line", key=key, line=repr(line))


def list_reconstructions(rules: Rules) -> list[str]:
    """Return one line for the rules, whose numbers are mostly reconstructed, and for each reconstructed table."""
    tables = {f"map {rules.map.name!r}": rules.map, f"events {rules.events.name!r}": rules.events}
    return [
        N_("rules: the lists of the designer's draft are lost in its transcript; numbers marked [R] are a guess"),
        *name_reconstructions(tables),
    ]
