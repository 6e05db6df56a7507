"""How many games a question needs, and the command that extends a run to that number."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from balance.analysis.compare import pair_questions
from balance.analysis.gather import choose_cells, gather
from balance.analysis.holdout import of_all_decks
from balance.analysis.question import interval_of_frame, scale
from balance.analysis.shares import share_question
from balance.contract.sides import SEAT
from balance.experiments.experiment import MOST_GAMES
from balance.experiments.measures import SEAT_SHARE
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import listed
from balance.runs.folder import RunFolder
from balance.runs.manifest import read_manifest
from balance.runs.runner import write_seconds
from balance.stats.comparisons import NEXT_LOOK, UNDECIDED, games_needed, games_to_balance
from balance.stats.intervals import share_error

_MOST_PLAYERS, _MOST_COMPARISONS = 100, 1_000_000
_LEAST_EFFECT, _LEAST_POWER = 0.001, 0.001
COLUMNS = ("players", "question", "games")


def plan_games(effect: float, players: Sequence[int], power: float, comparisons: int) -> pd.DataFrame:
    """Return the games needed in a cell, for independent games in which fair seats win 1 / players each.

    `effect` is in percentage points of a seat's win share; `comparisons` is the number of questions that are corrected
    together. The columns are ``players``, ``question``, ``games``.
    """
    _check(effect, power, comparisons)
    for count in players:
        if not 2 <= count <= _MOST_PLAYERS:
            raise BalanceError(
                tr("players: must be between 2 and {most}, got {found}", most=_MOST_PLAYERS, found=_shown(count))
            )
    rows = []
    for count in players:
        spread = 100 * math.sqrt((count - 1) / count**2)
        rows += _rows(count, effect, spread, None, power, comparisons)
    return pd.DataFrame(rows, columns=list(COLUMNS))


def plan_from_run(
    run: RunFolder, effect: float, power: float, comparisons: int, players: Sequence[int] | None = None
) -> pd.DataFrame:
    """Return the games needed in a cell, like `plan_games`, with the spread of a run's games.

    The spread includes the cost of shared deals and the gain from pairing. If the run has too few games, the number
    is for an extended run, at the error rate of its next interim analysis.

    `players` None stands for all player counts of the run.

    Returns
    -------
    DataFrame
        As from `plan_games`, with ``more_games``: how many more games each cell needs, 0 if the run has enough.
    """
    _check(effect, power, comparisons)
    plan = run.plan
    plan.game.sides.require("balance plan", (SEAT,))
    if plan.has_networks_apart:
        raise BalanceError(
            tr(
                "{run}: tier {tier}: more games do not show how far other networks would differ; choose a --tier "
                "without networks",
                run=run.path,
                tier=plan.tier.name,
            )
        )
    shares, pairs = share_question(SEAT_SHARE), []
    if len(plan.variants) > 1:
        pairs = pair_questions(plan.first_variant.name, [SEAT_SHARE])
    answers = gather(run, [shares, *pairs])
    tries = comparisons * plan.look_families
    counts = {cell.players for cell in choose_cells(run, None, players)}
    rows: list[tuple[int, str, int, int]] = []
    for count, cell in answers[shares].groupby("players"):
        if count not in counts:
            continue
        paired = None
        for question in pairs:
            differences = of_all_decks(answers[question])
            paired = _spread(differences[differences["players"] == count])
        spreads = (_share_spread(cell), paired, power)
        now = _rows(int(count), effect, *spreads, tries)
        later = _rows(int(count), effect, *spreads, round(tries / NEXT_LOOK))
        played = int(cell["n"].min())
        rows += [
            (*this, 0) if this[-1] <= played else (*longer, longer[-1] - played)
            for this, longer in zip(now, later, strict=True)
        ]
    if not rows:
        raise BalanceError(
            tr(
                "{run}: no game with {players} players was finished, so there is nothing to plan from",
                run=run.path,
                players=listed(sorted(counts)),
            )
        )
    return pd.DataFrame(rows, columns=[*COLUMNS, "more_games"])


def _share_spread(rows: pd.DataFrame) -> float:
    """Return `_spread` of shares in percent; if all deals are alike, each counts as a trial, as in the intervals."""
    found = scale(interval_of_frame(rows), 1 / SEAT_SHARE.scale)
    error = share_error(found.value, found.error, found.clusters)
    return _spread(rows.assign(error=SEAT_SHARE.scale * error))


def _spread(rows: pd.DataFrame) -> float:
    """Return the standard deviation of independent games that would give the largest error found."""
    found = interval_of_frame(rows)
    spread = found.error * np.sqrt(found.n)
    return float(np.max(spread[np.isfinite(spread)], initial=0.0))


def _rows(
    players: int, effect: float, spread: float, paired: float | None, power: float, comparisons: int
) -> list[tuple[int, str, int]]:
    if spread <= 0:
        raise BalanceError(tr("the run has too few games for an interval; play more games"))
    both = math.sqrt(2) * spread
    shared = power, 0.05, comparisons
    games = {
        N_("does a seat differ from fair?"): games_needed(effect, spread, *shared),
        N_("is a fair seat within that of fair?"): games_to_balance(effect, spread, *shared),
        N_("do two variants differ, unpaired?"): games_needed(effect, both, *shared),
    }
    if paired:
        games[N_("do two variants differ, paired?")] = games_needed(effect, paired, *shared)
    return [(players, question, number) for question, number in games.items()]


def _check(effect: float, power: float, comparisons: int) -> None:
    if not _LEAST_EFFECT <= effect < 100:
        raise BalanceError(
            tr(
                "effect: must be between {least} and 100 percentage points, got {effect:g}",
                least=_LEAST_EFFECT,
                effect=effect,
            )
        )
    if not _LEAST_POWER <= power <= 1 - _LEAST_POWER:
        raise BalanceError(
            tr(
                "power: must be between {least} and {most}, got {power:g}",
                least=_LEAST_POWER,
                most=1 - _LEAST_POWER,
                power=power,
            )
        )
    if not 1 <= comparisons <= _MOST_COMPARISONS:
        raise BalanceError(
            tr(
                "comparisons: must be at least 1, at most {most:,}, got {found}",
                most=_MOST_COMPARISONS,
                found=_shown(comparisons),
            )
        )


def _shown(number: int) -> str:
    text = str(number)
    return text if len(text) <= 20 else trn("a number of {n} digit", "a number of {n} digits", len(text))


MOST = 1_000_000  # the largest number of further games that is shown
_WEEK = 7 * 24 * 3600.0  # seconds
_SPARE = 20  # an extension adds at least this part (1 / 20) of a cell's games


@dataclass(frozen=True)
class RunExtension:
    """An extension of a run."""

    games: int  # the games in each cell after the extension
    seconds: float  # the time on all cores of this machine, at the pace of the existing games
    command: list[str]  # the words of the command after ``balance``
    # Whether it is enough for all undecided rows, and not only for those that need at most `MOST` more games.
    whole: bool = True

    @property
    def what(self) -> str:
        """What the extended run would settle, as the start of a sentence."""
        if self.whole:
            return tr("An extended run would probably settle the undecided rows")
        return tr(
            "An extended run would probably settle the undecided rows that need at most {most:,} more games", most=MOST
        )

    @property
    def outcome(self) -> str:
        """How likely the extended run settles a row: the games needed are computed for a power of 80 %."""
        return tr("(probability 80 % for each row)")

    @property
    def line(self) -> str:
        """The command line."""
        return shlex.join(["balance", *self.command])

    @property
    def time(self) -> str:
        """The time on this machine, in words."""
        return write_seconds(self.seconds)


def plan_extension(run: RunFolder, more: int) -> RunExtension | None:
    """Return an extension by `more` games in each cell of the active tier; None if that is impossible.

    The number is rounded up to two digits. An extension is impossible for less than one game or more than a million,
    beyond the limit of a cell, for a pooled run, and for a run whose stop rule has decided a cell. One that takes more
    than a week is no advice.
    """
    plan = run.plan
    most = plan.tier.most_games
    if not 0 < more <= MOST or plan.members:
        return None
    games = _round_up(most + max(more, most // _SPARE))
    if games > MOST_GAMES:
        return None
    cells = {cell.number for cell in plan.tier_cells}
    parts = [part for part in read_manifest(run.path, run.bond).parts if part.cell in cells]
    if plan.experiment.stop and {part.cell for part in parts if part.last == most} < cells:
        return None
    pace = sum(part.seconds for part in parts) / sum(part.games for part in parts)
    seconds = pace * (games - most) * len(cells) / (os.cpu_count() or 1)
    if seconds > _WEEK:
        return None
    options = ["--tier", plan.tier.name] if len(plan.tiers) > 1 and not plan.experiment.stop else []
    options += ["--run-bots"] if plan.tier.has_custom_bots else []
    command = ["run", "--resume", str(run.named), *options, "--games", str(games)]
    return RunExtension(games, seconds, command)


def decide(run: RunFolder, table: pd.DataFrame) -> RunExtension | None:
    """Return the extension that would settle the undecided rows of a table, by its ``more_games``; None for none."""
    needed = table["more_games"]
    near, left = needed.between(1, MOST), needed > 0
    if not near.any():
        return None
    if "verdict" in table:
        left |= table["verdict"] == UNDECIDED
    longer = plan_extension(run, int(needed[near].max()))
    return longer and replace(longer, whole=bool(near[left].all()))


def _round_up(games: int) -> int:
    """Round up to two digits."""
    unit = int(10 ** max(0, len(str(games)) - 2))
    return -(-games // unit) * unit
