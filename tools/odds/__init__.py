"""Fit the odds of an attack that Grody's profiles use."""
