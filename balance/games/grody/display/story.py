"""What the rules make of decisions in Grody, in words."""

from __future__ import annotations

from balance.contract.view import Move
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import player
from balance.games.grody.display.names import BOARD, CARD_TITLES, PLAYERS
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.ruleset import CARDS, Rules


def _place(rules: Rules, move: Move) -> str:
    return rules.board.names[move.parts["place"]]


def _say_combat(rules: Rules, move: Move) -> str:
    return tr(
        "Combat on {place}: {attackers} against {defenders}",
        place=_place(rules, move),
        attackers=trn("{n:g} attacker", "{n:g} attackers", move.parts["attackers"]),
        defenders=trn("{n:g} defender", "{n:g} defenders", move.parts["defenders"]),
    )


def _say_fought(rules: Rules, move: Move) -> str:
    seat, place = move.parts["player"], _place(rules, move)
    if seat == s.NOBODY:
        return tr("No player wins the combat on {place}", place=place)
    return tr("The {player} wins the combat on {place}", player=player(seat), place=place)


def _say_card(rules: Rules, move: Move) -> str:
    title = CARD_TITLES[CARDS[move.parts["card"]]]
    return "" if move.parts["effect"] else tr("{card} is cancelled", card=title)


_FATES = {
    a.KILLED: N_("A warrior of the {player} falls on {place}"),
    a.CAPTURED: N_("A warrior of the {player} is taken prisoner on {place}"),
    a.THIRST: N_("A warrior of the {player} dies of thirst on {place}"),
    a.STRAYED: N_("A warrior of the {player} finds no room on {place} and is lost"),
}


def _say_warrior(rules: Rules, move: Move) -> str:
    owner = player(move.parts["player"])
    return tr(_FATES[move.parts["fate"]], player=owner, place=_place(rules, move))


def _say_owner(rules: Rules, move: Move) -> str:
    if move.parts["former"] == s.NOBODY:
        return ""
    owner = player(move.parts["player"])
    return tr("{place} now belongs to the {player}", place=_place(rules, move), player=owner)


def _say_end(rules: Rules, move: Move) -> str:
    seat, reason = move.parts["player"], move.parts["reason"]
    if seat == s.NOBODY:
        return trn("{n:g} turn each is over: a draw", "{n:g} turns each are over: a draw", rules.turn_limit)
    who, points, against = player(seat), move.parts["points"], move.parts["against"]
    if reason == s.CONQUEST:
        return tr("The {player} conquers the enemy's gród", player=who)
    if reason == s.DOMINANCE:
        return tr(
            "The {player} dominates the land: {points} points to {against}", player=who, points=points, against=against
        )
    return trn(
        "{n:g} turn each is over and the {player} is ahead: {points} points to {against}",
        "{n:g} turns each are over and the {player} is ahead: {points} points to {against}",
        rules.turn_limit,
        player=who, points=points, against=against,
    )  # fmt: skip


OUTCOME_TEXTS = {
    "combat": (_say_combat, BOARD),
    "fought": (_say_fought, BOARD),
    "card": _say_card,
    "warrior": (_say_warrior, BOARD),
    "owner": (_say_owner, BOARD),
    "end": (_say_end, PLAYERS),
}
"""The words of each outcome, and the panel that it is about."""
