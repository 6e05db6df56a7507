"""`balance train profile`: the profile wins more, one seed gives one result even if killed; mistakes give one line."""

from __future__ import annotations

import tomllib

import pytest

GIVEN = {
    "--game": "na-grunwald",
    "--players": "2",
    "--start": "generalist",
    "--games": "40000",
    "--seed": "3",
}


def flags(given):
    return [each for pair in given.items() for each in pair]


@pytest.mark.slow
def test_a_profile_is_trained_and_played(cli, tmp_path):
    """On held-out seeds it wins more than its start; the file records its origin, and plays."""
    out = tmp_path / "mine.toml"
    result = cli("train", "profile", *flags(GIVEN), "--out", out, status=0)
    assert "2 players: wins" in result.output
    data = tomllib.loads(out.read_text())
    assert data["training"]["start"] == "generalist"
    assert data["training"]["games"] == 40_000
    assert list(data["weights"]) == ["2"]
    assert not list(tmp_path.glob("*.diary")), "what is needed to go on is removed at the end"
    cli(
        "run", "--game", "na-grunwald", "--players", 2, "--lineup", f"{out},generalist",
        "--games", 400, "--out", tmp_path / "run", "--quiet", status=0,
    )  # fmt: skip
    none = cli(
        "run", "--game", "na-grunwald", "--players", 3, "--strategies", out, "--games", 4,
        "--out", tmp_path / "none",
    )  # fmt: skip
    assert "strategy mine: no weights for 3 players (there are: 2)" in none.output


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"--game": "chess"}, "unknown game 'chess'"),
        ({"--players": "7"}, "unknown player count '7'"),
        ({"--start": "generalst"}, "did you mean 'generalist'"),
        ({"--start": "random"}, "start: random is not a profile"),
        ({"--against": "generalst"}, "did you mean 'generalist'"),
        ({"--variant": "bas"}, "did you mean 'base'"),
        ({"--games": "5"}, "5 is not in the range"),
    ],
)
def test_mistakes(change, words, cli, tmp_path):
    """Nothing is written."""
    result = cli(
        "train", "profile", *flags({**GIVEN, **change}), "--out", tmp_path / "p.toml", "--quiet"
    )
    assert result.exit_code in (1, 2)
    assert words in result.output
    assert "Traceback" not in result.output
    assert not list(tmp_path.iterdir())


def test_a_diary_of_another_training_is_refused(cli, tmp_path):
    """The line names the remedy, because the training would give another result."""
    (tmp_path / "p.toml.2.champion-0.diary").write_text('{"games": 1}\n')
    result = cli("train", "profile", *flags(GIVEN), "--out", tmp_path / "p.toml", "--quiet", status=1)
    assert "p.toml.2.champion-0.diary: belongs to another training (changed: " in result.output
