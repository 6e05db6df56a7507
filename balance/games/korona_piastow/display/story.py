"""A game of Korona Piastów in words: moves and their results."""

from __future__ import annotations

from balance.contract.view import Move, Told
from balance.foundation.text import amount, player
from balance.games.korona_piastow.display.board import DISTRICTS, MAP, RULERS, TABLE
from balance.games.korona_piastow.display.labels import thing, units_in_words, written
from balance.games.korona_piastow.display.observation import Observation, observe
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.tables import BUILDINGS, UNITS

_SENTENCES = {
    "done": "is done",
    "none": "does nothing",
    "place": "places {unit[1]} in {place[2]}",
    "fief": "places an order in {place[1]}",
    "order": "orders {word[1]}",
    "spy": "sends a spy to {place[1]}",
    "damage": "damages the building in {place[1]}",
    "do": "turns up {word[2]} in {place[1]}",
    "drop": "gives up {word[2]} in {place[1]}",
    "muster": "musters {unit[1]}",
    "move": "moves {unit[3]} from {place[1]} to {place[2]}",
    "build": "begins a {thing[1]}",
    "hasten": "hastens the building",
    "siege": "besieges {place[1]}",
    "target": "invades {place[1]}",
    "claim": "pays for a claim and invades {place[1]}",
    "occupy": "occupies it",
    "devastate": "devastates it",
    "repair": "repairs {place[1]}",
    "raise": "raises infantry in {place[1]}",
    "grant": "grants {place[2]} to a magnate of {word[1]}",
    "collect": "collects a denar in the capital",
    "ride": "rides to {place[1]}",
    "choose": "chooses {place[1]}",
}
"""The sentence of each action, with the words of its label by their number, as names of their kind."""


def say(label: str, who: str) -> str:
    """Return a label as a sentence.

    Parameters
    ----------
    label : str
        As in the trace.
    who : str
        The player, or "" for chance.
    """
    words = label.split()
    if not who:
        return _say_chance(words)
    if words[0] == "send":
        return f"{who} sends {units_in_words(UNITS, [int(count) for count in words[1].split(':')])}"
    if words[0] == "choose" and words[1].isdigit():
        return f"{who} chooses the {player(int(words[1]))}"
    sentence = _SENTENCES["claim" if words[-1] == "claim" else words[0]]
    places, units, things = (list(map(name, words)) for name in (written, _one, thing))
    return f"{who} {sentence.format(word=words, place=places, unit=units, thing=things)}"


def _one(unit: str) -> str:
    """Return one unit with its article."""
    return unit if unit in ("infantry", "cavalry") else f"a{'n' * (unit == 'engine')} {thing(unit)}"


def _say_chance(words: list[str]) -> str:
    if words[0] == "reshuffle":
        return "The discards are shuffled into a new stack"
    if words[0] == "event":
        return f"Event: {words[1].replace('_', ' ')}"
    if words[0] == "fate":
        number = {"attack": words[3], "defence": words[4]}.get(words[1], f"{words[3]} and {words[4]}")
        whose = {"attack": "the attacker", "defence": "the defender"}.get(words[1], "the quest")
        return f"Fate of {whose}: {number}"
    who = f"The {player(int(words[1]))}"
    if words[0] == "magnate":
        return f"{who} draws a magnate of {words[2]}"
    return f"{who} draws {'a second line, ' * (words[0] == 'second')}{written(words[2])}"


_ABOUT = {
    "grant": DISTRICTS,
    **dict.fromkeys(("place", "move", "muster", "target", "send", "build"), MAP),
}


def tell(rules: Rules, move: Move) -> list[Told]:
    """Return a decision or chance outcome in one sentence."""
    words = move.label.split()
    text, about = say(move.label, move.who), _ABOUT.get(words[0], "")
    if words[0] == "event":
        text, about = f"Event: {rules.events.cards[move.parts['card']].name}", TABLE
    return [Told(text, observe(rules, move.after, move.viewer), about)]


def name_round(rules: Rules, observation: Observation) -> str:
    """Return the name of the event being carried out, or ""."""
    names = {card.id: card.name for card in rules.events.cards}
    return names.get(observation.event, "")


def _who(seat: int) -> str:
    """Return a ruler, or the foreign states, as the subject of a sentence."""
    return f"The {player(seat)}" if seat >= 0 else "A foreign state"


def _fief(rules: Rules, move: Move) -> str:
    return written(rules.map.fiefs[move.parts["place"]].id)


def _say_money(rules: Rules, move: Move) -> str:
    change = move.parts["denars"]
    return f"{_who(move.parts['player'])} {'gains' if change > 0 else 'pays'} {amount(abs(change), 'denar')}"


def _say_battle(rules: Rules, move: Move) -> str:
    """Return the strength of both sides before the fate cards (CMB-1)."""
    parts = move.parts
    walls = (
        f", {parts['walls']} of it by the {thing(BUILDINGS[parts['building']])}"
        if parts["walls"]
        else ""
    )
    return f"Attack on {_fief(rules, move)}: {parts['attack']} against {parts['defence']}{walls}"


def _say_fought(rules: Rules, move: Move) -> str:
    """Return who wins, with the strength of both sides and their losses (CMB-3, CMB-6)."""
    parts, who, fief = move.parts, _who(move.parts["player"]), _fief(rules, move)
    result = f"{who} wins {fief}" if parts["conquered"] else f"{fief} is held"
    losses = f"the attacker loses {amount(parts['lost'], 'unit')}, the defender {amount(parts['killed'], 'unit')}"
    return f"{result}, {parts['attack']} against {parts['defence']}; {losses}"


def _say_quest(rules: Rules, move: Move) -> str:
    found = move.parts["found"]
    if found == a.KNIGHT_LOST:
        return "The knight does not come back"
    what = amount(move.parts["denars"], "denar") if found == a.FOUND_DENARS else a.QUEST_RESULTS[found]
    return f"The quest finds {what}"


def _say_built(rules: Rules, move: Move) -> str:
    return f"The {thing(BUILDINGS[move.parts['building']])} in {_fief(rules, move)} is finished"


def _say_owner(rules: Rules, move: Move) -> str:
    """Return the state that a district joins (JOI-2), or that it is free again (END-1)."""
    name, seat = rules.map.districts[move.parts["district"]].name, move.parts["player"]
    if seat >= 0:
        return f"{name} joins the state of the {player(seat)}"
    return f"{name} {'is free again' if seat == s.NOBODY else 'is foreign again'}"


def _say_out(rules: Rules, move: Move) -> str:
    return f"{_who(move.parts['player'])} holds no fief of its capital district and is out"


_ENDS = {
    s.CROWN: "The crown is won",
    s.LAST: "Only one ruler is left",
    s.LIMIT: "The last round is over",
}
OUTCOME_TEXTS = {
    "tribute": "",  # of every ruler in every round; the position shows it
    "money": (_say_money, RULERS),
    "battle": (_say_battle, MAP),
    "fought": (_say_fought, MAP),
    "quest": (_say_quest, RULERS),
    "built": (_say_built, MAP),
    "owner": (_say_owner, DISTRICTS),
    "out": (_say_out, RULERS),
    "end": (lambda rules, move: _ENDS[move.parts["reason"]], RULERS),
}
"""The words of each outcome, and the panel that it is about."""
