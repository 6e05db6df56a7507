"""The command for games that people played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from balance.cli.options import Place, quiet
from balance.cli.output import echo, one_line_errors, print_sentence
from balance.foundation.language import N_, tr, trn, write_number

if TYPE_CHECKING:
    from balance.people.folder import People


@click.command()
@click.argument("file", type=Place())
@click.option("--game", required=True, help="Game that was played.")
@click.option("--out", required=True, type=Place(), help="Folder of the games; a longer file replaces a shorter one.")
@click.option("--names", is_flag=True, help="Keep the names of the players, instead of player A, player B, ...")
@click.option(
    "--position",
    type=click.Choice(["seat", "place"]),
    help="Meaning of a column called position: the seat in turn order, or the finishing place.",
)
@click.option("--title", default="", help="Name of the game in a file that has games of several.")
@click.option(
    "--ranks-decide",
    is_flag=True,
    help="Accept ranks and winners that contradict the scores, where points alone don't decide.",
)
@quiet("next commands")
@one_line_errors()
def people(
    file: Path,
    game: str,
    out: Path,
    names: bool,
    position: Literal["seat", "place"] | None,
    title: str,
    ranks_decide: bool,
    quiet: bool,
) -> None:
    """Read games that people played, to compare them with bots.

    FILE is a table (CSV, .xlsx) with a row for each player or for each game, a JSON file, or an export of BG Stats
    (JSON) or BoardGameGeek (XML); balance new playtest writes a table to start from. Columns are recognised by common
    names, such as points for score. Add new games at the end and read the file again: the report then shows what
    changed.

    Everything stays on this machine.

    \b
    Examples:
      balance new playtest evenings --game na-grunwald
      balance people evenings.csv --game na-grunwald --out runs/people
      balance report runs/first-look --people runs/people --out reports/people
    """
    from balance.cli.next_commands import say_next
    from balance.contract.game import get_game
    from balance.contract.sides import SEAT
    from balance.people.folder import write_people
    from balance.people.reading import Meaning, read_playtests
    from balance.people.records import hide_names

    found = get_game(game)
    found.sides.require("balance people", (SEAT,))
    records, notes = read_playtests(file, found, Meaning(position or "", title, ranks_decide))
    for note in notes:
        echo(note, err=True)
    written = write_people(out, found, records if names else hide_names(records))
    _print_people(written)
    echo(tr("written: {path}", path=out))
    if not quiet:
        say_next([["report", "RUN", "--people", str(out), "--out", str(Path("reports") / out.name)]])


def _print_people(people: People) -> None:
    """Print the games and the seats' wins of each cell."""
    from balance.cli.terminal import open_terminal
    from balance.foundation.text import ESTIMATE, NAME, NUMBER, nth
    from balance.people.comparison import seat_shares
    from balance.report.kit import CELL
    from balance.report.words import write_estimate

    games = people.games.astype({"minutes": float}).groupby(CELL)["minutes"].agg(["size", "mean"])
    columns = {
        N_("players"): NUMBER,
        N_("variant"): NAME,
        N_("games"): NUMBER,
        N_("minutes"): NUMBER,
        N_("seat"): NAME,
        N_("wins, %"): ESTIMATE,
    }
    rows = []
    for row in seat_shares(people).itertuples():
        count, minutes = games.loc[(row.players, row.variant)]
        length = "–" if minutes != minutes else write_number(minutes, ".0f")
        cell = [str(row.players), str(row.variant), write_number(count, ",.0f"), length] if row.seat == 0 else [""] * 4
        rows.append([*cell, nth(int(row.seat)), write_estimate(row, 0)])
    updates = people.updates
    title = trn(
        "{n} game of {game} played by people", "{n} games of {game} played by people",
        len(people.games), game=people.game.title,
    )  # fmt: skip
    if len(updates) > 1:
        title += trn(", {n} of them new", ", {n} of them new", updates[-1] - updates[-2])
    title += tr("; 95 % intervals.")
    if not people.appended:
        print_sentence(
            tr("Earlier games differ from those read before. Add new games at the end of the file."), err=True
        )
    open_terminal().print_rows(title, columns, rows)
