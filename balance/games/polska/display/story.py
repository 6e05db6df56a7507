"""What the rules make of decisions in Polska, in words."""

from __future__ import annotations

from balance.contract.view import Move
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import player
from balance.games.polska.display.board import history_name
from balance.games.polska.display.names import MAP, PLAYERS, TRACK
from balance.games.polska.rules.ruleset import Rules


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
