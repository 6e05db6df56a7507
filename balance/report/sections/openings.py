"""First moves: which are never or hardly ever chosen, and whether one is clearly best; needs traced games."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.early_choices import (
    RARE,
    Openings,
    best_move,
    move_effects,
    read_openings,
    shares_chosen,
)
from balance.analysis.gather import Answers
from balance.analysis.holdout import of_all_decks
from balance.analysis.question import Question
from balance.engine.stepper import Stepper
from balance.report.context import ReportContext
from balance.report.model import Headline, Section, Table
from balance.report.section import Written, side_by_side

ORDER = 68
_DEALS = 20  # deals whose first options are listed


def questions(context: ReportContext) -> Sequence[Question]:
    """Return no question: traces are read one by one."""
    return []


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write how often each option of the first decision is chosen, and its association; None without traces."""
    found = read_openings(context.run, context.shown)
    if not found:
        return None
    chosen, effects, says = [], [], []
    for openings in found:
        cell = {"players": openings.cell.players, "variant": openings.cell.variant.name}
        shares, moves = shares_chosen(openings, _offered(context, openings)), move_effects(openings)
        chosen.append(shares.assign(**cell))
        effects.append(of_all_decks(moves).assign(**cell))
        says.append(_say(cell, shares, best_move(moves), len(moves)))
    text = [
        f"The first decision of every seat in the traced games of {context.plan.tier.name}. The comparison is between "
        "games of the same strategy in the same seat. These are associations, not effects."
    ]
    tables = [
        _table("openings", "How often each first move is chosen, %.", chosen),
        _table(
            "openings-worth", "Each first move compared with all others, points of win share.", effects
        ),
    ]
    return Written(Section("openings", "First moves", text, says, tables=tables))


def _table(name: str, caption: str, parts: list[pd.DataFrame]) -> Table:
    data = pd.concat(parts, ignore_index=True).rename(columns={"label": "first move"})
    data["importance"] = data["value"].abs()
    return side_by_side(name, caption, data, ["variant", "first move"], 1)


def _offered(context: ReportContext, openings: Openings) -> list[str]:
    """Return the options of the first seat at its first decision, on some of the deals that were played."""
    game, cell = context.plan.game, openings.cell
    deals = (
        Stepper.deal(game, cell.variant.rules, cell.players, seed) for seed in openings.decks[:_DEALS]
    )
    return list(dict.fromkeys(label for deal in deals for label in deal.options()))


def _say(cell: dict[str, object], shares: pd.DataFrame, best: pd.DataFrame, judged: int) -> Headline:
    variant, n = str(cell["variant"]), int(shares["n"].max())
    never, rare = shares[shares["value"] == 0], shares[shares["value"] < RARE]
    hardly = rare[rare["value"] > 0]
    text = (
        f"{variant}: with {cell['players']} players, of {len(shares)} first moves {len(never)} are never chosen"
        f"{_named(never)}{_hardly(hardly)} (n = {n:,} first decisions)"
    )
    if not judged:
        return Headline(f"{text}.", variant)
    if best.empty:
        return Headline(f"{text}; none is clearly best.", variant)
    row = next(best.itertuples())
    text += (
        f"; best is {row.label}: {row.value:+.1f} points of win share ({row.low:+.1f} to {row.high:+.1f}, "
        f"n = {row.n:,}, held-out deals)."
    )
    return Headline(text, variant)


def _hardly(rare: pd.DataFrame) -> str:
    """Return a clause about first moves that are chosen, but hardly ever."""
    return f" and {len(rare)} in less than {RARE:.0f} %{_named(rare)}" if len(rare) else ""


def _named(shares: pd.DataFrame) -> str:
    """Return up to three names in brackets."""
    names = list(shares["label"])
    if not names:
        return ""
    return f" ({', '.join(names[:3])}{', ...' if len(names) > 3 else ''})"
