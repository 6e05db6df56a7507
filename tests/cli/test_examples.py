"""`balance examples`: the shipped experiments, listed and copied."""

from __future__ import annotations

from pathlib import Path

from balance.experiments.experiment import read_experiment
from balance.experiments.planning import make_plan

SHIPPED = Path(__file__).resolve().parents[2] / "data" / "experiments"


def test_all_are_listed_with_what_they_are_about(cli):
    """Each has one line, from the comment at the head of the file."""
    result = cli("examples", status=0)
    for path in SHIPPED.glob("*.toml"):
        about = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        assert len(about) > 20
        assert f"{path.name}: {about}\n" in result.output


def test_copies_are_the_same_and_can_be_played(cli, tmp_path):
    """The folder is made, every copy is named, and its plan can be made at its new place."""
    folder = tmp_path / "a" / "mine"
    result = cli("examples", folder, status=0)
    assert sorted(path.name for path in folder.iterdir()) == sorted(p.name for p in SHIPPED.iterdir())
    for path in folder.iterdir():
        assert f"copied: {path}\n" in result.output
        assert path.read_bytes() == (SHIPPED / path.name).read_bytes()
        assert make_plan(read_experiment(path), folder, str(path)).cells


def test_nothing_is_written_over(cli, tmp_path):
    """If one file exists already, one line is printed and no file changes."""
    (tmp_path / "polska.toml").write_text("mine", encoding="utf-8")
    result = cli("examples", tmp_path, status=1)
    assert result.output.count("\n") == 1
    assert "polska.toml exists already; nothing was copied" in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["polska.toml"]
    assert (tmp_path / "polska.toml").read_text(encoding="utf-8") == "mine"


def test_a_folder_that_cannot_be_made(cli, tmp_path):
    """A file stands in place of the folder."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    result = cli("examples", tmp_path / "file" / "mine", status=1)
    assert "cannot write" in result.output and result.output.count("\n") == 1
