"""Tokens: dice, and five tokens of which it is known what each is worth; a game planted for tests."""

from balance.contract.game import Game

GAME = Game("tokens", "Tokens", (2, 3), __name__, "tokens of known worth")
