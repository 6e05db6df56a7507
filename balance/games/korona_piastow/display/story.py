"""A game of Korona Piastów in words: moves and their results."""

from __future__ import annotations

from balance.contract.records import CHANCE
from balance.contract.view import Move, Told
from balance.foundation.text import amount, player
from balance.games.korona_piastow.display.board import DISTRICTS, MAP, RULERS, TABLE
from balance.games.korona_piastow.display.labels import thing, units_in_words, written
from balance.games.korona_piastow.display.observation import Observation, observe
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.rules.geography import UNITS
from balance.games.korona_piastow.rules.ruleset import Rules

_PLAIN = {
    "done": "is done",
    "none": "does nothing",
    "hasten": "hastens the building",
    "occupy": "occupies it",
    "devastate": "devastates it",
    "collect": "collects a denar in the capital",
}
_OF_A_PLACE = {
    "fief": "places an order in {}",
    "spy": "sends a spy to {}",
    "damage": "damages the building in {}",
    "siege": "besieges {}",
    "repair": "repairs {}",
    "raise": "raises infantry in {}",
    "ride": "rides to {}",
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
    """Return a move, the result of an invasion or quest, districts joined, rulers out, and the end."""
    seen, words = observe(rules, move.after, move.viewer), move.label.split()
    if move.seat == CHANCE:
        return [Told(_tell_chance(rules, move, words), seen, TABLE if words[0] == "event" else "")]
    about = _ABOUT.get(words[0], "")
    told = [Told(say(move.label, move.who), seen, about)]
    if words[0] == "send":
        told.append(Told(_say_battle(rules, move), seen, MAP, outcome=True))
    elif words[0] == "do" and words[2] == "quest":
        told.append(Told(_say_quest(move), seen, RULERS, outcome=True))
    return told + _tell_realm(rules, move, seen) + _tell_end(move, seen)


def name_round(rules: Rules, observation: Observation) -> str:
    """Return the name of the event being carried out, or ""."""
    names = {card.id: card.name for card in rules.events.cards}
    return names.get(observation.event, "")


def _tell_chance(rules: Rules, move: Move, words: list[str]) -> str:
    if words[0] == "event":
        return f"Event: {next(card.name for card in rules.events.cards if card.id == words[1])}"
    return say(move.label, move.who)


def _say_battle(rules: Rules, move: Move) -> str:
    """Return who won an invasion (CMB-3, CMB-6)."""
    fief = written(rules.map.fiefs[move.before.target].id)
    won = move.after.phase == s.ASK_VICTORY and move.after.seat == move.seat
    return f"{move.who} wins {fief}" if won else f"{fief} is held: {move.who} falls back"


def _say_quest(move: Move) -> str:
    """Return the result of a quest (QST-1)."""
    seat, before, after = move.seat, move.before, move.after
    if after.relics[seat] > before.relics[seat]:
        return "The quest finds a relic"
    if after.free_magnates[seat].sum() > before.free_magnates[seat].sum():
        return "The quest wins a magnate"
    if after.denars[seat] > before.denars[seat]:
        return f"The quest finds {amount(int(after.denars[seat] - before.denars[seat]), 'denar')}"
    lost = after.units[:, s.KNIGHT].sum() < before.units[:, s.KNIGHT].sum()
    return "The knight does not come back" if lost else "The quest finds nothing"


def _tell_realm(rules: Rules, move: Move, seen: Observation) -> list[Told]:
    """Return districts that joined a state (JOI-2), and rulers who are out (END-1)."""
    told = []
    for number, district in enumerate(rules.map.districts):
        owner = int(move.after.owner[number])
        if owner >= 0 and owner != move.before.owner[number]:
            text = f"{district.name} joins the state of the {player(owner)}"
            told.append(Told(text, seen, DISTRICTS, outcome=True))
    for seat in range(move.after.players):
        if move.after.out_round[seat] and not move.before.out_round[seat]:
            text = f"The {player(seat)} holds no fief of its capital district and is out"
            told.append(Told(text, seen, RULERS, outcome=True))
    return told


def _tell_end(move: Move, seen: Observation) -> list[Told]:
    """Return the ending of the game (END-3), if it is over."""
    if not move.after.over:
        return []
    text = {
        s.CROWN: "The crown is won",
        s.LAST: "Only one ruler is left",
        s.LIMIT: "The last round is over",
    }[int(move.after.ended_by)]
    return [Told(text, seen, RULERS, outcome=True)]
