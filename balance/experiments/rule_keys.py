"""The rule keys of a game, read from its model (meaning, base value, limits), and the files shipped with the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types as limits
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from balance.contract.game import Game
from balance.contract.rule_tables import BySeat
from balance.experiments.profiles import RANDOM_NAME, STRATEGY_FOLDERS
from balance.experiments.variants import OF_ITSELF, read_extended
from balance.foundation.language import N_, tr
from balance.foundation.toml import read_toml, write_value

STRATEGIES = N_("strategies")
SHIPPED = (
    N_("variants"), N_("events"), N_("cards"), N_("decks"), N_("tracks"), N_("maps"), N_("values"), N_("searchers"),
)  # fmt: skip
"""Kinds of files that games ship, as pages name them."""
_SAYS = ("description", "source", "title")  # the first key that a file has is used


def list_shipped(game: Game) -> dict[str, list[str]]:
    """Return names by kind: variants first, then tables, strategies last."""
    found = {kind: game.shipped(kind) for kind in game.data_folders()}
    named = [name for kind in STRATEGY_FOLDERS for name in found.pop(kind, [])]
    return {**found, STRATEGIES: [RANDOM_NAME, *named]}


def describe_shipped(game: Game) -> dict[str, dict[str, str]]:
    """Return `list_shipped` with the description of each file, and the strategies that are not files."""
    kinds = game.data_folders()
    described = {kind: {name: _about(game, kind, name) for name in game.shipped(kind)} for kind in kinds}
    networks, profiles = (described.pop(kind, {}) for kind in STRATEGY_FOLDERS)
    return {**described, STRATEGIES: {**_strategies_made(game), **networks, **profiles}}


def _strategies_made(game: Game) -> dict[str, str]:
    """Return the strategies of a game that it does not ship, with their meanings."""
    has_networks = bool(game.network_features.heads)
    guided = {"NETWORK-search-N": N_("A searcher with a network as prior, such as expert-search-100.")}
    if has_networks:
        own = N_("A profile, network or searcher of your own.")
    elif game.heuristics.FEATURES:
        own = N_("A profile or searcher of your own.")
    else:
        own = N_("A searcher of your own.")
    return {
        RANDOM_NAME: N_("Any legal action, each equally likely."),
        "search-N": N_("A searcher with N iterations per decision, such as search-100."),
        **(guided if has_networks else {}),
        "FILE.toml": own,
        "FILE.py:CLASS": N_("A Python bot of your own."),
    }


def _about(game: Game, kind: str, name: str) -> str:
    data = read_toml(game.folder / kind / f"{name}.toml")
    return next((str(data[key]) for key in _SAYS if key in data), "")


@dataclass(frozen=True)
class Allowed:
    """The allowed values of a key."""

    words: tuple[str, ...]  # the alternatives, such as `"off"` and `0 to 50`
    least: float | None = None  # limit of numbers, or of each number of a list
    most: float | None = None
    choices: tuple[Any, ...] = ()  # the values allowed by name

    def __str__(self) -> str:
        *others, last = self.words
        return tr("{first} or {last}", first=", ".join(others), last=last) if others else last


@dataclass(frozen=True)
class Key:
    """A key that a variant may change."""

    name: str  # dotted, as in a sweep
    base: Any  # the value in the variant `base`; a table by player count if base has one
    meaning: str  # with the number of the rule; "" if the game's model has none
    allowed: Allowed  # values of each number or word
    by: tuple[str, ...] = ()  # `players`, `seat`: by which of these the value may differ

    @property
    def said_by(self) -> str:
        """Whether the value may differ by seat or player count, in words; "" for one value."""
        if self.by == ("players",):
            return tr("by player count")
        if self.by == ("seat",):
            return tr("also by seat")
        return tr("also by seat or player count") if self.by else ""

    def record(self) -> dict[str, Any]:
        """Return the key as a JSON record."""
        allowed = self.allowed
        limits = {"least": allowed.least, "most": allowed.most, "choices": list(allowed.choices)}
        told = {"key": self.name, "base": self.base, "meaning": self.meaning, "allowed": str(allowed)}
        return {**told, **limits, "by": list(self.by)}


def list_keys(game: Game) -> list[Key]:
    """Return every key of a game's rule set in the order of its model; a table in its own file is one key.

    The words of allowed values are in the language in use.

    A table with free names, such as one by line, has the keys of each entry that base has.
    """
    base = read_extended(game, game.folder / "variants" / "base.toml")
    return list(_walk(game, game.rules.Rules, base, ""))


def has_keys(game: Game) -> bool:
    """Return whether a game's rules have anything to change."""
    return any((field.alias or name) not in OF_ITSELF for name, field in game.rules.Rules.model_fields.items())


def _walk(game: Game, model: type[BaseModel], base: Mapping[str, Any], prefix: str) -> Iterator[Key]:
    for attribute, field in model.model_fields.items():
        key = field.alias or attribute
        name, annotation = f"{prefix}{key}", field.annotation
        if name in OF_ITSELF:
            continue
        value = base.get(key, _default(field))
        if name in game.rules.PATH_KEYS:
            shipped = game.shipped(game.rules.PATH_KEYS[name])
            words = (*map(write_value, shipped), tr("a path"))
            yield Key(name, value, field.description or "", Allowed(words, choices=tuple(shipped)))
        elif entry := _entry_model(annotation):
            for one, own in (value or {}).items():
                yield from _walk(game, entry, own, f"{name}.{one}.")
        elif not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            yield _leaf(name, value, field, field)
        elif all((each.alias or "").isdigit() for each in annotation.model_fields.values()):
            element = next(iter(annotation.model_fields.values()))
            yield _leaf(name, value, field, element, ("players",))
        else:
            yield from _walk(game, annotation, value or {}, f"{name}.")


def _entry_model(annotation: Any) -> type[BaseModel] | None:
    """Return the model of the entries of a table with free names, such as lines; None for other keys."""
    if get_origin(annotation) is not dict:
        return None
    entry = get_args(annotation)[1]
    return entry if isinstance(entry, type) and issubclass(entry, BaseModel) else None


def _default(field: FieldInfo) -> Any:
    """Return the default of a key that base does not set; None if base must set it."""
    default = None if field.is_required() else field.get_default(call_default_factory=True)
    return default.model_dump(by_alias=True) if isinstance(default, BaseModel) else default


def _leaf(name: str, value: Any, field: FieldInfo, element: FieldInfo, by: tuple[str, ...] = ()) -> Key:
    """Return a key of plain values, each described by `element`."""
    said = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    allowed = what_is_allowed(element.annotation, element.metadata)
    if "allowed" in said:
        allowed = Allowed((tr(str(said["allowed"])),))
    for each in element.metadata:
        if isinstance(each, BySeat):
            by = ("seat", "players") if len(each.players) > 1 else ("seat",)
    if isinstance(marked := said.get("by"), list):
        by = tuple(map(str, marked))
    return Key(name, value, field.description or "", allowed, by)


def what_is_allowed(annotation: Any, metadata: Sequence[Any] = ()) -> Allowed:
    """Return the values that pydantic accepts for an annotation and its metadata."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    # A `Field` contains several items.
    said = [one for each in metadata for one in (each.metadata if isinstance(each, FieldInfo) else [each])]
    if origin is Annotated:
        return what_is_allowed(arguments[0], [*arguments[1:], *metadata])
    for each in said:
        if isinstance(each, BySeat):
            return Allowed((_span(each.least, each.most),), each.least, each.most)
    if origin is Literal:
        return Allowed(tuple(map(write_value, arguments)), choices=arguments)
    if origin in (Union, UnionType):
        return _any_of([what_is_allowed(each) for each in arguments if each is not NoneType])
    if origin is list:
        of = what_is_allowed(arguments[0])
        return Allowed((_list_of(said, str(of)),), of.least, of.most, of.choices)
    if annotation is bool:
        return Allowed(("true", "false"), choices=(True, False))
    if annotation in (int, float):
        return _number(said, annotation is int)
    return Allowed((tr("text"),) if annotation is str else (tr("a table"),))


def _any_of(parts: Sequence[Allowed]) -> Allowed:
    """Return the union of several `Allowed`."""
    least, most = next(((p.least, p.most) for p in parts if p.least is not None), (None, None))
    words = (word for part in parts for word in part.words)
    choices = (choice for part in parts for choice in part.choices)
    return Allowed(tuple(words), least, most, tuple(choices))


def _number(said: Sequence[Any], is_whole: bool) -> Allowed:
    """Return numbers within the given limits, if any."""
    least: Any = next((each.ge for each in said if isinstance(each, limits.Ge)), None)
    most: Any = next((each.le for each in said if isinstance(each, limits.Le)), None)
    if least is not None and most is not None:
        words = _span(least, most)
    elif least is not None:
        words = tr("a whole number of at least {least}") if is_whole else tr("a number of at least {least}")
    elif most is not None:
        words = tr("a whole number of at most {most}") if is_whole else tr("a number of at most {most}")
    else:
        words = tr("a whole number") if is_whole else tr("a number")
    return Allowed((words.format(least=least, most=most),), least, most)


def _span(least: float, most: float) -> str:
    return tr("{low} to {high}", low=str(least), high=str(most))


def _list_of(said: Sequence[Any], each: str) -> str:
    """Return a list in words, with its length and its allowed values."""
    least = next((limit.min_length for limit in said if isinstance(limit, limits.MinLen)), 0)
    most = next((limit.max_length for limit in said if isinstance(limit, limits.MaxLen)), None)
    if most is None:
        if least:
            return tr("list of at least {least}, each {values}", least=least, values=each)
        return tr("list, each {values}", values=each)
    if least == most:
        return tr("list of {length}, each {values}", length=most, values=each)
    if least:
        return tr("list of {least} to {most}, each {values}", least=least, most=most, values=each)
    return tr("list of at most {most}, each {values}", most=most, values=each)
