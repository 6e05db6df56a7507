"""A game of Polska in words and panels: moves, their results, players, the map as a drawing."""

from __future__ import annotations

from balance.contract.view import Cell, Mark, Move, Panel, Told
from balance.foundation.text import amount, player, strategy_of
from balance.games.polska.display.board import draw_map, draw_track, history_name
from balance.games.polska.display.labels import place
from balance.games.polska.display.observation import Observation, observe
from balance.games.polska.rules.ruleset import Rules


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
        return f"{who} stops the {player(int(words[2]))}"
    if words[1] == "train":
        return f"{who} rides the train to {place(words[2])}"
    return f"{who} plays {card(words[1:])}"


def _say_chance(words: list[str]) -> str:
    if words[0] == "roll":
        return f"Rolled: {' '.join(words[1:])}"
    if words[0] == "marker":
        return f"New marker on {place(words[1])}"
    if words[0] == "reshuffle":
        return "The discards are shuffled into a new pile"
    verb = "is dealt" if words[0] == "deal" else "draws"
    return f"The {player(int(words[1]))} {verb} {card(words[2:])}"


def card(words: list[str]) -> str:
    """Return a card in words."""
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
    """Return one line for each player: track, pawn, cards and stop cards."""
    return [
        f"{name}: field {player.marker} of the track, pawn at {place(player.pawn)}, {amount(player.cards, 'card')}"
        + (f", stopped by {amount(player.stops, 'stop card')}" if player.stops else "")
        for name, player in zip(names, observation.seats, strict=True)
    ]


_PLAYERS, _TRACK, _MAP = "Players", "Track of history", "Map"


def show(rules: Rules, observation: Observation, names: list[str]) -> list[Panel]:
    """Return dice, players, the track and the map as panels."""
    return [
        Panel("On the table", rows=_table(observation)),
        Panel(
            _PLAYERS,
            ["player", "field of history", "", "pawn", "cards", "stopped"],
            [_player_row(rules, observation, seat, name) for seat, name in enumerate(names)],
        ),
        Panel(_TRACK, svg=draw_track(rules, observation)),
        Panel(_MAP, svg=draw_map(rules, observation)),
    ]


def _table(observation: Observation) -> list[list[Cell]]:
    dice: list[str | Mark] = [Mark("card", str(die), title=f"die of {die}") for die in observation.dice]
    taken: list[str | Mark] = [
        " taken: ",
        Mark("dark", str(observation.die), title=f"die of {observation.die}"),
    ]
    rows: list[list[Cell]] = [
        ["dice left", (dice or ["none"]) + (taken if observation.die else [])],
        ["next marker", amount(observation.next_marker, "card")],
    ]
    if observation.hand:
        cards = ", ".join(card(words.split()).removeprefix("the ") for words in observation.hand)
        rows.append([f"hand of the {player(observation.seat)}", cards])
    return rows


def _player_row(rules: Rules, observation: Observation, seat: int, name: str) -> list[Cell]:
    found, last = observation.seats[seat], len(rules.track.fields) - 1
    return [
        [Mark("seat", str(seat + 1), seat), f" {strategy_of(name)}"],
        history_name(rules, found.marker),
        f"{found.marker} of {last}",
        place(found.pawn),
        str(found.cards),
        amount(found.stops, "turn") if found.stops else "",
    ]


def tell(rules: Rules, move: Move) -> list[Told]:
    """Return a decision or chance outcome in one sentence."""
    words = move.label.split()
    on_map = words[0] in ("move", "marker") or words[:2] == ["play", "train"]
    about = _MAP if on_map else _PLAYERS if words[0] == "play" else ""
    return [Told(say(move.label, move.who), observe(rules, move.after, move.viewer), about)]


def _say_steps(rules: Rules, move: Move) -> str:
    where = history_name(rules, move.parts["position"])
    return f"{player(move.parts['player'])}: {amount(move.parts['steps'], 'step')}, to {where}"


def _say_marker(rules: Rules, move: Move) -> str:
    return f"{player(move.parts['player'])} takes the marker: {amount(move.parts['cards'], 'card')}"


def _say_end(rules: Rules, move: Move) -> str:
    if move.parts["player"] < 0:
        return f"{amount(rules.turn_limit, 'turn')} are over and no player has reached the end: a draw"
    return f"{player(move.parts['player'])} reaches {history_name(rules, len(rules.track.fields) - 1)} first"


OUTCOME_TEXTS = {
    "steps": (_say_steps, _TRACK),
    "marker": (_say_marker, _MAP),
    "stopped": ("A stop card ends the turn of {player}", _PLAYERS),
    "end": (_say_end, _TRACK),
}
"""The words of each outcome, and the panel that it is about."""
