"""The contract suite of every game that ships, oracles included.

What compiles a game again, plays it uncompiled, or repeats for one more variant what others show, is left to
`make test-all`.
"""

from collections.abc import Sequence
from typing import Any

import pytest
from support.oracles import grody, korona_piastow, na_grunwald, polska
from support.oracles.korona_piastow.choosing import pick

from balance.testing import GameContract


class Shipped(GameContract):
    """The contract suite; `varied` are the variants of `make test`, those that change rules and not only numbers."""

    oracle_games = 1
    varied: tuple[str, ...] = ()
    every_count = True  # whether `make test` has all player counts, and not only the smallest and the largest

    def pytest_generate_tests(self, metafunc: Any) -> None:
        """Use all player counts and variants; those that `make test` leaves out are long."""
        if "players" in metafunc.fixturenames:
            counts = self.subject.players
            self._parametrize(metafunc, "players", counts, counts if self.every_count else (counts[0], counts[-1]))
        if "variant" in metafunc.fixturenames:
            self._parametrize(metafunc, "variant", self.subject.shipped("variants"), self.varied)

    def _parametrize(self, metafunc: Any, name: str, cases: Sequence[Any], kept: Sequence[Any]) -> None:
        assert set(kept) <= set(cases)
        marks = [() if case in kept else pytest.mark.long for case in cases]
        metafunc.parametrize(name, [pytest.param(c, marks=mark) for c, mark in zip(cases, marks, strict=True)])

    @pytest.mark.long
    def test_bounds_checked(self, tmp_path):
        super().test_bounds_checked(tmp_path)

    @pytest.mark.long
    def test_uncompiled(self, tmp_path):
        super().test_uncompiled(tmp_path)


class SlowlyCompiled(Shipped):
    """The contract suite of a game that takes a minute to compile."""

    every_count = False

    @pytest.mark.long
    def test_components_are_counted(self, players):
        super().test_components_are_counted(players)

    @pytest.mark.long
    def test_components_can_be_given(self, players):
        super().test_components_can_be_given(players)

    @pytest.mark.long
    def test_a_search_keeps_the_rules(self, players):
        super().test_a_search_keeps_the_rules(players)

    @pytest.mark.long
    def test_a_searcher_is_blind(self, variant):
        super().test_a_searcher_is_blind(variant)


@pytest.mark.slow
class TestNaGrunwald(Shipped):
    game = "na-grunwald"
    oracle = staticmethod(na_grunwald.play)
    varied = ("base", "events-harsh", "last-placed-wins-ties", "no-events")


@pytest.mark.slow
class TestPolska(SlowlyCompiled):
    game = "polska"
    oracle = staticmethod(polska.play)
    varied = ("base", "no-stops", "ten-markers")


@pytest.mark.slow
class TestGrody(SlowlyCompiled):
    game = "grody"
    oracle = staticmethod(grody.play)
    varied = ("base", "blitz", "no-magic")


@pytest.mark.slow
class TestKoronaPiastow(SlowlyCompiled):
    game = "korona-piastow"
    oracle = staticmethod(korona_piastow.play)
    pick = staticmethod(pick)
    varied = ("base",)
