"""Measures, components and styles of play that only Na Grunwald! has; report sections in `sections`."""

from __future__ import annotations

from collections.abc import Sequence

from balance.contract.analytics import Choice, Component, Measure, OptionSet, Style
from balance.contract.restrictions import Restriction
from balance.foundation.language import N_, tr
from balance.foundation.text import listed
from balance.games.na_grunwald.display.names import FIELD_TITLES
from balance.games.na_grunwald.kernel.state import STRENGTHS
from balance.games.na_grunwald.rules.decks import MOST_CARDS, list_events
from balance.games.na_grunwald.rules.ruleset import Rules

_WITH_STRENGTH = ("crown knight", "mercenary", "captive")
_SHOWN = {
    "crown knight": N_("crown knight {strength}"),
    "mercenary": N_("mercenary {strength}"),
    "captive": N_("captive {strength}"),
    "provisions": N_("provisions {values}"),
    "ducats": N_("ducats {values}"),
}
_FAMILIES = {
    "crown knight": N_("knights"),
    "mercenary": N_("knights"),
    "captive": N_("captives"),
    "provisions": N_("provisions cards"),
    "ducats": N_("ducats cards"),
}
_EMPTY = Component("none", "none")  # a place in a table that the rule set leaves empty


def list_components(rules: Rules) -> list[Component]:
    """Return all components in the order of their kernel numbers (see `kernel.state`)."""
    found = [
        Component(f"{knight} {strength}", _FAMILIES[knight], shown=tr(_SHOWN[knight], strength=strength))
        for knight in _WITH_STRENGTH
        for strength in range(STRENGTHS)
    ]
    for name, table in (("provisions", rules.cards.provisions), ("ducats", rules.cards.ducats)):
        cards = [
            Component(f"{name} {_in_english(values)}", _FAMILIES[name], shown=tr(_SHOWN[name], values=listed(values)))
            for values in table.values
        ]
        found += cards + [_EMPTY] * (MOST_CARDS - len(cards))
    return found + [Component(event.name, "events", given=False) for event in list_events(rules.event_deck)]


def _in_english(values: Sequence[int]) -> str:
    """Return the values of a card as in names of components, which are data."""
    *others, last = map(str, values)
    return f"{', '.join(others)} and {last}" if others else last


_SCORE = {"score": 1.0}

STYLES = {
    "crown-commander": Style("share of its score from crown knights and the title crown commander",
                             {"crown_strength": 1, "crown_commander": 1}, _SCORE, "crown knights"),
    "mercenary-captain": Style("share of its score from mercenaries and the title mercenary commander",
                               {"mercenary_strength": 1, "mercenary_commander": 1}, _SCORE, "mercenaries"),
    "krzyzacy-hunter": Style("share of its score from captives", {"captive_strength": 1}, _SCORE, "captives"),
    "quartermaster": Style("number of provisions at the end", {"provisions": 1}, {}, "provisions"),
    "treasurer": Style("share of its score from ducats", {"ducat_points": 1}, _SCORE, "ducats"),
    "helpers-first": Style("number of helpers at the end", {"helpers": 1}, {}, "many helpers"),
}  # fmt: skip

OPTIONS = (OptionSet("fields", "kind = 'place'", "field", FIELD_TITLES),)
BOX_MINUTES = (60, 120)
# Profiles make 88, 136 and 173 choices with two, three and four players.
SECONDS_PER_CHOICE = (25, 50)
SCORE_PARTS = (
    ("crown_strength", N_("crown knights")),
    ("mercenary_strength", N_("mercenaries")),
    ("captive_strength", N_("captives")),
    ("crown_commander", N_("crown commander")),
    ("mercenary_commander", N_("mercenary commander")),
    ("quartermaster", N_("quartermaster")),
    ("ducat_points", N_("ducats")),
)
TIE_BREAK = (N_("cards"), ("crown_count", "mercenary_count", "captive_count"))  # END-6
BOX_DUCATS = 48
BOX_PROVISIONS = 18 * 3  # 18 tokens of 5, 3 and 1; the rule page counts them as at most 54
BOX_HELPERS = 5  # of each colour
MEASURES = (
    Measure("skirmishes_won", "skirmishes won", "skirmishes_won", per_game=True),
    Measure("skirmishes_lost", "skirmishes lost", "skirmishes_lost", per_game=True),
    Measure("skirmishes_lost_share", "share of skirmishes lost",
            "skirmishes_lost / nullif(skirmishes_won + skirmishes_lost, 0)", "%", per_game=True, scale=100,
            meaning="Share of a game's skirmishes that the players lose."),
    Measure("plunder", "points plundered", "plunder_total", "points", per_game=True),
    Measure("skirmishes_joined", "skirmishes joined", "skirmishes_joined", meaning="By a seat."),
    Measure("helpers", "helpers at the end", "helpers", meaning="Of a seat."),
    Measure("starved", "knights starved", "starved", meaning="Of a seat."),
    Measure("provisions_out", "provisions run out", f"(peak_provisions > {BOX_PROVISIONS})::INT", "%", per_game=True,
            scale=100, on_request=True, meaning="Share of games in which the box has too few provisions."),
    Measure("ducats_out", "ducats run out", f"(peak_ducats > {BOX_DUCATS})::INT", "%", per_game=True, scale=100,
            on_request=True, meaning="Share of games in which the box has too few ducats."),
)  # fmt: skip
CHOICES = (
    Choice("helpers", "one more helper after round 3", "max(r.helpers) FILTER (r.round = 3)"),
    Choice("knights", "one more crown knight or mercenary after round 3",
           "max(r.crown_count + r.mercenary_count) FILTER (r.round = 3)"),
    Choice("ducats", "one more ducat kept after round 3", "max(r.ducats) FILTER (r.round = 3)"),
    Choice("provisions", "one more provision after round 3", "max(r.provisions) FILTER (r.round = 3)"),
    Choice("joined", "joining the skirmish of round 4", "max(r.joined) FILTER (r.round = 4)"),
)  # fmt: skip

RESTRICTIONS = {
    "krzyzacy-field": Restriction(title="the field of the Krzyżacy", patterns=["place krzyzacy *"]),
    "crown-field": Restriction(title="the field of crown knights", patterns=["place crown *"]),
    "provisions-field": Restriction(title="the field of provisions", patterns=["place provisions *"]),
    "ducats-field": Restriction(title="the field of ducats", patterns=["place ducats *"]),
    "mercenaries-field": Restriction(title="the field of mercenaries", patterns=["place mercenaries *"]),
    "helpers-field": Restriction(title="the field of helpers", patterns=["place helpers *"]),
    "second-helper": Restriction(
        title="the field of helpers after the first time", patterns=["place helpers *"], at_most=1
    ),
    "bidding": Restriction(title="bids", patterns=["bid [1-9]*"]),
    "crown-fighters": Restriction(title="crown knights in skirmishes", patterns=["fight crown *"]),
    "buying": Restriction(title="buying and hiring", patterns=["buy yes", "hire yes"]),
}
"""What a player may be asked to do without, for `balance restrict`."""
