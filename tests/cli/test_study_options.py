"""The settings of a study are its options: each is declared once."""

import click
import pytest

from balance.cli.options import rules_played, settings_of
from balance.studies.settings import Restricted, RulesPlayed, StrengthCurve


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
        (
            "--forbid card=eagle --forbid step --strategy expert --adapt 10000 --threshold 0.5",
            Restricted(
                "polska", "base", (), ("card=eagle", "step"), "expert", adapt=10_000, threshold=0.5
            ),
        ),
    ],
)  # fmt: skip
def test_options_make_the_settings(given: str, asked: RulesPlayed):
    caught = []

    @click.command()
    @rules_played()
    @settings_of(type(asked))
    def command(asked: RulesPlayed) -> None:
        caught.append(asked)

    command.main(["--game", "polska", *given.split()], standalone_mode=False)
    assert caught == [asked]


@pytest.mark.parametrize("wrong", ["--games 99", "--threshold 51", "--seed -1", "--adapt many"])
def test_a_setting_has_limits(wrong: str):
    command = click.command()(rules_played()(settings_of(Restricted)(lambda asked: None)))
    with pytest.raises(click.BadParameter) as refused:
        command.main(["--game", "polska", *wrong.split()], standalone_mode=False)
    assert refused.value.param.opts == [wrong.split()[0]]
