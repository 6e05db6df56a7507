"""The settings of a study are its options: each is declared once."""

import click
import pytest

from balance.cli.options import rules_played, settings_of
from balance.experiments.settings import RulesPlayed
from balance.studies.settings import Restricted, Steps, StrengthCurve, Tried, TuneLimits


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("", StrengthCurve("polska", "base", ())),
        (
            "--variant mine.toml --players 2,3 --levels random,champion@loss=0.3 --search-games 200 --top 50 --seed 7",
            StrengthCurve(
                "polska", "mine.toml", (2, 3), ("random", "champion@loss=0.3"), search_games=200, top=50, seed=7
            ),
        ),
        ("", Restricted("polska", "base", ())),
        ("", Tried("polska", "base", ())),
        (
            "--set dice=7 --set steps.2=3 --measure minutes --games 8",
            Tried("polska", "base", (), (), 8, ("dice=7", "steps.2=3"), ("minutes",)),
        ),
        (
            "--forbid card=eagle --forbid step --strategy expert --adapt 10000 --threshold 0.5",
            Restricted("polska", "base", (), ("card=eagle", "step"), "expert", adapt=10_000, threshold=0.5),
        ),
    ],
)
def test_options_make_the_settings(given: str, asked: RulesPlayed):
    caught = []

    @click.command()
    @rules_played()
    @settings_of(type(asked))
    def command(asked: RulesPlayed) -> None:
        caught.append(asked)

    command.main(["--game", "polska", *given.split()], standalone_mode=False)
    assert caught == [asked]


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("", Steps()),
        ("--keys start.*,dice --tier quick --games 100 --seed 3", Steps(("start.*", "dice"), (), "quick", 100, (), 3)),
        ("", TuneLimits()),
        ("--changes 2 --scale 0.001", TuneLimits(None, 2, 0.001)),
    ],
)
def test_options_replace_keys_of_an_experiment(given: str, asked: Steps | TuneLimits):
    caught = []
    command = click.command()(settings_of(type(asked))(lambda asked: caught.append(asked)))
    command.main(given.split(), standalone_mode=False)
    assert caught == [asked]


def test_a_limit_may_be_excluded():
    command = click.command()(settings_of(TuneLimits)(lambda asked: None))
    with pytest.raises(click.BadParameter, match="range 0<x<=1000"):
        command.main(["--scale", "0"], standalone_mode=False)


@pytest.mark.parametrize("wrong", ["--games 99", "--threshold 51", "--seed -1", "--adapt many"])
def test_a_setting_has_limits(wrong: str):
    command = click.command()(rules_played()(settings_of(Restricted)(lambda asked: None)))
    with pytest.raises(click.BadParameter) as refused:
        command.main(["--game", "polska", *wrong.split()], standalone_mode=False)
    assert refused.value.param.opts == [wrong.split()[0]]
