"""`balance train value`: a searcher plays with the file; mistakes give one line."""

from __future__ import annotations

import tomllib

import pytest


@pytest.mark.slow
def test_a_value_is_fitted_and_played_with(cli, tmp_path):
    """One seed gives the same value twice; the file records its origin."""
    for name in ("one", "two"):
        result = cli(
            "train", "value", "--game", "na-grunwald", "--players", "2,3",
            "--strategies", "generalist,treasurer,random",
            "--games", 60, "--seed", 3, "--out", tmp_path / f"{name}.toml", status=0,
        )  # fmt: skip
        assert "2 players: Brier score" in result.output
    one, two = (tomllib.loads((tmp_path / f"{name}.toml").read_text()) for name in ("one", "two"))
    assert one["weights"] == two["weights"]
    assert one["training"]["games"] == 60
    assert one["training"]["strategies"] == "generalist, treasurer, random"
    (tmp_path / "mine.toml").write_text('kind = "search"\niterations = 5\nvalue = "one.toml"\n')
    cli(
        "run", "--game", "na-grunwald", "--players", 2, "--strategies", f"{tmp_path / 'mine.toml'},generalist",
        "--games", 8, "--out", tmp_path / "run", "--quiet", status=0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"--game": "chess"}, "unknown game 'chess'"),
        ({"--players": "7"}, "unknown player count '7'"),
        ({"--strategies": "generalst"}, "did you mean 'generalist'"),
        ({"--variant": "bas"}, "did you mean 'base'"),
        ({"--games": "5"}, "5 is not in the range"),
    ],
)
def test_mistakes(change, words, cli, tmp_path):
    """Nothing is written."""
    given = {
        "--game": "na-grunwald",
        "--strategies": "generalist",
        "--games": "20",
        "--out": tmp_path / "v.toml",
    }
    given.update(change)
    result = cli("train", "value", *[each for pair in given.items() for each in pair], "--quiet")
    assert result.exit_code in (1, 2)
    assert words in result.output
    assert "Traceback" not in result.output
    assert not (tmp_path / "v.toml").exists()
