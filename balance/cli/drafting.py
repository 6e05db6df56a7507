"""The command `balance new`: a file of one's own to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from balance.cli.ending import one_line_errors
from balance.cli.plain import echo, print_sentence

KINDS = (
    "variant",
    "deck",
    "strategy",
    "experiment",
    "bot",
)  # `drafts.writing.KINDS`, which help need not import


_OTHER_NAMES = {"profile": "strategy", "rules": "variant", "events": "deck", "player": "bot"}


class Kind(click.Choice[str]):
    """A kind of file; a name that other pages have for it leads to its own."""

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        if kind := _OTHER_NAMES.get(value):
            self.fail(
                f"{value!r} is called {kind!r} here: balance new {kind} NAME --game GAME", param, ctx
            )
        return super().convert(value, param, ctx)


@click.command()
@click.argument("kind", type=Kind(KINDS))
@click.argument("name")
@click.option("--game", required=True, help="The game that it is for.")
@one_line_errors()
def new(kind: str, name: str, game: str) -> None:
    """Write a file to start from, with all its options.

    \b
      variant     base, with every rule key and what it means
      deck        the deck that base plays with, and a card more
      strategy    the weights of a profile, with what each counts
      experiment  all player counts, the ways of playing that ship
      bot         a class in Python, with what it is asked and what it sees

    The file is NAME.toml (NAME.py for a bot) in the current folder, and can be played as it is. An existing file is
    never overwritten.

    \b
    Examples:
      balance new variant short-war --game na-grunwald
      balance new bot miller --game polska
    """
    from balance.cli.next_commands import say_next
    from balance.drafts.writing import write_draft

    if kind == "bot":
        print_sentence(
            "playing a game, to see what is asked in it; the first time this takes a while", err=True
        )
    draft = write_draft(kind, name, game, Path())
    echo(f"written: {draft.path}")
    say_next([draft.command])
