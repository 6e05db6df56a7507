"""The pages for contributors match the code: every name in them exists, and every quotation is in the code."""

import importlib
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance.games.na_grunwald.kernel import state as na_grunwald
from balance.games.na_grunwald.rules.ruleset import Rules

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "balance"
PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/decisions.md")
RECORDS = {"rules": na_grunwald.RULES, "state": na_grunwald.STATE, "log": na_grunwald.LOG}
SUFFIXES = ("py", "toml", "md", "jinja", "json", "yaml")
WRITTEN = ("run.json", "parts.jsonl", "FILE.toml", "FILE.py:CLASS")  # by users and runs


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", read(page), re.S | re.M)


def in_backticks(page: str) -> list[str]:
    text = re.sub(r"^```.*?^```", "", read(page), flags=re.S | re.M)
    return sorted(set(re.findall(r"`([^`\n]+)`", text)) - set(WRITTEN))


def names(page: str, pattern: str) -> list[Any]:
    return [pytest.param(page, name, id=name) for name in in_backticks(page) if re.fullmatch(pattern, name)]


PATHS = rf"[\w./*-]*/[\w./*-]*|[\w.-]+\.(?:{'|'.join(SUFFIXES)})"
PATH_CASES = [case for page in PAGES for case in names(page, PATHS)]
DOTTED = [
    case
    for page in PAGES
    for case in names(page, r"\w+(\.\w+)+")
    if not str(case.values[1]).endswith(tuple(f".{suffix}" for suffix in SUFFIXES))
]
SINGLE = [case for page in PAGES for case in names(page, r"[A-Za-z_]\w*")]


@pytest.mark.parametrize(("page", "path"), PATH_CASES)
def test_every_path_exists(page, path):
    """Paths start at the root or at `balance/`; NAME stands for every game."""
    pattern = path.rstrip("/").replace("NAME", "*")
    found = [*ROOT.glob(pattern), *PACKAGE.glob(pattern)]
    assert found, f"{page}: there is no {path}"
    if "NAME" in path:
        games = [each for each in (PACKAGE / "games").iterdir() if (each / "kernel").is_dir()]
        assert len(found) >= len(games), f"{page}: not every game has {path}"


def resolve(name: str) -> Any:
    """Return the object of a dotted name below `balance`."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(["balance", *parts[:length]]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            fields = getattr(found, "model_fields", {})
            found = fields[part] if part in fields else getattr(found, part)
        return found
    raise AttributeError(name)


def is_rule_key(name: str) -> bool:
    model: Any = Rules
    for part in name.split("."):
        fields = {field.alias or key: field for key, field in getattr(model, "model_fields", {}).items()}
        if part not in fields:
            return False
        model = fields[part].annotation
    return True


@pytest.mark.parametrize(("page", "name"), DOTTED)
def test_every_dotted_name_exists(page, name):
    """It is a module's function or class, a field of a record, or the key of a rule."""
    first, *rest = name.split(".")
    if first in RECORDS and is_field(RECORDS[first], rest):
        return
    if not is_rule_key(name):
        resolve(name)


def is_field(record: np.dtype, names: list[str]) -> bool:
    for name in names:
        if name not in (record.names or ()):
            return False
        record = record[name].base
    return True


@cache
def words_of_the_code() -> set[str]:
    files = [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.toml"), *(ROOT / "tests").rglob("*.py")]
    files += [ROOT / "pyproject.toml", ROOT / "Makefile"]
    files = [file for file in files if file != Path(__file__).resolve()]
    return {word for file in files for word in re.findall(r"\w+", file.read_text(encoding="utf-8"))}


@pytest.mark.parametrize(("page", "name"), SINGLE)
def test_every_single_name_is_in_the_code(page, name):
    """A renamed object must be renamed on the page too."""
    assert name in words_of_the_code(), f"{page}: {name}"


@pytest.mark.parametrize("page", PAGES)
def test_make_targets_exist(page):
    """It holds for `make WORD` in text and in blocks."""
    targets = re.findall(r"^([a-z]+):", read("Makefile"), re.M)
    for target in re.findall(r"(?:^|`)make ([a-z]+)", read(page), re.M):
        assert target in targets, f"{page}: make {target}"


def layers() -> list[str]:
    """Return the layers contract of `pyproject.toml`, from the top down."""
    contracts = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (found,) = (each for each in contracts if each.get("containers") == ["balance"])
    return [name.strip() for layer in found["layers"] for name in re.split(r"[|:]", layer)]


def test_the_list_of_folders_is_the_layers_contract():
    """The names have the same order, with a row for each folder of code and each module of the package."""
    listed = re.findall(r"^\| `(\w+)` \| [^|]+ \|$", read("ARCHITECTURE.md"), re.M)
    assert listed == layers()
    there = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or any(path.glob("*.py"))}
    assert there - {"__init__", "__main__", "__pycache__"} == set(listed)


@pytest.mark.parametrize("block", blocks("CONTRIBUTING.md", "python"))
def test_quotations_are_in_the_code(block):
    """The examples of style are quoted word for word."""
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    assert any(block in file.read_text(encoding="utf-8") for file in files), block
