"""Runaway leaders: does who leads alone after a round win the game?"""

from __future__ import annotations

from balance.analysis.question import Means, means


def runaway_question() -> Means:
    """Win share of the seat that leads alone after each round (the runaway-leader index)."""
    by = ["players", "variant", "round"]
    return means({"runaway": "100 * win_share"}, by, "lead > 0", "round_rows", top=100)
