"""Ways of playing Polska that have a profile each, and what it leads the others in."""

from __future__ import annotations

from balance.contract.style import Style
from balance.games.polska.kernel.state import KINDS, STEPPING

_TURNS = {"own_turns": 1.0}
_STEPS = {f"{kind}_steps": 1.0 for kind in STEPPING}
_PLAYED = {f"{kind}_played": 1.0 for kind in KINDS}
_KEPT = {"drawn": 1.0, "thrown": -1.0, **{column: -factor for column, factor in _PLAYED.items()}}

STYLES = {
    "blocker": Style("share of the cards it plays that are stop cards", {"stop_played": 1}, _PLAYED),
    "card-hoarder": Style("share of its cards that are in hand at the end", _KEPT, {"drawn": 1}),
    "city-visitor": Style("share of its steps from city cards", {"city_steps": 1}, _STEPS),
    "history-reader": Style("share of its steps from grey cards", {"grey_steps": 1}, _STEPS),
    "marker-runner": Style("markers a turn of its own", {"markers": 1}, _TURNS),
    "sprinter": Style("cards played a turn of its own", _PLAYED, _TURNS),
}
