"""Run the fast tests with the lowest versions that pyproject.toml allows, or with the newest.

python tools/versions lowest
python tools/versions newest python3.13

They are installed into an environment outside the repository, which is kept. The Python is the one that runs this, or
the one that is named. Words after it go to pytest, such as `tests/stats`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESOLUTIONS = {"lowest": "lowest-direct", "newest": "highest"}
FAST = ("-n", "auto", "--dist", "loadscope", "-m", "not slow and not long")


def main(which: str, python: str = sys.executable, *words: str) -> int:
    """Return the exit status of the tests."""
    env = Path(tempfile.gettempdir()) / f"balance-{which}-{Path(python).name}"
    made = env / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not made.exists():
        _uv("venv", "--quiet", "--python", python, env)
    resolution = ("--resolution", RESOLUTIONS[which], "--upgrade")
    _uv("pip", "install", "--quiet", "--python", made, *resolution, "--editable", f"{ROOT}[dev,dask]")
    heard = ("-W", "default") if which == "lowest" else ()  # old versions warn of newer ones below them
    return subprocess.run([made, "-m", "pytest", *FAST, *heard, *words], cwd=ROOT).returncode


def _uv(*words: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "uv", *map(str, words)], check=True)


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in RESOLUTIONS:
        sys.exit(main(*sys.argv[1:]))
    sys.exit("python tools/versions lowest|newest [PYTHON] [words for pytest]")
