"""Korona Piastów in plain Python, written from the rule pages alone: the judge of the compiled rules.

A game is a generator: it yields a `Question` for every decision and chance outcome and is sent the label.
Rules are the plain dictionaries of `run.json`. Slow, and no code shared with the rules.
"""

from typing import Any

from support.oracles.shared import Ask

from . import giving
from .carrying import carry_out, pass_everywhere
from .court import hold_court
from .events import event_phase, pass_cards
from .game import Game
from .results import how_it_ends, result, settle
from .setup import set_up


def play(rules: dict[str, Any], players: int) -> tuple[Game, Ask]:
    """Return a new game and the generator that plays it."""
    game = Game(rules, players)
    return game, rounds(game)


def rounds(g: Game) -> Ask:
    """Play section 3, round by round; return the rows of the seats."""
    yield from set_up(g)
    while True:
        yield from one_round(g)
        g.note_round()
        g.end = how_it_ends(g)
        if g.end:
            return result(g)
        g.round += 1


def one_round(g: Game) -> Ask:
    giving.tribute(g)
    yield from giving.give_orders(g)
    yield from giving.spy(g)
    yield from carry_out(g)
    yield from hold_court(g)
    yield from event_phase(g)
    yield from settle(g)
    pass_cards(g)
    pass_everywhere(g, g.rules["time_passes"])
    yield from settle(g)
