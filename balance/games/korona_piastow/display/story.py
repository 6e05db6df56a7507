"""A game in words: labels as sentences (section 5)."""

from __future__ import annotations

from balance.contract.words import player
from balance.games.korona_piastow.display.words import thing, units_in_words, written
from balance.games.korona_piastow.rules.vocabulary import UNITS

_PLAIN = {
    "done": "is done",
    "none": "lets it be",
    "hasten": "hastens the building",
    "occupy": "occupies it",
    "devastate": "devastates it",
    "collect": "collects a denar in the capital",
}
_OF_A_PLACE = {
    "fief": "lays an order in {}",
    "spy": "sends a spy to {}",
    "damage": "damages the building in {}",
    "siege": "besieges {}",
    "repair": "repairs {}",
    "raise": "raises infantry in {}",
    "ride": "rides to {}",
}


def say(label: str, who: str) -> str:
    """A label as a sentence.

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
    verb = words[0]
    if verb in _PLAIN:
        return f"{who} {_PLAIN[verb]}"
    if verb in _OF_A_PLACE:
        return f"{who} {_OF_A_PLACE[verb].format(written(words[1]))}"
    return f"{who} {_say_rest(words)}"


def _say_rest(words: list[str]) -> str:
    verb, first = words[0], words[1]
    if verb == "place":
        return f"places {_one(first)} in {written(words[2])}"
    if verb == "order":
        return f"orders {first}"
    if verb in ("do", "drop"):
        return f"{'turns up' if verb == 'do' else 'gives up'} {words[2]} in {written(first)}"
    if verb == "muster":
        return f"musters {_one(first)}"
    if verb == "move":
        return f"moves {_one(words[3])} from {written(first)} to {written(words[2])}"
    if verb == "build":
        return f"begins a {thing(first)}"
    if verb == "target":
        return f"{'pays for a claim and ' if len(words) == 3 else ''}invades {written(first)}"
    if verb == "send":
        return f"sends {units_in_words(UNITS, [int(count) for count in first.split(':')])}"
    if verb == "grant":
        return f"grants {written(words[2])} to a magnate of {first}"
    return f"chooses {f'the {player(int(first))}' if first.isdigit() else written(first)}"


def _one(unit: str) -> str:
    """One unit, with its article."""
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
