"""Names of the environments in the registries of Gymnasium and PettingZoo, for all games that can be found."""

from __future__ import annotations

from importlib.util import find_spec

from balance.contract.game import find_games

OWN = "own-game"
"""Stands for games in plain Python: ``gymnasium.make("balance/OwnGame-v0", game="./mygame")``."""


def gymnasium_id(game: str) -> str:
    """Return the name of a game's environment in Gymnasium, such as ``balance/NaGrunwald-v0``."""
    return f"balance/{''.join(part.capitalize() for part in game.split('-'))}-v0"


def pettingzoo_id(game: str) -> str:
    """Return the name of a game's environment in PettingZoo, such as ``balance/na-grunwald-v0``."""
    return f"balance/{game}-v0"


def register_all() -> None:
    """Register every game with each of the two libraries that is installed; only the first call does something."""
    if find_spec("gymnasium") is not None:
        import gymnasium

        for game in (*find_games(), OWN):
            if gymnasium_id(game) not in gymnasium.registry:
                gymnasium.register(
                    gymnasium_id(game),
                    "balance.envs.seats:SeatEnv",
                    vector_entry_point="balance.envs.seats:SeatVectorEnv",
                    kwargs={} if game == OWN else {"game": game},
                )
    if find_spec("pettingzoo") is not None:
        import pettingzoo

        for game in (*find_games(), OWN):
            if pettingzoo_id(game) not in pettingzoo.aec_registry:
                own = {} if game == OWN else {"game": game}
                pettingzoo.register("aec", pettingzoo_id(game), "balance.envs.turns:TurnEnv", kwargs=own)
