"""The section on components: seen next to tried, and the command for missing results."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pandas as pd
import pytest

from balance.report import write_report
from balance.runs.folder import RunFolder
from balance.runs.sidecar import COMPONENTS
from balance.studies.reruns import try_components


@pytest.fixture(scope="module")
def tried(traced_run, tmp_path_factory) -> Path:
    """Return a report of the small run with tried components."""
    run = tmp_path_factory.mktemp("tried") / "run"
    shutil.copytree(traced_run, run)
    try_components(RunFolder.open_finished(run), 24)
    out = run.with_name("report")
    write_report([RunFolder.open_finished(run)], out)
    return out


def test_seen_stands_beside_tried(tried):
    """Every component of the rules has one row per variant, with interval, verdict and n."""
    page = (tried / "index.html").read_text(encoding="utf-8")
    assert "balance components" not in page
    for players in (2, 3, 4):
        table = pd.read_csv(tried / "tables" / f"components-{players}.csv")
        effects = table[table["measure"] == "effect"]
        assert not effects.duplicated(["variant", "component"]).any()
        assert set(effects["variant"]) == {"base", "krzyzacy-hard"}
        assert {"crown knight 6", "mercenary 1", "captive 4", "provisions 6 and 3"} <= set(
            effects["component"]
        )
        assert (effects["low"] <= effects["value"]).all() and (effects["n"] > 0).all()
        assert effects["verdict"].notna().all()
        events = table[table["family"] == "events"]
        assert set(events["measure"]) >= {"there", "points", "changed"}
        assert "effect" not in set(events["measure"])
    assert (tried / "figures" / "components.svg").exists()
    assert (tried / "figures" / "components-2.svg").exists()


def test_how_to_try_them_is_said(report, traced_run):
    """A run without tried components has no such columns, but the command that computes them."""
    text = (report / "report.md").read_text(encoding="utf-8")
    command = re.search(r"balance components (\S+), then", text.replace("\\", ""))
    assert command and command[1] == str(traced_run)
    assert not (report / "tables" / "components-2.csv").exists()
    assert not (traced_run / COMPONENTS.name).exists()
