"""Early choices associated with winning; needs logged rounds."""

from __future__ import annotations

import pandas as pd

from balance.analysis.early_choices import GAMES, choice_effects, remeasure_strongest
from balance.analysis.gather import Answers
from balance.analysis.holdout import of_all_decks
from balance.foundation.language import N_, tr, trn
from balance.report.context import Family, ReportContext
from balance.report.kit import side_by_side, write_effect_verdicts, write_headlines
from balance.report.model import Section
from balance.report.words import by_players, write_change
from balance.stats.comparisons import ALPHA

ORDER = 70
TEXT = N_(
    "Compares games of the same strategy in the same seat. One model has all choices (least squares with fixed "
    "effects, errors clustered on the deal), so the estimate for one choice holds the others constant. These are "
    "associations, not effects: the reason why a bot chose may also be the reason why it won."
)


def families(context: ReportContext) -> list[Family]:
    """Return one family of verdicts for each variant, if rounds were logged."""
    if not context.has_rounds or not context.plan.game.analytics.CHOICES:
        return []
    return [Family(_family(variant), context.plan.tier.name) for variant in context.shown]


def _family(variant: str) -> str:
    return f"choices under {variant}"


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write the early choices associated with winning; None without logged rounds."""
    choices = context.plan.game.analytics.CHOICES
    if not context.has_rounds or not choices:
        return None
    games = GAMES // len(context.shown)  # all rows are in memory at once, so their number is bounded
    effects = [
        choice_effects(context.run, choices, variant, context.family(_family(variant)), games)
        for variant in context.shown
    ]
    whole = of_all_decks(pd.concat(effects, ignore_index=True)).rename(columns={"clusters": "decks"})
    tables = []
    units = {"win_share": tr("points of win share"), "score": tr("points of score")}
    for outcome, unit in units.items():
        part = whole[whole["outcome"] == outcome].copy()
        part["importance"] = part["value"].abs().where(part["p"] < ALPHA, 0.0)
        part["verdict"] = write_effect_verdicts(part)
        caption = trn(
            "Association of each early choice, in {unit}; {n} comparison, corrected together in each variant{shared}.",
            "Association of each early choice, in {unit}; {n} comparisons, corrected together in each variant{shared}.",
            len(whole), unit=unit, shared=context.shared,
        )  # fmt: skip
        rows = ["variant", "choice"]
        tables.append(side_by_side(f"choices-{outcome}", caption, part, rows, notes=["verdict"]))
    strongest = [remeasure_strongest(each.reset_index(drop=True)) for each in effects]
    headlines = write_headlines(pd.concat(strongest), _strongest, by=["choice"])
    return Section("choices", tr("Early choices"), [tr(TEXT)], headlines, tables=tables, rest=True)


def _strongest(rows: pd.DataFrame) -> str:
    """Return how one choice goes with winning, at the player counts where it is the strongest."""
    points = by_players(
        rows,
        lambda row: trn("{effect} (n = {n:,} seat)", "{effect} (n = {n:,} seats)", row.n, effect=write_change(row)),
    )
    return tr(
        "{choice} goes with {points}, in points of win share (same strategy and seat, held-out deals)",
        choice=tr(rows["choice"].iloc[0]), points=points,
    )  # fmt: skip
