"""One rule turned after another: games in memory, and what they show beside those of before."""
