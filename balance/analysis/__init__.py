"""Analyses of a run in numbers: shares, effects, verdicts; without plots and printing."""
