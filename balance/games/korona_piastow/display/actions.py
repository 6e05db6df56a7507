"""The actions and chance outcomes of Korona Piastów: labels, sentences, and all actions for environments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from balance.contract.actions import ActionTable, Deed
from balance.contract.view import Move
from balance.foundation.language import N_, tr
from balance.games.korona_piastow.display.names import (
    DISTRICTS,
    KINDS,
    MAP,
    TABLE,
    WORDS,
    name_thing,
    say_unit,
    units_in_words,
    written,
)
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.state import pack_rules
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.tables import BUILDINGS, ORDERS, TRAITS, UNITS


def _say_sent(who: str, **units: str) -> str:
    return tr("{who} sends {units}", who=who, units=units_in_words(list(map(int, units.values()))))


_CLAIM = N_("{who} pays for a claim and invades {place}")
_ACTIONS = {
    a.DONE: Deed("done", N_("{who} is done")),
    a.NONE: Deed("none", N_("{who} does nothing")),
    a.PLACE: Deed("place {unit} {place}", N_("{who} places {unit} in {place}"), MAP),
    a.FIEF: Deed("fief {place}", N_("{who} places an order in {place}")),
    a.ORDER: Deed("order {order_kind}", N_("{who} orders {order_kind}")),
    a.SPY: Deed("spy {place}", N_("{who} sends a spy to {place}")),
    a.DAMAGE: Deed("damage {place}", N_("{who} damages the building in {place}")),
    a.DO: Deed("do {place} {order_kind}", N_("{who} turns up {order_kind} in {place}")),
    a.DROP: Deed("drop {place} {order_kind}", N_("{who} gives up {order_kind} in {place}")),
    a.MUSTER: Deed("muster {unit}", N_("{who} musters {unit}"), MAP),
    a.MOVE: Deed("move {origin} {place} {unit}", N_("{who} moves {unit} from {origin} to {place}"), MAP),
    a.BUILD: Deed("build {building}", N_("{who} begins a {building}"), MAP),
    a.HASTEN: Deed("hasten", N_("{who} hastens the building")),
    a.SIEGE: Deed("siege {place}", N_("{who} besieges {place}")),
    a.CLAIM: Deed("target {place} claim", _CLAIM, MAP),
    a.TARGET: Deed("target {place}", N_("{who} invades {place}"), MAP),
    a.SEND: Deed("send {infantry}:{cavalry}:{knights}:{engines}:{allies}", _say_sent, MAP),
    a.OCCUPY: Deed("occupy", N_("{who} occupies it")),
    a.DEVASTATE: Deed("devastate", N_("{who} devastates it")),
    a.REPAIR: Deed("repair {place}", N_("{who} repairs {place}")),
    a.RAISE: Deed("raise {place}", N_("{who} raises infantry in {place}")),
    a.GRANT: Deed("grant {trait} {district}", N_("{who} grants {district} to a magnate of {trait}"), DISTRICTS),
    a.COLLECT: Deed("collect", N_("{who} collects a denar in the capital")),
    a.RIDE: Deed("ride {district}", N_("{who} rides to {district}")),
    a.CHOOSE_SEAT: Deed("choose {player}", N_("{who} chooses the {player}")),
    a.CHOOSE_FIEF: Deed("choose {place}", N_("{who} chooses {place}")),
    a.CHOOSE_LINE: Deed("choose {district}", N_("{who} chooses {place}")),  # said as a fief
}
_FATE = "{card} {first} {second}"


def _tell_event(rules: Rules, move: Move, text: str) -> str:
    return tr("Event: {card}", card=rules.events.cards[move.parts["card"]].name)


_DRAWS = {
    a.LINE: Deed("line {player} {district}", N_("The {player} draws {district}")),
    a.SECOND: Deed("second {player} {district}", N_("The {player} draws a second line, {district}")),
    a.MAGNATE: Deed("magnate {player} {trait}", N_("The {player} draws a magnate of {trait}")),
    a.FATE_ATTACK: Deed(f"fate attack {_FATE}", N_("Fate of the attacker: {first}")),
    a.FATE_DEFENCE: Deed(f"fate defence {_FATE}", N_("Fate of the defender: {second}")),
    a.FATE_QUEST: Deed(f"fate quest {_FATE}", N_("Fate of the quest: {first} and {second}")),
    a.EVENT: Deed("event {card}", N_("Event: {card}"), TABLE, _tell_event),
    a.RESHUFFLE: Deed("reshuffle", N_("The discards are shuffled into a new stack")),
}
_OF_CHANCE = len(_ACTIONS)  # deeds of chance are numbered after those of players
_DEEDS = {**_ACTIONS, **{_OF_CHANCE + verb: deed for verb, deed in _DRAWS.items()}}


def _read(code: int) -> tuple[int, Mapping[str, int]]:
    """Return the number of a code's deed, and its numbers by name."""
    verb, is_chance = ((code >> a.NUMBER_BITS) & ((1 << a.VERB_BITS) - 1), code >> a.KIND_SHIFT == a.CHANCE_KIND)
    deed = verb + _OF_CHANCE * is_chance
    parts, number = _DEEDS[deed].parts, code & a.LARGEST
    if deed == a.SEND:
        numbers = [int(digit) for digit in f"{number:0{len(parts)}}"]
    elif parts[:1] == ("card",):
        numbers = [number] * len(parts)  # those of a fate card follow from it
    else:
        numbers = [(number >> shift * a.PART_BITS) & a.LARGEST_PART for shift in reversed(range(len(parts)))]
    return deed, {"deed": deed, **dict(zip(parts, numbers, strict=True))}


ACTIONS = ActionTable(
    _DEEDS, _read, WORDS,
    written={
        "first": lambda card, rules: str(rules.events.cards[card].attack),
        "second": lambda card, rules: str(rules.events.cards[card].defence),
    },
    said={
        **dict.fromkeys(("place", "origin", "district"), written),
        **dict.fromkeys(("building", "order_kind", "trait"), name_thing),
        "unit": say_unit,
        "card": lambda card: card.replace("_", " "),
    },
    unlogged=("first", "second"),
)  # fmt: skip
write_label, parts_of, say = ACTIONS.write_label, ACTIONS.parts_of, ACTIONS.say


def kind_name(code: int) -> str:
    """Return the kind of a decision or chance outcome, as in the trace."""
    kind = code >> a.KIND_SHIFT
    return "chance" if kind == a.CHANCE_KIND else KINDS[kind]


_PLAIN = (
    *((phase, a.DONE) for phase in (s.ASK_FIEF, s.ASK_MUSTER, s.ASK_REGROUP)),
    *((phase, a.NONE) for phase in (s.ASK_SPY, s.ASK_DAMAGE, s.ASK_REVENGE, s.ASK_MAGNATE, s.ASK_GRANT, s.ASK_RULER)),
    (s.ASK_BUILD, a.HASTEN),
    (s.ASK_VICTORY, a.OCCUPY),
    (s.ASK_VICTORY, a.DEVASTATE),
    (s.ASK_RULER, a.COLLECT),
)
_OF_A_FIEF = (
    (s.ASK_FIEF, a.FIEF),
    (s.ASK_SPY, a.SPY),
    (s.ASK_DAMAGE, a.DAMAGE),
    (s.ASK_SIEGE, a.SIEGE),
    *product((s.ASK_TARGET, s.ASK_REVENGE), (a.TARGET, a.CLAIM)),
    *product((s.ASK_MAGNATE, s.ASK_RULER), (a.REPAIR, a.RAISE)),
    (s.ASK_CHOOSE, a.CHOOSE_FIEF),
)
"""Kinds of decision with their verbs, by the number that an action has."""


def _list_sendings(most: int) -> Iterator[int]:
    """Yield every set of at most this number of units, one of which is the ruler's own (INV-2)."""
    for units in product(range(most + 1), repeat=len(UNITS)):
        if sum(units) <= most and any(units[: s.ENGINE]):
            yield int("".join(map(str, units)))


def list_actions(rules: Rules, players: int) -> Iterator[int]:
    """Yield the code of every action that can be legal, in the order of the rule page."""
    packed = pack_rules(rules, players)
    fiefs, districts = range(packed.fief_count), range(packed.district_count)
    for kind, verb in _PLAIN:
        yield a.encode(kind, verb, 0)
    for (kind, verb), fief in product(_OF_A_FIEF, fiefs):
        yield a.encode(kind, verb, fief)
    for unit, fief in product(range(s.ENGINE), fiefs):
        yield a.encode(s.ASK_PLACE, a.PLACE, a.pack(unit, fief))
    for verb, fief, order in product((a.DO, a.DROP), fiefs, range(len(ORDERS))):
        yield a.encode(s.ASK_TURN, verb, a.pack(fief, order))
    for order in range(len(ORDERS)):
        yield a.encode(s.ASK_ORDER, a.ORDER, order)
    for unit in range(s.FOREIGN):
        yield a.encode(s.ASK_MUSTER, a.MUSTER, unit)
    for fief, unit in product(fiefs, range(len(UNITS))):
        if unit != s.ENGINE:
            for other in packed.neighbours[fief, : packed.degree[fief]]:
                yield a.encode(s.ASK_REGROUP, a.MOVE, a.pack(a.pack(fief, int(other)), unit))
    for building in range(len(BUILDINGS)):
        yield a.encode(s.ASK_BUILD, a.BUILD, building)
    for units in _list_sendings(rules.fief_limit):
        yield a.encode(s.ASK_SEND, a.SEND, units)
    for trait, district in product(range(len(TRAITS)), districts):
        yield a.encode(s.ASK_GRANT, a.GRANT, a.pack(trait, district))
    for district in districts:
        yield a.encode(s.ASK_RULER, a.RIDE, district)
    for seat in range(players):
        yield a.encode(s.ASK_CHOOSE, a.CHOOSE_SEAT, seat)
    if rules.lines_chosen:
        for line in rules.lines:
            yield a.encode(s.ASK_LINE, a.CHOOSE_LINE, rules.map.district_ids.index(line))
    if rules.orders_per_turn == "any":
        yield a.encode(s.ASK_TURN, a.DONE, 0)
