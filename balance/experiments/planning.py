"""Turn an experiment into its plan: expand sweeps, look up all names and check them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from balance.contract.analytics import Measure
from balance.contract.game import Game, get_game
from balance.contract.sides import WINS
from balance.engine.custom import check_bot
from balance.experiments.experiment import Experiment, TierKeys
from balance.experiments.lineups import check_pool
from balance.experiments.measures import find_measure
from balance.experiments.plan import Plan, Tier, make_tier
from balance.experiments.strategies import Strategy, check_plays, load_strategies
from balance.experiments.targets import Target
from balance.experiments.variants import Variant, load_changed, load_variant
from balance.foundation.errors import BalanceError, error_context, unknown
from balance.foundation.language import tr
from balance.foundation.text import listed

_MOST_POINTS = 400
Point = dict[str, Any]


def _make_points(
    game: Game, start: str, sweep: Mapping[str, Sequence[Any]], folder: Path, where: str
) -> list[tuple[Variant, Point]]:
    """Return a variant for every combination of values, based on the variant `start`."""
    grid = [dict(zip(sweep, values, strict=True)) for values in product(*sweep.values())]
    if len(grid) > _MOST_POINTS:
        raise BalanceError(
            tr(
                "{where}: sweep: {points} points, but at most {most} are allowed",
                where=where, points=len(grid), most=_MOST_POINTS,
            )
        )  # fmt: skip
    where = f"{where}: sweep"
    return [(load_changed(game, start, point, folder, name_of(point), where), point) for point in grid]


def name_of(point: Mapping[str, Any]) -> str:
    """Return a point's name as a variant, e.g. ``start.cards=6``."""
    return ", ".join(f"{key}={value}" for key, value in point.items())


def make_plan(experiment: Experiment, folder: Path, where: str) -> Plan:
    """Look up everything an experiment names; paths are relative to `folder`."""
    with error_context(where):
        game = get_game(experiment.game, folder)
        experiment = experiment.model_copy(update={"game": game.name})  # a path, from anywhere
        _ = game.records  # report a game that breaks the contract before anything is written
        check_players(experiment, game, where)
        for keys in experiment.every_tier:
            place = _name(keys, experiment, where)
            check_lineups(keys.lineups, len(keys.strategies), experiment, place)
        variants = [load_variant(game, name, folder) for name in experiment.variants]
        if len({variant.name for variant in variants}) < len(variants):
            raise BalanceError(tr("{where}: variants: two files have the same name", where=where))
        points = _sweep(experiment, game, variants, folder, where)
        tiers = [
            _make_tier(keys, experiment, game, folder, _name(keys, experiment, where)) for keys in experiment.every_tier
        ]
        base = load_variant(game, "base", folder).rules
        plan = Plan(experiment, game, base, variants, tiers, points, bots_allowed=True)
        for keys in experiment.every_tier:
            named, own = _name(keys, experiment, where), plan.in_tier(keys.name, where)
            check_targets_fit(own, experiment.targets, f"{named}: targets")
            _check_can_stop(own, named)
        return plan


def _check_can_stop(plan: Plan, where: str) -> None:
    """Refuse a stop rule where no number of games decides seats.

    Where several networks play, more games do not show how far other networks would differ. Where strategies keep
    their seats, seats can't be told apart from strategies.
    """
    if plan.experiment.stop and plan.unmixed:
        raise BalanceError(
            tr(
                "{where}: stop: each strategy keeps its seat, so seats can't be told apart from strategies; leave out "
                "[stop] or rotate = false",
                where=where,
            )
        )
    if plan.experiment.stop and plan.has_networks_apart:
        raise BalanceError(
            tr(
                "{where}: stop: {strategy} has several networks, and more games do not show how far other networks "
                "would differ; leave out [stop], or choose other strategies",
                where=where,
                strategy=plan.tier.strategies[0].name,
            )
        )


def _name(keys: TierKeys, experiment: Experiment, where: str) -> str:
    """Return the place of a mistake: the tier, if there are tiers."""
    return f"{where}: tier {keys.name}" if experiment.tiers else where


def _make_tier(keys: TierKeys, experiment: Experiment, game: Game, folder: Path, where: str) -> Tier:
    with error_context(where):
        strategies = load_strategies(game, keys.named, folder)
        names = dict.fromkeys(keys.named)
        logged = {name: strategy.name for name, strategy in zip(names, strategies, strict=True)}
        lineups = [[logged[name] for name in lineup] for lineup in keys.lineups]
        for strategy in strategies:
            check_plays(strategy, experiment.players)
            if strategy.bot:
                check_bot(strategy.bot, experiment.bot_limits)
        for key in ("loss", "adapt"):
            if getattr(keys, key):
                game.sides.require(key, (WINS,))
        _check_has_profiles(keys, strategies)
        _check_adapts(game, keys, strategies)
        _check_restrictions(keys, strategies)
        if keys.temperature is not None:
            strategies = [strategy.heated(keys.temperature) for strategy in strategies]
    return make_tier(experiment, keys, strategies, lineups)


def _check_has_profiles(keys: TierKeys, strategies: Sequence[Strategy]) -> None:
    """Refuse keys for profiles and networks if none plays; searchers, random and Python bots have no weights.

    Mistakes (`loss`) are for profiles only.
    """
    given = {"temperature": keys.temperature is not None, "loss": keys.loss, "adapt": keys.adapt}
    wrong = [key for key in given if given[key]]
    if not wrong or any(strategy.profile for strategy in strategies):
        return
    if wrong[0] == "loss":
        raise BalanceError(tr("loss: applies to profiles, but no profile plays"))
    if not any(strategy.network for strategy in strategies):
        raise BalanceError(
            tr("adapt: trains profiles and networks, but none plays")
            if wrong[0] == "adapt"
            else tr("{key}: applies to profiles and networks, but none plays", key=wrong[0])
        )


def _check_adapts(game: Game, keys: TierKeys, strategies: Sequence[Strategy]) -> None:
    """Refuse `adapt` for the networks of a game in plain Python, which learn from nothing."""
    if keys.adapt and game.own_loop and any(each.network for each in strategies):
        raise BalanceError(
            tr(
                "adapt: {game} has no networks that learn on; train some by the rules of the variant: {command}",
                game=game.title,
                command="balance train network --variant NAME",
            )
        )


def _check_restrictions(keys: TierKeys, strategies: Sequence[Strategy]) -> None:
    """Refuse `loss` for restricted strategies, and `adapt` for restricted networks: neither knows restrictions."""
    restricted = [each for each in strategies if each.restriction]
    for key, wrong in (
        ("loss", restricted if keys.loss else []),
        ("adapt", [each for each in restricted if each.network and keys.adapt]),
    ):
        if wrong:
            raise BalanceError(tr("{key}: does not apply to {name}; leave out `{key}`", key=key, name=wrong[0].name))


def check_players(experiment: Experiment, game: Game, where: str) -> None:
    """Refuse player counts that the game does not have."""
    for players in experiment.players:
        if players not in game.players:
            counts = ", ".join(map(str, game.players))
            raise BalanceError(
                tr(
                    "{where}: players: {game} has no {players}-player game (there are: {counts})",
                    where=where,
                    game=game.name,
                    players=players,
                    counts=counts,
                )
            )


def check_targets_fit(
    plan: Plan, targets: Sequence[Target], where: str, followed: Mapping[str, Measure] | None = None
) -> None:
    """Refuse targets that don't apply to a run of this plan; measures of `followed` games only if given."""
    variants = [variant.name for variant in plan.variants]
    for target in targets:
        measure = (followed or {}).get(target.measure) or find_measure(plan, target.measure, where)
        if target.within is not None and not measure.is_split_share:
            raise BalanceError(
                tr(
                    "{where}: `within` is for win shares; {measure} takes `least` and `most`",
                    where=where,
                    measure=target.measure,
                )
            )
        for players in target.players:
            if players not in plan.experiment.players:
                raise BalanceError(
                    tr(
                        "{where}: {measure}: the run has no {players}-player games",
                        where=where, measure=target.measure, players=players,
                    )
                )  # fmt: skip
        for name in target.variants:
            if name not in variants:
                raise unknown("variant", name, variants, where)
        for name in target.groups if measure.groups else ():
            if name not in dict(measure.groups):
                raise unknown("faction", name, list(dict(measure.groups)), where)


def _sweep(
    experiment: Experiment, game: Game, variants: list[Variant], folder: Path, where: str
) -> dict[str, dict[str, Any]]:
    """Add the points of a sweep to `variants`; a point that changes nothing is the start variant."""
    if not experiment.sweep:
        return {}
    start, points, seen = variants[0], {}, dict[tuple[bytes, ...], str]()
    for variant, point in _make_points(game, experiment.variants[0], experiment.sweep, folder, where):
        rules = pack_for(game, variant, experiment.players)
        if rules in seen:
            raise _no_sweep(seen[rules], variant.name, experiment, where)
        seen[rules] = variant.name
        if rules == pack_for(game, start, experiment.players):
            points[start.name] = point
        else:
            points[variant.name] = point
            variants.append(variant)
    if len(points) == 1 and start.name in points:
        raise _no_sweep(start.name, next(iter(seen.values())), experiment, where)
    return points


def pack_for(game: Game, variant: Variant, players: Sequence[int]) -> tuple[bytes, ...]:
    """Return everything in a variant's rules that affects games, for each player count."""
    return tuple(game.kernel.pack_rules(variant.rules, count).tobytes() for count in players)


def equal_cells(plan: Plan, baseline: str) -> set[tuple[int, str]]:
    """Return player count and name of the variants that play the same games as the baseline.

    Their rules are the same at this player count, and no strategy was prepared for a variant.
    """
    if plan.tier.is_prepared:
        return set()
    (start,) = (variant for variant in plan.variants if variant.name == baseline)
    others = [variant for variant in plan.variants if variant is not start]
    found: set[tuple[int, str]] = set()
    for players in plan.experiment.players if others else ():
        rules = pack_for(plan.game, start, [players])
        same = (each for each in others if pack_for(plan.game, each, [players]) == rules)
        found |= {(players, variant.name) for variant in same}
    return found


def _no_sweep(one: str, other: str, experiment: Experiment, where: str) -> BalanceError:
    return BalanceError(
        tr(
            "{where}: sweep: {one} and {other} are the same rules with {players} players; sweep a key that changes "
            "them (`{command}` lists the keys)",
            where=where, one=one, other=other, players=listed(experiment.players),
            command=f"balance games {experiment.game}",
        )
    )  # fmt: skip


def check_lineups(lineups: Sequence[Sequence[str]], pool: int, experiment: Experiment, where: str) -> None:
    """Refuse line-ups that leave a player count without one, or a pool with too many line-ups to list."""
    sizes = {len(lineup) for lineup in lineups}
    for players in experiment.players:
        if not lineups:
            with error_context(where):
                check_pool(pool, players, experiment.rotate)
        elif players not in sizes:
            raise BalanceError(
                tr(
                    "{where}: lineups: no line-up has {players} strategies for {players} seats",
                    where=where,
                    players=players,
                )
            )
    for size in sizes - set(experiment.players):
        raise BalanceError(
            tr(
                "{where}: lineups: a line-up has {size} strategies, but {size} is not in players",
                where=where,
                size=size,
            )
        )
