"""What happens in Grody, in words: actions, chance, and what the rules make of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from balance.contract.actions import ActionTable, Deed
from balance.contract.view import Move
from balance.foundation.compiling import uncompiled
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import player
from balance.games.grody.display.names import BOARD, BUILDING_TITLES, CARD_TITLES, PLAYERS, TERRAIN_TITLES, WORDS
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.state import pack_rules
from balance.games.grody.rules.ruleset import BUILDINGS, CARDS, MOST_WARRIORS, Rules

_AIMS = {
    **dict.fromkeys((s.SURE, s.AMBUSH, s.WOLF_PIT, s.MANOEUVRE), "warrior"),
    **dict.fromkeys((s.PURSUIT, s.VOLUNTEERS, s.SABOTAGE), "place"),
}
"""What a fate card is played on; the other cards have no aim."""

_DEEDS = {  # by kind, and of a played card by its aim
    a.DECLINE: Deed("decline", N_("{who} plays no card")),
    (a.PLAY, "warrior"): Deed("play {card} {warrior}", N_("{who} plays {card} on warrior {warrior}")),
    (a.PLAY, "place"): Deed("play {card} {place}", N_("{who} plays {card} on {place}")),
    (a.PLAY, None): Deed("play {card}", N_("{who} plays {card}")),
    a.ACCEPT: Deed("accept", N_("{who} does not cancel the card")),
    a.DONE: Deed("done", N_("{who} ends its moves")),
    a.MOVE: Deed("move {origin} {place}", N_("{who} moves a warrior from {origin} to {place}"), BOARD),
    a.KEEP: Deed("keep", N_("{who} keeps the terrain")),
    a.EXCHANGE: Deed("exchange", N_("{who} exchanges the terrain")),
    a.HIT: Deed("hit {warrior}", N_("{who} strikes warrior {warrior}")),
    a.FLEE: Deed("flee {place}", N_("A warrior of {who} flees to {place}"), BOARD),
    a.DISCARD: Deed("discard {card}", N_("{who} throws away {card}")),
    a.BUILD_NOTHING: Deed("none", N_("{who} declines")),
    a.BUILD: Deed("build {building} {place}", N_("{who} builds: {building} on {place}"), BOARD),
    a.RANSOM_NOBODY: Deed("none", N_("{who} declines")),
    a.RANSOM: Deed("ransom {card}", N_("{who} ransoms a prisoner with {card}")),
    a.DRAW: Deed("draw {player} {card}", N_("The {player} draws {card}")),
    a.RESHUFFLE: Deed("reshuffle", N_("The discards are shuffled into a new pile")),
    a.EXPLORE: Deed("explore {place} {terrain}", N_("{place} is explored: {terrain}")),
    a.ROLL: Deed("roll {player} {dice}", N_("The {player} rolls {dice}")),
}

kind_of, number_of, first_of, second_of = map(uncompiled, (a.kind_of, a.number_of, a.first_of, a.second_of))


def _read(code: int) -> tuple[object, Mapping[str, int]]:
    """Return the key of a code in the table of deeds, and its numbers by name."""
    kind = kind_of(code)
    if kind == a.COUNTER:
        return (a.PLAY, None), {"card": s.WIZARD}
    pair = a.seat_and_number(code) if kind in (a.DRAW, a.ROLL) else (first_of(code), second_of(code))
    key = (kind, _AIMS.get(pair[0])) if kind == a.PLAY else kind
    parts = _DEEDS[key].parts
    is_pair = len(parts) == 2 or kind == a.PLAY
    return key, dict(zip(parts, pair if is_pair else (number_of(code),), strict=False))


ACTIONS = ActionTable(
    _DEEDS, _read, WORDS,
    written={"warrior": lambda number, _: str(number + 1), "dice": lambda dice, _: " ".join(np.base_repr(dice, 7))},
    said={
        "card": lambda card: CARD_TITLES[card],
        "building": lambda building: tr(BUILDING_TITLES[building]),
        "terrain": lambda terrain: tr(TERRAIN_TITLES[terrain]),
    },
    unlogged=("dice",),
)  # fmt: skip

_KINDS = (
    "card", "card", "answer", "answer", "move", "move", "exchange", "exchange", "hit", "flee", "discard", "build",
    "build", "ransom", "ransom",
)  # fmt: skip


def kind_name(code: int) -> str:
    """Return the kind of a decision or chance outcome, as in the trace."""
    kind = kind_of(code)
    return _KINDS[kind] if kind < len(_KINDS) else "chance"


_PLAIN = (a.DECLINE, a.ACCEPT, a.COUNTER, a.DONE, a.KEEP, a.EXCHANGE, a.BUILD_NOTHING, a.RANSOM_NOBODY)


def list_actions(rules: Rules, players: int) -> Iterator[int]:
    """Yield the code of every action that can be legal, in the order of the rule page."""
    packed = pack_rules(rules, players)
    segments, warriors, cards = range(packed.segment_count), range(MOST_WARRIORS), range(len(CARDS))
    for kind in _PLAIN:
        yield a.encode(kind, 0)
    aims = {"warrior": warriors, "place": segments}
    for card in cards:
        for aim in aims[_AIMS[card]] if card in _AIMS else (0,):
            yield a.encode_pair(a.PLAY, card, aim)
    for origin in segments:
        for neighbour in packed.neighbours[origin, : packed.degree[origin]]:
            yield a.encode_pair(a.MOVE, origin, int(neighbour))
    for warrior in warriors:
        yield a.encode(a.HIT, warrior)
    for segment in segments:
        yield a.encode(a.FLEE, segment)
    for kind, card in product((a.DISCARD, a.RANSOM), cards):
        yield a.encode(kind, card)
    for building, segment in product(range(len(BUILDINGS)), segments):
        yield a.encode_pair(a.BUILD, building, segment)


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
