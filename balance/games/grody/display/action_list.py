"""All actions of Grody, for environments with a fixed action space."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from balance.games.grody.display.labels import AIMS
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel.dealing import pack_rules
from balance.games.grody.rules import BUILDINGS, CARDS, MOST_WARRIORS, Rules

_PLAIN = (a.DECLINE, a.ACCEPT, a.COUNTER, a.DONE, a.KEEP, a.EXCHANGE, a.BUILD_NOTHING, a.RANSOM_NOBODY)


def list_actions(rules: Rules, players: int) -> Iterator[int]:
    """Yield the code of every action that can be legal, in the order of the rule page."""
    packed = pack_rules(rules, players)
    segments, warriors, cards = range(packed.segment_count), range(MOST_WARRIORS), range(len(CARDS))
    for kind in _PLAIN:
        yield a.encode(kind, 0)
    aims = {"warrior": warriors, "place": segments}
    for card in cards:
        for aim in aims[AIMS[card]] if card in AIMS else (0,):
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
