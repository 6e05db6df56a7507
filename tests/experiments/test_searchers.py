"""Searchers and values by name and file; each mistake gives one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.contract.game import get_game
from balance.experiments.searchers import default_search, load_value
from balance.experiments.strategies import load_strategy
from balance.foundation.errors import BalanceError

GAMES = ("na-grunwald", "polska", "grody")


@pytest.mark.parametrize("name", GAMES)
def test_the_default_of_every_game(name):
    """It has weights of existing features for all player counts, and states their origin."""
    game = get_game(name)
    search = default_search(game, 100)
    assert search.switches.iterations == 100
    assert search.value is not None
    assert set(search.value.weights) == {str(players) for players in game.players}
    for weights in search.value.weights.values():
        assert set(weights) == set(game.position)
    assert {"strategies", "games", "seed", "rules", "date"} <= set(search.value.training)


def test_a_file_says_what_differs(tmp_path):
    """The rest is the game's default; run.json stores all of it."""
    game = get_game("na-grunwald")
    (tmp_path / "wide.toml").write_text(
        'kind = "search"\niterations = 40\nshortlist = 16\nprior = "treasurer"\n'
    )
    strategy = load_strategy(game, "wide.toml", tmp_path)
    assert (strategy.name, strategy.kind) == ("wide", "search")
    assert strategy.search.switches.shortlist == 16
    assert strategy.search.switches.exploration == default_search(game, 1).switches.exploration
    assert strategy.search.prior.title == "Treasurer"
    assert strategy.describe()["search"]["switches"]["iterations"] == 40


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("search-0", "search-0: iterations must be between 1 and 1,000,000"),
        ("search--5", "search--5: iterations must be between"),
        ("search-2000000", "iterations must be between"),
        ("search-x", "unknown na-grunwald strategy 'search-x'"),
        ("search", "unknown na-grunwald strategy 'search'"),
    ],
)
def test_names_that_mean_nothing(name, words):
    """Budgets out of range or not numbers are refused."""
    with pytest.raises(BalanceError, match=words) as failure:
        load_strategy(get_game("na-grunwald"), name, Path())
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("iterations = 0", "iterations: Input should be greater than or equal to 1"),
        ("iterations = -5", "iterations: Input should be greater than or equal to 1"),
        ("explorations = 1", "did you mean 'exploration'"),
        ("exploration = -1", "exploration: Input should be greater"),
        ("prior_temperature = 0", "prior_temperature: Input should be greater than 0"),
        ("shortlist = 17", "shortlist: Input should be less than or equal to 16"),
        ('reward = "points"', "reward: Input should be 'win' or 'lead'"),
        ('final = "luck"', "final: Input should be 'visits' or 'value'"),
        ('deals = "none"', "deals: Input should be 'own' or 'shared'"),
        ('prior = "tresurer"', "did you mean 'treasurer'"),
        ('value = "nothing"', "unknown na-grunwald value 'nothing'"),
        ('value = "polska.toml"', "'Default' is for polska, not for na-grunwald"),
        ('value = "odd.toml"', "did you mean 'points'"),
        ('value = "short.toml"', "weights.2.points: List should have at least 4 items"),
    ],
)
def test_wrong_files(line, words, tmp_path):
    """Each line names the file and the key."""
    polska = get_game("polska").folder / "values" / "default.toml"
    (tmp_path / "polska.toml").write_text(polska.read_text(encoding="utf-8"), encoding="utf-8")
    head = 'title = "x"\ndescription = "x"\ngame = "na-grunwald"\n[weights.2]\n'
    (tmp_path / "odd.toml").write_text(head + "pointz = [0, 0, 0, 0]\n")
    (tmp_path / "short.toml").write_text(head + "points = [0, 0, 0]\n")
    own = "" if line.startswith("iterations") else "iterations = 10\n"
    (tmp_path / "mine.toml").write_text(f'kind = "search"\n{own}{line}\n')
    with pytest.raises(BalanceError) as failure:
        load_strategy(get_game("na-grunwald"), "mine.toml", tmp_path)
    assert words in str(failure.value)
    assert "\n" not in str(failure.value)


def test_a_player_count_without_weights(tmp_path, cli):
    """The error comes before the first game."""
    value = load_value(get_game("na-grunwald"), "default", tmp_path)
    rows = "\n".join(f"{name} = {stages}" for name, stages in value.weights["2"].items())
    text = f'title = "two"\ndescription = "x"\ngame = "na-grunwald"\n[weights.2]\n{rows}\n'
    (tmp_path / "two.toml").write_text(text)
    (tmp_path / "mine.toml").write_text('kind = "search"\niterations = 5\nvalue = "two.toml"\n')
    arguments = ("--game", "na-grunwald", "--games", 4, "--out", tmp_path / "run", "--quiet")
    result = cli("run", *arguments, "--players", 3, "--strategies", tmp_path / "mine.toml", status=1)
    assert "has no weights for 3 players (there are: 2)" in result.output
    assert not (tmp_path / "run").exists()
    result = cli("run", *arguments, "--players", 2, "--strategies", tmp_path / "mine.toml", status=0)
