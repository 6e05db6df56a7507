"""Measures of Tokens."""

from balance.contract.analytics import Component

SCORE_PARTS = ()
MEASURES = ()
CHOICES = ()
SECONDS_PER_CHOICE = (4, 8)


def list_components(rules):
    tokens = [Component(name, "tokens") for name in ("crown", "coin", "dust", "flag")]
    return [*tokens, Component("rain", "weather", given=False)]
