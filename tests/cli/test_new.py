"""`balance new`: a file is written, and the printed command plays it."""

from __future__ import annotations

import shlex

import pytest

import balance
from balance.cli.listing import KINDS
from balance.experiments import drafts


def test_the_kinds_are_known_to_help():
    """Help lists the kinds without importing the code that writes them."""
    assert drafts.KINDS == KINDS


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_can_be_played(kind, cli, tmp_path, monkeypatch):
    """The printed command plays it, here with fewer games."""
    monkeypatch.chdir(tmp_path)
    result = cli("new", kind, "mine", "--game", "na-grunwald", status=0)
    written, line = result.stdout.splitlines()
    (path,) = tmp_path.iterdir()
    assert written == f"written: {path.name}"
    words = shlex.split(line.removeprefix("next: balance "))
    out = words[words.index("--out") + 1] if "--out" in words else "runs/mine"
    cli(*words, "--games", 4, "--quiet", status=0)
    run = balance.open_run(tmp_path / out)
    assert set(run.games()["players"]) == {2, 3, 4}
    cell = run.games().groupby("players").size().iloc[0]
    variants = {"variant": {"base", "mine"}, "deck": {"base", "event_deck=mine.toml"}}.get(
        kind, {"base"}
    )
    assert set(run.games()["variant"]) == variants and cell == 4 * len(variants)
    if kind in ("strategy", "bot"):
        assert any("mine" in name.lower() for name in run.seats()["strategy"])


def test_a_file_that_is_there_stays(cli, tmp_path, monkeypatch):
    """A file behind a link stays too; one line reports it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text("mine")
    (tmp_path / "link.toml").symlink_to(tmp_path / "elsewhere")
    for name in ("mine", "link"):
        result = cli("new", "variant", name, "--game", "polska")
        assert (result.exit_code, result.output.count("\n")) == (1, 1)
        assert f"{name}.toml exists already" in result.output
    assert (tmp_path / "mine.toml").read_text() == "mine" and not (tmp_path / "elsewhere").exists()


def test_what_there_is_not(cli, tmp_path, monkeypatch):
    """An unknown kind or game is refused."""
    monkeypatch.chdir(tmp_path)
    assert "did you mean 'polska'" in cli("new", "variant", "mine", "--game", "poslka").output
    cli("new", "varient", "mine", "--game", "polska", status=2)


@pytest.mark.parametrize(
    ("said", "kind"), [("profile", "strategy"), ("rules", "variant"), ("events", "deck")]
)
def test_a_name_that_other_pages_have_for_a_kind(cli, tmp_path, monkeypatch, said, kind):
    """If other pages use the name for a kind, the line names the command to write."""
    monkeypatch.chdir(tmp_path)
    result = cli("new", said, "mine", "--game", "polska", status=2)
    assert f"'{said}' is called '{kind}' here: balance new {kind} NAME --game GAME" in result.output
    assert not list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())
