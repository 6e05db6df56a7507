"""Luck and skill: what each source of chance decides, what the variance comes from, how deals differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.luck import EFFECTS, WINNER, Luck, largest_source, read_luck, read_spans
from balance.analysis.question import Question
from balance.analysis.variance import OUTCOMES, Variance, read_variance, variance_applies
from balance.contract.records import BOTS, PLAYERS, SHARED_SOURCES
from balance.report.facts import Facts
from balance.report.figures.bars import draw_rows
from balance.report.layout import side_by_side, stem
from balance.report.model import Figure, Said, Section, Table, write_estimate
from balance.report.section import Written

PLACE = 90
_NAMES = {BOTS: "the bots' own lots", PLAYERS: "who sits where"}
_OTHERS = {BOTS: "other lots of the bots"}
_MEANINGS = {
    "strategy": "strategy (skill: who plays what, against whom)",
    "seat": "seat",
    "strategy x seat": "strategy x seat (whose plan the seat suits)",
    "deck x seat": "deck x seat (whose turn the cards suit)",
    "deck x strategy": "deck x strategy (whose plan the cards suit)",
    "rest": "rest (who sits where on which deck, other chance)",
    "deck and rest": "deck and all other chance",
}

BY_SOURCE = (
    "By source: the first {games:,} games of each cell{pooled} were played again, once for each source of chance, "
    "with that source drawn anew and all else as it was: the same line-up, the same other cards, the same lots. "
    "How often another seat wins then is what the source decides. A total effect is the same as a share of the "
    "variance of wins, or of score differences (Jansen 1999). Sources act together, and are counted with each: "
    "total effects overlap and may add up to more than 100 %. Where all sources look alike, the game turns with any "
    "small change, of whatever card. Who sits where is skill and match-up, no "
    "chance, and stands beside them."
)
CHANGES = "In how many games another seat wins if one source is drawn anew"
NOT_PLAYED = (
    "What each source of chance decides is not known of this run: play with luck = 2000 in the experiment, or "
    "with --luck 2000, to play the first 2,000 games of each cell again with one source drawn anew at a time."
)
DIVIDED = (
    "What explains wins and score differences: every line-up plays each deck in all its rotations, so that the "
    "variance within games can be divided among strategy, seat and deck (random effects; intervals by a jackknife "
    "over ten groups of decks). Chance that gives all players of a game the same has no part in it. With two "
    "players what is the deck's and what is other chance can't be told apart, and is one row."
)
SPANNED = (
    "From deal to deal: how far a seat's chance to win moves with the deal, whoever sits there (Goodman, "
    "Perez-Liebana and Lucas 2025), from two independent line-ups on the same deal. Nine of ten deals lie where it "
    "says if chances are spread as a beta distribution."
)


def questions(facts: Facts) -> Sequence[Question]:
    """Sums of games played again, and of outcomes where every deck holds each strategy in each seat once."""
    found: list[Question] = [Variance()] if variance_applies(facts.plan) else []
    return [*found, Luck()] if facts.plan.tier.luck else found


def write(facts: Facts, answers: Answers) -> Written:
    """By source first, then what the variance comes from, then the span over deals."""
    section = Section("luck", "Luck and skill")
    if facts.plan.tier.luck:
        section.says.extend(_write_sources(section, facts, answers[Luck()]))
    else:
        section.paragraphs.append(NOT_PLAYED)
    if variance_applies(facts.plan):
        variance = read_variance(answers[Variance()])
        _write_variance(section, variance)
        section.says.extend([] if section.says else _variance_says(facts, variance))
    if facts.plan.tier.luck:
        _write_spans(section, facts, read_spans(answers[Luck()]))
    return Written(section)


def _write_sources(section: Section, facts: Facts, sums: pd.DataFrame) -> list[Said]:
    luck = read_luck(sums)
    if luck.empty:
        section.paragraphs.append("Too few games were played again to say what each source decides.")
        return []
    pooled = " in each of the runs that were pooled" if len(facts.plan.seeds) > 1 else ""
    section.paragraphs.append(BY_SOURCE.format(games=facts.plan.tier.luck, pooled=pooled))
    shown = named_sources(luck)
    changes, effects = shown[shown["outcome"] == WINNER], shown[shown["outcome"] != WINNER]
    drawn = facts.of_shown(changes).groupby("variant", sort=False)
    longest = float(changes[["value", "high"]].max(axis=None))
    for number, (variant, part) in enumerate(drawn):
        figure = draw_sources(stem("luck", number), part, str(variant), longest)
        section.figures.append(replace(figure, variant=str(variant)))
    section.tables.append(side_by_side("luck", f"{CHANGES}, %.", changes, ["source", "variant"], 1))
    caption = "Total effect of each source on wins and on score differences, % of the variance."
    rows = ["outcome", "source", "variant"]
    section.tables.append(side_by_side("luck-effects", caption, effects, rows, 1))
    return _source_says(facts, luck, sums)


def named_sources(luck: pd.DataFrame) -> pd.DataFrame:
    """`luck` of `read_luck` as it is shown: outcomes in their order, sources with their names."""
    named = luck.assign(source=luck["source"].replace(_NAMES))
    return _in_order(named, outcome=(WINNER, *EFFECTS), source=named["source"].unique())


def draw_sources(name: str, changes: pd.DataFrame, variant: str, longest: float) -> Figure:
    """How often another seat wins, a bar for each source; `changes` are those of one variant, see `named_sources`."""
    title = f"{CHANGES}, variant {variant}."
    return draw_rows(name, title, changes, "source", "games, %", longest)


def _in_order(frame: pd.DataFrame, **orders: Iterable[str]) -> pd.DataFrame:
    """Rows in the order in which the values of these columns are listed, column after column."""
    kinds = {name: pd.Categorical(frame[name], list(order)) for name, order in orders.items()}
    return frame.assign(**kinds).sort_values(list(orders), kind="stable")


def _source_says(facts: Facts, luck: pd.DataFrame, sums: pd.DataFrame) -> list[Said]:
    """What would change the winner: the largest source, on decks that did not choose it, and the others."""
    changes = luck[luck["outcome"] == WINNER]
    return [
        _source_said(
            best, changes[(changes["players"] == best.players) & (changes["variant"] == best.variant)]
        )
        for best in facts.of_shown(largest_source(sums)).itertuples()
    ]


def _source_said(best: Any, changes: pd.DataFrame) -> Said:
    cell = changes.set_index("source")["value"]
    own = cell.drop(list(SHARED_SOURCES), errors="ignore")
    others = own.drop(best.source, errors="ignore")
    text = f"{best.variant}: with {best.players} players "
    if len(others) and others.max() >= best.low:
        text += (
            f"no source of chance stands out: any of the game's, drawn anew, would change the winner in "
            f"{own.min():.0f} to {own.max():.0f} % of games (n ≥ {changes['n'].min():,} each)"
        )
    else:
        text += (
            f"{_OTHERS.get(best.source, f'other {best.source}')} would change the winner in "
            f"{write_estimate(best, 0)} % of games (the largest source of chance, chosen on one half of the "
            f"decks and measured on the other, n = {best.n:,})"
        )
        if len(others):
            text += f", the game's other sources in {others.min():.0f} to {others.max():.0f} %"
    text += f", another line-up in {cell[PLAYERS]:.0f} %." if PLAYERS in cell else "."
    return Said(text, best.variant)


def _write_variance(section: Section, variance: pd.DataFrame) -> None:
    if variance.empty:
        return
    section.paragraphs.append(DIVIDED)
    named = variance.assign(source=variance["source"].replace(_MEANINGS))
    shown = _in_order(named, outcome=OUTCOMES, source=_MEANINGS.values())
    caption = "What explains the variance within games, %."
    rows = ["outcome", "source", "variant"]
    section.tables.append(side_by_side("variance", caption, shown, rows, 1))


def _variance_says(facts: Facts, variance: pd.DataFrame) -> list[Said]:
    wins = facts.of_shown(variance[variance["outcome"] == "wins"])
    return [
        Said(
            f"{row.variant}: with {row.players} players the strategies explain {write_estimate(row)} % of the "
            f"variance of wins (n = {row.n:,} seats); the rest is seats, cards and all other chance.",
            row.variant,
        )
        for row in wins[wins["source"] == "strategy"].itertuples()
    ]


def _write_spans(section: Section, facts: Facts, spans: pd.DataFrame) -> None:
    if spans.empty:
        one = not any(facts.plan.schedule(cell).varies for cell in facts.plan.tier_cells)
        if one:
            section.paragraphs.append(
                "How chances to win differ from deal to deal is left out: there is one line-up only, "
                "and what it makes of a deal can't be told from the deal."
            )
        return
    section.paragraphs.append(SPANNED)
    frame = spans[["players", "variant"]].copy()
    frame["standard deviation, points"] = [write_estimate(row) for row in spans.itertuples()]
    frame["in nine of ten deals, %"] = [
        f"{row.lowest:.0f} to {row.highest:.0f}" for row in spans.itertuples()
    ]
    frame["n"], frame["decks"] = spans["n"], spans["decks"]
    caption = "A seat's chance to win from deal to deal, pooled over seats. 95 % intervals."
    section.tables.append(Table("deals", caption, frame, {"n": ",", "decks": ","}, spans))
