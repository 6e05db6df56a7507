"""Records of games that people played, checked one by one; ranks, and one name for each person."""

from __future__ import annotations

import datetime
import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any

from balance.contract.game import Game
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr, trn
from balance.foundation.spreadsheets import read_number

TO_START = N_("balance new playtest writes a file to start from")
_SHOWN = 5  # mistakes in a message, lines and names in a note
_MINUTES, _ROUNDS = (1, 720), (1, 1000)  # what a record may say: limits against slips
_SCORE = 2**53  # as of bots; larger numbers are not exact
_MOST_DIGITS = 4  # of hours and minutes
_YES = {"1", "yes", "y", "true", "x", "won", "win", "tak", "t", "prawda", "✓"}
_NO = {"", "0", "no", "n", "false", "-", "lost", "nie", "fałsz"}


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


def read_entries(
    entries: Iterable[Entry], game: Game, where: str, ranks_decide: bool = False
) -> tuple[list[GameRecord], list[str]]:
    """Return the games of a file and notes on them, or raise one error that names the first mistakes with their lines.

    Unfinished games and games without players are left out, and counted in the notes.

    Parameters
    ----------
    ranks_decide : bool
        Whether ranks and winners may contradict the scores.
    """
    found: list[tuple[str, GameRecord]] = []
    mistakes: list[str] = []
    unfinished, empty, unordered = 0, 0, 0
    for entry in entries:
        try:
            if _is_yes(entry.place, "incomplete", entry.fields.get("incomplete")):
                unfinished += 1
            elif not entry.seats:
                empty += 1
            else:
                found.append((entry.place, _read_game(entry, game, ranks_decide)))
                unordered += _is_unordered(entry)
        except _MistakeError as mistake:
            mistakes.append(str(mistake))
    records, spellings = join_persons([record for _, record in found])
    repeats, refused = _find_repeats([place for place, _ in found], records)
    if mistakes or refused:
        raise BalanceError(f"{where}: {'; '.join(_first([*mistakes, *refused]))}")
    notes = _note_counts(unfinished, empty, unordered)
    if not found:
        text = tr("{place}: it has no games; {to_start}", place=where, to_start=tr(TO_START))
        raise BalanceError("; ".join([text, *notes]))
    return records, [*notes, *spellings, *repeats]


def _note_counts(unfinished: int, empty: int, unordered: int) -> list[str]:
    counts = {
        trn("left out: {n} unfinished game", "left out: {n} unfinished games", unfinished): unfinished,
        trn("left out: {n} game without players", "left out: {n} games without players", empty): empty,
        trn(
            "{n} game has no order of seats: the order in the file counts as the turn order",
            "{n} games have no order of seats: the order in the file counts as the turn order",
            unordered,
        ): unordered,
    }
    return [text for text, count in counts.items() if count]


def _is_unordered(entry: Entry) -> bool:
    """Return whether a file that has seats leaves them open in this game."""
    seats = [fields["seat"] for _, fields in entry.seats if "seat" in fields]
    return bool(entry.fields.get("unordered")) or (bool(seats) and not any(seats))


def _first(texts: Sequence[str]) -> list[str]:
    rest = len(texts) - _SHOWN
    return [*texts[:_SHOWN], *([tr("and {n} more", n=rest)] if rest > 0 else [])]


def _find_repeats(places: Sequence[str], records: Sequence[GameRecord]) -> tuple[list[str], list[str]]:
    """Return a note on undated games, and the mistakes of dated games, that equal an earlier one in every respect.

    Games without all names and all scores are often equal by chance, so nothing is said of them.
    """
    first: dict[GameRecord, str] = {}
    undated, mistakes = [], []
    for place, record in zip(places, records, strict=True):
        if not all(seat.player and seat.score is not None for seat in record.seats):
            continue
        earlier = first.setdefault(record, place)
        if earlier == place:
            continue
        if record.date is None:
            undated.append(place)
        else:
            mistakes.append(
                tr(
                    "{place}: the same game as {other}; remove one, or note the minutes of both",
                    place=place,
                    other=earlier,
                )
            )
    if not undated:
        return [], mistakes
    places = "; ".join(_first(undated))
    text = tr("same players and scores as an earlier game, counted again: {places}", places=places)
    return [text], mistakes


def _read_game(entry: Entry, game: Game, ranks_decide: bool) -> GameRecord:
    count, place, fields = len(entry.seats), entry.place, entry.fields
    if fields.get("teams"):
        raise _MistakeError(
            tr("{place}: teams played; only games of each player for themselves can be compared", place=place)
        )
    if fields.get("lowest_wins"):
        raise _MistakeError(
            tr("{place}: the file says that the lowest score wins; correct that in the app", place=place)
        )
    if (copies := _number(place, "quantity", fields.get("quantity"))) not in (None, 1):
        raise _MistakeError(tr("{place}: quantity {n:g}: give each game a record of its own", place=place, n=copies))
    if count not in game.players:
        raise _MistakeError(
            trn(
                "{place}: {n} player, but {game} is for {players}",
                "{place}: {n} players, but {game} is for {players}",
                count, place=place, game=game.name, players=_list(game.players),
            )
        )  # fmt: skip
    ordered = _in_seat_order(entry)
    seats = [_read_seat(at, each) for at, each in ordered]
    _check_persons(place, seats)
    winners = _winners(entry, ordered, seats)
    return GameRecord(
        seats=tuple(_with_ranks(place, seats, winners, ranks_decide)),
        variant=str(fields.get("variant") or "base").strip(),
        date=_read_date(place, fields.get("date")),
        minutes=_within(place, "minutes", _read_minutes(place, fields.get("minutes")), _MINUTES),
        rounds=_whole(place, "rounds", fields.get("rounds"), _ROUNDS),
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


def _check_persons(place: str, seats: Sequence[SeatRecord]) -> None:
    """Refuse a game with one person in two seats."""
    names: dict[str, str] = {}
    for seat in seats:
        person = identity(seat.player)
        if person and person in names:
            raise _MistakeError(
                tr(
                    "{place}: {name!r} and {other!r} are one person in two seats; tell them apart, or give each game "
                    "a number of its own",
                    place=place, name=names[person], other=seat.player,
                )
            )  # fmt: skip
        names[person] = seat.player


def _winners(entry: Entry, ordered: Sequence[tuple[str, Mapping[str, Any]]], seats: Sequence[SeatRecord]) -> set[int]:
    """Return the seats that the file names as winners: by yes and no, or by a player's name; empty if none."""
    persons = {identity(seat.player): at for at, seat in enumerate(seats) if seat.player}
    told = [(None, entry.place, entry.fields), *((at, *each) for at, each in enumerate(ordered))]
    found = set()
    for at, place, fields in told:
        text = str(fields.get("winner") or "").strip()
        if identity(text) in persons and (at is None or text.casefold() not in _YES | _NO):
            found.add(persons[identity(text)])
        elif at is None and text:
            raise _MistakeError(tr("{place}: the winner {name!r} is no player", place=place, name=text))
        elif at is not None and _is_yes(place, "winner", text):
            found.add(at)
    return found


def _is_yes(place: str, name: str, value: Any) -> bool:
    text = "" if value is None else str(value).strip()
    if text.casefold() not in _YES | _NO:
        raise _MistakeError(tr("{place}: {field} {value!r}: write yes or no", place=place, field=name, value=text))
    return text.casefold() in _YES


def _with_ranks(place: str, seats: Sequence[SeatRecord], winners: set[int], ranks_decide: bool) -> Iterator[SeatRecord]:
    """Yield the seats with the file's ranks, else by score; a winner breaks a tie, other equal scores share one."""
    ranks, scores = [seat.rank for seat in seats], [seat.score for seat in seats]
    noted = [score for score in scores if score is not None]
    if 0 < len(noted) < len(scores) and all(ranks):
        raise _MistakeError(tr("{place}: give the score of every player, or of none", place=place))
    if all(ranks):
        _check_ranks(place, ranks, winners)
    elif any(ranks):
        raise _MistakeError(tr("{place}: give the rank of every player, or of none", place=place))
    elif len(noted) < len(scores) and (noted or not winners):
        raise _MistakeError(tr("{place}: give the score of every player, or the rank of every player", place=place))
    else:
        orders = [(winners and at not in winners, -(score or 0)) for at, score in enumerate(scores)]
        ranks = [1 + sum(other < order for other in orders) for order in orders]
    if noted and not ranks_decide and _contradict(ranks, noted):
        raise _MistakeError(
            tr(
                "{place}: ranks {ranks} (1 is the winner) contradict scores {scores}; correct them, or give "
                "--ranks-decide",
                place=place, ranks=_list(ranks), scores=", ".join(f"{score:g}" for score in noted),
            )
        )  # fmt: skip
    for seat, rank in zip(seats, ranks, strict=True):
        yield replace(seat, rank=rank)


def _check_ranks(place: str, ranks: Sequence[int], winners: set[int]) -> None:
    """Refuse ranks that leave a place out, or whose first is not the winner."""
    if [1 + sum(other < rank for other in ranks) for rank in ranks] != list(ranks):
        raise _MistakeError(
            tr(
                "{place}: ranks {ranks} leave a place out; a shared rank 1 is followed by 3",
                place=place,
                ranks=_list(ranks),
            )
        )
    if winners and winners != {at for at, rank in enumerate(ranks) if rank == 1}:
        raise _MistakeError(
            tr("{place}: the winners are not the players of rank 1; correct the winners or the ranks", place=place)
        )


def _contradict(ranks: Sequence[int], scores: Sequence[float]) -> bool:
    """Return whether a player with more points ranks level with or below one with fewer."""
    return any(
        score > other and rank >= below
        for rank, score in zip(ranks, scores, strict=True)
        for below, other in zip(ranks, scores, strict=True)
    )


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _number(place: str, name: str, value: Any) -> float | None:
    """Return a number, with a point or a comma; None for an empty cell."""
    text = str("" if value is None else value).strip()
    if not text:
        return None
    try:
        return float(value) if isinstance(value, float) and math.isfinite(value) else read_number(text)
    except ValueError as error:
        raise _MistakeError(f"{place}: {name} {error}") from None


def _whole(place: str, name: str, value: Any, limits: tuple[int, int]) -> int | None:
    number = value if isinstance(value, float) else str(value or "").rstrip(". ")
    found = _within(place, name, _number(place, name, number), limits)
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
    """Return minutes from "85", "85 min", "1:25" or "1h25"; None for 0, with which apps mean that nobody noted them."""
    text = str("" if value is None else value).strip().lower()
    for word in ("minutes", "minut", "min", "m", "'"):
        text = text.removesuffix(word).rstrip()
    for mark in (":", "h"):
        hours, found, rest = (part.strip() for part in text.partition(mark))
        if found and all(part.isdecimal() and len(part) <= _MOST_DIGITS for part in (hours, rest or "0")):
            return 60.0 * int(hours) + int(rest or 0) or None
    return _number(place, "minutes", text) or None


def _read_date(place: str, value: Any) -> datetime.date | None:
    """Return a date from "2026-11-26" or "26.11.2026", also with a time; None for zeros, as BoardGameGeek writes."""
    text = str(value or "").strip()
    day = text[:10] if text[10:11] in ("T", " ") else text.partition(" ")[0]
    for form in ("%Y-%m-%d", "%d.%m.%Y"):
        try:
            return datetime.datetime.strptime(day, form).date()
        except ValueError:
            continue
    if text and text != "0000-00-00":
        raise _MistakeError(tr("{place}: date {value!r} is not like 2026-11-26 or 26.11.2026", place=place, value=text))
    return None


def identity(name: str) -> str:
    """Return the normal form of a name: the same for other case, spaces, or Unicode forms of the same letters."""
    # Joiners and marks of direction are not seen.
    seen = "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
    folded = unicodedata.normalize("NFKC", seen).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def join_persons(games: Sequence[GameRecord]) -> tuple[list[GameRecord], list[str]]:
    """Return the games with each person's first spelling, and a note that names the others."""
    spellings: dict[str, dict[str, None]] = {}
    for game in games:
        for seat in game.seats:
            spellings.setdefault(identity(seat.player), {})[seat.player] = None
    first = {person: next(iter(names)) for person, names in spellings.items()}
    several = [", ".join(map(repr, names)) for names in spellings.values() if len(names) > 1]
    note = tr("read as one person each: {names}", names="; ".join(several))
    return _rename(games, first), [note] if several else []


def hide_names(games: Sequence[GameRecord]) -> list[GameRecord]:
    """Return the games with pseudonyms in place of names: "player A" for the first person in the file, and so on."""
    persons = dict.fromkeys(identity(seat.player) for game in games for seat in game.seats)
    known = {
        person: f"player {ascii_uppercase[number % 26] * (1 + number // 26)}"
        for number, person in enumerate(filter(None, persons))
    }
    return _rename(games, known)


def _rename(games: Sequence[GameRecord], names: dict[str, str]) -> list[GameRecord]:
    """Return the games with these names by identity; seats without a name keep none."""
    return [
        replace(game, seats=tuple(replace(seat, player=names.get(identity(seat.player), "")) for seat in game.seats))
        for game in games
    ]
