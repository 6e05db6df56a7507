"""Results that depend on the bots, shown before the findings: both figures, and the command that would settle them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from balance.analysis.changes import ROW_OF
from balance.analysis.tier_comparison import SEATS, TARGETS, TierResult
from balance.analysis.verdicts import LENGTH, Verdict
from balance.experiments.command import run_words
from balance.experiments.networks import EXPERT, has_expert, strongest_searcher
from balance.experiments.plan import Plan
from balance.foundation.text import listed
from balance.foundation.toml import write_value
from balance.report.assessment import Assessment
from balance.report.screen import Doubt
from balance.report.words import amount, ordinal, signed, with_players
from balance.stats.intervals import Interval

MOST = 3
"""Doubts on the first screen; the section on tiers lists all."""
_TRY = 1_000  # games of searchers in each cell, to start with
_DEEPER = 4  # factor on the iterations of the strongest searcher that played


def find_doubts(assessment: Assessment) -> list[Doubt]:
    """Return the results that reverse between tiers: seats, effects, comebacks and length; largest difference first.

    Of the results of one kind at a player count one is shown, preferably the baseline's. The section on tiers lists
    all.
    """
    groups: dict[tuple[str, int, str, str], list[TierResult]] = {}
    for key, results in assessment.other_results.items():
        for result in results:
            if result.reverses and result.tier in assessment.doubters and key.measure in ROW_OF:
                alike = (key.kind, key.players, key.measure, result.tier)
                groups.setdefault(alike, []).append(result)
    found = []
    for group in groups.values():
        group.sort(key=lambda each: (each.key.variant != assessment.context.first, -_size(each)))
        found.append((_size(group[0]), _doubt(group, assessment.tier, assessment.context.factions)))
    found.sort(key=lambda each: -each[0])
    return [doubt for _, doubt in found] + _doubtful_words(assessment)


def _size(result: TierResult) -> float:
    """Return the difference between the tiers."""
    return float(abs(result.other.value - result.own.value))


def _doubt(results: Sequence[TierResult], tier: str, factions: Mapping[str, str]) -> Doubt:
    """Return the first of these results with both figures, and the variants of all."""
    result = results[0]
    text = _seat(result, tier) if result.key.kind == SEATS else _effect(result, tier, factions)
    variants = listed(list(dict.fromkeys(each.key.variant for each in results)))
    return Doubt(f"{variants}, {with_players([result.key.players])}", text)


def _seat(result: TierResult, tier: str) -> str:
    def share(found: Interval) -> str:
        return f"{amount(found.value)} % ({amount(found.low)} to {amount(found.high)}, n = {found.n:,})"

    player = f"the {ordinal(int(result.key.group))} player"
    wins = f"{result.key.variant}: with {tier} {player} wins {share(result.own)}"
    return f"{wins}, with {result.tier} {share(result.other)}."


def _effect(result: TierResult, tier: str, factions: Mapping[str, str]) -> str:
    def change(found: Interval) -> str:
        ends = f"{signed(found.low)} to {signed(found.high)}"
        return f"{signed(found.value)} ({ends}, n = {found.n:,} pairs on {found.clusters:,} deals)"

    key = result.key
    what = "winners from behind" if key.measure == "comeback" else "the length"
    if key.measure == "seat_win_share":
        what = f"the {ordinal(int(key.group))} player's wins"
    elif key.measure == "faction_win_share":
        what = f"the wins of {factions[key.group]}"
    unit = "minutes" if key.measure == "minutes" else "points"
    moved = f"{key.variant} moves {what} by {change(result.own)} {unit} with {tier}"
    return f"{moved}, by {change(result.other)} with {result.tier}."


def _doubtful_words(assessment: Assessment) -> list[Doubt]:
    """Return comebacks, lengths, targets and the game's own questions whose verdict word differs between tiers."""
    found = []
    for place, tiers in assessment.reversals.items():
        if place.row == SEATS:
            continue
        verdicts = {
            tier: assessment.verdicts[tier].get(place) for tier in [assessment.tier, *sorted(tiers)]
        }
        parts = [f"{tier} {_word(verdict)}" for tier, verdict in verdicts.items() if verdict]
        what = assessment.questions[place.row].title
        where = f"{place.variant}, {with_players([place.players])}"
        found.append(Doubt(where, f"{what}: {'; '.join(parts)}."))
    return found


def _word(verdict: Verdict) -> str:
    if verdict.row == TARGETS:
        return f"{verdict.word} met"
    unit = "minutes" if verdict.row == LENGTH else "%"
    ends = f"{amount(verdict.low)} to {amount(verdict.high)}"
    name = f"{verdict.name} " if verdict.name else ""
    return f"{verdict.word}, {name}{amount(verdict.value)} {unit} ({ends}, n = {verdict.n:,})"


def settle(plan: Plan) -> str:
    """Return the command that plays the same deals with a stronger searcher than any that played."""
    experiment = plan.experiment
    deepest = max(tier.iterations for tier in plan.tiers)
    budget = _DEEPER * deepest if deepest else 100
    strategy = strongest_searcher(plan.game, experiment.players, budget)
    games = max(tier.games for tier in plan.tiers if tier.iterations == deepest)
    words = run_words(
        experiment.game, experiment.players, experiment.variants, [strategy], min(games, _TRY)
    )
    words += ["--seed", str(experiment.seed), "--log", experiment.log, "--out", f"runs/{strategy}"]
    return shlex.join(["balance", *words])


def who_plays(plan: Plan) -> str:
    """List the strategies of the active tier, and the mistakes that its profiles make."""
    names = ", ".join(strategy.name for strategy in plan.tier.strategies)
    keys = plan.experiment.every_tier[plan.active_tier]
    if keys.loss:
        return f"{names}; mistakes cost each profile {100 * keys.loss:g} % of its wins"
    return (
        names if keys.temperature is None else f"{names}, profiles at temperature {keys.temperature:g}"
    )


def not_tried(plan: Plan) -> str:
    """Return the note that only one tier played, and how to add a stronger one: a command, and experiment keys."""
    own = plan.experiment.every_tier[0]
    games, key = min(own.games, _TRY), "strategies" if own.strategies else "lineups"
    whom, strategy = "searchers", "search-100"
    if has_expert(plan.game, plan.experiment.players) and not plan.tier.plays_networks:
        whom, strategy, games = "the expert, which is fast", EXPERT, max(own.games, _TRY)
    tiers = [
        {"name": "styles", key: getattr(own, key), "games": own.games},
        {"name": "strong", "strategies": [strategy], "games": games},
    ]
    return (
        "Stronger play was not tried: these results show how these strategies play, and stronger ones may reverse "
        f"them. To check, play the same deals with {whom} (balance run ... --strategies {strategy} --games "
        f"{games}). Or play both in one run, and the page shows what holds with both: in the experiment file, replace "
        f"{key} and games by [[tiers]], as in: tiers = {write_value(tiers)}"
    )
