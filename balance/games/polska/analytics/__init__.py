"""What is measured of Polska alone; its report sections are in `sections`."""

from balance.games.polska.analytics.measures import (
    CHOICES,
    MEASURES,
    SCORE_PARTS,
    SECONDS_PER_CHOICE,
)

__all__ = ["CHOICES", "MEASURES", "SCORE_PARTS", "SECONDS_PER_CHOICE"]
