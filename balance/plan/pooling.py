"""Runs pooled: how the plans of two runs stand to each other, and the plan of both as one.

Two runs that differ in their seed alone are one run with more decks. Two of the same seed that differ in
their variants alone are one run with more variants, in which games are paired.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Any

from balance.plan.experiment import BOT_LIMITS, make_experiment
from balance.plan.members import Member
from balance.plan.plan import Plan
from balance.plan.tiers import Tier
from balance.plan.variants import Variant, hash_rules

OF_NO_ACCOUNT = ("question", "targets", "thresholds", *BOT_LIMITS)
"""Keys of an experiment that have no part in how games go; the first run's hold."""


def differences(before: Mapping[str, Any], now: Mapping[str, Any], prefix: str = "") -> list[str]:
    """Dotted keys whose values differ."""
    found = []
    for key in dict.fromkeys([*before, *now]):
        old, new = before.get(key), now.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            found += differences(old, new, f"{prefix}{key}.")
        elif old != new:
            found.append(f"{prefix}{key}")
    return found


def differences_in_play(one: Plan, other: Plan) -> list[str]:
    """What two runs differ in that may not be pooled, as dotted keys; empty where they don't."""
    if one.game.name != other.game.name:
        return ["game"]
    found = differences(_who_and_how(one), _who_and_how(other))
    if not found and not set(one.seeds) & set(other.seeds):  # more decks: of the same rules
        before, now = ({v.name: hash_rules(v.rules) for v in each.variants} for each in (one, other))
        found = [f"variants.{key}" for key in differences(before, now)]
    return found


def clash_of_games(one: Plan, other: Plan) -> str:
    """What keeps the games of two runs that differ in nothing else from being pooled, in words; empty if nothing."""
    if one.experiment.stop or other.experiment.stop:
        return "what a stop rule ended is not pooled (experiment.stop)"
    shared = set(one.seeds) & set(other.seeds)
    if not shared:
        return ""
    same = f"they have the same seed, {min(shared)}"
    if len(one.seeds) > 1 or len(other.seeds) > 1 or one.points or other.points:
        return f"{same}, beside other seeds or in a sweep"
    return "" if new_variants(one, other) else f"{same}, and so the same games"


def new_variants(one: Plan, other: Plan) -> dict[str, Variant]:
    """The variants that another plan adds to one, by the names that they had there.

    Where one has other rules under the same name, it is numbered.
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
    """The plan of runs that may be pooled, in their order.

    Parameters
    ----------
    runs : sequence of str
        What each of them is called.

    Raises
    ------
    BalanceError
        They are more games than a cell may have.
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
    """Both on the same decks: as many games as the longer has, and a look wherever one of them was made longer."""
    longer = max(one, other, key=lambda tier: tier.most_games)
    looked = sorted({*one.earlier, *other.earlier})
    return replace(longer, earlier=tuple(games for games in looked if games < longer.most_games))


def _one_after_the_other(one: Tier, other: Tier) -> Tier:
    """The second as if it were games by which the first was made longer: a look may have come between."""
    before, games = one.most_games, one.most_games + other.most_games
    earlier = (*one.earlier, before, *(before + each for each in other.earlier))
    return replace(one, games=games, most_games=games, earlier=earlier)


def _who_and_how(plan: Plan) -> dict[str, Any]:
    """What two runs must have in common, whatever their variants, decks and lengths."""
    described = plan.describe()
    kept = {key: described[key] for key in ("base", "strategies", "lineups", "points", "tiers")}
    kept["adapted"] = described.get("adapted", {})
    experiment = described["experiment"]
    for key in (*OF_NO_ACCOUNT, "seed", "games", "variants"):
        experiment.pop(key, None)
    for tier in experiment["tiers"]:
        tier.pop("games")
    return {"experiment": experiment, **kept}
