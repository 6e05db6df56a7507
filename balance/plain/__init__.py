"""Games in plain Python: one file with a class, no NumPy and no compiled functions. See docs/own-game.md."""

from balance.contract.own_games import play_derived
from balance.contract.rule_tables import Amount, BySeat, by_seat
from balance.plain.adapter import adapt
from balance.plain.hidden import HIDDEN, Hidden, hide
from balance.plain.interface import LOST, WON, PlainGame, RuleSet

__all__ = ["HIDDEN", "LOST", "WON", "Amount", "BySeat", "Hidden", "PlainGame", "RuleSet", "by_seat", "hide"]

play_derived(PlainGame, adapt)
