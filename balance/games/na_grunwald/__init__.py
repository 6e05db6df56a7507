"""Na Grunwald! (Filip Miłuński, Egmont): worker placement, auctions and a shared skirmish."""

from balance.contract.game import Game

GAME = Game(
    name="na-grunwald",
    title="Na Grunwald!",
    players=(2, 3, 4),
    package=__name__,
    summary="worker placement, auctions and a shared skirmish; 2-4 players, 8 rounds",
)
