"""What is measured of Grody alone; its report sections are in `sections`."""

from balance.games.grody.analytics.columns import COLUMNS
from balance.games.grody.analytics.components import list_components
from balance.games.grody.analytics.measures import (
    CHOICES,
    CLOSENESS,
    MEASURES,
    SCORE_PARTS,
    SECONDS_PER_CHOICE,
)
from balance.games.grody.analytics.styles import STYLES

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
