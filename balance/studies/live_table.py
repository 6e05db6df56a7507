"""The live table of `balance try`; its changed keys as a variant file, and the command of a full run."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from balance.experiments.command import run_words
from balance.experiments.measures import choose_measures, known_measures
from balance.experiments.plan import Plan
from balance.experiments.variants import write_variant
from balance.foundation.errors import BalanceError
from balance.foundation.files import create_file, resolve_path
from balance.foundation.language import tr
from balance.foundation.progress import SILENCE, Progress
from balance.studies.live_games import (
    Arm,
    ChangedKeys,
    Comparison,
    change_keys,
    change_plan,
    compare_arms,
    games_in,
    nest_rules,
    play_games,
    read_change,
    split_keys,
    with_games,
    write_changed_keys,
)

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
        self._earlier: list[ChangedKeys] = []

    @property
    def games(self) -> int:
        """Games at each player count."""
        return self.start.plan.tier.games

    def change(self, line: str, progress: Progress = SILENCE) -> None:
        """Change a key, as in ``rounds = 7``, and play. Setting the current value is not a change for `undo`."""
        earlier = self.now.changed_keys
        self._go(change_keys(self.start.plan, earlier, read_change(line)), progress)
        if self.now.changed_keys != earlier:
            self._earlier.append(earlier)

    def undo(self, progress: Progress = SILENCE) -> None:
        """Undo the last change."""
        if not self._earlier:
            raise BalanceError(tr("undo: nothing was changed"))
        self._go(self._earlier[-1], progress)
        self._earlier.pop()

    def reset(self) -> None:
        """Undo all changes; comparisons are with the start again."""
        self.before = self.now = self.start
        self._earlier.clear()

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


def _check_games(games: int) -> None:
    if not 0 < games <= MOST_IN_MEMORY:
        raise BalanceError(
            tr("games: must be from 1 to {most:,}; for more games use balance run", most=MOST_IN_MEMORY)
        )
