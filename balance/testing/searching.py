"""Searchers: blind, repeatable, at home in every phase of the game."""

from __future__ import annotations

import numpy as np

from balance.engine.search.thinker import Thinker
from balance.plan.searchers import default_search
from balance.plan.strategies import Strategy, pack_strategies
from balance.testing.cases import Cases

EVERY = 4  # decisions, of which one is searched


class SearchTests(Cases):
    """What must hold of searchers; `iterations` are few, as they need not be strong here."""

    iterations = 12

    def thinker(self, players: int) -> Thinker:
        """The game's default searcher."""
        search = default_search(self.subject, type(self).iterations)
        packed = pack_strategies(self.subject, [Strategy("s", "search", search=search)], players)
        _, weights, searchers = packed
        assert searchers is not None
        return Thinker(self.subject, weights, searchers)

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
