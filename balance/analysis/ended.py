"""Games that were broken off: counted, and without verdicts where they are many.

A truncated game has no result. Only `Played` counts it. If more than 1 % of a cell's games are truncated, the cell
gets no verdicts, because those games may differ from the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from balance.analysis.question import Question
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr
from balance.runs.folder import RunFolder

MOST = 0.01  # of a cell's games
WITHHELD = N_("withheld")


@dataclass(frozen=True)
class Played(Question):
    """The number of games, deals, truncated games, draws and decisions in every cell."""

    keys = ("players", "variant")

    @property
    def sql(self) -> str:
        return """
            SELECT players, variant, count(*)::DOUBLE AS games, count(DISTINCT deal_seed)::DOUBLE AS decks,
                   count_if(status = 'truncated')::DOUBLE AS truncated,
                   count_if(status = 'draw')::DOUBLE AS draws, sum(decisions)::DOUBLE AS decisions
            FROM played_rows WHERE seat = 0 GROUP BY ALL
        """


def none_ended(played: pd.DataFrame) -> bool:
    """Return whether every game was broken off, so there are no results."""
    return bool(played["truncated"].sum() == played["games"].sum())


def broken_cells(played: pd.DataFrame) -> set[tuple[int, str]]:
    """Return player count and variant of the cells with too many broken games."""
    too_many = played[played["truncated"] > MOST * played["games"]]
    return set(zip(too_many["players"], too_many["variant"], strict=True))


def refuse_broken(run: RunFolder, played: pd.DataFrame) -> None:
    """Raise if a cell of a study's run has too many broken games: there is no result without it."""
    if broken_cells(played):
        limit = run.plan.experiment.decision_limit
        raise BalanceError(
            tr(
                "{run}: no result: more than {share:g} % of the games were truncated after {limit:,} decisions",
                run=run.path,
                share=100 * MOST,
                limit=limit,
            )
        )


def without_broken(table: pd.DataFrame, played: pd.DataFrame) -> pd.DataFrame:
    """Return the rows about cells without too many broken games."""
    broken = broken_cells(played)
    kept = [cell not in broken for cell in zip(table["players"], table["variant"], strict=True)]
    return table[kept]


def withhold(table: pd.DataFrame, played: pd.DataFrame, baseline: str | None = None) -> pd.DataFrame:
    """Replace verdicts on cells with too many broken games by `WITHHELD`.

    `table` has ``players``, ``variant``, ``verdict``, ``more_games``. If its rows are compared with a `baseline`,
    broken cells of this variant count too.
    """
    broken = broken_cells(played)
    cells = zip(table["players"], table["variant"], strict=True)
    held = [(p, v) in broken or (p, baseline) in broken for p, v in cells]
    verdict = table["verdict"].mask(pd.Series(held, index=table.index, dtype=bool), WITHHELD)
    return table.assign(verdict=verdict, more_games=table["more_games"].mask(verdict == WITHHELD, 0))
