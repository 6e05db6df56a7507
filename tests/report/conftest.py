"""Fixture for the report that most tests read."""

from pathlib import Path

import pytest

from balance.report import write_report
from balance.runs.folder import RunFolder


@pytest.fixture(scope="session")
def report(traced_run, tmp_path_factory) -> Path:
    """Return a report of the small run."""
    out = tmp_path_factory.mktemp("report")
    write_report([RunFolder.open_finished(traced_run)], out)
    return out
