"""One flipped bit in a table: `verify` and every reader of the table notice it before parsing."""

import random
import shutil
from pathlib import Path

import pytest
from support.runs import play

import balance
from balance.foundation.errors import BalanceError
from balance.runs import sidecar
from balance.runs.folder import RunFolder
from balance.runs.sidecar import COMPONENTS, DECISIONS
from balance.runs.strength import read_tier_rows
from balance.studies.reruns import judge_decisions, try_components

pytestmark = pytest.mark.long
FLIPS = 100


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return a run with every table that can be added."""
    path = tmp_path_factory.mktemp("flips") / "run"
    play(path, players=[2], strategies=["champion"], games=40, luck=40)
    try_components(RunFolder.open_finished(path), 8)
    judge_decisions(RunFolder.open_finished(path), 4, "search-8", 8)
    return path


@pytest.fixture
def flipped(whole, tmp_path):
    """Yield a copy for each flipped bit of a file."""
    run = shutil.copytree(whole, tmp_path / "run")

    def flips(name):
        (path,) = run.glob(name)
        content = path.read_bytes()
        lots = random.Random(name)
        for _ in range(FLIPS):
            spoilt = bytearray(content)
            spoilt[lots.randrange(len(content))] ^= 1 << lots.randrange(8)
            path.write_bytes(spoilt)
            yield run, path
        path.write_bytes(content)

    return flips


@pytest.mark.parametrize("table", (COMPONENTS, DECISIONS), ids=lambda table: table.table)
def test_no_flip_in_an_added_table_is_read(table, flipped, monkeypatch):
    """Otherwise it would change numbers silently, or end the process."""

    def parse(*_: object):
        raise AssertionError("a damaged file was parsed")

    monkeypatch.setattr(sidecar.pq, "ParquetFile", parse)
    for run, path in flipped(table.name):
        opened = RunFolder.open_finished(run)
        (fault,) = opened.faults()
        assert fault.path == path
        assert f"balance {table.table} {run}" in str(fault)
        with pytest.raises(BalanceError, match=rf"{table.table}\.parquet is damaged"):
            read_tier_rows(opened, table)


def test_the_command_says_so(flipped, cli):
    """One line and exit status 1; without the table the run is whole."""
    for run, path in flipped("components.parquet"):
        done = cli("verify", run, status=1)
        assert done.output.startswith(f"{path} is damaged: ")
        assert len(done.output.splitlines()) == 1
        done = cli("report", run, "--out", run.parent / "out", status=1)
        assert "components.parquet is damaged" in done.output
        path.unlink()
        assert cli("verify", run).output.startswith(f"{run}: intact, ")
        break


def test_a_table_of_another_run_is_named(whole, tmp_path, cli):
    """Its rows belong to other games."""
    other = play(tmp_path / "other", players=[2], strategies=["champion"], games=40, seed=9)
    shutil.copy(whole / "components.parquet", other)
    done = cli("verify", other, status=1)
    assert "components.parquet belongs to another run" in done.output
    with pytest.raises(BalanceError, match="belongs to another run"):
        read_tier_rows(RunFolder.open_finished(other), COMPONENTS)


def test_an_added_table_stays_when_the_run_is_extended(whole, tmp_path):
    run = shutil.copytree(whole, tmp_path / "run")
    before = len(read_tier_rows(RunFolder.open_finished(run), COMPONENTS))
    balance.play_on(run, 60)
    opened = RunFolder.open_finished(run)
    assert len(read_tier_rows(opened, COMPONENTS)) == before > 0
    assert opened.faults() == []


@pytest.mark.parametrize("moment", ["append_entry", "replace_file", "write_manifest"])
def test_a_table_is_not_lost_when_its_new_file_is_not_written(whole, tmp_path, monkeypatch, moment):
    """After a stop before any of the three writes the old table or the new one is whole."""
    from balance.runs import folder

    class Killed(BaseException):
        """Raised where the process would end."""

    def kill(*_: object):
        raise Killed

    run = Path(shutil.copytree(whole, tmp_path / "run"))
    opened = RunFolder.open_finished(run)
    monkeypatch.setattr(folder, moment, kill)
    with pytest.raises(Killed):
        try_components(opened, 12)
    assert len(read_tier_rows(opened, COMPONENTS)) > 0
    assert opened.faults() == []
