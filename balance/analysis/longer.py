"""A run made longer: the command that plays so many games more, and how long that takes on this machine."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass, replace

import pandas as pd

from balance.analysis.shares import UNDECIDED
from balance.batch.pace import write_seconds
from balance.log.folder import RunFolder
from balance.log.manifest import read_manifest
from balance.plan.experiment import MOST_GAMES

MOST = 1_000_000  # games more, beyond which no number is worth telling
_SPARE = 20  # of a cell's games: less is not worth a run


@dataclass(frozen=True)
class Longer:
    """What makes a run longer.

    Attributes
    ----------
    games : int
        That each cell has then.
    seconds : float
        As the games that are there were played, now on all cores of this machine.
    command : list of str
        What follows on ``balance``.
    whole : bool
        Whether it is long enough for all that is undecided, and not only for what at most `MOST` games more can
        decide.
    """

    games: int
    seconds: float
    command: list[str]
    whole: bool = True

    @property
    def what(self) -> str:
        """What it decides, to begin a sentence."""
        return "What is undecided" if self.whole else "What a million games more can decide"

    @property
    def outcome(self) -> str:
        """What the run does to it: likely, not certain, as the games needed are those of a power of 80 %."""
        return "would probably be decided by a longer run (a chance of 80 % for each row)"

    @property
    def line(self) -> str:
        """The command as it is typed."""
        return shlex.join(["balance", *self.command])

    @property
    def time(self) -> str:
        """How long it takes on this machine, in words."""
        return write_seconds(self.seconds)


def make_longer(run: RunFolder, more: int) -> Longer | None:
    """What plays `more` games in each cell of the tier that is read; None where that is no answer.

    The number is rounded up to two digits. No answer are less than one game, more than a million, more than a
    cell may have, a run that was pooled, and one with a stop rule that decided a cell, which plays no more.

    Raises
    ------
    BalanceError
        The list of the run's parts is missing or damaged.
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
    options = ["--tier", plan.tier.name] if len(plan.tiers) > 1 and not plan.experiment.stop else []
    options += ["--run-bots"] if plan.tier.has_custom_bots else []
    command = ["run", "--resume", str(run.named), *options, "--games", str(games)]
    return Longer(games, seconds, command)


def decide(run: RunFolder, table: pd.DataFrame) -> Longer | None:
    """What would decide the rows of a table that games can decide, by its ``more_games``; None where there are none."""
    needed = table["more_games"]
    near, left = needed.between(1, MOST), needed > 0
    if not near.any():
        return None
    if "verdict" in table:
        left |= table["verdict"] == UNDECIDED
    longer = make_longer(run, int(needed[near].max()))
    return longer and replace(longer, whole=bool(near[left].all()))


def _round_up(games: int) -> int:
    """To two digits."""
    unit = int(10 ** max(0, len(str(games)) - 2))
    return -(-games // unit) * unit
