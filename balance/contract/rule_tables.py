"""Building blocks of rule sets: amounts by seat or player count, tables with a source, tables that extend others.

An entry of a list is identified by the first key of its table (a card's `id`, a field's `name`, a road's `ends`), or by
itself if it is not a table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, TypeVar, get_args, get_origin

import numpy as np
from pydantic import BaseModel, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from balance.contract.records import Fields, record_type
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import tr
from balance.foundation.text import listed
from balance.foundation.toml import Settings, locate, merge, read_layers, validate

Amount = int | list[int] | dict[str, int | list[int]]
"""A number for all seats; a list by seat, whose last number applies to all later seats; or either by player count."""


@dataclass(frozen=True)
class BySeat:
    """The limits of an `Amount`, for the annotation of a rule key."""

    least: int  # limit of each number
    most: int  # limit of each number
    players: tuple[int, ...]  # the game's player counts

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema by which pydantic checks the annotation."""
        return core_schema.no_info_before_validator_function(self.check, handler(source))

    def check(self, value: Any) -> Any:
        """Return the checked value; a table by player count with equal values becomes that value."""
        if not isinstance(value, Mapping):
            self._check_said(value, "")
            return value
        known = [str(count) for count in self.players]
        for count in value:
            if count not in known:
                raise ValueError(
                    tr("there is no player count {count!r} (there are: {known})", count=count, known=", ".join(known))
                )
        for count in known:
            if count not in value:
                raise ValueError(tr("has no value for {players} players", players=count))
            self._check_said(value[count], f"{count} players: ")
        said = list(value.values())
        return said[0] if said.count(said[0]) == len(said) else dict(value)

    def _check_said(self, value: Any, who: str) -> None:
        seats = max(self.players)
        amounts = value if isinstance(value, list) and 0 < len(value) <= seats else [value]
        if not all(type(amount) is int and self.least <= amount <= self.most for amount in amounts):
            raise ValueError(
                who
                + tr(
                    "must be a whole number from {least} to {most}, or a list of one to {seats} by seat",
                    least=self.least,
                    most=self.most,
                    seats=seats,
                )
            )


def by_seat(amount: Amount, players: int) -> list[int]:
    """Return the amount of each seat at a player count."""
    said = amount[str(players)] if isinstance(amount, dict) else amount
    if isinstance(said, int):
        return [said] * players
    return [said[min(seat, len(said) - 1)] for seat in range(players)]


def rules_type(model: type[BaseModel], fields: Fields = ()) -> np.dtype:
    """Return the type of a rule set at one player count.

    It has a field for each key of `model` that is a number, a word or an amount by seat, and the `fields` of the game.
    The last entry of a field is not an initial value here but the dotted key from which `pack_keys` fills it; ``*`` in
    it is each entry of a table or list, e.g. ``units.*.attack``. A game computes the fields that have none.
    """
    named = {field[0] for field in fields}
    keys = [key for key in _list_plain_keys(model) if key[0] not in named]
    return record_type([("players", "i4"), *keys, *fields])


def _list_plain_keys(model: type[BaseModel]) -> Iterator[tuple[Any, ...]]:
    """Yield a field for each key that is a number, a word or an amount by seat."""
    for name, field in model.model_fields.items():
        amount = next((each for each in field.metadata if isinstance(each, BySeat)), None)
        if amount:
            yield name, "i4", (max(amount.players),), name
        elif field.annotation in (int, bool) or get_origin(field.annotation) is Literal:
            yield name, "i4", (), name


def from_keys(*keys: str) -> list[tuple[Any, ...]]:
    """Return number fields for keys of tables, named without these tables: ``steps.city`` is ``city``."""
    return [(key.rpartition(".")[2], "i4", (), key) for key in keys]


def pack_keys(record: np.dtype, rules: BaseModel, players: int) -> np.record:
    """Return a record of `rules_type` with the values of all keys that its fields name.

    A value by player count is that of `players`; an amount by seat fills the first `players` elements, a list of any
    other length the first elements. A word is its number among those that the key allows. Other fields are 0, as are
    entries of a table that lack the key.
    """
    packed: np.record = np.zeros(1, record).view(np.recarray)[0]
    packed["players"] = players
    metadata: dict[str, Any] = dict(record.metadata or {})
    for name, key in metadata["initial"].items():
        _fill(packed, name, _find_value(rules, key.split("."), players))
    return packed


def _find_value(table: Any, path: Sequence[str], players: int) -> Any:
    """Return the value of a key at a player count: a number, or a list of such values."""
    if not path:
        if isinstance(table, list):
            return [_find_value(each, (), players) for each in table]
        return table.at(players) if hasattr(table, "at") else table or 0
    key, *rest = path
    if key == "*":
        entries = table if isinstance(table, list) else [value for _, value in table]
        return [_find_value(entry, rest, players) if not rest or hasattr(entry, rest[0]) else 0 for entry in entries]
    value: Any = getattr(table, key)
    field = type(table).model_fields.get(key)
    if field and any(isinstance(each, BySeat) for each in field.metadata):
        return by_seat(value, players)
    if field and not rest and isinstance(value, str):
        return get_args(field.annotation).index(value)
    return _find_value(value, rest, players)


def _fill(values: Any, place: Any, found: Any) -> None:
    """Write a number to ``values[place]``, or a list to the first elements of the array there."""
    if not isinstance(found, list):
        values[place] = found
        return
    for number, each in enumerate(found):
        _fill(values[place], number, each)


Component = TypeVar("Component", bound=Settings)
Made = TypeVar("Made")


class Sourced(Settings):
    """A table with the source of its data."""

    source: str = Field(description="where the data come from")
    reconstruction: bool = Field(description="whether they are a guess at those of the published game")


def load_component(model: type[Component], shipped: Path, what: str, name: str, where: str, folder: Path) -> Component:
    """Read a component by shipped name or by path relative to `folder`, merged with the files that it extends.

    A file that extends another must name the source of its data, and keep ``reconstruction = true`` as long as
    reconstructed data remain.

    Parameters
    ----------
    model : class
        Has ``name``; the default is the file's stem.
    what : str
        Name of the kind of component, for errors.
    where : str
        The place of the reference, for errors.
    """
    path = locate(what, name, shipped, folder, where)
    (first, data), *changes = read_layers(path, what, shipped)
    if WITHOUT in data:
        raise BalanceError(
            tr("{path}: {key}: can't remove anything, because the file has no `extends`", path=path, key=WITHOUT)
        )
    check_entries(model, data, str(first))
    for origin, layer in changes:
        check_says_source(layer, str(origin), data.get("reconstruction") is True)
        data = extend(model, data, {"name": origin.stem, **layer}, str(origin))
    return validate(model, {"name": path.stem, **data}, str(path))


def check_says_source(changes: Mapping[str, Any], where: str, guessed: bool) -> None:
    """Refuse new data without a source, or with ``reconstruction = false`` although some are still `guessed`."""
    if not {"source", "reconstruction"} <= set(changes):
        raise BalanceError(tr("{where}: new data need their own `source` and `reconstruction`", where=where))
    if guessed and changes["reconstruction"] is False:
        raise BalanceError(
            tr(
                "{where}: reconstruction: must be true, because guessed data of the extended file remain; to write "
                "false, replace all data",
                where=where,
            )
        )


def resolve_components(
    rules: type[Settings],
    data_folders: Mapping[str, str],
    home: Path,
    data: Mapping[str, Any],
    where: str,
    folder: Path,
) -> dict[str, Any]:
    """Return a merged rule set with all named components loaded; complete components (as in `run.json`) stay.

    Parameters
    ----------
    rules : class
        The model of the rule set, whose fields are the models of the components.
    data_folders : mapping
        Key to the folder in `home` with the shipped files.
    where : str
        The rule set, for errors.
    folder : Path
        The folder that paths are relative to.
    """
    resolved = dict(data)
    for key, shelf in data_folders.items():
        value = resolved.get(key)
        model, what = rules.model_fields[key].annotation, key.replace("_", " ")
        assert isinstance(model, type) and issubclass(model, Settings)
        if isinstance(value, str):
            component = load_component(model, home / shelf, what, value, where, folder)
            resolved[key] = component.model_dump(by_alias=True)
        elif key in resolved and not isinstance(value, Mapping):
            raise BalanceError(
                tr("{where}: {what}: must be a name or path, got {value!r}", where=where, what=what, value=value)
            )
    return resolved


def with_defaults(module: Any, folder: Path) -> Any:
    """Return the names of a game's module of rules, with defaults for those that it does not define.

    `folder` is the game's. By default no key names a file, and each component of ``PATH_KEYS`` is read from its file,
    and listed if it is a reconstruction.
    """
    keys: Mapping[str, str] = getattr(module, "PATH_KEYS", {})

    def load_rules(data: Mapping[str, Any], where: str, start: Path) -> Any:
        resolved = resolve_components(module.Rules, keys, folder, data, where, start)
        return validate(module.Rules, resolved, where)

    def list_reconstructions(rules: Any) -> list[str]:
        found = {key: getattr(rules, key) for key in keys}
        return name_reconstructions({f"{key.replace('_', ' ')} {each.name!r}": each for key, each in found.items()})

    defaults = {
        "PATH_KEYS": keys, "ROWS": {}, "load_rules": load_rules, "list_reconstructions": list_reconstructions
    }  # fmt: skip
    return SimpleNamespace(**defaults | vars(module))


def name_reconstructions(components: Mapping[str, Sourced]) -> list[str]:
    """Return one line for each component that is a reconstruction, with its source."""
    return [f"{name}: {found.source}" for name, found in components.items() if found.reconstruction]


def say_words(effect: str, needed: Mapping[str, str], given: Collection[str]) -> str:
    """Return what is wrong with the keys of a card's effect, and what to write.

    `needed` has each key that the effect takes with an example, `given` the keys that the card has.
    """
    add = [example for word, example in needed.items() if word not in given]
    drop = [word for word in given if word not in needed]
    says = [tr("write {keys}", keys=", ".join(sorted(add)))] if add else []
    says += [tr("leave out {keys}", keys=", ".join(sorted(drop)))] if drop else []
    keys = ", ".join(sorted(needed)) or tr("nothing more")
    return tr("effect {effect!r} takes {keys}: {advice}", effect=effect, keys=keys, advice=listed(says))


WITHOUT, AFTER = "without", "after"


def extend(model: type[BaseModel], base: Mapping[str, Any], layer: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Merge the keys of a file over those of the table that it extends; neither is modified.

    Parameters
    ----------
    model : class
        The model of the result; it defines the key that identifies the entries of each list.
    layer : mapping
        An entry of a list changes the entry with the same name key by key. A new entry is added last, or after the one
        that `after` names. ``without`` is a table of lists of names to remove first. Other tables are merged, other
        values replaced.
    where : str
        The file, for errors.
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
    """Refuse lists in one file with two entries of the same name, or an entry without a name."""
    for key, entries in data.items():
        first = _first_key(model, key)
        if not first or not isinstance(entries, list):
            continue
        known: dict[str, str] = {}
        for number, entry in enumerate(entries, 1):
            if not isinstance(entry, Mapping):
                raise BalanceError(
                    tr(
                        "{where}: {key}: entry {number} must be a table of keys and values",
                        where=where, key=key, number=number,
                    )
                )  # fmt: skip
            if first not in entry:
                raise BalanceError(
                    tr(
                        "{where}: {key}: entry {number} has no `{part}`",
                        where=where, key=key, number=number, part=first,
                    )
                )  # fmt: skip
            title = entry.get("name") if first != "name" else None
            shown = f"{number} ({title})" if title else str(number)
            if (name := _name(entry, first)) in known:
                raise BalanceError(
                    tr(
                        "{where}: {key}: entries {one} and {other} have the same {part} {name!r}; give one of them "
                        "another {part}",
                        where=where,
                        key=key,
                        one=known[name],
                        other=shown,
                        part=first,
                        name=name,
                    )
                )
            known[name] = shown


def _first_key(model: type[BaseModel], key: str) -> str:
    """Return the key that identifies the entries of a list; "" if the entries are not tables."""
    field = next((f for name, f in model.model_fields.items() if key == (f.alias or name)), None)
    entry = next(iter(get_args(field.annotation)), None) if field else None
    if not (isinstance(entry, type) and issubclass(entry, BaseModel)):
        return ""
    name, first = next(iter(entry.model_fields.items()))
    return first.alias or name


def _name(entry: Any, first: str) -> str:
    """Return the name of an entry, "" if it has none; a pair has the same name in either order."""
    known_by = entry
    if first:
        known_by = entry.get(first, "") if isinstance(entry, Mapping) else ""
    return "-".join(sorted(map(str, known_by))) if isinstance(known_by, list) else str(known_by)


def _take_away(model: type[BaseModel], base: Mapping[str, Any], without: Any, where: str) -> dict[str, Any]:
    """Return `base` without some entries of its lists and tables."""
    if not isinstance(without, Mapping):
        raise BalanceError(
            tr(
                "{where}: must be a table of lists, such as {example}",
                where=where, example=f'{WITHOUT}.cards = ["fair"]',
            )
        )  # fmt: skip
    kept = dict(base)
    for key, names in without.items():
        entries = base.get(key)
        if not isinstance(entries, (list, Mapping)):
            lists = [name for name, value in base.items() if isinstance(value, (list, Mapping))]
            raise unknown("list", key, lists, where)
        if not isinstance(names, list):
            raise BalanceError(tr("{where}: must be a list of names", where=f"{where}.{key}"))
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
    """Return a list with entries changed or added."""
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


def keep_last(make: Callable[..., Made]) -> Callable[..., Made]:
    """Return a function of a rule set, such as `pack_rules`, that makes its result only once for the last rule set.

    A display looks up values of one game's position after another; packing takes longer than a look-up. Further
    arguments are compared too.
    """
    last: list[tuple[Any, tuple[Any, ...], Made]] = []

    def kept(rules: Any, *others: Any) -> Made:
        if not last or last[0][0] is not rules or last[0][1] != others:
            last[:] = [(rules, others, make(rules, *others))]
        return last[0][2]

    return kept
