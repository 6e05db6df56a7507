"""Report sections that only Korona Piastów has, one in each module."""
