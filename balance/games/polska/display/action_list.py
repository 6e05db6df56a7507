"""All actions of Polska, for environments with a fixed action space."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from balance.games.polska.display.labels import names_of
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s
from balance.games.polska.rules.ruleset import Rules


def list_actions(rules: Rules, players: int) -> Iterator[int]:
    """Yield the code of every action that can be legal, in the order of the rule page."""
    fields, faces = names_of(rules)
    for side in range(1, s.SIDES + 1):
        yield a.encode(a.TAKE_DIE, 0, side)
    for more in (0, 1):
        yield a.encode(a.NOTHING, more, 0)
    for kind, field in product((a.MOVE, a.TRAIN), range(len(fields))):
        yield a.encode(kind, 0, field)
    for more in (0, 1):
        for face in range(len(faces)):
            yield a.encode(a.PLAY, more, face)
        for seat in range(players):
            yield a.encode(a.STOP, more, seat)
    yield a.encode(a.COACH, 0, 0)
    for added in range(s.COACH_ADDS + 1):
        yield a.encode(a.ADD, 0, added)
    for face in range(len(faces)):
        yield a.encode(a.DISCARD, 0, face)
