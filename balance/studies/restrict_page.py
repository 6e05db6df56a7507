"""The page of restricted play: which options are needed, which are not missed, and what each is worth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from balance.report.figures.forest import draw_forest
from balance.report.model import Chapter, Section, Table
from balance.report.page import Files, check_place, write_page
from balance.report.sections import played
from balance.report.words import write_change, write_estimate
from balance.studies.restrict import RestrictedGames
from balance.studies.restrict_results import MISUSED, NEEDED, NOT_MISSED, OPEN

FILES = Files(html="restrict.html", markdown="restrict.md", tables=".")

_LEADS = {
    NEEDED: "Needed",
    NOT_MISSED: "Could be cut without being missed by these strategies",
    MISUSED: "Misused: the strategies win more without it, so they play it badly. The option may be good",
    OPEN: "Not enough games",
}
"""How the list of options with each verdict begins."""


def check_restrict(out: Path) -> None:
    """Refuse a folder that `write_restrict` could not write, before any game."""
    check_place(out, FILES)


def write_restrict(games: RestrictedGames, worth: pd.DataFrame, out: Path) -> Path:
    """Write ``restrict.html``, ``restrict.md``, CSV files and figures into a folder; return the page's path.

    `worth` is that of `balance.studies.restrict_results.read_worth`.
    """
    plan = games.run.plan
    subtitle = f"Restricted play, rules {plan.first_variant.name}: {len(games.restrictions)} options"
    lists = Section("options", "Which options are needed", list(list_verdicts(worth)))
    sections = [lists, _worth_section(games, worth), played.write_alone(games.run)]
    return write_page([Chapter(plan.game.title, subtitle, sections)], out, FILES)


def list_verdicts(worth: pd.DataFrame) -> Iterator[str]:
    """Yield a line for each verdict and player count; what is needed and what is not missed also without options."""
    for players, cell in worth.groupby("players"):
        for verdict, lead in _LEADS.items():
            part = cell[cell["verdict"] == verdict]
            if len(part) or verdict in (NEEDED, NOT_MISSED):
                told = "; ".join(f"{row.title} {write_change(row)}" for row in part.itertuples())
                yield f"{players} players. {lead}: {told or 'none is shown'}."


def how_to_read(games: RestrictedGames, worth: pd.DataFrame) -> list[str]:
    """Return what a worth is, who plays, and for whom it holds."""
    asked, free = games.asked, games.free.name
    untrained = (
        "A network is not trained without the option, so the option may be worth less than shown. "
        if games.free.network
        else ""
    )
    return [
        "Worth: points of win share that a seat loses without the option, on the same deals. The "
        f"intervals ({len(worth)}) hold together with 95 % confidence. Needed: worth more than {asked.threshold:g} "
        f"points. Not missed: within {asked.threshold:g} points of 0.",
        f"One seat goes without the option, in turn each seat; {free} plays the others. The seat plays "
        f"{_who(games)}. With and without the option it has learnt with the same number of games ({asked.adapt:,}) "
        "against the same table, or it plays without the option as the player who has it, if that wins more on "
        "other deals. Intervals are for the deals, not for the training.",
        "A player who learns longer may miss an option less. So repeat what matters with a larger --adapt: what is not "
        "missed stays so, but a needed option may turn out to be worth less.",
        f"{untrained}These results hold for these strategies. A player who knows the game better may need an option "
        "that they do not use well.",
    ]


def _who(games: RestrictedGames) -> str:
    """Return who plays the seat with all options, by player count."""
    return ", ".join(f"{name} with {players} players" for players, name in games.baselines.items())


def worth_table(worth: pd.DataFrame) -> pd.DataFrame:
    """Return the worth of each option as text, for the page and the terminal."""
    frame = worth[["title"]].rename(columns={"title": "without"})
    frame["worth, points"] = [write_change(row) for row in worth.itertuples()]
    frame["verdict"], frame["n"] = worth["verdict"], worth["n"]
    uses = worth[["used", "used_low", "used_high"]].set_axis(["value", "low", "high"], axis=1)
    frame["used, % of games"] = [
        "–" if pd.isna(row.value) else write_estimate(row, 0) for row in uses.itertuples()
    ]
    return frame


def _worth_section(games: RestrictedGames, worth: pd.DataFrame) -> Section:
    caption = "What each option is worth to the player who goes without it."
    figure = draw_forest("worth", caption, worth, "points of win share", games.asked.threshold)
    tables = []
    for players, cell in worth.groupby("players"):
        frame = worth_table(cell)
        frame["played by"] = cell["strategy"]
        used = cell["used_n"].min()
        looked = "" if pd.isna(used) else f"; use counted in {int(used):,} games or more"
        title = f"{players} players, the largest worth first; in brackets the interval{looked}."
        tables.append(Table("worth", title, frame, {"n": ","}, worth))
    text = how_to_read(games, worth)
    return Section("worth", "What each option is worth", text, figures=[figure], tables=tables)
