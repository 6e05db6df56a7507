"""Commands for decks as tables: deck to-csv and deck from-csv."""

from __future__ import annotations

from pathlib import Path

import click

from balance.cli.options import Place
from balance.cli.output import Commands, echo, one_line_errors
from balance.foundation.language import tr

_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
_GAME = click.option("--game", required=True, help="Game of the deck.")


@click.group(cls=Commands)
def deck() -> None:
    """Edit the cards of a deck in a spreadsheet.

    \b
    Examples:
      balance deck to-csv base --game na-grunwald --out cards.csv
      balance deck from-csv cards.csv --game na-grunwald --out mine.toml
      balance run --game na-grunwald --players 3 --sweep 'event_deck="mine.toml"' --games 1000 --out runs/mine
    """


@deck.command("to-csv")
@click.argument("name")
@_GAME
@click.option("--out", required=True, type=Place(), help="CSV file to write.")
@click.option(
    "--separator",
    type=click.Choice(list(_SEPARATORS)),
    default="comma",
    help="What separates cells; Excel in Polish opens files with semicolons.",
)
@one_line_errors()
def to_csv(name: str, game: str, out: Path, separator: str) -> None:
    """Write the cards of a deck as CSV.

    NAME is a shipped deck or the path of a TOML file. A row is a card, or an entry of a list. An existing file is never
    overwritten.

    \b
    Example:
      balance deck to-csv base --game na-grunwald --out cards.csv
    """
    from balance.contract.game import get_game
    from balance.experiments.deck_tables import deck_to_csv
    from balance.foundation.files import check_file, create_file

    check_file(out, new=True)
    text = deck_to_csv(get_game(game), name, Path(), _SEPARATORS[separator])
    create_file(out, text.encode("utf-8"))
    echo(tr("written: {path}", path=out))


@deck.command("from-csv")
@click.argument("file", type=Place())
@_GAME
@click.option("--out", required=True, type=Place(), help="TOML file to write.")
@one_line_errors()
def from_csv(file: Path, game: str, out: Path) -> None:
    """Write a deck from the cards in a table (CSV or .xlsx).

    The deck is checked first. An existing file is never overwritten.

    \b
    Example:
      balance deck from-csv cards.csv --game na-grunwald --out mine.toml
    """
    from balance.cli.next_commands import say_next
    from balance.contract.game import get_game
    from balance.experiments.deck_tables import deck_from_csv
    from balance.experiments.drafts import propose

    found = get_game(game)
    for note in deck_from_csv(found, file, out):
        echo(note, err=True)
    echo(tr("written: {path}", path=out))
    say_next([propose("deck", found, out, game)])
