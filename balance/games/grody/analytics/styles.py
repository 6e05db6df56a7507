"""Ways of playing Grody that have a profile each, and what it leads the others in."""

from __future__ import annotations

from balance.contract.style import Style
from balance.games.grody.rules.vocabulary import BUILDINGS

_BUILT = {f"built_{kind}": 1.0 for kind in BUILDINGS}

STYLES = {
    "builder": Style("number of buildings for each card drawn (about one a turn)", _BUILT, {"drawn": 1}),
    "card-keeper": Style("share of its cards that are in hand at the end", {"hand": 1}, {"drawn": 1}),
    "holder": Style(
        "share of the attacks on it that it beats off", {"defences_won": 1}, {"defences": 1}
    ),
    "raider": Style(
        "number of attacks for each segment that it explores", {"attacks": 1}, {"explored": 1}
    ),
    "rusher": Style("score for taking the enemy's gród", {"score": 1, "victory_points": -1}, {}),
    "warband": Style("share of its attacks that it wins", {"attacks_won": 1}, {"attacks": 1}),
}
