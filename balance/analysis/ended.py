"""Games that were broken off: counted, and without verdicts where they are many.

A truncated game has no result. Only `Played` counts it. If more than 1 % of a cell's games are truncated, the cell
gets no verdicts, because those games may differ from the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from balance.analysis.question import Question
from balance.experiments.plan import Plan
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import listed
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
                   count_if(status <> 'truncated' AND winners > 1 AND winners = players)::DOUBLE AS draws,
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


_NAMED = 3  # variants of a note; the others are counted


def notes_on_games(plan: Plan, played: pd.DataFrame) -> list[str]:
    """Return what to know of cells before their figures: players repeat games, all are draws, some are truncated."""
    found = []
    repeated = played[played["distinct_games"] < played["games"]]
    for (_, games, n), cells in repeated.groupby(["players", "games", "distinct_games"], sort=False):
        found.append(
            trn(
                "{where}: line-ups without any chance always play the same game; {games:,} "
                "games count as {n:,}. Other strategies, or profiles with a temperature, play more games.",
                "{where}: line-ups without any chance always play the same game; {games:,} "
                "games count as {n:,}. Other strategies, or profiles with a temperature, play more games.",
                int(n), where=_name_cells(cells), games=int(games),
            )
        )  # fmt: skip
    ended = played["games"] - played["truncated"]
    for _, cells in played[(ended > 0) & (played["draws"] == ended)].groupby("players", sort=False):
        found.append(tr("{where}: every game ends in a draw.", where=_name_cells(cells)))
    truncated = played[played["truncated"] > 0]
    for (_, games, n), cells in truncated.groupby(["players", "games", "truncated"], sort=False):
        text = tr(
            "{where}: {truncated:,} of {games:,} games were broken off after {limit:,} decisions. They are left out.",
            where=_name_cells(cells), truncated=int(n), games=int(games), limit=plan.experiment.decision_limit,
        )  # fmt: skip
        if broken_cells(cells):
            text += " " + tr(
                "Because they are more than {share:g} % of the games, all verdicts are withheld.", share=100 * MOST
            )
        found.append(text)
    return found


def _name_cells(cells: pd.DataFrame) -> str:
    """Return the variants and the player count of some cells; of many, the first ones and how many more there are."""
    names = list(cells["variant"])
    rest = len(names) - _NAMED
    variants = listed([*names[:_NAMED], trn("{n} more", "{n} more", rest)] if rest > 0 else names)
    players = int(cells["players"].iloc[0])
    return trn("{variants}, {n} player", "{variants}, {n} players", players, variants=variants)


def require_spread(run: RunFolder, clusters: pd.Series, played: pd.DataFrame) -> None:
    """Raise if no group has two deals: an interval needs at least two clusters."""
    if (clusters >= 2).any():
        return
    if truncated := int(played["truncated"].sum()):
        raise BalanceError(
            tr(
                "{run} has no results: {truncated:,} of {games:,} games were broken off after {limit:,} decisions; "
                "play again with a larger decision_limit",
                run=run.path,
                truncated=truncated,
                games=int(played["games"].sum()),
                limit=run.plan.experiment.decision_limit,
            )
        )
    if (played["distinct_games"] < played["games"]).any():
        why = notes_on_games(run.plan, played)[0]
        raise BalanceError(tr("{run}: there is no interval: {why}", run=run.path, why=why))
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
    return table[~pd.MultiIndex.from_frame(table[["players", "variant"]]).isin(broken)]


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
