"""Games: found by scanning this folder and by the entry point group `balance.games`.

A game is one package. Its `__init__.py` says what it is (`GAME`, a `Game`) and imports nothing
heavy; everything else is in modules of fixed names that are imported when needed.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from balance.errors import unknown

if TYPE_CHECKING:
    import numpy as np


class RecordTypes(NamedTuple):
    """The NumPy record types of a game's compiled rules."""

    state: np.dtype
    weights: np.dtype
    game_columns: np.dtype
    seat_columns: np.dtype
    most_actions: int  # an upper bound of the legal actions in any decision


@dataclass(frozen=True)
class Game:
    """A game that can be played.

    Attributes
    ----------
    name : str
        As on the command line, e.g. ``na-grunwald``.
    title : str
    players : tuple of int
        Player counts.
    package : str
        The package with the game's modules:

        - ``kernel``: compiled ``setup``, ``legal_actions``, ``apply``, ``write_result``,
          ``evaluate``, the record types ``STATE``, ``WEIGHTS``, ``GAME_COLUMNS``,
          ``SEAT_COLUMNS`` and the bound ``MOST_ACTIONS``
        - ``rules``: ``load_rules``, ``Rules``, ``list_reconstructions``, ``game_columns``, ``PATH_KEYS``
        - ``packing``: ``pack_rules``
        - ``features``: ``FEATURES``, what a profile weighs, each with what it means
        - ``labels``: ``write_label``, ``kind_name``
        - ``observation``: ``observe``, ``redeal_hidden``
        - ``story``: ``say``, ``summarise`` and ``show``, a game in words and panels
        - ``measures``: ``SCORE_PARTS``, ``MEASURES``, ``CHOICES``, ``SECONDS_PER_CHOICE``, what is
          measured of this game alone
        - ``questions``: ``questions``, what its report asks of a run
        - ``report``: ``write_sections``, what reports show of this game alone

        and folders ``variants``, ``profiles`` and, where the game has them, ``decks``.
    summary : str
        One line for listings.
    """

    name: str
    title: str
    players: tuple[int, ...]
    package: str
    summary: str

    def module(self, name: str) -> Any:
        """One of the game's modules, imported now."""
        return importlib.import_module(f"{self.package}.{name}")

    @property
    def folder(self) -> Path:
        """Where the game's variants, profiles and decks lie."""
        spec = importlib.util.find_spec(self.package)
        assert spec is not None and spec.origin is not None
        return Path(spec.origin).parent

    def tables(self) -> list[str]:
        """Folders of TOML files that ship with the game: variants first, profiles last."""
        found = {path.parent.name for path in self.folder.glob("*/*.toml")}
        return sorted(found, key=lambda name: (name != "variants", name == "profiles", name))

    def shipped(self, kind: str) -> list[str]:
        """Names of the TOML files in the folder `kind`, e.g. ``variants``."""
        return sorted(path.stem for path in (self.folder / kind).glob("*.toml"))

    def compiled_functions(self) -> Mapping[str, Callable[..., Any]]:
        """The functions that the compiled loop calls."""
        kernel = self.module("kernel")
        names = ("setup", "legal_actions", "apply", "evaluate", "write_result")
        return {name: getattr(kernel, name) for name in names}

    def record_types(self) -> RecordTypes:
        """The record types of the compiled rules."""
        kernel = self.module("kernel")
        return RecordTypes(
            kernel.STATE,
            kernel.WEIGHTS,
            kernel.GAME_COLUMNS,
            kernel.SEAT_COLUMNS,
            kernel.MOST_ACTIONS,
        )


@cache
def find_games() -> dict[str, Game]:
    """All games by name."""
    found = [
        importlib.import_module(f"{__name__}.{module.name}").GAME
        for module in pkgutil.iter_modules(__path__)
        if module.ispkg
    ]
    found += [entry.load() for entry in entry_points(group="balance.games")]
    return {game.name: game for game in sorted(found, key=lambda game: game.name)}


def get_game(name: str) -> Game:
    """The game of that name.

    Raises
    ------
    BalanceError
        There is no such game; lists those that there are.
    """
    games = find_games()
    if name not in games:
        raise unknown("game", name, games)
    return games[name]
