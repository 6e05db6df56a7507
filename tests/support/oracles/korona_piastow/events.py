"""Event cards of Korona Piastów, carried out by the ruler who drew them (EVN, FOR, EVT)."""

from collections.abc import Callable
from typing import Any

from support.oracles.shared import Ask

from .board import FOREIGN, Fief, Staying
from .carrying import pass_everywhere
from .game import Game
from .war import defence, lose

Card = dict[str, Any]


def event_phase(g: Game) -> Ask:
    """EVN-1."""
    if not g.seats():
        return
    drawer = g.in_turn()[0]
    name = yield from g.draw("event", numbers=False)
    card = g.cards[name]
    stays = yield from EFFECTS[card["effect"]](g, drawer, card)
    if not stays:
        g.discards.append(name)


def pass_cards(g: Game) -> None:
    """EVT-1, at the end of the event phase."""
    for card in list(g.staying):
        card.time -= 1
        if card.time <= 0:
            g.staying.remove(card)
            g.discards.append(card.card)


def choose(g: Game, drawer: int, places: list[Fief]) -> Ask:
    """Ask for one of the fiefs; without a fief ask nothing."""
    if not places:
        return None
    words = yield from g.ask(drawer, "choose", [f"choose {fief.name}" for fief in places])
    return g.fiefs[words[1]]


def among(g: Game, drawer: int, who: str) -> list[int]:
    """Return the seats of a gain or a payment."""
    purses = {seat: g.rulers[seat].denars for seat in g.seats()}
    if who == "drawer":
        return [drawer]
    if who == "all":
        return list(purses)
    mark = min(purses.values()) if who == "poorest" else max(purses.values())
    return [seat for seat, denars in purses.items() if denars == mark]


def gain(g: Game, drawer: int, card: Card) -> Ask:
    for seat in among(g, drawer, card["who"]):
        g.rulers[seat].denars += card["n"]
    yield from ()


def pay(g: Game, drawer: int, card: Card) -> Ask:
    for seat in among(g, drawer, card["who"]):
        g.rulers[seat].denars -= min(card["n"], g.rulers[seat].denars)
    yield from ()


def plague(g: Game, drawer: int, card: Card) -> Ask:
    places = [f for f in g.fiefs.values() if g.holder(f) >= 0 and not f.devastated]
    fief = yield from choose(g, drawer, places)
    if fief:
        fief.devastate()


def resettle(g: Game, drawer: int, card: Card) -> Ask:
    fief = yield from choose(g, drawer, [f for f in g.fiefs.values() if f.devastated])
    if fief:
        fief.devastated = False


def fire(g: Game, drawer: int, card: Card) -> Ask:
    fief = yield from choose(g, drawer, [f for f in g.fiefs.values() if f.building])
    if fief:
        fief.damage += card["n"]


def rebellion(g: Game, drawer: int, card: Card) -> Ask:
    fief = yield from choose(g, drawer, [f for f in g.fiefs.values() if f.army(f.seat)])
    if fief:
        count = fief.total() - fief.units["engine"]
        for kind in lose(fief.units, -(-count // 2)):
            fief.units[kind] -= 1


def raid(g: Game, drawer: int, card: Card) -> Ask:
    """FOR-3."""
    home = g.districts[card["from"]]
    if home.owner >= 0:
        return
    near = {place.name for fief in home.fiefs for place in g.around(fief)}
    meant = [f for f in g.fiefs.values() if g.districts[f.district].piast or g.owner(f) >= 0]
    places = [f for f in meant if f.name in near and g.holder(f) != FOREIGN]
    target = yield from choose(g, drawer, places)
    if not target:
        return
    fate = yield from g.fate("attack")
    against = yield from defence(g, target, FOREIGN)
    if card["strength"] + fate["attack"] > against:
        target.clear()
        target.devastate()
        target.siege = None
        target.units["foreign"] = min(card["units"], g.rules["fief_limit"])


def allies(g: Game, drawer: int, card: Card) -> Ask:
    places = [f for f in g.fiefs.values() if f.army(drawer) and g.room(f)]
    fief = yield from choose(g, drawer, places)
    if fief:
        fief.units["foreign"] += min(card["n"], g.room(fief))


def levy(g: Game, drawer: int, card: Card) -> Ask:
    fief = yield from choose(g, drawer, [f for f in g.own_fiefs(drawer) if g.room(f)])
    if fief:
        fief.put(drawer, "infantry", min(card["n"], g.room(fief)))


def heir(g: Game, drawer: int, card: Card) -> Ask:
    yield from g.free_magnate(drawer)


def works(g: Game, drawer: int, card: Card) -> Ask:
    pass_everywhere(g, 1, g.rules["works_everywhere"])
    yield from ()


def stay(g: Game, drawer: int, card: Card) -> Ask:
    """Carry out `peace` and `interdict`; return whether the card stays."""
    others = [seat for seat in g.seats() if seat != drawer]
    if not others:
        return False
    words = yield from g.ask(drawer, "choose", [f"choose {seat}" for seat in others])
    named = int(words[1])
    seats = (drawer, named) if card["effect"] == "peace" else (named,)
    g.staying.append(Staying(card["id"], card["effect"], seats, card["time"]))
    return True


EFFECTS: dict[str, Callable[[Game, int, Card], Ask]] = {
    "gain": gain, "pay": pay, "plague": plague, "settle": resettle, "fire": fire, "rebellion": rebellion,
    "raid": raid, "allies": allies, "levy": levy, "heir": heir, "works": works, "peace": stay, "interdict": stay,
}  # fmt: skip
