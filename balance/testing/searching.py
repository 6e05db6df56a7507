"""Searchers: blind, repeatable, at home in every phase of the game."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np

from balance.compiling.jit import compiled_entry
from balance.contract.game import Game
from balance.engine.search.thinker import Thinker
from balance.plan.searchers import default_search
from balance.plan.strategies import Strategy, pack_strategies
from balance.testing.cases import Cases

EVERY = 4  # decisions, of which one is searched


class SearchTests(Cases):
    """What must hold of searchers; `iterations` are few, as they need not be strong here."""

    iterations = 12

    def thinker(self, players: int, game: Game | None = None) -> Thinker:
        """The game's default searcher, thinking by the rules of `game`, its own if not told."""
        search = default_search(self.subject, type(self).iterations)
        packed = pack_strategies(self.subject, [Strategy("s", "search", search=search)], players)
        _, weights, searchers = packed
        assert searchers is not None
        return Thinker(game or self.subject, weights, searchers)

    def test_a_searcher_is_blind(self, variant: str) -> None:
        """With everything hidden dealt anew, and the same stream, it has the same thoughts and does the same."""
        players = self.players_of(variant)
        thinker, rng = self.thinker(players), np.random.default_rng(2)
        for number, stepper in enumerate(self.decisions(players, variant)):
            if number % EVERY:
                continue
            other = stepper.copy()
            other.redeal(int(rng.integers(2**62)))
            before = stepper.state.tobytes()
            chosen = thinker.think(stepper, number)
            assert stepper.state.tobytes() == before, "a search changes the game"
            assert repr(thinker.think(other, number)) == repr(chosen), "a searcher sees what is hidden"
            assert chosen[0] in stepper.options(), f"a searcher does {chosen[0]!r}, which is not legal"

    def test_a_search_keeps_the_rules(self, players: int) -> None:
        """What it tries, in its tree and in playouts, is legal in the deal that it tries it in."""
        thinker = self.thinker(players, strict(self.subject))
        for number, stepper in enumerate(self.decisions(players)):
            if number % EVERY == 0:
                thinker.think(stepper, number)


def strict(game: Game) -> Game:
    """The same game, but that an action which is not legal is an AssertionError, in compiled code too."""
    kernel = game.kernel
    legal_actions, apply = kernel.legal_actions, kernel.apply

    @compiled_entry
    def apply_legal(rules, state, log, scratch, code):  # type: ignore[no-untyped-def]
        count = legal_actions(rules, state, scratch, scratch.codes)
        for i in range(count):
            if scratch.codes[i] == code:
                apply(rules, state, log, scratch, code)
                return
        raise AssertionError("a search takes an action that is not legal")

    names = {name: getattr(kernel, name) for name in dir(kernel) if not name.startswith("__")}
    copy = dataclasses.replace(game, name=f"strict-{game.name}")  # compiled apart
    copy.__dict__["kernel"] = SimpleNamespace(**{**names, "apply": apply_legal})
    return copy
