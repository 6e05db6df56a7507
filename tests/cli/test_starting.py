"""The command line starts fast: heavy modules are imported only when needed."""

import json
import subprocess
import sys

CPU_SECONDS = 0.15
TRIES = 5
HEAVY = {"duckdb", "matplotlib", "numba", "numpy", "pandas", "pyarrow", "pydantic", "scipy"}
# A process of its own tells what it took of a processor, which other work on the machine moves little.
HELP = """
import json, os, sys
from balance.__main__ import main
sys.argv[1:] = ["--help"]
try:
    main()
except SystemExit as end:
    took = os.times()
    print(json.dumps([end.code, took.user + took.system, sorted(sys.modules)]), file=sys.stderr)
"""


def ask_for_help() -> tuple[str, int, float, set[str]]:
    """Return the output of `balance --help`, its exit status, its CPU seconds and the modules loaded."""
    done = subprocess.run([sys.executable, "-c", HELP], capture_output=True, text=True, check=True)
    status, seconds, modules = json.loads(done.stderr)
    return done.stdout, status, seconds, set(modules)


def test_help_comes_at_once():
    """The best of several calls counts, since the first reads files."""
    printed, status, _, modules = ask_for_help()
    assert "Usage: balance" in printed
    assert status == 0
    assert not modules & HEAVY
    best = min(ask_for_help()[2] for _ in range(TRIES))
    assert 0 < best < CPU_SECONDS


def test_a_run_loads_no_statistics(tmp_path):
    """They take half a second and 45 MB; pandas, which functions of pyarrow would load, takes a fifth of one."""
    code = "import sys; from balance.cli.commands import main; main(standalone_mode=False); print(*sys.modules)"
    played = ["run", "--game", "na-grunwald", "--players", "2", "--strategies", "random", "--games", "4"]
    done = subprocess.run(
        [sys.executable, "-c", code, *played, "--log", "rounds", "--quiet", "--out", tmp_path / "run"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "balance.runs.runner" in done.stdout
    assert not {"scipy.stats", "duckdb", "matplotlib", "pandas", "statsmodels"} & set(done.stdout.split())
