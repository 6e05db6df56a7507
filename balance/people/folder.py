"""The folder of games that people played: tables as in a run (tier `people`), and when games were added."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import pandas as pd
from pydantic import Field

from balance.contract.game import Game, get_game_of_run
from balance.contract.records import MAX_SEATS
from balance.foundation import __version__
from balance.foundation.archives import read_rows
from balance.foundation.errors import BalanceError, error_context
from balance.foundation.files import check_folder, make_folder, read_bytes, read_json, replace_file, write_files
from balance.foundation.language import tr
from balance.foundation.toml import Settings, validate
from balance.people.records import GameRecord, SeatRecord
from balance.runs.manifest import PEOPLE

_MOST_INFO = 10_000_000  # bytes
_MOST_GAMES = 1_000_000
FILES = {table: f"{table}/{table}.parquet" for table in ("games", "seats")}


class _Info(Settings):
    """The content of `run.json`."""

    schema_version: Literal[4]
    tier: Literal["people"]
    game: str
    package_version: str
    written: str
    updates: list[Annotated[int, Field(ge=1, le=_MOST_GAMES)]] = Field(min_length=1)
    appended: bool
    digest: str
    sha256: dict[str, str]  # of each table's file


@dataclass(frozen=True)
class People:
    """Games that people played.

    Attributes
    ----------
    games : DataFrame
        A row for each game: the columns of a run's games that a table of people has, with ``date``, ``minutes`` and
        ``rounds`` where they were noted; ``game_id`` counts from 1.
    seats : DataFrame
        A row for each game and seat; ``strategy`` is the player or a pseudonym, ``style`` a note, ``score`` may be
        missing.
    updates : list of int
        The number of games after each time that games were added.
    appended : bool
        Whether the last update left the games before it as they were.
    """

    path: Path
    game: Game
    games: pd.DataFrame
    seats: pd.DataFrame
    updates: list[int]
    appended: bool = True

    def first(self, games: int) -> People:
        """Return the first games alone."""
        kept, seats = (each[each["game_id"] <= games] for each in (self.games, self.seats))
        return People(self.path, self.game, kept, seats, [count for count in self.updates if count <= games])


def write_people(path: Path, game: Game, records: Sequence[GameRecord]) -> People:
    """Write the games into a new folder, or in place of the fewer or equally many games of an earlier call.

    Raises
    ------
    BalanceError
        The folder holds something else, games of another game, or more games.
    """
    updates, appended = [len(records)], True
    if (path / "run.json").exists():
        before = _read_info(path)
        if before.game != game.name:
            raise BalanceError(tr("{path} holds games of {game}; choose another --out", path=path, game=before.game))
        updates = before.updates
        if updates[-1] > len(records):
            raise BalanceError(
                tr(
                    "{path} holds {n} games and the file {given}; give the whole file, or another --out",
                    path=path,
                    n=updates[-1],
                    given=len(records),
                )
            )
        appended = before.digest == _digest(records[: updates[-1]])
        updates = updates if updates[-1] == len(records) else [*updates, len(records)]
    else:
        check_folder(path)
    games, seats = make_tables(records)
    packed = {"games": _pack(games), "seats": _pack(seats)}
    info = _Info(
        schema_version=4, tier="people", game=game.name, package_version=__version__,
        written=datetime.now(UTC).isoformat(timespec="seconds"), updates=updates, appended=appended,
        digest=_digest(records), sha256={name: _sum(content) for name, content in packed.items()},
    )  # fmt: skip
    contents = {path / FILES[name]: content for name, content in packed.items()}
    for file in contents:
        make_folder(file.parent)
    write_files(contents)
    replace_file(path / "run.json", info.model_dump_json(indent=1).encode("utf-8"))
    return People(path, game, games, seats, updates, appended)


def _digest(records: Sequence[GameRecord]) -> str:
    return _sum(repr(list(records)).encode("utf-8"))


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _pack(table: pd.DataFrame) -> bytes:
    packed = io.BytesIO()
    table.to_parquet(packed, compression="zstd", index=False)
    return packed.getvalue()


def make_tables(records: Sequence[GameRecord]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows of games and of seats; each game is a deal of its own."""
    games, seats = [], []
    for number, record in enumerate(records, 1):
        cell = {"game_id": number, "tier": PEOPLE, "variant": record.variant, "players": len(record.seats)}
        winners = sum(seat.rank == 1 for seat in record.seats)
        scores = sorted((seat.score for seat in record.seats if seat.score is not None), reverse=True)
        games.append(
            {
                **cell, "deal_seed": number, "seed": 0, "lineup": ",".join(seat.player for seat in record.seats),
                "rounds": record.rounds, "status": "finished", "winners": winners,
                "margin": scores[0] - scores[1] if len(scores) > 1 else None,
                "date": record.date, "minutes": record.minutes,
            }
        )  # fmt: skip
        seats += [
            {
                **cell, "seat": at, "strategy": seat.player, "score": seat.score, "rank": seat.rank,
                "win_share": 1 / winners if seat.rank == 1 else 0.0, "style": seat.style,
            }
            for at, seat in enumerate(record.seats)
        ]  # fmt: skip
    numbers = {"rounds": "Int16", "margin": "Float32", "minutes": "Float32"}
    return pd.DataFrame(games).astype(numbers), pd.DataFrame(seats).astype({"score": "Float32"})


def read_people(path: Path) -> People:
    """Open a folder that `write_people` wrote."""
    info = _read_info(path)
    with error_context(str(path / "run.json")):
        game = get_game_of_run(info.game)
    tables: dict[str, Any] = {}
    for name, file in FILES.items():
        content = read_bytes(path / file)
        if _sum(content) != info.sha256.get(name):
            raise BalanceError(
                tr("{path}: not the table that run.json lists; run balance people again", path=path / file)
            )
        tables[name] = _read_rows(content, path / file, name, info.updates[-1])
    _check_seats(path, game, tables["games"], tables["seats"], info.updates[-1])
    return People(path, game, tables["games"], tables["seats"], info.updates, info.appended)


def _read_rows(content: bytes, path: Path, name: str, games: int) -> pd.DataFrame:
    """Return a table, which must have the columns that `write_people` writes."""
    _, found = read_rows(content, path, games * (MAX_SEATS if name == "seats" else 1))
    right = make_tables([GameRecord((SeatRecord("", 0.0, 1),))])[name == "seats"]
    numbers = [*right.select_dtypes("number")]
    texts = set(right) - {*numbers, "date"}
    if (
        [*found] != [*right]
        or any(found[each].dtype.kind != right[each].dtype.kind for each in numbers)
        or not all(isinstance(cell, str) for each in texts for cell in found[each])
    ):
        raise BalanceError(tr("{path}: has the wrong columns; run balance people again", path=path))
    return found


def _check_seats(path: Path, game: Game, games: pd.DataFrame, seats: pd.DataFrame, count: int) -> None:
    """Refuse tables without one row for each of `count` games and each seat of them."""
    played = list(zip(games["game_id"], games["players"], strict=True))
    every = [(number, seat) for number, players in played for seat in range(min(players, MAX_SEATS))]
    if (
        [number for number, _ in played] != list(range(1, count + 1))
        or not games["players"].isin(game.players).all()
        or [*zip(seats["game_id"], seats["seat"], strict=True)] != every
        or seats[["players", "rank", "win_share"]].isna().any(axis=None)
    ):
        raise BalanceError(tr("{path}: its tables don't fit together; run balance people again", path=path))


def _read_info(path: Path) -> _Info:
    data = read_json(path / "run.json", _MOST_INFO)
    if data.get("tier") != PEOPLE:
        raise BalanceError(tr("{path} is not a folder of people's games; balance people writes one", path=path))
    return validate(_Info, data, str(path / "run.json"))
