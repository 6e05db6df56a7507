"""TOML: files found and checked against pydantic models, where a mistake is one line; keys and values written."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from balance.errors import BalanceError, unknown
from balance.files import check_values, exists, read_text, reason, resolve_path

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
        The file is missing, unreadable or not TOML.
    """
    text = read_text(path)
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise BalanceError(f"{path}: nested too deeply") from None
    except ValueError as error:  # of TOML, or of a number that has too many digits
        problem = reason(error).partition(";")[0]
        raise BalanceError(f"{path}: not valid TOML: {problem}") from None
    check_values(data, str(path))
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
    return json.dumps(value, ensure_ascii=False)


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


def unknown_file(
    what: str, name: str, known: Iterable[str], folder: Path, where: str = ""
) -> BalanceError:
    """The error for a name that no shipped file has; a file of the user's own is said by its ending."""
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
        raise _one_line(error, model, where) from None


def _one_line(error: ValidationError, model: type[BaseModel], where: str) -> BalanceError:
    # A misspelt key is also a missing one: tell of the misspelling.
    found = error.errors(include_url=False)
    first = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
    path = [str(part) for part in first["loc"]]
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    if first["type"] == "extra_forbidden":
        return unknown("key", ".".join(path), _known_keys(model, path), where)
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


def _known_keys(model: type[BaseModel], path: list[str]) -> list[str]:
    """The keys that may stand where the last part of `path` stands, as dotted paths."""
    found: type[BaseModel] = model
    for part in path[:-1]:
        fields = {field.alias or name: field for name, field in found.model_fields.items()}
        if part not in fields:
            continue  # an index into a list
        annotation = fields[part].annotation
        for candidate in (annotation, *get_args(annotation)):
            if isinstance(candidate, type) and issubclass(candidate, BaseModel):
                found = candidate
                break
    prefix = ".".join(path[:-1])
    names = [field.alias or name for name, field in found.model_fields.items()]
    return [f"{prefix}.{name}" if prefix else name for name in names]
