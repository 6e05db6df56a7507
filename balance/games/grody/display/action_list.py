"""All actions of Grody, for environments with a fixed action space."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.dealing import pack_rules
from balance.games.grody.rules import BUILDINGS, CARDS, MOST_WARRIORS, Rules

_PLAIN = (a.DECLINE, a.ACCEPT, a.COUNTER, a.DONE, a.KEEP, a.EXCHANGE, a.BUILD_NOTHING, a.RANSOM_NOBODY)
_ON_WARRIORS = (s.SURE, s.AMBUSH, s.WOLF_PIT, s.MANOEUVRE)
_ON_SEGMENTS = (s.PURSUIT, s.VOLUNTEERS, s.SABOTAGE)


def list_actions(rules: Rules, players: int) -> Iterator[int]:
    """Yield the code of every action that can be legal, in the order of the rule page."""
    packed = pack_rules(rules, players)
    segments, warriors, cards = range(packed.segment_count), range(MOST_WARRIORS), range(len(CARDS))
    for kind in _PLAIN:
        yield a.encode(kind, 0)
    for card in cards:
        aims = warriors if card in _ON_WARRIORS else segments if card in _ON_SEGMENTS else (0,)
        for aim in aims:
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
