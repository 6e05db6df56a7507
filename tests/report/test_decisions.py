"""The section on decisions: a searcher's judgement by kind and stage, or the command for it."""

from __future__ import annotations

import shutil

import pandas as pd
import pytest

import balance
from balance.foundation.errors import BalanceError
from balance.report import write_report
from balance.runs.folder import RunFolder
from balance.studies.reruns import judge_decisions


@pytest.mark.slow
def test_decisions_by_kind_and_stage(traced_run, tmp_path):
    """Rows have interval and n; the searcher is named."""
    path = tmp_path / "run"
    shutil.copytree(traced_run, path)
    judge_decisions(RunFolder.open_finished(path), 12, "search-12", 4)
    write_report([RunFolder.open_finished(path)], tmp_path / "report")
    table = pd.concat(
        pd.read_csv(tmp_path / "report" / "tables" / f"decisions-{players}.csv") for players in (2, 3, 4)
    )
    assert {"all", "place", "plunder"} <= set(table["kind"])
    assert set(table["stage"]) == {"all", "early", "middle", "late"}
    assert (table["n"] > 0).all()
    shares = table[table["measure"].isin(["close", "agreed"])]
    assert shares["value"].between(0, 100).all()
    assert "search-12" in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert len(balance.open_run(path).decisions()) == len(table)


def test_how_to_have_them_judged_is_said(report, traced_run):
    """A run without judged decisions shows the command on the page and in Python."""
    text = (report / "report.md").read_text(encoding="utf-8").replace("\\", "")
    assert f"balance decisions {traced_run}" in text
    assert not (report / "tables" / "decisions-2.csv").exists()
    run = balance.open_run(traced_run)
    for ask, command in ((run.decisions, "decisions"), (run.components, "components")):
        with pytest.raises(BalanceError, match=f"balance {command}"):
            ask()
