"""Plans of pooled runs: compare two plans, and combine them into one.

Two runs that differ only in their seed become one run with more deals. Two runs of one seed that differ only in their
variants become one run with more variants, in which games are paired.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Any

from balance.experiments.experiment import BOT_LIMITS, make_experiment
from balance.experiments.members import Member
from balance.experiments.plan import Plan
from balance.experiments.tiers import Tier
from balance.experiments.variants import Variant, hash_rules

OF_NO_ACCOUNT = ("question", "targets", "thresholds", *BOT_LIMITS)
"""Keys of an experiment that do not affect games; a pooled run takes them from its first run."""


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
        return "runs with a stop rule can't be pooled (experiment.stop)"
    shared = set(one.seeds) & set(other.seeds)
    if not shared:
        return ""
    same = f"they have the same seed, {min(shared)}"
    if len(one.seeds) > 1 or len(other.seeds) > 1 or one.points or other.points:
        return f"{same}, along with other seeds or in a sweep"
    return "" if new_variants(one, other) else f"{same}, and so the same games"


def new_variants(one: Plan, other: Plan) -> dict[str, Variant]:
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
    """Return the combined plan of runs that may be pooled, in their order.

    Parameters
    ----------
    runs : sequence of str
        Names of the runs.

    Raises
    ------
    BalanceError
        A cell would have too many games.
    """
    whole = replace(plans[0], members=_members(plans[0], runs[0]))
    for plan, run in zip(plans[1:], runs[1:], strict=True):
        members = (*whole.members, *_members(plan, run))
        if set(plan.seeds) & set(whole.seeds):
            added = new_variants(whole, plan)
            variants = [*whole.variants, *added.values()]
            tiers = [_as_long_as(*both) for both in zip(whole.tiers, plan.tiers, strict=True)]
        else:
            variants = whole.variants
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
    described = plan.describe()
    kept = {key: described[key] for key in ("base", "strategies", "lineups", "points", "tiers")}
    kept["adapted"] = described.get("adapted", {})
    experiment = described["experiment"]
    for key in (*OF_NO_ACCOUNT, "seed", "games", "variants"):
        experiment.pop(key, None)
    for tier in experiment["tiers"]:
        tier.pop("games")
    return {"experiment": experiment, **kept}
