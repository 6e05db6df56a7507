"""Luck and skill: what each source of chance decides, what explains the variance, how deals differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.luck import (
    EFFECTS,
    OUTCOMES,
    WINNER,
    Luck,
    Variance,
    largest_source,
    read_luck,
    read_spans,
    read_variance,
    variance_applies,
)
from balance.analysis.question import Question
from balance.contract.records import BOTS, PLAYERS, SHARED_SOURCES
from balance.foundation.language import N_, tr
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_rows
from balance.report.kit import figures_by_variant, side_by_side, write_cell_headlines
from balance.report.model import Figure, Headline, Section, Table
from balance.report.words import smallest_n, write_estimate, write_percent

ORDER = 90
_NAMES = {BOTS: N_("the bots' own lots"), PLAYERS: N_("who sits where")}
_MEANINGS = {
    "strategy": N_("strategy (skill: who plays what, against whom)"),
    "seat": N_("seat"),
    "strategy x seat": N_("strategy x seat (whose plan the seat suits)"),
    "deck x seat": N_("deck x seat (whose turn the cards suit)"),
    "deck x strategy": N_("deck x strategy (whose plan the cards suit)"),
    "rest": N_("rest (who sits where on which deal, other chance)"),
    "deck and rest": N_("deck and all other chance"),
}

BY_SOURCE = N_(
    "By source: the first {games:,} games of each cell were replayed, once for each source of chance, "
    "with that source drawn again and all else the same: line-up, other cards, other draws. A source decides a game if "
    "another seat wins the replay. The total effect expresses this as a share of the variance of wins, or of score "
    "differences (Jansen 1999). Sources act together, so their total effects overlap and may add up to more than "
    "100 %. If all sources have a similar effect, any small change may change the winner. Who sits where is "
    "skill and match-up, not chance; it is listed for comparison."
)
CHANGES = N_("In how many games another seat wins if one source is drawn again")
AXIS = (N_("source"), N_("games, %"))
"""The rows of the figures, and the label of their axis."""
NOT_PLAYED = N_(
    "This run did not measure what each source of chance decides. To measure it, play with luck = 2000 in the "
    "experiment, or with --luck 2000."
)
DIVIDED = N_(
    "What explains wins and score differences: every line-up plays each deal in all its rotations, so the "
    "variance within games can be divided among strategy, seat and deal (random effects; intervals by a jackknife "
    "over ten groups of deals). Chance that affects all players of a game equally is not included. With two "
    "players, the deal and other chance cannot be separated and share one row."
)
SPANNED = N_(
    "From deal to deal: how far a seat's chance to win varies with the deal, averaged over strategies (Goodman, "
    "Perez-Liebana and Lucas 2025), from two independent line-ups on the same deal. The range of nine in ten deals "
    "assumes a beta distribution of these chances."
)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the questions about replayed games, and about variance if every strategy has every seat on each deal."""
    found: list[Question] = [Variance()] if variance_applies(context.plan) else []
    return [*found, Luck()] if context.plan.tier.luck else found


def write(context: ReportContext, answers: Answers) -> Section:
    """Write what each source decides, then what explains the variance, then the differences between deals."""
    section = Section("luck", tr("Luck and skill"))
    if context.plan.tier.luck:
        _write_sources(section, context, answers[Luck()])
    else:
        section.paragraphs.append(tr(NOT_PLAYED))
    if variance_applies(context.plan):
        variance = read_variance(answers[Variance()])
        _write_variance(section, variance)
        if not section.headlines:
            section.headlines.extend(_skill(context, variance))
    if context.plan.tier.luck:
        _write_spans(section, context, read_spans(answers[Luck()]))
    return section


def _write_sources(section: Section, context: ReportContext, sums: pd.DataFrame) -> None:
    luck = read_luck(sums)
    if luck.empty:
        section.paragraphs.append(tr("Too few games were replayed to show what each source decides."))
        return
    text = tr(BY_SOURCE, games=context.plan.tier.luck)
    if len(context.plan.seeds) > 1:
        text = f"{text} {tr('This holds for each of the pooled runs.')}"
    section.paragraphs.append(text)
    shown = named_sources(luck)
    changes, effects = shown[shown["outcome"] == WINNER], shown[shown["outcome"] != WINNER]
    longest = float(changes[["value", "high"]].max(axis=None))
    section.figures.extend(
        figures_by_variant(
            context, "luck", tr(CHANGES), changes, draw_rows, AXIS[0], tr(AXIS[1]), longest
        )
    )
    section.tables.append(side_by_side("luck", f"{tr(CHANGES)}, %.", changes, ["source", "variant"], 1))
    caption = tr("Total effect of each source on wins and on score differences, % of the variance.")
    rows = ["outcome", "source", "variant"]
    section.tables.append(side_by_side("luck-effects", caption, effects, rows, 1))
    section.headlines.extend(_largest_sources(context, luck, sums))


def named_sources(luck: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `read_luck` for display: outcomes in order, sources with their names."""
    named = luck.assign(source=luck["source"].replace(_NAMES))
    return _in_order(named, outcome=(WINNER, *EFFECTS), source=named["source"].unique())


def draw_sources(name: str, changes: pd.DataFrame, variant: str, longest: float) -> Figure:
    """Draw how often another seat wins, a bar for each source; `changes` has one variant, see `named_sources`."""
    caption = tr("{caption}, variant {variant}.", caption=tr(CHANGES), variant=variant)
    return draw_rows(name, caption, changes, AXIS[0], tr(AXIS[1]), longest)


def _in_order(frame: pd.DataFrame, **orders: Iterable[str]) -> pd.DataFrame:
    """Sort rows by the given order of values in each column, column after column."""
    kinds = {name: pd.Categorical(frame[name], list(order)) for name, order in orders.items()}
    return frame.assign(**kinds).sort_values(list(orders), kind="stable")


def _largest_sources(context: ReportContext, luck: pd.DataFrame, sums: pd.DataFrame) -> list[Headline]:
    """Return what would change the winner: the largest source, estimated on held-out deals, and the others."""
    changes = luck[luck["outcome"] == WINNER]
    cells = dict(iter(changes.groupby(["variant", "players"])))
    best = context.of_shown(largest_source(sums))
    return write_cell_headlines(best, lambda row: _largest_source(row, cells[row.variant, row.players]))


def _largest_source(best: Any, changes: pd.DataFrame) -> str:
    """Return the largest source of chance of a cell and how often it would change the winner."""
    cell = changes.set_index("source")["value"]
    own = cell.drop(list(SHARED_SOURCES), errors="ignore")
    others = own.drop(best.source, errors="ignore")
    if len(others) and others.max() >= best.low:
        parts = [
            tr(
                "no source of chance stands out: each source of the game, drawn again, would change the winner in "
                "{low:.0f} to {high:.0f} % of games ({smallest} each)",
                low=own.min(),
                high=own.max(),
                smallest=smallest_n(changes),
            )
        ]
    else:
        parts = [
            tr(
                "{source}, drawn again, would change the winner in {share} % of games (the largest source of chance, "
                "chosen on one half of the deals and measured on the held-out half, n = {n:,})",
                source=tr(_NAMES.get(best.source, best.source)),
                share=write_estimate(best, 0),
                n=best.n,
            )
        ]
        if len(others):
            parts.append(
                tr(
                    "the game's other sources in {low:.0f} to {high:.0f} %",
                    low=others.min(),
                    high=others.max(),
                )
            )
    if PLAYERS in cell:
        parts.append(tr("another line-up in {share:.0f} %", share=cell[PLAYERS]))
    return ", ".join(parts)


def _write_variance(section: Section, variance: pd.DataFrame) -> None:
    if variance.empty:
        return
    section.paragraphs.append(tr(DIVIDED))
    named = variance.assign(source=variance["source"].replace(_MEANINGS))
    shown = _in_order(named, outcome=OUTCOMES, source=_MEANINGS.values())
    caption = tr("What explains the variance within games, %.")
    rows = ["outcome", "source", "variant"]
    section.tables.append(side_by_side("variance", caption, shown, rows, 1))


def _skill(context: ReportContext, variance: pd.DataFrame) -> list[Headline]:
    """Return how much of the variance of wins the strategies explain."""
    wins = variance[(variance["outcome"] == "wins") & (variance["source"] == "strategy")]
    return write_cell_headlines(
        context.of_shown(wins),
        lambda row: tr(
            "the strategies explain {share} of the variance of wins (n = {n:,} seats); seats, cards and all other "
            "chance explain the rest",
            share=write_percent(row),
            n=row.n,
        ),
    )


def _write_spans(section: Section, context: ReportContext, spans: pd.DataFrame) -> None:
    if spans.empty:
        if not any(context.plan.schedule(cell).varies for cell in context.plan.tier_cells):
            section.paragraphs.append(
                tr(
                    "The differences from deal to deal are left out: there is one line-up only, so the effects of "
                    "line-up and deal cannot be separated."
                )
            )
        return
    section.paragraphs.append(tr(SPANNED))
    frame = spans[["players", "variant"]].copy()
    frame[N_("standard deviation, points")] = [write_estimate(row) for row in spans.itertuples()]
    frame[N_("in nine of ten deals, %")] = [
        tr("{low:.0f} to {high:.0f}", low=row.lowest, high=row.highest) for row in spans.itertuples()
    ]
    frame["n"], frame["deals"] = spans["n"], spans["decks"]
    caption = tr("A seat's chance to win from deal to deal, pooled over seats. 95 % intervals.")
    section.tables.append(Table("deals", caption, frame, {"n": ",", "deals": ","}, spans))
