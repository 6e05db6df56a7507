"""Records of games that people played, checked one by one; ranks and pseudonyms."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any

from balance.contract.game import Game
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr, trn

TO_START = N_("balance new playtest writes a file to start from")
_SHOWN = 5  # mistakes in a message
_MINUTES, _ROUNDS = (1, 720), (1, 1000)  # what a record may say: limits against slips
_SCORE = 2**53  # as of bots; larger numbers are not exact


@dataclass(frozen=True)
class SeatRecord:
    """A person in a seat."""

    player: str  # the name, or a pseudonym; "" if it was not noted
    score: float | None
    rank: int  # 1 for the winners
    style: str = ""  # a note on how the person played, or ""


@dataclass(frozen=True)
class GameRecord:
    """A game that people played; the seats are in the order of the first turn."""

    seats: tuple[SeatRecord, ...]
    variant: str = "base"
    date: datetime.date | None = None
    minutes: float | None = None
    rounds: int | None = None


@dataclass(frozen=True)
class Entry:
    """A game as it stands in a file: texts by field, of the game and of each seat, with the place for messages."""

    place: str  # such as "line 7"
    fields: Mapping[str, Any]
    seats: Sequence[tuple[str, Mapping[str, Any]]]  # place and fields


class _MistakeError(Exception):
    """What is wrong with an entry, without its place."""


def read_entries(entries: Iterable[Entry], game: Game, where: str) -> list[GameRecord]:
    """Return the games of a file, or raise one error that names the first mistakes with their lines."""
    found, mistakes = [], []
    for entry in entries:
        try:
            found.append(_read_game(entry, game))
        except _MistakeError as mistake:
            mistakes.append(str(mistake))
    if mistakes:
        shown, rest = mistakes[:_SHOWN], len(mistakes) - _SHOWN
        if rest > 0:
            shown.append(tr("and {n} more", n=rest))
        raise BalanceError(f"{where}: {'; '.join(shown)}")
    if not found:
        raise BalanceError(
            tr("{place}: it has no games; {to_start}", place=where, to_start=tr(TO_START))
        )
    return found


def _read_game(entry: Entry, game: Game) -> GameRecord:
    count = len(entry.seats)
    if count not in game.players:
        raise _MistakeError(
            trn(
                "{place}: {n} player, but {game} is for {players}",
                "{place}: {n} players, but {game} is for {players}",
                count, place=entry.place, game=game.name, players=_list(game.players),
            )
        )  # fmt: skip
    seats = [_read_seat(place, fields) for place, fields in _in_seat_order(entry)]
    fields = entry.fields
    return GameRecord(
        seats=tuple(_with_ranks(entry.place, seats)),
        variant=str(fields.get("variant") or "base").strip(),
        date=_read_date(entry.place, fields.get("date")),
        minutes=_within(
            entry.place, "minutes", _read_minutes(entry.place, fields.get("minutes")), _MINUTES
        ),
        rounds=_whole(entry.place, "rounds", fields.get("rounds"), _ROUNDS),
    )


def _in_seat_order(entry: Entry) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the seats by their numbers, from 1; without numbers in the order of the file."""
    numbers = [_whole(place, "seat", fields.get("seat"), (1, 99)) for place, fields in entry.seats]
    if not any(numbers):
        return list(entry.seats)
    if sorted(number or 0 for number in numbers) != list(range(1, len(numbers) + 1)):
        given = ", ".join(tr("none") if number is None else str(number) for number in numbers)
        raise _MistakeError(
            tr(
                "{place}: seats {given}: give each of 1 to {n} once, or none",
                place=entry.place,
                given=given,
                n=len(numbers),
            )
        )
    return [entry.seats[numbers.index(number)] for number in range(1, len(numbers) + 1)]


def _read_seat(place: str, fields: Mapping[str, Any]) -> SeatRecord:
    score = _number(place, "score", fields.get("score"))
    if score is not None and abs(score) > _SCORE:
        raise _MistakeError(tr("{place}: score {score:g} is too large", place=place, score=score))
    rank = _whole(place, "rank", fields.get("rank"), (1, 99))
    player, style = (str(fields.get(name) or "").strip() for name in ("player", "style"))
    return SeatRecord(player, score, rank or 0, style)


def _with_ranks(place: str, seats: Sequence[SeatRecord]) -> Iterator[SeatRecord]:
    """Yield the seats with ranks: those of the file, else by score; equal scores share a rank."""
    ranks, scores = [seat.rank for seat in seats], [seat.score for seat in seats]
    if all(ranks):
        best = [1 + sum(other < rank for other in ranks) for rank in ranks]
        if best != ranks:
            raise _MistakeError(
                tr(
                    "{place}: ranks {ranks} leave a place out; a shared rank 1 is followed by 3",
                    place=place,
                    ranks=_list(ranks),
                )
            )
    elif any(ranks):
        raise _MistakeError(tr("{place}: give the rank of every player, or of none", place=place))
    elif None in scores:
        raise _MistakeError(
            tr("{place}: give the score of every player, or the rank of every player", place=place)
        )
    else:
        ranks = [1 + sum(other > score for other in scores) for score in scores]  # type: ignore[operator]
    if any(score is not None for score in scores) and None in scores:
        raise _MistakeError(tr("{place}: give the score of every player, or of none", place=place))
    for seat, rank in zip(seats, ranks, strict=True):
        yield replace(seat, rank=rank)


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _number(place: str, name: str, value: Any) -> float | None:
    """Return a number, with a point or a comma; None for an empty cell."""
    text = str("" if value is None else value).strip().replace("\N{MINUS SIGN}", "-")
    if not text:
        return None
    try:
        found = float(text.replace(",", ".") if text.count(",") == 1 else text)
    except ValueError:
        found = float("nan")
    if not abs(found) < float("inf"):
        raise _MistakeError(
            tr("{place}: {field} {value!r} is not a number", place=place, field=name, value=text)
        )
    return found


def _whole(place: str, name: str, value: Any, limits: tuple[int, int]) -> int | None:
    found = _within(place, name, _number(place, name, str(value or "").rstrip(". ")), limits)
    if found is not None and found != int(found):
        raise _MistakeError(
            tr("{place}: {field} {value:g} is not a whole number", place=place, field=name, value=found)
        )
    return None if found is None else int(found)


def _within(place: str, name: str, found: float | None, limits: tuple[int, int]) -> float | None:
    if found is not None and not limits[0] <= found <= limits[1]:
        raise _MistakeError(
            tr(
                "{place}: {field} {value:g} is not between {least} and {most}",
                place=place, field=name, value=found, least=limits[0], most=limits[1],
            )
        )  # fmt: skip
    return found


def _read_minutes(place: str, value: Any) -> float | None:
    """Return minutes from "85", "85 min", "1:25" or "1h25"."""
    text = str("" if value is None else value).strip().lower()
    for word in ("minutes", "minut", "min", "m", "'"):
        text = text.removesuffix(word).rstrip()
    for mark in (":", "h"):
        hours, found, rest = text.partition(mark)
        if found and hours.strip().isdecimal() and (not rest.strip() or rest.strip().isdecimal()):
            return 60.0 * int(hours) + int(rest.strip() or 0)
    return _number(place, "minutes", text)


def _read_date(place: str, value: Any) -> datetime.date | None:
    """Return a date from "2026-11-26" or "26.11.2026"."""
    text = str(value or "").strip()
    for form in ("%Y-%m-%d", "%d.%m.%Y"):
        try:
            return datetime.datetime.strptime(text, form).date()
        except ValueError:
            continue
    if text:
        raise _MistakeError(
            tr("{place}: date {value!r} is not like 2026-11-26 or 26.11.2026", place=place, value=text)
        )
    return None


def hide_names(games: Sequence[GameRecord]) -> list[GameRecord]:
    """Return the games with pseudonyms in place of names: "player A" for the first person in the file, and so on."""
    known: dict[str, str] = {}
    return [
        replace(
            game,
            seats=tuple(replace(seat, player=_pseudonym(seat.player, known)) for seat in game.seats),
        )
        for game in games
    ]


def _pseudonym(name: str, known: dict[str, str]) -> str:
    if not name:
        return ""
    number = len(known)
    letters = ascii_uppercase[number % 26] * (1 + number // 26)
    return known.setdefault(name.casefold(), f"player {letters}")
