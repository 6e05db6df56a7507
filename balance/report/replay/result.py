"""How a game ended: ranks, scores by part, and what decided between equal scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from balance.contract.telling import tie_break
from balance.contract.words import amount, listed


@dataclass(frozen=True)
class Result:
    """The end of a game.

    Attributes
    ----------
    sentence : str
        Who won, and by what.
    columns : list of str
        What the points come from.
    rows : list of tuple
        Rank, name, points by column, score; best first.
    """

    sentence: str
    columns: list[str]
    rows: list[tuple[int, str, list[float], float]]

    def lines(self) -> Iterator[str]:
        """Ranks and scores with their parts, best first; then who won."""
        for rank, name, parts, score in self.rows:
            found = [
                f"{label} {value:g}" for label, value in zip(self.columns, parts, strict=True) if value
            ]
            listing = f" ({', '.join(found)})" if found else ""
            yield f"{rank}. {name}: {amount(score, 'point')}{listing}"
        yield self.sentence


def read_result(analytics: Any, game: pd.Series, seats: pd.DataFrame, names: list[str]) -> Result:
    """The end of a game, from its rows of the games and seats tables."""
    parts = [(column, label) for column, label in analytics.SCORE_PARTS if column in seats]
    ranked = seats.sort_values(["rank", "seat"], kind="stable")
    rows = [
        (
            int(row["rank"]),
            names[int(row["seat"])],
            [float(row[column]) for column, _ in parts],
            float(row["score"]),
        )
        for _, row in ranked.iterrows()
    ]
    return Result(_sentence(analytics, game, ranked, names), [label for _, label in parts], rows)


def _sentence(analytics: Any, game: pd.Series, ranked: pd.DataFrame, names: list[str]) -> str:
    if game["status"] == "truncated":
        return "Broken off: nobody has won"
    if game["status"] == "draw":
        return "A draw"
    winners = [names[int(seat)] for seat in ranked["seat"][ranked["rank"] == 1]]
    best = ranked["score"].iloc[0]
    level = ranked[ranked["score"] == best]
    if len(winners) > 1:
        return f"{listed(winners)} share the victory with {amount(best, 'point')}"
    if len(level) == 1:
        second = ranked["score"].iloc[1] if len(ranked) > 1 else 0
        return f"{winners[0]} wins by {amount(best - second, 'point')}"
    return f"{winners[0]} wins with {amount(best, 'point')}, as {_others(level, names)} {_tie(analytics, level)}"


def _others(level: pd.DataFrame, names: list[str]) -> str:
    others = [names[int(seat)] for seat in level["seat"][level["rank"] != 1]]
    return f"{listed(others)} {'has' if len(others) == 1 else 'have'}:"


def _tie(analytics: Any, level: pd.DataFrame) -> str:
    """What decided between those who are level, the winner first."""
    what, columns = tie_break(analytics)
    if not what:
        return "the rules' tie-break decides"
    counts = level[list(columns)].sum(axis=1)
    return f"more {what} decide, {' to '.join(f'{count:g}' for count in counts)}"
