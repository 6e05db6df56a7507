"""Early choices associated with winning; needs logged rounds."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.early_choices import GAMES, choice_effects, remeasure_strongest
from balance.analysis.gather import Answers
from balance.analysis.holdout import of_all_decks
from balance.analysis.question import Question
from balance.report.context import ReportContext
from balance.report.model import Headline, Section
from balance.report.section import Written, side_by_side, write_effect_verdicts
from balance.stats.comparisons import ALPHA

ORDER = 70


def judges(context: ReportContext) -> int:
    """Return one family of verdicts for each variant, if rounds were logged."""
    return len(context.shown) * int(context.has_rounds and bool(context.plan.game.analytics.CHOICES))


def questions(context: ReportContext) -> Sequence[Question]:
    """Return no question: the model needs all rows at once."""
    return []


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write the early choices associated with winning; None without logged rounds."""
    choices = context.plan.game.analytics.CHOICES
    if not context.has_rounds or not choices:
        return None
    each = GAMES // len(context.shown)  # all rows are in memory at once, so their number is bounded
    effects = pd.concat(
        [
            choice_effects(context.run, choices, variant, context.families, each)
            for variant in context.shown
        ],
        ignore_index=True,
    )
    whole = of_all_decks(effects).rename(columns={"clusters": "decks"})
    text = [
        "The comparison is between games of the same strategy in the same seat. One model has all choices (least "
        "squares with fixed effects, errors clustered on the deal), so the estimate for one choice holds the others "
        "constant. These are associations, not effects: what made a bot choose may also have made it win.",
    ]
    tables = []
    for outcome, unit in (("win_share", "points of win share"), ("score", "points of score")):
        part = whole[whole["outcome"] == outcome].copy()
        part["importance"] = part["value"].abs().where(part["p"] < ALPHA, 0.0)
        part["verdict"] = write_effect_verdicts(part)
        caption = (
            f"Association of each early choice, in {unit}; {len(whole)} comparisons, corrected together in each "
            f"variant{context.shared}."
        )
        rows = ["variant", "choice"]
        tables.append(side_by_side(f"choices-{outcome}", caption, part, rows, notes=["verdict"]))
    says = [
        said
        for variant, part in effects.groupby("variant", sort=False)
        for said in _says(str(variant), remeasure_strongest(part.reset_index(drop=True)))
    ]
    return Written(Section("choices", "Early choices", text, says, tables=tables))


def _says(variant: str, strongest: pd.DataFrame) -> list[Headline]:
    """Return the choice most associated with winning; player counts with the same choice share a sentence."""
    found = []
    for choice, rows in strongest.groupby("choice", sort=False):
        parts = [
            f"{row.value:+.1f} ({row.low:+.1f} to {row.high:+.1f}, n = {row.n:,} seats) with {row.players}"
            for row in rows.itertuples()
        ]
        text = f"{variant}: {choice} goes with {', '.join(parts)} players, in points of win share "
        text += "(same strategy and seat, held-out deals)."
        found.append(Headline(text, variant))
    return found
