"""Each game's champion against the profiles before it (stored here as test data)."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.runs import play

import balance
from balance.contract.game import find_games, get_game

HERE = Path(__file__).parent
AIMS = {("na-grunwald", 2): 95, ("na-grunwald", 4): 70}


def old_profiles(game: str) -> list[str]:
    """Return the files of the earlier profiles."""
    return sorted(map(str, (HERE / game.replace("-", "_") / "profiles").glob("*.toml")))


@pytest.mark.long
@pytest.mark.parametrize(("game", "players"), AIMS)
def test_the_champion_beats_the_profiles_of_before(tmp_path, game, players):
    """The lower bound of its share, alone among drawn opponents in every seat, is above the aim."""
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
    """The file also records their origin."""
    from balance.experiments.strategies import load_strategy

    found = get_game(game)
    profile = load_strategy(found, "champion", Path()).profile
    assert not any(profile.lacks(players) for players in found.players)
    assert {"rules", "opponents", "games", "seed", "date"} <= set(profile.training)
