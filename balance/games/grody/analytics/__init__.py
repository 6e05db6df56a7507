"""What is measured of Grody alone."""

from balance.games.grody.analytics.measures import CHOICES, MEASURES, SCORE_PARTS, SECONDS_PER_CHOICE

__all__ = ["CHOICES", "MEASURES", "SCORE_PARTS", "SECONDS_PER_CHOICE"]
