"""A game of Grody told: moves with the land, prisoners and victories that came of them."""

from __future__ import annotations

from balance.contract.records import CHANCE
from balance.contract.telling import Move, Told
from balance.contract.words import amount, player
from balance.games.grody.display.observation import Observation, observe
from balance.games.grody.display.story import say
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.ruleset import Rules

_PLAYERS, _BOARD = "Players", "Board"
_ON_BOARD = ("move", "flee", "build")


def tell(rules: Rules, move: Move) -> list[Told]:
    """A move, what it changed, and the end of the game."""
    seen, words = observe(rules, move.after, move.viewer), move.label.split()
    text = say(move.label, move.who)
    if move.seat == CHANCE:
        return [Told(text, seen, _BOARD if words[0] == "explore" else "")]
    told = [Told(text, seen, _BOARD if words[0] in _ON_BOARD else "")]
    told += [Told(each, seen, _BOARD, outcome=True) for each in _changes(rules, move)]
    if move.after.over:
        told.append(Told(_say_end(rules, move), seen, _PLAYERS, outcome=True))
    return told


def _changes(rules: Rules, move: Move) -> list[str]:
    """Segments that were taken from somebody, and prisoners."""
    before, after = move.before, move.after
    found = [
        f"{name} now belongs to the {player(int(after.owner[i]))}"
        for i, name in enumerate(rules.board.names)
        if before.owner[i] not in (s.NOBODY, after.owner[i])
    ]
    for seat in range(s.SEATS):
        more = int(after.prisoners[seat] - before.prisoners[seat])
        if more > 0:
            found.append(f"the {player(seat)} takes {amount(more, 'prisoner')}")
    return found


def _say_end(rules: Rules, move: Move) -> str:
    if move.after.over == 2:
        return f"{amount(rules.turn_limit, 'turn')} each are over and nobody is ahead"
    winner = player(int(move.after.winner))
    if move.after.ended_by == s.CONQUEST:
        return f"The {winner} conquers the enemy's gród"
    seen: Observation = observe(rules, move.after, move.viewer)
    points = f"{seen.points[int(move.after.winner)]} points to {seen.points[1 - int(move.after.winner)]}"
    if move.after.ended_by == s.DOMINANCE:
        return f"The {winner} dominates the land: {points}"
    return f"{amount(rules.turn_limit, 'turn')} each are over and the {winner} is ahead: {points}"
