"""What is measured of Na Grunwald! alone: score parts, skirmishes, the box, early choices."""

from __future__ import annotations

from balance.contract.measure import Choice, Measure

BOX_MINUTES = (60, 120)
# Profiles make 88, 136 and 173 choices with two, three and four players.
SECONDS_PER_CHOICE = (25, 50)
SCORE_PARTS = (
    ("crown_strength", "crown knights"),
    ("mercenary_strength", "mercenaries"),
    ("captive_strength", "captives"),
    ("crown_commander", "crown commander"),
    ("mercenary_commander", "mercenary commander"),
    ("quartermaster", "quartermaster"),
    ("ducat_points", "ducats"),
)
TIE_BREAK = ("cards", ("crown_count", "mercenary_count", "captive_count"))  # END-6
BOX_DUCATS = 48
BOX_PROVISIONS = 18 * 3  # 18 tokens of 5, 3 and 1; worth 54 at most as the rule page counts
BOX_HELPERS = 5  # of each colour
MEASURES = (
    Measure("skirmishes_won", "skirmishes won", "skirmishes_won", per_game=True),
    Measure("skirmishes_lost", "skirmishes lost", "skirmishes_lost", per_game=True),
    Measure(
        "skirmishes_lost_share",
        "share of skirmishes lost",
        "skirmishes_lost / nullif(skirmishes_won + skirmishes_lost, 0)",
        "%",
        per_game=True,
        scale=100,
        meaning="Share of a game's skirmishes that are lost.",
    ),
    Measure("plunder", "points plundered", "plunder_total", "points", per_game=True),
    Measure("skirmishes_joined", "skirmishes joined", "skirmishes_joined", meaning="By a seat."),
    Measure("helpers", "helpers at the end", "helpers", meaning="Of a seat."),
    Measure("starved", "knights starved", "starved", meaning="Of a seat."),
)
CHOICES = (
    Choice("helpers", "a helper more after round 3", "max(r.helpers) FILTER (r.round = 3)"),
    Choice(
        "knights",
        "a crown knight or mercenary more after round 3",
        "max(r.crown_count + r.mercenary_count) FILTER (r.round = 3)",
    ),
    Choice("ducats", "a ducat more kept after round 3", "max(r.ducats) FILTER (r.round = 3)"),
    Choice("provisions", "a provision more after round 3", "max(r.provisions) FILTER (r.round = 3)"),
    Choice("joined", "joining the skirmish of round 4", "max(r.joined) FILTER (r.round = 4)"),
)
