"""Games worth watching: the closest, a comeback, an upset, a typical game, and why each was chosen."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from balance.analysis.gather import choose_cells
from balance.contract.analytics import Closeness
from balance.contract.sides import RIVALS
from balance.experiments.plan import Cell
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.text import listed, player
from balance.runs.database import open_database, reading, scan
from balance.runs.folder import RunFolder
from balance.runs.manifest import WrittenPart, part_path
from balance.runs.verify import whole_parts

BATCH_GAMES = 100_000  # that one query reads

KINDS = {
    "closest": N_(
        "the smallest margin between the best score and the second best; if equal, the smallest "
        "between the best and the last; or as the game defines it"
    ),
    "comeback": N_(
        "the winner furthest behind the leader at half time, after half of the rounds (rounded up); "
        "rounds must be logged"
    ),
    "upset": N_(
        "a sole win of the strategy that wins the smallest share of its seats, in its line-up if the experiment "
        "names line-ups, otherwise in its variant at its player count; if equal, the largest margin"
    ),
    "typical": N_(
        "the game nearest to the medians of its variant at its player count: decisions, margin, best and mean "
        "score, each in mean deviations from its median"
    ),
}
"""Definitions for help and pages. Only games that ended with a result count; of equal games the first is chosen."""

TITLES = {
    "closest": N_("The closest game"), "comeback": N_("A comeback"), "upset": N_("An upset"),
    "typical": N_("A typical game"),
}  # fmt: skip
"""Headings."""


@dataclass(frozen=True)
class Notable:
    """A game worth watching."""

    kind: str  # one of `KINDS`
    game_id: int
    variant: str
    players: int
    why: str  # the reason, in one line

    @property
    def line(self) -> str:
        """The game and the reason, in one line."""
        return trn(
            "{kind}: game {game}, {variant}, {n} player: {why}",
            "{kind}: game {game}, {variant}, {n} players: {why}",
            self.players, kind=self.kind, game=self.game_id, variant=self.variant, why=self.why,
        )  # fmt: skip

    def command(self, run: Path) -> str:
        """Return the command that writes the game's page."""
        return f"balance replay {shlex.quote(str(run))} {self.game_id} --html game-{self.game_id}.html"


def find_notable(
    run: RunFolder, kind: str, variants: Sequence[str] | None = None, players: Sequence[int] | None = None
) -> Notable:
    """Find the game of one of `KINDS` in the active tier, only of the given variants and player counts if any."""
    with _won_games(run, choose_cells(run, variants, players)) as games:
        return _find(run, games, kind)


def list_notable(
    run: RunFolder, variants: Sequence[str] | None = None, players: Sequence[int] | None = None
) -> list[Notable]:
    """Find a game of each of `KINDS`, in order, without kinds that have no game; see `find_notable`."""
    found = []
    with _won_games(run, choose_cells(run, variants, players)) as games:
        for kind in KINDS:
            with suppress(NoGameError):
                found.append(_find(run, games, kind))
    return found


class NoGameError(BalanceError):
    """The run has no game of the kind wanted; the message says what is missing."""


def _find(run: RunFolder, games: WonGames, kind: str) -> Notable:
    if not games.count():
        raise NoGameError(tr("{run}: no game ended with a result among the games you asked for", run=run.path))
    if kind != "typical" and not run.plan.game.sides.allow((RIVALS,)):
        raise NoGameError(run.plan.game.sides.refuse(kind, (RIVALS,)))
    game, why = _FINDERS[kind](run, games)
    return Notable(kind, int(game.game_id), str(game.variant), int(game.players), why)


class WonGames:
    """The games of some parts of a run that ended with a winner; draws and truncated games are left out."""

    def __init__(self, run: RunFolder, parts: Sequence[WrittenPart], connection: duckdb.DuckDBPyConnection) -> None:
        self._run, self._parts, self._connection = run, parts, connection
        self._counts: dict[bool, int] = {}

    @property
    def has_rounds(self) -> bool:
        """Whether some of the games have logged rounds."""
        return any("rounds" in part.files for part in self._parts)

    def count(self, rounds: bool = False) -> int:
        """Return the number of games; with `rounds`, of those with logged rounds."""
        if rounds not in self._counts:
            found = self.ask("SELECT count(*) AS games FROM won", rounds=rounds)
            self._counts[rounds] = int(found["games"].sum())
        return self._counts[rounds]

    def ask(self, sql: str, rounds: bool = False, joined: Mapping[str, pd.DataFrame] | None = None) -> pd.DataFrame:
        """Run a query on each batch and return the concatenated rows.

        The query is over the views `won` (the games) and `seats`, and over the tables that are `joined`. With `rounds`
        it is over `rounds` too, and reads only games with logged rounds.
        """
        for name, table in (joined or {}).items():
            self._connection.register(name, table)
        found = []
        for parts in self._batches(rounds):
            for table in ("games", "seats", *(["rounds"] if rounds else [])):
                files = [part_path(self._run.path, table, part.stem) for part in parts]
                source = scan(self._connection, f"{table}_files", files)
                self._connection.execute(f"CREATE OR REPLACE TEMP VIEW {table} AS SELECT * FROM {source}")
            self._connection.execute("CREATE OR REPLACE TEMP VIEW won AS SELECT * FROM games WHERE status = 'finished'")
            found.append(self._connection.execute(sql).df())
        return pd.concat(found, ignore_index=True)

    def _batches(self, rounds: bool) -> Iterator[list[WrittenPart]]:
        batch: list[WrittenPart] = []
        for part in self._parts:
            if rounds and "rounds" not in part.files:
                continue
            if batch and sum(each.games for each in batch) + part.games > BATCH_GAMES:
                yield batch
                batch = []
            batch.append(part)
        yield batch


@contextmanager
def _won_games(run: RunFolder, cells: Sequence[Cell]) -> Iterator[WonGames]:
    """Provide the games of some cells, with one database for all questions about them."""
    numbers = {cell.number for cell in cells}
    parts = whole_parts(run.path, run.bond, checksums=True, cells=numbers)
    with reading(run.path), open_database() as connection:
        yield WonGames(run, parts, connection)


Found = tuple[Any, str]  # a row with game_id, variant and players; and why


def _first(rows: pd.DataFrame, by: Sequence[str], falling: Sequence[str] = ()) -> Any:
    """Return the first of the rows from all batches, in the order that each batch used."""
    order = [*by, "game_id"]
    rows = rows.sort_values(order, ascending=[name not in falling for name in order], kind="stable")
    return next(rows.itertuples(index=False))


def _say_margin(game: Any) -> str:
    scores = listed([write_number(score, "g") for score in game.scores])
    if game.margin:
        return trn(
            "{n:g} point between first and second, scores {scores}",
            "{n:g} points between first and second, scores {scores}",
            game.margin,
            scores=scores,
        )
    if game.winners > 1:
        return tr("a shared victory, scores {scores}", scores=scores)
    return tr("a tie-break decided, scores {scores}", scores=scores)


BY_MARGIN = Closeness(
    {
        "margin": "any_value(e.margin)",
        "spread": "max(s.score) - min(s.score)",
        "scores": "list(s.score ORDER BY s.rank, s.seat)",
        "winners": "any_value(e.winners)",
    },
    ("margin", "spread"),
    _say_margin,
    N_("the smallest margin"),
)
"""The default for games whose analytics do not define `CLOSENESS`."""


def _closest(run: RunFolder, games: WonGames) -> Found:
    close: Closeness = getattr(run.plan.game.analytics, "CLOSENESS", BY_MARGIN)
    columns = ", ".join(f"{value} AS {name}" for name, value in close.columns.items())
    rows = games.ask(
        f"""
        SELECT game_id, any_value(e.variant) AS variant, any_value(e.players) AS players, {columns}
        FROM won e JOIN seats s USING (game_id)
        GROUP BY game_id ORDER BY {", ".join(close.order)}, game_id LIMIT 1
        """
    )
    game = _first(rows, close.order)
    return game, trn(
        "{why}; {most} of {n:,} game", "{why}; {most} of {n:,} games", games.count(),
        why=close.why(game), most=tr(close.most),
    )  # fmt: skip


def _comeback(run: RunFolder, games: WonGames) -> Found:
    if not games.has_rounds:
        raise NoGameError(
            tr("{run} has no rounds, which a comeback needs: play with --log rounds (or --trace N)", run=run.path)
        )
    rows = games.ask(
        """
        SELECT game_id, e.variant, e.players, seat, s.strategy, -r.lead AS deficit, e.margin, r.round, e.rounds
        FROM won e JOIN seats s USING (game_id) JOIN rounds r USING (game_id, seat)
        WHERE s.rank = 1 AND r.round = (e.rounds + 1) // 2 AND r.lead < 0
        ORDER BY deficit DESC, e.margin DESC, game_id LIMIT 1
        """,
        rounds=True,
    )
    if rows.empty:
        raise NoGameError(
            trn(
                "{run}: no comeback: no winner of {n:,} game was behind at half time",
                "{run}: no comeback: no winner of {n:,} games was behind at half time",
                games.count(rounds=True),
                run=run.path,
            )
        )
    game = _first(rows, ["deficit", "margin"], falling=["deficit", "margin"])
    behind = trn(
        "{strategy} ({player}) was {n:g} point behind after round {round} of {rounds} and won",
        "{strategy} ({player}) was {n:g} points behind after round {round} of {rounds} and won",
        game.deficit, strategy=game.strategy, player=player(game.seat), round=game.round, rounds=game.rounds,
    )  # fmt: skip
    return game, trn(
        "{behind}; no winner of {n:,} game was further behind",
        "{behind}; no winner of {n:,} games was further behind",
        games.count(rounds=True),
        behind=behind,
    )


_LINEUP = "array_to_string(list_sort(string_split(e.lineup, ',')), ',')"


def _upset(run: RunFolder, games: WonGames) -> Found:
    field = _LINEUP if run.plan.tier.lineups else "''"
    keys = ["variant", "players", "field", "strategy"]
    sums = games.ask(
        f"""
        SELECT e.variant, e.players, {field} AS field, s.strategy, sum(s.win_share) AS wins, count(*) AS n
        FROM won e JOIN seats s USING (game_id) GROUP BY ALL
        """
    )
    sums = sums.groupby(keys, as_index=False, observed=True).sum()
    fair = run.plan.fair_share(sums["players"])
    shares = sums.assign(share=sums["wins"] / sums["n"], fair=fair)
    rows = games.ask(
        f"""
        SELECT game_id, e.variant, e.players, seat, s.strategy, share, fair, n, e.margin
        FROM won e JOIN seats s USING (game_id)
        JOIN shares h ON (h.variant, h.players, h.field, h.strategy) = (e.variant, e.players, {field}, s.strategy)
        WHERE s.rank = 1 AND e.winners = 1 AND share < (1 - 1e-9) * fair / 100
        ORDER BY share, e.margin DESC, game_id LIMIT 1
        """,
        joined={"shares": shares},
    )
    if rows.empty:
        raise NoGameError(
            trn(
                "{run}: no upset: no strategy won that wins less than its fair share of {n:,} game",
                "{run}: no upset: no strategy won that wins less than its fair share of {n:,} games",
                games.count(),
                run=run.path,
            )
        )
    game = _first(rows, ["share", "margin"], falling=["margin"])
    return game, trn(
        "{won}; {wins}, the smallest share of all winners of {n:,} game",
        "{won}; {wins}, the smallest share of all winners of {n:,} games",
        games.count(), won=_say_win(game), wins=_say_share(game, bool(run.plan.tier.lineups)),
    )  # fmt: skip


def _say_win(game: Any) -> str:
    return trn(
        "{strategy} ({player}) won by {n:g} point",
        "{strategy} ({player}) won by {n:g} points",
        game.margin, strategy=game.strategy, player=player(game.seat),
    )  # fmt: skip


def _say_share(game: Any, of_lineup: bool) -> str:
    words = (
        N_("it wins {share:.1f} % of its {n:,} seats in this line-up (fair {fair:.3g})")
        if of_lineup
        else N_("it wins {share:.1f} % of its {n:,} seats here (fair {fair:.3g})")
    )
    return tr(words, share=100 * game.share, n=game.n, fair=game.fair)


_TYPICAL = {"decisions": N_("decisions"), "margin": N_("margin"), "best": N_("best score"), "mean": N_("mean score")}
_FACTS = """
    SELECT game_id, any_value(e.variant) AS variant, any_value(e.players) AS players,
           any_value(e.decisions)::DOUBLE AS decisions, any_value(e.margin)::DOUBLE AS margin,
           max(s.score)::DOUBLE AS best, avg(s.score)::DOUBLE AS mean
    FROM won e JOIN seats s USING (game_id) GROUP BY game_id
"""


def _typical(run: RunFolder, games: WonGames) -> Found:
    counts = games.ask(
        f"""
        SELECT variant, players, name, value, count(*) AS n
        FROM (UNPIVOT ({_FACTS}) ON {", ".join(_TYPICAL)} INTO NAME name VALUE value)
        GROUP BY ALL
        """
    )
    middles = _middles(counts)
    known = [name for name in _TYPICAL if f"{name}_median" in middles]  # a table has no margin
    far = " + ".join(f"coalesce(abs({name} - {name}_median) / nullif({name}_spread, 0), 0)" for name in known)
    rows = games.ask(
        f"""
        SELECT *, {far} AS far FROM ({_FACTS}) JOIN middles USING (variant, players)
        ORDER BY far, game_id LIMIT 1
        """,
        joined={"middles": middles},
    )
    game = _first(rows, ["far"])
    facts = [
        tr(
            "{label} {value:.4g} (median {median:.4g})",
            label=tr(_TYPICAL[name]),
            value=getattr(game, name),
            median=getattr(game, f"{name}_median"),
        )
        for name in known
    ]
    return game, trn(
        "{facts}; the nearest of {n:,} game", "{facts}; the nearest of {n:,} games", games.count(),
        facts=", ".join(facts),
    )  # fmt: skip


def _middles(counts: pd.DataFrame) -> pd.DataFrame:
    """Return the median, and the mean deviation from it, of each value in each cell, from the counts of values."""
    rows = []
    for (variant, players), cell in counts.groupby(["variant", "players"]):
        row: dict[str, Any] = {"variant": variant, "players": players}
        for name, values in cell.groupby("name"):
            values = values.groupby("value", as_index=False)["n"].sum().sort_values("value")
            reached = values["n"].cumsum() >= values["n"].sum() / 2
            median = float(values["value"][reached].iloc[0])
            row[f"{name}_median"] = median
            row[f"{name}_spread"] = float(((values["value"] - median).abs() * values["n"]).sum() / values["n"].sum())
        rows.append(row)
    return pd.DataFrame(rows)


_FINDERS: dict[str, Callable[[RunFolder, WonGames], Found]] = {
    "closest": _closest, "comeback": _comeback, "upset": _upset, "typical": _typical,
}  # fmt: skip
