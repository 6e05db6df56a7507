"""Games of the oracle alone, with choices that meet every rule more often than chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import play
from .board import OWN
from .game import Game

RARE = ("siege", "revenge", "diversion", "tithe", "quest")  # orders
FORCE = (1, 2, 3, 2, 1)  # of what is sent, roughly
PICKED = {  # kind: how often, and what the label must begin with, the first that fits
    "fief": (0.97, ("fief",)),
    "turn": (0.93, ("do",)),
    "muster": (0.9, ("muster knight", "muster infantry", "muster cavalry")),
    "victory": (0.8, ("occupy",)),
    "build": (0.5, ("build castle", "build clothhall", "build grod")),
    "revenge": (0.9, ("target",)),
    "damage": (0.8, ("damage",)),
    "grant": (0.8, ("grant",)),
    "magnate": (0.8, ("repair", "raise")),
    "ruler": (0.6, ("repair", "raise", "collect")),
}


def pick(rng: np.random.Generator, judge: Game, options: list[str]) -> int:
    """Return the index of a label: warlike, mostly with all units, and fond of the rarer orders."""
    words = [label.split() for label in options]
    verb = words[-1][0]
    if rng.random() < 0.15:
        return int(rng.integers(len(options)))
    if verb == "send":
        force = [forceful(label[1]) for label in words]
        return int(np.argmax(force)) if rng.random() < 0.7 else int(rng.integers(len(options)))
    if verb == "target":
        return int(np.argmax([wanted(rng, judge, label) for label in words]))
    if verb == "order":
        return order(rng, words)
    kind = {"fief": "fief", "drop": "turn", "do": "turn", "muster": "muster", "damage": "damage"}
    kind |= {"occupy": "victory", "devastate": "victory", "build": "build", "grant": "grant"}
    often, starts = PICKED.get(kind.get(verb, ""), (0.0, ()))
    if rng.random() < often:
        for start in starts:
            fit = [i for i, label in enumerate(options) if label.startswith(start)]
            if fit:
                return int(rng.choice(fit))
    return int(rng.integers(len(options)))


def forceful(sent: str) -> int:
    return sum(a * int(b) for a, b in zip(FORCE, sent.split(":"), strict=True))


def wanted(rng: np.random.Generator, judge: Game, label: list[str]) -> float:
    """Return how much a fief to invade helps to win its district, and how weak it is."""
    if label[0] == "none":
        return -9.0
    fief = judge.fiefs[label[1]]
    taken = {place.seat for place in judge.districts[fief.district].fiefs if place is not fief}
    weak = -0.3 * judge.worth(fief.units, "defence") - 0.2 * judge.building_defence(fief, judge.n)
    return weak + (2.0 if any(seat >= 0 for seat in taken) else 0.0) + 3 * float(rng.random())


def order(rng: np.random.Generator, words: list[list[str]]) -> int:
    kinds = [label[1] for label in words]
    weights = np.array([3.0 if k in RARE else 3.0 if k in ("invade", "muster") else 1.0 for k in kinds])
    return int(rng.choice(len(kinds), p=weights / weights.sum()))


def walk(
    rules: dict[str, Any], players: int, seed: int, look: Callable[[Game, str], None]
) -> tuple[Game, list[dict[str, Any]]]:
    """Play one game of the oracle alone; `look` is called before every decision, with its kind."""
    rng = np.random.default_rng(seed)
    game, asking = play(rules, players)
    question = next(asking)
    while True:
        if question.seat >= 0:
            look(game, question.kind)
            label = question.labels[pick(rng, game, question.labels)]
        else:
            label = str(rng.choice(question.labels))
        try:
            question = asking.send(label)
        except StopIteration as end:
            return game, end.value


def check(game: Game, kind: str) -> None:
    """Assert what holds before every decision, after any play."""
    free = sum((ruler.free for ruler in game.rulers), start=type(game.bag)())
    granted = [district.magnate for district in game.districts.values() if district.magnate]
    tokens = 4 * game.rules["magnate"]["tokens"]
    assert game.bag.total() + free.total() + len(granted) == tokens
    cards = [*game.stack, *game.discards, *(card.card for card in game.staying)]
    away = set(game.cards) - set(cards)
    assert len(cards) == len(set(cards)), "a card lies twice"
    assert len(away) <= 1 and (not away or kind in ("choose", "magnate")), away
    for ruler in game.rulers:
        assert ruler.denars >= 0
    for fief in game.fiefs.values():
        assert all(count >= 0 for count in fief.units.values())
        assert kind == "regroup" or fief.total() <= game.rules["fief_limit"], fief
        assert fief.damage == 0 or fief.building, fief
        assert not (fief.site and fief.building) or (fief.building, fief.site) == ("grod", "castle")
        assert not (fief.devastated and fief.site), fief
    if kind in ("fief", "spy", "turn", "magnate", "grant", "ruler"):
        check_settled(game)


def check_settled(game: Game) -> None:
    """Assert the state that JOI-1 leaves."""
    for fief in game.fiefs.values():
        assert not fief.units["engine"] or fief.army(fief.seat), fief
        if fief.siege:
            assert fief.building in ("grod", "castle"), fief
            assert not game.rulers[fief.siege[0]].out_round
    for seat in game.seats():
        ruler = game.rulers[seat]
        assert game.districts[ruler.line].owner == seat == game.districts[ruler.stands].owner
        assert not game.districts[ruler.line].magnate
        assert any(game.holder(fief) == seat for fief in game.districts[ruler.line].fiefs)
    for district in game.districts.values():
        holders = {fief.seat if any(fief.units[k] for k in OWN) else -1 for fief in district.fiefs}
        assert len(holders) > 1 or holders <= {-1, district.owner}, district
        assert district.owner < 0 or not game.rulers[district.owner].out_round
    for seat, name, _ in game.tokens:
        assert game.holder(game.fiefs[name]) == seat
