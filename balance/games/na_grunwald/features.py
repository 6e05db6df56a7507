from balance.jit import compiled
import numpy as np
WEIGHTS=np.dtype([("x","f8")],align=True)
@compiled
def evaluate(rules, state, weights, codes, count, values):
    for i in range(count):
        values[i]=0.0
