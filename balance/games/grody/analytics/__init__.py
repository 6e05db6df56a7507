"""What is measured of Grody alone."""

from balance.games.grody.analytics.measures import CHOICES, MEASURES, SCORE_PARTS, SECONDS_PER_CHOICE
from balance.games.grody.analytics.styles import STYLES

__all__ = ["CHOICES", "MEASURES", "SCORE_PARTS", "SECONDS_PER_CHOICE", "STYLES"]
