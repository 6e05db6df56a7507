"""Korona Piastów (a designer's draft): dukes give orders face down, invade, build and strive for the crown."""

from balance.contract.game import Game

GAME = Game(
    name="korona-piastow",
    title="Korona Piastów",
    players=(2, 3, 4, 5, 6),
    package=__name__,
    summary="hidden orders on a map, invasions, buildings, court and events; 2-6 players",
)
