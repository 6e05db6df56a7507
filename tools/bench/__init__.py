"""`make bench`: how fast balance is and how much memory it takes, kept in docs/bench.json and docs/speed.md.

Noise of the machine affects absolute figures, so ratios are measured between alternating runs. Each figure is a median
of several measurements, except for long runs and for the first game, which must compile.
"""
