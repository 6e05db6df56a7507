"""The sections on components and on decisions, which are measured after a run, or by the commands that they name."""

import shutil
from pathlib import Path

import pandas as pd
import pytest

import balance
from balance.foundation.errors import BalanceError
from balance.report import write_report
from balance.runs.folder import RunFolder
from balance.runs.sidecar import COMPONENTS
from balance.studies.reruns import judge_decisions, try_components

pytestmark = pytest.mark.long
PLAYERS = (2, 3, 4)


@pytest.fixture(scope="module")
def measured(traced_run, tmp_path_factory) -> Path:
    """Return a copy of the small run with tried components and judged decisions."""
    path = tmp_path_factory.mktemp("measured") / "run"
    shutil.copytree(traced_run, path)
    run = RunFolder.open_finished(path)
    try_components(run, 24)
    judge_decisions(run, 12, "search-12", 4)
    return path


@pytest.fixture(scope="module")
def page(measured) -> Path:
    """Return a report on it."""
    out = measured.with_name("report")
    write_report([RunFolder.open_finished(measured)], out)
    return out


def test_seen_stands_next_to_tried(page):
    """Every component of the rules has one row per variant, with interval, verdict and n."""
    assert "balance components" not in (page / "index.html").read_text(encoding="utf-8")
    for players in PLAYERS:
        table = pd.read_csv(page / "tables" / f"components-{players}.csv")
        effects = table[table["measure"] == "effect"]
        assert not effects.duplicated(["variant", "component"]).any()
        assert set(effects["variant"]) == {"base", "krzyzacy-hard"}
        names = {"crown knight 6", "mercenary 1", "captive 4", "provisions 6 and 3"}
        assert names <= set(effects["component"])
        assert (effects["low"] <= effects["value"]).all() and (effects["n"] > 0).all()
        assert effects["verdict"].notna().all()
        events = table[table["family"] == "events"]
        assert set(events["measure"]) >= {"there", "points", "changed"}
        assert "effect" not in set(events["measure"])
    assert (page / "figures" / "components.svg").exists()
    assert (page / "figures" / "components-2.svg").exists()


def test_decisions_by_kind_and_stage(measured, page):
    """Rows have interval and n; the searcher is named."""
    files = [page / "tables" / f"decisions-{players}.csv" for players in PLAYERS]
    table = pd.concat(map(pd.read_csv, files))
    assert {"all", "place", "plunder"} <= set(table["kind"])
    assert set(table["stage"]) == {"all", "early", "middle", "late"}
    assert (table["n"] > 0).all()
    shares = table[table["measure"].isin(["close", "agreed"])]
    assert shares["value"].between(0, 100).all()
    assert "search-12" in (page / "index.html").read_text(encoding="utf-8")
    assert len(balance.open_run(measured).decisions()) == len(table)


@pytest.mark.parametrize("command", ["components", "decisions"])
def test_the_command_that_measures_them_is_named(report, traced_run, command):
    """A run without the results has no such tables, but shows the command on the page and in Python."""
    text = (report / "report.md").read_text(encoding="utf-8").replace("\\", "")
    assert f"balance {command} {traced_run}, then" in text
    assert not (report / "tables" / f"{command}-2.csv").exists()
    assert not (traced_run / COMPONENTS.name).exists()
    with pytest.raises(BalanceError, match=f"balance {command}"):
        getattr(balance.open_run(traced_run), command)()
