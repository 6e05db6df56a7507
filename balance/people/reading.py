"""Files of playtests: CSV with a row for each seat or for each game, or JSON; column names are recognised."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from balance.contract.game import Game
from balance.foundation.errors import BalanceError
from balance.foundation.files import read_text
from balance.foundation.language import tr
from balance.foundation.spreadsheets import MARK, read_rows
from balance.people.records import TO_START, Entry, GameRecord, read_entries

_GAME: Mapping[str, tuple[str, ...]] = {
    "game": (
        "game",
        "game id",
        "game number",
        "nr",
        "no",
        "number",
        "id",
        "session",
        "table",
        "partia",
        "gra",
    ),
    "date": ("date", "day", "played", "played on", "data", "dzień"),
    "minutes": ("minutes", "min", "duration", "length", "play time", "czas gry", "minuty"),
    "variant": ("variant", "rules", "rule set", "wariant", "zasady"),
    "rounds": ("rounds", "round", "turns", "rundy"),
}
_SEAT: Mapping[str, tuple[str, ...]] = {
    "seat": ("seat", "position", "order", "turn order", "kolejność"),
    "player": ("player", "name", "who", "person", "gracz", "imię", "osoba"),
    "score": ("score", "points", "vp", "victory points", "total", "punkty", "wynik"),
    "rank": ("rank", "place", "result", "finish", "miejsce"),
    "style": ("strategy", "style", "plan", "notes", "note", "comment", "strategia", "uwagi"),
}
_NAMES = {name: field for fields in (_GAME, _SEAT) for field, names in fields.items() for name in names}
_WORDS = "|".join(sorted((name for names in _SEAT.values() for name in names), key=len, reverse=True))
_NUMBERED = (
    re.compile(rf"(?P<field>{_WORDS})(?: of)?(?: (?:seat|player|p))? ?(?P<seat>\d+)"),
    re.compile(rf"(?:seat|player|p|gracz) ?(?P<seat>\d+)(?: (?P<field>{_WORDS}))?"),
)
Column = tuple[str, int | None]
"""The field of a column, "" if it is unknown; and its seat from 1, None for one of the game or of the row."""


def read_playtests(path: Path, game: Game) -> tuple[list[GameRecord], list[str]]:
    """Return the games of a file of playtests, and the columns that were not recognised and not read."""
    text = read_text(path).removeprefix(MARK)
    if path.suffix.lower() == ".json":
        unread: dict[str, None] = {}
        return read_entries(_entries_of_json(text, str(path), unread), game, str(path)), list(unread)
    rows = read_rows(text, str(path))
    if not rows:
        raise BalanceError(
            tr("{path}: it has no header line; {to_start}", path=path, to_start=tr(TO_START))
        )
    (_, header), *lines = rows
    columns = [_recognise(name) for name in header]
    _check_columns(header, columns, str(path))
    unknown = [
        name for name, (field, _) in zip(header, columns, strict=True) if name.strip() and not field
    ]
    wide = any(seat for _, seat in columns)
    entries = _wide_entries(columns, lines) if wide else _long_entries(columns, lines, str(path))
    return read_entries(entries, game, str(path)), unknown


def _recognise(name: str) -> Column:
    """Return the field and the seat of a column by its heading."""
    plain = " ".join(re.sub(r"[\W_]+", " ", name.casefold()).split())
    if plain in _NAMES:
        return _NAMES[plain], None
    for pattern in _NUMBERED:
        if found := pattern.fullmatch(plain):
            return _NAMES[found["field"] or "player"], int(found["seat"])
    return "", None


def _check_columns(header: Sequence[str], columns: Sequence[Column], where: str) -> None:
    known = [column for column in columns if column[0]]
    if zero := [name for name, (_, seat) in zip(header, columns, strict=True) if seat == 0]:
        raise BalanceError(
            tr("{place}: {column!r}: number the players from 1", place=where, column=zero[0])
        )
    if twice := [header[columns.index(each)] for each in known if known.count(each) > 1]:
        raise BalanceError(
            tr(
                "{place}: two columns mean the same as {column!r}; remove or rename one",
                place=where,
                column=twice[0],
            )
        )
    fields = {field for field, _ in known}
    if not fields & {"score", "rank"}:
        raise BalanceError(
            tr(
                "{place}: no column is called score or rank (there are: {columns}); {to_start}",
                place=where,
                columns=", ".join(header),
                to_start=tr(TO_START),
            )
        )
    if "game" not in fields and not any(seat for _, seat in known):
        raise BalanceError(
            tr("{place}: no column is called game, which marks the rows of one game", place=where)
        )


def _wide_entries(columns: Sequence[Column], lines: Sequence[tuple[int, list[str]]]) -> Iterator[Entry]:
    """Yield the games of a table with a row for each game; a seat without any text did not play."""
    for line, row in lines:
        cells = list(zip(columns, row, strict=False))
        seats = []
        for seat in sorted({seat for _, seat in columns if seat}):
            fields = {field: text for (field, at), text in cells if at == seat and text.strip()}
            if fields:
                seats.append((tr("line {n}, seat {seat}", n=line, seat=seat), fields))
        yield Entry(_line(line), {field: text for (field, at), text in cells if field and not at}, seats)


def _long_entries(
    columns: Sequence[Column], lines: Sequence[tuple[int, list[str]]], where: str
) -> Iterator[Entry]:
    """Yield the games of a table with a row for each seat; an empty cell of a game continues the row above."""
    games: dict[str, tuple[int, dict[str, str], list[tuple[str, dict[str, str]]]]] = {}
    game = ""
    for line, row in lines:
        cells = {field: text.strip() for (field, _), text in zip(columns, row, strict=False) if field}
        game = cells.get("game") or game
        if not game:
            raise BalanceError(tr("{place}, line {n}: the first row has no game", place=where, n=line))
        _, fields, seats = games.setdefault(game, (line, {}, []))
        seats.append((_line(line), {field: text for field, text in cells.items() if field in _SEAT}))
        for field in _GAME:
            text = cells.get(field)
            if text and fields.setdefault(field, text) != text:
                raise BalanceError(
                    tr(
                        "{place}, line {n}: {field} {value!r}, but game {game} has {other!r} above",
                        place=where, n=line, field=field, value=text, game=game, other=fields[field],
                    )
                )  # fmt: skip
    for line, fields, seats in games.values():
        yield Entry(_line(line), fields, seats)


def _line(number: int) -> str:
    return tr("line {n}", n=number)


def _entries_of_json(text: str, where: str, unread: dict[str, None]) -> Iterator[Entry]:
    """Yield the games of a list of objects, each with a list ``players`` (or ``seats``) of objects.

    Keys that are not recognised are added to `unread`.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BalanceError(tr("{place}: not JSON ({reason})", place=where, reason=error)) from None
    games = data.get("games") if isinstance(data, dict) else data
    if not isinstance(games, list):
        raise BalanceError(tr("{place}: expected a list of games, or an object with games", place=where))
    for number, game in enumerate(games, 1):
        place = tr("game {number}", number=number)
        seats = next(
            (game.get(key) for key in ("players", "seats") if isinstance(game, dict) and game.get(key)),
            None,
        )
        if not isinstance(seats, list) or not all(isinstance(seat, dict) for seat in seats):
            raise BalanceError(
                tr(
                    "{place}: expected an object with players, a list of objects",
                    place=f"{where}, {place}",
                )
            )
        found = [
            (tr("{game}, player {n}", game=place, n=at), _recognised(seat, f"{where}, {place}", unread))
            for at, seat in enumerate(seats, 1)
        ]
        yield Entry(place, _recognised(game, f"{where}, {place}", unread), found)


def _recognised(fields: Mapping[str, Any], where: str, unread: dict[str, None]) -> dict[str, Any]:
    """Return the values of an object by field."""
    found: dict[str, Any] = {}
    for name, value in fields.items():
        field, seat = _recognise(name)
        if not field or seat or not isinstance(value, str | int | float | None):
            unread |= {} if name in ("players", "seats") else {name: None}
        elif field in found:
            raise BalanceError(
                tr(
                    "{place}: two keys mean {field}; remove or rename {name!r}",
                    place=where, field=field, name=name,
                )
            )  # fmt: skip
        else:
            found[field] = value
    return found
