"""TOML: find files, check them against pydantic models with one-line errors, and write keys and values."""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from balance.foundation.errors import BalanceError, unknown
from balance.foundation.files import check_key_lengths, check_values, exists, read_text, reason, resolve_path, too_deep
from balance.foundation.language import N_, tr, trn

_MOST_BYTES = 1_000_000  # of TOML; parsing a megabyte takes seconds
_MOST_SHOWN = 80  # characters of a wrong value
_BARE = re.compile(r"[\w-]+", re.ASCII)
Model = TypeVar("Model", bound=BaseModel)


class Settings(BaseModel):
    """Base of every model read from TOML: frozen, strict types, no unknown keys, finite numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the keys, which the reader checks again: the class of a nested table may have no name."""
        return type(self).model_validate, (self.model_dump(by_alias=True, exclude_unset=True),)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file."""
    return parse_toml(read_text(path, _MOST_BYTES), str(path))


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Return the keys and values of TOML."""
    check_key_lengths(text, where)
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise too_deep(where) from None
    except ValueError as error:  # from TOML, or from a number with too many digits
        problem = reason(error).partition(";")[0]
        raise BalanceError(tr("{where}: not valid TOML: {why}", where=where, why=problem)) from None
    check_values(data, where)
    return data


def write_key(path: Iterable[str]) -> str:
    """Return a dotted key in TOML; parts that are not bare words are quoted."""
    return ".".join(part if _BARE.fullmatch(part) else _text(part) for part in path)


def write_value(value: Any) -> str:
    """Return a table, list, text, number or boolean as TOML on one line."""
    if isinstance(value, dict):
        pairs = (f"{write_key([key])} = {write_value(each)}" for key, each in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(write_value, value))}]"
    return _text(value)


def _text(value: Any) -> str:
    # TOML refuses the raw character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


KeyPath = tuple[str, ...]
"""A dotted key, split into its parts."""


def list_leaves(table: Mapping[str, Any]) -> Iterator[tuple[KeyPath, Any]]:
    """Yield the values of nested tables by their keys."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from (((key, *rest), leaf) for rest, leaf in list_leaves(value))
        else:
            yield (key,), value


def is_path(name: str) -> bool:
    """Return whether a name is the path of a user's file, not a shipped name."""
    return name.endswith(".toml") or "/" in name or "\\" in name


def find_file(name: str, shipped: Path, folder: Path) -> Path | None:
    """Return the file that `name` refers to, or None.

    A name with a slash or ``.toml`` is a path, relative to `folder`; anything else is the stem of a file in `shipped`.
    """
    path = resolve_path(name, folder) if is_path(name) else shipped / f"{name}.toml"
    return path if exists(path) else None


def locate(what: str, name: str, shipped: Path, folder: Path, where: str = "") -> Path:
    """Return the file that `name` refers to, as `find_file`; an error lists the shipped names."""
    path = find_file(name, shipped, folder)
    if path is None:
        raise unknown_file(what, name, [found.stem for found in shipped.glob("*.toml")], folder, where)
    return path


def read_layers(path: Path, what: str, shipped: Path) -> list[tuple[Path, dict[str, Any]]]:
    """Return a TOML file and all files that it extends, the most basic first, each with its keys except ``extends``.

    ``extends`` is the name of a file in `shipped` or a path relative to the file that contains it.
    """
    layers: list[tuple[Path, dict[str, Any]]] = []
    current: Path | None = path
    while current is not None:
        chain = [origin for origin, _ in layers]
        if current in chain:
            names = " -> ".join(p.name for p in [*chain, current])
            raise BalanceError(tr("{path}: a file can't extend itself ({names})", path=path, names=names))
        layer = read_toml(current)
        parent = layer.pop("extends", None)
        if parent is not None and not isinstance(parent, str):
            raise BalanceError(
                tr("{path}: extends: must be the name or path of another {what}", path=current, what=tr(what))
            )
        layers.append((current, layer))
        current = locate(what, parent, shipped, current.parent, str(current)) if parent else None
    return layers[::-1]


def merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` overridden by `changes`, table by table; neither is modified."""
    merged = copy.deepcopy(dict(base))
    for key, value in changes.items():
        old = merged.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            merged[key] = merge(old, value)
        else:
            merged[key] = copy.deepcopy(value)
    return merged


def unknown_file(what: str, name: str, known: Iterable[str], folder: Path, where: str = "") -> BalanceError:
    """Return the error for a name that no shipped file has, or for a path without a file.

    If the name matches a user's file without its ending, the error suggests the ending.
    """
    if is_path(name):
        missing = tr("no such file: {path} (a {what})", path=resolve_path(name, folder), what=tr(what))
        return BalanceError(f"{where}: {missing}" if where else missing)
    if exists(folder / f"{name}.toml"):
        own = tr(
            "unknown {what} {name!r}; to use your own file, add the ending: {file}",
            what=tr(what), name=name, file=f"{name}.toml",
        )  # fmt: skip
        return BalanceError(f"{where}: {own}" if where else own)
    return unknown(what, name, known, where)


def validate(model: type[Model], data: Mapping[str, Any], where: str) -> Model:
    """Check `data` against `model`."""
    try:
        return model.model_validate(dict(data))
    except ValidationError as error:
        raise _one_line(error, model, data, where) from None


def _one_line(error: ValidationError, model: type[BaseModel], data: Mapping[str, Any], where: str) -> BalanceError:
    # A misspelt key is also a missing key: report the misspelling.
    found = error.errors(include_url=False)
    first = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
    path = _shown_path(first, data)
    for each in found:  # among the alternatives of a type, report the error deepest in the value
        place = _shown_path(each, data)
        if len(place) > len(path) and place[: len(path)] == path:
            first, path = each, place
    places = [_shown_path(each, data) for each in found]
    others = {tuple(place) for place in places if place != path[: len(place)]}
    more = trn(" (and {n} more)", " (and {n} more)", len(others)) if others else ""
    if first["type"] == "extra_forbidden":
        *table, _ = path
        known = [".".join([*table, key]) for key in _known_keys(model, first["loc"])]
        return unknown("key", ".".join(path), known, where)
    message, got = _explain(first), first["input"]
    if isinstance(got, (str, int, float)) and first["type"] != "missing":
        message = tr("{problem}, got {value}", problem=message, value=_short(got))
    key = f"{'.'.join(path)}: " if path else ""
    return BalanceError(f"{where}: {key}{message}{more}")


_MESSAGES = {
    "missing": N_("this key is required"),
    "model_type": N_("must be a table of keys and values"),  # pydantic would name the class
    "bool_type": N_("must be true or false"),
    "dict_type": N_("must be a table of keys and values"),
    "finite_number": N_("must be a finite number"),
    "float_type": N_("must be a number"),
    "greater_than": N_("must be more than {gt}"),
    "greater_than_equal": N_("must be at least {ge}"),
    "int_from_float": N_("must be a whole number"),
    "int_type": N_("must be a whole number"),
    "less_than": N_("must be less than {lt}"),
    "less_than_equal": N_("must be at most {le}"),
    "list_type": N_("must be a list"),
    "literal_error": N_("must be one of {expected}"),
    "string_pattern_mismatch": N_("must fit the pattern {pattern}"),
    "string_too_long": N_("must have at most {max_length} characters"),
    "string_too_short": N_("must have at least {min_length} characters"),
    "string_type": N_("must be a text in quotes"),
    "too_long": N_("must have at most {max_length} entries, and has {actual_length}"),
    "too_short": N_("must have at least {min_length} entries, and has {actual_length}"),
    "tuple_type": N_("must be a list"),
}
"""What is wrong, by pydantic's kind of error; its own words for all others."""


def _explain(error: ErrorDetails) -> str:
    """Return what is wrong with a value; pydantic shows what a validator raised after "Value error, "."""
    message = _MESSAGES.get(error["type"])
    if message is None:
        return error["msg"].removeprefix("Value error, ")
    limits = {
        name: f"{value:,}" if isinstance(value, int) else str(value) for name, value in error.get("ctx", {}).items()
    }
    limits["expected"] = limits.get("expected", "").replace(" or ", ", ")
    return tr(message, **limits)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def _shown_path(error: ErrorDetails, data: Any) -> list[str]:
    """Return the place of a mistake as in the user's file; entries of lists by `id` or `name`, or else by number.

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
    """Return the `id` or `name` of a list entry as TOML; "" if it has none or a long one."""
    names = [entry.get(key) for key in ("id", "name")] if isinstance(entry, Mapping) else []
    name = next((name for name in names if isinstance(name, str)), "")
    return write_key([name]) if 0 < len(name) <= _MOST_SHOWN else ""


def _known_keys(model: type[BaseModel], place: Sequence[int | str]) -> list[str]:
    """Return the keys that are allowed in place of the last part of `place`."""
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
