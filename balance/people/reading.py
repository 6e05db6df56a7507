"""Files of playtests: a table with a row for each seat or each game, JSON, or an app's export; names are recognised."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from balance.contract.game import Game
from balance.foundation.errors import BalanceError
from balance.foundation.files import read_bytes
from balance.foundation.language import N_, tr, trn
from balance.foundation.spreadsheets import Row, Table, decode_text, read_table
from balance.people.exports import entries_of_bg_stats, entries_of_boardgamegeek, is_bg_stats
from balance.people.records import TO_START, Entry, GameRecord, identity, read_entries

_GAME: Mapping[str, tuple[str, ...]] = {
    "game": ("game", "game id", "game number", "nr", "no", "number", "id", "session", "table", "partia", "gra"),
    "play": ("play", "play id", "playid"),
    "title": ("game name", "game title", "item", "item name", "tytuł", "nazwa gry"),
    "date": ("date", "day", "played", "played on", "play date", "data", "dzień"),
    "minutes": ("minutes", "min", "duration", "length", "play time", "czas gry", "minuty"),
    "variant": ("variant", "rules", "rule set", "wariant", "zasady"),
    "rounds": ("rounds", "round", "turns", "rundy"),
    "incomplete": ("incomplete", "unfinished", "niedokończona"),
    "quantity": ("quantity", "liczba partii"),
}
_SEAT: Mapping[str, tuple[str, ...]] = {
    "seat": ("seat", "turn order", "start position", "startposition", "kolejność tur"),
    "player": ("player", "name", "who", "person", "gracz", "imię", "osoba"),
    "score": ("score", "points", "vp", "victory points", "total", "punkty", "wynik"),
    "rank": ("rank", "place", "finish", "miejsce"),
    "winner": ("winner", "win", "won", "zwycięzca", "wygrana"),
    "style": ("strategy", "style", "plan", "notes", "note", "comment", "strategia", "uwagi"),
    "position": ("position", "pos", "order", "pozycja", "kolejność"),
    "result": ("result", "rezultat"),
}
_UNCLEAR = {
    "position": N_("the seat (rename it to seat) or the finishing place (rank)"),
    "result": N_("the points (rename it to score), the place (rank) or who won (winner)"),
}
"""Fields that people use for two things, which the user must tell apart."""
_NAMES = {name: field for fields in (_GAME, _SEAT) for field, names in fields.items() for name in names}
_WORDS = "|".join(sorted((name for names in _SEAT.values() for name in names), key=len, reverse=True))
_NUMBERED = (
    re.compile(rf"(?P<field>{_WORDS})(?: of)?(?: (?:seat|player|p))? ?(?P<seat>\d+)"),
    re.compile(rf"(?:seat|player|p|gracz) ?(?P<seat>\d+)(?: (?P<field>{_WORDS}))?"),
)
_EXPORTS = (".json", ".xml")
_SHOWN = 5  # titles in a message
_SHOWN_LETTERS = 40  # of a heading in a message
_MOST_SEATS = 99
_MOST_DIGITS = 4  # of a seat's number that are read
Column = tuple[str, int | None]
"""The field of a column, "" if it is unknown; and its seat from 1, None for one of the game or of the row."""


@dataclass(frozen=True)
class Meaning:
    """What the user says of a file.

    Attributes
    ----------
    position : "seat", "place" or ""
        What a column called position is; "" if the user did not say.
    title : str
        The game's name in the file, if the file has games of several; "" for the name that balance knows.
    ranks_decide : bool
        Whether ranks and winners may contradict the scores.
    """

    position: Literal["", "seat", "place"] = ""
    title: str = ""
    ranks_decide: bool = False


def read_playtests(path: Path, game: Game, meaning: Meaning | None = None) -> tuple[list[GameRecord], list[str]]:
    """Return the games of a file of playtests, and notes on what was not read or read with a doubt."""
    meaning, where = meaning or Meaning(), str(path)
    kind = path.suffix.lower()
    if kind in _EXPORTS:
        text, notes = decode_text(read_bytes(path), where)
        entries, more = (
            entries_of_boardgamegeek(text, where) if kind == ".xml" else _entries_of_json(text, where, meaning)
        )
    else:
        table = read_table(path)
        notes, (entries, more) = table.notes, _entries_of_table(table, where, meaning)
    chosen, others = _choose_title(entries, game, meaning.title, where)
    records, remarks = read_entries(chosen, game, where, meaning.ranks_decide)
    return records, [*notes, *more, *others, *remarks]


def _choose_title(entries: Sequence[Entry], game: Game, title: str, where: str) -> tuple[list[Entry], list[str]]:
    """Return the entries of one game, if the file names several, and a note on the others."""
    titles = {identity(str(name)): str(name) for each in entries if (name := each.fields.get("title"))}
    wanted = [identity(title)] if title else [identity(name) for name in (game.title, game.name)]
    found = next((name for name in wanted if name in titles), None)
    if title and not titles:
        raise BalanceError(tr("{place}: it names no games; leave out --title", place=where))
    if found is None and (title or len(titles) > 1):
        shown = ", ".join(list(titles.values())[:_SHOWN])
        raise BalanceError(tr("{place}: which game? It has {titles}; name one with --title", place=where, titles=shown))
    if found is None:
        called = "".join(titles.values())
        note = tr("the file calls the game {title!r}", title=called)
        return list(entries), [note] if titles else []
    chosen = [each for each in entries if identity(str(each.fields.get("title") or "")) == found]
    rest = len(entries) - len(chosen)
    text = trn("left out: {n} game of another title", "left out: {n} games of other titles", rest)
    return chosen, [text] if rest else []


def _entries_of_table(table: Table, where: str, meaning: Meaning) -> tuple[list[Entry], list[str]]:
    """Return the games of a table, and a note on the columns that were not read."""
    if not table.header:
        raise BalanceError(tr("{path}: it has no header line; {to_start}", path=where, to_start=tr(TO_START)))
    columns = [_settle(_recognise(name), name, meaning, where) for name in table.header]
    if ("play", None) in columns:  # then a column called game has the game's name
        renamed = {"play": "game", "game": "title"}
        columns = [(renamed.get(field, field), seat) for field, seat in columns]
    _check_columns(table.header, columns, where)
    wide = any(seat for _, seat in columns)
    unread = [
        name
        for name, (field, seat) in zip(table.header, columns, strict=True)
        if name and (not field or (wide and not seat and field in _SEAT and field != "winner"))
    ]
    read = _wide_entries(columns, table.rows) if wide else _long_entries(columns, table.rows, where)
    return list(read), _note_unread(unread)


def _note_unread(names: Sequence[str]) -> list[str]:
    return [tr("not read: {columns}", columns=", ".join(names))] if names else []


def _recognise(name: str) -> Column:
    """Return the field and the seat of a column by its heading."""
    plain = " ".join(re.sub(r"[\W_]+", " ", identity(name)).split())
    if plain in _NAMES:
        return _NAMES[plain], None
    for pattern in _NUMBERED:
        if found := pattern.fullmatch(plain):
            return _NAMES[found["field"] or "player"], int(found["seat"][:_MOST_DIGITS])
    return "", None


def _settle(column: Column, name: str, meaning: Meaning, where: str) -> Column:
    """Return what an unclear column is by the user's word, or refuse it."""
    field, seat = column
    if field == "position" and meaning.position:
        return ("seat" if meaning.position == "seat" else "rank"), seat
    if field in _UNCLEAR:
        more = tr(", or give --position seat or --position place") if field == "position" else ""
        raise BalanceError(
            tr(
                "{place}: {column!r} may be {meanings}{more}",
                place=where, column=name, meanings=tr(_UNCLEAR[field]), more=more,
            )
        )  # fmt: skip
    return column


def _check_columns(header: Sequence[str], columns: Sequence[Column], where: str) -> None:
    known = [column for column in columns if column[0]]
    seats = range(1, _MOST_SEATS + 1)
    if odd := [name for name, (_, seat) in zip(header, columns, strict=True) if seat not in (None, *seats)]:
        raise BalanceError(
            tr(
                "{place}: {column!r}: number the players from 1 to {most}",
                place=where,
                column=odd[0][:_SHOWN_LETTERS],
                most=_MOST_SEATS,
            )
        )
    if twice := [header[columns.index(each)] for each in known if known.count(each) > 1]:
        raise BalanceError(
            tr("{place}: two columns mean the same as {column!r}; remove or rename one", place=where, column=twice[0])
        )
    fields = {field for field, _ in known}
    if not fields & {"score", "rank", "winner"}:
        raise BalanceError(
            tr(
                "{place}: no column is called score or rank (there are: {columns}); {to_start}",
                place=where,
                columns=", ".join(header),
                to_start=tr(TO_START),
            )
        )
    if "game" not in fields and not any(seat for _, seat in known):
        raise BalanceError(tr("{place}: no column is called game, which marks the rows of one game", place=where))


def _wide_entries(columns: Sequence[Column], lines: Sequence[Row]) -> Iterator[Entry]:
    """Yield the games of a table with a row for each game; a seat without any text did not play."""
    for line, row in lines:
        cells = list(zip(columns, row, strict=False))
        seats = []
        for seat in sorted({seat for _, seat in columns if seat}):
            fields = {field: text for (field, at), text in cells if at == seat and text.strip()}
            if fields:
                seats.append((tr("line {n}, seat {seat}", n=line, seat=seat), fields))
        yield Entry(_line(line), {field: text for (field, at), text in cells if field and not at}, seats)


def _long_entries(columns: Sequence[Column], lines: Sequence[Row], where: str) -> Iterator[Entry]:
    """Yield the games of a table with a row for each seat; an empty cell of a game continues the row above.

    The rows of a game stand together: a number that comes again after other games is that of another game.
    """
    games: dict[str, tuple[int, dict[str, str], list[tuple[str, dict[str, str]]]]] = {}
    game = ""
    for line, row in lines:
        cells = {field: text.strip() for (field, _), text in zip(columns, row, strict=False) if field}
        above, game = game, cells.get("game") or game
        if game != above and game in games:
            raise BalanceError(
                tr(
                    "{place}, line {n}: game {game} has rows above, before other games; give each game "
                    "a number of its own, and keep its rows together",
                    place=where, n=line, game=game,
                )
            )  # fmt: skip
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


def _entries_of_json(text: str, where: str, meaning: Meaning) -> tuple[list[Entry], list[str]]:
    """Return the games of a list of objects, each with a list ``players`` (or ``seats``) of objects, or of BG Stats.

    The notes name the keys that are not recognised.
    """
    try:
        data = json.loads(text, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise BalanceError(tr("{place}: not JSON ({reason})", place=where, reason=error)) from None
    if is_bg_stats(data):
        return entries_of_bg_stats(data, where)
    unread: dict[str, None] = {}
    entries = list(_entries_of_games(data, where, meaning, unread))
    return entries, _note_unread(list(unread))


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; a key that stands twice in it would lose a value."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(
            tr("the key {name!r} stands twice", name=next(each for each in names if names.count(each) > 1))
        )
    return found


def _entries_of_games(data: Any, where: str, meaning: Meaning, unread: dict[str, None]) -> Iterator[Entry]:
    """Yield the games of a list of objects; keys that are not recognised are added to `unread`."""
    games = data.get("games") if isinstance(data, dict) else data
    if not isinstance(games, list):
        raise BalanceError(tr("{place}: expected a list of games, or an object with games", place=where))
    for number, game in enumerate(games, 1):
        place = tr("game {number}", number=number)
        seats = next((game.get(key) for key in ("players", "seats") if isinstance(game, dict) and game.get(key)), None)
        if not isinstance(seats, list) or not all(isinstance(seat, dict) for seat in seats):
            raise BalanceError(
                tr("{place}: expected an object with players, a list of objects", place=f"{where}, {place}")
            )
        found = [
            (tr("{game}, player {n}", game=place, n=at), _recognised(seat, f"{where}, {place}", meaning, unread))
            for at, seat in enumerate(seats, 1)
        ]
        yield Entry(place, _recognised(game, f"{where}, {place}", meaning, unread), found)


def _recognised(fields: Mapping[str, Any], where: str, meaning: Meaning, unread: dict[str, None]) -> dict[str, Any]:
    """Return the values of an object by field."""
    found: dict[str, Any] = {}
    for name, value in fields.items():
        field, seat = _settle(_recognise(name), name, meaning, where)
        if not field or seat or not isinstance(value, str | int | float | None):
            unread |= {} if name in ("players", "seats") else {name: None}
        elif field in found:
            raise BalanceError(
                tr("{place}: two keys mean {field}; remove or rename {name!r}", place=where, field=field, name=name)
            )
        else:
            found[field] = value
    return found
