"""Game-balance analytics: huge numbers of bot games under rule variants, and what they show."""

__version__ = "0.1.0"
