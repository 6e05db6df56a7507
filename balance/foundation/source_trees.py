"""Hashes of Python sources that follow what the code does, not its words.

Comments, docstrings, messages, what an error says and the meanings of fields can't change how a game goes. So what is
hashed is the syntax tree without them. The trees of all games take half a second, so a file keeps their hashes.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from balance.foundation.files import replace_file

_KEPT = 2000  # hashes that the file keeps
_MESSAGES = ("tr", "trn")
_SENTENCE = re.compile(r"\w \w")


def hash_trees(files: Iterable[tuple[str, Path]], package: Path, memory: Path) -> str:
    """Return a hash of the syntax trees of named Python files, in their order, as 16 hex digits.

    It is the same in every version of Python. In the folder `package` a text of several words is never data, so it is
    not hashed; in another game it may be the name of a card. A file that can't be parsed counts with its bytes.
    `memory` is the folder of the file that keeps hashes.
    """
    form = Path(__file__).read_bytes()
    kept: dict[str, str] = {}
    path = memory / "source-trees.json"
    with suppress(OSError, ValueError):
        kept = json.loads(path.read_bytes())
    before, parts = len(kept), []
    for name, file in files:
        text, own = file.read_bytes(), file.is_relative_to(package)
        key = _hash([form, text, bytes([own])])
        if key not in kept:
            kept[key] = _hash([_describe(text, own)])
        parts += [name.encode(), kept[key].encode()]
    if len(kept) > before:
        with suppress(OSError):
            memory.mkdir(parents=True, exist_ok=True)
            replace_file(path, json.dumps(dict(list(kept.items())[-_KEPT:])).encode())
    return _hash(parts)


def _hash(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()[:16]


def _describe(source: bytes, own: bool) -> bytes:
    """Return the syntax tree of a source without words, as text; without sentences if it is the package's own."""
    try:
        words = _walk(ast.parse(source))
        return "\n".join(word for word in words if not (own and _SENTENCE.search(word))).encode()
    except (SyntaxError, ValueError):
        return source


def _walk(tree: ast.Module) -> Iterator[str]:
    """Yield the types, fields and values of a tree, parents first; no empty fields: newer Pythons add some."""
    waiting: list[Any] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.AST):
            yield type(node).__name__
            for name in reversed(node._fields):
                value = getattr(node, name, None)
                if value is not None and value != []:
                    waiting += [_without_words(value), _Field(name)]
        elif isinstance(node, list):
            decisive = [_without_words(each) for each in node if not _describes(each)]
            yield str(len(decisive))
            waiting += reversed(decisive)
        else:
            yield node if isinstance(node, _Field) else repr(node)


class _Field(str):
    """The name of a field of a tree, or what stands for a message; no text of the source."""


def _describes(node: Any) -> bool:
    """Return whether a statement is a docstring or imports types alone, or an argument describes a field."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())) | ast.keyword(arg="description"):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=[]):
            return True
    return False


def _without_words(node: Any) -> Any:
    """Return what decides in a node: no message, and of an error only its class."""
    match node:
        case ast.Raise(exc=ast.Call(func=kind)):
            return kind
        case ast.Call(func=ast.Name(id=name)) if name in _MESSAGES:
            return _Field("message")
    return node
