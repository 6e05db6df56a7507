"""Report sections that only Na Grunwald! has, one in each module."""
