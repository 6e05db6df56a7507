"""Strategies: win shares in the mixed pool, head to head, equilibrium, dominated and dead strategies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from balance.analysis.ended import WITHHELD, Played, without_broken
from balance.analysis.gather import Answers
from balance.analysis.head_to_head import Meetings, find_dead, find_equilibria, head_to_head
from balance.analysis.question import Question
from balance.analysis.shares import furthest_shares, halves_question, judged_shares, remeasure_best, share_question
from balance.contract.sides import RIVALS, SEAT
from balance.foundation.language import N_, tr, trc
from balance.report.context import Family, ReportContext
from balance.report.figures.bars import draw_intervals
from balance.report.kit import matrices, share_table, side_by_side, write_cell_headline
from balance.report.model import Headline, Section, Table
from balance.report.rows.strategies import ROW
from balance.report.words import smallest_n, with_players, write_estimate, write_fair, write_furthest
from balance.stats.comparisons import TOO_FEW

ABOUT_STRATEGIES = True
ORDER = 50
NEEDS = (RIVALS,)


_AGAINST_EACH_OTHER = "strategies against each other"


def families(context: ReportContext) -> list[Family]:
    """Return the family of verdicts on strategies against each other."""
    return [Family(_AGAINST_EACH_OTHER, context.plan.tier.name)] if _meet(context) else []


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the questions about win shares, win shares in halves of the deals, and meetings."""
    if not context.has_several_strategies:
        return []
    measure = context.strategy_share
    meetings = [Meetings()] if _meet(context) else []
    return [share_question(measure), halves_question(measure), *meetings, Played()]


TEXT = [
    N_(
        "n counts seats: a strategy with two seats in a game counts twice. Head to head shows how often the row "
        "strategy finishes above the column strategy in games with both; a tie counts half."
    ),
    N_(
        "The equilibrium is the mix of strategies that no strategy beats, in the pairwise game of the matrix (an "
        "approximation with more than two players). A strategy that is shown to win against every other is the whole "
        "equilibrium (alone). Otherwise the deals are resampled many times (bootstrap): a strategy in at least 95 % of "
        "these equilibria is part of it (sure), a strategy in at most 5 % is not (none). The others are undecided "
        "(possible)."
    ),
]

MEETINGS = N_("Head to head: meetings in which a strategy finishes above the other, %")


def write(context: ReportContext, answers: Answers) -> Section:
    """Write win shares in the mixed pool, head to head, equilibrium, dominated and dead strategies."""
    played = context.plan.tier.strategies
    profiles = [f"{s.name}: {tr(s.profile.description)}" for s in played if s.profile]
    if not context.has_several_strategies:
        text = [tr("One strategy sits on every seat, so there is nothing to compare.")]
        return Section("strategies", tr("Strategies"), text, notes=profiles)
    measure = context.strategy_share
    shares = judged_shares(context.plan, answers, "strategy", context.family(ROW.name))
    caption = tr("Win share by strategy, per seat played.")
    section = Section(
        "strategies", tr("Strategies"), [tr(TEXT[0])], _best_strategies(context, shares), notes=profiles,
        figures=[draw_intervals("strategies", caption, shares, "strategy", context.colours)],
        tables=[share_table("strategies", tr("Win share by strategy."), shares, "strategy", context.shared)],
        extension=context.extension(shares),
    )  # fmt: skip
    if _meet(context):
        section = _write_meetings(section, context, answers, shares)
    best = _best_table(context.of_shown(answers[halves_question(measure)]))
    return section.plus(tables=[best])


def _meet(context: ReportContext) -> bool:
    """Return whether strategies can be compared head to head: several of them play, and seats win alone."""
    return context.has_several_strategies and context.plan.game.sides.kind == SEAT


def _write_meetings(section: Section, context: ReportContext, answers: Answers, shares: pd.DataFrame) -> Section:
    """Write strategies head to head, and the equilibrium of the meta-game."""
    bags = context.of_shown(answers[Meetings()])
    meetings = head_to_head(bags)
    mixed = bags[~bags["players"].isin(context.plan.unmixed)]
    against = context.family(_AGAINST_EACH_OTHER)
    equilibria = find_equilibria(without_broken(mixed, answers[Played()]), against)
    percent = _in_percent(meetings)
    away = (percent["value"] - 50.0).abs()
    percent = percent.assign(importance=away.where(percent["strategy"] != percent["against"], 0.0))
    named = percent.rename(columns={"against": N_("opponent")})
    long = side_by_side("head-to-head", f"{tr(MEETINGS)}.", named, ["variant", "strategy", "opponent"])
    by_pair = matrices("head-to-head", tr(MEETINGS), percent, ("strategy", "against"), 50.0, ".0f")
    return section.plus(
        [tr(each) for each in TEXT[1:]],
        _equilibria(equilibria, find_dead(equilibria, shares)),
        tables=[*by_pair, replace(long, raw=meetings), _equilibrium_table(equilibria)],
    )


def _in_percent(meetings: pd.DataFrame) -> pd.DataFrame:
    shown = meetings.rename(columns={"row_strategy": "strategy", "column_strategy": "against"})
    return shown.assign(**{name: 100 * shown[name] for name in ("value", "low", "high")})


def _equilibrium_table(equilibria: pd.DataFrame) -> Table:
    shown = equilibria.rename(columns={"share": "value"})
    frame = shown[["players", "variant", "strategy"]].copy()
    frame[N_("share of the equilibrium, %")] = [write_estimate(row) for row in shown.itertuples()]
    frame[N_("in it, % of samples")] = shown["alive"]
    parts = {
        "alone": trc("part", "alone"), "sure": trc("part", "sure"),
        "possible": trc("part", "possible"), "none": trc("part", "none"),
    }  # fmt: skip
    frame[N_("part")] = shown["part"].map(parts)
    frame[N_("dominated by")] = shown["dominated_by"]
    frame[N_("meetings")] = shown["n"]
    caption = tr(
        "Equilibrium of the pairwise meta-game: means over 200 bootstrap samples of the deals, in brackets the middle "
        "95 % of the samples."
    )
    formats = {"in it, % of samples": ".0f", "meetings": ","}
    return Table("equilibrium", caption, frame, formats, equilibria)


def _best_table(halves: pd.DataFrame) -> Table:
    best = remeasure_best(halves, "strategy")
    frame = best[["players", "variant", "strategy"]].copy()
    frame[N_("where it was chosen, %")] = best["chosen_value"]
    frame[N_("on held-out deals, %")] = [write_estimate(row, 2) for row in best.itertuples()]
    frame["n"] = best["n"]
    caption = tr("The best strategy of each cell, chosen on half of the deals and measured on the held-out half.")
    return Table("best", caption, frame, {"where it was chosen, %": ".2f", "n": ","}, best)


def _best_strategies(context: ReportContext, shares: pd.DataFrame) -> list[Headline]:
    """Return the strategy with the largest win share of each cell, with its verdict."""
    return [
        write_cell_headline(
            row.variant,
            row.players,
            tr(
                "{strategy} wins most, {share} % of its seats (n = {n:,}; fair is {fair} %): {verdict}",
                strategy=row.strategy,
                share=write_furthest(row),
                n=row.n,
                fair=write_fair(row.fair),
                verdict=tr(row.verdict),
            ),
        )
        for row in context.of_shown(furthest_shares(shares, largest=True)).itertuples()
        if row.verdict not in (TOO_FEW, WITHHELD)
    ]


def _equilibria(equilibria: pd.DataFrame, dead: pd.DataFrame) -> list[Headline]:
    """Return sentences on the equilibrium and on dead strategies; player counts with the same result share one."""
    same: dict[tuple[str, str, tuple[str, ...]], list[pd.DataFrame]] = {}
    for (variant, players), cell in equilibria.groupby(["variant", "players"], sort=False):
        gone = dead[(dead["players"] == players) & (dead["variant"] == variant)]["strategy"]
        same.setdefault((str(variant), _alive(cell), tuple(sorted(gone))), []).append(cell)
    found = []
    for (variant, alive, gone), cells in same.items():
        text = tr(
            "{variant}: with {players} {equilibrium}",
            variant=variant,
            players=with_players([cell["players"].iloc[0] for cell in cells]),
            equilibrium=alive,
        )
        if gone:
            text += "; " + tr("not part of it and below a fair share: {strategies}", strategies=", ".join(gone))
        n = smallest_n(pd.concat(cells), tr("meetings a strategy"))
        found.append(Headline(f"{text}; {n}.", variant))
    return found


def _alive(cell: pd.DataFrame) -> str:
    """Describe the equilibrium: the strategies that are or may be part of it."""
    alone, sure, possible = (
        ", ".join(cell[cell["part"] == part]["strategy"]) for part in ("alone", "sure", "possible")
    )
    if alone:
        return tr(
            "{strategy} wins against every other strategy, and is the whole equilibrium of the meta-game",
            strategy=alone,
        )
    if not possible:
        return tr("the equilibrium of the meta-game consists of {strategies}", strategies=sure)
    if not sure:
        return tr(
            "not enough games to tell which of these make up the equilibrium of the meta-game: {possible}",
            possible=possible,
        )
    return tr(
        "the equilibrium of the meta-game has {sure}; not enough games to tell whether also {possible}",
        sure=sure,
        possible=possible,
    )
