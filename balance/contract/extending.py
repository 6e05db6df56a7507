"""A table of components that extends another: entries of its lists changed, added and taken away by name.

An entry of a list is known by the first key of its table (a card's `id`, a field's `name`, a road's `ends`), or by
itself if it is no table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel

from balance.errors import BalanceError, unknown
from balance.settings import merge

WITHOUT, AFTER = "without", "after"


def extend(
    model: type[BaseModel], base: Mapping[str, Any], layer: Mapping[str, Any], where: str
) -> dict[str, Any]:
    """The keys of a file over those of the table that it extends; neither is altered.

    Parameters
    ----------
    model : class
        What the whole is to be; says by which key the entries of each list are known.
    layer : mapping
        Entries of its lists change those of the same name key by key, or are new and come last, or after the one
        that `after` names. ``without`` is a table of lists of names, taken away before. Other tables are merged,
        other values replaced.
    where : str
        The file, for the error.

    Raises
    ------
    BalanceError
        An entry that `without` or `after` names is not there, or as `check_entries`.
    """
    check_entries(model, layer, where)
    extended = _take_away(model, base, layer.get(WITHOUT, {}), f"{where}: {WITHOUT}")
    for key, value in layer.items():
        old = extended.get(key)
        if key == WITHOUT:
            continue
        if isinstance(old, list) and isinstance(value, list):
            extended[key] = _put(old, value, _first_key(model, key), f"{where}: {key}")
        else:
            extended |= merge({key: old}, {key: value})
    return extended


def check_entries(model: type[BaseModel], data: Mapping[str, Any], where: str) -> None:
    """Refuse lists of one file in which two entries are known by the same name, or one by none.

    Raises
    ------
    BalanceError
        Names `where`, the list and the entries, counted from 1 as they stand in the file.
    """
    for key, entries in data.items():
        first = _first_key(model, key)
        if not first or not isinstance(entries, list):
            continue
        known: dict[str, str] = {}
        for number, entry in enumerate(entries, 1):
            if not isinstance(entry, Mapping):
                raise BalanceError(f"{where}: {key}: entry {number} must be a table of keys and values")
            if first not in entry:
                raise BalanceError(f"{where}: {key}: entry {number} has no `{first}`")
            title = entry.get("name") if first != "name" else None
            shown = f"{number} ({title})" if title else str(number)
            if (name := _name(entry, first)) in known:
                raise BalanceError(
                    f"{where}: {key}: entries {known[name]} and {shown} have the same {first} {name!r}; "
                    f"give one of them another {first}"
                )
            known[name] = shown


def _first_key(model: type[BaseModel], key: str) -> str:
    """The key by which the entries of a list are known; "" if they are no tables."""
    field = next((f for name, f in model.model_fields.items() if key == (f.alias or name)), None)
    entry = next(iter(get_args(field.annotation)), None) if field else None
    if not (isinstance(entry, type) and issubclass(entry, BaseModel)):
        return ""
    name, first = next(iter(entry.model_fields.items()))
    return first.alias or name


def _name(entry: Any, first: str) -> str:
    """What an entry is known by, "" if it lacks that; a pair is known in either order."""
    known_by = entry
    if first:
        known_by = entry.get(first, "") if isinstance(entry, Mapping) else ""
    return "-".join(sorted(map(str, known_by))) if isinstance(known_by, list) else str(known_by)


def _take_away(
    model: type[BaseModel], base: Mapping[str, Any], without: Any, where: str
) -> dict[str, Any]:
    """`base` without some entries of its lists and tables."""
    if not isinstance(without, Mapping):
        raise BalanceError(f'{where}: must be a table of lists, such as {WITHOUT}.cards = ["fair"]')
    kept = dict(base)
    for key, names in without.items():
        entries = base.get(key)
        if not isinstance(entries, (list, Mapping)):
            lists = [name for name, value in base.items() if isinstance(value, (list, Mapping))]
            raise unknown("list", key, lists, where)
        if not isinstance(names, list):
            raise BalanceError(f"{where}.{key}: must be a list of names")
        first = _first_key(model, key)
        known = [_name(entry, first) for entry in entries]
        gone = {_find(name, known, f"{where}.{key}") for name in names}
        if isinstance(entries, Mapping):
            kept[key] = {name: value for name, value in entries.items() if name not in gone}
        else:
            kept[key] = [entry for entry in entries if _name(entry, first) not in gone]
    return kept


def _find(name: Any, known: Sequence[str], where: str) -> str:
    found = _name(name, "")
    if found not in known:
        raise unknown("entry", found, known, where)
    return found


def _put(old: list[Any], entries: list[Any], first: str, where: str) -> list[Any]:
    """A list with the entries of another changed in it, or added to it."""
    put = list(old)
    for entry in entries:
        if not isinstance(entry, Mapping):
            put.append(entry)
            continue
        name, place = _name(entry, first), len(put)
        names = [_name(each, first) for each in put]
        if name and name in names:
            place = names.index(name)
            entry = merge(put.pop(place), entry)
            del names[place]
        if AFTER in entry:
            place = 1 + names.index(_find(entry[AFTER], names, f"{where}: {AFTER}"))
        put.insert(place, {key: value for key, value in entry.items() if key != AFTER})
    return put
