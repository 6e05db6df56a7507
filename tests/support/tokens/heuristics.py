"""Features of Tokens for profiles, none of which matters."""

from balance.foundation.compiling import compiled_entry

FEATURES = {"first": "the first action"}
SETTINGS = {}
SCRATCH = ()


@compiled_entry
def evaluate(rules, state, scratch, weights, codes, count, values):
    for i in range(count):
        values[i] = weights.first * (codes[i] == 0)
