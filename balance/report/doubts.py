"""Results that depend on the bots, shown before the findings: both figures, and the command that would settle them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from balance.analysis.changes import ROW_OF
from balance.analysis.shares import SEATS
from balance.analysis.tier_comparison import TARGETS, TierResult
from balance.analysis.verdicts import LENGTH, Verdict
from balance.experiments.command import run_words
from balance.experiments.networks import EXPERT, has_expert, strongest_searcher
from balance.experiments.plan import Plan
from balance.foundation.language import tr
from balance.foundation.text import listed
from balance.foundation.toml import write_value
from balance.report.assessment import Assessment
from balance.report.findings import write_where
from balance.report.screen import Doubt, write_name, write_word
from balance.report.words import amount, ordinal, signed
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
    groups: dict[tuple[str, int, str, str], list[TierResult]] = {}
    for key, results in assessment.other_results.items():
        for result in results:
            if result.reverses and result.tier in assessment.doubters and key.measure in ROW_OF:
                alike = (key.kind, key.players, key.measure, result.tier)
                groups.setdefault(alike, []).append(result)
    found = []
    for group in groups.values():
        group.sort(key=lambda each: (each.key.variant != assessment.context.first, -_size(each)))
        found.append((_size(group[0]), _doubt(group, assessment)))
    found.sort(key=lambda each: -each[0])
    return [doubt for _, doubt in found] + _doubtful_words(assessment)


def _size(result: TierResult) -> float:
    """Return the difference between the tiers."""
    return float(abs(result.other.value - result.own.value))


def _doubt(results: Sequence[TierResult], assessment: Assessment) -> Doubt:
    """Return the first of these results with both figures, and the variants of all in the order of the experiment."""
    result, tier, context = results[0], assessment.tier, assessment.context
    text = _seat(result, tier) if result.key.kind == SEATS else _effect(result, tier, context.factions)
    found = {each.key.variant for each in results}
    variants = [variant.name for variant in context.plan.variants if variant.name in found]
    return Doubt(write_where(listed(variants), result.key.players), text)


def _seat(result: TierResult, tier: str) -> str:
    def share(found: Interval) -> str:
        return tr(
            "{value} % ({low} to {high}, n = {n:,})",
            value=amount(found.value), low=amount(found.low), high=amount(found.high), n=found.n,
        )  # fmt: skip

    return tr(
        "{variant}: with {tier} the {nth} player wins {own}, with {other_tier} {other}.",
        variant=result.key.variant, tier=tier, nth=ordinal(int(result.key.group)), own=share(result.own),
        other_tier=result.tier, other=share(result.other),
    )  # fmt: skip


def _effect(result: TierResult, tier: str, factions: Mapping[str, str]) -> str:
    def change(found: Interval) -> str:
        return tr(
            "{value} ({low} to {high}, n = {n:,} pairs on {decks:,} deals)",
            value=signed(found.value), low=signed(found.low), high=signed(found.high), n=found.n,
            decks=found.clusters,
        )  # fmt: skip

    key = result.key
    values = {
        "variant": key.variant, "tier": tier, "own": change(result.own), "other_tier": result.tier,
        "other": change(result.other),
    }  # fmt: skip
    if key.measure == "seat_win_share":
        return tr(
            "{variant} moves the {nth} player's wins by {own} points with {tier}, by {other} with {other_tier}.",
            nth=ordinal(int(key.group)),
            **values,
        )
    if key.measure == "faction_win_share":
        return tr(
            "{variant} moves the wins of {faction} by {own} points with {tier}, by {other} with {other_tier}.",
            faction=tr(factions[key.group]),
            **values,
        )
    if key.measure == "comeback":
        return tr(
            "{variant} moves winners from behind by {own} points with {tier}, by {other} with {other_tier}.",
            **values,
        )
    return tr(
        "{variant} moves the length by {own} minutes with {tier}, by {other} with {other_tier}.",
        **values,
    )


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
        what = tr(assessment.questions[place.row].title)
        where = write_where(place.variant, place.players)
        found.append(Doubt(where, f"{what}: {'; '.join(parts)}."))
    return found


def _word(verdict: Verdict) -> str:
    word = write_word(verdict.word)
    if verdict.row == TARGETS:
        return tr("{targets} met", targets=word)
    name = f"{write_name(verdict.row, verdict.name)} " if verdict.name else ""
    values = {
        "word": word, "value": f"{name}{amount(verdict.value)}", "low": amount(verdict.low),
        "high": amount(verdict.high), "n": verdict.n,
    }  # fmt: skip
    if verdict.row == LENGTH:
        return tr("{word}, {value} minutes ({low} to {high}, n = {n:,})", **values)
    return tr("{word}, {value} % ({low} to {high}, n = {n:,})", **values)


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
