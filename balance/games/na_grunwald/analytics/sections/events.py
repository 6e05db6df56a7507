"""Events: the effect of each card on scores, margins, lost skirmishes and win shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.holdout import is_significant, of_all_decks, with_all_decks
from balance.analysis.question import Question, column, interval_columns, interval_of_frame, intervals_of, moments
from balance.contract.analytics import literal
from balance.foundation.language import N_, tr, trn
from balance.games.na_grunwald.rules.decks import MOST_CARDS, EventDeck, list_events
from balance.report.context import Family, ReportContext
from balance.report.kit import (
    largest_on_holdout,
    matrices,
    name_largest,
    side_by_side,
    write_cell_headlines,
    write_effect_verdicts,
)
from balance.report.model import Headline, Section, Table
from balance.report.words import write_change
from balance.stats.comparisons import ALPHA, judge, p_value
from balance.stats.intervals import difference_of

ORDER = 130
TEXT = N_(
    "Each deal turns up random event cards, so the difference between games with and without a card is the card's "
    "effect. Every card that is turned up replaces another, so the effects add up to about 0 over the event deck."
)


@dataclass(frozen=True)
class CardEffects(Question):
    """Means of values with and without each card of the event deck; games of one deal turn up the same cards."""

    variants: tuple[str, ...]
    values: tuple[tuple[str, str], ...]  # name and SQL expression
    split: str = ""  # ``strategy``, or "" for all seats together
    per_game: bool = False  # whether to count one seat of each game (for values that a game has once)
    # Number of cards in the largest event deck; a larger number costs time and changes nothing.
    cards: int = MOST_CARDS

    keys = ("players", "variant", "group", "half", "card", "shown")

    @property
    def sql(self) -> str:
        group = self.split or "''"
        totals = (f"sum(({value})::DOUBLE) AS {column(name, 'total')}" for name, value in self.values)
        outer = ", ".join(moments(name, count="seats") for name, _ in self.values)
        variants = ", ".join(map(literal, self.variants))
        kept = "seat = 0" if self.per_game else "true"
        return f"""
            WITH deals AS (
                SELECT players, variant, {group} AS "group", half, deal_seed, any_value(events_seen) AS seen,
                       count(*)::DOUBLE AS seats, {", ".join(totals)}
                FROM seat_rows WHERE variant IN ({variants}) AND {kept} GROUP BY ALL
            )
            SELECT players, variant, "group", half, card, ((seen >> card) & 1)::INT AS shown, {outer}
            FROM deals, range({self.cards}) cards(card) GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        """Return the difference between deals with and without each card, on each half of the deals and on all.

        Cards that every deal or no deal turns up have no row.
        """
        sums = with_all_decks(sums, ["players", "variant", "group", "card", "shown"])
        keys = ["players", "variant", "group", "half", "card"]
        shown, hidden = (sums[sums["shown"] == side].set_index(keys) for side in (1, 0))
        both = shown.index.intersection(hidden.index, sort=False)
        parts = []
        for name, _ in self.values:
            with_card, without = (intervals_of(side.loc[both], name) for side in (shown, hidden))
            found = difference_of(with_card, without)
            parts.append(both.to_frame(index=False).assign(measure=name, **interval_columns(found)))
        table = pd.concat(parts, ignore_index=True)
        return table[table["clusters"] > 1].reset_index(drop=True)


_CARDS = "effects of events"


def families(context: ReportContext) -> list[Family]:
    """Return one family of verdicts: the effects of all cards."""
    return [Family(_CARDS, context.plan.tier.name)]


def questions(context: ReportContext) -> Sequence[CardEffects]:
    """Return the effects of cards on scores, on margins and lost skirmishes, and on each strategy's win share."""
    shown = tuple(context.shown)
    cards = max(len(list_events(variant.rules.event_deck)) for variant in context.plan.variants)
    of_game = ((N_("margin"), "margin"), (N_("lost"), "skirmishes_lost"))
    return [
        CardEffects(shown, ((N_("score"), "score"),), cards=cards),
        CardEffects(shown, of_game, per_game=True, cards=cards),
        CardEffects(shown, ((N_("win share"), "100 * win_share"),), split="strategy", cards=cards),
    ]


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write the effects of every card of each variant's event deck; None without any."""
    parts = [answers[question] for question in questions(context) if len(answers[question])]
    if not parts:
        return None
    names = {
        (variant.name, number): both
        for variant in context.plan.variants
        for number, both in enumerate(_names(variant.rules.event_deck))
    }
    shown = dict(names.values())
    halves = pd.concat(parts, ignore_index=True)
    cards = zip(halves["variant"], halves["card"], strict=True)
    halves["event"] = [names[each][0] for each in cards]
    effects = correct(of_all_decks(halves), context.family(_CARDS))
    tables = [
        replace(table, data=table.data.replace({"event": shown}), raw=table.numbers)
        for table in _tables(context, effects)
    ]
    return Section("events", tr("Events"), [tr(TEXT)], _headlines(halves, shown), tables=tables)


def _tables(context: ReportContext, effects: pd.DataFrame) -> list[Table]:
    """Return tables of the effects on games, then of those on each strategy's win share."""
    important = effects["value"].abs().where(effects["p"] < ALPHA, 0.0)
    effects = effects.assign(importance=important)
    plain = effects[effects["group"] == ""]
    plain = plain.assign(verdict=write_effect_verdicts(plain))
    strategies = effects[effects["group"] != ""].rename(columns={"group": "strategy"})
    caption = trn(
        "Mean with a card minus mean without it; {n} comparison, corrected together{shared}.",
        "Mean with a card minus mean without it; {n} comparisons, corrected together{shared}.",
        len(effects),
        shared=context.shared,
    )
    share = tr("Effect of an event on each strategy's win share, points (with the card minus without it)")
    rows = ["variant", "event"]
    tables = [side_by_side("events", caption, plain, [*rows, "measure"], notes=["verdict"])]
    if context.has_several_strategies:
        tables += matrices("events-shares", share, strategies, ("event", "strategy"), 0.0, "+.1f")
        tables.append(side_by_side("events-strategies", f"{share}.", strategies, [*rows, "strategy"]))
    return tables


def _headlines(halves: pd.DataFrame, shown: Mapping[str, str]) -> list[Headline]:
    """Return the event that changes scores most, chosen on half of the deals and measured on the other half."""
    scores = halves[halves["measure"] == "score"].reset_index(drop=True)
    size = scores["value"].abs().where(is_significant(scores))
    return write_cell_headlines(
        largest_on_holdout(scores, ["event"], size),
        lambda row: tr(
            "the event {event} changes scores most, by {change} points (n = {n:,} scores on held-out deals)",
            event=name_largest(row, "event", shown.__getitem__), change=write_change(row, 2), n=row.n,
        ),
    )  # fmt: skip


def _names(deck: EventDeck) -> list[tuple[str, str]]:
    """Return the names of a deck's cards by number, as data and as shown.

    Copies are numbered, because each is drawn separately.
    """
    names = [card.name for card in list_events(deck)]
    copies = [names[:number].count(name) + 1 for number, name in enumerate(names)]
    return [
        (name, tr(name)) if copy == 1 else (f"{name}, copy {copy}", tr("{event}, copy {n}", event=tr(name), n=copy))
        for name, copy in zip(names, copies, strict=True)
    ]


def correct(effects: pd.DataFrame, families: int = 1) -> pd.DataFrame:
    """Return event effects with p-values corrected over the frame (see `balance.stats.comparisons.judge`)."""
    found = interval_of_frame(effects)
    return effects.assign(p=judge(found, p_value(found), families=families).p)
