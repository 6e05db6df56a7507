"""Strategies by name: `random`, a profile (weights from TOML), `search-N`, a TOML file, or a class in a Python file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.game import Game
from balance.contract.records import blank
from balance.contract.restrictions import Restriction, make_classifier, restrictions_of
from balance.engine.buffers import EXTERNAL, GREEDY, NETWORK, RANDOM, SEARCH, STRATEGY, Searchers
from balance.engine.loop import NETWORKS, PLAIN, SEARCHES
from balance.engine.restricting import MOST_RESTRICTIONS, Classify
from balance.experiments.networks import (
    EXPERT,
    Network,
    check_expert_trained,
    check_network_plays,
    count_networks,
    load_network,
)
from balance.experiments.profiles import (
    CHAMPION,
    RANDOM_NAME,
    STRATEGY_FOLDERS,
    Profile,
    check_has_weights,
    fill_weights,
    read_profile,
)
from balance.experiments.searchers import Search, check_players_known, load_search, named_search, pack_searchers
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.files import MOST_BYTES, check_regular, resolve_path
from balance.foundation.language import tr
from balance.foundation.toml import find_file, read_toml, unknown_file

KINDS = {"random": RANDOM, "profile": GREEDY, "search": SEARCH, "network": NETWORK, "custom": EXTERNAL}
"""Kinds of strategies, and their numbers for the compiled loop."""
WITHOUT = " without "  # between the name of a strategy and that of its restriction


@dataclass(frozen=True)
class Strategy:
    """A strategy of a run."""

    name: str  # as logged
    kind: str  # one of `KINDS`
    profile: Profile | None = None
    bot: str = ""  # `FILE:CLASS` of a custom bot, the file absolute
    search: Search | None = None
    network: Network | None = None
    restriction: Restriction | None = None

    def without(self, name: str, restriction: Restriction) -> Strategy:
        """Return the strategy with a restriction called `name`; searchers and Python bots can't have one."""
        if self.kind in ("search", "custom") or self.restriction:
            why = tr("it has one") if self.restriction else tr("only profiles, networks and random can have one")
            raise BalanceError(
                tr(
                    "strategy {name!r} can't have the restriction {restriction!r}: {why}",
                    name=self.name, restriction=name, why=why,
                )
            )  # fmt: skip
        return replace(self, name=f"{self.name}{WITHOUT}{name}", restriction=restriction)

    def heated(self, temperature: float) -> Strategy:
        """Return the strategy with its profile or network, if it has one, at a temperature."""
        warmer = {"temperature": temperature}
        if self.network:
            return replace(self, network=self.network.model_copy(update=warmer))
        if self.profile:
            return replace(self, profile=self.profile.model_copy(update=warmer))
        return self

    @property
    def uses_networks(self) -> bool:
        """Whether it is a network, or a searcher with one."""
        return self._network is not None

    @property
    def _network(self) -> Network | None:
        return self.network or (self.search.network if self.search else None)

    def networks(self, players: int) -> int:
        """Return how many networks play it, one on each deal; 1 if it has none."""
        return count_networks(self._network, players)

    def describe(self) -> dict[str, Any]:
        """Return the strategy as stored in `run.json`: enough to play it again."""
        described: dict[str, Any] = {"name": self.name, "kind": self.kind}
        if self.profile:
            described["profile"] = self.profile.model_dump()
        if self.search:
            described["search"] = self.search.model_dump()
        if self.network:
            described["network"] = self.network.model_dump()
        if self.bot:
            described["bot"] = self.bot
        if self.restriction:
            described["restriction"] = self.restriction.model_dump()
        return described


def load_strategy(game: Game, name: str, folder: Path) -> Strategy:
    """Load a strategy by name, path or ``FILE.py:CLASS``, or one of them ``without`` a restriction of the game."""
    own, without, restriction = name.rpartition(WITHOUT)
    if without:
        named = restrictions_of(game)
        if restriction not in named:
            raise unknown(
                tr("restriction of {game}", game=game.name), restriction, named, tr("strategy {name!r}", name=name)
            )
        return load_strategy(game, own, folder).without(restriction, named[restriction])
    if name == RANDOM_NAME:
        return Strategy(RANDOM_NAME, "random")
    if ".py:" in name:
        return _find_custom(name, folder)
    if search := named_search(game, name):
        return Strategy(name, "search", search=search)
    places = (game.folder / kind for kind in STRATEGY_FOLDERS)
    path = next(filter(None, (find_file(name, place, folder) for place in places)), None)
    check_expert_trained(game, name)
    if path is None and name == EXPERT and CHAMPION in game.shipped(*STRATEGY_FOLDERS):
        return load_strategy(game, CHAMPION, folder)  # see `Plan.lacks_expert`
    if path is None:
        known = [RANDOM_NAME, "search-100", *game.shipped(*STRATEGY_FOLDERS)]
        raise unknown_file(tr("{game} strategy", game=game.name), name, known, folder)
    data = read_toml(path)
    if data.get("kind") == "search":
        return Strategy(path.stem, "search", search=load_search(game, data, path))
    if data.get("kind") == "network":
        return Strategy(path.stem, "network", network=load_network(game, data, path))
    return Strategy(path.stem, "profile", read_profile(game, data, str(path)))


def check_plays(strategy: Strategy, players: Sequence[int]) -> None:
    """Refuse player counts for which a strategy has no weights."""
    where = f"strategy {strategy.name}"
    if strategy.profile:
        check_has_weights(strategy.profile, players, where)
    if strategy.search:
        check_players_known(strategy.search, players, where)
    if strategy.network:
        check_network_plays(strategy.network, players, where)


def level_of(strategies: Sequence[Strategy]) -> int:
    """Return what a loop needs for these strategies: `PLAIN`, `NETWORKS` or `SEARCHES` of the engine."""
    if any(strategy.search for strategy in strategies):
        return SEARCHES
    return NETWORKS if any(strategy.network for strategy in strategies) else PLAIN


def load_strategies(game: Game, names: Sequence[str], folder: Path) -> list[Strategy]:
    """Load all strategies of a run, each name once."""
    loaded: dict[str, Strategy] = {}
    for name in dict.fromkeys(names):
        strategy = load_strategy(game, name, folder)
        if "," in strategy.name:
            raise BalanceError(
                tr("strategy {name!r}: a name must not contain a comma; rename the file", name=strategy.name)
            )
        if strategy.name in loaded:
            raise BalanceError(tr("two strategies are called {name!r}; rename one", name=strategy.name))
        loaded[strategy.name] = strategy
    return list(loaded.values())


def _find_custom(name: str, folder: Path) -> Strategy:
    file, _, class_name = name.rpartition(":")
    path = resolve_path(file, folder)
    check_regular(path, MOST_BYTES)
    if not class_name.isidentifier():
        raise BalanceError(tr("strategy {name!r}: write FILE.py:CLASS", name=name))
    return Strategy(class_name, "custom", bot=f"{path}:{class_name}")


def list_restrictions(strategies: Sequence[Strategy]) -> list[Restriction]:
    """Return the different restrictions of strategies, in the order of their numbers for the compiled loop."""
    found: list[Restriction] = []
    for strategy in strategies:
        if strategy.restriction and strategy.restriction not in found:
            found.append(strategy.restriction)
    if len(found) > MOST_RESTRICTIONS:
        raise BalanceError(
            tr(
                "{count} restrictions, but strategies that play together can have at most {most}",
                count=len(found),
                most=MOST_RESTRICTIONS,
            )
        )
    return found


def classifier_of(game: Game, rules: Any, strategies: Sequence[Strategy]) -> Classify | None:
    """Return what a loop needs to know which actions the strategies' restrictions concern; None if they have none."""
    restrictions = list_restrictions(strategies)
    return make_classifier(game, rules, restrictions) if restrictions else None


Packed = tuple[np.recarray, np.recarray, Searchers | None]


def pack_strategies(game: Game, strategies: Sequence[Strategy], players: int) -> Packed:
    """Return records of the strategies, in order, for the compiled loop at a player count.

    They are the strategies (STRATEGY); their weights, for a searcher or network those of its shortlist; and the records
    of searchers and networks, None if there are none.
    """
    packed = blank(len(strategies), STRATEGY)
    weights = blank(len(strategies), game.records.weights)
    restrictions = list_restrictions(strategies)
    for number, strategy in enumerate(strategies):
        packed.kind[number] = KINDS[strategy.kind]
        if strategy.restriction:
            packed.restriction[number] = 1 + restrictions.index(strategy.restriction)
            packed.at_most[number] = strategy.restriction.at_most
        profile = strategy.profile
        if strategy.profile:
            packed.temperature[number] = strategy.profile.temperature
        if strategy.network:
            packed.temperature[number] = strategy.network.temperature
            profile = strategy.network.profile
        if strategy.search:
            profile = strategy.search.prior
        if profile:
            fill_weights(weights, number, profile, game, players)
    searches = [strategy.search for strategy in strategies]
    networks = [each.network or (each.search.network if each.search else None) for each in strategies]
    if not any(searches) and not any(networks):
        return packed, weights, None
    return packed, weights, pack_searchers(game, searches, networks, players)
