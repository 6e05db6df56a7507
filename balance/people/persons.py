"""Who is who: one normal form of names, so that one person has one name, or one pseudonym."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import TYPE_CHECKING

from balance.foundation.language import tr

if TYPE_CHECKING:
    from balance.people.records import GameRecord


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
    known = {person: _pseudonym(number) for number, person in enumerate(filter(None, persons))}
    return _rename(games, known)


def _rename(games: Sequence[GameRecord], names: dict[str, str]) -> list[GameRecord]:
    """Return the games with these names by identity; seats without a name keep none."""
    return [
        replace(
            game,
            seats=tuple(
                replace(seat, player=names.get(identity(seat.player), "")) for seat in game.seats
            ),
        )
        for game in games
    ]


def _pseudonym(number: int) -> str:
    return f"player {ascii_uppercase[number % 26] * (1 + number // 26)}"
