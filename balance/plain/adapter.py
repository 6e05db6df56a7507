"""A game in plain Python with the interface of a compiled one: modules, records, codes.

The state of a compiled game is a record of numbers. Here the record has one field more, the author's own object
(``position``). Records are copied often and only refer to this object, so `apply` changes a copy of it.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from types import FunctionType, SimpleNamespace
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, Field, PydanticUserError, Strict

from balance.contract.analytics import Component, Measure, OptionSet, literal
from balance.contract.game import Game, Records
from balance.contract.own_games import FILE
from balance.contract.records import (
    GAME_COLUMNS,
    MAX_SEATS,
    MOVES_HASH,
    RESERVED,
    SEAT_COLUMNS,
    Columns,
    log_type,
    state_type,
)
from balance.contract.rule_tables import with_defaults
from balance.contract.sides import TEAM, Sides
from balance.contract.view import Panel
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr
from balance.foundation.text import listed
from balance.foundation.toml import Settings, validate
from balance.plain.chance import Chance
from balance.plain.faults import MOST_ACTIONS, Guarded, NoRoomError, check_actions, fault_in, short
from balance.plain.hidden import UNSEEN, Thing, as_data, has_attributes
from balance.plain.interface import GOALS, LOST, WON, PlainGame, RuleSet, has_own
from balance.plain.loop import PlainLoop
from balance.plain.results import number_outcome, read_results, read_scores, weigh, write_seats

_NEEDED = ("setup", "actions", "apply", "over")
_MOST_NOTES = 1000  # of chance between two decisions
_NUMBER = "f8"  # of scores and columns: exact for whole numbers, where float32 ends at 16,777,216
PAGE = "docs/own-game.md"
SOURCE = "chance"  # the only source of chance
COMPONENTS = N_("components")  # the kind of all components of a game
MOVES_HASH_MEANING = (
    "A hash of all moves and of the result; if all games of a line-up have the same, they count as one."
)


@dataclass(frozen=True)
class PackedRules:
    """The rules of a game at a player count."""

    rules: RuleSet
    players: int

    def tobytes(self) -> bytes:
        """Return all that affects games."""
        content = self.rules.model_dump(mode="json", exclude={"title", "description"})
        return json.dumps([content, self.players], sort_keys=True).encode()


class Labels:
    """The numbers of actions and outcomes of chance in this process."""

    def __init__(self) -> None:
        self._codes: dict[tuple[bool, str], int] = {}
        self.written: list[tuple[bool, str]] = []
        self._lock = Lock()

    def code(self, label: str, is_chance: bool = False) -> int:
        """Return the number of a label."""
        key = is_chance, label
        if key not in self._codes:
            with self._lock:  # a worker of a cluster may play in several threads
                if key not in self._codes:
                    self.written.append(key)
                    self._codes[key] = len(self.written) - 1
        return self._codes[key]


@dataclass(frozen=True)
class AdaptedGame(Game):
    """A game in plain Python; `name` is its folder."""

    @property
    def author(self) -> PlainGame:
        """The author's game."""
        return _PARTS[self.name].author

    @property
    def guarded(self) -> Any:
        """The author's game with errors of one line, for calls outside the loop."""
        return Guarded(self.author, self.folder)

    @property
    def labels(self) -> Labels:
        """The numbers of its labels."""
        return _PARTS[self.name].labels

    @property
    def own_loop(self) -> type:
        """The loop in plain Python."""
        return PlainLoop

    @property
    def page(self) -> str:
        """The page that says how to write such a game."""
        return PAGE

    @property
    def sides(self) -> Sides:
        """Who wins together."""
        return self.author._sides

    @property
    def observing_module(self) -> str:
        """None: observations are plain data."""
        return ""

    @property
    def folder(self) -> Path:
        """The folder of the game."""
        return Path(self.name)

    @cached_property
    def rules(self) -> Any:
        """The rule set as checked data."""
        return with_defaults(SimpleNamespace(Rules=self.author.Rules), self.folder)

    @cached_property
    def records(self) -> Records:
        """The record types; the record of a network has one field, a `balance.plain.learned.LearnedPlayer`."""
        found: Records = super().records
        return found._replace(network=np.dtype([("player", "O")]))

    @cached_property
    def kernel(self) -> Any:
        """The rules, as functions of records."""
        return Kernel(self.guarded, self.labels)

    @cached_property
    def heuristics(self) -> Any:
        """What profiles weigh."""
        return Heuristics(self.guarded, self.labels)

    @cached_property
    def display(self) -> Any:
        """Labels, what a seat sees, panels."""
        return Display(self.guarded, self.labels)

    @cached_property
    def analytics(self) -> Any:
        """The game's own columns as measures, and its options."""
        author = self.author
        measures = tuple(
            Measure(name, name.replace("_", " "), name, meaning=meaning) for name, meaning in author.COLUMNS.items()
        )
        box = {"BOX_MINUTES": author.BOX_MINUTES} if author.BOX_MINUTES else {}
        return SimpleNamespace(
            SCORE_PARTS=(), MEASURES=measures, CHOICES=(), OPTIONS=_option_sets(author.OPTIONS),
            SECONDS_PER_CHOICE=author.SECONDS_PER_CHOICE, **box,
            list_components=lambda rules: [Component(name, COMPONENTS) for name in author.COMPONENTS],
        )  # fmt: skip


def _option_sets(options: Mapping[str, str]) -> list[OptionSet]:
    """Return the options of a game as one set; of two that fit an action, the longer one counts."""
    if not options:
        return []
    tests = (
        f"WHEN label = {literal(each)} OR starts_with(label, {literal(f'{each} ')}) THEN {literal(each)}"
        for each in sorted(options, key=len, reverse=True)
    )
    column = f"(CASE {' '.join(tests)} END)"
    return [OptionSet("actions", f"seat >= 0 AND kind <> 'outcome' AND {column} IS NOT NULL", column, options)]


@dataclass(frozen=True)
class _Parts:
    author: PlainGame
    labels: Labels


_PARTS: dict[str, _Parts] = {}


def _has_but_lacks(where: str, table: str, method: str) -> str:
    return tr("{where} has {table}, but lacks {method}", where=where, table=table, method=method)


def adapt(author: type[PlainGame], folder: Path) -> AdaptedGame:
    """Return the game of an author's class; an error names what it lacks."""
    where = f"{folder / FILE}: class {author.__name__}"
    needed = _NEEDED if has_own(author, "outcome") else (*_NEEDED, "scores")
    lacks = [f"{name}()" for name in needed if not has_own(author, name)]
    lacks += [name for name in ("title", "players", "Rules") if not hasattr(author, name)]
    if lacks:
        raise BalanceError(tr("{where} lacks {missing}", where=where, missing=", ".join(lacks)))
    _check_attributes(author, where)
    counts = author.players
    whole = all(type(each) is int and 1 <= each <= MAX_SEATS for each in counts)
    if not counts or not whole:
        raise BalanceError(
            tr(
                "{where}: players must be 1 to {most}, such as (2, 3, 4), not {counts}",
                where=where, most=MAX_SEATS, counts=str(counts),
            )
        )  # fmt: skip
    _check_sides(author, where)
    _check_rules(author.Rules, where)
    if author.GOAL not in GOALS:
        raise BalanceError(
            tr("{where}: GOAL must be {goals}, not {goal!r}", where=where, goals=" or ".join(GOALS), goal=author.GOAL)
        )
    if author.FEATURES and not has_own(author, "features"):
        raise BalanceError(_has_but_lacks(where, "FEATURES", "features(state, action)"))
    if author.POSITION and not has_own(author, "position"):
        raise BalanceError(_has_but_lacks(where, "POSITION", "position(state, seat)"))
    if author.COLUMNS and not has_own(author, "columns"):
        raise BalanceError(_has_but_lacks(where, "COLUMNS", "columns(state, seat)"))
    if author.COMPONENTS and not has_own(author, "give"):
        raise BalanceError(_has_but_lacks(where, "COMPONENTS", "give(state, seat, name)"))
    _check_names(author, where)
    _check_outcomes(author, where)
    base = folder / "variants" / "base.toml"
    if not base.is_file():
        raise BalanceError(
            tr(
                "{file} is missing: write a title, a description and the value of each rule (see {page})",
                file=base,
                page=f"{PAGE}#change-it-into-your-game",
            )
        )
    parts = _Parts(author(), Labels())
    if has_own(author, "teams"):
        _check_teams(parts.author)
    _PARTS[str(folder)] = parts
    summary = author.summary or "a game in plain Python"
    return AdaptedGame(str(folder), author.title, tuple(counts), author.__module__, summary)


def _check_sides(author: type[PlainGame], where: str) -> None:
    """Refuse a class that does not say clearly who wins together."""
    if has_own(author, "outcome") and has_own(author, "teams"):
        raise BalanceError(tr("{where} has both outcome() and teams(): players win together, or in teams", where=where))
    if 1 in author.players and not has_own(author, "outcome"):
        raise BalanceError(
            tr(
                "{where}: players has 1, and one player has no rival: write outcome(state), which returns {won!r} or "
                "{lost!r}",
                where=where, won=WON, lost=LOST,
            )
        )  # fmt: skip
    for method, name in (("teams", TEAM), ("outcome", "won")):
        if has_own(author, method) and name in author.COLUMNS:
            raise BalanceError(_column_taken(where, name))


def _check_teams(author: PlainGame) -> None:
    """Refuse teams that are not a name for each seat, of two teams or more."""
    for players in author.players:
        found = author.teams(players)
        fits = isinstance(found, (list, tuple)) and len(found) == players
        if not fits or not all(type(each) is str and each for each in found) or len(set(found)) < 2:
            raise fault_in(
                author.teams,
                tr(
                    "must return a name for each of {n} seats, and name at least two teams, not {value}",
                    n=players, value=short(found),
                ),
            )  # fmt: skip


def _column_taken(where: str, name: str) -> str:
    return tr("{where}: COLUMNS has {name}, which every game has; choose another name", where=where, name=name)


Named = dict[str, str]


def _in_order(pair: tuple[float, float]) -> tuple[float, float]:
    if pair[0] > pair[1]:
        raise ValueError(tr("the smaller number must come first"))
    return pair


Positive = Annotated[float, Field(gt=0)]
Pair = Annotated[tuple[Positive, Positive], Strict(False), AfterValidator(_in_order)]


class _Attributes(Settings):
    """The attributes of an author's class."""

    title: Annotated[str, Field(min_length=1)]
    summary: str
    players: Annotated[list[int], Field(min_length=1), Strict(False)]
    FEATURES: Named
    POSITION: Named
    COLUMNS: Named
    COMPONENTS: Named
    OUTCOMES: dict[str, Annotated[list[str], Strict(False)]]
    PARTS: Named
    OUTCOME_TEXTS: Named
    MOST_ROUNDS: Annotated[int, Field(ge=1)]
    SECONDS_PER_CHOICE: Pair
    BOX_MINUTES: Pair | None


def _check_attributes(author: type[PlainGame], where: str) -> None:
    """Refuse an attribute of another type than it must have."""
    validate(_Attributes, {name: getattr(author, name) for name in _Attributes.model_fields}, where)
    methods = [name for name, each in vars(PlainGame).items() if isinstance(each, FunctionType)]
    for name in methods:
        if not callable(getattr(author, name)):
            raise BalanceError(tr("{where}: {name} must be a method", where=where, name=f"{name}()"))


def _check_rules(rules: Any, where: str) -> None:
    """Refuse a model of the rules whose keys could not be in a file."""
    if not (isinstance(rules, type) and issubclass(rules, RuleSet)):
        raise BalanceError(tr("{where}: Rules must be a class derived from RuleSet", where=where))
    try:
        rules.model_rebuild()
    except (PydanticUserError, NameError) as error:
        why = str(error).partition("\n")[0]
        raise BalanceError(tr("{where}: Rules: {why}", where=where, why=why)) from None
    for name, field in rules.model_fields.items():
        default = None if field.is_required() else field.get_default(call_default_factory=True)
        try:
            json.dumps(default, allow_nan=False)
        except (TypeError, ValueError):
            raise BalanceError(
                tr(
                    "{where}: Rules: the default of {name} must be a number, a text, true or false, or a list or table "
                    "of these, not {value}",
                    where=where, name=name, value=short(default),
                )
            ) from None  # fmt: skip


def _check_outcomes(author: type[PlainGame], where: str) -> None:
    """Refuse texts of outcomes that a replay could not fill in."""
    for name, text in author.OUTCOME_TEXTS.items():
        parts = author.OUTCOMES.get(name, ())
        try:
            text.format(**dict.fromkeys(parts, 0))
        except (KeyError, IndexError, ValueError, AttributeError):
            raise BalanceError(
                tr(
                    "{where}: OUTCOME_TEXTS: the text of {name!r} may have these parts in braces: {parts}; not {value}",
                    where=where, name=name, parts=listed(parts) or "–", value=short(text),
                )
            ) from None  # fmt: skip


def _check_names(author: type[PlainGame], where: str) -> None:
    """Refuse names that are no words, and columns that every game has."""
    for table in ("FEATURES", "POSITION", "COLUMNS", "OUTCOMES", "PARTS"):
        for name in getattr(author, table):
            if not (isinstance(name, str) and name.isidentifier()):
                raise BalanceError(
                    tr(
                        "{where}: {table}: a name is one word of letters, digits and _, not {name!r}",
                        where=where,
                        table=table,
                        name=name,
                    )
                )
    for option, title in author.OPTIONS.items():
        if not (isinstance(option, str) and option.strip() and isinstance(title, str)):
            raise BalanceError(
                tr("{where}: OPTIONS: an option and its name are text, not {value}", where=where, value=short(option))
            )
    if taken := sorted(set(author.COLUMNS) & {*GAME_COLUMNS, *SEAT_COLUMNS, *RESERVED, MOVES_HASH}):
        raise BalanceError(_column_taken(where, taken[0]))


class Kernel:
    """The rules of a game as functions of records, see `balance.contract.modules.KernelModule`."""

    CHANCE = (SOURCE,)
    SCRATCH = ()
    MOST_ACTIONS = MOST_ACTIONS

    def __init__(self, author: Any, labels: Labels) -> None:
        self._author, self._labels = author, labels
        self.OUTCOMES, self.PARTS = author.OUTCOMES, author.PARTS
        self.MOST_COMPONENTS = len(author.COMPONENTS)
        own = [(name, _NUMBER, meaning) for name, meaning in author.COLUMNS.items()]
        if author._sides.kind == TEAM:
            own.append((TEAM, "i1", "The team of the seat."))
        self.COLUMNS = Columns([(MOVES_HASH, "u4", MOVES_HASH_MEANING)], own)
        self.STATE = state_type([("position", "O")], self.CHANCE)
        self.LOG = log_type(self.COLUMNS, author.MOST_ROUNDS, max(author.players), _MOST_NOTES, scores=_NUMBER)

    def pack_rules(self, rules: RuleSet, players: int) -> PackedRules:
        """Return the rules at a player count."""
        return PackedRules(rules, players)

    def setup(self, rules: PackedRules, state: Any, log: Any, scratch: Any) -> None:
        """Deal a game."""
        state["players"], state["round_number"] = rules.players, 1
        chance = self._listen(state, log)
        state["position"] = self._author.setup(rules.rules, rules.players, chance)
        self._follow(state, chance)

    def legal_actions(self, rules: PackedRules, state: Any, scratch: Any, codes: np.ndarray) -> int:
        """Write the codes of the legal actions, and return their number."""
        actions = self._author.actions(state["position"])
        check_actions(self._author, actions)
        codes[: len(actions)] = [self._labels.code(each) for each in actions]
        return len(actions)

    def apply(self, rules: PackedRules, state: Any, log: Any, scratch: Any, code: int) -> None:
        """Carry out an action in a copy of the position, because other records refer to it too."""
        before = int(state["round_number"])
        state["position"] = self._author.clone(state["position"])
        chance = self._listen(state, log)
        self._author.apply(state["position"], self._labels.written[code][1], chance)
        self._follow(state, chance)
        ended = int(state["round_number"]) + int(state["over"])
        if log["keep_rounds"] and ended > before:
            scores = read_scores(self._author, state["position"], rules.players)
            log["history"]["score"][before - 1 : ended - 1, : rules.players] = scores

    def _listen(self, state: Any, log: Any) -> Chance:
        """Return the chance of a state, which writes outcomes into a log that asks for them."""

        def write(code: int, numbers: Sequence[int] = ()) -> None:
            if log["entry_count"] >= log["entry_room"]:
                raise NoRoomError(tr("more outcomes between two decisions than the log has room for"))
            entry = log["entries"][log["entry_count"]]
            entry["code"], entry["round_number"] = code, getattr(state["position"], "round", 1)
            entry["parts"][: len(numbers)] = numbers
            log["entry_count"] += 1

        chance = Chance(int(state["chance"][0]))
        if log["keep_chance"]:
            chance.on_note = lambda label: write(self._labels.code(label, is_chance=True))
            chance.on_outcome = lambda name, parts: write(*number_outcome(self._author, name, parts))
        return chance

    def _follow(self, state: Any, chance: Chance) -> None:
        """Bring the fields that all games share up to date with the position."""
        position = state["position"]
        state["chance"][0] = chance.word
        state["seat"], state["round_number"] = position.seat, getattr(position, "round", 1)
        state["over"] = int(bool(self._author.over(position)))

    def conceal(self, rules: PackedRules, state: Any, scratch: Any) -> None:
        """Replace the position by what the seat to choose sees."""
        state["chance"][0] = 0
        seen = self._author.seen(self._author.clone(state["position"]), int(state["seat"]))
        state["position"] = seen

    def determinize(self, rules: PackedRules, state: Any, scratch: Any, streams: np.ndarray, index: int) -> None:
        """Deal again what the seat to choose can't see."""
        chance, author = Chance(int(streams[index])), self._author
        copied = author.clone(state["position"])
        state["position"] = author.guess(copied, int(state["seat"]), chance)
        state["chance"][0] = chance._next()
        streams[index] = chance.word

    def count_components(self, rules: PackedRules, state: Any, log: Any, counts: Any) -> None:
        """Count each component once: all are given at the start."""
        counts["shown"][: self.MOST_COMPONENTS] = 1

    def give_component(self, rules: PackedRules, state: Any, log: Any, component: int, seat: int) -> bool:
        """Give a seat a component."""
        state["position"] = self._author.clone(state["position"])
        name = list(self._author.COMPONENTS)[component]
        return self._author.give(state["position"], seat, name) is not False

    def write_result(self, rules: PackedRules, state: Any, log: Any, scratch: Any, game: Any, seats: Any) -> None:
        """Fill the score and rank of every seat, and its own columns."""
        write_seats(seats, read_results(self._author, state["position"], rules.players))


class Heuristics:
    """What profiles weigh, see `balance.contract.modules.HeuristicsModule`."""

    SETTINGS: Mapping[str, Any] = {}
    SCRATCH = ()

    def __init__(self, author: Any, labels: Labels) -> None:
        self._author, self._labels = author, labels
        self.FEATURES, self.POSITION = author.FEATURES, author.POSITION

    def evaluate(
        self, rules: PackedRules, state: Any, scratch: Any, weights: Any, codes: Any, count: int, values: Any
    ) -> None:
        """Fill the value of each action for the seat to choose."""
        named = {name: float(weights[name]) for name in self.FEATURES}
        actions = [self._labels.written[code][1] for code in codes[:count].tolist()]
        values[:count] = weigh(self._author, state["position"], actions, named)

    def score_now(self, rules: PackedRules, state: Any, scratch: Any) -> None:
        """Fill the score of every seat."""
        scratch["scores"][: rules.players] = read_scores(self._author, state["position"], rules.players)


class Display:
    """Labels, what a seat sees, and panels, see `balance.contract.modules.DisplayModule`."""

    def __init__(self, author: Any, labels: Labels) -> None:
        self._author, self._labels = author, labels
        self.OUTCOME_TEXTS = author.OUTCOME_TEXTS
        self.WORDS = {TEAM: author._sides.names}

    def write_label(self, code: int, rules: Any) -> str:
        """Return a label."""
        return self._labels.written[code][1]

    def kind_name(self, code: int) -> str:
        """Return the kind of a decision; ``chance`` for chance."""
        is_chance, label = self._labels.written[code]
        return "chance" if is_chance else self._author.kind(label)

    def observe(self, rules: Any, state: Any, seat: int) -> Any:
        """Return what a seat sees as plain data, with the kind of decision and the seat that sees it."""
        copied = self._author.clone(state["position"])
        seen = self._author.seen(copied, seat)
        if not has_attributes(seen):
            raise fault_in(
                self._author.seen, tr("must return an object, such as the state, not {value}", value=short(seen))
            )
        try:
            view = as_data(seen)
        except ValueError as error:
            raise fault_in(self._author.setup, tr("returns a state that can't be shown: {why}", why=error)) from error
        if isinstance(view, dict):  # a state that is a dict with attributes
            view = Thing(**view)
        actions = [] if state["over"] else self._author.actions(state["position"])
        view.viewer, view.kind = seat, self._author.kind(actions[0]) if actions else ""
        return view

    def conserved(self, rules: Any, state: Any) -> Mapping[str, Any]:
        """Return no quantities."""
        return {}

    def say(self, label: str, who: str) -> str:
        """Return a label as a sentence."""
        return str(self._author.say(label, who))

    def summarise(self, observation: Any, names: list[str]) -> list[str]:
        """Return one line for each player; none if the position has no list by seat."""
        by_seat, _ = _split(observation, len(names))
        if not by_seat:
            return []
        return [
            f"{name}: {', '.join(f'{key} {_write(each[seat])}' for key, each in by_seat.items())}"
            for seat, name in enumerate(names)
        ]

    def show(self, rules: Any, observation: Any, names: list[str]) -> list[Panel]:
        """Return the author's tables, or by default all attributes: those by seat, then the others."""
        own = self._author.panels(observation, names)
        if own:
            return [Panel(title, rows=[list(map(str, row)) for row in rows]) for title, rows in own.items()]
        by_seat, others = _split(observation, len(names))
        rows = [[name, *(_write(each[n]) for each in by_seat.values())] for n, name in enumerate(names)]
        panels = [Panel("Players", ["player", *by_seat], rows)]
        if others:
            panels.append(Panel("Table", rows=[[key, _write(each)] for key, each in others.items()]))
        return panels


_MOST_UNSEEN = 12  # hidden things that are written one by one
_NOT_SHOWN = ("rules", "players", "viewer", "kind", "seat", "round")


def _split(view: Any, players: int) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Return the attributes of a view that are lists by seat, and the others."""
    shown = {key: each for key, each in vars(view).items() if key not in _NOT_SHOWN}
    by_seat = {key: each for key, each in shown.items() if isinstance(each, list) and len(each) == players}
    return by_seat, {key: each for key, each in shown.items() if key not in by_seat}


def _write(thing: Any) -> str:
    """Return a value as text for a table."""
    if thing is None:
        return "-"
    if isinstance(thing, (list, tuple, deque)):
        if len(thing) > _MOST_UNSEEN and all(each == UNSEEN for each in thing):
            return f"{len(thing)} hidden"
        return " ".join(map(_write, thing)) or "-"
    if isinstance(thing, (set, frozenset)):
        return " ".join(sorted(map(_write, thing))) or "-"
    if isinstance(thing, dict):
        return ", ".join(f"{key}: {_write(each)}" for key, each in thing.items()) or "-"
    if isinstance(thing, Thing):
        return f"({', '.join(f'{key} {_write(each)}' for key, each in vars(thing).items())})"
    return str(thing)
