"""Statistics on tables and moments; no plots and no files."""
