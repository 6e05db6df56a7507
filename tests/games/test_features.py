"""The name and the meaning of a feature stand next to its formula, so that who reads one sees the other."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from balance.contract.game import get_game

NEAR = 90  # lines: a table of features and the functions that fill it
NAMES = ["na-grunwald", "polska", "grody", "korona-piastow"]


def tables(module: ast.Module) -> Iterator[list[tuple[str, int]]]:
    """Yield the features of each table, with their lines."""
    for node in module.body:
        of_features = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) != "SETTINGS"
        if of_features and isinstance(node.value, ast.Dict):
            features = [(key.value, key.lineno) for key in node.value.keys if isinstance(key, ast.Constant)]
            yield [(name, line) for name, line in features if isinstance(name, str)]


def far_away(file: Path) -> list[str]:
    """Return the features of a file that no formula near them names.

    A feature that is written by its place after another one, such as `second` after `first`, is named by it.
    """
    module = ast.parse(file.read_text(encoding="utf-8"))
    read = [node for node in ast.walk(module) if isinstance(node, ast.Attribute)]
    found = []
    for table in tables(module):
        named = ""
        for name, line in table:
            lines = [node.lineno for node in read if node.attr.rstrip("_") == name]
            if lines:
                named = name
            if not named or (lines and min(abs(each - line) for each in lines) > NEAR):
                found.append(f"{file.name}: {name}")
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_feature_is_declared_next_to_its_formula(name):
    """Of profiles, values and networks alike."""
    files = sorted((get_game(name).folder / "heuristics").glob("*.py"))
    assert [feature for file in files for feature in far_away(file)] == []
