"""The wheel: it has every file that the package reads, and works without a clone."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("balance", "data", "LICENSE", "README.md", "pyproject.toml", "setup.py")

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the sources with the project's own build."""
    clone, out = tmp_path_factory.mktemp("clone"), tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, clone / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, clone)
    command = [sys.executable, "-m", "pip", "wheel", str(clone), "--no-deps", "--no-build-isolation"]
    done = subprocess.run([*command, "--wheel-dir", str(out)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    (found,) = out.glob("game_balance-*.whl")
    return found


def test_every_file_of_the_package_is_in_the_wheel(wheel):
    """Modules, TOML of all games, templates and the typing marker are there."""
    files = set(zipfile.ZipFile(wheel).namelist())
    here = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "balance").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert here <= files
    for kind in ("/variants/base.toml", "/profiles/generalist.toml", "/templates/report.html.jinja", "/py.typed"):
        assert any(name.endswith(kind) for name in here), kind


def test_the_examples_are_in_the_wheel_and_nothing_else_is(wheel):
    """Apart from the package and the files of installers, it has only the experiments."""
    files = zipfile.ZipFile(wheel).namelist()
    shipped = {f"balance/experiments/shipped/{path.name}" for path in (ROOT / "data" / "experiments").iterdir()}
    assert {name for name in files if name.startswith("balance/experiments/shipped/")} == shipped
    assert {name.split("/")[0].partition("-")[0] for name in files} == {"balance", "game_balance"}


def test_the_wheel_works_with_no_clone_near(wheel, tmp_path):
    """It finds its games and examples, and the command has its name."""
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (entry,) = site.glob("game_balance-*.dist-info/entry_points.txt")
    assert "balance = balance.__main__:main" in entry.read_text(encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(site)}

    def call(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert str(site) in call("-c", "import balance; print(balance.__file__)")
    assert "na-grunwald" in call("-m", "balance", "games")
    call("-m", "balance", "examples", "mine")
    copied = sorted(path.name for path in (tmp_path / "mine").iterdir())
    assert copied == sorted(path.name for path in (ROOT / "data" / "experiments").iterdir())
