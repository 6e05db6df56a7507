"""Tests reach the package by public names, so that the inside of a module can change without them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OF_NAMED_TUPLES = {"_replace", "_asdict", "_fields", "_make"}

REPLACING = {"setattr", "getattr", "delattr", "patch"}


def private(name: object) -> bool:
    return isinstance(name, str) and bool(re.fullmatch(r"_[A-Za-z]\w*[^_]", name))


def private_names(tree: ast.AST) -> Iterator[str]:
    """Yield the private names that a module imports, reaches as attributes, or replaces (`setattr`)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (each.name for each in node.names if private(each.name))
        elif isinstance(node, ast.Attribute) and private(node.attr):
            if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
                yield node.attr
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in REPLACING:
            texts = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            yield from (part for text in texts for part in text.split(".") if private(part))


def defined_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def read(folder: str) -> Iterator[tuple[Path, ast.AST]]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def test_tests_use_no_private_name_of_the_package():
    ours = {name for _, tree in read("balance") for name in defined_names(tree) if private(name)} - OF_NAMED_TUPLES
    assert len(ours) > 1000
    found = [f"{path.relative_to(ROOT)}: {name}" for path, tree in read("tests") for name in private_names(tree)]
    assert [each for each in found if each.split(": ")[1] in ours] == []
