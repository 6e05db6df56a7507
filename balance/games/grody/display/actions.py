"""The actions and chance outcomes of Grody: labels, sentences, and all actions for environments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from balance.contract.actions import ActionTable, Deed
from balance.foundation.language import N_, tr
from balance.games.grody.display.names import BOARD, BUILDING_TITLES, CARD_TITLES, TERRAIN_TITLES, WORDS
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.state import pack_rules
from balance.games.grody.rules.ruleset import BUILDINGS, CARDS, MOST_WARRIORS, Rules

_AIMS = {
    **dict.fromkeys((s.SURE, s.AMBUSH, s.WOLF_PIT, s.MANOEUVRE), "warrior"),
    **dict.fromkeys((s.PURSUIT, s.VOLUNTEERS, s.SABOTAGE), "place"),
}
"""What a fate card is played on; the other cards have no aim."""

_DEEDS = {  # by kind, and of a played card by its aim
    a.DECLINE: Deed("decline", N_("{who} plays no card")),
    (a.PLAY, "warrior"): Deed("play {card} {warrior}", N_("{who} plays {card} on warrior {warrior}")),
    (a.PLAY, "place"): Deed("play {card} {place}", N_("{who} plays {card} on {place}")),
    (a.PLAY, None): Deed("play {card}", N_("{who} plays {card}")),
    a.ACCEPT: Deed("accept", N_("{who} does not cancel the card")),
    a.DONE: Deed("done", N_("{who} ends its moves")),
    a.MOVE: Deed("move {origin} {place}", N_("{who} moves a warrior from {origin} to {place}"), BOARD),
    a.KEEP: Deed("keep", N_("{who} keeps the terrain")),
    a.EXCHANGE: Deed("exchange", N_("{who} exchanges the terrain")),
    a.HIT: Deed("hit {warrior}", N_("{who} strikes warrior {warrior}")),
    a.FLEE: Deed("flee {place}", N_("A warrior of {who} flees to {place}"), BOARD),
    a.DISCARD: Deed("discard {card}", N_("{who} throws away {card}")),
    a.BUILD_NOTHING: Deed("none", N_("{who} declines")),
    a.BUILD: Deed("build {building} {place}", N_("{who} builds: {building} on {place}"), BOARD),
    a.RANSOM_NOBODY: Deed("none", N_("{who} declines")),
    a.RANSOM: Deed("ransom {card}", N_("{who} ransoms a prisoner with {card}")),
    a.DRAW: Deed("draw {player} {card}", N_("The {player} draws {card}")),
    a.RESHUFFLE: Deed("reshuffle", N_("The discards are shuffled into a new pile")),
    a.EXPLORE: Deed("explore {place} {terrain}", N_("{place} is explored: {terrain}")),
    a.ROLL: Deed("roll {player} {dice}", N_("The {player} rolls {dice}")),
}


def _read(code: int) -> tuple[object, Mapping[str, int]]:
    """Return the key of a code in the table of deeds, and its numbers by name."""
    kind, number = code >> 25, code & a.LARGEST
    if kind == a.COUNTER:
        return (a.PLAY, None), {"card": s.WIZARD}
    pair = divmod(number, 1 << (a.SEAT_BIT if kind in (a.DRAW, a.ROLL) else a.PAIR_BITS))
    key = (kind, _AIMS.get(pair[0])) if kind == a.PLAY else kind
    parts = _DEEDS[key].parts
    is_pair = len(parts) == 2 or kind == a.PLAY
    return key, dict(zip(parts, pair if is_pair else (number,), strict=False))


ACTIONS = ActionTable(
    _DEEDS, _read, WORDS,
    written={"warrior": lambda number, _: str(number + 1), "dice": lambda dice, _: " ".join(np.base_repr(dice, 7))},
    said={
        "card": lambda card: CARD_TITLES[card],
        "building": lambda building: tr(BUILDING_TITLES[building]),
        "terrain": lambda terrain: tr(TERRAIN_TITLES[terrain]),
    },
    unlogged=("dice",),
)  # fmt: skip
write_label, parts_of, say = ACTIONS.write_label, ACTIONS.parts_of, ACTIONS.say

_KINDS = (
    "card", "card", "answer", "answer", "move", "move", "exchange", "exchange", "hit", "flee", "discard", "build",
    "build", "ransom", "ransom",
)  # fmt: skip


def kind_name(code: int) -> str:
    """Return the kind of a decision or chance outcome, as in the trace."""
    return _KINDS[code >> 25] if code >> 25 < len(_KINDS) else "chance"


_PLAIN = (a.DECLINE, a.ACCEPT, a.COUNTER, a.DONE, a.KEEP, a.EXCHANGE, a.BUILD_NOTHING, a.RANSOM_NOBODY)


def list_actions(rules: Rules, players: int) -> Iterator[int]:
    """Yield the code of every action that can be legal, in the order of the rule page."""
    packed = pack_rules(rules, players)
    segments, warriors, cards = range(packed.segment_count), range(MOST_WARRIORS), range(len(CARDS))
    for kind in _PLAIN:
        yield a.encode(kind, 0)
    aims = {"warrior": warriors, "place": segments}
    for card in cards:
        for aim in aims[_AIMS[card]] if card in _AIMS else (0,):
            yield a.encode_pair(a.PLAY, card, aim)
    for origin in segments:
        for neighbour in packed.neighbours[origin, : packed.degree[origin]]:
            yield a.encode_pair(a.MOVE, origin, int(neighbour))
    for warrior in warriors:
        yield a.encode(a.HIT, warrior)
    for segment in segments:
        yield a.encode(a.FLEE, segment)
    for kind, card in product((a.DISCARD, a.RANSOM), cards):
        yield a.encode(kind, card)
    for building, segment in product(range(len(BUILDINGS)), segments):
        yield a.encode_pair(a.BUILD, building, segment)
