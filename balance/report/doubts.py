"""Results that depend on the bots, shown before the findings: both figures, and the command that would settle them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from balance.analysis.tier_comparison import EFFECTS, TierResult
from balance.experiments.command import run_words
from balance.experiments.networks import EXPERT, has_expert, strongest_searcher
from balance.experiments.plan import Plan
from balance.foundation.language import tr
from balance.foundation.text import listed
from balance.foundation.toml import write_value
from balance.report.assessment import Assessment
from balance.report.findings import write_where
from balance.report.row import Row
from balance.report.screen import Doubt
from balance.report.words import amount, signed
from balance.stats.intervals import Interval

MOST = 3
"""Doubts on the first screen; the section on tiers lists all."""
_TRY = 1_000  # games of searchers in each cell, to start with
_TRY_EXPERT = 20_000  # at most, of the expert: half a minute on one core where a game has four players
_DEEPER = 4  # factor on the iterations of the strongest searcher that played


def find_doubts(assessment: Assessment) -> list[Doubt]:
    """Return the results that reverse between tiers: seats, effects, comebacks and length; largest difference first.

    Of the results of one kind at a player count one is shown, preferably the baseline's. The section on tiers lists
    all.
    """
    judged = {row.measure: row for row in assessment.rows.values() if row.measure}
    groups: dict[tuple[str, int, str, str], list[TierResult]] = {}
    for key, results in assessment.other_results.items():
        for result in results:
            if result.reverses and result.tier in assessment.doubters and key.measure in judged:
                alike = (key.kind, key.players, key.measure, result.tier)
                groups.setdefault(alike, []).append(result)
    found = []
    for group in groups.values():
        group.sort(key=lambda each: (each.key.variant != assessment.context.first, -_size(each)))
        row = judged[group[0].key.measure]
        found.append((_size(group[0]), _doubt(group, row, assessment)))
    found.sort(key=lambda each: -each[0])
    return [doubt for _, doubt in found] + _doubtful_words(assessment)


def _size(result: TierResult) -> float:
    """Return the difference between the tiers."""
    return float(abs(result.other.value - result.own.value))


def _doubt(results: Sequence[TierResult], row: Row, assessment: Assessment) -> Doubt:
    """Return the first of these results with both figures, and the variants of all in the order of the experiment."""
    result, plan, key = results[0], assessment.context.plan, results[0].key
    write, say = (_effect, row.doubt_of_effect) if key.kind == EFFECTS else (_share, row.doubt_of_level)
    text = say(
        plan, key, variant=key.variant, tier=assessment.tier, own=write(result.own), other_tier=result.tier,
        other=write(result.other),
    )  # fmt: skip
    found = {each.key.variant for each in results}
    variants = [variant.name for variant in plan.variants if variant.name in found]
    return Doubt(write_where(listed(variants), key.players), text)


def _share(found: Interval) -> str:
    return tr(
        "{value} % ({low} to {high}, n = {n:,})",
        value=amount(found.value), low=amount(found.low), high=amount(found.high), n=found.n,
    )  # fmt: skip


def _effect(found: Interval) -> str:
    return tr(
        "{value} ({low} to {high}, n = {n:,} pairs on {decks:,} deals)",
        value=signed(found.value), low=signed(found.low), high=signed(found.high), n=found.n,
        decks=found.clusters,
    )  # fmt: skip


def _doubtful_words(assessment: Assessment) -> list[Doubt]:
    """Return comebacks, lengths, targets and the game's own questions whose verdict word differs between tiers."""
    found, plan = [], assessment.context.plan
    for place, tiers in assessment.reversals.items():
        row = assessment.rows[place.row]
        if row.compares_numbers:
            continue
        verdicts = {
            tier: assessment.verdicts[tier].get(place) for tier in [assessment.tier, *sorted(tiers)]
        }
        parts = [f"{tier} {row.doubt_of_word(plan, each)}" for tier, each in verdicts.items() if each]
        where = write_where(place.variant, place.players)
        found.append(Doubt(where, f"{tr(row.title)}: {'; '.join(parts)}."))
    return found


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
        loss = 100 * keys.loss
        return tr("{names}; mistakes cost each profile {loss:g} % of its wins", names=names, loss=loss)
    if keys.temperature is None:
        return names
    return tr("{names}, profiles at temperature {value:g}", names=names, value=keys.temperature)


def not_tried(plan: Plan) -> str:
    """Return the note that only one tier played, and how to add a stronger one: a command, and experiment keys."""
    own = plan.experiment.every_tier[0]
    games, key = min(own.games, _TRY), "strategies" if own.strategies else "lineups"
    strategy, is_expert = "search-100", False
    if has_expert(plan.game, plan.experiment.players) and not plan.tier.plays_networks:
        games = min(max(own.games, _TRY), _TRY_EXPERT)
        strategy, is_expert = EXPERT, True
    tiers = [
        {"name": "styles", key: getattr(own, key), "games": own.games},
        {"name": "strong", "strategies": [strategy], "games": games},
    ]
    command = f"balance run ... --strategies {strategy} --games {games}"
    return " ".join(
        [
            tr(
                "Stronger play was not tried: these results show how these strategies play, and stronger ones may "
                "reverse them."
            ),
            tr(
                "To check, play the same deals with the expert, which is fast ({command}).",
                command=command,
            )
            if is_expert
            else tr("To check, play the same deals with searchers ({command}).", command=command),
            tr(
                "Or play both in one run, and the page shows what holds with both. For this, replace {key} and games "
                "in the experiment file by: {example}",
                key=key,
                example=f"tiers = {write_value(tiers)}",
            ),
        ]
    )
