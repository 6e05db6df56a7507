"""Weights by player count: which are played, and which are refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.runs import play

from balance.contract.game import get_game
from balance.experiments.strategies import load_strategy, pack_strategies
from balance.foundation.errors import BalanceError

HEAD = 'title = "Mine"\ndescription = "Mine."\n'
GAME = get_game("na-grunwald")


def write(folder: Path, text: str) -> str:
    """Write a profile's file."""
    path = folder / "mine.toml"
    path.write_text(HEAD + text)
    return str(path)


def packed(name: str, players: int):
    """Return the row of weights of a strategy."""
    _, weights, _ = pack_strategies(GAME, [load_strategy(GAME, name, Path())], players)
    return weights[0]


def test_weights_and_settings_are_those_of_the_player_count(tmp_path):
    """They have a table for each count, or one for all; missing settings have their defaults."""
    name = write(
        tmp_path,
        "[weights.2]\npassing = -2\n[weights.4]\npassing = -4\nhelper = 1\n[settings.4]\ncaution = 0.5\n",
    )
    two, four = packed(name, 2), packed(name, 4)
    assert (two.passing, two.helper, two.caution) == (-2, 0, 0.35)
    assert (four.passing, four.helper, four.caution) == (-4, 1, 0.5)
    flat = write(tmp_path, "[weights]\npassing = -1\n[settings.2]\ncaution = 0.1\n")
    assert [packed(flat, players).passing for players in (2, 3)] == [-1, -1]
    assert [packed(flat, players).caution for players in (2, 3)] == [0.1, 0.35]


def test_a_searcher_changes_its_prior_at_every_count(tmp_path):
    """`weights` of its file override each table."""
    write(tmp_path, "[weights.2]\npassing = -2\nhelper = 1\n[weights.3]\npassing = -3\n")
    search = tmp_path / "search.toml"
    search.write_text(
        'kind = "search"\niterations = 5\nprior = "./mine.toml"\n[weights]\npassing = -9\n'
    )
    strategy = load_strategy(GAME, str(search), tmp_path)
    assert strategy.search.prior.weights == {
        "2": {"passing": -9, "helper": 1},
        "3": {"passing": -9},
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[weights]\npassing = 1\n[weights.2]\nhelper = 1", "weights: must hold numbers, or a table"),
        ("[weights.7]\npassing = 1", "weights: unknown player count '7'"),
        ("[weights.2]\npasing = 1", "weights.2: unknown feature 'pasing'"),
        ("[weights]\n[settings.3]\ncautious = 1", "settings.3: unknown setting 'cautious'"),
        ("[weights.2]\npassing = 1", "strategy mine: no weights for 3 players (there are: 2)"),
    ],
)
def test_mistakes_are_one_line(tmp_path, text, words):
    """Nothing is written."""
    with pytest.raises(BalanceError) as failure:
        play(tmp_path / "run", games=2, players=[3], strategies=[write(tmp_path, text)])
    assert words in str(failure.value)
    assert "\n" not in str(failure.value)
    assert not (tmp_path / "run").exists()


def test_a_searcher_without_weights_for_a_count_is_refused(tmp_path):
    write(tmp_path, "[weights.2]\npassing = -2\n")
    search = tmp_path / "search.toml"
    search.write_text('kind = "search"\niterations = 5\nprior = "./mine.toml"\n')
    with pytest.raises(BalanceError, match="strategy search: no weights for 4 players"):
        play(tmp_path / "run", games=2, players=[4], strategies=[str(search)])
