"""Exports of apps in which people note their games: BG Stats (JSON) and BoardGameGeek (XML)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from balance.foundation.errors import BalanceError
from balance.foundation.language import tr, trn
from balance.foundation.toml import Settings, validate
from balance.people.records import Entry

_MOST_DIGITS = 10  # of the number of plays


class _Known(Settings):
    """The keys that are read, of an object that has more."""

    model_config = ConfigDict(extra="ignore", strict=False, alias_generator=to_camel, populate_by_name=True)


class _Player(_Known):
    id: int
    name: str = ""
    is_anonymous: bool = False


class _Game(_Known):
    id: int
    name: str = ""
    highest_wins: bool = True
    cooperative: bool = False


class _Seat(_Known):
    player_ref_id: int
    score: str | float | None = None
    winner: bool = False
    start_player: bool = False
    rank: int | None = None
    seat_order: int | None = None
    team: str | None = None


class _Play(_Known):
    uuid: str = ""
    game_ref_id: int
    play_date: str = ""
    duration_min: float | None = None
    rounds: int | None = None
    ignored: bool = False
    uses_teams: bool = False
    player_scores: list[_Seat] = Field(default_factory=list)


class _Export(_Known):
    players: list[_Player]
    games: list[_Game]
    plays: list[_Play]


def is_bg_stats(data: Any) -> bool:
    """Return whether the content of a JSON file is an export of BG Stats."""
    return isinstance(data, dict) and "plays" in data and "players" in data


def entries_of_bg_stats(data: Any, where: str) -> tuple[list[Entry], list[str]]:
    """Return the plays of an export of BG Stats, and notes on them; a play that it has twice is read once."""
    export = validate(_Export, data, where)
    games = {game.id: game for game in export.games}
    people = {person.id: "" if person.is_anonymous else person.name for person in export.players}
    plays = {play.uuid or str(number): (number, play) for number, play in enumerate(export.plays, 1)}
    entries = []
    for number, play in plays.values():
        place = _place(str(number), play.play_date)
        game = games.get(play.game_ref_id)
        if game is None or any(seat.player_ref_id not in people for seat in play.player_scores):
            raise BalanceError(
                tr("{where}, {place}: it names a game or a player that the file lacks", where=where, place=place)
            )
        seats, is_ordered = _order(play.player_scores, f"{where}, {place}")
        fields = {
            "title": game.name,
            "date": play.play_date,
            "minutes": play.duration_min,
            "rounds": play.rounds or None,
            "incomplete": play.ignored,
            "teams": play.uses_teams or game.cooperative or any(seat.team for seat in seats),
            "lowest_wins": not game.highest_wins,
            "unordered": not is_ordered,
        }
        entries.append(Entry(place, fields, [(place, _seat_of_bg_stats(seat, people)) for seat in seats]))
    twice = len(export.plays) - len(plays)
    text = trn("left out: {n} play that the file has twice", "left out: {n} plays that the file has twice", twice)
    return entries, [text] if twice else []


def _seat_of_bg_stats(seat: _Seat, people: Mapping[int, str]) -> dict[str, Any]:
    return {"player": people[seat.player_ref_id], "score": seat.score, "rank": seat.rank or None, "winner": seat.winner}


def _order(seats: Sequence[_Seat], where: str) -> tuple[list[_Seat], bool]:
    """Return the seats from the start player on, in the order around the table, and whether the app noted that order.

    With two players the start player alone is enough.
    """
    numbers = [seat.seat_order or 0 for seat in seats]
    is_ordered = len(set(numbers)) == len(seats)
    if any(numbers) and not is_ordered:
        raise BalanceError(tr("{where}: two players have one seat; number the seats", where=where))
    around = sorted(seats, key=lambda seat: seat.seat_order or 0)
    starters = [at for at, seat in enumerate(around) if seat.start_player]
    if len(starters) > 1:
        raise BalanceError(tr("{where}: it has two start players; keep one", where=where))
    first = starters[0] if starters else 0
    return [*around[first:], *around[:first]], is_ordered or (len(starters) == 1 and len(seats) == 2)


def _place(number: str, date: str) -> str:
    return tr("play {number} ({date})", number=number, date=date[:10] or "–")


def entries_of_boardgamegeek(text: str, where: str) -> tuple[list[Entry], list[str]]:
    """Return the plays of a file of BoardGameGeek's XML interface, and notes on them."""
    root = _parse(text, where)
    if root.tag != "plays":
        raise BalanceError(tr("{where}: expected <plays>, not <{tag}>", where=where, tag=root.tag))
    entries = []
    for play in root.iterfind("play"):
        place = _place(play.get("id", ""), play.get("date", ""))
        item = play.find("item")
        seats = [(place, _seat_of_boardgamegeek(player)) for player in play.iterfind("players/player")]
        fields = {
            "title": None if item is None else item.get("name"),
            "minutes": play.get("length"),
            **{name: play.get(name) for name in ("date", "incomplete", "quantity")},
        }
        entries.append(Entry(place, fields, seats))
    total = root.get("total", "")
    part = total.isdecimal() and len(total) < _MOST_DIGITS and int(total) > len(entries)
    note = tr("the file has {n} of {total} plays; read the other pages too", n=len(entries), total=total)
    return entries, [note] if part else []


def _seat_of_boardgamegeek(player: ElementTree.Element) -> dict[str, Any]:
    return {
        "player": player.get("name") or player.get("username"),
        "seat": player.get("startposition"),
        "score": player.get("score"),
        "winner": player.get("win"),
    }


def _parse(text: str, where: str) -> ElementTree.Element:
    """Return the root of an XML text without a document type, which could name other files or grow without end."""
    if "<!DOCTYPE" in text:
        raise BalanceError(tr("{where}: remove the document type (<!DOCTYPE ...>)", where=where))
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise BalanceError(tr("{where}: not XML ({reason})", where=where, reason=error)) from None
