"""Tokens: dice, and five tokens of known value; a game planted for tests."""

from balance.contract.game import Game

GAME = Game("tokens", "Tokens", (2, 3), __name__, "tokens of known worth")
