"""A game of Na Grunwald! in words: moves and their results."""

from __future__ import annotations

from balance.contract.records import CHANCE
from balance.contract.view import Move, Told
from balance.foundation.text import amount
from balance.games.na_grunwald.display.board import Picture, picture
from balance.games.na_grunwald.display.labels import FIELD_TITLES, event_name, field_name
from balance.games.na_grunwald.display.observation import Knights, Observation
from balance.games.na_grunwald.display.resolution import carry_out, outcomes
from balance.games.na_grunwald.rules.ruleset import Rules

_SHOWN = {
    "crown": "crown knights {} and {}",
    "provisions": "provisions {} for the first, {} for the second",
    "ducats": "ducats {}, {} and {}",
    "mercenaries": "mercenaries {} and {}",
    "krzyzacy": "Krzyżacy {} and {}",
}
_VERBS = {"fight": "sends {} into the skirmish", "send": "sends {} to the task", "enter": "enters {}"}


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
    if words[0] == "reveal":
        return _say_revealed(words[1], words[2:])
    if words[0] == "pass":
        return f"{who} passes"
    if words[0] == "place":
        return f"{who} places {_say_pawns(words[2:])} on {field_name(words[1])}"
    if words[0] in _VERBS:
        return f"{who} {_VERBS[words[0]].format(_card(words[1:]))}"
    if words[0] == "give":
        return f"{who} gives up {_say_gift(words[1:])}"
    if words[0] == "starve":
        return f"{who} cannot feed {_card(words[1:])}"
    if words[0] == "bid":
        return f"{who} passes" if words[1] == "pass" else f"{who} bids {words[1]}"
    action = {"hire": "a helper", "buy": "the lot"}[words[0]]
    return f"{who} {'buys' if words[1] == 'yes' else 'does not buy'} {action}"


def _say_revealed(what: str, values: list[str]) -> str:
    if what == "event":
        return f"Event: {values[0].replace('_', ' ')}"
    if what == "provisions" and values[1] == "0":
        return f"Turned up: provisions {values[0]}, nothing for the second"
    return "Turned up: " + _SHOWN[what].format(*values)


def _say_pawns(words: list[str]) -> str:
    if words[0] == "officer":
        pawns, ducats = "the officer", words[1:]
    else:
        pawns, ducats = f"{words[1]} helper{'s' if words[1] != '1' else ''}", words[2:]
    if ducats and ducats[0] != "0":
        return f"{pawns} with {ducats[0]} ducat{'s' if ducats[0] != '1' else ''}"
    return pawns


def _card(words: list[str]) -> str:
    if len(words) == 1:
        return {"peasant": "the peasant", "none": "no knight"}[words[0]]
    kind = "crown knight" if words[0] == "crown" else "mercenary"
    return f"a {kind} of {words[1]}"


def _say_gift(words: list[str]) -> str:
    if words[0] == "provision":
        return "a provision"
    if words[0] == "captive":
        return f"a captive of {words[1]}"
    return f"{_card(words[1:])} from the {words[0]}"


def _knights(knights: Knights) -> str:
    parts = [f"{kind} {' '.join(map(str, cards))}" for kind, cards in knights.items() if cards]
    return ", ".join(parts) if parts else "none"


def summarise(observation: Observation, names: list[str]) -> list[str]:
    """Return one line for each player: goods, cards and captives."""
    lines = []
    for name, player in zip(names, observation.seats, strict=True):
        captives = " ".join(map(str, player.captives)) or "none"
        things = ("ducat", player.ducats), ("provision", player.provisions), ("helper", player.helpers)
        lines.append(
            f"{name}: {', '.join(amount(count, thing) for thing, count in things)}; hand: {_knights(player.hand)}; "
            f"camp: {_knights(player.camp)}; captives: {captives}"
        )
    return lines


def tell(rules: Rules, move: Move) -> list[Told]:
    """Return a move and its results before the next move."""
    words = move.label.split()
    if move.seat == CHANCE:
        seen = picture(rules, move.after, move.viewer)
        return [Told(_tell_revealed(rules, seen, move.label), seen, FIELD_TITLES.get(words[1], ""))]
    seen = carry_out(rules, move)
    about = FIELD_TITLES["krzyzacy"] if words[0] == "fight" else ""
    about = FIELD_TITLES[words[1]] if words[0] == "place" else about
    about = FIELD_TITLES["helpers"] if words[0] == "hire" else about
    return [Told(say(move.label, move.who), seen, about), *outcomes(rules, move, seen)]


def name_round(rules: Rules, observation: Observation) -> str:
    """Return the event of the round, with its effect."""
    return event_name(rules, observation.event)


def _tell_revealed(rules: Rules, seen: Picture, label: str) -> str:
    """Return the cards turned up, and the prizes if players can't win all of them."""
    _, what, *values = label.split()
    if what == "event":
        return f"Event: {event_name(rules, values[0])}"
    text = say(label, "")
    shown = [value for value in values if value != "0"]
    won = [str(prize) for prize in seen.prizes[what] if prize]
    if what == "krzyzacy" or sorted(won) == sorted(shown):
        return text
    return f"{text}; to be won: {' and '.join(won) or 'nothing'}"
