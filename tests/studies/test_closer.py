"""Measures that need a closer look, in studies: the same figures as of runs, and one that the rules settle."""

from pathlib import Path

import pytest
from support.runs import play

from balance.analysis.compare import compare_runs, compare_variants
from balance.analysis.traced import option_means
from balance.experiments.experiment import make_experiment
from balance.foundation.errors import BalanceError
from balance.report import write_report
from balance.runs.folder import RunFolder
from balance.studies.sensitivity import Sensitivity, find_effects
from balance.studies.settings import Tried
from balance.studies.trying import open_trial
from balance.studies.tune import play_tuning, read_tuning

KEYS = {"game": "na-grunwald", "players": [3], "strategies": ["generalist", "random"], "seed": 4}
GAMES = 120
SHORT = "no skirmish before round 4"  # Krzyżacy come in round 4, so with three rounds no seat uses the field


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a variant of four rounds, and one of three."""
    found = tmp_path_factory.mktemp("closer")
    for rounds in (3, 4):
        text = f'title = "{rounds} rounds"\ndescription = "{SHORT}"\nextends = "base"\nrounds = {rounds}\n'
        (found / f"r{rounds}.toml").write_text(text, encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def run(folder: Path) -> RunFolder:
    """Return a traced run of both variants."""
    variants = [str(folder / f"r{rounds}.toml") for rounds in (4, 3)]
    return RunFolder.open(play(folder / "run", **KEYS, variants=variants, games=GAMES, log="trace"))


def values_of(means) -> dict[tuple[str, str], float]:
    return {(row.variant, row.option): row.value for row in means.itertuples()}


def test_a_run_compares_the_use_of_options_within_itself(run):
    """Unpaired, as `compare_runs` does; with three rounds Krzyżacy are out of reach."""
    within = compare_variants(run, "r4", ["option_use"]).set_index("group")
    apart = compare_runs(run.in_tier("main"), run.in_tier("main"), ["option_use"])
    means = values_of(option_means(run))
    assert len(within) == len(means) / 2 == len(apart) / 2
    for option, row in within.iterrows():
        assert row["effect"] == pytest.approx(means["r3", option] - means["r4", option])
        assert row["baseline"] == pytest.approx(means["r4", option])
    lost = within.loc["krzyzacy"]
    assert means["r3", "krzyzacy"] == 0 < -lost["effect"] and lost["high"] < 0
    assert (lost["verdict"], lost["more_games"]) == ("lower", 0)


def test_a_trial_shows_the_use_of_options_as_a_run_does(run, folder):
    """The same games, played in memory."""
    asked = Tried(
        "na-grunwald", str(folder / "r4.toml"), (3,), tuple(KEYS["strategies"]), GAMES, seed=KEYS["seed"],
        measures=("option_use",),
    )  # fmt: skip
    trial = open_trial(asked, workers=1)
    trial.change("rounds = 3")
    means = values_of(option_means(run))
    table = trial.compare().table
    shown = table[table["measure"] == "option_use"].set_index(["side", "group"])["value"]
    options = {option for _, option in means}
    assert {group for _, group in shown.index} == options
    for option in options:
        assert shown["before", option] == pytest.approx(means["r4", option])
        assert shown["now", option] == pytest.approx(means["r3", option])
        assert shown["change", option] == pytest.approx(means["r3", option] - means["r4", option])


def test_a_sensitivity_analysis_aims_at_options(run, folder, tmp_path):
    """A step to three rounds takes the field of Krzyżacy from everybody."""
    data = {**KEYS, "variants": [str(folder / "r4.toml")], "games": GAMES, "log": "rounds"}
    found = find_effects(Sensitivity(make_experiment(data), ("rounds",), ("option_use",)), tmp_path)
    means = values_of(option_means(run))
    down = found.table[found.table["step"] == "4 → 3"].set_index("group")
    assert down.loc["krzyzacy", "effect"] == pytest.approx(-means["r4", "krzyzacy"])
    assert down.loc["krzyzacy", "high"] < 0 and down.loc["krzyzacy", "size"] > 0
    assert down.loc["ducats", "baseline"] == pytest.approx(means["r4", "ducats"])


@pytest.mark.slow
def test_tune_aims_at_options(folder, tmp_path):
    """To keep Krzyżacy out, a game of four rounds must lose one or more."""
    experiment = f"""
        game = "na-grunwald"
        players = [3]
        variants = ["{folder / "r4.toml"}"]
        strategies = ["generalist", "random"]
        games = 300
        seed = 4
        [[targets]]
        measure = "option_use"
        groups = ["krzyzacy"]
        most = 5
        [tune]
        keys = ["rounds"]
        games = 10_000
    """
    (tmp_path / "tune.toml").write_text(experiment, encoding="utf-8")
    found = play_tuning(read_tuning(tmp_path / "tune.toml"), tmp_path / "study")
    assert dict(found.finalists[0])["rounds"] <= 3
    assert found.verdict_of(found.names[0]) == "pass"


def test_a_game_that_lists_no_options_says_so(tmp_path):
    asked = Tried("examples/known/pig", "base", (2,), ("random",), 40, measures=("option_use",))
    with pytest.raises(BalanceError, match=r"measure 'option_use': .* lists no options"):
        open_trial(asked, workers=1)


def test_a_trial_may_show_nothing_but_the_table():
    """Its only measure is one of followed games."""
    trial = open_trial(Tried("na-grunwald", "base", (2,), ("champion",), 400, measures=("longest_wait",)), workers=1)
    assert "longest_wait" in {*trial.compare().table["measure"]}


OWN = """
from pydantic import Field

from balance.plain import PlainGame, RuleSet


class Rules(RuleSet):
    more: int = Field(default=0, ge=0, le=2, description="Further ways to bid")


class State:
    def __init__(self, rules, players):
        self.rules, self.players, self.seat, self.round, self.points = rules, players, 0, 1, [0] * players


class Own(PlainGame):
    title = "Own"
    players = (2,)
    Rules = Rules
    OPTIONS = {"pass": "pass", "bid": "any bid", "bid high": "high bid", "steal": "steal"}

    def setup(self, rules, players, chance):
        return State(rules, players)

    def actions(self, state):
        return ["pass", "bid high", *(f"bid {number}" for number in range(1 + state.rules.more))]

    def apply(self, state, action, chance):
        state.points[state.seat] += chance.randint(0, 4)
        state.seat = 1 - state.seat
        state.round += state.seat == 0

    def over(self, state):
        return state.round > 1

    def scores(self, state):
        return state.points
"""


def test_a_game_of_ones_own_has_options_that_are_used_as_planted(tmp_path):
    """One choice of three, then of four actions at random: each is used by a third of the seats, then by a quarter.

    If two options fit an action, the longer one counts. No player steals.
    """
    own = tmp_path / "own"
    (own / "variants").mkdir(parents=True)
    (own / "game.py").write_text(OWN, encoding="utf-8")
    (own / "variants" / "base.toml").write_text('title = "Own"\ndescription = "As it is."\n', encoding="utf-8")
    asked = Tried(str(own), "base", (2,), ("random",), 1_000, measures=("option_use",))
    trial = open_trial(asked, workers=1)
    trial.change("more = 1")
    found = trial.compare().table
    found = found[found["measure"] == "option_use"].set_index(["side", "group"])
    for option, before, now in (
        ("pass", 1 / 3, 1 / 4),
        ("bid", 1 / 3, 1 / 2),
        ("bid high", 1 / 3, 1 / 4),
        ("steal", 0, 0),
    ):
        for side, truth in (("before", before), ("now", now), ("change", now - before)):
            row = found.loc[side, option]
            assert row["low"] <= 100 * truth <= row["high"], (side, option)
    run = RunFolder.open(
        play(tmp_path / "run", game=str(own), players=[2], strategies=["random"], games=200, log="trace")
    )
    write_report([run], tmp_path / "report")
    page = (tmp_path / "report" / "report.md").read_text(encoding="utf-8")
    assert "dead steal 0.0" in page


def test_options_that_are_no_text_are_one_line(tmp_path):
    own = tmp_path / "own"
    (own / "variants").mkdir(parents=True)
    (own / "game.py").write_text(OWN.replace('"steal": "steal"', '7: "steal"'), encoding="utf-8")
    (own / "variants" / "base.toml").write_text('title = "Own"\ndescription = "As it is."\n', encoding="utf-8")
    with pytest.raises(BalanceError, match="OPTIONS: an option and its name are text, not 7"):
        open_trial(Tried(str(own), "base", (2,), ("random",), 40), workers=1)
