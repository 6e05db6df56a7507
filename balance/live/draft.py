"""The draft of a variant: changed rule keys with undo and redo, kept in a file, written and opened as TOML."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from balance.contract.game import Game
from balance.experiments.rule_keys import Key, list_keys
from balance.experiments.rule_steps import is_of_data, look_up, with_sources
from balance.experiments.variants import (
    OF_ITSELF,
    Variant,
    change_variant,
    nest_changes,
    read_start,
    with_components,
    write_variant,
)
from balance.foundation.errors import BalanceError, cut_middle, unknown
from balance.foundation.files import create_file, exists, make_folder, read_json, read_text, replace_file
from balance.foundation.language import tr
from balance.foundation.steps import Steps
from balance.foundation.text import listed
from balance.foundation.toml import is_path, list_leaves, parse_toml, write_value

_SCHEMA = 1
_MOST_BYTES = 20_000_000  # of a draft file
_NAME = re.compile(r"\w[\w-]{0,59}")
_MOST_TEXT = 1_000_000  # bytes of an opened variant file
_MOST_LEAVES = 1_000
_LONGEST = 200  # characters of a description
NEW_NAME = "my-variant"
_CHANGED = ", changed"  # after the name of a table


@dataclass(frozen=True)
class State:
    """The name of a variant and its changed rule keys with their whole values."""

    name: str = NEW_NAME
    values: Mapping[str, Any] = field(default_factory=dict)


class Draft:
    """A variant that is being changed, step by step.

    A refused change raises `BalanceError` and leaves the draft unchanged. Every accepted change is written to the
    file at once.

    Parameters
    ----------
    start : str
        The variant that it extends: a shipped name or a path.
    path : Path or None
        The file that keeps the draft; a draft in it is continued. None keeps nothing.
    is_named : bool
        Whether the user named the file: one that is no draft of this variant is then refused. Otherwise it is renamed.
    """

    def __init__(self, game: Game, start: str, path: Path | None = None, is_named: bool = False) -> None:
        self.game, self.start_name = game, start
        self._named = read_start(game, start, Path())
        self._base = with_components(self._named)
        self._every = {key.name: key for key in list_keys(game)}
        self.keys = {name: key for name, key in self._every.items() if not is_of_data(key)}
        self.start = change_variant(self._base, {}, self._named.name, self._named.name)
        self._contents = _dump(self.start)
        self._path, self.steps = path, Steps([State()])
        self.note = ""
        if path is not None and exists(path):
            self._continue(path, is_named)
        self.variant = self._load(self.state.values)

    @property
    def state(self) -> State:
        """The current step."""
        return self.steps.state

    @property
    def names(self) -> set[str]:
        """The names of all rule keys, also of those that say where data come from."""
        return set(self._every)

    def freeze(self) -> Draft:
        """Return a copy of the current step, which has no file; later changes of this draft do not reach it."""
        frozen = copy.copy(self)
        frozen.steps, frozen._path = self.steps.frozen(), None
        return frozen

    def start_value(self, key: Key) -> Any:
        """Return the value of a key in the variant that the draft extends; of a table in its own file, the name."""
        return look_up(self._named.data, key)

    def change(self, name: str, value: Any, continues: bool = False) -> None:
        """Give a key a new value, or its start value back.

        Parameters
        ----------
        continues : bool
            Whether this is part of the last step, as when a slider is dragged.
        """
        key = self._find(name)
        same = continues and self.steps.can_undo and name in self.state.values
        self._go({**self.state.values, name: value}, same, {key.name: value})

    def reset(self, name: str) -> None:
        """Give a key its start value back."""
        self._find(name)
        self._go({key: value for key, value in self.state.values.items() if key != name})

    def clear(self) -> None:
        """Give every key its start value back."""
        self._go({})

    def undo(self) -> None:
        """Go back one step."""
        self._move(self.steps.earlier(), -1)

    def redo(self) -> None:
        """Go forward to a step that was undone."""
        self._move(self.steps.later(), 1)

    def rename(self, name: str) -> None:
        """Name the variant."""
        self.steps.replace(replace(self.state, name=_check_name(name)))
        self._keep()

    def contents(self, name: str) -> Any:
        """Return the current value of a key; for a table in its own file the whole table."""
        return look_up(_dump(self.variant), self._find(name))

    def read_value(self, name: str, text: str) -> Any:
        """Return the value that a text in TOML gives a key."""
        self._find(name)
        if "\n" in text.strip():
            raise BalanceError(tr('a value is one line of TOML, such as 3, true, [1, 2] or "text"'))
        try:
            return parse_toml(f"value = {text}", "this value")["value"]
        except BalanceError:
            raise BalanceError(
                tr('{value!r} is no TOML value, such as 3, true, [1, 2] or "text"', value=cut_middle(text, 80))
            ) from None

    def open(self, text: str, where: str) -> None:
        """Take over the rules of a variant file: its keys that differ from the start variant become changes.

        A file from elsewhere names no other file: it extends a shipped variant and uses shipped tables.
        """
        data = _parse_opened(text, where)
        extends = data.pop("extends", "base")
        paths = [extends, *(data.get(key) for key in self.game.rules.PATH_KEYS)]
        if any(isinstance(each, str) and is_path(each) for each in paths):
            raise BalanceError(tr("{file} names another file; open it with: balance live --variant {file}", file=where))
        if extends not in (known := self.game.shipped("variants")):
            raise unknown(f"{self.game.name} variant", str(extends), known, where)
        title, own = str(data.get("title", "")), {k: v for k, v in data.items() if k not in OF_ITSELF}
        tables = {name.partition(".")[0] for name in self._every}
        for key in own:
            if key not in tables:
                raise unknown("key", key, tables, where)
        opened = read_start(self.game, extends, Path())
        # Whole tables in one layer: a step for each of many keys would take seconds.
        found = _dump(change_variant(opened, own, "opened", where))
        values = dict(self._differences(found, own))
        name = title if _NAME.fullmatch(title) else Path(where).stem
        self._go(values, title=name if _NAME.fullmatch(name) else "")

    def write(self, folder: Path) -> str:
        """Return the draft as a variant file in a folder."""
        path, values = folder / f"{self.state.name}.toml", self.state.values
        own = nest_changes(self.game, with_sources(self._narrow(), self.names), self.state.name)
        words = [_write_change(key, value) for key, value in values.items()] or [tr("nothing changed")]
        text = tr("{variant} with {changes}", variant=self.start.name, changes=listed(words))
        about = cut_middle(text, _LONGEST)
        named = {"title": self.state.name, "description": about}
        return write_variant(self.game, path, (self.start_name, Path()), named, own)

    def save(self, folder: Path) -> Path:
        """Write the variant file; a file of the same name with other rules is never replaced."""
        path = folder / f"{_check_name(self.state.name)}.toml"
        text = self.write(folder)
        if not exists(path) or read_text(path) != text:
            make_folder(folder)
            create_file(path, text.encode("utf-8"))
        return path

    def _find(self, name: str) -> Key:
        if name not in self.keys:
            raise unknown("rule key", name, list(self.keys))
        return self.keys[name]

    def _narrow(self) -> dict[str, Any]:
        """Return the changes, without the player counts whose value is that of the start."""
        found = {}
        for name, value in self.state.values.items():
            old = self.start_value(self.keys[name])
            if isinstance(value, Mapping) and isinstance(old, Mapping) and name not in self.game.rules.PATH_KEYS:
                value = {key: each for key, each in value.items() if old.get(key) != each} or value
            found[name] = value
        return found

    def _load(self, values: Mapping[str, Any], changed: Mapping[str, Any] | None = None) -> Variant:
        """Return the variant of these changes; an error names no place if only `changed` is new."""
        found = {name: self._with_source(name, value) for name, value in values.items()}
        where = ", ".join(changed or ()) or "these rules"
        try:
            return change_variant(self._base, with_sources(found, self.names), self.state.name, where)
        except BalanceError as error:
            if not changed:
                raise
            raise BalanceError(_without_place(str(error), where)) from None

    def _with_source(self, name: str, value: Any) -> Any:
        """Return a changed table that has its own file with the note that it was changed."""
        if name not in self.game.rules.PATH_KEYS or not isinstance(value, Mapping):
            return value
        named = f"{str(value.get('name', name)).removesuffix(_CHANGED)}{_CHANGED}"
        return {**value, "name": named, "source": "changed from the data", "reconstruction": True}

    def _go(
        self,
        values: Mapping[str, Any],
        continues: bool = False,
        changed: Mapping[str, Any] | None = None,
        title: str = "",
    ) -> None:
        """Make a new step; a value that the start has is no change."""
        variant = self._load(values, changed)
        found = _dump(variant)
        kept = {
            name: self._with_source(name, value)
            for name, value in values.items()
            if look_up(found, self.keys[name]) != look_up(self._contents, self.keys[name])
        }
        self.variant = variant
        if self.steps.add(State(title or self.state.name, kept), continues):
            self._keep()

    def _move(self, state: State, by: int) -> None:
        self.variant = self._load(state.values)
        self.steps.go(by)
        self._keep()

    def _differences(self, found: Mapping[str, Any], data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """Yield the keys that differ from the start; a table in its own file by its name, if `data` has the name."""
        for name, key in self.keys.items():
            value = look_up(found, key)
            if value != look_up(self._contents, key):
                named = data.get(name) if name in self.game.rules.PATH_KEYS else None
                yield name, named if isinstance(named, str) else value

    def _keep(self) -> None:
        if self._path is None:
            return
        steps = [{"name": step.name, "values": step.values} for step in self.steps.states]
        data = {
            "schema": _SCHEMA, "game": self.game.name, "start": self.start.name, "at": self.steps.at, "steps": steps,
        }  # fmt: skip
        replace_file(self._path, json.dumps(data, ensure_ascii=False, indent=1).encode("utf-8"))

    def _continue(self, path: Path, is_named: bool) -> None:
        """Continue with the steps of a draft file. One that can't be read any more is refused or renamed."""
        try:
            self.steps = self._read_steps(path)
            self._load(self.state.values)
        except BalanceError as error:
            if is_named:
                raise BalanceError(
                    tr(
                        "{path} is not a draft of {game}, {variant}; name another file with --draft",
                        path=path,
                        game=self.game.name,
                        variant=self.start.name,
                    )
                ) from error
            aside = _free_path(path)
            path.replace(aside)
            self.steps = Steps([State()])
            self.note = tr(
                "the last draft can't be used any more and is kept in {path}: {reason}", path=aside, reason=error
            )

    def _read_steps(self, path: Path) -> Steps[State]:
        data = read_json(path, _MOST_BYTES)
        own = {"schema": _SCHEMA, "game": self.game.name, "start": self.start.name}
        for key, value in own.items():
            if data.get(key) != value:
                raise BalanceError(
                    tr(
                        "{path}: {key}: must be {value!r}, got {given!r}",
                        path=path, key=key, value=value, given=data.get(key),
                    )
                )  # fmt: skip
        try:
            steps = [State(_check_name(step["name"]), dict(step["values"])) for step in data["steps"]]
            at = int(data["at"])
            for step in steps:
                for name in step.values:
                    self._find(name)
            return Steps(steps, range(len(steps))[at])
        except (KeyError, TypeError, ValueError, IndexError):
            raise BalanceError(tr("{path} is not a draft of balance live", path=path)) from None


def _parse_opened(text: str, where: str) -> dict[str, Any]:
    """Return the keys of a variant file from elsewhere, within limits that keep the page responsive."""
    if len(text.encode("utf-8", "surrogatepass")) > _MOST_TEXT:
        raise BalanceError(tr("{file}: a variant file has at most {n:,} kB", file=where, n=_MOST_TEXT // 1000))
    data = parse_toml(text, where)
    if sum(1 for _ in list_leaves(data)) > _MOST_LEAVES:
        raise BalanceError(tr("{file}: a variant file has at most {n:,} values", file=where, n=_MOST_LEAVES))
    for key in OF_ITSELF:
        if not isinstance(data.get(key, ""), str):
            given = f"{data[key]!r:.80}"
            raise BalanceError(tr("{key}: must be text, got {given}", key=f"{where}: {key}", given=given))
    return data


def _free_path(path: Path) -> Path:
    """Return a path for a draft that is no longer used, such as ``draft.old``; no file is there."""
    number, found = 1, path.with_suffix(".old")
    while exists(found):
        number += 1
        found = path.with_suffix(f".old-{number}")
    return found


def _write_change(key: str, value: Any) -> str:
    """Return a change in words, short enough for a description."""
    text = write_value(value)
    return f"{key} = {text}" if len(text) <= _LONGEST // 3 else tr("{key} changed", key=key)


def _dump(variant: Variant) -> dict[str, Any]:
    found: dict[str, Any] = variant.rules.model_dump(by_alias=True, exclude_none=True)
    return found


def _check_name(name: Any) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise BalanceError(tr("a name has up to 60 letters, digits, _ and -, such as harder-knights"))
    return name


def _without_place(text: str, place: str) -> str:
    """Return an error without the key that the reader sees above it."""
    while text.startswith(f"{place}: "):
        text = text.removeprefix(f"{place}: ")
    return text
