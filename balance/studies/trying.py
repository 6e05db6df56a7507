"""Changes of rules tried line by line: a variant's games with changed keys, compared with those before."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from balance.contract.game import Game, get_game
from balance.experiments.command import run_words
from balance.experiments.experiment import make_experiment
from balance.experiments.measures import choose_measures, known_measures
from balance.experiments.networks import default_player
from balance.experiments.plan import Plan
from balance.experiments.planning import make_plan
from balance.experiments.profiles import Profile, check_profile
from balance.experiments.strategies import Strategy
from balance.experiments.variants import load_changed, nest_changes, write_variant
from balance.foundation.errors import BalanceError
from balance.foundation.files import check_key_lengths, check_values, create_file, resolve_path
from balance.foundation.language import tr
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.steps import Steps
from balance.foundation.toml import KeyPath, list_leaves, validate, write_key, write_value
from balance.runs.batches import check_followed
from balance.studies.arms import MEASURES, Arm, ChangedKeys, Comparison, compare_arms, games_in, play_games, with_games
from balance.studies.settings import Tried


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
        raise BalanceError(tr("{line!r} is not KEY = VALUE, such as rounds = 7; put text in quotes", line=line))
    return changed_keys


def change_keys(plan: Plan, changed_keys: ChangedKeys, changes: ChangedKeys) -> ChangedKeys:
    """Return the changed keys after applying `changes` to `changed_keys`.

    A newly changed key comes last and replaces earlier changes of its parts, such as of one player count. A rule key in
    quotes is split into its parts.
    """
    own = {strategy.name for strategy in plan.strategies}
    new = {path if path[0] in own else tuple(".".join(path).split(".")): value for path, value in changes.items()}
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
        raise BalanceError(tr("{name} is not a profile, so it has no weights to change", name=strategy.name))
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


_TIMES = 4  # a full run has this many times the games


def save_variant(arm: Arm, name: str) -> Path:
    """Write a variant file that extends the start variant, with the changed rule keys."""
    rules, _ = split_keys(arm.plan, arm.changed_keys)
    if not rules:
        raise BalanceError(tr("save: no rule was changed; to keep weights of a strategy, write a profile"))
    if "," in name:
        raise BalanceError(tr("save: the name of a variant must not contain a comma: {name}", name=name))
    path = resolve_path(name, Path())
    if path.suffix != ".toml":
        raise BalanceError(tr("save: the name of a variant file ends in .toml: {file}", file=f"{name}.toml"))
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


class Trial:
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
        if any(measure.is_followed for measure in choose_measures(start, measures, apart=True)):
            check_followed(start)
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
            played += alike[:1] or [self._play(change_plan(plan, arm.changed_keys), arm.changed_keys, progress)]
        self.start, self.before, self.now = played

    def compare(self) -> Comparison:
        """Return the current results."""
        return compare_arms(self.before, self.now, self._measures, workers=self._workers)

    def _go(self, changed_keys: ChangedKeys, progress: Progress) -> None:
        # Refuses 8.0 for 8, although they are equal keys of known arms.
        plan = change_plan(self.start.plan, changed_keys)
        known = [arm for arm in (self.now, self.before, self.start) if arm.changed_keys == changed_keys]
        self.now = known[0] if known else self._play(plan, changed_keys, progress)

    def _play(self, plan: Plan, changed_keys: ChangedKeys, progress: Progress) -> Arm:
        return Arm(plan, play_games(plan, self._workers, progress), changed_keys)


def open_trial(asked: Tried, workers: int | None = None, progress: Progress = SILENCE) -> Trial:
    """Return a table with its first games played; the changes asked for are not made yet."""
    game = get_game(asked.game)
    counts = list(asked.players or game.players)
    data = {
        "game": asked.game, "players": counts, "variants": [asked.variant],
        "strategies": list(asked.strategies) or [default_player(game, counts)], "games": asked.games or GAMES,
        "seed": asked.seed, "log": "rounds",
    }  # fmt: skip
    plan = make_plan(make_experiment(data), Path(), tr("command line"))
    return Trial(plan, asked.games is None, asked.measures, workers, progress)


def _check_games(games: int) -> None:
    if not 0 < games <= MOST_IN_MEMORY:
        raise BalanceError(tr("games: must be from 1 to {most:,}; for more games use balance run", most=MOST_IN_MEMORY))
