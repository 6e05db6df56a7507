"""Labels of action codes as on the rule page, and names of terrains, buildings and cards."""

from __future__ import annotations

from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.geography import BUILDINGS, CARDS, ENDINGS, TERRAINS
from balance.games.grody.rules.ruleset import Rules

TERRAIN_TITLES = {
    "rownina": "plain",
    "pustynia": "desert",
    "las": "forest",
    "wzgorza": "hills",
    "rzeka": "river",
    "bagno": "swamp",
    "grod": "gród",
}
BUILDING_TITLES = {"zasieki": "abatis", "most": "bridge", "twierdza": "fort"}
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
BEHAVIOURS = {"fleeing": "flees", "standing": "stands", "fighting": "fights", "furious": "is furious"}
SEATS = ("Szczukczyn", "Sielec")


_KINDS = {
    a.DECLINE: "card",
    a.PLAY: "card",
    a.ACCEPT: "answer",
    a.COUNTER: "answer",
    a.DONE: "move",
    a.MOVE: "move",
    a.KEEP: "exchange",
    a.EXCHANGE: "exchange",
    a.HIT: "hit",
    a.FLEE: "flee",
    a.DISCARD: "discard",
    a.BUILD_NOTHING: "build",
    a.BUILD: "build",
    a.RANSOM_NOBODY: "ransom",
    a.RANSOM: "ransom",
}
_BARE = {
    a.DECLINE: "decline",
    a.ACCEPT: "accept",
    a.COUNTER: "play czarodziej",
    a.DONE: "done",
    a.KEEP: "keep",
    a.EXCHANGE: "exchange",
    a.BUILD_NOTHING: "none",
    a.RANSOM_NOBODY: "none",
    a.RESHUFFLE: "reshuffle",
}
_ON_WARRIORS = (s.SURE, s.AMBUSH, s.WOLF_PIT, s.MANOEUVRE)
_ON_SEGMENTS = (s.PURSUIT, s.VOLUNTEERS, s.SABOTAGE)


def kind_name(code: int) -> str:
    """Return the kind of a decision or chance outcome, as in the trace."""
    return _KINDS.get(code >> 25, "chance")


def write_label(code: int, rules: Rules) -> str:
    """Return the label of a code."""
    kind, number = code >> 25, code & a.LARGEST
    first, second = number >> 6, number & 63
    if kind in _BARE:
        return _BARE[kind]
    names = rules.board.names
    if kind == a.PLAY:
        return f"play {CARDS[first]}{_aim(first, second, names)}"
    if kind == a.MOVE:
        return f"move {names[first]} {names[second]}"
    if kind == a.EXPLORE:
        return f"explore {names[first]} {TERRAINS[second]}"
    if kind == a.BUILD:
        return f"build {BUILDINGS[first]} {names[second]}"
    if kind in (a.DISCARD, a.RANSOM):
        return f"{_KINDS[kind]} {CARDS[number]}"
    if kind == a.HIT:
        return f"hit {number + 1}"
    if kind == a.FLEE:
        return f"flee {names[number]}"
    return _label_chance(kind, number)


def _aim(card: int, number: int, names: list[str]) -> str:
    """Return the warrior or segment on which a card is played, or ""."""
    if card in _ON_WARRIORS:
        return f" {number + 1}"
    return f" {names[number]}" if card in _ON_SEGMENTS else ""


def _label_chance(kind: int, number: int) -> str:
    """Return the label of a draw or roll; the highest bit of the number is the seat."""
    seat, rest = divmod(number, 1 << a.SEAT_BIT)
    if kind == a.DRAW:
        return f"draw {seat} {CARDS[rest]}"
    dice: list[str] = []
    while rest:
        rest, die = divmod(rest, 7)
        dice.insert(0, str(die))
    return f"roll {seat} {' '.join(dice)}"


_PAIRS = {
    a.PLAY: ("card", "place"),
    a.MOVE: ("origin", "place"),
    a.EXPLORE: ("place", "terrain"),
    a.BUILD: ("building", "place"),
}
_SINGLE = {a.DISCARD: "card", a.RANSOM: "card", a.HIT: "warrior", a.FLEE: "place"}


def parts_of(code: int, rules: Rules) -> dict[str, int]:
    """Return the parts of an action or chance outcome."""
    kind, number = code >> 25, code & a.LARGEST
    if kind in _PAIRS:
        parts = dict(zip(_PAIRS[kind], (number >> 6, number & 63), strict=True))
        if kind == a.PLAY and parts["card"] not in _ON_SEGMENTS:
            aim = parts.pop("place")
            return parts | ({"warrior": aim} if parts["card"] in _ON_WARRIORS else {})
        return parts
    if kind in (a.DRAW, a.ROLL):
        seat, rest = divmod(number, 1 << a.SEAT_BIT)
        return {"player": seat} | ({"card": rest} if kind == a.DRAW else {})
    if kind == a.COUNTER:
        return {"card": s.WIZARD}
    return {_SINGLE[kind]: number} if kind in _SINGLE else {}


def _segments(rules: Rules) -> list[str]:
    return list(rules.board.names)


WORDS = {
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
