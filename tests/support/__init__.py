"""Shared helpers of tests: runs, scenes of each game, plain oracles."""
