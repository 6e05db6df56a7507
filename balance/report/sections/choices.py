"""Early choices that go with winning, where rounds were logged."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.choices import choice_effects
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.report.facts import Facts
from balance.report.layout import side_by_side
from balance.report.model import Finding, Section
from balance.report.section import Written

PLACE = 70


def questions(facts: Facts) -> Sequence[Question]:
    """None that can be added up: the model needs its rows at once."""
    return []


def write(facts: Facts, answers: Answers) -> Written | None:
    """Early choices that go with winning; none where rounds were not logged."""
    choices = facts.plan.game.analytics.CHOICES
    if not facts.has_rounds or not choices:
        return None
    variant = facts.first
    effects = choice_effects(facts.run, choices, variant)
    text = [
        "Compared are seats of one strategy in one seat; all choices are in one model (least squares with fixed "
        "effects, errors clustered on the deck), so each is with the others held. These are associations "
        "under such bots and no experiments: what made a bot choose may also have made it win.",
    ]
    tables = []
    for outcome, unit in (("win_share", "points of win share"), ("score", "points of score")):
        part = effects[effects["outcome"] == outcome]
        caption = f"What each early choice goes with, in {unit}, variant {variant}; {len(effects)} comparisons."
        tables.append(side_by_side(f"choices-{outcome}", caption, part, ["choice"]))
    section = Section("choices", "Early choices", text, tables=tables)
    shares = effects[(effects["outcome"] == "win_share") & (effects["p"] < 0.05)]
    if shares.empty:
        return Written(section)
    largest = shares.loc[shares["value"].abs().idxmax(), "choice"]
    parts = [
        f"{row.value:+.1f} ({row.low:+.1f} to {row.high:+.1f}, n = {row.n:,} seats) with {row.players}"
        for row in shares[shares["choice"] == largest].itertuples()
    ]
    text_of = f"{variant}: {largest} goes with {', '.join(parts)} players, in points of win share; "
    text_of += "strategy and seat held."
    weight = float(shares["value"].abs().max()) / 5
    return Written(section, [Finding(text_of, "choices", weight)])
