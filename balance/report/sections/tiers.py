"""By tier: every verdict about seats, effects of rules, length and tempo, one set of players beside another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from balance.analysis.gather import Answers, gather
from balance.analysis.question import Question
from balance.analysis.tiers import (
    KEYS,
    LEADER,
    TEMPO,
    effect_rows,
    hold_against,
    leader_rows,
    rule_targets,
    seat_rows,
    target_rows,
    tempo_rows,
    tier_questions,
)
from balance.analysis.unfinished import Played, none_ended
from balance.plan.plan import Plan
from balance.report.facts import Facts
from balance.report.figures.bars import draw_intervals
from balance.report.layout import label_of
from balance.report.model import Section, Subject, Table, write_difference, write_estimate
from balance.report.section import Written
from balance.report.tiers import Heading, row_headings, seat_headings, target_headings, who_plays

PLACE = 35
_MAIN = ("seat_win_share", "margin", *TEMPO)
"""Effects that are shown; all others are held against each other too."""
TEXT = (
    "The same decks, played by {tiers}. Verdicts are each tier's own, corrected like all on this page. Differences "
    "are those of another tier from {tier}. agrees: both show the same; differs: one shows what the other shows not "
    "to be so, or the difference itself is shown, of win shares beyond what matters; undecided: one of the two can't "
    "say, mostly for want of games, which is no contradiction."
)
Rows = Mapping[str, pd.DataFrame]
"""Of each tier, the one that the page is about first."""
Named = tuple[str, Callable[[Any], str], int]
"""The heading of a column that names rows, what stands there, and decimals of the estimates beside it."""


def judges(facts: Facts) -> int:
    """Other tiers' seats, effects and targets, all leaders, and the differences of each but targets."""
    if not facts.other_tiers:
        return 0
    each = [True, len(facts.plan.variants) > 1, bool(rule_targets(facts.plan))]
    differences = [True, len(facts.plan.variants) > 1, True]
    leaders = facts.has_rounds * (len(facts.other_tiers) + 2)
    return len(facts.other_tiers) * sum(each) + sum(differences) + leaders


def questions(facts: Facts) -> Sequence[Question]:
    """What other tiers are asked too."""
    return tier_questions(facts.plan) if facts.other_tiers else []


def write(facts: Facts, answers: Answers) -> Written | None:
    """Tables by tier, and what they say of the findings of other sections."""
    if not facts.other_tiers:
        return None
    plans, found = {facts.plan.tier.name: facts.plan}, {facts.plan.tier.name: answers}
    for name in facts.other_tiers:
        run = facts.run.in_tier(name)
        asked = gather(run, tier_questions(run.plan), facts.progress)
        if not none_ended(asked[Played()]):
            plans[name], found[name] = run.plan, asked
    if len(plans) == 1:
        return None

    def rows_of(read: Callable[..., pd.DataFrame], *more: int) -> dict[str, pd.DataFrame]:
        return {name: read(plan, found[name], *more) for name, plan in plans.items()}

    section = Section("tiers", "By tier", [_text(plans)])
    headings = {
        **_write_seats(section, facts, rows_of(seat_rows, facts.families)),
        **_write_effects(section, facts, rows_of(effect_rows, facts.families)),
        **_write_tempo(section, facts, rows_of(tempo_rows), rows_of(leader_rows, facts.families)),
        **_write_targets(section, rows_of(target_rows, facts.families)),
    }
    return Written(section, headings=headings)


def _text(plans: Mapping[str, Plan]) -> str:
    told = [
        f"{name} ({who_plays(plan)}; at most {plan.tier.most_games:,} games in each cell)"
        for name, plan in plans.items()
    ]
    return TEXT.format(tiers="; ".join(told), tier=next(iter(plans)))


def _held(rows: Rows, families: int | None) -> pd.DataFrame:
    first, *others = rows
    return hold_against(rows[first], {name: rows[name] for name in others}, families)


def _write_seats(section: Section, facts: Facts, rows: Rows) -> dict[Subject, Heading]:
    held = _held(rows, facts.families)
    colours = pd.concat(
        [table.assign(variant=name, seat=table["group"]) for name, table in _of_first(facts, rows)],
        ignore_index=True,
    )
    caption = f"Win share by seat in every tier, variant {facts.first}."
    limit = facts.seat_share.threshold or 0
    section.figures.append(draw_intervals("tiers-seats", caption, colours, "seat", limit))
    caption = "Win share by seat, %. 95 % intervals each."
    section.tables.append(
        _table("tiers-seats", caption, rows, held, ("seat", lambda row: str(row.group), 1))
    )
    return seat_headings(held, facts.first)


def _of_first(facts: Facts, rows: Rows) -> list[tuple[str, pd.DataFrame]]:
    return [(name, facts.of_first(table)) for name, table in rows.items()]


def _write_effects(section: Section, facts: Facts, rows: Rows) -> dict[Subject, Heading]:
    if any(table.empty for table in rows.values()):
        return {}
    held = _held(rows, facts.families)
    main = {name: table[table["measure"].isin(_MAIN)] for name, table in rows.items()}
    caption = f"Effects of rules against {facts.first}, on what makes a game; all others are in the CSV."
    caption += " 95 % intervals each."
    section.tables.append(_table("tiers-effects", caption, main, held, ("effect on", _labels(facts), 2)))
    units = {name: _of_difference(measure.unit) for name, measure in facts.measures.items()}
    return row_headings(held, "effects", units)


def _of_difference(unit: str) -> str:
    return "points" if unit.startswith("%") else unit


def _labels(facts: Facts) -> Callable[[Any], str]:
    def label(row: Any) -> str:
        if row.measure == LEADER:
            return f"wins of who leads alone after round {row.group}, %"
        return label_of(facts.measures[row.measure], str(row.group))

    return label


def _write_tempo(section: Section, facts: Facts, means: Rows, leaders: Rows) -> dict[Subject, Heading]:
    held = _held(means, facts.families)
    headings: dict[Subject, Heading] = {}
    rows = dict(means)
    if facts.has_rounds:
        held_leaders = _held(leaders, facts.families)
        headings = row_headings(held_leaders, "leader", {LEADER: "%"})
        held = pd.concat([held, held_leaders], ignore_index=True)
        rows = {name: pd.concat([means[name], leaders[name]], ignore_index=True) for name in means}
    caption = "Length and tempo. 95 % intervals each."
    section.tables.append(_table("tiers-tempo", caption, rows, held, ("measure", _labels(facts), 2)))
    return headings


def _write_targets(section: Section, rows: Rows) -> dict[Subject, Heading]:
    if any(table.empty for table in rows.values()):
        return {}
    held = _held(rows, None)
    caption = "Targets. Intervals are widened so that all checks of a tier hold together."
    label: Named = ("target", lambda row: f"{row.measure} {row.group}".strip(), 1)
    section.tables.append(_table("tiers-targets", caption, rows, held, label))
    return target_headings(held)


def _table(name: str, caption: str, rows: Rows, held: pd.DataFrame, named: Named) -> Table:
    """A row for each of the first tier's: how others stand to it, then what each tier shows."""
    first, *others = rows
    heading, label, digits = named
    lines = {
        _key(row): {"players": row.players, "variant": row.variant, heading: label(row)}
        for row in rows[first].itertuples()
    }
    for row in held.itertuples():
        if _key(row) in lines:
            lines[_key(row)][f"{row.tier} against {first}"] = _difference(row, digits)
    for tier, table in rows.items():
        for row in table.itertuples():
            if _key(row) in lines:
                verdict = f", {row.verdict}" if row.verdict else ""
                lines[_key(row)][tier] = f"{write_estimate(row, digits)}{verdict}"
    columns = ["players", "variant", heading, *(f"{tier} against {first}" for tier in others), *rows]
    cells = [[line.get(column, "–") for column in columns] for line in lines.values()]
    least = ", ".join(f"{int(table['n'].min()):,} ({tier})" for tier, table in rows.items())
    return Table(name, f"{caption} n ≥ {least}.", pd.DataFrame(cells, columns=columns), {}, held)


def _key(row: Any) -> tuple[Any, ...]:
    return tuple(getattr(row, column) for column in KEYS)


def _difference(row: Any, digits: int) -> str:
    if not row.difference_verdict:
        return str(row.relation)
    return f"{row.relation}, {write_difference(row, digits)}"
