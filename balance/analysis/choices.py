"""Early choices: what goes with winning, among seats of one strategy in one seat."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import in_plan_order
from balance.analysis.sums import column
from balance.contract.measure import Choice
from balance.log.database import connect
from balance.log.folder import RunFolder
from balance.stats.comparisons import holm, p_value
from balance.stats.effects import within_effects

GAMES = 20_000  # of a cell; this question needs its rows in memory


def choice_effects(run: RunFolder, choices: Sequence[Choice], variant: str) -> pd.DataFrame:
    """What one more of each early choice goes with, in win share and score.

    Compared are seats of the same strategy in the same seat; all choices are in one model, errors are
    clustered on the deck. These are associations under such bots, not experiments: what made a bot
    choose may also have made it win.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``choice``, ``outcome``, ``value``, ``low``, ``high`` (points of win
        share, or of score), ``p`` (Holm, over the table), ``n``, ``decks``, ``games``.
    """
    rows = []
    with connect(run.path) as connection:
        games = min(GAMES, run.plan.experiment.most_games)
        for cell in run.plan.cells:
            if cell.variant.name != variant:
                continue
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
            rows += _of_cell(data, choices, cell.players, variant)
    table = pd.DataFrame(rows, columns=["players", "variant", "choice", "outcome", "interval", "games"])
    found = table.pop("interval")
    for name in ("value", "low", "high", "n"):
        table[name] = [getattr(each, name) for each in found]
    table["decks"] = [each.clusters for each in found]
    table["p"] = holm([float(p_value(each)) for each in found])
    return in_plan_order(run.plan, table, ["players"])


def _of_cell(
    data: pd.DataFrame, choices: Sequence[Choice], players: int, variant: str
) -> list[tuple[object, ...]]:
    names = [choice.name for choice in choices]
    data = data.dropna(subset=names)
    rows: list[tuple[object, ...]] = []
    for outcome in ("win_share", "score"):
        effects = within_effects(data, outcome, names, ["strategy", "seat"], "deck_seed")
        for choice in choices:
            if choice.name in effects:
                games = int(data["game_id"].nunique())
                rows.append((players, variant, choice.label, outcome, effects[choice.name], games))
    return rows
