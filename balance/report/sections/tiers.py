"""By tier: every verdict about seats, effects of rules, length and tempo, one set of players beside another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from balance.analysis.fields import LeavingOut, leaving_out_applies, seat_ranges
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.tiers import (
    DIFFERS,
    EFFECTS,
    KEYS,
    LEADER,
    SEATS,
    TARGETS,
    TEMPO,
    TEMPO_ROWS,
    Held,
    rule_targets,
    tier_questions,
)
from balance.contract.words import nth
from balance.plan.plan import Plan
from balance.report.doubts import who_plays
from balance.report.facts import Facts
from balance.report.figures.bars import draw_intervals
from balance.report.layout import label_of, stem
from balance.report.model import Section, Table, write_difference, write_estimate
from balance.report.section import Written

PLACE = 35
_MAIN = ("seat_win_share", "margin", *TEMPO)
"""Effects that are shown; all others are held against each other too."""
TEXT = (
    "The same decks, played by {tiers}. Verdicts are each tier's own, corrected like all on this page. Differences "
    "are those of another tier from {tier}. agrees: both show the same; differs: one shows what the other shows not "
    "to be so, or the difference itself is shown, of win shares beyond what matters; undecided: one of the two can't "
    "say, mostly for want of games, which is no contradiction."
)
Named = tuple[str, Callable[[Any], str], int]
"""The heading of a column that names rows, what stands there, and decimals of the estimates beside it."""


def judges(facts: Facts) -> int:
    """Other tiers' seats, effects, targets, lengths and comebacks, all leaders, and the differences but of targets."""
    if not facts.other_tiers:
        return 0
    each = [True, len(facts.plan.variants) > 1, bool(rule_targets(facts.plan))]
    differences = [True, len(facts.plan.variants) > 1, True]
    leaders = facts.has_rounds * (len(facts.other_tiers) + 2)
    each += [True, facts.has_rounds]
    return len(facts.other_tiers) * sum(each) + sum(differences) + leaders


def questions(facts: Facts) -> Sequence[Question]:
    """What other tiers are asked too."""
    return tier_questions(facts.plan) if facts.other_tiers else []


def write(facts: Facts, answers: Answers) -> Written | None:
    """Every verdict by tier, and how they stand to each other."""
    if not facts.asked:
        return None
    section = Section(
        "tiers", "By tier", [_text({name: each.plan for name, each in facts.asked.items()})]
    )
    _write_seats(section, facts)
    _write_fields(section, facts)
    for kind, write_kind in (
        (EFFECTS, _write_effects),
        (TEMPO_ROWS, _write_tempo),
        (TARGETS, _write_targets),
    ):
        if kind in facts.held:
            write_kind(section, facts, facts.held[kind])
    return Written(section)


def _text(plans: Mapping[str, Plan]) -> str:
    told = [
        f"{name} ({who_plays(plan)}; at most {plan.tier.most_games:,} games in each cell)"
        for name, plan in plans.items()
    ]
    return TEXT.format(tiers="; ".join(told), tier=next(iter(plans)))


def _write_seats(section: Section, facts: Facts) -> None:
    held = facts.held[SEATS]
    limit = facts.seat_share.threshold
    rows = pd.concat(
        [table.assign(tier=name, seat=table["group"], limit=limit) for name, table in held.rows.items()],
        ignore_index=True,
    )
    for number, variant in enumerate(facts.shown):
        part = rows[rows["variant"] == variant].assign(variant=rows["tier"])
        caption = f"Win share by seat in every tier, variant {variant}."
        drawn = draw_intervals(stem("tiers-seats", number), caption, part, "seat", beside=rows)
        section.figures.append(replace(drawn, variant=variant))
    caption = "Win share by seat, %. 95 % intervals each."
    section.tables.append(
        _table("tiers-seats", caption, held, ("seat", lambda row: nth(int(row.group)), 1))
    )


def _write_fields(section: Section, facts: Facts) -> None:
    """How far a seat moves when one strategy leaves the field, of every tier whose field can spare one."""
    ranges = {
        name: seat_ranges(each.answers[LeavingOut()])
        for name, each in facts.asked.items()
        if leaving_out_applies(each.plan)
    }
    if len(ranges) < 2:
        return  # that of the first tier stands with the seats
    found = pd.concat([table.assign(tier=name) for name, table in ranges.items()], ignore_index=True)
    place = ["players", "variant", "seat"]
    found["range"] = [f"{write_estimate(row)} without {row.without}" for row in found.itertuples()]
    cells = found.groupby([*place, "tier"], sort=False)["range"].agg("; ".join).unstack("tier")
    shown = cells[[*ranges]].reset_index()
    shown["seat"] = [nth(seat) for seat in shown["seat"]]
    least = ", ".join(f"{int(table['n'].min()):,} ({tier})" for tier, table in ranges.items())
    caption = (
        "Win share of a seat when one strategy leaves the field, %: where that moves it furthest down and up, "
        f"chosen on half of the decks and measured on the other. 95 % intervals. n ≥ {least}."
    )
    section.tables.append(Table("tiers-fields", caption, shown, {}, found.drop(columns="range")))


def _write_effects(section: Section, facts: Facts, held: Held) -> None:
    main = {name: table[table["measure"].isin(_MAIN)] for name, table in held.rows.items()}
    caption = f"Effects of rules against {facts.first}, on what makes a game; all others are in the CSV."
    caption += " 95 % intervals each."
    shown = Held(main, held.table)
    section.tables.append(_table("tiers-effects", caption, shown, ("effect on", _labels(facts), 2)))


def _labels(facts: Facts) -> Callable[[Any], str]:
    def label(row: Any) -> str:
        if row.measure == LEADER:
            return f"wins of who leads alone after round {row.group}, %"
        return label_of(facts.measures[row.measure], str(row.group))

    return label


def _write_tempo(section: Section, facts: Facts, held: Held) -> None:
    if LEADER in facts.held:
        leaders = facts.held[LEADER]
        rows = {
            name: pd.concat([table, leaders.rows[name]], ignore_index=True)
            for name, table in held.rows.items()
        }
        held = Held(rows, pd.concat([held.table, leaders.table], ignore_index=True))
    caption = "Length and tempo. 95 % intervals each."
    section.tables.append(_table("tiers-tempo", caption, held, ("measure", _labels(facts), 2)))


def _write_targets(section: Section, facts: Facts, held: Held) -> None:
    caption = "Targets. Intervals are widened so that all checks of a tier hold together."
    label: Named = ("target", lambda row: f"{row.measure} {row.group}".strip(), 1)
    section.tables.append(_table("tiers-targets", caption, held, label))


def _table(name: str, caption: str, kind: Held, named: Named) -> Table:
    """A row for each of the first tier's: how others stand to it, then what each tier shows."""
    rows, held = kind.rows, kind.table
    first, *others = rows
    heading, label, digits = named
    lines = {
        _key(row): {"players": row.players, "variant": row.variant, heading: label(row)}
        for row in rows[first].itertuples()
    }
    importance = dict.fromkeys(lines, 0)
    for row in held.itertuples():
        if _key(row) in lines:
            importance[_key(row)] += row.relation == DIFFERS
            lines[_key(row)][f"{row.tier} against {first}"] = _difference(row, digits)
    for tier, table in rows.items():
        for row in table.itertuples():
            if _key(row) in lines:
                verdict = f", {row.verdict}" if row.verdict else ""
                lines[_key(row)][tier] = f"{write_estimate(row, digits)}{verdict}"
    columns = ["players", "variant", heading, *(f"{tier} against {first}" for tier in others), *rows]
    cells = [[line.get(column, "–") for column in columns] for line in lines.values()]
    least = ", ".join(f"{int(table['n'].min()):,} ({tier})" for tier, table in rows.items())
    frame = pd.DataFrame(cells, columns=columns)
    caption = f"{caption} n ≥ {least}."
    return Table(name, caption, frame, {}, held, importance=[*importance.values()])


def _key(row: Any) -> tuple[Any, ...]:
    return tuple(getattr(row, column) for column in KEYS)


def _difference(row: Any, digits: int) -> str:
    if not row.difference_verdict:
        return str(row.relation)
    return f"{row.relation}, {write_difference(row, digits)}"
