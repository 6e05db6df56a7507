"""All actions of Korona Piastów, for environments with a fixed action space."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.start import pack_rules
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.tables import BUILDINGS, ORDERS, TRAITS, UNITS

_PLAIN = (
    *((phase, a.DONE) for phase in (s.ASK_FIEF, s.ASK_MUSTER, s.ASK_REGROUP)),
    *((phase, a.NONE) for phase in (s.ASK_SPY, s.ASK_DAMAGE, s.ASK_REVENGE, s.ASK_MAGNATE, s.ASK_GRANT, s.ASK_RULER)),
    (s.ASK_BUILD, a.HASTEN),
    (s.ASK_VICTORY, a.OCCUPY),
    (s.ASK_VICTORY, a.DEVASTATE),
    (s.ASK_RULER, a.COLLECT),
)  # fmt: skip
_OF_A_FIEF = (
    (s.ASK_FIEF, a.FIEF),
    (s.ASK_SPY, a.SPY),
    (s.ASK_DAMAGE, a.DAMAGE),
    (s.ASK_SIEGE, a.SIEGE),
    *product((s.ASK_TARGET, s.ASK_REVENGE), (a.TARGET, a.CLAIM)),
    *product((s.ASK_MAGNATE, s.ASK_RULER), (a.REPAIR, a.RAISE)),
    (s.ASK_CHOOSE, a.CHOOSE_FIEF),
)
"""Kinds of decision with their verbs, by the number that an action has."""


def _list_sendings(most: int) -> Iterator[int]:
    """Yield every set of at most this number of units, one of which is the ruler's own (INV-2)."""
    for units in product(range(most + 1), repeat=len(UNITS)):
        if sum(units) <= most and any(units[: s.ENGINE]):
            yield int("".join(map(str, units)))


def list_actions(rules: Rules, players: int) -> Iterator[int]:
    """Yield the code of every action that can be legal, in the order of the rule page."""
    packed = pack_rules(rules, players)
    fiefs, districts = range(packed.fief_count), range(packed.district_count)
    for kind, verb in _PLAIN:
        yield a.encode(kind, verb, 0)
    for (kind, verb), fief in product(_OF_A_FIEF, fiefs):
        yield a.encode(kind, verb, fief)
    for unit, fief in product(range(s.ENGINE), fiefs):
        yield a.encode(s.ASK_PLACE, a.PLACE, a.pack(unit, fief))
    for verb, fief, order in product((a.DO, a.DROP), fiefs, range(len(ORDERS))):
        yield a.encode(s.ASK_TURN, verb, a.pack(fief, order))
    for order in range(len(ORDERS)):
        yield a.encode(s.ASK_ORDER, a.ORDER, order)
    for unit in range(s.FOREIGN):
        yield a.encode(s.ASK_MUSTER, a.MUSTER, unit)
    for fief, unit in product(fiefs, range(len(UNITS))):
        if unit != s.ENGINE:
            for other in packed.neighbours[fief, : packed.degree[fief]]:
                yield a.encode(s.ASK_REGROUP, a.MOVE, a.pack(a.pack(fief, int(other)), unit))
    for building in range(len(BUILDINGS)):
        yield a.encode(s.ASK_BUILD, a.BUILD, building)
    for units in _list_sendings(rules.fief_limit):
        yield a.encode(s.ASK_SEND, a.SEND, units)
    for trait, district in product(range(len(TRAITS)), districts):
        yield a.encode(s.ASK_GRANT, a.GRANT, a.pack(trait, district))
    for district in districts:
        yield a.encode(s.ASK_RULER, a.RIDE, district)
    for seat in range(players):
        yield a.encode(s.ASK_CHOOSE, a.CHOOSE_SEAT, seat)
    if rules.lines_chosen:
        for line in rules.lines:
            yield a.encode(s.ASK_LINE, a.CHOOSE_LINE, rules.map.district_ids.index(line))
    if rules.orders_per_turn == "any":
        yield a.encode(s.ASK_TURN, a.DONE, 0)
