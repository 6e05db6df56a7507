"""Luck and skill: what each source of chance decides, what explains the variance, how deals differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.luck import (
    EFFECTS,
    OUTCOMES,
    WINS,
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
from balance.contract.sides import SEAT
from balance.foundation.language import N_, tr
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_rows
from balance.report.kit import figures_by_variant, side_by_side, write_cell_headlines
from balance.report.model import Figure, Headline, Section, Table
from balance.report.rows.luck import ROW
from balance.report.words import smallest_n, write_estimate, write_percent

ORDER = 90
NEEDS = (SEAT,)
MOST = 100.0  # the end of the scale
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
    "with that source drawn again and all else the same: line-up, other cards, other draws. 0: this changes no "
    "result. 100: it changes results as much as another, independent game does. (This is the total effect, Jansen "
    "1999.) Sources act together, so the figures overlap and may add up to more than 100. If all sources have a "
    "similar figure, any small change may change the winner. Who sits where is skill and match-up, not chance; it is "
    "listed for comparison."
)
CHANGES = N_(
    "How much wins depend on one source: 0 if a new draw changes nothing, 100 if it changes as much as another game"
)
AXIS = (N_("source"), N_("0 to 100: as much as another game"))
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
        section = _write_sources(section, context, answers[Luck()])
    else:
        section = section.plus([tr(NOT_PLAYED)])
    if variance_applies(context.plan):
        section = _write_variance(section, context, read_variance(answers[Variance()]))
    if context.plan.tier.luck:
        section = _write_spans(section, context, read_spans(answers[Luck()]))
    return section


def _write_sources(section: Section, context: ReportContext, sums: pd.DataFrame) -> Section:
    """Write how much wins depend on each source of chance."""
    luck = read_luck(sums)
    if luck.empty:
        return section.plus([tr("Too few games were replayed to show what each source decides.")])
    text = tr(BY_SOURCE, games=context.plan.tier.luck)
    if len(context.plan.seeds) > 1:
        text = f"{text} {tr('This holds for each of the pooled runs.')}"
    shown = named_sources(luck)
    wins = shown[shown["outcome"] == WINS]
    caption = tr("How much wins and score differences depend on each source, 0 to 100.")
    return section.plus(
        [text],
        write_largest_sources(context, luck, sums),
        figures_by_variant(context, "luck", tr(CHANGES), wins, draw_rows, AXIS[0], tr(AXIS[1]), MOST),
        [side_by_side("luck", caption, shown, ["outcome", "source", "variant"], 1)],
    )


def named_sources(luck: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `read_luck` for display: outcomes in order, sources with their names."""
    named = luck.assign(source=luck["source"].replace(_NAMES))
    return _in_order(named, outcome=EFFECTS, source=named["source"].unique())


def draw_sources(name: str, wins: pd.DataFrame, variant: str) -> Figure:
    """Draw how much wins depend on each source; `wins` has one variant, see `named_sources`."""
    caption = tr("{caption}, variant {variant}.", caption=tr(CHANGES), variant=variant)
    return draw_rows(name, caption, wins, AXIS[0], tr(AXIS[1]), MOST)


def _in_order(frame: pd.DataFrame, **orders: Iterable[str]) -> pd.DataFrame:
    """Sort rows by the given order of values in each column, column after column."""
    kinds = {name: pd.Categorical(frame[name], list(order)) for name, order in orders.items()}
    return frame.assign(**kinds).sort_values(list(orders), kind="stable")


def write_largest_sources(context: ReportContext, luck: pd.DataFrame, sums: pd.DataFrame) -> list[Headline]:
    """Return for each cell the source of chance that is shown to decide most, or that none is, and the others."""
    wins = luck[luck["outcome"] == WINS]
    best = largest_source(sums, context.family(ROW.name)).set_index(["variant", "players"])
    cells = dict(iter(wins.groupby(["variant", "players"])))
    of_game = wins[~wins["source"].isin(SHARED_SOURCES)]
    shown = context.of_shown(of_game[["variant", "players"]].drop_duplicates())

    def write(row: Any) -> str:
        place = (row.variant, row.players)
        return _largest_source(best.loc[place] if place in best.index else None, cells[place])

    return write_cell_headlines(shown, write)


def _largest_source(best: Any | None, wins: pd.DataFrame) -> str:
    """Return how much wins depend on the largest source of a cell, if one is shown to be, and on the others."""
    cell = wins.set_index("source")["value"]
    others = cell.drop([*SHARED_SOURCES, *([] if best is None else [best.source])], errors="ignore")
    if best is None:
        parts = [
            tr(
                "no source of chance is shown to decide more than the others: with one source drawn again, wins change "
                "by {low:.0f} to {high:.0f}, where another game is 100 ({smallest} each)",
                low=others.min(),
                high=others.max(),
                smallest=smallest_n(wins),
            )
        ]
    else:
        parts = [
            tr(
                "the source that decides most is {source}: drawn again, it changes wins by {share}, where another game "
                "is 100 (chosen on one half of the deals and measured on the held-out half, n = {n:,})",
                source=tr(_NAMES.get(best.source, best.source)),
                share=write_estimate(best, 0),
                n=int(best.n),
            )
        ]
        if len(others):
            parts.append(tr("the game's other sources by {low:.0f} to {high:.0f}", low=others.min(), high=others.max()))
    if PLAYERS in cell:
        parts.append(tr("another line-up by {share:.0f}", share=cell[PLAYERS]))
    return ", ".join(parts)


def _write_variance(section: Section, context: ReportContext, variance: pd.DataFrame) -> Section:
    """Write what explains the variance of wins and scores; its sentence only where the section has none."""
    if variance.empty:
        return section
    named = variance.assign(source=variance["source"].replace(_MEANINGS))
    shown = _in_order(named, outcome=OUTCOMES, source=_MEANINGS.values())
    caption = tr("What explains the variance within games, %.")
    rows = ["outcome", "source", "variant"]
    skill = [] if section.headlines else _skill(context, variance)
    return section.plus([tr(DIVIDED)], skill, tables=[side_by_side("variance", caption, shown, rows, 1)])


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


def _write_spans(section: Section, context: ReportContext, spans: pd.DataFrame) -> Section:
    """Write how far a seat's chance to win varies with the deal, or why that is left out."""
    if spans.empty:
        if any(context.plan.schedule(cell).varies for cell in context.plan.tier_cells):
            return section
        return section.plus(
            [
                tr(
                    "The differences from deal to deal are left out: there is one line-up only, so the effects of "
                    "line-up and deal cannot be separated."
                )
            ]
        )
    frame = spans[["players", "variant"]].copy()
    frame[N_("standard deviation, points")] = [write_estimate(row) for row in spans.itertuples()]
    frame[N_("in nine of ten deals, %")] = [
        tr("{low:.0f} to {high:.0f}", low=row.lowest, high=row.highest) for row in spans.itertuples()
    ]
    frame["n"], frame["deals"] = spans["n"], spans["decks"]
    caption = tr("A seat's chance to win from deal to deal, pooled over seats. 95 % intervals.")
    table = Table("deals", caption, frame, {"n": ",", "deals": ","}, spans)
    return section.plus([tr(SPANNED)], tables=[table])
