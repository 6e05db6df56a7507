"""Polska. Gra z historią (Spartaco Albertarelli, Egmont 2017): dice draft, pawns on a map, a race through history."""

from balance.contract.game import Game

GAME = Game(
    name="polska",
    title="Polska. Gra z historią",
    players=(2, 3, 4, 5, 6),
    package=__name__,
    summary="dice draft, pawns on a map, hand of cards and a race; 2-6 players",
)
