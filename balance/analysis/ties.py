"""Ties: how often the best score is shared, and what decides then."""

from __future__ import annotations

from balance.analysis.question import Means, means

SHARED, BROKEN, JOINT = "best score shared", "decided by a tie-break", "victory shared"


def ties_question() -> Means:
    """Percent of the games that were won in which the best score is shared, and of which kind."""
    values = {
        SHARED: "100 * (margin = 0)::INT",
        BROKEN: "100 * (margin = 0 AND winners = 1)::INT",
        JOINT: "100 * (winners > 1)::INT",
    }
    return means(values, ["players", "variant"], "seat = 0 AND status = 'finished'", top=100)
