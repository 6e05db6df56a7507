"""Components of a rule set that say where their data come from: decks, maps, card lists."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field

from balance.contract.extending import WITHOUT, extend
from balance.errors import BalanceError
from balance.settings import Settings, locate, read_layers, validate

Component = TypeVar("Component", bound=Settings)


class Sourced(Settings):
    """A table with where its data come from."""

    source: str = Field(description="where the data come from")
    reconstruction: bool = Field(description="whether they are a guess at those of the published game")


def load_component(
    model: type[Component], shipped: Path, what: str, name: str, where: str, folder: Path
) -> Component:
    """Read a component by the name of a file in `shipped`, or by path relative to `folder`, with all that it extends.

    Parameters
    ----------
    model : class
        Has ``name``, filled with the file's stem unless the file gives one.
    what : str
        What it is called, for the error.
    where : str
        Who names it.

    Raises
    ------
    BalanceError
        No such component, or a mistake in it; or it changes another and does not say where its data come from.
    """
    path = locate(what, name, shipped, folder, where)
    (_, data), *changes = read_layers(path, what, shipped)
    if WITHOUT in data:
        raise BalanceError(
            f"{path}: {WITHOUT}: there is nothing to take away from, for it extends nothing"
        )
    for origin, layer in changes:
        check_says_source(layer, str(origin))
        data = extend(model, data, {"name": origin.stem, **layer}, str(origin))
    return validate(model, {"name": path.stem, **data}, str(path))


def check_says_source(changes: Mapping[str, Any], where: str) -> None:
    """Refuse new data that don't say where they come from.

    Raises
    ------
    BalanceError
        They lack ``source`` or ``reconstruction``; names `where`.
    """
    if not {"source", "reconstruction"} <= set(changes):
        raise BalanceError(f"{where}: new data need their own `source` and `reconstruction`")


def resolve_components(
    rules: type[Settings],
    shelves: Mapping[str, str],
    home: Path,
    data: Mapping[str, Any],
    where: str,
    folder: Path,
) -> dict[str, Any]:
    """A merged rule set with every component read that it names; one that is there whole (as in `run.json`) stays.

    Parameters
    ----------
    rules : class
        The model of the whole, whose fields say what each component is.
    shelves : mapping
        Key to the folder in `home` where those lie that ship.
    where : str
        The rule set, for the error.
    folder : Path
        What paths are relative to.

    Raises
    ------
    BalanceError
        As `load_component`.
    """
    resolved = dict(data)
    for key, shelf in shelves.items():
        value = resolved.get(key)
        model, what = rules.model_fields[key].annotation, key.replace("_", " ")
        assert isinstance(model, type) and issubclass(model, Settings)
        if isinstance(value, str):
            component = load_component(model, home / shelf, what, value, where, folder)
            resolved[key] = component.model_dump(by_alias=True)
        elif key in resolved and not isinstance(value, Mapping):
            raise BalanceError(f"{where}: {what}: must be a name or path, got {value!r}")
    return resolved


def name_reconstructions(components: Mapping[str, Sourced]) -> list[str]:
    """One line for each component that is a reconstruction, with its source."""
    return [f"{name}: {found.source}" for name, found in components.items() if found.reconstruction]
