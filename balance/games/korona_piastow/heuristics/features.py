"""What a strategy profile weighs: named features of an action in a state; nothing hidden is read."""

from __future__ import annotations

from balance.compiling.jit import compiled_entry
from balance.contract.records import Fields
from balance.games.korona_piastow.kernel import actions as a

FEATURES = {"drop": "giving an order up"}
SETTINGS: dict[str, tuple[float, str]] = {}
SCRATCH: Fields = ()


@compiled_entry
def evaluate(rules, state, scratch, weights, codes, count, values):
    for i in range(count):
        values[i] = weights.drop * (a.verb_of(codes[i]) == a.DROP)
