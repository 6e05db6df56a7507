"""The command that plays what a page or a prompt proposes, to be copied."""

from __future__ import annotations

from collections.abc import Iterable


def run_words(
    game: str, players: Iterable[int], variants: Iterable[str], strategies: Iterable[str], games: int
) -> list[str]:
    """The words behind ``balance`` that play these strategies from a pool; more options may follow."""
    words = ["run", "--game", game, "--players", ",".join(map(str, players))]
    words += ["--variant", ",".join(variants), "--strategies", ",".join(strategies)]
    return [*words, "--games", str(games)]
