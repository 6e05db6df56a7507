"""What happens in Polska, in words: actions, chance, and what the rules make of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from balance.contract.actions import ActionTable, Deed
from balance.contract.view import Move
from balance.foundation.compiling import uncompiled
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import player
from balance.games.polska.display.names import MAP, PLAYERS, TRACK, WORDS, history_name, names_of, place, say_card
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s
from balance.games.polska.rules.ruleset import Rules


def _say_coach(who: str) -> str:
    return tr("{who} plays {card}", who=who, card=say_card("coach"))


_DEEDS = {
    a.TAKE_DIE: Deed("die {die}", N_("{who} takes a {die}")),
    a.NOTHING: Deed("nothing", N_("{who} does nothing more")),
    a.MOVE: Deed("move {place}", N_("{who} moves to {place}"), MAP),
    a.STOP: Deed("play stop {player}", N_("{who} stops the {player}"), PLAYERS),
    a.TRAIN: Deed("play train {place}", N_("{who} rides the train to {place}"), MAP),
    a.PLAY: Deed("play {card}", N_("{who} plays {card}"), PLAYERS),
    a.COACH: Deed("play coach", _say_coach, PLAYERS),
    a.ADD: Deed("add {amount}", N_("{who} adds {amount} to the die")),
    a.DISCARD: Deed("discard {card}", N_("{who} throws away {card}")),
    a.DEAL: Deed("deal {player} {card}", N_("The {player} is dealt {card}")),
    a.ROLL: Deed("roll {dice}", N_("Rolled: {dice}")),
    a.MARKER: Deed("marker {place}", N_("New marker on {place}"), MAP),
    a.DRAW: Deed("draw {player} {card}", N_("The {player} draws {card}")),
    a.RESHUFFLE: Deed("reshuffle", N_("The discards are shuffled into a new pile")),
}

kind_of, first_of, second_of = map(uncompiled, (a.kind_of, a.first_of, a.second_of))


def _read(code: int) -> tuple[int, Mapping[str, int]]:
    """Return the kind of a code, and its numbers by name."""
    kind, second = kind_of(code), second_of(code)
    parts = _DEEDS[kind].parts
    return kind, dict(zip(parts, (first_of(code), second) if len(parts) == 2 else (second,), strict=False))


def _write_dice(number: int, _: Rules) -> str:
    """Return the dice of a roll; see `turns._write_roll`."""
    dice: list[str] = []
    while number:
        number, side = divmod(number, 7)
        dice.insert(0, str(side))
    return " ".join(dice)


ACTIONS = ActionTable(
    _DEEDS, _read, WORDS, written={"dice": _write_dice}, said={"place": place, "card": say_card}, unlogged=("dice",)
)

_KINDS = {a.TAKE_DIE: "die", a.ADD: "coach", a.DISCARD: "discard"}


def kind_name(code: int) -> str:
    """Return the kind of a decision or chance outcome, as in the trace."""
    kind = kind_of(code)
    if kind >= a.DEAL:
        return "chance"
    return _KINDS.get(kind, "more" if first_of(code) else "act")


def list_actions(rules: Rules, players: int) -> Iterator[int]:
    """Yield the code of every action that can be legal, in the order of the rule page."""
    fields, faces = names_of(rules)
    for side in range(1, s.SIDES + 1):
        yield a.encode(a.TAKE_DIE, 0, side)
    for more in (0, 1):
        yield a.encode(a.NOTHING, more, 0)
    for kind, field in product((a.MOVE, a.TRAIN), range(len(fields))):
        yield a.encode(kind, 0, field)
    for more in (0, 1):
        for face in range(len(faces)):
            yield a.encode(a.PLAY, more, face)
        for seat in range(players):
            yield a.encode(a.STOP, more, seat)
    yield a.encode(a.COACH, 0, 0)
    for added in range(s.COACH_ADDS + 1):
        yield a.encode(a.ADD, 0, added)
    for face in range(len(faces)):
        yield a.encode(a.DISCARD, 0, face)


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
