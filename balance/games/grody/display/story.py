"""A game of Grody in words: moves and their results."""

from __future__ import annotations

from balance.contract.view import Move, Told
from balance.foundation.text import amount, player
from balance.games.grody.display.labels import BUILDING_TITLES, CARD_TITLES, TERRAIN_TITLES
from balance.games.grody.display.observation import observe
from balance.games.grody.display.panels import BOARD, PLAYERS
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.rules import CARDS, Rules

_TITLES = {**TERRAIN_TITLES, **BUILDING_TITLES, **CARD_TITLES}
_SENTENCES = {  # by the first word of a label; the other words in braces
    "decline": "{who} plays no card",
    "play": "{who} plays {0}",
    "accept": "{who} does not cancel the card",
    "done": "{who} ends its moves",
    "move": "{who} moves a warrior from {0} to {1}",
    "keep": "{who} keeps the terrain",
    "exchange": "{who} exchanges the terrain",
    "hit": "{who} strikes warrior {0}",
    "flee": "A warrior of {who} flees to {0}",
    "discard": "{who} throws away {0}",
    "none": "{who} declines",
    "build": "{who} builds: {0} on {1}",
    "ransom": "{who} ransoms a prisoner with {0}",
    "reshuffle": "The discards are shuffled into a new pile",
    "explore": "{0} turns out to be {1}",
    "draw": "The {0} draws {1}",
    "roll": "The {0} rolls {1}",
}


def say(label: str, who: str) -> str:
    """Return a label as a sentence.

    Parameters
    ----------
    label : str
        As in the trace.
    who : str
        The player, or "" for chance.
    """
    kind, *words = label.split()
    titles = [_TITLES.get(word, word) for word in words]
    if kind in ("draw", "roll"):
        titles = [player(int(words[0])), " ".join(titles[1:])]
    elif kind == "explore" and titles[1] != "hills":
        titles[1] = f"a {titles[1]}"
    elif kind == "play" and words[1:]:
        titles[0] += f" on warrior {words[1]}" if words[1].isdigit() else f" on {words[1]}"
    return _SENTENCES[kind].format(*titles, who=who)


_ON_BOARD = ("move", "flee", "build")


def tell(rules: Rules, move: Move) -> list[Told]:
    """Return a decision or chance outcome in one sentence."""
    about = BOARD if move.label.split()[0] in _ON_BOARD else ""
    return [Told(say(move.label, move.who), observe(rules, move.after, move.viewer), about)]


def _place(rules: Rules, move: Move) -> str:
    return rules.board.names[move.parts["place"]]


def _say_combat(rules: Rules, move: Move) -> str:
    sides = amount(move.parts["attackers"], "attacker"), amount(move.parts["defenders"], "defender")
    return f"Combat on {_place(rules, move)}: {sides[0]} against {sides[1]}"


def _say_fought(rules: Rules, move: Move) -> str:
    seat = move.parts["player"]
    winner = "No player" if seat == s.NOBODY else f"The {player(seat)}"
    return f"{winner} wins the combat on {_place(rules, move)}"


def _say_card(rules: Rules, move: Move) -> str:
    title = CARD_TITLES[CARDS[move.parts["card"]]]
    return "" if move.parts["effect"] else f"{title} is cancelled"


def _say_warrior(rules: Rules, move: Move) -> str:
    how = {
        a.KILLED: "falls",
        a.CAPTURED: "is taken prisoner",
        a.THIRST: "dies of thirst",
        a.STRAYED: "finds no room and is lost",
    }
    return f"A warrior of the {player(move.parts['player'])} {how[move.parts['fate']]} on {_place(rules, move)}"


def _say_owner(rules: Rules, move: Move) -> str:
    if move.parts["former"] == s.NOBODY:
        return ""
    return f"{_place(rules, move)} now belongs to the {player(move.parts['player'])}"


def _say_end(rules: Rules, move: Move) -> str:
    seat, reason = move.parts["player"], move.parts["reason"]
    if seat == s.NOBODY:
        return f"{amount(rules.turn_limit, 'turn')} each are over: a draw"
    if reason == s.CONQUEST:
        return f"The {player(seat)} conquers the enemy's gród"
    points = f"{move.parts['points']} points to {move.parts['against']}"
    if reason == s.DOMINANCE:
        return f"The {player(seat)} dominates the land: {points}"
    return f"{amount(rules.turn_limit, 'turn')} each are over and the {player(seat)} is ahead: {points}"


OUTCOME_TEXTS = {
    "combat": (_say_combat, BOARD),
    "fought": (_say_fought, BOARD),
    "card": _say_card,
    "warrior": (_say_warrior, BOARD),
    "owner": (_say_owner, BOARD),
    "end": (_say_end, PLAYERS),
}
"""The words of each outcome, and the panel that it is about."""
