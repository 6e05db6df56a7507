"""The plan of a run as kept in `run.json`: described, compared and restored.

An error names the key that was changed there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from balance.contract.game import Game, get_game_of_run
from balance.contract.restrictions import Restriction
from balance.experiments.experiment import BOT_LIMITS, MAIN_TIER, Experiment, Games, TierKeys
from balance.experiments.networks import Encoded, Network, check_network
from balance.experiments.plan import Member, Plan, Tier, make_tier
from balance.experiments.planning import check_lineups, check_players, check_targets_fit
from balance.experiments.profiles import Profile, Temperature, Weights, check_profile
from balance.experiments.searchers import Search, check_search
from balance.experiments.strategies import Strategy
from balance.experiments.variants import Variant
from balance.foundation.errors import BalanceError, error_context, unknown
from balance.foundation.language import tr
from balance.foundation.toml import Settings, validate

_LATER = (*BOT_LIMITS, "tiers", "adapt", "question", "lang", "tune")
"""Keys of an experiment that may be missing: they do not affect games, or are newer than the schema and unused then."""


def describe_plan(plan: Plan) -> dict[str, Any]:
    """Return a plan as stored in `run.json`: enough to play it again without its source files."""
    variants, members = plan.variants, plan.members
    reconstructions = plan.game.rules.list_reconstructions
    return {
        "experiment": plan.experiment.model_dump(),
        "tiers": [tier.name for tier in plan.tiers],
        "base": plan.base.model_dump(by_alias=True),
        "variants": {each.name: each.rules.model_dump(by_alias=True) for each in variants},
        "reconstructions": {each.name: reconstructions(each.rules) for each in variants},
        **_describe_players(plan),
        **_describe_adapted(plan),
        "earlier": {tier.name: list(tier.earlier) for tier in plan.tiers if tier.earlier},
        **({"members": [member.model_dump() for member in members]} if members else {}),
        "points": plan.points,
        "cells": [
            {
                "cell": cell.number,
                "tier": cell.tier.name,
                "variant": cell.variant.name,
                "players": cell.players,
                "first_game_id": cell.first_id,
            }
            for cell in plan.cells
        ],
    }


def _describe_players(plan: Plan) -> dict[str, Any]:
    """Return the strategies and line-ups; without tiers in the format from before tiers existed."""
    if not plan.experiment.tiers:
        strategies = [strategy.describe() for strategy in plan.tier.strategies]
        return {"strategies": strategies, "lineups": plan.tier.lineups}
    named = [(tier.name, each) for tier in plan.tiers for each in tier.strategies]
    strategies = [{"tier": tier, **each.describe()} for tier, each in named]
    return {"strategies": strategies, "lineups": {tier.name: tier.lineups for tier in plan.tiers}}


def _describe_adapted(plan: Plan) -> dict[str, Any]:
    """Return what was trained: tier, variant, player count and strategy to tables, or to weights of networks."""
    found: dict[str, Any] = {}
    for tier in plan.tiers:
        for (variant, players), strategies in tier.adapted.items():
            profiles = {
                each.name: each.profile.model_dump(include=set(_Tables.model_fields))
                for each in strategies
                if each.profile
            }
            networks = {
                each.name: each.network.weights[str(players)]
                for each, before in zip(strategies, tier.strategies, strict=True)
                if each.network and each.network != before.network
            }
            found.setdefault(tier.name, {}).setdefault(variant, {})[str(players)] = profiles | networks
    return {"adapted": found} if found else {}


def differences(before: Mapping[str, Any], now: Mapping[str, Any], prefix: str = "") -> list[str]:
    """Return the dotted keys whose values differ."""
    found = []
    for key in dict.fromkeys([*before, *now]):
        old, new = before.get(key), now.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            found += differences(old, new, f"{prefix}{key}.")
        elif old != new:
            found.append(f"{prefix}{key}")
    return found


class _KeptStrategy(Settings):
    tier: str = MAIN_TIER
    name: str
    kind: Literal["random", "profile", "search", "network", "custom"]
    profile: Profile | None = None
    search: Search | None = None
    network: Network | None = None
    bot: str = ""
    restriction: Restriction | None = None

    @model_validator(mode="after")
    def _whole(self) -> _KeptStrategy:
        for kind, key, given in (
            ("profile", "`profile`", self.profile is not None),
            ("search", "`search`", self.search is not None),
            ("network", "`network`", self.network is not None),
            ("custom", "`bot` (FILE:CLASS)", ":" in self.bot),
        ):
            if (self.kind == kind) != given:
                raise ValueError(tr("a strategy of the kind {kind}, and no other, has a {key}", kind=kind, key=key))
        if self.restriction and self.kind in ("search", "custom"):
            raise ValueError(tr("a strategy of the kind {kind} can't have a `restriction`", kind=self.kind))
        return self


def _by_tier(lineups: Any) -> Any:
    return {MAIN_TIER: lineups} if isinstance(lineups, list) else lineups


class _Tables(Settings):
    """The weights and temperature of a trained profile."""

    weights: Weights
    settings: Weights
    temperature: Temperature | None = None  # older runs lack it: then the profile's own


class _Kept(Settings):
    """The output of `describe_plan`; further keys are allowed."""

    model_config = ConfigDict(extra="ignore")

    experiment: Experiment
    base: dict[str, Any]
    variants: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
    reconstructions: dict[str, list[str]]
    strategies: Annotated[list[_KeptStrategy], Field(min_length=1)]
    lineups: Annotated[dict[str, list[list[str]]], BeforeValidator(_by_tier)]
    points: dict[str, dict[str, Any]]
    adapted: dict[str, dict[str, dict[str, dict[str, _Tables | Encoded]]]] = Field(default={})
    earlier: dict[str, list[Games]] = Field(default={})
    members: list[Member] = Field(default=[])


def restore_plan(described: Mapping[str, Any], where: str = "run.json") -> Plan:
    """Return the plan that `describe_plan` described."""
    with error_context(where):
        kept = validate(_Kept, described, where)
        for key in Experiment.model_fields:
            if key not in described["experiment"] and key not in _LATER:
                # the default may differ from what was played
                raise BalanceError(tr("{where}: experiment.{key}: this key is required", where=where, key=key))
        return _restore(kept, where)


def _restore(kept: _Kept, where: str) -> Plan:
    experiment = kept.experiment
    game = get_game_of_run(experiment.game)
    check_players(experiment, game, f"{where}: experiment")
    model = game.rules.Rules
    base = validate(model, kept.base, f"{where}: base")
    variants = [
        Variant(name, validate(model, rules, f"{where}: variants.{name}")) for name, rules in kept.variants.items()
    ]
    tiers = [_tier(keys, kept, game, where) for keys in experiment.every_tier]
    plan = Plan(experiment, game, base, variants, tiers, kept.points, members=tuple(kept.members))
    _check_members(plan, where)
    names = [tier.name for tier in tiers]
    _check_known("tier", (each.tier for each in kept.strategies), names, f"{where}: strategies")
    _check_known("tier", kept.lineups, names, f"{where}: lineups")
    _check_known("tier", kept.earlier, names, f"{where}: earlier")
    for tier in tiers:
        strategies = [strategy.name for strategy in tier.strategies]
        for lineup in tier.lineups:
            _check_known("strategy", lineup, strategies, f"{where}: lineups")
        check_lineups(tier.lineups, len(strategies), experiment, where)
        targets = f"{where}: experiment.targets"
        check_targets_fit(plan.in_tier(tier.name, where), experiment.targets, targets)
    _check_points(plan, where)
    return plan


def _check_known(what: str, found: Iterable[str], names: Sequence[str], where: str) -> None:
    for name in found:
        if name not in names:
            raise unknown(what, name, names, where)


def _tier(keys: TierKeys, kept: _Kept, game: Game, where: str) -> Tier:
    own = [strategy for strategy in kept.strategies if strategy.tier == keys.name]
    if not own:
        raise BalanceError(tr("{where}: strategies: no strategy belongs to tier {tier}", where=where, tier=keys.name))
    strategies = _strategies(own, game, where)
    lineups = kept.lineups.get(keys.name, [])
    place = f"{where}: adapted.{keys.name}"
    adapted = {
        (variant, int(players)): _adapted(strategies, found, game, players, f"{place}.{variant}")
        for variant, counts in kept.adapted.get(keys.name, {}).items()
        for players, found in counts.items()
    }
    earlier = kept.earlier.get(keys.name, [])
    if earlier != sorted(earlier) or any(each > kept.experiment.most_games(keys) for each in earlier):
        raise BalanceError(
            tr("{where}: earlier.{tier}: must increase, to at most the number of games", where=where, tier=keys.name)
        )
    return make_tier(kept.experiment, keys, strategies, lineups, adapted, earlier)


def _adapted(
    strategies: Sequence[Strategy], trained: Mapping[str, _Tables | Encoded], game: Game, players: str, where: str
) -> list[Strategy]:
    """Return the strategies with their trained weights; a network without any plays unchanged."""
    found = []
    for each in strategies:
        own = trained.get(each.name)
        if each.network and isinstance(own, list):
            network = each.network.model_copy(update={"weights": {players: own}})
            check_network(network, game, f"{where}.{players}.{each.name}")
            each = replace(each, network=network)
        if each.profile and not isinstance(own, _Tables):
            raise BalanceError(tr("{where}: has no weights for {name}", where=where, name=each.name))
        if each.profile and isinstance(own, _Tables):
            changed = own.model_dump(exclude_none=True)
            profile = each.profile.model_copy(update=changed)
            check_profile(profile, game, where)
            each = replace(each, profile=profile)
        found.append(each)
    return found


def _strategies(kept: Sequence[_KeptStrategy], game: Game, where: str) -> list[Strategy]:
    names = [each.name for each in kept]
    if len(set(names)) < len(names):
        raise BalanceError(tr("{where}: strategies: two strategies have the same name", where=where))
    for number, each in enumerate(kept):
        if each.profile:
            check_profile(each.profile, game, f"{where}: strategies.{number}.profile")
        if each.search:
            check_search(each.search, game, f"{where}: strategies.{number}.search")
        if each.network:
            check_network(each.network, game, f"{where}: strategies.{number}.network")
    return [
        Strategy(each.name, each.kind, each.profile, each.bot, each.search, each.network, each.restriction)
        for each in kept
    ]


def _check_members(plan: Plan, where: str) -> None:
    """Refuse members whose games don't add up to the run's."""
    for tier in plan.tiers:
        if sum(games[tier.name] for games in plan.seeds.values()) != tier.most_games:
            raise BalanceError(
                tr("{where}: members: their games of tier {tier} don't add up", where=where, tier=tier.name)
            )


def _check_points(plan: Plan, where: str) -> None:
    _check_known("variant", plan.points, [each.name for each in plan.variants], f"{where}: points")
    for name, point in plan.points.items():
        if set(point) != set(plan.experiment.sweep):
            raise BalanceError(
                tr("{where}: points.{name}: its keys are not those of experiment.sweep", where=where, name=name)
            )
