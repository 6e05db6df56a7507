"""A game in words and panels, for `balance replay`."""

from __future__ import annotations

from balance.contract.panel import Panel
from balance.games.polska.display.board import draw_map
from balance.games.polska.display.observation import Observation
from balance.games.polska.rules.ruleset import Rules


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
    if words[0] == "die":
        return f"{who} takes a {words[1]}"
    if words[0] == "nothing":
        return f"{who} does nothing more"
    if words[0] == "move":
        return f"{who} moves to {place(words[1])}"
    if words[0] == "add":
        return f"{who} adds {words[1]} to the die"
    if words[0] == "discard":
        return f"{who} throws away {card(words[1:])}"
    if words[1] == "stop":
        return f"{who} stops seat {words[2]}"
    if words[1] == "train":
        return f"{who} rides the train to {place(words[2])}"
    return f"{who} plays {card(words[1:])}"


def _say_chance(words: list[str]) -> str:
    if words[0] == "roll":
        return f"Rolled: {' '.join(words[1:])}"
    if words[0] == "marker":
        return f"A marker is laid on {place(words[1])}"
    if words[0] == "reshuffle":
        return "The discards are shuffled into a new pile"
    verb = "is dealt" if words[0] == "deal" else "draws"
    return f"Seat {words[1]} {verb} {card(words[2:])}"


def place(field: str) -> str:
    """A field in words."""
    parts = field.split("-")
    if len(parts) == 1:
        return field.replace("_", " ").capitalize()
    return f"step {parts[2]} from {place(parts[0])} to {place(parts[1])}"


def card(words: list[str]) -> str:
    """A card in words."""
    if words[0] in ("grey", "blue"):
        return f"the {words[0]} card of {words[1]}"
    if words[0] == "city":
        return f"the card of {place(words[1])}"
    return {
        "eagle": "the white eagle",
        "coach": "the coach",
        "train": "a train card",
        "stop": "a stop card",
    }[words[0]]


def summarise(observation: Observation, names: list[str]) -> list[str]:
    """What every player has, a line each."""
    return [
        f"{name}: field {player.marker} of the track, pawn at {place(player.pawn)}, {player.cards} cards"
        + (f", {player.stops} stop cards before it" if player.stops else "")
        for name, player in zip(names, observation.seats, strict=True)
    ]


def show(rules: Rules, observation: Observation, names: list[str]) -> list[Panel]:
    """Dice, players and the map, as panels."""
    last = len(rules.track.fields) - 1
    players = [
        [
            name,
            f"{player.marker} of {last}: {_history(rules, player.marker)}",
            place(player.pawn),
            str(player.cards),
            str(player.stops) if player.stops else "",
        ]
        for name, player in zip(names, observation.seats, strict=True)
    ]
    dice = " ".join(map(str, observation.dice)) or "none"
    taken = f", {observation.die} taken" if observation.die else ""
    table = [["dice left", dice + taken], ["cards of the next marker", str(observation.next_marker)]]
    if observation.hand:
        table.append([f"hand of seat {observation.seat}", ", ".join(observation.hand)])
    return [
        Panel(f"Turn {observation.turn}", ["on the table", ""], table),
        Panel("Players", ["player", "field of history", "pawn", "cards", "stopped"], players),
        Panel("Map", svg=draw_map(rules, observation)),
    ]


def _history(rules: Rules, field: int) -> str:
    found = rules.track.fields[field]
    name = found.name.replace("_", " ")
    return f"{name} ({found.year})" if found.year else name
