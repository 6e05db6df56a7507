"""Korona Piastów's own sections of the report."""
