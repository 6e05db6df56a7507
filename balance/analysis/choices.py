"""Early choices: what goes with winning, among seats of one strategy in one seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import duckdb
import pandas as pd

from balance.analysis.gather import in_plan_order
from balance.analysis.halves import WHOLE, differs_for_sure, remeasure
from balance.analysis.sums import column, interval_of_frame
from balance.contract.measure import Choice
from balance.log.database import connect
from balance.log.folder import RunFolder
from balance.plan.plan import Cell
from balance.stats.comparisons import judge, p_value
from balance.stats.effects import within_effects

GAMES = 20_000  # of a cell; this question needs its rows in memory
COLUMNS = (
    "players", "variant", "choice", "outcome", "half", "value", "low", "high", "p", "n", "clusters", "error", "games",
)  # fmt: skip


def choice_effects(
    run: RunFolder, choices: Sequence[Choice], variant: str, families: int = 1, games: int = GAMES
) -> pd.DataFrame:
    """What one more of each early choice goes with, in win share and score.

    Compared are seats of the same strategy in the same seat, on whatever deck; all choices are in one
    model, errors are clustered on the deck. These are associations under such bots, not experiments: what
    made a bot choose may also have made it win.

    Parameters
    ----------
    families : int
        How many families of verdicts stand on the page, see `balance.stats.comparisons.judge`.
    games : int
        Of each cell the first so many.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``choice``, ``outcome``, ``half`` (0 or 1 of the decks, or `WHOLE`), ``value``,
        ``low``, ``high`` (points of win share, or of score), ``p`` (corrected over the rows of all decks, NaN
        for halves), ``n``, ``clusters`` (decks), ``error``, ``games``.
    """
    rows: list[dict[str, object]] = []
    with connect(run.path, run.bond) as connection:
        for cell in run.plan.tier_cells:
            if cell.variant.name == variant:
                data = _rows_of(connection, cell, choices, min(games, cell.tier.most_games))
                rows += [
                    {"players": cell.players, "variant": variant, **row}
                    for row in _of_cell(data, choices)
                ]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    whole = table["half"] == WHOLE
    effects = interval_of_frame(table[whole])
    table.loc[whole, "p"] = judge(effects, p_value(effects), families=families).p
    return in_plan_order(run.plan, table, ["players", "half"])


def _rows_of(
    connection: duckdb.DuckDBPyConnection, cell: Cell, choices: Sequence[Choice], games: int
) -> pd.DataFrame:
    """A row for each of a cell's first games and seats, with what was chosen."""
    values = ", ".join(f"{choice.value} AS {column(choice.name)}" for choice in choices)
    data = connection.execute(
        f"""
        SELECT game_id, seat, any_value(s.strategy) AS strategy, any_value(g.deck_seed) AS deck_seed,
               100 * any_value(s.win_share) AS win_share, any_value(s.score) AS score, {values}
        FROM rounds r JOIN seats s USING (game_id, seat) JOIN games g USING (game_id)
        WHERE g.status <> 'truncated' AND game_id BETWEEN {cell.first_id} AND {cell.first_id + games - 1}
        GROUP BY game_id, seat ORDER BY game_id, seat
        """
    ).df()
    return data.dropna(subset=[choice.name for choice in choices])


def _of_cell(data: pd.DataFrame, choices: Sequence[Choice]) -> Iterator[dict[str, object]]:
    names = [choice.name for choice in choices]
    for half in (WHOLE, 0, 1):
        part = data if half == WHOLE else data[data["deck_seed"] % 2 == half]
        for outcome in ("win_share", "score"):
            effects = within_effects(part, outcome, names, ["strategy", "seat"], "deck_seed")
            games = int(part["game_id"].nunique())
            for choice in choices:
                if choice.name in effects:
                    row = {"choice": choice.label, "outcome": outcome, "half": half, "games": games}
                    yield {**row, **vars(effects[choice.name])}


def remeasure_strongest(effects: pd.DataFrame) -> pd.DataFrame:
    """The choice that goes furthest with winning, chosen on half of the decks, measured on the other.

    Returns
    -------
    DataFrame
        A row for each player count, as of `choice_effects`, of those that differ from 0 for sure where they
        were chosen.
    """
    shares = effects[effects["outcome"] == "win_share"].reset_index(drop=True)
    size = shares["value"].abs().where(differs_for_sure(shares))
    return remeasure(shares.assign(size=size), ["players"], ["choice"])
