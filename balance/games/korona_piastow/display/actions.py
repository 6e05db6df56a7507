"""What happens in Korona Piastów, in words: actions, chance, and what the rules make of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from balance.contract.actions import ActionTable, Deed
from balance.contract.view import Move
from balance.foundation.compiling import uncompiled
from balance.foundation.language import N_, tr, trn
from balance.foundation.text import player
from balance.games.korona_piastow.display.names import (
    DISTRICTS,
    KINDS,
    MAP,
    RULERS,
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


def _say_line(who: str, district: str) -> str:
    return tr("{who} chooses {place}", who=who, place=district)


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
    a.CHOOSE_LINE: Deed("choose {district}", _say_line),
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

kind_of, verb_of, number_of = map(uncompiled, (a.kind_of, a.verb_of, a.number_of))


def _read(code: int) -> tuple[int, Mapping[str, int]]:
    """Return the number of a code's deed, and its numbers by name."""
    deed = verb_of(code) + _OF_CHANCE * (kind_of(code) == a.CHANCE_KIND)
    parts, number = _DEEDS[deed].parts, number_of(code)
    if deed == a.SEND:
        numbers = [int(digit) for digit in f"{number:0{len(parts)}}"]
    elif parts[:1] == ("card",):
        numbers = [number] * len(parts)  # those of a fate card follow from it
    else:
        numbers = a.unpack(number, len(parts))
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


def kind_name(code: int) -> str:
    """Return the kind of a decision or chance outcome, as in the trace."""
    kind = kind_of(code)
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


def _who(seat: int) -> str:
    """Return a ruler, or the foreign states, as the subject of a sentence."""
    return tr("The {player}", player=player(seat)) if seat >= 0 else tr("A foreign state")


def _fief(rules: Rules, move: Move) -> str:
    return written(rules.map.fiefs[move.parts["place"]].id)


def _say_money(rules: Rules, move: Move) -> str:
    change, who = move.parts["denars"], _who(move.parts["player"])
    if change > 0:
        return trn("{who} gains {n:g} denar", "{who} gains {n:g} denars", change, who=who)
    return trn("{who} pays {n:g} denar", "{who} pays {n:g} denars", -change, who=who)


def _say_battle(rules: Rules, move: Move) -> str:
    """Return the strength of both sides before the fate cards (CMB-1)."""
    parts, place = move.parts, _fief(rules, move)
    strength = {"attack": parts["attack"], "defence": parts["defence"]}
    if not parts["walls"]:
        return tr("Attack on {place}: {attack} against {defence}", place=place, **strength)
    return tr(
        "Attack on {place}: {attack} against {defence}, {walls} of it by the {building}",
        place=place, **strength, walls=parts["walls"], building=name_thing(BUILDINGS[parts["building"]]),
    )  # fmt: skip


def _say_fought(rules: Rules, move: Move) -> str:
    """Return who wins, with the strength of both sides and their losses (CMB-3, CMB-6)."""
    parts = move.parts
    values = {
        "place": _fief(rules, move),
        "attack": parts["attack"],
        "defence": parts["defence"],
        "lost": trn("the attacker loses {n:g} unit", "the attacker loses {n:g} units", parts["lost"]),
        "killed": trn("the defender {n:g} unit", "the defender {n:g} units", parts["killed"]),
    }
    if parts["conquered"]:
        who = _who(parts["player"])
        return tr("{who} wins {place}, {attack} against {defence}; {lost}, {killed}", who=who, **values)
    return tr("{place} is held, {attack} against {defence}; {lost}, {killed}", **values)


_FOUND = {
    a.KNIGHT_LOST: N_("The knight does not come back"),
    a.FOUND_NOTHING: N_("The quest finds nothing"),
    a.FOUND_MAGNATE: N_("The quest finds a magnate"),
    a.FOUND_RELIC: N_("The quest finds a relic"),
}


def _say_quest(rules: Rules, move: Move) -> str:
    found = move.parts["found"]
    if found == a.FOUND_DENARS:
        return trn("The quest finds {n:g} denar", "The quest finds {n:g} denars", move.parts["denars"])
    return tr(_FOUND[found])


def _say_built(rules: Rules, move: Move) -> str:
    building = name_thing(BUILDINGS[move.parts["building"]])
    return tr("The {building} in {place} is finished", building=building, place=_fief(rules, move))


def _say_owner(rules: Rules, move: Move) -> str:
    """Return the state that a district joins (JOI-2), or that it is free again (END-1)."""
    name, seat = rules.map.districts[move.parts["district"]].name, move.parts["player"]
    if seat >= 0:
        return tr("{district} joins the state of the {player}", district=name, player=player(seat))
    if seat == s.NOBODY:
        return tr("{district} is free again", district=name)
    return tr("{district} is foreign again", district=name)


def _say_out(rules: Rules, move: Move) -> str:
    who = _who(move.parts["player"])
    return tr("{who} holds no fief of its capital district and is out", who=who)


_ENDS = {s.CROWN: N_("The crown is won"), s.LAST: N_("Only one ruler is left"), s.LIMIT: N_("The last round is over")}
OUTCOME_TEXTS = {
    "tribute": "",  # of every ruler in every round; the position shows it
    "money": (_say_money, RULERS),
    "battle": (_say_battle, MAP),
    "fought": (_say_fought, MAP),
    "quest": (_say_quest, RULERS),
    "built": (_say_built, MAP),
    "owner": (_say_owner, DISTRICTS),
    "out": (_say_out, RULERS),
    "end": (lambda rules, move: tr(_ENDS[move.parts["reason"]]), RULERS),
}
"""The words of each outcome, and the panel that it is about."""
