"""`balance ladder` ranks strategies; `balance exploit` measures how far a strategy can be beaten."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path

import click

from balance.cli.ending import Failure, one_line_errors
from balance.cli.options import SEED, Names, Place, rules_played
from balance.cli.plain import echo, print_sentence


@click.command()
@rules_played()
@click.option(
    "--strategies",
    type=Names(),
    help="Strategies to rank; default all profiles, random, search-25, search-100.",
)
@click.option(
    "--against",
    default="search-100",
    help="Opponent in duels: each strategy alone against a table of it; default search-100.",
)
@click.option(
    "--games",
    type=click.IntRange(min=10),
    default=4000,
    help="Games between the strategies at each player count; default 4,000.",
)
@click.option(
    "--duels",
    type=click.IntRange(min=10),
    default=400,
    help="Games of each duel, and of each doubling of the search budget; default 400.",
)
@click.option(
    "--trace",
    type=click.IntRange(min=0),
    default=100,
    help="Largest budget of the skill trace; 0 for none.",
)
@click.option("--seed", type=SEED, default=1, help="Seed of the games.")
@click.option("--out", type=Place(), help="Folder for ladder.html, ladder.md, ladder.csv and runs.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
@one_line_errors()
def ladder(
    game: str, variant: str, players: list[int] | None, strategies: list[str] | None, against: str,
    games: int, duels: int, trace: int, seed: int, out: Path | None, quiet: bool,
) -> None:  # fmt: skip
    """Rank strategies by how often they win.

    Shows win shares, ratings, duels with a searcher, speed, and what a larger search budget is worth.

    With --out the games are kept in OUT/runs: if stopped, run the same command again to resume. It reads finished games
    and does not play them again.

    \b
    Examples:
      balance ladder --game na-grunwald --players 2 --out reports/ladder
      balance ladder --game polska --variant ./long-track.toml --players 4 --strategies champion,mine.toml,search-50
    """
    from balance.cli.printing import print_ladder
    from balance.cli.terminal import show_progress
    from balance.studies.ladder import Ladder, play_ladder
    from balance.studies.ladder_page import check_ladder, write_ladder
    from balance.studies.standings import read_standings

    asked = Ladder(
        game, variant, tuple(players or ()), tuple(strategies or ()), against, games, duels, trace, seed
    )
    if out is not None:
        check_ladder(out)
    with ExitStack() as stack:
        folder = out / "runs" if out else Path(stack.enter_context(tempfile.TemporaryDirectory()))
        try:
            with show_progress(quiet) as progress:
                played = play_ladder(asked, folder, progress)
        except KeyboardInterrupt:
            if out is None or not folder.exists():
                raise
            raise Failure("stopped; run the same command again to resume", 1) from None
        standings = read_standings(played)
        print_ladder(standings, played)
        if out is not None:
            echo(f"ladder: {write_ladder(played, standings, out).resolve()}")


@click.command()
@click.argument("target", metavar="STRATEGY|LINEUP", type=Names())
@rules_played("all that fit the target")
@click.option("--start", "starts", type=Names(), help="Profiles to start from; default all shipped.")
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    default=100,
    help="Iterations per decision of the opposing searcher; default 100.",
)
@click.option(
    "--games",
    type=click.IntRange(min=10_000),
    default=1_000_000,
    help="Training games at each player count; default 1,000,000.",
)
@click.option("--seed", type=SEED, default=0, help="Seed of the search and the games.")
@click.option("--out", type=Place(), help="Write the best response as a profile.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
@one_line_errors()
def exploit(
    target: list[str], game: str, variant: str, players: list[int] | None, starts: list[str] | None,
    iterations: int, games: int, seed: int, out: Path | None, quiet: bool,
) -> None:  # fmt: skip
    """Measure how far a strategy can be beaten.

    Two opponents try: a profile trained against it, and a searcher.

    A STRATEGY plays all other seats; a LINEUP, comma-separated, names a strategy for each of them, in order. The gain
    is the win share above a fair share, in points, on held-out seeds. Each profile of --start is trained for a short
    time, then the best of them for the rest of --games. The gain is a lower bound: a better opponent may gain more.

    \b
    Examples:
      balance exploit --game na-grunwald --players 2 champion --out against-champion.toml
      balance exploit --game na-grunwald --variant ./mine.toml champion,random --games 300000
    """
    from balance.cli.terminal import show_progress
    from balance.studies.exploit import Exploit, find_exploits, write_verdict

    asked = Exploit(
        game, variant, tuple(players or ()), tuple(target), tuple(starts or ()), iterations, games, seed
    )
    with show_progress(quiet, "training") as progress:
        found = find_exploits(asked, out, progress)
    for count, exploited in found.items():
        print_sentence(write_verdict(asked, count, exploited))
    if out is not None:
        echo(f"{out}: weights for {', '.join(map(str, found))} players")
