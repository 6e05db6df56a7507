"""At the table: who sits without hope, and when games are decided."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from balance.analysis.chances import (
    ALL,
    BINS,
    DECIDED_AT,
    MOST_OPEN,
    OFF,
    OPEN,
    OUT_OF_IT,
    SHOWN,
    SWINGS,
    TRUE_WITHIN,
    TURBULENT,
    TYPICAL,
    WITHOUT,
    decided_in,
    read_games,
    told_chances,
)
from balance.analysis.decisions import MATTERS
from balance.analysis.gather import Answers, in_plan_order
from balance.analysis.holdout import of_all_decks
from balance.analysis.interplay import (
    CONTACT,
    DEALS,
    KINGMAKING,
    LATE_KINGMAKING,
    LONGEST_WAIT,
    OTHERS,
    OWN,
    SOURCE,
    WAIT,
)
from balance.analysis.question import interval_of
from balance.contract.sides import RIVALS, SEAT
from balance.experiments.measures import seconds_per_choice
from balance.foundation.language import N_, tr, trc, trn
from balance.foundation.text import nth
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves
from balance.report.kit import in_variant_order, of_tier, run_argument, side_by_side, write_headlines
from balance.report.model import Figure, Headline, Section, Table
from balance.report.words import amount, by_players, ordinal, write_estimate, write_percent, write_players_range
from balance.runs.sidecar import DECISIONS
from balance.runs.strength import plays_positions_again, read_tier_rows

ORDER = 78
NEEDS = (RIVALS, SEAT)
MEASURES = {
    OUT_OF_IT: N_("a player has no hope for a third of the game or more, % of games"),
    WITHOUT: N_("rounds without hope, % of the rounds of a seat"),
    DECIDED_AT: N_("decided after, % of the rounds"),
    OPEN: N_("how open, % of equal chances"),
    SWINGS: N_("chance that changes hands, points a game"),
    SHOWN: N_("of who wins, the chances show, %"),
    WAIT: N_("choices of others between two of a player, median of a game"),
    LONGEST_WAIT: N_("choices of others between two of a player, longest of a game"),
    CONTACT: N_("contact: of what choices move, moved for others, %"),
    SOURCE + OWN: N_("of what moves a chance, own choices, %"),
    SOURCE + OTHERS: N_("of what moves a chance, choices of others, %"),
    SOURCE + DEALS: N_("of what moves a chance, new deals, %"),
    KINGMAKING: N_("free choices without hope that move who of the others wins, %"),
    LATE_KINGMAKING: N_("games with such a choice in the last third, at least, %"),
}
FEWEST_DEALS = 20  # of a round in the chart: a late round that hardly a game has shows nothing
GAMES = {MOST_OPEN: N_("The most open game"), TYPICAL: N_("A typical game"), TURBULENT: N_("The most turbulent game")}
TEXT = N_(
    "How often does a position win? This is learned from these games{tier}: after each round, from {features} for "
    "every seat, and from other deals than the chance is about. No hope: less than a tenth of a fair chance. Decided: "
    "after this round the winner has more than 75 % and keeps it. Open: the entropy of the chances; 100 is equal "
    "chances for all (after Browne 2008). Changes hands: how far the chances of all move, the result included "
    "(surprise: Ely, Frankel and Kamenica 2015); a game with two players needs at least 50. What these numbers do not "
    "show, such as good cards in hand, is in no chance, so players are without hope at least this often."
)
CLOSELY = N_(
    "At some choices on at least {deals} deals, another option drawn at random was tried too, and what the player "
    "can't see was dealt again; both continued to the end of the round. Contact compares how strong the players are "
    "then: 0 is solitaire, 100 is war, where choices only move others. What moves a chance: squared changes, by "
    "choices and by new deals of the rest of the round. An option drawn at random is often a bad one, so next to deals "
    "choices look larger than among good players. Kingmaking: a player without hope chooses between options that "
    "differ by at most a point for the player, and one moves at least 10 points of chance from one of the others to "
    "another, on both of two deals. Effects after the round, and of options that were not drawn, are missed."
)
UNTRUE = N_("Left out, because classes of chances are off by more than {most:g} points: {cells}.")
NOT_FOLLOWED = N_(
    "Who sits without hope, and when is a game decided? To measure it: balance chances {run}, then write this report "
    "again."
)


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write what it is like to sit at the table, or the command that can measure it."""
    title = tr("At the table")
    found = context.of_shown(context.chances)
    if found.empty:
        if not plays_positions_again(context.run) or not context.has_rounds:
            return None
        return Section("at_the_table", title, [tr(NOT_FOLLOWED, run=run_argument(context))], rest=True)
    found = in_plan_order(context.plan, found, ["players", "variant"])
    count = len(context.plan.game.position)
    features = tr("the {count} numbers by which searchers judge a position", count=count) if count else tr("the score")
    text = tr(TEXT, tier=of_tier(context, str(found["tier"].iloc[0])), features=features)
    told, paragraphs = told_chances(found), [text]
    if len(looked := found[found["measure"] == SOURCE]):
        paragraphs.append(tr(CLOSELY, deals=int(looked["n"].min())))
    if len(told) < len(found):
        paragraphs.append(_write_untrue(found, told))
    if told.empty:
        return Section("at_the_table", title, paragraphs)
    headlines = [
        each
        for measure, say in (
            (OUT_OF_IT, write_out_of_it),
            (DECIDED_AT, _decided),
            (LONGEST_WAIT, partial(_waits, seconds_per_choice(context.plan))),
            (KINGMAKING, partial(_kings, _of(told, LATE_KINGMAKING))),
        )
        for each in in_variant_order(context, write_headlines(_of(told, measure), say))
    ]
    headlines.extend(_matters(context))
    how = Curves("round", (tr("round"), tr("seats without hope, %")), palette=context.colours)
    caption = tr("Seats without hope after each round.")
    by_round = _by(told, "round", "after ")
    figure = draw_curves("without-hope", caption, by_round[by_round["clusters"] >= FEWEST_DEALS], how)
    figures, tables = [figure], _tables(told)
    if len(games := _games(context, told)):
        figures.append(_draw_games(games))
        tables.append(_list_games(context, games))
    return Section("at_the_table", title, paragraphs, headlines, figures=figures, tables=tables)


def _games(context: ReportContext, told: pd.DataFrame) -> pd.DataFrame:
    """Return the chances through games of one cell: the first variant at its largest player count."""
    games = read_games(told)
    games = games[games["variant"] == games["variant"].iloc[0]] if len(games) else games
    games = games[games["players"] == games["players"].max()].merge(decided_in(games), on="kind", how="left")
    named = {kind: tr(title) for kind, title in GAMES.items()}
    title = games["kind"].map(named) + " (" + games["game_id"].astype(str) + ")"
    return games.assign(game=title, seat=[nth(seat) for seat in games["seat"]])


def _draw_games(games: pd.DataFrame) -> Figure:
    """Return small multiples of the chances through each game."""
    cell = games.iloc[0]
    caption = trn(
        "Chances through three games, {variant}, {n} player.", "Chances through three games, {variant}, {n} players.",
        int(cell["players"]), variant=cell["variant"],
    )  # fmt: skip
    at = games[games["round"] == games["decided"]].sort_values("value").groupby("game", sort=False).last()
    marks = {game: (float(row["round"]), float(row["value"])) for game, row in at.iterrows()}
    labels, bands = (tr("round"), tr("chance to win, %")), N_("no width, because each panel is one game")
    how = Curves(
        "round",
        labels,
        curve="seat",
        panel="game",
        bands=bands,
        counts=False,
        marks=marks,
        marked=tr("decided from here on"),
    )
    return draw_curves("chances-of-games", caption, games.assign(low=games["value"], high=games["value"], n=1), how)


def _list_games(context: ReportContext, games: pd.DataFrame) -> Table:
    """Return the commands that show the games, from the round that decided."""
    rows = games.drop_duplicates("kind")
    run = run_argument(context)
    turns = rows["decided"].astype("Int64")
    commands = [
        f"balance replay {run} {each} --html game-{each}.html" + ("" if pd.isna(turn) else f" --round {turn}")
        for each, turn in zip(rows["game_id"], turns, strict=True)
    ]
    decided = ["–" if pd.isna(turn) else str(turn) for turn in turns]
    frame = pd.DataFrame(
        {"game": rows["game"].to_list(), N_("round that decided"): decided, N_("to watch it"): commands}
    )
    caption = tr("The games of the chart; the replay opens at the round that decided.")
    return Table("chances-of-games", caption, frame, raw=rows[["kind", "game_id", "decided"]])


def _tables(told: pd.DataFrame) -> list[Table]:
    """Return a table of all measures, and one of the rounds without hope by final rank."""
    sources = told["measure"] == SOURCE
    whole = told.assign(
        measure=told["measure"].where(~sources, SOURCE + told["group"]), group=told["group"].mask(sources, ALL)
    )
    whole = whole[(whole["group"] == ALL) & whole["measure"].isin(MEASURES)]
    whole = whole.sort_values("measure", key=lambda names: names.map(list(MEASURES).index), kind="stable")
    caption = tr("Rounds without hope by final rank, % of the rounds of a seat.")
    ranked = _by(told, "rank", "rank ")
    return [
        side_by_side("chances", tr("At the table."), whole, ["variant", "measure"], 1, words=_label),
        side_by_side("hope-by-rank", caption, ranked, ["variant", "rank"], 1, words=_rank),
        _list_classes(told),
    ]


def _list_classes(told: pd.DataFrame) -> Table:
    """Return a table of how true the chances are, by their size."""
    rows = told[told["measure"] == OFF].sort_values(["variant", "group", "players"], kind="stable")
    low = rows["group"].astype(int) * (100 // BINS)
    rows = rows.assign(chance=low.astype(str) + "–" + (low + 100 // BINS).astype(str))
    caption = tr("Are the chances true? Games won less chance, points, by chance in %.")
    return side_by_side("chances-true", caption, rows, ["variant", N_("chance")], 1)


def _by(told: pd.DataFrame, name: str, prefix: str) -> pd.DataFrame:
    """Return the rounds without hope by a number that groups have after a prefix, as a column of this name."""
    rows = told[(told["measure"] == WITHOUT) & told["group"].str.startswith(prefix)]
    numbers = rows["group"].str.removeprefix(prefix).astype(int)
    return rows.assign(**{name: numbers}).sort_values(name, kind="stable")


def _of(told: pd.DataFrame, measure: str) -> pd.DataFrame:
    return told[(told["measure"] == measure) & (told["group"] == ALL)]


def _write_untrue(found: pd.DataFrame, told: pd.DataFrame) -> str:
    """Return which cells are left out."""
    cells = [tuple(each) for each in found[["variant", "players"]].drop_duplicates().to_numpy()]
    kept = {tuple(each) for each in told[["variant", "players"]].to_numpy()}
    names = [f"{variant} ({players})" for variant, players in cells if (variant, players) not in kept]
    return tr(UNTRUE, most=TRUE_WITHIN, cells=", ".join(names))


def write_out_of_it(rows: pd.DataFrame) -> str:
    """Return in how many games of a variant a player sits without hope."""
    return tr(
        "a player has no hope of winning for a third of the game or more in {parts}",
        parts=by_players(rows, _percent, trc("n ≥", "games")),
    )


def _percent(row: Any) -> str:
    """Return a share with its interval, and the values of equally strong players if more games would not halve it."""
    return write_percent(row) + _spread(row)


def _spread(row: Any) -> str:
    if not row.networks or row.apart < row.error / 2:
        return ""
    low, high = (float(np.clip(end, 0, 100)) for end in interval_of(row).range_of_networks)
    return tr(", players differ: {range}", range=write_players_range({"": (low, high)}, int(row.networks), "%"))


def _decided(rows: pd.DataFrame) -> str:
    """Return when games of a variant are decided."""
    return tr("share of the rounds that are over when the winner is clear: {parts}", parts=by_players(rows, _percent))


def _matters(context: ReportContext) -> list[Headline]:
    """Return how many choices matter, a sentence for each variant; none if no searcher judged them."""
    judged = context.of_shown(read_tier_rows(context.run, DECISIONS))
    if judged.empty:
        return []
    whole = of_all_decks(in_plan_order(context.plan, judged, ["players", "variant"]))
    rows = whole[(whole["kind"] == ALL) & (whole["stage"] == ALL) & whole["measure"].isin(MATTERS.values())]

    def write(rows: pd.DataFrame) -> str:
        by_size = rows.pivot(index="players", columns="measure", values="value")
        parts = [
            trn(
                "by 1 point or more in {small:.0f} %, 3 in {middle:.0f} %, 10 in {large:.0f} % with {n} player",
                "by 1 point or more in {small:.0f} %, 3 in {middle:.0f} %, 10 in {large:.0f} % with {n} players",
                players, small=found[MATTERS[1]], middle=found[MATTERS[3]], large=found[MATTERS[10]],
            )
            for players, found in by_size.iterrows()
        ]  # fmt: skip
        return tr(
            "of {n:,} judged choices the best option is better than the median one {parts}",
            n=int(rows.groupby("players")["n"].max().sum()), parts="; ".join(parts),
        )  # fmt: skip

    return write_headlines(rows, write)


def _waits(seconds: Mapping[int, tuple[float, float]], rows: pd.DataFrame) -> str:
    """Return the longest time that a player waits in games of a variant."""

    def write(row: Any) -> str:
        low, high = (row.value * pace / 60 for pace in seconds[row.players])
        return tr(
            "{choices} choices of others ({low} to {high} minutes)",
            choices=write_estimate(row), low=amount(low), high=amount(high),
        )  # fmt: skip

    return tr("the longest wait of a player is {parts}", parts=by_players(rows, write))


def _kings(late: pd.DataFrame, rows: pd.DataFrame) -> str:
    """Return how often players without hope decide who wins, and in how many games they do so late."""
    text = tr(
        "where a player without hope chooses freely, this moves who of the others wins in {parts}",
        parts=by_players(rows, _percent, trc("n ≥", "deals")),
    )
    own = late[late["variant"] == rows["variant"].iloc[0]]
    return (
        text + "; " + tr("in the last third of the game, at least in {parts}", parts=by_players(own, _percent_of_games))
    )


def _percent_of_games(row: Any) -> str:
    return write_percent(row, tr("of games")) + _spread(row)


def _label(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(measure=[tr(MEASURES[each]) for each in table["measure"]])


def _rank(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(rank=[ordinal(int(each) - 1) for each in table["rank"]])
