"""A game of Polska in words and panels: moves, their results, players, the map as a drawing."""

from __future__ import annotations

from balance.contract.view import Cell, Mark, Move, Panel, Shape
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import player
from balance.games.polska.display.board import draw_map, draw_track, history_name
from balance.games.polska.display.names import MAP, PLAYERS, TRACK, place, say_card
from balance.games.polska.display.observation import Observation
from balance.games.polska.rules.ruleset import Rules


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
            tr(PLAYERS),
            columns,
            [_player_row(rules, observation, seat, name) for seat, name in enumerate(names)],
        ),
        Panel(tr(TRACK), svg=draw_track(rules, observation)),
        Panel(tr(MAP), svg=draw_map(rules, observation)),
    ]


def _table(observation: Observation) -> list[list[Cell]]:
    dice: list[str | Mark] = [_die("card", die) for die in observation.dice]
    taken: list[str | Mark] = [f" {tr('taken:')} ", _die("dark", observation.die)]
    rows: list[list[Cell]] = [
        [tr("dice left"), (dice or [tr("none")]) + (taken if observation.die else [])],
        [tr("next marker"), trn("{n} card", "{n} cards", observation.next_marker)],
    ]
    if observation.hand:
        cards = ", ".join(say_card(name).removeprefix("the ") for name in observation.hand)
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
    "steps": (_say_steps, TRACK),
    "marker": (_say_marker, MAP),
    "stopped": (N_("A stop card ends the turn of {player}"), PLAYERS),
    "end": (_say_end, TRACK),
}
"""The words of each outcome, and the panel that it is about."""
