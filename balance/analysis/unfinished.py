"""Games that were broken off: how many, and verdicts that they don't allow.

A truncated game has no result. It is left out of every answer but this one, and where more than a
hundredth of a cell's games are missing that way no verdict on it is given: those games may be unlike
the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from balance.analysis.question import Question

MOST = 0.01  # of a cell's games
WITHHELD = "withheld"


@dataclass(frozen=True)
class Played(Question):
    """Games, decks, truncated games, draws and decisions of every cell."""

    @property
    def keys(self) -> tuple[str, ...]:
        return ("players", "variant")

    @property
    def sql(self) -> str:
        return """
            SELECT players, variant, count(*)::DOUBLE AS games, count(DISTINCT deck_seed)::DOUBLE AS decks,
                   count_if(status = 'truncated')::DOUBLE AS truncated,
                   count_if(status = 'draw')::DOUBLE AS draws, sum(decisions)::DOUBLE AS decisions
            FROM played_rows WHERE seat = 0 GROUP BY ALL
        """


def none_ended(played: pd.DataFrame) -> bool:
    """Whether every game was broken off, so that there is no result at all."""
    return bool(played["truncated"].sum() == played["games"].sum())


def broken_cells(played: pd.DataFrame) -> set[tuple[int, str]]:
    """Player count and variant of the cells of which too many games were broken off."""
    too_many = played[played["truncated"] > MOST * played["games"]]
    return set(zip(too_many["players"], too_many["variant"], strict=True))


def without_broken(table: pd.DataFrame, played: pd.DataFrame) -> pd.DataFrame:
    """The rows about cells of which few enough games were broken off."""
    broken = broken_cells(played)
    kept = [cell not in broken for cell in zip(table["players"], table["variant"], strict=True)]
    return table[kept]


def withhold(table: pd.DataFrame, played: pd.DataFrame, baseline: str | None = None) -> pd.DataFrame:
    """A table of verdicts without those that broken cells don't allow.

    Parameters
    ----------
    table : DataFrame
        ``players``, ``variant``, ``verdict``, ``more_games``.
    baseline : str or None
        The variant that each row's is compared with.
    """
    broken = broken_cells(played)
    cells = zip(table["players"], table["variant"], strict=True)
    held = [(p, v) in broken or (p, baseline) in broken for p, v in cells]
    verdict = table["verdict"].mask(pd.Series(held, index=table.index, dtype=bool), WITHHELD)
    return table.assign(verdict=verdict, more_games=table["more_games"].mask(verdict == WITHHELD, 0))
