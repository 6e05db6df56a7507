"""Invasions: cause for war, units sent, the battle, its results, revenge (INV, CSB, CMB, LOS, DEF, REV)."""

from collections import Counter
from itertools import product

from support.oracles.shared import Ask

from .board import FOREIGN, LOSSES, NOBODY, OWN, SENT, ZAKON, Fief
from .game import Game


def cause(g: Game, seat: int, target: Fief) -> str:
    """CSB-1: return "free", "claim" if one must be paid, or "" if none can be."""
    holder = g.holder(target)
    if holder == NOBODY:
        return "free"
    if holder == FOREIGN:
        known = g.districts[target.district].piast or g.owner(target) == seat
        return "free" if known or g.rulers[seat].line == ZAKON else "claim"
    if any(card.kind == "peace" and {seat, holder} == set(card.seats) for card in g.staying):
        return ""
    return "free" if has_cause(g, seat, holder) else "claim"


def has_cause(g: Game, seat: int, other: int) -> bool:
    """CSB-2."""
    mine = any(g.owner(fief) == seat for fief in g.held(other))
    last = g.invaded.get((other, seat))
    feud = last is not None and g.round - last < g.rules["feud_rounds"]
    piast = [fief for fief in g.fiefs.values() if g.districts[fief.district].piast]
    order = g.rulers[other].line == ZAKON and any(g.owner(fief) == other or g.holder(fief) == other for fief in piast)
    pretender = g.score(other) >= g.crown() - g.rules["pretender_gap"]
    interdict = any(card.kind == "interdict" and other in card.seats for card in g.staying)
    return mine or feud or g.rulers[seat].line == ZAKON or order or pretender or interdict


def targets(g: Game, seat: int, fief: Fief) -> list[str]:
    """INV-1."""
    labels = []
    if fief.army(seat):
        for place in g.around(fief):
            needed = "" if g.holder(place) == seat else cause(g, seat, place)
            if needed == "free":
                labels.append(f"target {place.name}")
            elif needed == "claim" and g.rulers[seat].denars >= g.rules["claim_cost"]:
                labels.append(f"target {place.name} claim")
    return labels


def invade(g: Game, seat: int, fief: Fief) -> Ask:
    words = yield from g.ask(seat, "target", targets(g, seat, fief))
    target = g.fiefs[words[1]]
    holder = g.holder(target)
    won = yield from fight(g, seat, fief, words)
    if won or holder < 0 or g.holder(target) != holder:
        return
    if g.tokens[holder, target.name, "revenge"] and g.active(holder, "castle"):  # REV-1
        words = yield from g.ask(holder, "revenge", ["none", *targets(g, holder, target)])
        if words != ["none"]:
            yield from fight(g, holder, target, words, g.rules["revenge"])


def fight(g: Game, seat: int, source: Fief, words: list[str], revenge: int = 0) -> Ask:
    """INV-2 to CMB-7; return whether the attacker won."""
    me, target = g.rulers[seat], g.fiefs[words[1]]
    holder = g.holder(target)
    if "claim" in words:
        me.denars -= g.rules["claim_cost"]
        me.counters["claims"] += 1
    sent = yield from send(g, seat, source, target)
    me.counters["invasions"] += 1
    if holder >= 0:
        g.invaded[seat, holder] = g.round
        target.defended += g.tokens.pop((holder, target.name, "defend"), 0)
    engines = sent.pop("engine")
    attack = g.worth(sent, "attack")
    building = g.building_defence(target, seat)
    force = attack + min(g.rules["units"]["engine"]["attack"] * engines, building)
    force += g.trait(seat, source.district, "attack") + me.relics * g.rules["relic_attack"] + revenge
    card = yield from g.fate("attack")
    force += card["attack"]
    units = defence_of_units(g, target)
    against = yield from defence(g, target, seat)
    if force > against:
        yield from attacker_wins(g, seat, target, sent, units)
        return True
    me.counters["repelled"] += 1
    fallen = -(-sent.total() * g.rules["loser_loss"] // 100)  # CMB-6
    for kind in lose(sent, fallen):
        sent[kind] -= 1
    for kind, count in sent.items():
        source.put(seat, kind, count)
    lose_worth(g, target.units, "defence", g.rules["winner_loss"] * attack // 100)
    target.units["engine"] = 0
    return False


def send(g: Game, seat: int, source: Fief, target: Fief) -> Ask:
    """INV-2: return the units sent, taken off their fief."""
    most = dict(source.units)
    if not g.building_counts(target, seat):
        most["engine"] = 0
    labels = [
        "send " + ":".join(map(str, counts))
        for counts in product(*(range(most.get(kind, 0) + 1) for kind in SENT))
        if any(counts[: len(OWN)])
    ]
    words = yield from g.ask(seat, "send", labels)
    sent = Counter(dict(zip(SENT, map(int, words[1].split(":")), strict=True)))
    source.units.subtract(sent)
    return sent


def defence_of_units(g: Game, target: Fief) -> int:
    """CMB-1: return the defence of the units there, or of the levy if there are none."""
    capital = target.district in [g.rulers[seat].line for seat in g.seats()]
    if capital or any(target.units[kind] for kind in LOSSES):
        return g.worth(target.units, "defence")
    return int(g.rules["levy"] * g.rules["units"]["infantry"]["defence"])


def defence(g: Game, target: Fief, against: int) -> Ask:
    """CMB-1: return the whole defence of a fief against a ruler or the foreign states, with fate."""
    force = defence_of_units(g, target) + g.building_defence(target, against)
    force += target.defended * g.rules["defend"]
    owner = g.owner(target)
    if owner >= 0 and g.holder(target) == owner:
        force += g.trait(owner, target.district, "defence")
    card = yield from g.fate("defence")
    return force + card["defence"]


def attacker_wins(g: Game, seat: int, target: Fief, sent: Counter[str], units: int) -> Ask:
    """CMB-3, CMB-5."""
    me, holder = g.rulers[seat], g.holder(target)
    me.counters["won"] += 1
    if holder >= 0:
        g.rulers[holder].counters["lost_fiefs"] += 1
    lose_worth(g, sent, "attack", g.rules["winner_loss"] * units // 100)
    target.clear()
    target.siege = None
    for key in [key for key in g.tokens if key[1] == target.name]:
        del g.tokens[key]
    for kind, count in sent.items():
        target.put(seat, kind, count)
    labels = ["occupy"] if target.devastated else ["occupy", "devastate"]
    words = yield from g.ask(seat, "victory", labels)
    if words == ["devastate"]:
        target.devastate()
        me.denars += g.rules["loot"]
        me.counters["devastated"] += 1


def lose(units: Counter[str], count: int) -> list[str]:
    """CMB-4: remove this number of units in the order of losses."""
    return [kind for kind in LOSSES for _ in range(units[kind])][:count]


def lose_worth(g: Game, units: Counter[str], what: str, least: int) -> None:
    """Remove the winner's losses: units worth at least this much, but not the last (CMB-3, CMB-4, CMB-6)."""
    lost = 0
    for kind in lose(units, sum(units[kind] for kind in LOSSES) - 1):
        if lost >= least:
            return
        units[kind] -= 1
        lost += g.rules["units"][kind][what]
