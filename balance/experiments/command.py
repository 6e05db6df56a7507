"""The command line of a proposed run, ready to copy."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable


def run_words(
    game: str, players: Iterable[int], variants: Iterable[str], strategies: Iterable[str], games: int
) -> list[str]:
    """Return the words after ``balance`` that play these strategies from a pool; more options may follow."""
    words = ["run", "--game", game, "--players", ",".join(map(str, players))]
    words += ["--variant", join_names(variants), "--strategies", join_names(strategies)]
    return [*words, "--games", str(games)]


def join_names(names: Iterable[str]) -> str:
    """Return names as one word that an option reads; a name with a comma or a quote is put in double quotes."""
    words = io.StringIO()
    csv.writer(words, lineterminator="").writerow(names)
    return words.getvalue()


def split_names(text: str) -> list[str]:
    """Split a word written by `join_names` or by a user into names; ValueError if a quote is in the wrong place."""
    try:
        (names,) = csv.reader([text], skipinitialspace=True, strict=True)
    except csv.Error as error:
        raise ValueError(str(error)) from None
    return [name.strip() for name in names]
