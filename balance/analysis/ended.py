"""Games that were broken off: counted, and without verdicts where they are many.

A truncated game has no result. Only `Played` counts it. If more than 1 % of a cell's games are truncated, the cell
gets no verdicts, because those games may differ from the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from balance.analysis.question import Question
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr, trn
from balance.runs.folder import RunFolder

MOST = 0.01  # of a cell's games
WITHHELD = N_("withheld")


@dataclass(frozen=True)
class Played(Question):
    """The number of games, distinct games, deals, truncated games, draws and decisions in every cell.

    All seats share the victory in a draw.
    """

    keys = ("players", "variant")

    @property
    def sql(self) -> str:
        return """
            SELECT players, variant, count(*)::DOUBLE AS games, count_if(NOT is_repeat)::DOUBLE AS distinct_games,
                   count(DISTINCT deal_seed) FILTER (NOT is_repeat)::DOUBLE AS decks,
                   count_if(status = 'truncated')::DOUBLE AS truncated,
                   count_if(status <> 'truncated' AND winners = players)::DOUBLE AS draws,
                   sum(decisions)::DOUBLE AS decisions
            FROM played_rows WHERE seat = 0 GROUP BY ALL
        """


def none_ended(played: pd.DataFrame) -> bool:
    """Return whether every game was broken off, so there are no results."""
    return bool(played["truncated"].sum() == played["games"].sum())


def broken_cells(played: pd.DataFrame) -> set[tuple[int, str]]:
    """Return player count and variant of the cells with too many broken games."""
    too_many = played[played["truncated"] > MOST * played["games"]]
    return set(zip(too_many["players"], too_many["variant"], strict=True))


def notes_on_games(played: pd.DataFrame) -> list[str]:
    """Return what to know of a cell before its figures: its players repeat their games, or all games end in a tie."""
    found = []
    for row in played.itertuples():
        cell = {"variant": row.variant, "players": row.players, "games": int(row.games)}
        if row.distinct_games < row.games:
            found.append(
                trn(
                    "{variant}, {players} players: line-ups without any chance always play the same game; {games:,} "
                    "games count as {n:,}. Other strategies, or profiles with a temperature, play more games.",
                    "{variant}, {players} players: line-ups without any chance always play the same game; {games:,} "
                    "games count as {n:,}. Other strategies, or profiles with a temperature, play more games.",
                    int(row.distinct_games),
                    **cell,
                )
            )
        if row.draws and row.draws == row.games - row.truncated:
            found.append(tr("{variant}, {players} players: every game ends in a draw.", **cell))
    return found


def require_spread(run: RunFolder, clusters: pd.Series, played: pd.DataFrame) -> None:
    """Raise if no group has two deals: an interval needs at least two clusters."""
    if (clusters >= 2).any():
        return
    if (played["distinct_games"] < played["games"]).any():
        raise BalanceError(
            tr("{run}: there is no interval: {why}", run=run.path, why=notes_on_games(played)[0])
        )
    raise BalanceError(
        tr(
            "{run} has too few games for an interval, which needs finished games on two deals; play more games",
            run=run.path,
        )
    )


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
