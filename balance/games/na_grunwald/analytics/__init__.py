"""What is measured of Na Grunwald! alone; its report sections are in `sections`."""

from balance.games.na_grunwald.analytics.columns import COLUMNS
from balance.games.na_grunwald.analytics.components import list_components
from balance.games.na_grunwald.analytics.measures import (
    BOX_MINUTES,
    CHOICES,
    MEASURES,
    SCORE_PARTS,
    SECONDS_PER_CHOICE,
    TIE_BREAK,
)
from balance.games.na_grunwald.analytics.styles import STYLES

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
