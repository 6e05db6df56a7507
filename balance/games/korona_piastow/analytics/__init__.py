"""Analytics of Korona Piastów: its measures; its report sections are in `sections`."""

from balance.games.korona_piastow.analytics.measures import (
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
