"""Runaway leaders: does who leads alone after a round win the game?"""

from __future__ import annotations

import pandas as pd

from balance.analysis.question import Means, means

LEAST_SHARE = 0.05
"""Of the games of a cell; rounds that fewer reach are not shown."""


def runaway_question() -> Means:
    """Win share of the seat that leads alone after each round (the runaway-leader index)."""
    by = ["players", "variant", "round"]
    return means({"runaway": "100 * win_share"}, by, "lead > 0", "round_rows", top=100)


def reached(answer: pd.DataFrame) -> pd.DataFrame:
    """The answer for the rounds that enough games reach."""
    most = answer.groupby(["players", "variant"])["n"].transform("max")
    return answer[answer["n"] >= most * LEAST_SHARE]


def half_time(rounds: pd.Series) -> int:
    """The round that is the middle of these."""
    return (int(rounds.max()) + 1) // 2
