"""A game of Polska in words and panels: moves, their results, players, the map as a drawing."""

from __future__ import annotations

from balance.contract.view import Cell, Mark, Move, Panel, Shape, Told
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import player
from balance.games.polska.display.board import draw_map, draw_track, history_name
from balance.games.polska.display.labels import place
from balance.games.polska.display.observation import Observation, observe
from balance.games.polska.rules.ruleset import Rules

_CARDS = {
    "grey": N_("the grey card of {value}"),
    "blue": N_("the blue card of {value}"),
    "city": N_("the card of {value}"),
    "eagle": N_("the white eagle"),
    "coach": N_("the coach"),
    "train": N_("a train card"),
    "stop": N_("a stop card"),
}


def say(label: str, who: str) -> str:
    """Return a label of the trace as a sentence about `who`, a player, or "" for chance."""
    words = label.split()
    if not who:
        return _say_chance(words)
    if words[0] == "die":
        return tr("{who} takes a {die}", who=who, die=words[1])
    if words[0] == "nothing":
        return tr("{who} does nothing more", who=who)
    if words[0] == "move":
        return tr("{who} moves to {place}", who=who, place=place(words[1]))
    if words[0] == "add":
        return tr("{who} adds {n} to the die", who=who, n=words[1])
    if words[0] == "discard":
        return tr("{who} throws away {card}", who=who, card=card(words[1:]))
    if words[1] == "stop":
        return tr("{who} stops the {player}", who=who, player=player(int(words[2])))
    if words[1] == "train":
        return tr("{who} rides the train to {place}", who=who, place=place(words[2]))
    return tr("{who} plays {card}", who=who, card=card(words[1:]))


def _say_chance(words: list[str]) -> str:
    if words[0] == "roll":
        return tr("Rolled: {dice}", dice=" ".join(words[1:]))
    if words[0] == "marker":
        return tr("New marker on {place}", place=place(words[1]))
    if words[0] == "reshuffle":
        return tr("The discards are shuffled into a new pile")
    who, drawn = player(int(words[1])), card(words[2:])
    if words[0] == "deal":
        return tr("The {who} is dealt {card}", who=who, card=drawn)
    return tr("The {who} draws {card}", who=who, card=drawn)


def card(words: list[str]) -> str:
    """Return a card in words."""
    kind, *value = words
    if not value:
        return tr(_CARDS[kind])
    return tr(_CARDS[kind], value=place(value[0]) if kind == "city" else value[0])


def summarise(observation: Observation, names: list[str]) -> list[str]:
    """Return one line for each player: track, pawn, cards and stop cards."""
    lines = []
    for name, found in zip(names, observation.seats, strict=True):
        line = tr(
            "{name}: field {field} of the track, pawn at {place}, {cards}",
            name=name,
            field=found.marker,
            place=place(found.pawn),
            cards=trn("{n} card", "{n} cards", found.cards),
        )
        if found.stops:
            line += ", " + trn("stopped by {n} stop card", "stopped by {n} stop cards", found.stops)
        lines.append(line)
    return lines


_PLAYERS, _TRACK, _MAP = N_("Players"), N_("Track of history"), N_("Map")


def show(rules: Rules, observation: Observation, names: list[str]) -> list[Panel]:
    """Return dice, players, the track and the map as panels."""
    columns = [
        tr("player"),
        tr("field of history"),
        "",
        tr("pawn"),
        tr("cards"),
        tr("stopped"),
    ]
    return [
        Panel(tr("On the table"), rows=_table(observation)),
        Panel(
            tr(_PLAYERS),
            columns,
            [_player_row(rules, observation, seat, name) for seat, name in enumerate(names)],
        ),
        Panel(tr(_TRACK), svg=draw_track(rules, observation)),
        Panel(tr(_MAP), svg=draw_map(rules, observation)),
    ]


def _table(observation: Observation) -> list[list[Cell]]:
    dice: list[str | Mark] = [_die("card", die) for die in observation.dice]
    taken: list[str | Mark] = [f" {tr('taken:')} ", _die("dark", observation.die)]
    rows: list[list[Cell]] = [
        [tr("dice left"), (dice or [tr("none")]) + (taken if observation.die else [])],
        [tr("next marker"), trn("{n} card", "{n} cards", observation.next_marker)],
    ]
    if observation.hand:
        cards = ", ".join(card(words.split()).removeprefix("the ") for words in observation.hand)
        rows.append([tr("hand of the {player}", player=player(observation.seat)), cards])
    return rows


def _die(shape: Shape, number: int) -> Mark:
    return Mark(shape, str(number), title=tr("die of {number}", number=number))


def _player_row(rules: Rules, observation: Observation, seat: int, name: str) -> list[Cell]:
    found, last = observation.seats[seat], len(rules.track.fields) - 1
    return [
        name,
        history_name(rules, found.marker),
        tr("{field} of {last}", field=found.marker, last=last),
        place(found.pawn),
        str(found.cards),
        trn("{n} turn", "{n} turns", found.stops) if found.stops else "",
    ]


def tell(rules: Rules, move: Move) -> list[Told]:
    """Return a decision or chance outcome in one sentence."""
    words = move.label.split()
    on_map = words[0] in ("move", "marker") or words[:2] == ["play", "train"]
    about = tr(_MAP) if on_map else tr(_PLAYERS) if words[0] == "play" else ""
    return [Told(say(move.label, move.who), observe(rules, move.after, move.viewer), about)]


def _say_steps(rules: Rules, move: Move) -> str:
    return trn(
        "{who}: {n} step, to {place}",
        "{who}: {n} steps, to {place}",
        move.parts["steps"],
        who=player(move.parts["player"]),
        place=history_name(rules, move.parts["position"]),
    )


def _say_marker(rules: Rules, move: Move) -> str:
    return trn(
        "{who} takes the marker: {n} card",
        "{who} takes the marker: {n} cards",
        move.parts["cards"],
        who=player(move.parts["player"]),
    )


def _say_end(rules: Rules, move: Move) -> str:
    if move.parts["player"] < 0:
        return trn(
            "{n} turn is over and no player has reached the end: a draw",
            "{n} turns are over and no player has reached the end: a draw",
            rules.turn_limit,
        )
    return tr(
        "{who} reaches {place} first",
        who=player(move.parts["player"]),
        place=history_name(rules, len(rules.track.fields) - 1),
    )


OUTCOME_TEXTS = {
    "steps": (_say_steps, _TRACK),
    "marker": (_say_marker, _MAP),
    "stopped": (N_("A stop card ends the turn of {player}"), _PLAYERS),
    "end": (_say_end, _TRACK),
}
"""The words of each outcome, and the panel that it is about."""
