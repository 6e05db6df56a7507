"""What is measured of Polska alone; its report sections are in `sections`."""

from balance.games.polska.analytics.columns import COLUMNS
from balance.games.polska.analytics.components import list_components
from balance.games.polska.analytics.measures import (
    BOX_MINUTES,
    CHOICES,
    MEASURES,
    SCORE_PARTS,
    SECONDS_PER_CHOICE,
)
from balance.games.polska.analytics.styles import STYLES

__all__ = [
    "BOX_MINUTES",
    "CHOICES",
    "COLUMNS",
    "MEASURES",
    "SCORE_PARTS",
    "SECONDS_PER_CHOICE",
    "STYLES",
    "list_components",
]
