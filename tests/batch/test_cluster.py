"""The same parts through a Dask cluster: the same bytes."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.runs import digest, play

pytest.importorskip("distributed")

CLUSTER = """
import subprocess, sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        command = [sys.executable, "-m", "balance", *sys.argv[1:], "--dask", cluster.scheduler_address]
        sys.exit(subprocess.run(command).returncode)
"""


@pytest.mark.slow
def test_dask_workers_write_the_same_run(tmp_path):
    """Two worker processes, against threads of this one."""
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    arguments = ["run", "--game", "na-grunwald", "--players", "2,3", "--strategies", "random,balanced"]
    arguments += ["--games", "3000", "--quiet", "--out", str(tmp_path / "dask")]
    subprocess.run([sys.executable, str(script), *arguments], check=True, timeout=120)
    here = play(
        tmp_path / "here", players=[2, 3], strategies=["random", "balanced"], games=3000, workers=2
    )
    assert digest(tmp_path / "dask") == digest(here)
