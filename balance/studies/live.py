"""Changes of rules tried live: a plan's games in memory, with changed keys, compared with those before the change."""

from __future__ import annotations

import math
import shlex
import threading
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from balance.analysis.compare import Pairs, pair_questions, read_pairs
from balance.analysis.ended import Played, notes_on_games
from balance.analysis.gather import Answers, in_plan_order
from balance.analysis.question import Question
from balance.analysis.row_tables import (
    NEEDED,
    declare_names,
    fetch,
    make_round_rows,
    make_seat_rows,
    stratum_of,
    wanted,
    words_of,
)
from balance.analysis.shares import judged_shares
from balance.analysis.spread import cell_questions, read_cell_means
from balance.analysis.target_checks import target_question
from balance.contract.analytics import Measure
from balance.contract.game import Game, get_game
from balance.experiments.command import run_words
from balance.experiments.experiment import MOST_GAMES, make_experiment
from balance.experiments.measures import choose_measures, known_measures
from balance.experiments.networks import default_player
from balance.experiments.plan import Cell, Part, Plan
from balance.experiments.planning import make_plan
from balance.experiments.profiles import Profile, check_profile
from balance.experiments.strategies import Strategy
from balance.experiments.variants import load_changed, nest_changes, write_variant
from balance.foundation.errors import BalanceError
from balance.foundation.files import check_key_lengths, check_values, create_file, resolve_path
from balance.foundation.language import N_, tr, write_number
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.steps import Steps
from balance.foundation.text import nth
from balance.foundation.toml import KeyPath, list_leaves, validate, write_key, write_value
from balance.report.words import name_group, name_of
from balance.runs.database import open_database, stoppable
from balance.runs.runner import compile_loops, play_tables
from balance.runs.worker import PartPlayer, Tables, join_tables
from balance.runs.workers import kept_threads
from balance.studies.settings import Tried

ChangedKeys = Mapping[KeyPath, Any]
"""Changed keys, each split into its parts, with their values; no value is a table."""


def read_change(line: str) -> ChangedKeys:
    """Return the keys that a line ``KEY = VALUE`` changes. The line is TOML; a table as value changes several keys."""
    check_key_lengths(line, tr("this line"))
    try:
        found = tomllib.loads(line)
    except (ValueError, RecursionError):
        found = {}
    check_values(found, tr("this line"))
    changed_keys = dict(list_leaves(found))
    if not changed_keys:
        raise BalanceError(
            tr("{line!r} is not KEY = VALUE, such as rounds = 7; put text in quotes", line=line)
        )
    return changed_keys


def change_keys(plan: Plan, changed_keys: ChangedKeys, changes: ChangedKeys) -> ChangedKeys:
    """Return the changed keys after applying `changes` to `changed_keys`.

    A newly changed key comes last and replaces earlier changes of its parts, such as of one player count. A rule key in
    quotes is split into its parts.
    """
    own = {strategy.name for strategy in plan.strategies}
    new = {
        path if path[0] in own else tuple(".".join(path).split(".")): value
        for path, value in changes.items()
    }
    kept = {
        path: value
        for path, value in changed_keys.items()
        if not any(_is_part(path, key, key[0] in own) for key in new)
    }
    return {**kept, **new}


def _is_part(path: KeyPath, key: KeyPath, of_strategy: bool) -> bool:
    """Return whether a key equals another or is a part of it, such as a strategy's key for one player count."""
    if of_strategy and len(key) == 2:
        return (path[0], path[-1]) == key
    return path[: len(key)] == key


def write_changed_keys(changed_keys: ChangedKeys) -> str:
    """Return all keys on one line."""
    return ", ".join(f"{write_key(path)} = {write_value(value)}" for path, value in changed_keys.items())


def split_keys(plan: Plan, changed_keys: ChangedKeys) -> tuple[ChangedKeys, ChangedKeys]:
    """Split keys into those of the rules and those that begin with the name of a strategy."""
    names = {strategy.name for strategy in plan.strategies}
    rules = {path: value for path, value in changed_keys.items() if path[0] not in names}
    return rules, {path: value for path, value in changed_keys.items() if path[0] in names}


def change_plan(start: Plan, changed_keys: ChangedKeys) -> Plan:
    """Return the plan of one variant with changed keys; the variant is named after them."""
    if not changed_keys:
        return start
    rules, weights = split_keys(start, changed_keys)
    (named,) = start.experiment.variants
    name = write_changed_keys(changed_keys)
    variant = load_changed(start.game, named, _dotted(rules), Path(), name, start.first_variant.name)
    strategies = [_change_strategy(each, start.game, weights) for each in start.tier.strategies]
    adapted = {(name, players): strategies for players in start.experiment.players}
    return replace(start, variants=[variant], tiers=[replace(start.tier, adapted=adapted)])


def nest_rules(plan: Plan, rules: ChangedKeys) -> dict[str, Any]:
    """Return keys of the rules as the tables of a variant file."""
    return nest_changes(plan.game, _dotted(rules), plan.first_variant.name)


def _dotted(rules: ChangedKeys) -> dict[str, Any]:
    return {".".join(path): value for path, value in rules.items()}


def _change_strategy(strategy: Strategy, game: Game, weights: ChangedKeys) -> Strategy:
    own = {path[1:]: value for path, value in weights.items() if path[0] == strategy.name}
    if not own:
        return strategy
    if strategy.profile is None:
        raise BalanceError(
            tr("{name} is not a profile, so it has no weights to change", name=strategy.name)
        )
    profile = strategy.profile
    for path, value in own.items():
        profile = _change_profile(profile, game, path, value, strategy.name)
    return replace(strategy, profile=profile)


def _change_profile(profile: Profile, game: Game, path: KeyPath, value: Any, where: str) -> Profile:
    """Return a profile with a new weight, setting or temperature, for all player counts or the one in the path."""
    data = profile.model_dump()
    *players, name = path or ("",)
    if name == "temperature" and not players:
        data[name] = value
    else:
        table = data["settings" if name in game.heuristics.SETTINGS else "weights"]
        counts = [key for key, each in table.items() if isinstance(each, Mapping)]
        if players and (len(players) > 1 or players[0] not in counts):
            raise BalanceError(
                tr(
                    "{where}: no weights for {players} (there are: {known})",
                    where=where, players=".".join(players),
                    known=", ".join(counts) or tr("none, they apply to every player count"),
                )
            )  # fmt: skip
        for each in [table[count] for count in players or counts] or [table]:
            each[name] = value
    found = validate(Profile, data, where)
    check_profile(found, game, where)
    return found


def with_games(plan: Plan, games: int) -> Plan:
    """Return the plan with another number of games in each cell."""
    experiment = plan.experiment.model_copy(update={"games": games})
    tiers = [replace(tier, games=games, most_games=games) for tier in plan.tiers]
    return replace(plan, experiment=experiment, tiers=tiers)


KEYS = ["players", "measure", "group"]
BEFORE, NOW, CHANGE = N_("before"), N_("now"), N_("change")


@dataclass(frozen=True)
class Arm:
    """One side of a comparison, with its games."""

    plan: Plan  # of one variant with a unique name
    tables: Tables
    changed_keys: ChangedKeys = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the variant."""
        return self.plan.first_variant.name


_SMALL, _LARGE = 10, 100


@dataclass(frozen=True)
class Line:
    """A figure of a comparison at one player count: a row of `Comparison.table` for each side that has one."""

    measure: Measure
    group: str
    sides: Mapping[str, Any]

    @property
    def label(self) -> str:
        """What is measured, with a percent sign for shares; of win shares only the seat, strategy or faction."""
        measure, group = self.measure, self.group
        if not measure.is_split_share:
            return name_of(measure, group) + (", %" if measure.is_share else "")
        return (
            tr("{nth} seat", nth=nth(int(group))) if measure.by == "seat" else name_group(measure, group)
        )

    def write(self, side: str) -> tuple[str, str, str]:
        """Return a side's value and ends: one decimal, two for small levels, none for large ones."""
        levels = [abs(row.value) for each, row in self.sides.items() if each != CHANGE]
        size = max((each for each in levels if not math.isnan(each)), default=math.nan)
        digits = 2 if size < _SMALL else 0 if size >= _LARGE and side != CHANGE else 1
        spec = f"{'+' if side == CHANGE else ''}z.{digits}f"  # z: no -0.0
        row = self.sides[side]
        value, low, high = (write_number(each, spec) for each in (row.value, row.low, row.high))
        return value, low, high


@dataclass(frozen=True)
class Comparison:
    """The answers to all questions about one arm or two."""

    plan: Plan  # the plan of `now` with the variants of both arms; the baseline comes first
    sides: Mapping[str, str]  # `BEFORE` and `NOW` by the name of the variant
    measures: Sequence[Measure]  # the win shares, then the named measures
    pairs: Sequence[Pairs]  # the questions about differences; empty for one arm
    answers: Answers  # see `balance.analysis.gather.gather`

    @property
    def families(self) -> int:
        """The families of verdicts: one for each split of the win shares, and one for the changes."""
        return len(self._splits) + 1

    @property
    def _splits(self) -> list[Measure]:
        return [measure for measure in self.measures if measure.is_split_share]

    @property
    def whole(self) -> list[Measure]:
        """The measures that are not split."""
        return [measure for measure in self.measures if not measure.by]

    @property
    def notes(self) -> list[str]:
        """What to know before the figures: games that repeat, and games that all end in a draw."""
        return notes_on_games(self.answers[Played()])

    @cached_property
    def effects(self) -> pd.DataFrame:
        """The differences between the arms, see `balance.analysis.compare.read_pairs`; there must be two."""
        return read_pairs(self.plan, self.pairs, self.answers, self.families)

    @cached_property
    def table(self) -> pd.DataFrame:
        """The results of both arms and, if they differ, the paired difference.

        The win shares of seats and strategies, then the named measures: ``players``, ``measure``, ``group`` (seat from
        0, or strategy, or ""), ``side`` (`BEFORE`, `NOW`, `CHANGE`), ``value``, ``low``, ``high`` (95 %, for this
        figure alone), ``verdict`` ("" if there is none), ``n``, ``decks``. All verdicts hold together with 95 %
        confidence.
        """
        plan, answers = self.plan, self.answers
        # A single arm is judged as one of two; otherwise its verdicts would change when a key is changed.
        families = self.families * 2 // len(plan.variants)
        parts = [_shares(plan, answers, each, families) for each in self._splits]
        parts += [
            _means_by(answers, each) for each in self.measures if each.by and not each.is_split_share
        ]
        parts.append(read_cell_means(answers, self.whole).assign(group="", verdict=""))
        table = pd.concat([part.assign(side=part["variant"].map(self.sides)) for part in parts])
        if self.pairs:
            effects = self.effects.rename(columns={"effect": "value"})
            table = pd.concat([table, effects.assign(side=CHANGE)])
        order = [measure.name for measure in self.measures]
        table["place"] = table["measure"].map(order.index)
        ordered = table.sort_values(["players", "place", "group"], kind="stable", ignore_index=True)
        return ordered[[*KEYS, "side", "value", "low", "high", "verdict", "n", "decks"]]

    @property
    def shown_sides(self) -> list[str]:
        """The sides that the table has, in order."""
        return [side for side in (BEFORE, NOW, CHANGE) if (self.table["side"] == side).any()]

    def lines(self) -> dict[int, list[Line]]:
        """Return the table by player count, a line for each figure."""
        measures = {measure.name: measure for measure in self.measures}
        found: dict[int, list[Line]] = {}
        for (players, name, group), rows in self.table.groupby(KEYS, sort=False):
            line = Line(measures[name], str(group), {row.side: row for row in rows.itertuples()})
            found.setdefault(int(players), []).append(line)
        return found


def compare_arms(
    before: Arm, now: Arm, measures: Sequence[str], more: Sequence[Question] = ()
) -> Comparison:
    """Ask both arms, or one if they are the same, for their results; `more` are further questions.

    A question that needs rounds reads those that both arms keep.
    """
    arms = [now] if now is before else [before, now]
    plan = replace(now.plan, variants=[arm.plan.first_variant for arm in arms])
    asked = _measures(plan, measures)
    pairs = pair_questions(before.name, asked) if len(arms) > 1 else []
    splits, whole = [m for m in asked if m.by], [m for m in asked if not m.by]
    questions = [*map(target_question, splits), *cell_questions(whole), *pairs, Played(), *more]
    answers = _answer(plan, arms, questions)
    return Comparison(plan, {before.name: BEFORE, now.name: NOW}, asked, pairs, answers)


def _measures(plan: Plan, names: Sequence[str]) -> list[Measure]:
    """Return the win shares, then the named measures."""
    shares = [measure for measure in choose_measures(plan, None) if measure.by]
    return [*shares, *(each for each in choose_measures(plan, names) if each not in shares)]


def _shares(plan: Plan, answers: Answers, measure: Measure, families: int) -> pd.DataFrame:
    table = judged_shares(plan, answers, measure.by, families).rename(columns={measure.by: "group"})
    return table.assign(measure=measure.name, group=table["group"].astype(str))


def _means_by(answers: Answers, measure: Measure) -> pd.DataFrame:
    table = answers[target_question(measure)].rename(columns={measure.by: "group", "clusters": "decks"})
    return table.assign(group=table["group"].astype(str), verdict="")


def _answer(plan: Plan, arms: Sequence[Arm], questions: Sequence[Question]) -> Answers:
    words = NEEDED | words_of(questions)
    with stoppable(), open_database() as connection:
        for table in (*_KEPT, *([ROUNDS] if any(each.needs_rounds for each in questions) else [])):
            connection.register(table, _together(arms, table, words))
        stratum = stratum_of(plan, plan.experiment.players)
        declare_names(connection, "games")
        make_seat_rows(connection, "games", "seats", stratum)
        if any(each.needs_rounds for each in questions):
            make_round_rows(connection, ROUNDS, questions, plan.game.sides.one_seat)
        rows = {question: fetch(connection, question) for question in questions}
    return {each: each.read(in_plan_order(plan, found, each.keys)) for each, found in rows.items()}


def _together(arms: Sequence[Arm], name: str, words: set[str]) -> pa.Table:
    """Return a table of all arms with games renumbered, by cell and then in the order of the cell."""
    parts = []
    for number, arm in enumerate(arms):
        table = arm.tables[name]
        table = table.select(wanted(table.column_names, words))
        numbered = table["game_id"].to_numpy() + number * len(arm.plan.cells) * MOST_GAMES
        parts.append(table.set_column(table.column_names.index("game_id"), "game_id", [numbered]))
    return pa.concat_tables(parts)


ROUNDS = "rounds"
_KEPT = ("games", "seats")
_SLICE = 500  # games, and iterations of a searcher, between two checks for Ctrl-C
LEAST_GAMES = 20


def play_games(
    plan: Plan, workers: int | None = None, progress: Progress = SILENCE, first: int = 0, rounds: int = 0
) -> Tables:
    """Play all cells of a plan: the same games and rows as in its run. Ctrl-C discards games already played.

    The first game played of each cell is `first`. The rounds of the first `rounds` games are kept, rounded up to whole
    slices.
    """
    parts = [part for cell in plan.cells for part in _slices(plan, cell, first)]
    return join_tables(play_tables(plan, parts, partial(_kept, rounds), kept_threads(workers), progress))


def _kept(rounds: int, part: Part) -> Sequence[str]:
    """Return the tables that are kept of a part."""
    return (*_KEPT, ROUNDS) if part.first < rounds else _KEPT


def games_in(
    plan: Plan, seconds: float, most: int, workers: int | None = None, progress: Progress = SILENCE
) -> int:
    """Return how many games per cell, at most `most`, fit into the seconds, from the time of one deal per cell."""
    compile_loops(plan, progress)
    player, needed = PartPlayer(plan, threading.Event()), 0.0
    try:
        for cell in plan.cells:
            games = plan.schedule(cell).deck_games
            player.play_tables(Part(cell.number, 0, 1, "games"), _KEPT)  # starts the processes of bots
            began = time.perf_counter()
            player.play_tables(Part(cell.number, 0, games, "games"), _KEPT)
            needed += (time.perf_counter() - began) / games
    finally:
        player.close()
    return max(LEAST_GAMES, min(most, int(seconds * kept_threads(workers).count / needed)))


def _slices(plan: Plan, cell: Cell, start: int) -> Iterator[Part]:
    size = max(1, _SLICE // max(1, cell.tier.iterations))
    for first in range(start, cell.tier.games, size):
        last = min(first + size, cell.tier.games)
        yield Part(cell.number, first, last, plan.experiment.log)


_TIMES = 4  # a full run has this many times the games


def save_variant(arm: Arm, name: str) -> Path:
    """Write a variant file that extends the start variant, with the changed rule keys."""
    rules, _ = split_keys(arm.plan, arm.changed_keys)
    if not rules:
        raise BalanceError(
            tr("save: no rule was changed; to keep weights of a strategy, write a profile")
        )
    if "," in name:
        raise BalanceError(tr("save: the name of a variant must not contain a comma: {name}", name=name))
    path = resolve_path(name, Path())
    if path.suffix != ".toml":
        raise BalanceError(
            tr("save: the name of a variant file ends in .toml: {file}", file=f"{name}.toml")
        )
    text = _write_variant(arm.plan, rules, path)
    try:
        create_file(Path(name).expanduser(), text.encode("utf-8"))
    except BalanceError as error:
        raise BalanceError(f"save: {error}") from None
    return Path(name)


def _write_variant(plan: Plan, rules: ChangedKeys, path: Path) -> str:
    (start,) = plan.experiment.variants
    told = {"title": path.stem, "description": f"{Path(start).stem} with {write_changed_keys(rules)}"}
    return write_variant(plan.game, path, (start, Path()), told, nest_rules(plan, rules))


def proper_run(arm: Arm, saved: str) -> str:
    """Return the command of a run that compares the start with the variant `saved`, on held-out deals."""
    plan, experiment = arm.plan, arm.plan.experiment
    variants, games = [*experiment.variants, saved], _TIMES * plan.tier.games
    words = run_words(experiment.game, experiment.players, variants, experiment.strategies, games)
    words += ["--seed", str(experiment.seed + 1), "--log", "rounds"]
    return shlex.join(["balance", *words, "--out", f"runs/{Path(saved).stem}"])


GAMES = 10_000
MOST_IN_MEMORY = 200_000
"""Most games of a cell; use a run for more."""
_SECONDS = 1.0  # playing time if bots are slow
MEASURES = ("won", "score", "margin", "comeback", "minutes")
"""Measures shown by default, those of them that the game has."""


class LiveTable:
    """Games of one variant, and the same games with changed keys.

    All games have the same deals, line-ups and seeds. Ctrl-C stops playing. A refused or stopped change leaves the
    table unchanged.

    Parameters
    ----------
    start : Plan
        A plan of one variant without tiers; its games are played immediately.
    paced : bool
        Whether to play fewer games than planned if players that think long would take more than about a second.
    measures : sequence of str
        Names of measures shown in addition to the win shares; empty: `MEASURES`.
    """

    def __init__(
        self, start: Plan, paced: bool, measures: Sequence[str] = (), workers: int | None = None,
        progress: Progress = SILENCE,
    ) -> None:  # fmt: skip
        measures = measures or known_measures(start, MEASURES)
        choose_measures(start, measures)
        _check_games(start.tier.games)
        self._measures, self._workers = measures, workers
        if paced and start.tier.thinks_long:
            start = with_games(start, games_in(start, _SECONDS, start.tier.games, workers, progress))
        self.start = self.before = self.now = self._play(start, {}, progress)
        self._steps: Steps[ChangedKeys] = Steps([{}])

    @property
    def games(self) -> int:
        """Games at each player count."""
        return self.start.plan.tier.games

    def change(self, line: str, progress: Progress = SILENCE) -> None:
        """Change a key, as in ``rounds = 7``, and play. Setting the current value is not a change for `undo`."""
        changed = change_keys(self.start.plan, self._steps.state, read_change(line))
        self._go(changed, progress)
        self._steps.add(changed)

    def undo(self, progress: Progress = SILENCE) -> None:
        """Undo the last change."""
        self._go(self._steps.earlier(), progress)
        self._steps.go(-1)

    def redo(self, progress: Progress = SILENCE) -> None:
        """Make the change again that was undone last."""
        self._go(self._steps.later(), progress)
        self._steps.go(1)

    def reset(self) -> None:
        """Undo all changes; comparisons are with the start again."""
        self.before = self.now = self.start
        self._steps = Steps([{}])

    def keep(self) -> None:
        """Make the current rules the baseline of comparisons."""
        self.before = self.now

    def set_games(self, games: int, progress: Progress = SILENCE) -> None:
        """Set the number of games at each player count, and play both sides again with it."""
        _check_games(games)
        plan = with_games(self.start.plan, games)
        played: list[Arm] = []
        for arm in (self.start, self.before, self.now):
            alike = [each for each in played if each.changed_keys == arm.changed_keys]
            played += alike[:1] or [
                self._play(change_plan(plan, arm.changed_keys), arm.changed_keys, progress)
            ]
        self.start, self.before, self.now = played

    def compare(self) -> Comparison:
        """Return the current results."""
        return compare_arms(self.before, self.now, self._measures)

    def _go(self, changed_keys: ChangedKeys, progress: Progress) -> None:
        # Refuses 8.0 for 8, although they are equal keys of known arms.
        plan = change_plan(self.start.plan, changed_keys)
        known = [arm for arm in (self.now, self.before, self.start) if arm.changed_keys == changed_keys]
        self.now = known[0] if known else self._play(plan, changed_keys, progress)

    def _play(self, plan: Plan, changed_keys: ChangedKeys, progress: Progress) -> Arm:
        return Arm(plan, play_games(plan, self._workers, progress), changed_keys)


def open_table(asked: Tried, workers: int | None = None, progress: Progress = SILENCE) -> LiveTable:
    """Return a table with its first games played; the changes asked for are not made yet."""
    game = get_game(asked.game)
    counts = list(asked.players or game.players)
    data = {
        "game": asked.game, "players": counts, "variants": [asked.variant],
        "strategies": list(asked.strategies) or [default_player(game, counts)], "games": asked.games or GAMES,
        "seed": asked.seed, "log": "rounds",
    }  # fmt: skip
    plan = make_plan(make_experiment(data), Path(), tr("command line"))
    return LiveTable(plan, asked.games is None, asked.measures, workers, progress)


def _check_games(games: int) -> None:
    if not 0 < games <= MOST_IN_MEMORY:
        raise BalanceError(
            tr("games: must be from 1 to {most:,}; for more games use balance run", most=MOST_IN_MEMORY)
        )
