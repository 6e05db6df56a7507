"""`balance replay`: a game by number or kind; mistakes give one line."""

import pytest


@pytest.mark.parametrize("kind", ["closest", "comeback", "upset", "typical"])
def test_a_game_of_a_kind_is_chosen_and_told(traced_run, cli, kind):
    """Lines of at most 80 columns say which game and why; then the game follows, as by its number."""
    told = cli("replay", traced_run, kind, "--variant", "krzyzacy-hard", "--players", "2,3,4", status=0)
    assert told.output.startswith(f"{kind}: game ")
    game = cli("replay", traced_run, told.output.split()[2].rstrip(",")).output
    assert told.output.endswith(f"\n{game}")
    why = told.output.removesuffix(game)
    assert "krzyzacy-hard" in why
    assert why.count("\n") > 1 and max(map(len, why.splitlines())) <= 80


def test_labels_stay_labels(traced_run, cli):
    """The output for programs has no line about the choice."""
    told = cli("replay", traced_run, "closest", "--labels")
    assert told.stdout.startswith("step\tround")
    assert told.stderr.startswith("closest: game ")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["closset"], 2, "'closset' is neither a game number nor one of closest, comeback, upset, typical"),
        (["closest", "--variant", "krzyzacy-har"], 1, "did you mean 'krzyzacy-hard'?"),
        (["closest", "--players", "5"], 1, "no games with 5 players (there are: 2, 3, 4)"),
        (["closest", "--tier", "x"], 1, "unknown tier 'x'"),
        (["3", "--variant", "base"], 2, "--variant applies to a kind of game"),
        (["999999"], 1, "has no game 999999; games are 0 to 23, 100000000 to 100000023"),
        (["-1"], 2, "No such option"),
    ],
)
def test_bad_input(traced_run, cli, arguments, status, words):
    result = cli("replay", traced_run, *arguments, status=status)
    assert words in result.output
    assert "Traceback" not in result.output


def test_kinds_of_help_are_those_that_are_found():
    """Help names the kinds without importing the code that finds them."""
    from balance.analysis.notable import KINDS
    from balance.cli import replay

    assert tuple(KINDS) == replay.KINDS
    for kind in KINDS:
        assert f"      {kind}" in replay.replay.help
