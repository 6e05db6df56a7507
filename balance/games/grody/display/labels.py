"""Labels of action codes as on the rule page, and names of terrains, buildings and cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from balance.foundation.language import N_
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.rules import BUILDINGS, CARDS, ENDINGS, TERRAINS, Rules

TERRAIN_TITLES = {
    "rownina": N_("plain"),
    "pustynia": N_("desert"),
    "las": N_("forest"),
    "wzgorza": N_("hills"),
    "rzeka": N_("river"),
    "bagno": N_("swamp"),
    "grod": "gród",
}
BUILDING_TITLES = {"zasieki": N_("abatis"), "most": N_("bridge"), "twierdza": N_("fort")}
CARD_TITLES = {
    "na_pewno_sie_uda": "Na pewno się uda",
    "piesn_bojowa": "Pieśń bojowa",
    "zasadzka": "Zasadzka",
    "wilczy_dol": "Wilczy dół",
    "doskonaly_manewr": "Doskonały manewr",
    "odwrot": "Odwrót",
    "poscig": "Pościg",
    "forsowny_marsz": "Forsowny marsz",
    "zwiad": "Zwiad",
    "ochotnicy": "Ochotnicy",
    "sabotaz": "Sabotaż",
    "okup": "Okup",
    "wieszczba": "Wieszczba",
    "czarodziej": "Czarodziej",
}
GROD_TITLES = ("Szczukczyn", "Sielec")  # of each seat

_LABELS = {  # kind of decision, beginning of the label, and the one or two numbers in a code
    a.DECLINE: ("card", "decline"),
    a.PLAY: ("card", "play", "card", "aim"),
    a.ACCEPT: ("answer", "accept"),
    a.COUNTER: ("answer", "play czarodziej"),
    a.DONE: ("move", "done"),
    a.MOVE: ("move", "move", "origin", "place"),
    a.KEEP: ("exchange", "keep"),
    a.EXCHANGE: ("exchange", "exchange"),
    a.HIT: ("hit", "hit", "warrior"),
    a.FLEE: ("flee", "flee", "place"),
    a.DISCARD: ("discard", "discard", "card"),
    a.BUILD_NOTHING: ("build", "none"),
    a.BUILD: ("build", "build", "building", "place"),
    a.RANSOM_NOBODY: ("ransom", "none"),
    a.RANSOM: ("ransom", "ransom", "card"),
    a.DRAW: ("chance", "draw", "player", "card"),
    a.RESHUFFLE: ("chance", "reshuffle"),
    a.EXPLORE: ("chance", "explore", "place", "terrain"),
    a.ROLL: ("chance", "roll", "player", "dice"),
}
AIMS = {
    **dict.fromkeys((s.SURE, s.AMBUSH, s.WOLF_PIT, s.MANOEUVRE), "warrior"),
    **dict.fromkeys((s.PURSUIT, s.VOLUNTEERS, s.SABOTAGE), "place"),
}
"""What a fate card is played on; the other cards have no aim."""


def kind_name(code: int) -> str:
    """Return the kind of a decision or chance outcome, as in the trace."""
    return _LABELS[code >> 25][0]


def write_label(code: int, rules: Rules) -> str:
    """Return the label of a code."""
    _, beginning, *_ = _LABELS[code >> 25]
    numbers = _numbers_of(code)
    return " ".join([beginning, *(_write(name, number, rules) for name, number in numbers.items())])


def parts_of(code: int, rules: Rules) -> dict[str, int]:
    """Return the parts of an action or chance outcome."""
    if code >> 25 == a.COUNTER:
        return {"card": s.WIZARD}
    return {name: number for name, number in _numbers_of(code).items() if name != "dice"}


def _numbers_of(code: int) -> dict[str, int]:
    """Return the numbers in a code, by name; an aim as `warrior` or `place`, or left out."""
    kind, number = code >> 25, code & a.LARGEST
    _, _, *names = _LABELS[kind]
    if len(names) < 2:
        return dict.fromkeys(names, number)
    first, second = divmod(number, 1 << (a.SEAT_BIT if names[0] == "player" else a.PAIR_BITS))
    if kind == a.PLAY:
        return {"card": first} | ({AIMS[first]: second} if first in AIMS else {})
    return {names[0]: first, names[1]: second}


def _write(name: str, number: int, rules: Rules) -> str:
    """Return a number as it stands in labels."""
    if name == "player":
        return str(number)
    if name == "warrior":
        return str(number + 1)
    if name == "dice":
        return " ".join(np.base_repr(number, 7))
    words = WORDS[name]
    return (words(rules) if callable(words) else words)[number]


def _segments(rules: Rules) -> Sequence[str]:
    return rules.board.names


WORDS: dict[str, Sequence[str] | Callable[[Rules], Sequence[str]]] = {
    "ended_by": ENDINGS,
    "place": _segments,
    "origin": _segments,
    "card": CARDS,
    "terrain": (*TERRAINS, "grod"),
    "building": (*BUILDINGS, "none"),  # the last is number -1
    "fate": a.FATES,
    "reason": ENDINGS,
}
"""The words for columns, and for parts of the trace."""
