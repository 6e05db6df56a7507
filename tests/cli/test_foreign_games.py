"""Folders of others that name a game in plain Python: no command runs its code unless the user has allowed it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import Result
from support.own_game import write_plainest
from support.runs import play

from balance.cli.commands import main
from balance.cli.options import Place
from balance.contract import own_games
from balance.contract.game import get_game
from balance.foundation.errors import BalanceError
from balance.live.runs import RunWatch
from balance.live.server import Site
from balance.people.folder import write_people
from balance.people.records import GameRecord, SeatRecord

pytestmark = pytest.mark.usefixtures("undrawn")

READERS = {
    ("check", "run_folder"): ["check", "RUN"],
    ("compare", "runs"): ["compare", "RUN"],
    ("components", "run_folder"): ["components", "RUN"],
    ("decisions", "run_folder"): ["decisions", "RUN"],
    ("chances", "run_folder"): ["chances", "RUN"],
    ("live", "runs"): ["live", "RUN", "--no-browser"],
    ("plan", "run_folder"): ["plan", "RUN", "--effect", "1"],
    ("pool", "runs"): ["pool", "RUN", "RUN", "--out", "pooled"],
    ("replay", "run_folder"): ["replay", "RUN", "0"],
    ("report", "runs"): ["report", "RUN", "--out", "page"],
    ("report", "people"): ["report", "OWN", "--people", "PEOPLE", "--out", "page"],
    ("run", "source"): ["run", "--resume", "RUN", "--games", "8"],
    ("run", "out"): ["run", "mine.toml", "--resume", "--out", "RUN"],
}
"""A call for each parameter that takes a folder which somebody else may have written."""
NO_CODE = {("verify", "run_folder"): ["verify", "RUN"]}
OTHERS = {"draft", "experiment", "file", "folder", "game", "history", "html", "junit", "out", "targets"}
"""Parameters for what the user writes or names; a run to which games are added is among the readers."""


def places(command: click.Command) -> Iterator[tuple[str, str]]:
    """Yield each parameter that takes a path, with its command."""
    if isinstance(command, click.Group):
        for each in command.commands.values():
            yield from places(each)
        return
    for parameter in command.params:
        if isinstance(parameter.type, Place):
            yield str(command.name), str(parameter.name)


def test_every_parameter_for_a_saved_folder_is_among_the_readers():
    """A new one fails here until it has a call above."""
    found = set(places(main)) - set(READERS) - set(NO_CODE)
    assert {name for _, name in found} <= OTHERS, found


@pytest.fixture(scope="module")
def strangers(tmp_path_factory) -> Path:
    """Return a folder with a run and people of a game whose import leaves a marker, and the user's own run and game."""
    folder = tmp_path_factory.mktemp("strangers")
    theirs, own = (write_plainest(folder / name) for name in ("theirs", "own"))
    with (theirs / "game.py").open("a", encoding="utf-8") as file:
        file.write("\nfrom pathlib import Path\n\nPath(__file__).with_name('marker').touch()\n")
    keys = {"players": [2], "strategies": ["random"], "games": 4, "log": "trace"}
    for name, game in (("RUN", theirs), ("OWN", own)):
        play(folder / name, game=str(game), **keys)
    seats = SeatRecord("Anna", 3.0, 1), SeatRecord("Jan", 2.0, 2)
    write_people(folder / "PEOPLE", get_game(str(theirs)), [GameRecord(seats)])
    (folder / "mine.toml").write_text(
        f'game = "{own}"\nplayers = [2]\nstrategies = ["random"]\ngames = 4\n', encoding="utf-8"
    )
    return folder


@pytest.fixture
def call(strangers, tmp_path, monkeypatch, cli) -> Callable[..., Result]:
    """Call a command as the first one of a process whose user has named no game but those in `allowed`."""

    def served(site: object, *_: object) -> None:
        site.watch.line(0, strangers / "RUN")  # type: ignore[attr-defined]

    monkeypatch.setattr("balance.live.server.serve", served)
    monkeypatch.setattr(own_games, "list_file", lambda: tmp_path / "own-games.txt")
    monkeypatch.chdir(tmp_path)
    own = strangers / "own" / "plainest"

    def call(words: list[str], *allowed: Path) -> Result:
        monkeypatch.setattr(own_games, "LOADED", {})
        (tmp_path / "own-games.txt").write_text("".join(f"{each}\n" for each in (own, *allowed)))
        given = [str(strangers / word) if (strangers / word).exists() else word for word in words]
        return cli(*given)

    return call


def test_the_live_page_starts_no_game_that_the_user_has_not_named(strangers, call):
    """Whatever a page asks of the server."""
    theirs = strangers / "theirs" / "plainest"
    (theirs / "marker").unlink(missing_ok=True)
    call(["verify", "RUN"])  # forgets what this process has loaded
    site = Site(None, lambda name: pytest.fail(name), RunWatch([], None))
    with pytest.raises(BalanceError, match="allow it with"):
        site.act("game", {"name": str(theirs)})
    assert not (theirs / "marker").exists()


@pytest.mark.slow
@pytest.mark.parametrize("words", [*READERS.values(), *NO_CODE.values()], ids=" ".join)
def test_no_command_runs_the_game_that_a_strangers_folder_names(words, strangers, call):
    """It says how to allow it; after that the command does run it, so it was the list that kept it from running."""
    theirs = strangers / "theirs" / "plainest"
    (theirs / "marker").unlink(missing_ok=True)
    refused = call(words)
    assert not (theirs / "marker").exists(), refused.output
    assert refused.exception is None or isinstance(refused.exception, SystemExit), refused.exception
    if words[0] not in ("live", "verify"):  # the page of one shows it, the other needs no code
        assert refused.exit_code != 0, refused.output
        assert f"allow it with: balance games {theirs}" in refused.output
        assert refused.output.count("\n") == 1
    call(words, theirs)
    assert (theirs / "marker").exists() or words[1] == "mine.toml" or words in NO_CODE.values()
