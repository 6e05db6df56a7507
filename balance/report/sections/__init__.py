"""The sections of a report, one a module and a heading of the page; found by scanning this folder."""
