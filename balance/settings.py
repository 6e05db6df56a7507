"""TOML files found and checked against pydantic models; a mistake is one line that names file and key."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from balance.errors import BalanceError, unknown

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
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BalanceError(f"no such file: {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BalanceError(f"cannot read {path}: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise BalanceError(f"{path}: not valid TOML: {error}") from None


def is_path(name: str, suffix: str = ".toml") -> bool:
    """Whether a name means a file of the user's, and not one that ships."""
    return name.endswith(suffix) or "/" in name or "\\" in name


def find_file(name: str, shipped: Path, folder: Path, suffix: str = ".toml") -> Path | None:
    """The file that `name` means, or None.

    A name with a slash or the suffix is a path, relative to `folder`; anything else is the stem of
    a file in `shipped`.
    """
    if is_path(name, suffix):
        path = (folder / Path(name).expanduser()).resolve()
    else:
        path = shipped / f"{name}{suffix}"
    return path if path.is_file() else None


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
    shown = f", got {got!r}" if isinstance(got, (str, int, float)) else ""
    if first["type"] == "missing":
        message, shown = "this key is required", ""
    key = f"{'.'.join(path)}: " if path else ""
    return BalanceError(f"{where}: {key}{message}{shown}{more}")


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
