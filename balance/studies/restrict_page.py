"""The page of restricted play: which options are needed, which are not missed, and what each is worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from balance.foundation.language import N_, tr, trn
from balance.foundation.text import ESTIMATE, NAME, NUMBER, TEXT
from balance.report.figures.forest import draw_forest
from balance.report.model import Chapter, Section, Table
from balance.report.sections import played
from balance.report.words import write_change, write_estimate
from balance.studies.restrict import MISUSED, NEEDED, NEVER_USED, NOT_MISSED, OPEN, RestrictedGames, Worths, find_worths
from balance.studies.study import Brief, Study

_LEADS = {
    NEEDED: N_("{players}. Needed: {options}."),
    NOT_MISSED: N_("{players}. Could be cut without being missed by these strategies: {options}."),
    MISUSED: N_(
        "{players}. Misused (the strategies win more without it, so they play it badly; the option may be good): "
        "{options}."
    ),
    NEVER_USED: N_("{players}. Never used by these players, so what it is worth was not measured: {options}."),
    OPEN: N_("{players}. Not enough games: {options}."),
}
"""The line with the options of each verdict."""


def _write_chapter(found: Worths) -> Chapter:
    games = found.games
    plan = games.run.plan
    subtitle = trn(
        "Restricted play, rules {rules}: {n} option", "Restricted play, rules {rules}: {n} options",
        len(games.restrictions), rules=plan.first_variant.name,
    )  # fmt: skip
    lists = Section("options", tr("Which options are needed"), list(list_verdicts(found.table)))
    sections = [lists, _worth_section(found), played.write_alone(games.run)]
    return Chapter(plan.game.title, subtitle, sections)


def list_verdicts(worth: pd.DataFrame) -> Iterator[str]:
    """Yield a line for each verdict and player count; what is needed and what is not missed also without options."""
    for players, cell in worth.groupby("players"):
        for verdict, lead in _LEADS.items():
            part = cell[cell["verdict"] == verdict]
            if len(part) or verdict in (NEEDED, NOT_MISSED):
                told = "; ".join(f"{tr(row.title)} {_measured(row)}" for row in part.itertuples())
                counted = trn("{n} player", "{n} players", players)
                yield tr(lead, players=counted, options=told or tr("none is shown"))


def _measured(row: Any) -> str:
    """Return what was measured of an option: its worth, or the games in which it was never used."""
    if row.verdict != NEVER_USED:
        return write_change(row)
    return trn("(in 0 of {n:,} game)", "(in 0 of {n:,} games)", int(row.used_n))


def _how_to_read(found: Worths) -> list[str]:
    """Return what a worth is, who plays, and for whom it holds."""
    games = found.games
    asked, free = games.asked, games.free.name
    untrained = tr("A network is not trained without the option, so the option may be worth less than shown.")
    held = tr(
        "These results hold for these strategies. A player who knows the game better may need an option that they do "
        "not use well."
    )
    return [
        tr(
            "Worth: points of win share that a seat loses without the option, on the same deals. The intervals ({n}) "
            "hold together with 95 % confidence. Needed: worth more than {threshold:g} points. Not missed: within "
            "{threshold:g} points of 0. Never used: the player who has the option used it in none of the games "
            "that were logged move by move; players who use it may need it.",
            n=len(found.table), threshold=asked.threshold,
        ),
        tr(
            "One seat goes without the option, in turn each seat; {free} plays the others, if there are any. The seat "
            "plays {who}. With and without the option it has learnt with the same number of games ({games:,}) against "
            "the same table, or it plays without the option as the player who has it, if that wins more on other "
            "deals. Intervals are for the deals, not for the training.",
            free=free, who=_who(games), games=asked.adapt,
        ),
        tr(
            "A player who learns longer may miss an option less. So repeat what matters with a larger --adapt: what is "
            "not missed stays so, but a needed option may turn out to be worth less."
        ),
        f"{untrained} {held}" if games.free.network else held,
    ]  # fmt: skip


def _who(games: RestrictedGames) -> str:
    """Return who plays the seat with all options, by player count."""
    return ", ".join(
        trn("{name} with {n} player", "{name} with {n} players", players, name=name)
        for players, name in games.baselines.items()
    )


def worth_table(worth: pd.DataFrame) -> pd.DataFrame:
    """Return the worth of each option as text, for the page and the terminal."""
    frame = worth[["title"]].rename(columns={"title": N_("without")})
    frame[N_("worth, points")] = ["–" if row.verdict == NEVER_USED else write_change(row) for row in worth.itertuples()]
    frame["verdict"], frame["n"] = worth["verdict"], worth["n"]
    uses = worth[["used", "used_low", "used_high"]].set_axis(["value", "low", "high"], axis=1)
    frame[N_("used, % of games")] = ["–" if pd.isna(row.value) else write_estimate(row, 0) for row in uses.itertuples()]
    return frame


def _worth_section(found: Worths) -> Section:
    games, worth = found.games, found.table
    caption = tr("What each option is worth to the player who goes without it.")
    figure = draw_forest("worth", caption, worth, tr("points of win share"), games.asked.threshold)
    tables = []
    for players, cell in worth.groupby("players"):
        frame = worth_table(cell)
        frame[N_("played by")] = cell["strategy"]
        used = cell["used_n"].min()
        title = trn(
            "{n} player, the largest worth first; in brackets the interval",
            "{n} players, the largest worth first; in brackets the interval",
            players,
        )
        if not pd.isna(used):
            title += tr("; use counted in {games:,} games or more", games=int(used))
        title += "."
        tables.append(Table("worth", title, frame, {"n": ","}, worth))
    text = _how_to_read(found)
    return Section("worth", tr("What each option is worth"), text, figures=[figure], tables=tables)


_SHOWN = {"without": NAME, "worth, points": ESTIMATE, N_("verdict"): TEXT, "n": NUMBER, "used, % of games": ESTIMATE}


def _write_brief(found: Worths) -> Iterator[Brief | str]:
    """Yield what each option is worth, the largest worth first, at each player count."""
    for players, part in found.table.groupby("players"):
        caption = trn(
            "{n} player: what a seat loses without an option",
            "{n} players: what a seat loses without an option",
            players,
        )
        yield Brief(Table("worth", caption, worth_table(part), {"n": ","}), _SHOWN)
    yield from _how_to_read(found)


STUDY = Study("restrict", N_("restrict: {path}"), find_worths, _write_brief, lambda found: found.table, _write_chapter)
