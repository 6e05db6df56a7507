"""Grody: two strongholds, land turned up card by card, combats of dice and fate cards."""

from balance.contract.game import Game

GAME = Game(
    name="grody",
    title="Grody",
    players=(2,),
    package=__name__,
    summary="two strongholds explore and fight over land; dice, morale and fate cards; 2 players",
)
