"""Components of a rule set that say where their data come from: decks, maps, card lists."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field

from balance.contract.extending import WITHOUT, check_entries, extend
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
        No such component, or a mistake in it; or it changes another and does not say where its data come from, or
        says that they are no reconstruction although those that stay are.
    """
    path = locate(what, name, shipped, folder, where)
    (first, data), *changes = read_layers(path, what, shipped)
    if WITHOUT in data:
        raise BalanceError(
            f"{path}: {WITHOUT}: there is nothing to take away from, for it extends nothing"
        )
    check_entries(model, data, str(first))
    for origin, layer in changes:
        check_says_source(layer, str(origin), data.get("reconstruction") is True)
        data = extend(model, data, {"name": origin.stem, **layer}, str(origin))
    return validate(model, {"name": path.stem, **data}, str(path))


def check_says_source(changes: Mapping[str, Any], where: str, guessed: bool) -> None:
    """Refuse new data that don't say where they come from, or that hide a guess.

    Parameters
    ----------
    guessed : bool
        Whether data of a reconstruction stay among the new.

    Raises
    ------
    BalanceError
        They lack ``source`` or ``reconstruction``, or say that they are no reconstruction though `guessed`; names
        `where`.
    """
    if not {"source", "reconstruction"} <= set(changes):
        raise BalanceError(f"{where}: new data need their own `source` and `reconstruction`")
    if guessed and changes["reconstruction"] is False:
        raise BalanceError(
            f"{where}: reconstruction: must be true, because guessed data of what it extends stay; "
            "give all data yourself to say false"
        )


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


def say_words(effect: str, needed: Mapping[str, str], given: Collection[str]) -> str:
    """Return what is wrong with the words of a card's effect, and what to write.

    Parameters
    ----------
    needed : mapping
        Each word that the effect takes, to an example of how a card writes it.
    given : collection of str
        The words that the card has.
    """
    add = [example for word, example in needed.items() if word not in given]
    drop = [word for word in given if word not in needed]
    says = [f"write {', '.join(sorted(add))}"] if add else []
    says += [f"leave out {', '.join(sorted(drop))}"] if drop else []
    return f"effect {effect!r} takes {', '.join(sorted(needed)) or 'nothing more'}: {' and '.join(says)}"
