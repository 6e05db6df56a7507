"""Report sections of Na Grunwald! alone, one a module."""
