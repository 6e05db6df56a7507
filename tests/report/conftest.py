"""The report that most tests look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.log.folder import RunFolder
from balance.report import write_report


@pytest.fixture(scope="session")
def report(traced_run, tmp_path_factory) -> Path:
    """A report of the small run."""
    out = tmp_path_factory.mktemp("report")
    write_report([RunFolder.open_finished(traced_run)], out)
    return out
