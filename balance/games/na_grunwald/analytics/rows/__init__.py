"""Own rows of the verdict grid of Na Grunwald!."""
