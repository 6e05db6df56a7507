"""What games in memory show, by the questions and verdicts of a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd
import pyarrow as pa

from balance.analysis.cells import cell_questions, read_cell_means
from balance.analysis.compare import pair_questions, read_pairs
from balance.analysis.gather import Answers, in_plan_order, make_seat_rows, wanted, words_of
from balance.analysis.question import Question
from balance.analysis.shares import judged_shares, share_question
from balance.analysis.unfinished import Played
from balance.contract.measure import Measure
from balance.live.games import Tables
from balance.live.turning import Turned
from balance.log.database import open_database, stoppable
from balance.plan.experiment import MOST_GAMES
from balance.plan.measures import choose_measures
from balance.plan.plan import Plan

KEYS = ["players", "measure", "group"]
BEFORE, NOW, CHANGE = "before", "now", "change"


@dataclass(frozen=True)
class Arm:
    """One side of a comparison.

    Attributes
    ----------
    turned : Turned
    plan : Plan
        Of one variant, which it alone has the name of.
    tables : Tables
        Its games.
    """

    turned: Turned
    plan: Plan
    tables: Tables

    @property
    def name(self) -> str:
        """The variant's."""
        return self.plan.first_variant.name


def ask(before: Arm, now: Arm, measures: Sequence[str]) -> pd.DataFrame:
    """What both arms show and, where they differ, the paired difference.

    Parameters
    ----------
    measures : sequence of str
        Shown beside the win shares of seats and strategies.

    Returns
    -------
    DataFrame
        ``players``, ``measure``, ``group`` (seat from 0, or strategy, or ""), ``side`` (`BEFORE`, `NOW`, `CHANGE`),
        ``value``, ``low``, ``high`` (95 %, of this figure alone), ``verdict`` ("" where none is given), ``n``,
        ``decks``. Verdicts of all rows hold together with 95 % confidence.

    Raises
    ------
    BalanceError
        There is no such measure.
    KeyboardInterrupt
        The user stopped it.
    """
    arms = [now] if now is before else [before, now]
    sides = {before.name: BEFORE, now.name: NOW}
    plan = replace(now.plan, variants=[arm.plan.first_variant for arm in arms])
    asked = _measures(plan, measures)
    pairs = pair_questions(before.name, asked) if len(arms) > 1 else []
    splits, whole = [m for m in asked if m.by], [m for m in asked if not m.by]
    questions = [*map(share_question, splits), *cell_questions(whole), *pairs, Played()]
    answers = _answer(plan, arms, questions)
    families = len(splits) + 1
    # Alone an arm is judged as beside another, or its words would change when a key is turned.
    parts = [_shares(plan, answers, each, families * 2 // len(arms)) for each in splits]
    parts.append(read_cell_means(answers, whole).assign(group="", verdict=""))
    table = pd.concat([part.assign(side=part["variant"].map(sides)) for part in parts])
    if pairs:
        effects = read_pairs(plan, pairs, answers, families).rename(columns={"effect": "value"})
        table = pd.concat([table, effects.assign(side=CHANGE)])
    order = [measure.name for measure in asked]
    table["place"] = table["measure"].map(order.index)
    ordered = table.sort_values(["players", "place", "group"], kind="stable", ignore_index=True)
    return ordered[[*KEYS, "side", "value", "low", "high", "verdict", "n", "decks"]]


def _measures(plan: Plan, names: Sequence[str]) -> list[Measure]:
    """The win shares, then those that are named."""
    shares = [measure for measure in choose_measures(plan, None) if measure.by]
    return [*shares, *(each for each in choose_measures(plan, names) if not each.by)]


def _shares(plan: Plan, answers: Answers, measure: Measure, families: int) -> pd.DataFrame:
    table = judged_shares(plan, answers, measure.by, families).rename(columns={measure.by: "group"})
    return table.assign(measure=measure.name, group=table["group"].astype(str))


def _answer(plan: Plan, arms: Sequence[Arm], questions: Sequence[Question]) -> Answers:
    words = words_of(questions)
    with stoppable(), open_database() as connection:
        for table in ("games", "seats"):
            connection.register(table, _together(arms, table, words))
        make_seat_rows(connection, "games", "seats", f"game_id % {MOST_GAMES}", lineups=_lineups(plan))
        return {
            question: question.read(
                in_plan_order(plan, connection.execute(question.sql).df(), question.keys)
            )
            for question in questions
        }


def _lineups(plan: Plan) -> int:
    """The most line-ups that are drawn for the deals of a cell."""
    return max(plan.schedule(cell).pass_decks for cell in plan.cells)


def _together(arms: Sequence[Arm], name: str, words: set[str]) -> pa.Table:
    """A table of all arms, the games numbered anew: by the cell, then as in the cell."""
    parts = []
    for number, arm in enumerate(arms):
        table = arm.tables[name]
        table = table.select(wanted(table.column_names, words))
        numbered = table["game_id"].to_numpy() + number * len(arm.plan.cells) * MOST_GAMES
        parts.append(table.set_column(table.column_names.index("game_id"), "game_id", [numbered]))
    return pa.concat_tables(parts)
