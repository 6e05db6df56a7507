"""Fixtures for all tests: small runs, and the command line."""

import gc
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.browser import Browser, Tab, open_browser
from support.runs import play, without_figures

# As on the command line; collecting garbage took 28 of 460 s of the tests of reports.
gc.set_threshold(100_000)


def pytest_collection_finish() -> None:
    """Leave modules and tests out of later garbage collections: they stay until the end."""
    gc.collect()
    gc.freeze()


if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in a shell's background; Ctrl-C is tested
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def own_games_unlisted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep games of tests out of the user's list of named games; child processes see the variable too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(autouse=True, scope="session")
def in_english() -> Iterator[None]:
    """Test in English on every machine; tests of languages name theirs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LC_ALL", "C.UTF-8")
        yield


@pytest.fixture(autouse=True, scope="module")
def threads_ended() -> Iterator[None]:
    """Fail where a page's thread outlives its module: it would speak another test's language."""
    yield
    left = [each.name for each in threading.enumerate() if each.name in ("balance live", "balance runs")]
    assert not left


@pytest.fixture(autouse=True, scope="session")
def one_process() -> Iterator[None]:
    """Save figures in the process of the test: starting another for each small report takes longer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("balance.report.figures.saving.second_process", nullcontext)
        yield


@pytest.fixture(scope="session")
def cli() -> Callable[..., Result]:
    """Call the command line in this process; with `status`, it must end with this exit status.

    A command may be one text of several words: ``cli("compare --quiet", run)``.
    """
    from balance.cli.commands import main

    def call(command: object, *more: object, status: int | None = None, typed: str | None = None) -> Result:
        result = CliRunner().invoke(main, [*str(command).split(), *map(str, more)], input=typed)
        assert status is None or result.exit_code == status, result.output
        return result

    return call


@pytest.fixture
def shell() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Call the command line in a separate process."""

    def call(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "balance", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)

    return call


@pytest.fixture(scope="session")
def one_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Start one browser for all tests: its start takes longer than most of them."""
    with open_browser(tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture
def browser(one_browser: Browser) -> Iterator[Browser]:
    """Provide a browser without tabs."""
    yield one_browser
    one_browser.close_tabs()


@pytest.fixture
def tab(browser: Browser) -> Tab:
    """Open a new tab."""
    return browser.open()


@pytest.fixture(scope="module")
def undrawn() -> Iterator[None]:
    """Leave the figures of reports empty, for modules that read only words and numbers of a page."""
    with without_figures():
        yield


@pytest.fixture(scope="session")
def traced_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run with every table: 2, 3 and 4 players, two variants, profiles, 24 games in each cell."""
    return play(
        tmp_path_factory.mktemp("traced") / "run",
        players=[2, 3, 4],
        variants=["base", "krzyzacy-hard"],
        strategies=["generalist", "random", "treasurer", "krzyzacy-hunter"],
        games=24,
        log="trace",
    )
