"""Analytics of Polska: its measures; its report sections are in `sections`."""

from balance.games.polska.analytics.measures import (
    BOX_MINUTES,
    CHOICES,
    COLUMNS,
    MEASURES,
    SCORE_PARTS,
    SECONDS_PER_CHOICE,
    STYLES,
    list_components,
)
