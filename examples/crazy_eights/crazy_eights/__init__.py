"""Crazy Eights: match the suit or the rank of the last card, and be the first without cards."""

from balance.contract.game import Game

GAME = Game(
    "crazy-eights", "Crazy Eights", (2, 3, 4), __name__,
    "traditional card game: match suit or rank, eights are wild; 2-4 players",
)  # fmt: skip
