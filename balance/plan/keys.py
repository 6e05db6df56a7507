"""The rule keys of a game, read off its model: what each means, what it is in base, and what it may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types as limits
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from balance.contract.by_seat import BySeat
from balance.contract.game import Game
from balance.plan.variants import OF_ITSELF, read_extended
from balance.settings import write_value


@dataclass(frozen=True)
class Allowed:
    """What a value may be.

    Attributes
    ----------
    words : tuple of str
        The alternatives, such as ``"off"`` and ``0 to 50``.
    least, most : number or None
        Limits of the numbers among them; of a list, of each of its numbers.
    choices : tuple
        The values among them that are named.
    """

    words: tuple[str, ...]
    least: float | None = None
    most: float | None = None
    choices: tuple[Any, ...] = ()

    def __str__(self) -> str:
        *others, last = self.words
        return f"{', '.join(others)} or {last}" if others else last


@dataclass(frozen=True)
class Key:
    """A key that a variant may change.

    Attributes
    ----------
    name : str
        Dotted, as in a sweep.
    base : Any
        Its value in the variant ``base``; a table by player count where it is said so.
    meaning : str
        With the number of the rule; "" if the game's model does not say.
    allowed : Allowed
        What each number or word may be.
    by : tuple of str
        ``players`` if it is, or may be, said by player count, ``seat`` if it may be said by seat.
    """

    name: str
    base: Any
    meaning: str
    allowed: Allowed
    by: tuple[str, ...] = ()

    @property
    def said_by(self) -> str:
        """By what it is or may be said, in words; "" where it is one value for all."""
        by = " or ".join({"seat": "seat", "players": "player count"}[each] for each in self.by)
        return f"{'' if self.by == ('players',) else 'also '}by {by}" if by else ""

    def record(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "key": self.name,
            "base": self.base,
            "meaning": self.meaning,
            "allowed": str(self.allowed),
            "least": self.allowed.least,
            "most": self.allowed.most,
            "choices": list(self.allowed.choices),
            "by": list(self.by),
        }


def list_keys(game: Game) -> list[Key]:
    """Every key of a game's rule set in the order of its model, tables that lie in files as one key.

    Raises
    ------
    BalanceError
        The game has no variant ``base``, or it can't be read.
    """
    base = read_extended(game, game.folder / "variants" / "base.toml")
    return list(_walk(game, game.rules.Rules, base, ""))


def _walk(game: Game, model: type[BaseModel], base: Mapping[str, Any], prefix: str) -> Iterator[Key]:
    for attribute, field in model.model_fields.items():
        key = field.alias or attribute
        name, annotation = f"{prefix}{key}", field.annotation
        if name in OF_ITSELF:
            continue
        value = base.get(key, _default(field))
        if name in game.rules.PATH_KEYS:
            shipped = game.shipped(game.rules.PATH_KEYS[name])
            words = (*map(write_value, shipped), "a path")
            yield Key(name, value, field.description or "", Allowed(words, choices=tuple(shipped)))
        elif not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            yield _leaf(name, value, field, field)
        elif all((each.alias or "").isdigit() for each in annotation.model_fields.values()):
            element = next(iter(annotation.model_fields.values()))
            yield _leaf(name, value, field, element, ("players",))
        else:
            yield from _walk(game, annotation, value or {}, f"{name}.")


def _default(field: FieldInfo) -> Any:
    """What stands for a key that base does not name; None where it must."""
    default = None if field.is_required() else field.get_default(call_default_factory=True)
    return default.model_dump(by_alias=True) if isinstance(default, BaseModel) else default


def _leaf(name: str, value: Any, field: FieldInfo, element: FieldInfo, by: tuple[str, ...] = ()) -> Key:
    """A key of plain values, each such as `element` says."""
    said = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    allowed = what_is_allowed(element.annotation, element.metadata)
    if "allowed" in said:
        allowed = Allowed((str(said["allowed"]),))
    for each in element.metadata:
        if isinstance(each, BySeat):
            by = ("seat", "players") if len(each.players) > 1 else ("seat",)
    if isinstance(marked := said.get("by"), list):
        by = tuple(map(str, marked))
    return Key(name, value, field.description or "", allowed, by)


def what_is_allowed(annotation: Any, metadata: Sequence[Any] = ()) -> Allowed:
    """What pydantic takes for an annotation with what stands beside it."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    said = list(_unpack(metadata))
    if origin is Annotated:
        return what_is_allowed(arguments[0], [*arguments[1:], *metadata])
    for each in said:
        if isinstance(each, BySeat):
            return Allowed((f"{each.least} to {each.most}",), each.least, each.most)
    if origin is Literal:
        return Allowed(tuple(map(write_value, arguments)), choices=arguments)
    if origin in (Union, UnionType):
        return _any_of([what_is_allowed(each) for each in arguments if each is not NoneType])
    if origin is list:
        of = what_is_allowed(arguments[0])
        return Allowed((f"list{_count(said)} {of}",), of.least, of.most, of.choices)
    if annotation is bool:
        return Allowed(("true", "false"), choices=(True, False))
    if annotation in (int, float):
        return _number(said, "a whole number" if annotation is int else "a number")
    return Allowed(("text",) if annotation is str else ("a table",))


def _unpack(metadata: Iterable[Any]) -> Iterator[Any]:
    """What stands in an annotation; a `Field` there holds more."""
    for each in metadata:
        if isinstance(each, FieldInfo):
            yield from each.metadata
        else:
            yield each


def _any_of(parts: Sequence[Allowed]) -> Allowed:
    """What any of several allows."""
    numbers = [part for part in parts if part.least is not None]
    return Allowed(
        tuple(word for part in parts for word in part.words),
        numbers[0].least if numbers else None,
        numbers[0].most if numbers else None,
        tuple(choice for part in parts for choice in part.choices),
    )


def _number(said: Sequence[Any], words: str) -> Allowed:
    """A number within the limits that are said, or any."""
    least: Any = next((each.ge for each in said if isinstance(each, limits.Ge)), None)
    most: Any = next((each.le for each in said if isinstance(each, limits.Le)), None)
    if least is not None and most is not None:
        words = f"{least} to {most}"
    elif least is not None or most is not None:
        words += f" of at least {least}" if most is None else f" of at most {most}"
    return Allowed((words,), least, most)


def _count(said: Sequence[Any]) -> str:
    """How many a list holds, in words that go before what each may be."""
    least = next((each.min_length for each in said if isinstance(each, limits.MinLen)), 0)
    most = next((each.max_length for each in said if isinstance(each, limits.MaxLen)), None)
    if most is None:
        return f" of at least {least}, each" if least else ", each"
    if least == most:
        return f" of {most}, each"
    return f" of {least} to {most}, each" if least else f" of at most {most}, each"
