"""Profiles, searchers, values and measures by name and file; each mistake gives one line."""

from functools import partial
from pathlib import Path

import pytest
from support.errors import refused
from support.runs import plan_of, play

from balance.contract.game import get_game
from balance.experiments.measures import choose_measures
from balance.experiments.planning import check_targets_fit
from balance.experiments.searchers import default_search, load_value
from balance.experiments.strategies import load_strategy, pack_strategies
from balance.experiments.targets import Target
from balance.foundation.errors import BalanceError

HEAD = 'title = "Mine"\ndescription = "Mine."\n'
GAME = get_game("na-grunwald")
SEARCH = 'kind = "search"\niterations = 5\nprior = "./mine.toml"\n'


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
    text = "[weights.2]\npassing = -2\n[weights.4]\npassing = -4\nhelper = 1\n[settings.4]\ncaution = 0.5\n"
    name = write(tmp_path, text)
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
    search.write_text(f"{SEARCH}[weights]\npassing = -9\n")
    weights = load_strategy(GAME, str(search), tmp_path).search.prior.weights
    assert weights == {"2": {"passing": -9, "helper": 1}, "3": {"passing": -9}}


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
def test_wrong_profiles_are_one_line(tmp_path, text, words):
    with refused(words):
        play(tmp_path / "run", games=2, players=[3], strategies=[write(tmp_path, text)])
    assert not (tmp_path / "run").exists()


def test_a_searcher_without_weights_for_a_count_is_refused(tmp_path):
    write(tmp_path, "[weights.2]\npassing = -2\n")
    search = tmp_path / "search.toml"
    search.write_text(SEARCH)
    with pytest.raises(BalanceError, match="strategy search: no weights for 4 players"):
        play(tmp_path / "run", games=2, players=[4], strategies=[str(search)])


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
    text = 'kind = "search"\niterations = 40\nshortlist = 16\nprior = "treasurer"\n'
    (tmp_path / "wide.toml").write_text(text)
    strategy = load_strategy(GAME, "wide.toml", tmp_path)
    assert (strategy.name, strategy.kind) == ("wide", "search")
    assert strategy.search.switches.shortlist == 16
    assert strategy.search.switches.exploration == default_search(GAME, 1).switches.exploration
    assert strategy.search.prior.title == "Treasurer"
    assert strategy.describe()["search"]["switches"]["iterations"] == 40


def test_a_name_gives_a_searcher_a_network_as_prior():
    """The other switches and the value are those of the game's searcher."""
    plain, guided = (load_strategy(GAME, name, Path()).search for name in ("search-7", "expert-search-7"))
    assert guided.network.title == "expert" and guided.switches.network_prior
    assert not guided.switches.network_playouts and guided.switches.iterations == 7
    assert (guided.value, guided.playout) == (plain.value, plain.playout) and plain.network is None
    assert guided.prior == guided.network.profile != plain.prior


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("search-0", "search-0: iterations must be between 1 and 1,000,000"),
        ("search--5", "search--5: iterations must be between"),
        ("search-2000000", "iterations must be between"),
        ("search-" + "9" * 5000, "iterations must be between"),
        ("exprt-search-5", "unknown na-grunwald network 'exprt'"),
        ("search-x", "unknown na-grunwald strategy 'search-x'"),
        ("search", "unknown na-grunwald strategy 'search'"),
    ],
)
def test_names_that_mean_nothing(name, words):
    """Budgets out of range or not numbers are refused."""
    with refused(words):
        load_strategy(GAME, name, Path())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("iterations = 0", "iterations: must be at least 1"),
        ("iterations = -5", "iterations: must be at least 1"),
        ("explorations = 1", "did you mean 'exploration'"),
        ("exploration = -1", "exploration: must be at least"),
        ("prior_temperature = 0", "prior_temperature: must be more than 0"),
        ("shortlist = 17", "shortlist: must be at most 16"),
        ('reward = "points"', "reward: must be one of 'win', 'lead'"),
        ('final = "luck"', "final: must be one of 'visits', 'value'"),
        ('deals = "none"', "deals: must be one of 'own', 'shared'"),
        ('prior = "tresurer"', "did you mean 'treasurer'"),
        *(
            (f"{key} = {value}", f"mine.toml: {key}: must be a number")
            for key in ("exploration", "prior_temperature", "weights.helper")
            for value in ('"2.5"', "true")
        ),
        ('value = "nothing"', "unknown na-grunwald value 'nothing'"),
        ('value = "polska.toml"', "'Default' is for polska, not for na-grunwald"),
        ('value = "odd.toml"', "did you mean 'points'"),
        ('value = "short.toml"', "weights.2.points: must have at least 4 entries"),
    ],
)
def test_wrong_searchers(line, words, tmp_path):
    polska = get_game("polska").folder / "values" / "default.toml"
    (tmp_path / "polska.toml").write_text(polska.read_text(encoding="utf-8"), encoding="utf-8")
    head = 'title = "x"\ndescription = "x"\ngame = "na-grunwald"\n[weights.2]\n'
    (tmp_path / "odd.toml").write_text(head + "pointz = [0, 0, 0, 0]\n")
    (tmp_path / "short.toml").write_text(head + "points = [0, 0, 0]\n")
    own = "" if line.startswith("iterations") else "iterations = 10\n"
    (tmp_path / "mine.toml").write_text(f'kind = "search"\n{own}{line}\n')
    with refused(words):
        load_strategy(GAME, "mine.toml", tmp_path)


def test_a_player_count_without_weights(tmp_path, cli):
    """The error comes before the first game."""
    value = load_value(GAME, "default", tmp_path)
    rows = "\n".join(f"{name} = {stages}" for name, stages in value.weights["2"].items())
    text = f'title = "two"\ndescription = "x"\ngame = "na-grunwald"\n[weights.2]\n{rows}\n'
    (tmp_path / "two.toml").write_text(text)
    (tmp_path / "mine.toml").write_text('kind = "search"\niterations = 5\nvalue = "two.toml"\n')
    asked = ("run --game na-grunwald --games 4 --quiet --out", tmp_path / "run", "--strategies", tmp_path / "mine.toml")
    result = cli(*asked, "--players", 3, status=1)
    assert "has no weights for 3 players (there are: 2)" in result.output
    assert not (tmp_path / "run").exists()
    cli(*asked, "--players", 2, status=0)


small_plan = partial(plan_of, games=4, strategies=["generalist", "random"])


@pytest.mark.parametrize("name", ["comeback", "winner_deficit", "lead_changes"])
def test_a_measure_of_rounds_names_the_log_level(name):
    """`check` and `compare` name the log level needed and that of the run."""
    says = f'measure \'{name}\' needs log = "rounds" or "trace" (--log rounds), and this run has log = "games"'
    plan = small_plan()
    with pytest.raises(BalanceError) as chosen:
        choose_measures(plan, [name])
    assert str(chosen.value) == says
    with pytest.raises(BalanceError) as checked:
        check_targets_fit(plan, [Target(measure=name, least=1)], "goals.toml")
    assert str(checked.value) == f"goals.toml: {says}"
    assert choose_measures(small_plan(log="rounds"), [name])[0].name == name


def test_a_share_of_strategies_needs_several():
    plan = small_plan(strategies=["random"])
    with pytest.raises(BalanceError, match="'strategy_win_share' needs several strategies"):
        choose_measures(plan, ["strategy_win_share"])


def test_a_name_that_no_measure_has():
    with pytest.raises(BalanceError, match="unknown measure 'scores'; did you mean 'score'"):
        choose_measures(small_plan(), ["scores"])
