"""Analytics of Grody: its measures; its report sections are in `sections`."""

from balance.games.grody.analytics.measures import (
    CHOICES,
    CLOSENESS,
    COLUMNS,
    MEASURES,
    SCORE_PARTS,
    SECONDS_PER_CHOICE,
    STYLES,
    list_components,
)

__all__ = [
    "CHOICES",
    "CLOSENESS",
    "COLUMNS",
    "MEASURES",
    "SCORE_PARTS",
    "SECONDS_PER_CHOICE",
    "STYLES",
    "list_components",
]
