"""The actions and chance outcomes of Polska: labels, sentences, and all actions for environments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from balance.contract.actions import ActionTable, Deed
from balance.foundation.language import N_
from balance.games.polska.display.names import MAP, PLAYERS, WORDS, names_of, place, say_card
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s
from balance.games.polska.rules.ruleset import Rules

_DEEDS = {
    a.TAKE_DIE: Deed("die {die}", N_("{who} takes a {die}")),
    a.NOTHING: Deed("nothing", N_("{who} does nothing more")),
    a.MOVE: Deed("move {place}", N_("{who} moves to {place}"), MAP),
    a.STOP: Deed("play stop {player}", N_("{who} stops the {player}"), PLAYERS),
    a.TRAIN: Deed("play train {place}", N_("{who} rides the train to {place}"), MAP),
    a.PLAY: Deed("play {card}", N_("{who} plays {card}"), PLAYERS),
    a.COACH: Deed("play coach", N_("{who} plays {card}"), PLAYERS),  # said as the card that it is
    a.ADD: Deed("add {amount}", N_("{who} adds {amount} to the die")),
    a.DISCARD: Deed("discard {card}", N_("{who} throws away {card}")),
    a.DEAL: Deed("deal {player} {card}", N_("The {player} is dealt {card}")),
    a.ROLL: Deed("roll {dice}", N_("Rolled: {dice}")),
    a.MARKER: Deed("marker {place}", N_("New marker on {place}"), MAP),
    a.DRAW: Deed("draw {player} {card}", N_("The {player} draws {card}")),
    a.RESHUFFLE: Deed("reshuffle", N_("The discards are shuffled into a new pile")),
}


def _read(code: int) -> tuple[int, Mapping[str, int]]:
    """Return the kind of a code, and its numbers by name."""
    kind, first, second = code >> 25, (code >> 20) & a.LARGEST_FIRST, code & a.LARGEST
    parts = _DEEDS[kind].parts
    return kind, dict(zip(parts, (first, second) if len(parts) == 2 else (second,), strict=False))


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
write_label, parts_of, say = ACTIONS.write_label, ACTIONS.parts_of, ACTIONS.say

_KINDS = {a.TAKE_DIE: "die", a.ADD: "coach", a.DISCARD: "discard"}


def kind_name(code: int) -> str:
    """Return the kind of a decision or chance outcome, as in the trace."""
    kind = code >> 25
    if kind >= a.DEAL:
        return "chance"
    return _KINDS.get(kind, "more" if (code >> 20) & a.LARGEST_FIRST else "act")


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
