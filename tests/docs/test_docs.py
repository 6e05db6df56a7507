"""Documentation that matches the code: every example of every page is run."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from balance.cli.commands import main
from balance.contract import game as game_module
from balance.contract.game import find_games
from balance.experiments.experiment import read_experiment
from balance.experiments.planning import make_plan
from balance.games.na_grunwald.rules.decks import EFFECTS

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))
NO_EXAMPLES = ("commands", "decisions", "gallery", "glossary", "index", "speed")


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the work of `pip install -e .` for a folder with entry points, without the network."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [
        line
        for group, entries in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in entries.items()))
    ]
    info = folder / f"{project['name']}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
    game_module.find_installed.cache_clear()


def run_python(title: str) -> None:
    """Run a script, or a test with pytest; a module of a package is run by the code that uses it."""
    if "/" not in title:
        tool = ["-m", "pytest", "-q", "-p", "no:cacheprovider"] if title.startswith("test_") else []
        subprocess.run([sys.executable, *tool, title], check=True)


def plain(text: str) -> str:
    """Return text without the lines of tables, and with single spaces."""
    return " ".join(re.sub(r"[│┃]", " ", text).split())


def run_console(commands: str) -> str:
    """Run the commands of a block; return their output and the reports that they write."""
    printed = ""
    for line in commands.strip().splitlines():
        words = shlex.split(line.removeprefix("$ "))
        assert words[0] == "balance"
        result = CliRunner().invoke(main, words[1:])
        assert result.exit_code == 0, result.output
        printed += result.output
        if words[1] == "report":
            printed += Path(words[words.index("--out") + 1], "report.md").read_text(encoding="utf-8")
    return printed


# Pages whose examples take half a minute and more.
LONG = (
    "installing",
    "reading",
    "experiments",
    "games",
    "questions",
    "searchers",
    "tuning",
    "strength",
    "networks",
    "bots",
    "decks",
    "cluster",
    "envs",
    "live",
    "own-game",
    "strategies",
    "variants",
)


def blocks_of(page: Path) -> list[tuple[str, str, str]]:
    """Return language, title and text of the code blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return re.findall(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```", text, re.S | re.M)


def install_examples(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install copies of the packages in `examples/` of which a page has excerpts, and run their tests."""
    titles = {title for _, title, _ in blocks_of(page) if title.startswith("examples/")}
    for name in sorted({title.split("/")[1] for title in titles}):
        if (ROOT / "examples" / name / "pyproject.toml").exists():
            copied = shutil.copytree(ROOT / "examples" / name, folder / name)
            install(copied, monkeypatch)
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
            subprocess.run(command, check=True, cwd=copied)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_excerpts_are_in_their_files(page):
    """A block whose title is a file of `examples/` is a part of it."""
    for _, title, text in blocks_of(page):
        if title.startswith("examples/"):
            assert text in (ROOT / title).read_text(encoding="utf-8"), f"{title} has no {text}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[pytest.mark.long] * (page.stem in LONG), id=page.stem) for page in PAGES]
)
def test_examples_of_a_page_work(page, tmp_path, monkeypatch):
    """Files are written and commands run in the order of the page; each cell of an answer is printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    blocks = [block for block in blocks_of(page) if not block[1].startswith("examples/")]
    install_examples(page, tmp_path, monkeypatch)
    assert bool(blocks) != (page.stem in NO_EXAMPLES)
    printed = ""
    for _, title, text in blocks:
        if title:
            (tmp_path / title).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / title).write_text(text, encoding="utf-8")
    if (tmp_path / "pyproject.toml").exists():
        install(tmp_path, monkeypatch)
    for language, title, text in blocks:
        if title and language == "python":
            run_python(title)
        if language == "console":
            printed = plain(run_console(text))
        if language == "text":
            for cell in re.split(r"\n|\s{2,}", text.strip()):
                assert cell in printed, f"{cell!r} is not in: {printed}"
    game_module.find_installed.cache_clear()


def test_links_between_pages_lead_somewhere():
    """Relative links of README and docs lead to files."""
    for page in [*ROOT.glob("*.md"), *PAGES]:
        text = re.sub(r"`[^`\n]*`", "", page.read_text(encoding="utf-8"))  # `Literal[str](1)` is no link
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("name", find_games())
def test_every_feature_and_variant_key_is_documented(name):
    """The tables of strategies.md and variants.md are complete."""
    game = find_games()[name]
    strategies = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")
    for name in (*game.heuristics.FEATURES, *game.heuristics.SETTINGS):
        assert f"`{name}`" in strategies
    variants = (ROOT / "docs" / "variants.md").read_text(encoding="utf-8")
    for key, field in game.rules.Rules.model_fields.items():
        assert f"`{field.alias or key}" in variants or key in ("title", "description")


def test_every_effect_of_an_event_is_documented():
    """The table of decks.md is complete."""
    decks = (ROOT / "docs" / "decks.md").read_text(encoding="utf-8")
    for effect in EFFECTS:
        assert f"`{effect}`" in decks


@pytest.mark.parametrize(
    "command",
    [
        *("", "games", "examples", "run", "verify", "report", "compare", "check", "plan", "replay"),
        *("ladder", "curve", "sensitivity", "tune", "restrict", "exploit", "new", "try", "live", "warm"),
        "test-game",
    ],
)
def test_every_command_shows_an_example(command):
    result = CliRunner().invoke(main, [*command.split(), "--help"])
    assert result.exit_code == 0
    assert re.search(r"Examples?:\n  +balance", result.output)


README_PAGES = pytest.mark.parametrize("page", ["README.md", "README.pl.md"])


@README_PAGES
def test_a_readme_is_read_to_the_end(page):
    """It has at most 700 words, without addresses and tags."""
    text = (ROOT / page).read_text(encoding="utf-8")
    assert len(re.sub(r"<[^>]*>|\]\([^)]*\)", "", text).split()) <= 700


@README_PAGES
def test_figures_of_a_readme_are_those_of_a_page(page):
    """A figure with its interval stands on a page of `docs/`, which says how it was measured."""
    pages = "\n".join(each.read_text(encoding="utf-8") for each in (ROOT / "docs").glob("*.md"))
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(r"(\d+[.,]\d)\s(?:%\s)?(?:partii\s)?\((\d+[.,]\d)(?:\sto\s|–)(\d+[.,]\d)[,)]", text)
    assert len(found) >= 2
    for figures in found:
        share, low, high = (each.replace(",", ".") for each in figures)
        assert f"{share} ({low} to {high})" in pages


def test_readme_names_every_make_target():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in ("report", "notebooks", "docs", "quick", "test", "bench"):
        assert f"make {target}" in readme


@pytest.mark.parametrize("path", sorted((ROOT / "data" / "experiments").glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_experiments_are_right(path):
    assert make_plan(read_experiment(path), path.parent, str(path)).cells
