"""The champion of each game against the profiles that shipped before there was one (kept here as test data)."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.runs import play

import balance
from balance.contract.game import find_games, get_game

HERE = Path(__file__).parent
AIMS = {("na-grunwald", 2): 95, ("na-grunwald", 4): 70}


def old_profiles(game: str) -> list[str]:
    """Files of the profiles of before."""
    return sorted(map(str, (HERE / game.replace("-", "_") / "profiles").glob("*.toml")))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), AIMS)
def test_the_champion_beats_the_profiles_of_before(tmp_path, game, players):
    """One of it among others drawn in turn, in every seat: its share is above the aim for sure."""
    old = old_profiles(game)
    lineups = [
        ["champion", *(old[(i + k) % len(old)] for k in range(players - 1))] for i in range(len(old))
    ]
    run = play(
        tmp_path / "run", game=game, players=[players], strategies=[], lineups=lineups, games=2_800
    )
    shares = balance.open_run(run).strategy_shares()
    champion = shares[shares["strategy"] == "champion"].iloc[0]
    assert champion["low"] > AIMS[game, players]


@pytest.mark.parametrize("game", find_games())
def test_a_champion_has_weights_for_every_player_count(game):
    """And says where they come from."""
    from balance.plan.strategies import load_strategy

    found = get_game(game)
    profile = load_strategy(found, "champion", Path()).profile
    assert not any(profile.lacks(players) for players in found.players)
    assert {"rules", "opponents", "games", "seed", "date"} <= set(profile.training)
