"""Report sections of Polska alone, one a module."""
