"""Commands that change rules and play the same games again: `balance try` on lines, `balance live` on a page."""

from __future__ import annotations

import signal
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from balance.cli.options import Names, Numbers, Place, RunPlace, quiet, rules_played, seed, settings_of, workers
from balance.cli.output import echo, one_line_errors, prefer_language
from balance.foundation.errors import BalanceError, from_extra
from balance.foundation.language import tr
from balance.studies.settings import POOL, Tried

if TYPE_CHECKING:
    from balance.live.arms import Settings


@click.command("try")
@rules_played()
@settings_of(Tried)
@click.option("--once", is_flag=True, help="Show the effect and exit.")
@workers
@quiet("progress bar")
@one_line_errors()
def try_live(asked: Tried, once: bool, threads: int | None, quiet: bool) -> None:
    """Change a rule and see its effect within a second.

    Games are played in memory and not logged. A line KEY = VALUE changes a rule key; STRATEGY.WEIGHT = VALUE changes a
    weight. The same games are played again and compared with those before the change. Lines come from the terminal, or
    from a file or pipe; `help` lists the other commands.

    \b
    Examples:
      balance try --game na-grunwald --players 2,4
      balance try --game na-grunwald --players 4 --strategies champion,treasurer --set krzyzacy.bonus.4=8 --once
      balance try --game na-grunwald --players 2 --strategies champion < lines.txt
    """
    from balance.cli.dialogue import Dialogue
    from balance.cli.terminal import show_progress
    from balance.studies.trying import open_trial

    with show_progress(quiet) as progress:
        trial = open_trial(asked, threads, progress)
    dialogue = Dialogue(trial, quiet)
    for line in asked.changes:
        dialogue.change(line)
    dialogue.show()
    if not once and dialogue.follow_lines():
        raise SystemExit(1)


@click.command()
@click.argument("runs", metavar="[RUN]...", nargs=-1, type=RunPlace())
@click.option("--game", help="Game to change; without it the page asks, unless it shows runs.")
@click.option("--variant", default="base", help="Rule variant to start from: a name or a TOML file.")
@click.option("--players", type=Numbers(), help="Player counts; default all of the game.")
@click.option("--strategies", type=Names(), help=POOL)
@click.option(
    "--out", type=Place(), default=".", help="Folder for saved variants, and for runs and reports of the page."
)
@click.option("--draft", type=Place(), metavar="FILE", help="File that keeps the draft; default one for each variant.")
@click.option(
    "--history", type=Place(), metavar="FILE", help="Show the targets that `balance check --history FILE` kept."
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default=False, help="Port; default a free one.")
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
@seed(1)
@workers
@one_line_errors()
def live(
    runs: tuple[Path, ...], history: Path | None, port: int, no_browser: bool, game: str | None, **options: Any
) -> None:
    """Change rules on a local page.

    Every rule key is a control. After a change the same games are played again, and the verdicts follow in about a
    second. More games, up to 50,000, then narrow the intervals. With RUN, the page shows runs under way and finished
    ones.

    The page answers this machine only. The draft is kept for the next start. Ctrl-C ends it. Needs Starlette and
    uvicorn: pip install "game-balance[live]".

    \b
    Examples:
      balance live --game na-grunwald
      balance live --game na-grunwald --players 2,4 --variant krzyzacy-hard --no-browser
      balance live runs/first-look runs/second
      balance live runs/first-look --history checks.jsonl
    """
    with from_extra("live"):
        from balance.live.server import Site, bind, serve
    from balance.live.runs import RunWatch

    _prefer_language_of(runs)
    settings = _settings(game, **options) if game else None
    # A service manager stops with SIGTERM, which uvicorn raises again at its end.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    click.get_current_context().call_on_close(partial(signal.signal, signal.SIGTERM, before))
    with (
        closing(bind(port)) as listening,
        closing(Site(settings, partial(_settings, **options), RunWatch(runs, history))) as site,
    ):
        serve(
            site, listening, not no_browser,
            lambda address: echo(tr("live: {address} (Ctrl-C ends it)", address=address)),
        )  # fmt: skip


def _prefer_language_of(paths: tuple[Path, ...]) -> None:
    """Use the language of the first run that exists, see `balance.cli.output.prefer_language`."""
    from balance.runs.folder import RunFolder

    for path in paths:
        with suppress(BalanceError):  # the page shows what is wrong with a run
            prefer_language(RunFolder.open(path).plan.experiment.lang)
            return


def _settings(
    game: str, variant: str, players: list[int] | None, strategies: list[str] | None, out: Path,
    draft: Path | None, seed: int, threads: int | None,
) -> Settings:  # fmt: skip
    """Return the settings of a session, with a file for its draft."""
    from balance.contract.game import get_game
    from balance.experiments.networks import default_player
    from balance.live.arms import Settings
    from balance.live.session import draft_path

    found = get_game(game)
    counts = players or list(found.players)
    return Settings(
        found, variant, counts, strategies or [default_player(found, counts)], seed, out,
        draft or draft_path(found, variant), threads, draft is not None,
    )  # fmt: skip
