"""The Python API for a run's files."""

from __future__ import annotations

import shutil

import pyarrow.parquet as pq
import pytest

import balance
from balance.foundation.errors import BalanceError


def test_tables_and_sql(traced_run):
    """Frames equal the rows of the files, for filters and SQL too."""
    run = balance.open_run(traced_run)
    everything = pq.read_table(traced_run / "games").num_rows
    assert len(run.games()) == everything == run.query("SELECT count(*) AS n FROM games")["n"][0]
    part = run.seats(variant="krzyzacy-hard", players=3)
    assert set(part["variant"]) == {"krzyzacy-hard"}
    assert len(part) == 24 * 3
    assert run.query("SELECT * FROM trace LIMIT 3").shape[0] == 3
    assert run.info["game"] == "na-grunwald"


def test_a_run_still_being_written_can_be_looked_into(traced_run, tmp_path):
    """Finished parts are visible; temporary files do not count as parts."""
    run = tmp_path / "run"
    shutil.copytree(traced_run, run)
    info = (run / "run.json").read_text(encoding="utf-8")
    (run / "run.json").write_text(info.replace('"finished"', '"running"'), encoding="utf-8")
    (run / "games" / ".cell000-000000009.parquet.tmp").write_bytes(b"PAR1")
    assert len(balance.open_run(run).games()) == 6 * 24


def test_mistakes_are_one_line(traced_run, tmp_path):
    """No run, no such variant, wrong SQL and a damaged part give one line each."""
    with pytest.raises(BalanceError, match="is not a run folder"):
        balance.open_run(tmp_path)
    run = balance.open_run(traced_run)
    with pytest.raises(BalanceError, match="unknown variant 'bass'; did you mean 'base'"):
        run.games(variant="bass")
    with pytest.raises(BalanceError) as failure:
        run.query("SELECT crowns FROM seats")
    assert "crowns" in str(failure.value)
    assert "\n" not in str(failure.value)
    damaged = tmp_path / "damaged"
    shutil.copytree(traced_run, damaged)
    part = next((damaged / "seats").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:50])
    with pytest.raises(BalanceError, match="cut short"):
        balance.open_run(damaged)
