"""First moves: which are never or hardly ever chosen, and whether one is clearly best; needs traced games."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from balance.analysis.early_choices import RARE, Openings, best_move, move_effects, read_openings, shares_chosen
from balance.analysis.gather import Answers
from balance.analysis.holdout import of_all_decks
from balance.engine.stepper import Stepper
from balance.foundation.language import N_, tr, trn
from balance.report.context import ReportContext
from balance.report.kit import side_by_side, write_cell_headline
from balance.report.model import Headline, Section, Table
from balance.report.words import write_change

ORDER = 68
_DEALS = 20  # deals whose first options are listed
_WHO = "It"  # the player in a sentence, left out here


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write how often each option of the first decision is chosen, and its association; None without traces."""
    found = read_openings(context.run, context.shown)
    if not found:
        return None
    chosen, effects, headlines = [], [], []
    for openings in found:
        cell = {"players": openings.cell.players, "variant": openings.cell.variant.name}
        shares, moves = shares_chosen(openings, _offered(context, openings)), move_effects(openings)
        chosen.append(shares.assign(**cell))
        effects.append(of_all_decks(moves).assign(**cell))
        best = _in_words(context, best_move(moves))
        headlines.append(_headline(cell, _in_words(context, shares), best, len(moves)))
    text = [
        tr(
            "The first decision of every seat in the traced games of {tier}. Compares games of the same strategy in "
            "the same seat. These are associations, not effects.",
            tier=context.plan.tier.name,
        )
    ]
    caption = tr("Each first move compared with all others, points of win share.")
    tables = [
        _table(context, "openings", tr("How often each first move is chosen, %."), chosen),
        _table(context, "openings-worth", caption, effects),
    ]
    return Section("openings", tr("First moves"), text, headlines, tables=tables, rest=True)


def _in_words(context: ReportContext, rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows with their labels as what the player does, as in "places infantry in Poznań"."""
    say = context.plan.game.display.say
    return rows.assign(label=[without_player(say(label, _WHO)) for label in rows["label"]])


def without_player(sentence: str) -> str:
    """Return what a player does by a sentence such as "It places infantry" or, as plain games say it, "It: place 3"."""
    return re.sub(rf"^{_WHO}\b:? *", "", sentence)


def _table(context: ReportContext, name: str, caption: str, parts: list[pd.DataFrame]) -> Table:
    data = pd.concat(parts, ignore_index=True)
    data["importance"] = data["value"].abs()
    heading = N_("first move")

    def words(rows: pd.DataFrame) -> pd.DataFrame:
        return _in_words(context, rows).rename(columns={"label": heading})

    return side_by_side(name, caption, data, ["variant", heading], 1, words=words)


def _offered(context: ReportContext, openings: Openings) -> list[str]:
    """Return the options of the first seat at its first decision, on some of the deals that were played."""
    game, cell = context.plan.game, openings.cell
    deals = (Stepper.deal(game, cell.variant.rules, cell.players, seed) for seed in openings.decks[:_DEALS])
    return list(dict.fromkeys(label for deal in deals for label in deal.options()))


def _headline(cell: dict[str, Any], shares: pd.DataFrame, best: pd.DataFrame, judged: int) -> Headline:
    """Return how many first moves of a cell are never or hardly ever chosen, and which is best."""
    variant, n = str(cell["variant"]), int(shares["n"].max())
    never = shares[shares["value"] == 0]
    hardly = shares[(shares["value"] > 0) & (shares["value"] < RARE)]
    parts = [
        tr(
            "{never} of {moves} first moves are never chosen{names}",
            never=len(never),
            moves=len(shares),
            names=_some_names(never),
        )
    ]
    if len(hardly):
        parts.append(
            trn(
                "{hardly} is chosen in less than {limit:.0f} %{names}",
                "{hardly} are chosen in less than {limit:.0f} %{names}",
                len(hardly),
                hardly=len(hardly),
                limit=RARE,
                names=_some_names(hardly),
            )
        )
    text = ", ".join(parts) + " " + tr("(n = {n:,} first decisions)", n=n)
    for row in best.itertuples():
        text += "; " + tr(
            "best is {move}: {effect} points of win share (n = {n:,}, held-out deals)",
            move=row.label,
            effect=write_change(row),
            n=row.n,
        )
    if judged and best.empty:
        text += "; " + tr("none is clearly best")
    return write_cell_headline(variant, cell["players"], text)


def _some_names(shares: pd.DataFrame) -> str:
    """Return up to three names in brackets; "" for none."""
    names = list(shares["label"])
    return f" ({', '.join(names[:3])}{', ...' if len(names) > 3 else ''})" if names else ""
