"""Measures at the table in studies: the games of each variant are followed, and teach chances of their own.

So a figure is the one that `balance chances` has of these games, and true under rules that change what a lead is worth.
A variant whose chances are not true has no figures, and one line says so. A search (`balance.studies.tune`) takes the
chances that its start variant has taught: its own figures are never quoted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import pandas as pd

from balance.analysis.chances import ALL, CELL, LEAST_DEALS, TRUE_WITHIN, Followed, Lesson, Shown, follow, told_chances
from balance.analysis.compare import Pairs
from balance.analysis.gather import Answers
from balance.analysis.holdout import WHOLE
from balance.analysis.interplay import BY_TRIALS
from balance.analysis.question import interval_columns, interval_of_frame
from balance.analysis.target_checks import target_question
from balance.contract.analytics import Measure
from balance.experiments.plan import Plan
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr
from balance.foundation.progress import SILENCE, Progress
from balance.runs.batches import Seen, check_followed, follow_batch
from balance.runs.workers import Workers, kept_threads
from balance.studies.reruns import TRIED, WITH_TRIALS, play_again

MOST_GAMES = 1_000  # of a cell that are followed
TOO_FEW = N_(
    "{variant} ({players}): no measures at the table, because chances are learned from {deals} deals or more, of games "
    "with two rounds or more; play more games"
)
ONE_ROUND = N_(
    "no measures at the table: no game was finished with two rounds or more, and chances are followed from round to "
    "round"
)
UNTRUE = N_(
    "{variant} ({players}): no measures at the table, because chances that are learned from its games are off by more "
    "than {most:g} points"
)
Cell = tuple[int, str]
"""A player count and a variant."""


def follow_plan(
    plan: Plan, measures: Sequence[Measure], workers: Workers | None = None, progress: Progress = SILENCE
) -> dict[Cell, Followed]:
    """Play the first games of each cell again; other options are tried if one of the measures needs it."""
    check_followed(plan)
    tried = WITH_TRIALS if any(measure.name in BY_TRIALS for measure in measures) else 0
    play = partial(follow_batch, tried=tried, every=TRIED)
    found = play_again(plan, MOST_GAMES, play, workers or kept_threads(), progress)
    return {
        (cell.players, cell.variant.name): follow(Seen.together(found[cell.number]), plan, cell, TRIED)
        for cell in plan.tier_cells
    }


@dataclass(frozen=True)
class AtTheTable:
    """What games of variants show at the table."""

    plan: Plan
    games: Mapping[Cell, Followed]
    start: str  # the variant that others are compared with
    # For a search: what other games of the start variant have taught, by player count, for the games of all variants.
    lessons: Mapping[int, Lesson] | None = None

    @cached_property
    def _shown(self) -> dict[Cell, Shown]:
        if self.lessons is None:
            return {cell: each.shown for cell, each in self.games.items() if each.teaches}
        return {cell: each.show(self.lessons[cell[0]], jackknife=False) for cell, each in self.games.items()}

    @cached_property
    def chances(self) -> pd.DataFrame:
        """The columns of `balance.analysis.chances.read_chances`, ``players`` and ``variant``."""
        parts = [
            shown.table(self.plan.networks_apart([players])).assign(players=players, variant=variant)
            for (players, variant), shown in self._shown.items()
        ]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[*CELL, "measure", "group"])

    @cached_property
    def told(self) -> pd.DataFrame:
        """The rows of `chances` for `ALL`, of the cells whose chances are true; in a search they need not be."""
        found = told_chances(self.chances) if len(self.chances) and self.lessons is None else self.chances
        return found[found["group"] == ALL].drop(columns="group").reset_index(drop=True)

    @cached_property
    def missing(self) -> list[Cell]:
        """The cells without figures."""
        told = {(row.players, row.variant) for row in self.told[CELL].drop_duplicates().itertuples()}
        return [cell for cell in self.games if cell not in told]

    @property
    def why_missing(self) -> list[str]:
        """Why cells have no figures, a line for each; one line if no game has two rounds."""
        if not any(len(each.positions) for each in self.games.values()):
            return [tr(ONE_ROUND)]
        return [
            tr(
                UNTRUE if cell in self._shown else TOO_FEW,
                variant=cell[1], players=cell[0], most=TRUE_WITHIN, deals=LEAST_DEALS,
            )
            for cell in self.missing
        ]  # fmt: skip

    @property
    def compared(self) -> list[Cell]:
        """The cells with figures that are compared with those of the start variant."""
        missing = {*self.missing}
        return [
            (players, name)
            for players, name in self.games
            if name != self.start and not {(players, name), (players, self.start)} & missing
        ]

    def levels(self, measures: Sequence[Measure]) -> Answers:
        """Return the answers to `balance.analysis.target_checks.target_question`."""
        return {target_question(each): self.told[self.told["measure"] == each.name] for each in measures}

    def answers(self, questions: Sequence[Pairs]) -> Answers:
        """Return the answers to those of the questions that are about measures at the table, see `pairs`."""
        return {each: self.pairs(each) for each in questions if each.is_followed}

    def _levels_of(self, players: int, variant: str) -> pd.DataFrame:
        told = self.told
        return told[(told["players"] == players) & (told["variant"] == variant)].set_index("measure")

    def pairs(self, question: Pairs) -> pd.DataFrame:
        """Return the answer to a question about measures at the table, as `Pairs.read` returns it.

        Raises
        ------
        BalanceError
            There is nothing to compare; its text says why.
        """
        if not self.compared:
            raise BalanceError("; ".join(self.why_missing))
        names, parts = {each.name: each for each in question.measures}, []
        for players, variant in self.compared:
            networks = self.plan.networks_apart([players])
            table = self._shown[players, variant].less(self._shown[players, self.start], networks)
            table = table[table["measure"].isin(names)].drop(columns="group")
            levels, bases = (self._levels_of(players, name).loc[table["measure"]] for name in (variant, self.start))
            unpaired, paired = levels["error"].to_numpy() ** 2 + bases["error"].to_numpy() ** 2, table["error"] ** 2
            parts.append(
                table.assign(
                    players=players, variant=variant, group="", half=WHOLE, per_game=True,
                    unit=[names[name].unit for name in table["measure"]], threshold=float("nan"),
                    baseline=bases["value"].to_numpy(), baseline_error=bases["error"].to_numpy(),
                    level_error=levels["error"].to_numpy(), gain=(unpaired / paired).fillna(float("inf")),
                    **interval_columns(interval_of_frame(table)),
                )
            )  # fmt: skip
        return pd.concat(parts, ignore_index=True)
