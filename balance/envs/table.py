"""What is played in an environment: the game, its rules, and the strategies in the seats around the agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from balance.contract.game import Game, get_game
from balance.contract.records import MAX_SEATS
from balance.contract.sides import WINS
from balance.engine import environments
from balance.experiments.experiment import DECISION_LIMIT
from balance.experiments.lineups import rotations_of
from balance.experiments.strategies import Strategy, check_plays, load_strategies
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import N_, tr

AGENT = Strategy("agent", "custom")
REWARDS = {"win": environments.WIN_SHARE, "score": environments.SCORE, "rank": environments.RANK}
Reward = Literal["win", "score", "rank"]
Illegal = Literal["error", "random"]
_MOST_SEED: int = 2**63 - 1
_MOST_DECISIONS = 1_000_000


def check_whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """Return a whole number of Python or NumPy as an int; refuse anything else, and what lies outside the limits."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if whole and least <= value and (most is None or value <= most):
        return int(value)
    limits = (
        tr("a whole number of at least {least}", least=least)
        if most is None
        else tr("a whole number from {least} to {most:,}", least=least, most=most)
    )
    raise BalanceError(tr("{name}: must be {limits}, not {value!r}", name=name, limits=limits, value=value))


def check_seed(seed: Any) -> int | None:
    """Return a seed as an int, or None; a seed is what `balance run` takes as ``--seed``."""
    return None if seed is None else check_whole("seed", seed, 0, _MOST_SEED)


@dataclass(frozen=True)
class Table:
    """A game with its rules, and who sits where."""

    game: Game
    rules: Any
    players: int
    strategies: list[Strategy]  # the agent first
    # int16 (rotations, MAX_SEATS): numbers of strategies by seat; game after game takes the next row.
    lineups: np.ndarray
    reward: int
    replaces_illegal: bool
    limit: int


def set_table(
    game: str | Game, players: int | None = None, variant: str = "base",
    opponents: str | Sequence[str] | None = None, seat: int | None = None, reward: Reward = "win",
    illegal: Illegal = "error", decision_limit: int = DECISION_LIMIT,
) -> Table:  # fmt: skip
    """Check the options of an environment and look up their names.

    Parameters
    ----------
    players : int or None
        None for the largest player count.
    variant : str
        A shipped variant, or the path of a file.
    opponents : str, sequence of str or None
        The strategy in all seats but the agent's, or a strategy for each of them in turn order after the agent:
        ``random``, a profile, ``expert``, ``search-N``. None: agents choose for all seats.
    seat : int or None
        The seat of a single agent; None: from game to game the line-up moves on by a seat, and each deal is played in
        all rotations.
    reward : str
        At the end of a game: ``win``, the win share; ``score``; or ``rank``, from 1 for the first to 0 for the last.
        A game that no player wins or loses has only its score.
    illegal : str
        What an action outside the mask is: an ``error``, or replaced by a ``random`` legal one.
    decision_limit : int
        Decisions after which a game is truncated.
    """
    found = get_game(game) if isinstance(game, str) else game
    count = found.players[-1] if players is None else players
    for what, value, known in (
        (tr("player count of {game}", game=found.name), str(count), [str(each) for each in found.players]),
        (N_("reward"), reward, list(REWARDS)),
        (N_("value of illegal"), illegal, ["error", "random"]),
    ):
        if value not in known:
            raise unknown(what, value, known)
    if reward != "score" and not found.sides.has_wins:
        why = found.sides.refuse(f"reward={reward!r}", [WINS])
        raise BalanceError(tr("{why}; write {instead}", why=why, instead="reward='score'"))
    names, count = _name_opponents(opponents, count), int(count)
    limit = check_whole("decision_limit", decision_limit, 1, _MOST_DECISIONS)
    return Table(
        found, load_variant(found, variant, Path()).rules, count, [AGENT, *_load(found, names, count)],
        _seat_all(names, count, seat), REWARDS[reward], illegal == "random", limit,
    )  # fmt: skip


def _name_opponents(opponents: str | Sequence[str] | None, players: int) -> list[str]:
    """Return the name of each opponent, in turn order after the agent; none if agents choose for all seats."""
    if opponents is None:
        return []
    names = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
    if len(names) != players - 1:
        raise BalanceError(
            tr(
                "opponents: name 1 strategy or {others}, one for each other seat, not {count}",
                others=players - 1,
                count=len(names),
            )
        )
    return names


def _load(game: Game, names: Sequence[str], players: int) -> list[Strategy]:
    """Return the different opponents; Python bots and restricted strategies can't play."""
    opponents = load_strategies(game, names, Path())
    for strategy in opponents:
        check_plays(strategy, [players])
        if strategy.kind == "custom" or strategy.restriction:
            text = (
                N_("opponents: {name} is a bot in Python; name a profile, a network, a searcher or random")
                if strategy.kind == "custom"
                else N_("opponents: {name} is restricted; name a profile, a network, a searcher or random")
            )
            raise BalanceError(tr(text, name=strategy.name))
    return opponents


def _seat_all(names: Sequence[str], players: int, seat: int | None) -> np.ndarray:
    """Return the line-ups, with the agent in one seat or in each in turn."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names), start=1)}
    lineups = rotations_of((0, *(numbers[name] for name in names)) if names else (0,) * players)
    if seat is not None:
        if not names:
            raise BalanceError(tr("seat: agents choose for all seats; name opponents, or leave out seat"))
        lineups = [lineups[check_whole("seat", seat, 0, players - 1)]]
    rows = np.zeros((len(lineups), MAX_SEATS), np.int16)
    rows[:, :players] = lineups
    return rows
