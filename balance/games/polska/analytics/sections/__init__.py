"""Report sections that only Polska has, one in each module."""
