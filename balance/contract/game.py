"""Games: found in `balance.games` and by the entry point group of that name, and checked when loaded.

A game is one package. Its `__init__.py` defines `GAME` (a `Game`) and imports nothing slow. Its five modules
(`balance.contract.modules`) are imported when they are needed, so listing games stays fast.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import entry_points
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from balance.contract.own_games import has_game, is_own_game, load_own_game, place_of_game
from balance.contract.sides import Sides
from balance.foundation.errors import BalanceError, say_error, unknown
from balance.foundation.language import tr, trc

if TYPE_CHECKING:
    import numpy as np

    from balance.contract.analytics import Component, ComponentKernel, OptionSet, Style
    from balance.contract.modules import (
        AnalyticsModule,
        Compiled,
        DisplayModule,
        HeuristicsModule,
        KernelModule,
        RulesModule,
    )

GROUP = "balance.games"
_COMPONENT_FUNCTIONS = ("MOST_COMPONENTS", "count_components", "give_component")


class Records(NamedTuple):
    """The NumPy record types of a game's compiled rules, see `balance.contract.records`."""

    state: np.dtype
    log: np.dtype
    scratch: np.dtype
    weights: np.dtype
    game_row: np.dtype
    seat_row: np.dtype
    network: np.dtype
    most_actions: int


class NetworkNames(NamedTuple):
    """The features of a position and of an action to their meanings, and the kinds of decision (heads)."""

    context: Mapping[str, str]
    action: Mapping[str, str]
    heads: Sequence[str]


@dataclass(frozen=True)
class Game:
    """A game that can be played."""

    name: str  # name on the command line, e.g. ``na-grunwald``
    title: str
    players: tuple[int, ...]  # player counts
    # The package with the game's five modules and folders of TOML files: ``variants`` with a ``base``, ``profiles``,
    # and further folders of the game.
    package: str
    summary: str  # one line for listings

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the name alone: another process, as a worker of a cluster, finds the game itself."""
        return get_game, (self.name,)

    @property
    def own_loop(self) -> type | None:
        """The class that plays the game in place of the compiled loop; None for compiled rules."""
        return None

    @property
    def page(self) -> str:
        """The page that says how to write such a game."""
        return "docs/games.md"

    @property
    def sides(self) -> Sides:
        """Who wins together; by default each seat wins alone."""
        return Sides()

    @property
    def observing_module(self) -> str:
        """The module that a bot's process imports to read observations; "" if they need none."""
        return f"{self.package}.display"

    @cached_property
    def rules(self) -> RulesModule:
        """The rule set as checked data."""
        from balance.contract.rule_tables import with_defaults

        return cast("RulesModule", self._module("rules", lambda module: with_defaults(module, self.folder)))

    @cached_property
    def kernel(self) -> KernelModule:
        """The compiled rules."""
        return cast("KernelModule", self._module("kernel"))

    @cached_property
    def heuristics(self) -> HeuristicsModule:
        """The features that bots weigh."""
        return cast("HeuristicsModule", self._module("heuristics"))

    @cached_property
    def display(self) -> DisplayModule:
        """Labels, observations, words and panels."""
        from balance.contract.view import with_labels

        return cast("DisplayModule", self._module("display", with_labels))

    @cached_property
    def analytics(self) -> AnalyticsModule:
        """The measures of this game alone."""
        return cast("AnalyticsModule", self._module("analytics"))

    def _module(self, name: str, complete: Callable[[Any], Any] = lambda module: module) -> Any:
        """Return a module of the game; `complete` adds the names that have defaults."""
        from balance.contract.modules import missing_names

        path = f"{self.package}.{name}"
        try:
            module = complete(importlib.import_module(path))
        except ModuleNotFoundError as error:
            if error.name != path:
                raise self.fault(self._say_import(path, error)) from error
            raise self.fault(tr("there is no {name}", name=path)) from None
        except BalanceError:
            raise
        except Exception as error:  # a third-party module may raise anything
            raise self.fault(self._say_import(path, error)) from error
        if missing := missing_names(name, module):
            raise self.fault(tr("{name} lacks {missing}", name=path, missing=", ".join(missing)))
        return module

    def _say_import(self, path: str, error: Exception) -> str:
        """Return in one line why a module can't be imported: the game's file and line, and the error."""
        why = say_error(error, self.folder, path)
        return tr("{name} can't be imported: {why}", name=path, why=why)

    def fault(self, what: str) -> BalanceError:
        """Return the error for a game that breaks the contract."""
        return BalanceError(tr("game {game}: {what} (see {page})", game=self.name, what=what, page=self.page))

    @property
    def folder(self) -> Path:
        """The folder of the game's variants, profiles and other files."""
        spec = importlib.util.find_spec(self.package)
        assert spec is not None and spec.origin is not None
        return Path(spec.origin).parent

    def data_folders(self) -> list[str]:
        """Folders of TOML files that ship with the game: variants first, profiles last."""
        found = {path.parent.name for path in self.folder.glob("*/*.toml")}
        return sorted(found, key=lambda name: (name != "variants", name == "profiles", name))

    def shipped(self, *kinds: str) -> list[str]:
        """Return the names of the TOML files in folders, e.g. ``variants``, folder by folder."""
        return [name for kind in kinds for name in sorted(path.stem for path in (self.folder / kind).glob("*.toml"))]

    @cached_property
    def compiled_functions(self) -> Mapping[str, Compiled]:
        """The functions that the compiled loop calls, by name."""
        from balance.contract.defaults import choice_block
        from balance.contract.modules import QUICKER

        names = ("setup", "legal_actions", "apply", "write_result", "evaluate", *QUICKER)
        parts = (self.kernel, self.heuristics)
        found = {name: getattr(part, name) for part in parts for name in names if hasattr(part, name)}
        return {"choice_block": getattr(self.kernel, "choice_block", choice_block), **found}

    @cached_property
    def search_functions(self) -> Mapping[str, Compiled]:
        """The further functions that the searcher calls, with defaults for those that the game does not have."""
        from balance.contract.defaults import HEURISTICS, KERNEL

        return {
            "conceal": self.kernel.conceal,
            "determinize": self.kernel.determinize,
            **{name: getattr(self.kernel, name, default) for name, default in KERNEL.items()},
            **{name: getattr(self.heuristics, name, default) for name, default in HEURISTICS.items()},
        }

    @cached_property
    def component_functions(self) -> Mapping[str, Compiled]:
        """The functions that count and give components; empty if the game has none."""
        names = ("count_components", "give_component")
        return {name: getattr(self.kernel, name) for name in names if hasattr(self.kernel, name)}

    @cached_property
    def position(self) -> Mapping[str, str]:
        """The features of a position, which `estimate` fills, with their meanings; empty if the game has none."""
        return getattr(self.heuristics, "POSITION", {})

    @cached_property
    def network_features(self) -> NetworkNames:
        """The names of the features of networks, with their meanings; empty if the game has none."""
        from balance.contract.records import SHORTLIST_FEATURES

        if not hasattr(self.heuristics, "describe_action"):
            return NetworkNames({}, {}, ())
        own: Any = self.heuristics
        return NetworkNames(own.CONTEXT, {**SHORTLIST_FEATURES, **own.ACTION}, tuple(own.HEADS))

    @cached_property
    def network_functions(self) -> Mapping[str, Compiled]:
        """The functions that describe a decision to a network; empty if the game has none."""
        names = ("context", "describe_action")
        return {name: getattr(self.heuristics, name) for name in names if hasattr(self.heuristics, name)}

    @cached_property
    def column_names(self) -> Mapping[str, Sequence[str]]:
        """The names of the columns of each field that is an array."""
        return self.kernel.COLUMNS.names

    @cached_property
    def column_meanings(self) -> Mapping[str, Mapping[str, str]]:
        """The meanings of the game's own columns, by table and name."""
        return {**self.kernel.COLUMNS.meanings, "trace": getattr(self.kernel, "PARTS", {})}

    def rule_columns(self, rules: Any) -> dict[str, str]:
        """Return the columns of the games table that a rule set fixes."""
        return {name: attrgetter(key)(rules) for name, key, _ in self.kernel.COLUMNS.rules}

    @cached_property
    def records(self) -> Records:
        """The record types of the compiled rules; an error if a field or bound breaks the contract."""
        import numpy as np

        from balance.contract.modules import find_faults
        from balance.contract.records import NetworkFeatures, network_type, scratch_type

        kernel, heuristics = self.kernel, self.heuristics
        compiled = self.own_loop is None
        faults = find_faults(self.players, kernel, heuristics, self.analytics, needs_features=compiled)
        if "base" not in self.shipped("variants"):
            faults.append(tr("{name} is missing", name="variants/base.toml"))
        if faults:
            raise self.fault("; ".join(faults))
        log, most = kernel.LOG, kernel.MOST_ACTIONS
        sizes = NetworkFeatures(*(max(1, len(names)) for names in self.network_features))
        own = [*kernel.SCRATCH, *heuristics.SCRATCH]
        scratch = scratch_type(own, most, len(self.position), sizes)
        weighed = (*heuristics.FEATURES, *heuristics.SETTINGS)
        weights = np.dtype([(name, "f8") for name in weighed], align=True)
        rows = log["game"], log["seats"].base
        return Records(kernel.STATE, log, scratch, weights, *rows, network_type(sizes), most)


def find_games() -> dict[str, Game]:
    """Return all games by name, without those that can't be loaded or that have the name of a shipped game."""
    return find_installed()[0]


def find_faulty() -> dict[str, str]:
    """Return the names of entry points that can't be played, and why."""
    return find_installed()[1]


@cache
def find_installed() -> tuple[dict[str, Game], dict[str, str]]:
    """Return the games by name, and by name what is wrong with those that can't be loaded."""
    home = importlib.import_module(GROUP)
    shipped = [module.name for module in pkgutil.iter_modules(home.__path__) if module.ispkg]
    games = {game.name: game for game in (importlib.import_module(f"{GROUP}.{m}").GAME for m in shipped)}
    faulty: dict[str, str] = {}
    for entry in entry_points(group=GROUP):
        try:
            game = entry.load()
        except Exception as error:  # of a third-party module; other games must still play
            faulty[entry.name] = f"{type(error).__name__}: {error}"
            continue
        if not isinstance(game, Game):
            faulty[entry.name] = f"{entry.value} is a {type(game).__name__}, not a Game"
        elif game.name in games:
            faulty[entry.name] = f"{entry.value}: the name {game.name!r} is taken by another game"
        else:
            games[game.name] = game
    return dict(sorted(games.items())), faulty


def get_game(name: str, folder: Path | None = None) -> Game:
    """Return the game with this name; an error lists the games, or says why this one can't be loaded.

    A path, such as ``./mygame``, is the folder of a game in plain Python; relative paths start in `folder` (default:
    the current one). Its code runs.
    """
    if is_own_game(name):
        own: Game = load_own_game(name, folder or Path())
        return own
    games = find_games()
    if name in games:
        return games[name]
    if name in (faulty := find_faulty()):
        raise BalanceError(tr("game {game}: {why}", game=name, why=faulty[name]))
    if has_game(Path() / name):
        raise BalanceError(
            tr("unknown game {name!r}; to play the game in this folder, write {path}", name=name, path=f"./{name}")
        )
    raise unknown(trc("of a board", "game"), name, games)


def get_game_of_run(name: str) -> Game:
    """Return the game that a saved folder names, a run's or people's; code runs only if the user has named its folder.

    Whatever reads a folder that somebody else may have written gets its game here, never from `get_game`.
    """
    return get_game(place_of_game(name) if is_own_game(name) else name)


def options_of(game: Game) -> Sequence[OptionSet]:
    """Return the options that a game lists, as ``OPTIONS`` of its analytics; empty if there are none."""
    found: Sequence[OptionSet] = getattr(game.analytics, "OPTIONS", ())
    return found


def styles_of(game: Game) -> Mapping[str, Style]:
    """Return the styles of named profiles, as ``STYLES`` of the game's analytics; empty if there are none."""
    found: Mapping[str, Style] = getattr(game.analytics, "STYLES", {})
    return found


def faction_column(game: Game) -> str:
    """Return the column of the seats table with the faction of a seat; "" if the game has no factions.

    A game with factions, such as dynasties or roles, has two names in its analytics: ``FACTION``, this column, and
    ``list_factions(rules)``, its values with their names on pages.
    """
    return str(getattr(game.analytics, "FACTION", ""))


def list_factions(game: Game, rules: Any) -> Mapping[str, str]:
    """Return the factions of a rule set with their names on pages; empty if the game has none."""
    if not faction_column(game):
        return {}
    lister: Callable[[Any], Mapping[str, str]] = game.analytics.list_factions  # type: ignore[attr-defined]
    return lister(rules)


def component_kernel(game: Game) -> ComponentKernel:
    """Return the kernel of a game that has components."""
    return cast("ComponentKernel", game.kernel)


def components_of(game: Game, rules: Any) -> list[Component]:
    """Return the components of a rule set in the order of their numbers; empty if the game has none."""
    lister: Callable[[Any], list[Component]] | None = getattr(game.analytics, "list_components", None)
    missing_names = [name for name in _COMPONENT_FUNCTIONS if not hasattr(game.kernel, name)]
    if lister is None and len(missing_names) == len(_COMPONENT_FUNCTIONS):
        return []
    if lister is None or missing_names:
        parts = ["analytics.list_components"] * (lister is None) + [f"kernel.{each}" for each in missing_names]
        raise game.fault(f"components: {', '.join(parts)} is missing")
    found = list(lister(rules))
    if len(found) > component_kernel(game).MOST_COMPONENTS:
        raise game.fault(f"components: list_components has {len(found)}, more than MOST_COMPONENTS")
    if any(not each.given for each in found) and not hasattr(game.kernel, "remove_component"):
        raise game.fault("components: kernel.remove_component is missing; components that are not given need it")
    return found
