"""The measures of Crazy Eights."""

from balance.contract.analytics import Measure

SCORE_PARTS = ()  # columns that sum to the score, with their labels
MEASURES = (
    Measure("blocked", "blocked deals", "blocked", per_game=True, meaning="Deals of a game that all passed."),
    Measure("drawn", "cards drawn", "drawn", meaning="By a seat in a game."),
)
TIE_BREAK = ("deals won", ("deals_won",))
CHOICES = ()  # early choices to compare with winning
SECONDS_PER_CHOICE = (2, 5)  # what people may take on average, at least and at most
