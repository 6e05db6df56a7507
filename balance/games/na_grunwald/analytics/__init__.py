"""Analytics of Na Grunwald!: its measures; its report sections are in `sections`."""

from balance.games.na_grunwald.analytics.measures import (
    BOX_MINUTES,
    CHOICES,
    COLUMNS,
    MEASURES,
    SCORE_PARTS,
    SECONDS_PER_CHOICE,
    STYLES,
    TIE_BREAK,
    list_components,
)

__all__ = [
    "BOX_MINUTES",
    "CHOICES",
    "COLUMNS",
    "MEASURES",
    "SCORE_PARTS",
    "SECONDS_PER_CHOICE",
    "STYLES",
    "TIE_BREAK",
    "list_components",
]
