"""Games in plain Python: one file with a class, no NumPy and no compiled functions. See docs/own-game.md."""

from balance.plain.hidden import HIDDEN, Hidden, hide
from balance.plain.interface import PlainGame, RuleSet

__all__ = ["HIDDEN", "Hidden", "PlainGame", "RuleSet", "hide"]
