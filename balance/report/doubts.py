"""What equally strong players contradict, and the command that would settle it; and what was not tried."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Sequence

from balance.analysis.verdicts import Figure, Place
from balance.experiments.command import run_words
from balance.experiments.networks import EXPERT, has_expert, strongest_searcher
from balance.experiments.plan import Plan, Tier
from balance.foundation.language import tr, trn
from balance.foundation.text import listed
from balance.foundation.toml import write_value
from balance.report.assessment import Assessment
from balance.report.findings import write_where
from balance.report.screen import Doubt

MOST = 3
"""Doubts on the first screen; the section on tiers lists all."""
_TRY = 1_000  # games of searchers in each cell, to start with
_TRY_EXPERT = 20_000  # at most, of the expert: half a minute on one core where a game has four players
_FEWEST = 100  # games of searchers that settle a doubt
_DEEPER = 4  # factor on the iterations of the strongest searcher that played


def find_doubts(assessment: Assessment) -> list[Doubt]:
    """Return what equally strong players contradict: verdicts, then effects, in the order of the grid.

    Of one row at a player count one is shown, preferably the baseline's.
    """
    return [*_doubtful_verdicts(assessment), *_doubtful_effects(assessment)]


def _doubtful_verdicts(assessment: Assessment) -> Iterable[Doubt]:
    plan = assessment.context.plan
    groups: dict[tuple[str, int], list[Place]] = {}
    for place in assessment.reversals:
        groups.setdefault((place.row, place.players), []).append(place)
    for (name, players), places in groups.items():
        row = assessment.rows[name]
        places.sort(key=lambda each: each.variant != assessment.context.first)
        said, variants = assessment.cells[places[0]], {place.variant for place in places}
        tiers = [said.tier, *assessment.reversals[places[0]]]
        parts = [f"{tier} {row.doubt_of_word(plan, said.by_tier[tier])}" for tier in tiers]
        ordered = [variant.name for variant in plan.variants if variant.name in variants]
        text = f"{tr(row.title)}: {'; '.join(parts)}."
        one, other = (said.by_tier[tier] for tier in tiers[:2])
        apart = (one.figure, other.figure_of(one.name) or other.figure)
        yield Doubt(write_where(listed(ordered), players), text, _games_between(*apart))


def _doubtful_effects(assessment: Assessment) -> Iterable[Doubt]:
    plan, done = assessment.context.plan, set()
    for said in assessment.effects:
        change, doubters = said.claim, assessment.doubters(said)
        row = assessment.rows[change.row]
        if not doubters or assessment.is_doubted(change.place) or change.place in done:
            continue
        done.add(change.place)
        other = said.by_tier[doubters[0]]
        text = tr(
            "{variant} {change} with {tier}, but {other} with {other_tier}.",
            variant=change.variant, change=row.verb(plan, change), tier=said.tier, other=row.verb(plan, other),
            other_tier=doubters[0],
        )  # fmt: skip
        games = _games_between(change.figure, other.figure)
        yield Doubt(write_where(change.variant, change.players), text, games)


def _games_between(one: Figure, other: Figure) -> int:
    """Return in how many games other players would have an interval of half the distance between two numbers."""
    distance = abs(one.value - other.value)
    spread = max((each.high - each.low) * math.sqrt(each.n) for each in (one, other))
    games = (2 * spread / distance) ** 2 if distance else math.inf
    return math.ceil(games) if math.isfinite(games) else _FEWEST


def settle(plan: Plan, doubts: Sequence[Doubt]) -> str:
    """Return the command that plays the same deals with a stronger searcher than any that played.

    It plays enough games for each doubt; see `_games_between`.
    """
    experiment = plan.experiment
    deepest = max(tier.iterations for tier in plan.tiers)
    budget = _DEEPER * deepest if deepest else 100
    strategy = strongest_searcher(plan.game, experiment.players, budget)
    games = max(_FEWEST, *(doubt.games for doubt in doubts))
    games = -(-games // _FEWEST) * _FEWEST
    words = run_words(experiment.game, experiment.players, experiment.variants, [strategy], games)
    words += ["--seed", str(experiment.seed), "--log", experiment.log, "--out", f"runs/{strategy}"]
    return shlex.join(["balance", *words])


def describe_tier(tier: Tier) -> str:
    """Return what kind of players a tier has, for readers who don't know its name."""
    if tier.has_custom_bots:
        return tr("bots in Python")
    if tier.iterations:
        return tr("players that look ahead")
    if tier.plays_networks:
        return tr("trained networks")
    n = len(tier.strategies)
    if tier.loss:
        return trn("{n} way of playing, with mistakes", "{n} ways of playing, with mistakes", n)
    return trn("{n} way of playing", "{n} ways of playing", n)


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


def no_choices() -> str:
    """Return the note that players had nothing to decide, so that no other tier is needed."""
    return tr("No decision had more than one option, so these results follow from the rules alone.")


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
            tr("To check, play the same deals with the expert, which is fast ({command}).", command=command)
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
