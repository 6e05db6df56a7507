"""What a strategy profile weighs."""

from __future__ import annotations

from balance.compiling.jit import compiled_entry
from balance.contract.records import Fields
from balance.games.grody.kernel import actions as a

FEATURES = {"passing": "passing"}
SETTINGS: dict[str, tuple[float, str]] = {}
SCRATCH: Fields = ()


@compiled_entry
def evaluate(rules, state, scratch, weights, codes, count, values):
    for i in range(count):
        values[i] = a.kind_of(codes[i]) == a.MOVE
