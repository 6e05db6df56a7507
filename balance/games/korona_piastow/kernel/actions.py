"""Actions and chance outcomes as integers; `display/actions.py` writes the label of each.

A code has the kind of the decision (its phase, so that `none` at court and `none` of a spy differ), a verb, and a
number or several packed numbers.
"""

from __future__ import annotations

import numpy as np

from balance.contract.records import record_chance
from balance.foundation.compiling import compiled, compiled_entry

CHANCE_KIND = 31  # instead of a phase
(
    DONE, NONE, PLACE, FIEF, ORDER, SPY, DAMAGE, DO, DROP, MUSTER, MOVE, BUILD, HASTEN, SIEGE, TARGET, CLAIM, SEND,
    OCCUPY, DEVASTATE, REPAIR, RAISE, GRANT, COLLECT, RIDE, CHOOSE_FIEF, CHOOSE_SEAT, CHOOSE_LINE,
) = range(27)  # fmt: skip
# Verbs of chance.
LINE, SECOND, MAGNATE, FATE_ATTACK, FATE_DEFENCE, FATE_QUEST, EVENT, RESHUFFLE = range(8)

QUEST_RESULTS = ("the knight is lost", "nothing", "denars", "a magnate", "a relic")
KNIGHT_LOST, FOUND_NOTHING, FOUND_DENARS, FOUND_MAGNATE, FOUND_RELIC = range(5)

TRIBUTE, MONEY_MOVED, BATTLE, FOUGHT, QUEST, BUILT, OWNER, OUT, END = range(9)
OUTCOMES = {
    "tribute": ("player", "denars"),
    "money": ("player", "denars"),
    "battle": ("player", "place", "holder", "attack", "defence", "walls", "building", "defends"),
    "fought": ("player", "place", "revenge", "conquered", "attack", "defence", "lost", "killed"),
    "quest": ("player", "place", "total", "found", "denars"),
    "built": ("player", "place", "building"),
    "owner": ("player", "district", "former"),
    "out": ("player",),
    "end": ("reason",),
}
"""What the rules make of a decision, in the order of the numbers above, with its parts."""
PARTS = {
    "deed": "What an action does, or what chance decides.",
    "player": "The seat that an outcome or chance outcome concerns; -1 for none, -2 for the foreign states.",
    "place": "The fief.",
    "origin": "The fief from which a unit moves.",
    "district": "The district.",
    "former": "Its owner before; as for `player`.",
    "order_kind": "The order that is given, turned up or given up.",
    "unit": "The unit that is placed, mustered or moved.",
    "building": "The building; in a battle that of the fief, which counts if `walls` is above 0.",
    "trait": "The trait of a magnate.",
    "card": "The event card.",
    "infantry": "Infantry sent.",
    "cavalry": "Cavalry sent.",
    "knights": "Knights sent.",
    "engines": "Engines sent.",
    "allies": "Foreign units sent.",
    "holder": "Who holds the fief that is attacked; as for `player`.",
    "attack": "Attack of the invader: in `battle` without the fate cards, in `fought` with them.",
    "defence": "Defence of the fief: in `battle` without the fate cards, in `fought` with them.",
    "walls": "The part of the defence that comes from a building.",
    "defends": "Orders to defend that are in force.",
    "revenge": "1 if the attack is a revenge.",
    "conquered": "1 if the attacker wins.",
    "lost": "Units that the attacker loses, engines too.",
    "killed": "Units that the defender loses, engines too.",
    "denars": "Denars gained; below 0 they are paid.",
    "total": "The sum of both numbers of the fate card of a quest.",
    "found": "What a quest finds.",
    "reason": "Why the game ends.",
}
"""Parts of actions and outcomes: columns of the trace."""

NUMBER_BITS = 20
VERB_BITS = 5
KIND_SHIFT = VERB_BITS + NUMBER_BITS
LARGEST = (1 << NUMBER_BITS) - 1
PART_BITS = 6  # bits of a part of a packed number
LARGEST_PART = (1 << PART_BITS) - 1


@compiled_entry
def encode(kind, verb, number):
    """Return an integer below 2**30 from a kind and a verb (0..31) and `number` (0..2**20 - 1)."""
    return (np.int64(kind) << KIND_SHIFT) | (np.int64(verb) << NUMBER_BITS) | np.int64(number)


@compiled
def append(codes, count, kind, verb, number):
    """Write an action to `codes[count]`, and return the number of actions then."""
    codes[count] = encode(kind, verb, number)
    return count + 1


@compiled
def record_draw(state, log, verb, number):
    """Record a chance outcome, if the log asks for it."""
    record_chance(state, log, encode(CHANCE_KIND, verb, number))


@compiled_entry
def pack(first, second):
    """Return two numbers packed in one; the second is below 64."""
    return (np.int64(first) << PART_BITS) | np.int64(second)


def unpack(number, count):
    """Return the numbers of `pack`, or of `pack` of a pair and a third; only displays read them."""
    return [(number >> place * PART_BITS) & LARGEST_PART for place in reversed(range(count))]


@compiled
def kind_of(code):
    return code >> KIND_SHIFT


@compiled
def verb_of(code):
    return (code >> NUMBER_BITS) & ((1 << VERB_BITS) - 1)


@compiled
def number_of(code):
    return code & LARGEST


@compiled
def first_of(code):
    """Return the first of two packed numbers, or the first two of three."""
    return (code & LARGEST) >> PART_BITS


@compiled
def second_of(code):
    """Return the last packed number."""
    return code & LARGEST_PART


@compiled_entry
def action_group(code):
    """Return a code that all ways to send units to one invasion share; other actions have their own."""
    return code & ~LARGEST if verb_of(code) == SEND and kind_of(code) != CHANCE_KIND else code


@compiled_entry
def choice_block(code):
    """Return a code that actions of one series share: units placed, mustered or moved, and the final `done`."""
    verb = verb_of(code)
    if kind_of(code) == CHANCE_KIND:
        return -1
    if verb == PLACE:
        return code & ~LARGEST_PART
    return kind_of(code) if verb in (MUSTER, MOVE, DONE) else -1
