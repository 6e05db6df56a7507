"""The contract suite of every game that ships, oracles included.

What compiles a game again, plays it uncompiled, or repeats for one more variant what others show, is left to
`make test-all`.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.oracles import grody, korona_piastow, na_grunwald, polska
from support.oracles.korona_piastow.choosing import pick

from balance.testing import GameContract


class LongBounds(GameContract):
    """The contract suite of a game that takes a minute to compile."""

    oracle_games = 1

    @pytest.mark.long
    def test_bounds_checked(self, tmp_path):
        super().test_bounds_checked(tmp_path)


class LongUncompiled(LongBounds):
    """The contract suite of a game that takes a minute to play uncompiled too."""

    @pytest.mark.long
    def test_uncompiled(self, tmp_path):
        super().test_uncompiled(tmp_path)

    @pytest.mark.long
    def test_components_are_counted(self, players):
        super().test_components_are_counted(players)


@pytest.mark.slow
class TestNaGrunwald(LongBounds):
    game = "na-grunwald"
    oracle = staticmethod(na_grunwald.play)


@pytest.mark.slow
class TestPolska(GameContract):
    game = "polska"
    oracle = staticmethod(polska.play)
    oracle_games = 1


@pytest.mark.slow
class TestGrody(LongUncompiled):
    game = "grody"
    oracle = staticmethod(grody.play)


@pytest.mark.slow
class TestKoronaPiastow(LongUncompiled):
    game = "korona-piastow"
    oracle = staticmethod(korona_piastow.play)
    pick = staticmethod(pick)

    @pytest.mark.long
    def test_a_search_keeps_the_rules(self, players):
        super().test_a_search_keeps_the_rules(players)

    varied = ("base", "all-at-once", "great-crown", "long-feuds", "no-zakon", "quick-sieges")

    def pytest_generate_tests(self, metafunc: Any) -> None:
        """All player counts; of two dozen variants those of `varied`, and the others with `make test-all`."""
        if "players" in metafunc.fixturenames:
            metafunc.parametrize("players", self.subject.players)
        if "variant" in metafunc.fixturenames:
            marks = {True: (), False: pytest.mark.long}
            names = self.subject.shipped("variants")
            metafunc.parametrize(
                "variant", [pytest.param(each, marks=marks[each in self.varied]) for each in names]
            )
