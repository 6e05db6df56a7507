"""The contract suite of every game that ships, oracles included."""

from __future__ import annotations

import pytest
from support.oracles import grody, korona_piastow, na_grunwald, polska
from support.oracles.korona_piastow.walking import pick

from balance.testing import GameContract


@pytest.mark.slow
class TestNaGrunwald(GameContract):
    game = "na-grunwald"
    oracle = staticmethod(na_grunwald.play)
    oracle_games = 1


@pytest.mark.slow
class TestPolska(GameContract):
    game = "polska"
    oracle = staticmethod(polska.play)
    oracle_games = 1


@pytest.mark.slow
class TestGrody(GameContract):
    game = "grody"
    oracle = staticmethod(grody.play)
    oracle_games = 1


@pytest.mark.slow
class TestKoronaPiastow(GameContract):
    game = "korona-piastow"
    oracle = staticmethod(korona_piastow.play)
    oracle_games = 1
    pick = staticmethod(pick)
