"""Experiments, variants, strategies, line-ups, sweeps and targets, checked and combined into a plan."""
