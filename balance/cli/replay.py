"""`balance replay`: one game of a run, as text or as a page."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from balance.cli.options import GameOf, Names, Numbers, Place, RunPlace, at_least, moved_game, tier
from balance.cli.output import echo, one_line_errors, prefer_language, print_sentence
from balance.foundation.language import N_, tr

if TYPE_CHECKING:
    from balance.analysis.notable import Notable
    from balance.report.replay import Replay

# As `analysis.notable.KINDS`, which is slow to import.
KINDS = ("closest", "comeback", "upset", "typical")


@click.command()
@click.argument("run_folder", metavar="RUN", type=RunPlace())
@click.argument("which", metavar="GAME", type=GameOf(KINDS))
@click.option("--labels", is_flag=True, help="Print the rows of the trace unchanged.")
@click.option("--html", type=Place(), help="Write an HTML page to step through instead.")
@click.option("--round", "first", type=at_least(1), help="Open the page at this round, with --html.")
@click.option("--thoughts", is_flag=True, help="Show what searchers computed: visits and win chance.")
@click.option("--variant", "variants", type=Names(), help="Choose among games of these variants.")
@click.option("--players", type=Numbers(), help="Choose among games of these player counts.")
@tier
@moved_game
@click.option("--beside", metavar="VARIANT", help="Show the same deal under this variant next to it.")
@click.option("--run-bots", is_flag=True, help="Run Python code that the run names, if needed.")
@one_line_errors()
def replay(run_folder: Path, which: int | str, html: Path | None, first: int | None, **options: Any) -> None:
    """Show one game of a run move by move.

    GAME is a game number, or a kind of game, chosen among those that ended with a result:

    \b
      closest   the smallest margin between the best score and the second best;
                if tied, the smallest margin between the best and the last;
                or as the game defines it
      comeback  the winner furthest behind the leader at half time, after half
                of the rounds (rounded up); rounds must be logged
      upset     a sole win of the strategy with the lowest win share in its
                line-up (if the experiment names line-ups), else in its variant
                at its player count; if tied, the largest margin
      typical   nearest to the medians of its variant at its player count:
                decisions, margin, best and mean score, in mean deviations

    A game without a trace is played again, which calls Python bots again.

    \b
    Examples:
      balance replay runs/first-look 17
      balance replay runs/first-look closest --html closest.html
      balance replay runs/first-look comeback --variant base --players 4
      balance replay runs/first-look 17 --beside krzyzacy-hard --html two.html
      balance replay runs/searchers 3 --thoughts
    """
    if first is not None and html is None:
        raise click.UsageError(tr("--round opens a page; add --html FILE"))
    if html is not None:
        from balance.foundation.files import check_file

        check_file(html)
    found = None if isinstance(which, int) else _choose(run_folder, which, options)
    if found is None:
        _refuse_choosing(options)
    game_id = found.game_id if found else int(which)
    replay = _open(run_folder, game_id, options)
    prefer_language(replay.run.plan.experiment.lang)
    twin = _open_other(replay, options)
    if html is not None:
        from balance.report.replay.page import write_replay

        write_replay(replay, html, found, twin, first)
        echo(tr("replay: {path}", path=html.resolve()))
        return
    for line in _lines(replay, twin, options["labels"]):
        echo(line)


def _open(path: Path, game_id: int, options: dict[str, Any]) -> Replay:
    from balance.report.replay import open_replay

    with tempfile.TemporaryDirectory() as scratch:
        return open_replay(path, game_id, Path(scratch), options["run_bots"], options["thoughts"])


def _open_other(replay: Replay, options: dict[str, Any]) -> Replay | None:
    """Return the same deal under the variant of --beside, if given."""
    from balance.report.replay.opening import twin_of

    if options["beside"] is None:
        return None
    if options["labels"]:
        raise click.UsageError(tr("--labels prints one game; leave out --beside"))
    twin = twin_of(replay.run, replay.game_id, options["beside"])
    return _open(replay.run.path, twin, options)


def _lines(replay: Replay, twin: Replay | None, labels: bool) -> Iterable[str]:
    from balance.report.replay.scenes import tell_side_by_side

    if twin is not None:
        return tell_side_by_side(replay, twin)
    return replay.labels() if labels else replay.tell()


def _choose(path: Path, kind: str, options: dict[str, Any]) -> Notable:
    """Return the game of that kind and print why it was chosen; with --labels on standard error."""
    from balance.analysis.notable import find_notable
    from balance.runs.folder import RunFolder

    run = RunFolder.open(path)
    prefer_language(run.plan.experiment.lang)
    run = run if options["tier"] is None else run.in_tier(options["tier"])
    found = find_notable(run, kind, options["variants"], options["players"])
    print_sentence(found.line, err=options["labels"])
    return found


def _refuse_choosing(options: dict[str, Any]) -> None:
    for name, key in (("--variant", "variants"), ("--players", "players"), ("--tier", "tier")):
        if options[key] is not None:
            text = N_("{option} applies to a kind of game, such as closest; leave it out with a game number")
            raise click.UsageError(tr(text, option=name))
