"""What is measured of Korona Piastów alone."""

from balance.games.korona_piastow.analytics.columns import COLUMNS
from balance.games.korona_piastow.analytics.components import list_components
from balance.games.korona_piastow.analytics.measures import (
    BOX_MINUTES,
    CHOICES,
    MEASURES,
    SCORE_PARTS,
    SECONDS_PER_CHOICE,
    TIE_BREAK,
)
from balance.games.korona_piastow.analytics.styles import STYLES

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
