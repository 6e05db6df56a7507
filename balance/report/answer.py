"""The question of a run, the sentence that answers it, and the advice that follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from balance.analysis.changes import Tradeoff
from balance.analysis.verdicts import COMEBACKS, LENGTH, SEATS, STRATEGIES, TARGETS, WORSE, place_of
from balance.experiments.plan import Plan
from balance.foundation.text import listed
from balance.report.grid import TITLES, Judged
from balance.report.words import (
    amount,
    comebacks_words,
    fair_of,
    ordinal,
    percent_change,
    span_of,
    with_players,
)

_CLAUSES = 2
_VARIANTS = 3
_LIMITS = "all other figures are shown to change by less than matters, or to stay good"
_ROWS = (SEATS, STRATEGIES, COMEBACKS, LENGTH)


def question_of(plan: Plan) -> str:
    """Return the experiment's question, or one built from the run's variants."""
    if plan.experiment.question:
        return plan.experiment.question
    counts = with_players(plan.experiment.players)
    names = [variant.name for variant in plan.variants[1:]]
    if plan.points:
        return f"Which value of {listed(list(plan.experiment.sweep))} is best, with {counts}?"
    if len(names) > 6:
        return f"What do {len(names)} variants change, with {counts}?"
    if names:
        return f"What {'do' if len(names) > 1 else 'does'} {listed(names)} change, with {counts}?"
    return f"Is {plan.game.title} fair and open, with {counts}?"


def answer(judged: Judged, variants: Sequence[str], best: str = "") -> str:
    """Return one sentence: the largest shown changes, or the problems if there is only one variant.

    Parameters
    ----------
    variants : sequence of str
        The baseline first.
    best : str
        The fairest points of a sweep, in words; "" if the run is no sweep.
    """
    if best:
        return best
    if len(variants) == 1:
        return _of_one(judged)
    firm = [row for row in judged.changes.itertuples() if not judged.is_doubted(place_of(row))]
    if not firm:
        return "No change that matters is shown in seats, strategies, comebacks or length."
    clauses: list[Any] = []
    for row in firm:
        if all((row.variant, row.row) != (each.variant, each.row) for each in clauses):
            clauses.append(row)
    return _joined(clauses[:_CLAUSES]) + _still(variants, {row.variant for row in firm})


def _joined(rows: Sequence[Any]) -> str:
    """Return a clause for each row; name player count and variant once if two rows share them."""
    text = ""
    for number, row in enumerate(rows):
        start = f"with {with_players([row.players])} {row.variant}"
        same = number and (row.players, row.variant) == (rows[0].players, rows[0].variant)
        text += f" and {_verb(row)}" if same else f"{'; ' if number else ''}{start} {_verb(row)}"
    return text


def _still(variants: Sequence[str], changed: set[str]) -> str:
    still = [name for name in variants[1:] if name not in changed]
    if not still or len(still) > 2:
        return "."
    return f"; no change that matters is shown for {listed(still)}."


def _verb(row: Any) -> str:
    """Describe a change, with its levels."""
    more = row.effect > 0
    levels = f"{amount(row.baseline)} → {amount(row.level)}"
    if row.row == SEATS:
        fair = fair_of(row.players)
        whom = f"the {ordinal(int(row.group))} player {'more' if more else 'fewer'} wins"
        return f"gives {whom} ({levels} %, fair {fair})"
    if row.row == STRATEGIES:
        return f"{'strengthens' if more else 'weakens'} {row.group} ({levels} % of its seats)"
    if row.row == COMEBACKS:
        return f"lets {'more' if more else 'fewer'} winners come from behind ({levels} %)"
    return f"{'lengthens' if more else 'shortens'} games by {abs(percent_change(row)[0]):.0f} %"


def _of_one(judged: Judged) -> str:
    """Return the two largest problems; without problems, the questions that are shown to be good."""
    cells = [cell for place, cell in judged.first().items() if not judged.is_doubted(place)]
    cells = [cell for cell in cells if cell.row in _ROWS]
    off = [cell for cell in cells if cell.kind in ("bad", "watch") and cell.word != "close"]
    off.sort(key=lambda cell: (-WORSE[cell.kind], _ROWS.index(cell.row)))
    if off:
        chosen: dict[str, Any] = {}
        for cell in off:
            chosen.setdefault(cell.row, cell)
        return "; ".join(_off(cell, judged.pace) for cell in list(chosen.values())[:_CLAUSES]) + "."
    good = [TITLES[row][0].lower() for row in _ROWS if _all_good(cells, row)]
    if good:
        return f"Shown to be good: {listed(good)}. The other questions need more games."
    return "Not enough games: no verdict is shown."


def _all_good(cells: Sequence[Any], row: str) -> bool:
    kinds = {cell.kind for cell in cells if cell.row == row}
    return kinds == {"good"}


def _off(cell: Any, pace: tuple[float, float]) -> str:
    counts, value = with_players([cell.players]), amount(cell.value)
    if cell.row == SEATS:
        fair = fair_of(cell.players)
        return (
            f"with {counts} the {ordinal(int(cell.name))} player wins {value} % of games (fair {fair})"
        )
    if cell.row == STRATEGIES:
        return f"with {counts} {cell.name} wins {value} % of its seats (fair {fair_of(cell.players)})"
    if cell.row == COMEBACKS:
        return f"with {counts} {comebacks_words(cell)}"
    return f"games with {counts} are {cell.word}, {span_of(cell.value, pace)} minutes"


def advice(judged: Judged, variants: Sequence[str]) -> str:
    """Return advice by the targets, or by the variant that is shown to be better and nowhere worse.

    If several variants are better, none is advised: no test says which of them is best. Without advice, return what
    each variant gains and costs; "" if no figure changes.
    """
    table = next(iter(judged.cells.values()))
    targets = table[table["row"] == TARGETS]
    if len(targets):
        return _by_targets(targets)
    if any(
        judged.is_doubted(place_of(row)) for each in judged.tradeoffs for row in each.gains + each.costs
    ):
        return ""
    better = [each for each in judged.tradeoffs if each.is_better]
    if len(better) == 1:
        return f"take {better[0].variant}: {_shown(better[0].gains)}. No figure is shown to be worse; {_LIMITS}."
    if len(judged.tradeoffs) == len(variants) - 1 and all(each.is_worse for each in judged.tradeoffs):
        worse = "; ".join(
            f"{each.variant} is worse in {_shown(each.costs)}" for each in judged.tradeoffs
        )
        return f"keep {judged.baseline}: {worse}. No figure is shown to be better; {_LIMITS}."
    moved = [each for each in judged.tradeoffs if each.gains or each.costs]
    return " ".join(map(_gains_and_costs, moved[:_VARIANTS]))


def _gains_and_costs(each: Tradeoff) -> str:
    parts = [
        f"{word} in {_shown(rows)}"
        for word, rows in (("better", each.gains), ("worse", each.costs))
        if rows
    ]
    text = f"{each.variant} is {', '.join(parts)}"
    if each.undecided:
        text += f"; {each.undecided} of {each.rows} figures need more games"
    return f"{text}."


def _shown(rows: Sequence[Any]) -> str:
    """List the largest changes with their levels."""
    more = [f"{len(rows) - _CLAUSES} more"] if len(rows) > _CLAUSES else []
    return listed([*map(_in_brief, rows[:_CLAUSES]), *more])


def _in_brief(row: Any) -> str:
    what = {
        SEATS: f"wins of the {ordinal(int(row.group)) if row.row == SEATS else ''} player",
        STRATEGIES: f"wins of {row.group}",
        COMEBACKS: "winners from behind",
    }.get(row.row, "length")
    where = f"{what} with {with_players([row.players])}"
    if row.row == LENGTH:
        return f"{where} ({percent_change(row)[0]:+.0f} %)".replace("-", "−")
    return f"{where} ({amount(row.baseline)} → {amount(row.level)} %)"


def _by_targets(targets: pd.DataFrame) -> str:
    met = targets.groupby("variant", sort=False)["kind"].agg(lambda kinds: set(kinds) == {"good"})
    good = [str(name) for name in met.index[met]]
    if good:
        return f"{listed(good)} meet{'s' if len(good) == 1 else ''} all targets at every player count."
    return "no variant is shown to meet all targets at every player count."
