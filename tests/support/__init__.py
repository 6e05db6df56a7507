"""What tests share: runs to look at, scenes of each game, plain oracles."""
