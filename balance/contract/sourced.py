"""Components of a rule set that say where their data come from: decks, maps, card lists."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

from balance.errors import BalanceError
from balance.settings import Settings, find_file, read_toml, unknown_file, validate

Component = TypeVar("Component", bound=Settings)


class Sourced(Protocol):
    """What such a component has."""

    source: str
    reconstruction: bool


def load_component(
    model: type[Component], shipped: Path, what: str, name: str, where: str, folder: Path
) -> Component:
    """Read a component by the name of a file in `shipped`, or by path relative to `folder`.

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
        No such component, or a mistake in it.
    """
    path = find_file(name, shipped, folder)
    if path is None:
        raise unknown_file(what, name, [found.stem for found in shipped.glob("*.toml")], folder, where)
    return validate(model, {"name": path.stem, **read_toml(path)}, str(path))


def resolve_component(
    model: type[Component], shipped: Path, what: str, value: Any, where: str, folder: Path
) -> dict[str, Any]:
    """As `load_component`, of a component that a rule set names, or brings whole (as `run.json` does)."""
    if isinstance(value, str):
        return load_component(model, shipped, what, value, where, folder).model_dump(by_alias=True)
    if isinstance(value, Mapping):
        return dict(value)
    raise BalanceError(f"{where}: {what}: must be a name or path, got {value!r}")


def name_reconstructions(components: Mapping[str, Sourced]) -> list[str]:
    """One line for each component that is a reconstruction, with its source."""
    return [f"{name}: {found.source}" for name, found in components.items() if found.reconstruction]
