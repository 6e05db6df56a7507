"""`make bench`: how fast balance is and how much memory it takes, kept in docs/bench.json and the README.

Noise of the machine moves the absolute figures, so ratios are taken between runs that alternate. Each
figure is a median of several, but for those of long runs and of the first game that must compile.
"""
