"""TOML: files found and checked against pydantic models, where a mistake is one line; keys and values written."""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from balance.errors import BalanceError, unknown
from balance.files import (
    check_key_lengths,
    check_values,
    exists,
    read_text,
    reason,
    resolve_path,
    too_deep,
)

_MOST_BYTES = 1_000_000  # of TOML: its reader takes seconds for each
_MOST_SHOWN = 80  # letters of a wrong value
_BARE = re.compile(r"[\w-]+", re.ASCII)
Model = TypeVar("Model", bound=BaseModel)


class Settings(BaseModel):
    """Base of every model read from TOML: frozen, strict types, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises
    ------
    BalanceError
        The file is missing, unreadable or not TOML, or `check_values` refuses what it holds.
    """
    return parse_toml(read_text(path, _MOST_BYTES), str(path))


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """The keys and values of TOML.

    Raises
    ------
    BalanceError
        It is not TOML, or `check_values` refuses what it holds; names `where`.
    """
    check_key_lengths(text, where)
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise too_deep(where) from None
    except ValueError as error:  # of TOML, or of a number that has too many digits
        problem = reason(error).partition(";")[0]
        raise BalanceError(f"{where}: not valid TOML: {problem}") from None
    check_values(data, where)
    return data


def write_key(path: Iterable[str]) -> str:
    """A dotted key as TOML writes it; what is no bare word stands in quotes."""
    return ".".join(part if _BARE.fullmatch(part) else _text(part) for part in path)


def write_value(value: Any) -> str:
    """Tables, lists, texts, numbers, true and false as TOML writes them on one line."""
    if isinstance(value, dict):
        pairs = (f"{write_key([key])} = {write_value(each)}" for key, each in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(write_value, value))}]"
    return _text(value)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # which TOML refuses raw


def is_path(name: str, suffix: str = ".toml") -> bool:
    """Whether a name means a file of the user's, and not one that ships."""
    return name.endswith(suffix) or "/" in name or "\\" in name


def find_file(name: str, shipped: Path, folder: Path, suffix: str = ".toml") -> Path | None:
    """The file that `name` means, or None.

    A name with a slash or the suffix is a path, relative to `folder`; anything else is the stem of
    a file in `shipped`.
    """
    if is_path(name, suffix):
        path = resolve_path(name, folder)
    else:
        path = shipped / f"{name}{suffix}"
    return path if exists(path) else None


def locate(what: str, name: str, shipped: Path, folder: Path, where: str = "") -> Path:
    """As `find_file`, of a file that must be there.

    Raises
    ------
    BalanceError
        There is none; names `what` it was to be, and those that ship.
    """
    path = find_file(name, shipped, folder)
    if path is None:
        raise unknown_file(what, name, [found.stem for found in shipped.glob("*.toml")], folder, where)
    return path


def read_layers(path: Path, what: str, shipped: Path) -> list[tuple[Path, dict[str, Any]]]:
    """A TOML file after all that it extends, the farthest first, each with its keys but ``extends``.

    ``extends`` is the name of a file in `shipped` or a path relative to the file that says it.

    Raises
    ------
    BalanceError
        A file can't be found or read, or extends itself.
    """
    layers: list[tuple[Path, dict[str, Any]]] = []
    current: Path | None = path
    while current is not None:
        chain = [origin for origin, _ in layers]
        if current in chain:
            names = " -> ".join(p.name for p in [*chain, current])
            raise BalanceError(f"{path}: a file may not extend itself ({names})")
        layer = read_toml(current)
        parent = layer.pop("extends", None)
        if parent is not None and not isinstance(parent, str):
            raise BalanceError(f"{current}: extends: must be the name or path of another {what}")
        layers.append((current, layer))
        current = locate(what, parent, shipped, current.parent, str(current)) if parent else None
    return layers[::-1]


def merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with `changes` written over it, table by table; neither is altered."""
    merged = copy.deepcopy(dict(base))
    for key, value in changes.items():
        old = merged.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            merged[key] = merge(old, value)
        else:
            merged[key] = copy.deepcopy(value)
    return merged


def unknown_file(
    what: str, name: str, known: Iterable[str], folder: Path, where: str = ""
) -> BalanceError:
    """Return the error for a name that no shipped file has, or a path at which there is no file.

    A file of the user's that is named without its ending is proposed with it.
    """
    if is_path(name):
        missing = f"no such file: {resolve_path(name, folder)} (a {what})"
        return BalanceError(f"{where}: {missing}" if where else missing)
    if exists(folder / f"{name}.toml"):
        own = f"unknown {what} {name!r}; a file of your own is named with its ending: {name}.toml"
        return BalanceError(f"{where}: {own}" if where else own)
    return unknown(what, name, known, where)


def validate(model: type[Model], data: Mapping[str, Any], where: str) -> Model:
    """Check `data` against `model`.

    Raises
    ------
    BalanceError
        Names `where` (a file or variant), the first wrong key and what is allowed there.
    """
    try:
        return model.model_validate(dict(data))
    except ValidationError as error:
        raise _one_line(error, model, data, where) from None


def _one_line(
    error: ValidationError, model: type[BaseModel], data: Mapping[str, Any], where: str
) -> BalanceError:
    # A misspelt key is also a missing one: tell of the misspelling.
    found = error.errors(include_url=False)
    first = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
    path = _shown_path(first, data)
    for (
        each
    ) in found:  # of the alternatives of a type the one that goes furthest into the value fits best
        place = _shown_path(each, data)
        if len(place) > len(path) and place[: len(path)] == path:
            first, path = each, place
    places = [_shown_path(each, data) for each in found]
    others = {tuple(place) for place in places if place != path[: len(place)]}
    more = f" (and {len(others)} more)" if others else ""
    if first["type"] == "extra_forbidden":
        *table, _ = path
        known = [".".join([*table, key]) for key in _known_keys(model, first["loc"])]
        return unknown("key", ".".join(path), known, where)
    message = first["msg"].removeprefix("Value error, ")
    got = first["input"]
    shown = f", got {_short(got)}" if isinstance(got, (str, int, float)) else ""
    if first["type"] == "model_type":  # pydantic would name the class
        message = "must be a table of keys and values"
    if first["type"] == "missing":
        message, shown = "this key is required", ""
    key = f"{'.'.join(path)}: " if path else ""
    return BalanceError(f"{where}: {key}{message}{shown}{more}")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def _shown_path(error: ErrorDetails, data: Any) -> list[str]:
    """Where a mistake is, as a user's file has it: an entry of a list by its `id` or `name`, or else its number.

    Tags that pydantic adds for the alternatives of a type are left out.
    """
    path: list[str] = []
    for number, part in enumerate(error["loc"], 1):
        if isinstance(data, Mapping) and part in data:
            path.append(str(part))
            data = data[part]
        elif isinstance(data, (list, tuple)) and isinstance(part, int) and part < len(data):
            data = data[part]
            path.append(_name_of(data) or str(part))
        elif error["type"] == "missing" and number == len(error["loc"]):
            path.append(str(part))
    return path


def _name_of(entry: Any) -> str:
    """What an entry of a list calls itself, as TOML writes it; "" if it does not, or not in a few letters."""
    names = [entry.get(key) for key in ("id", "name")] if isinstance(entry, Mapping) else []
    name = next((name for name in names if isinstance(name, str)), "")
    return write_key([name]) if 0 < len(name) <= _MOST_SHOWN else ""


def _known_keys(model: type[BaseModel], place: Sequence[int | str]) -> list[str]:
    """The keys that may stand where the last part of `place` stands."""
    found: type[BaseModel] = model
    for part in place[:-1]:
        fields = {field.alias or name: field for name, field in found.model_fields.items()}
        if part not in fields:
            continue  # an index into a list
        annotation = fields[part].annotation
        for candidate in (annotation, *get_args(annotation)):
            if isinstance(candidate, type) and issubclass(candidate, BaseModel):
                found = candidate
                break
    return [field.alias or name for name, field in found.model_fields.items()]
