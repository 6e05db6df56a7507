"""Report sections of Grody alone, one a module."""
