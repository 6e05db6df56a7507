"""A game of Polska told: moves with what the dice, cards, cities and history made of them."""

from __future__ import annotations

from balance.contract.records import CHANCE
from balance.contract.telling import Move, Told
from balance.contract.words import amount, player
from balance.games.polska.display.observation import observe
from balance.games.polska.display.story import history_name, say
from balance.games.polska.rules.ruleset import Rules

_PLAYERS, _MAP = "Players", "Map"


def tell(rules: Rules, move: Move) -> list[Told]:
    """A move, what it gave, and the victory."""
    seen, words = observe(rules, move.after, move.viewer), move.label.split()
    text = say(move.label, move.who)
    if move.seat == CHANCE:
        return [Told(text, seen, _MAP if words[0] == "marker" else "")]
    told = [Told(text + _gain(rules, move, words), seen, _about(words))]
    if move.after.over == 1:
        end = history_name(rules, int(move.after.position[move.seat]))
        told.append(Told(f"{player(move.seat)} reaches {end} first", seen, _PLAYERS, outcome=True))
    elif move.after.over:
        text = f"{amount(rules.turn_limit, 'turn')} are over and nobody has arrived"
        told.append(Told(text, seen, _PLAYERS, outcome=True))
    return told


def _about(words: list[str]) -> str:
    if words[0] == "move" or words[:2] == ["play", "train"]:
        return _MAP
    return _PLAYERS if words[0] == "play" else ""


def _gain(rules: Rules, move: Move, words: list[str]) -> str:
    """What a move gave, as the end of its sentence."""
    seat, before, after = move.seat, move.before, move.after
    if words[0] == "die":
        served = before.stops[seat] > after.stops[seat]
        return ", and a stop card ends the turn" if served else ""
    if words[0] == "move" or words[:2] == ["play", "train"]:
        return _marker(rules, move)
    steps = int(after.position[seat] - before.position[seat])
    if words[0] != "play" or words[1] in ("stop", "coach"):
        return ""
    here = history_name(rules, int(after.position[seat]))
    return f": {amount(steps, 'step')}, to {here}"


def _marker(rules: Rules, move: Move) -> str:
    """The marker that a pawn takes, and its cards (MOV-5)."""
    if move.after.pawn[move.seat] == move.before.pawn[move.seat]:
        return ""
    if not move.before.marker_on[move.after.pawn[move.seat]]:
        return ""
    cards = rules.cards_per_marker[int(move.before.taken_of_set)]
    return f" and takes the marker: {amount(cards, 'card')}"
