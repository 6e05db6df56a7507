"""Report sections that only Grody has, one in each module."""
