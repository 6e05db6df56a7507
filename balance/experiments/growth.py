"""Plans that grow: a run resumed, extended, or pooled with others.

Two runs that differ only in their seed become one run with more deals. Two runs of one seed that differ only in their
variants become one run with more variants, in which games are paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Any

from balance.experiments.experiment import WITHOUT_EFFECT, make_experiment
from balance.experiments.plan import Member, Plan, Tier
from balance.experiments.saved_plan import describe_plan, differences
from balance.experiments.variants import Variant, hash_rules
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr


def extend_plan(plan: Plan, games: int, tiers: Sequence[str], where: str, finished: bool = True) -> Plan:
    """Return the plan with at least `games` games in each cell of these tiers (none: all).

    With a stop rule, the ceiling is raised. A run that is not `finished` may also be shortened, down to its length
    when it last finished.
    """
    chosen = [plan.in_tier(name, where).tier for name in tiers] or plan.tiers
    if plan.experiment.stop and len(chosen) < len(plan.tiers):
        raise BalanceError(tr("{where}: a stop rule has one ceiling for all tiers; leave out --tier", where=where))
    least = {tier.name: tier.most_games if finished else tier.finished_games for tier in chosen}
    if games < (most := min(least.values())) + finished:
        values = {"where": where, "games": most}
        raise BalanceError(
            tr("{where} has {games:,} games in each cell already; give more to extend it", **values)
            if finished
            else tr("{where} needs at least {games:,} games in each cell; give this number or more", **values)
        )
    lengths = {tier.name: tier.most_games for tier in plan.tiers}
    lengths |= {name: max(games, count) for name, count in least.items()}
    experiment = plan.experiment.with_games(lengths, where)
    between = {keys.name: keys.games for keys in experiment.every_tier}
    grown = [replace(t, games=between[t.name], most_games=lengths[t.name]) for t in plan.tiers]
    return replace(plan, experiment=experiment, tiers=grown)


def is_extension(plan: Plan, before: Plan, finished: bool = True) -> bool:
    """Return whether cells may have more games than `before`, and none fewer than when that plan `finished`."""
    least = {t.name: t.most_games if finished else t.finished_games for t in before.tiers}
    lengths = {tier.name: tier.most_games for tier in before.tiers}
    changed = any(tier.most_games != lengths.get(tier.name) for tier in plan.tiers)
    return changed and all(tier.most_games >= least.get(tier.name, 0) for tier in plan.tiers)


def resume_plan(plan: Plan, before: Plan, finished: bool = True) -> Plan:
    """Return the plan with the prepared profiles of `before`, and the lengths at which that plan `finished`.

    An extension that never finished can't have been analysed, so it does not count as an interim analysis.
    """
    known = {tier.name: tier for tier in before.tiers}
    seen = finished and is_extension(plan, before)
    tiers = []
    for tier in plan.tiers:
        own = known.get(tier.name, tier)
        earlier = (*own.earlier, own.most_games) if seen else own.earlier
        tiers.append(replace(tier, adapted=own.adapted, earlier=earlier))
    if not finished and all(tier.most_games == tier.finished_games for tier in tiers):
        tiers = [replace(tier, earlier=tier.earlier[:-1]) for tier in tiers]
    return replace(plan, tiers=tiers)


def differences_in_play(one: Plan, other: Plan) -> list[str]:
    """Return the dotted keys of differences that prevent pooling two runs."""
    if one.game.name != other.game.name:
        return ["game"]
    found = differences(_who_and_how(one), _who_and_how(other))
    if not found and not set(one.seeds) & set(other.seeds):  # more deals need the same rules
        before, now = ({v.name: hash_rules(v.rules) for v in each.variants} for each in (one, other))
        found = [f"variants.{key}" for key in differences(before, now)]
    return found


def clash_of_games(one: Plan, other: Plan) -> str:
    """Return why the games of two otherwise equal runs can't be pooled, in words; empty if they can."""
    if one.experiment.stop or other.experiment.stop:
        return tr("runs with a stop rule can't be pooled (experiment.stop)")
    shared = set(one.seeds) & set(other.seeds)
    if not shared:
        return ""
    seed = str(min(shared))
    if len(one.seeds) > 1 or len(other.seeds) > 1 or one.points or other.points:
        return tr("they have the same seed, {seed}, along with other seeds or in a sweep", seed=seed)
    if _new_variants(one, other):
        return ""
    return tr("they have the same seed, {seed}, and so the same games", seed=seed)


def _new_variants(one: Plan, other: Plan) -> dict[str, Variant]:
    """Return the variants that another plan adds to one, by their names in that plan.

    A variant whose name is taken by other rules gets a number.
    """
    known = {hash_rules(variant.rules) for variant in one.variants}
    taken = {variant.name for variant in one.variants}
    found = {}
    for variant in other.variants:
        if hash_rules(variant.rules) not in known:
            numbered = (f"{variant.name}-{number}" for number in count(2))
            name = next(name for name in chain([variant.name], numbered) if name not in taken)
            taken.add(name)
            found[variant.name] = replace(variant, name=name)
    return found


def pool(plans: Sequence[Plan], runs: Sequence[str]) -> Plan:
    """Return the combined plan of runs that may be pooled, in their order; `runs` are their names."""
    whole = replace(plans[0], members=_members(plans[0], runs[0]))
    for plan, run in zip(plans[1:], runs[1:], strict=True):
        members = (*whole.members, *_members(plan, run))
        if set(plan.seeds) & set(whole.seeds):
            added = _new_variants(whole, plan)
            variants = [*whole.variants, *added.values()]
            tiers = [_as_long_as(*both) for both in zip(whole.tiers, plan.tiers, strict=True)]
        else:
            variants = list(whole.variants)
            tiers = [_one_after_the_other(*both) for both in zip(whole.tiers, plan.tiers, strict=True)]
        whole = replace(whole, variants=variants, tiers=tiers, members=members)
    data = whole.experiment.model_dump(exclude_unset=True)
    if not whole.points:
        data["variants"] = [variant.name for variant in whole.variants]
    for keys, tier in zip(data.get("tiers") or [data], whole.tiers, strict=True):
        keys["games"] = tier.games
    return replace(whole, experiment=make_experiment(data, " and ".join(runs)))


def _members(plan: Plan, run: str) -> tuple[Member, ...]:
    games = {tier.name: tier.most_games for tier in plan.tiers}
    return plan.members or (Member(run=run, seed=plan.experiment.seed, games=games),)


def _as_long_as(one: Tier, other: Tier) -> Tier:
    """Combine two tiers on the same deals: the length of the longer, and an interim analysis at each extension."""
    longer = max(one, other, key=lambda tier: tier.most_games)
    looked = sorted({*one.earlier, *other.earlier})
    return replace(longer, earlier=tuple(games for games in looked if games < longer.most_games))


def _one_after_the_other(one: Tier, other: Tier) -> Tier:
    """Append the second tier to the first as an extension, after an interim analysis."""
    before, games = one.most_games, one.most_games + other.most_games
    earlier = (*one.earlier, before, *(before + each for each in other.earlier))
    return replace(one, games=games, most_games=games, earlier=earlier)


def _who_and_how(plan: Plan) -> dict[str, Any]:
    """Return what two runs must have in common, whatever their variants, deals and lengths."""
    described = describe_plan(plan)
    kept = {key: described[key] for key in ("base", "strategies", "lineups", "points", "tiers")}
    kept["adapted"] = described.get("adapted", {})
    experiment = described["experiment"]
    for key in (*WITHOUT_EFFECT, "seed", "games", "variants"):
        experiment.pop(key, None)
    for tier in experiment["tiers"]:
        tier.pop("games")
    return {"experiment": experiment, **kept}
