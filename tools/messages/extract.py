"""Finds all messages in the source: marked ones (`balance.foundation.language`), and texts that are declared.

Declared texts are those that a dataclass, a model or a TOML file gives to pages: DECLARED, TABLES and KEYS say where.
"""

from __future__ import annotations

import ast
import difflib
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Kept
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from balance.foundation.language import messages_of_script

_ALIKE = 0.8  # of two messages, the newer of which replaces the older one
MARKED = ("tr", "N_", "tr_html")
DECLARED: dict[str, tuple[int | str, ...]] = {
    "Measure": (1, 3, "label", "unit", "meaning"),
    "_game": (1, 3, 4, "label", "unit", "meaning"),
    "Choice": (1, "label"),
    "Component": (0, 1, "name", "family"),
    "OptionSet": (0, "name"),
    "Style": (0, 3, "what", "gist"),
    "Restriction": ("title",),
    "Field": ("description",),
    "Closeness": (3,),
    "Game": ("summary",),
    "_number": (2,),
    "_capacity": (0,),
    "_copies": (0,),
    "unknown": (0,),
    "locate": (0,),
    "read_layers": (1,),
    "unknown_file": (0,),
}
"""Calls whose arguments, by place or name, are texts for pages."""
TABLES = ("CHANCE",)
"""Module-level names in games whose values, also in nested tables, are texts for pages."""
KEYS = ("title", "description", "source")
"""Keys of TOML files that are texts for pages."""
NAMED = ("/decks/", "/events/")
"""Folders of TOML files whose key ``name`` is a text for pages too."""


class Message(NamedTuple):
    """A message with its place in the source.

    Attributes
    ----------
    many : str
        The plural form, or "".
    context : str or None
        The context of `trc`.
    """

    text: str
    file: str
    many: str = ""
    context: str | None = None


def find_messages(root: Path) -> list[Message]:
    """Return all messages of the package in the folder `root`, by file and place."""
    found: list[Message] = []
    for path in sorted((root / "balance").rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix == ".py":
            found += _in_python(path.read_text("utf-8"), name)
        elif path.suffix == ".jinja":
            found += _in_template(path.read_text("utf-8"), name)
        elif path.suffix == ".js":
            script = messages_of_script(path.read_text("utf-8"))
            found += [Message(one, name, many) for one, many in script]
        elif path.suffix == ".toml":
            found += _in_toml(tomllib.loads(path.read_text("utf-8")), name)
    return found


def make_catalogue(messages: Iterable[Message], code: str) -> Catalog:
    """Return a catalogue of these messages for a language, without translations."""
    catalogue = Catalog(locale=code, fuzzy=False)
    for message in messages:
        text = (message.text, message.many) if message.many else message.text
        catalogue.add(text, locations=[(message.file, 0)], context=message.context)
    return catalogue


def keep_translations(catalogue: Catalog, old: Catalog) -> None:
    """Copy the translations of an older catalogue.

    A new message that replaces one gets the translation of that one, marked as fuzzy: a sentence was changed, and
    its translation has to be read again.
    """
    gone = {_key(each): each for each in old if each.id and not catalogue.get(each.id, each.context)}
    for message in catalogue:
        if not message.id:
            continue
        if before := old.get(message.id, message.context):
            message.string, message.flags = before.string, message.flags | before.flags & {"fuzzy"}
        elif near := difflib.get_close_matches(_key(message), gone, n=1, cutoff=_ALIKE):
            message.string, message.flags = gone[near[0]].string, message.flags | {"fuzzy"}


def _key(message: Kept) -> str:
    """Return the text of a message; messages that count something are like no others."""
    return "\0".join(message.id) if isinstance(message.id, tuple) else message.id


def _in_python(source: str, file: str) -> Iterator[Message]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield from _in_call(node, file)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if (
                "/games/" in file
                and any(isinstance(each, ast.Name) and each.id in TABLES for each in targets)
                and node.value
            ):
                yield from (Message(text, file) for text in _values(node.value))


def _in_call(node: ast.Call, file: str) -> Iterator[Message]:
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name == "Columns" and "/games/" in file:
        yield from (Message(text, file) for text in _columns(node))
    texts = [_text(each) for each in node.args]
    if name in (*MARKED, "trn", "trc"):
        wanted = texts[:2] if name in ("trn", "trc") else texts[:1]
        if None in wanted:
            if name == "tr" and not isinstance(node.args[0], ast.JoinedStr):
                return  # a declared text is translated where it is shown
            raise ValueError(f"{file}:{node.lineno}: the message of {name} is not a plain string")
        if name == "trc":
            yield Message(texts[1], file, context=texts[0])
        else:
            yield Message(texts[0], file, texts[1] if name == "trn" else "")
    for place in DECLARED.get(name, ()):
        given = (
            [each.value for each in node.keywords if each.arg == place]
            if isinstance(place, str)
            else node.args[place : place + 1]
        )
        yield from (Message(text, file) for each in given if (text := _text(each)))


def _columns(node: ast.Call) -> Iterator[str]:
    """Yield the meanings of a game's columns, and the columns of rounds as pages show them."""
    for given in node.keywords:
        if isinstance(given.value, ast.Dict):
            yield from _values(given.value)
        for field in given.value.elts if isinstance(given.value, ast.List) else ():
            name, _, *meaning = field.elts if isinstance(field, ast.Tuple) else (None, None)
            yield from (text for each in meaning for text in _values(each))
            if given.arg == "round" and name and (text := _text(name)):
                yield text.replace("_", " ")


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _values(node: ast.expr) -> Iterator[str]:
    """Yield the texts that are values of a table, at any depth; keys are names."""
    if text := _text(node):
        yield text
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _values(value)
    elif isinstance(node, ast.Tuple | ast.List):
        for value in node.elts:
            yield from _values(value)


def _in_template(source: str, file: str) -> Iterator[Message]:
    tree = Environment().parse(source)
    for _, name, texts in extract_from_ast(tree, (*MARKED, "trn"), babel_style=False):
        texts = (texts,) if isinstance(texts, str) else texts or (None,)
        if texts[0]:
            yield Message(texts[0], file, texts[1] if name == "trn" else "")


def _in_toml(table: object, file: str) -> Iterator[Message]:
    if isinstance(table, dict):
        for key, value in table.items():
            is_text = key in KEYS or (key == "name" and any(folder in file for folder in NAMED))
            if is_text and isinstance(value, str):
                yield Message(value, file)
            else:
                yield from _in_toml(value, file)
    elif isinstance(table, list):
        for value in table:
            yield from _in_toml(value, file)
