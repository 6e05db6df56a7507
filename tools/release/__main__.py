"""Build the wheel and the source archive into dist/, check them, and try the wheel in empty environments.

python tools/release

Each Python from 3.11 on that the machine has plays the first look with few games, writes its report, makes and plays a
game of one's own, and steps an environment; each extra is installed alone and tried: `live` serves its page.
Workflows, issue forms and the citation file are checked against their schemas. What is public now is listed in
docs/public.txt, by the wheel. Nothing is uploaded.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
NEWEST, OLDEST = 14, 11  # of Python 3
TRIED = (  # in an environment with the wheel alone
    ("games",),
    ("examples", "mine"),
    ("run", "mine/first-look.toml", "--games", "8", "--tier", "styles", "--out", "runs/look"),
    ("report", "runs/look", "--out", "reports/look"),
    ("new", "game", "dicey"),
    ("run", "--game", "./dicey", "--players", "2", "--games", "40", "--out", "runs/dicey"),
    ("report", "runs/dicey", "--out", "reports/dicey"),
)
SCHEMAS = {  # of check-jsonschema, to the files that follow each
    "vendor.github-workflows": ".github/workflows/*.yml",
    "vendor.github-issue-forms": ".github/ISSUE_TEMPLATE/[!c]*.yml",
    "vendor.github-issue-config": ".github/ISSUE_TEMPLATE/config.yml",
    "vendor.dependabot": ".github/dependabot.yml",
    "vendor.citation-file-format": "CITATION.cff",
}
LIVE = """
import re, subprocess, sys, urllib.request
page = subprocess.Popen([sys.executable, "-m", "balance", "live", "--no-browser"], stdout=subprocess.PIPE, text=True)
try:
    address = re.search("http[^ ]+", page.stdout.readline()).group()
    assert b"<html" in urllib.request.urlopen(address).read()
finally:
    page.terminate()
"""
AGENTS = """
import gymnasium, pettingzoo, balance.envs
gymnasium.make("balance/NaGrunwald-v0").reset(seed=1)
pettingzoo.make("aec", "balance/na-grunwald-v0").reset(seed=1)
"""
BATCH = """
import balance.envs
games = balance.envs.batch("na-grunwald", 8)
games.reset(seed=1)
games.step(games.draw_actions())
"""
EXTRAS = {  # of users, to what each is for
    "dask": "import distributed, balance.runs.cluster",
    "live": LIVE,
    "rl": AGENTS,
    "s3": "import s3fs, balance.runs.store",
    "styles": "import ribs, balance.training.styles",
    "tune": "import optuna, balance.studies.tune",
    "xlsx": "import openpyxl, xlsxwriter, balance.foundation.spreadsheets, balance.report.workbook",
}


def main() -> None:
    for schema, files in SCHEMAS.items():
        _call(sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *ROOT.glob(files))
    shutil.rmtree(DIST, ignore_errors=True)
    _call(sys.executable, "-m", "build", "--outdir", DIST, ROOT)
    (wheel,), (archive,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    _call(sys.executable, "-m", "twine", "check", "--strict", wheel, archive)
    _call(sys.executable, "-m", "check_wheel_contents", wheel)
    with tempfile.TemporaryDirectory() as folder:
        _compare(wheel, archive, Path(folder))
    _weigh(wheel)
    for python in _pythons():
        with tempfile.TemporaryDirectory() as folder:
            _try(python, wheel, Path(folder))
    for extra, use in EXTRAS.items():
        with tempfile.TemporaryDirectory() as folder:
            made = _install(sys.executable, f"{wheel}[{extra}]", Path(folder))
            _call(made, "-c", use, cwd=Path(folder))
            print(f"extra {extra}: right", flush=True)
    print(f"{wheel.name} and {archive.name} are in {DIST}; nothing was uploaded")


def _compare(wheel: Path, archive: Path, folder: Path) -> None:
    """Stop if the source archive builds another wheel."""
    _call(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, archive)
    (again,) = folder.glob("*.whl")
    first, second = ({each.filename: each.CRC for each in zipfile.ZipFile(path).infolist()} for path in (wheel, again))
    if different := sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name)):
        sys.exit(f"the source archive builds another wheel: {', '.join(different)}")


def _weigh(wheel: Path) -> None:
    """Print what the wheel weighs, by kind of file."""
    sizes: Counter[str] = Counter()
    for each in zipfile.ZipFile(wheel).infolist():
        sizes["networks" if each.filename.endswith(".npz") else Path(each.filename).suffix or "other"] += (
            each.compress_size
        )
    parts = ", ".join(f"{kind} {size / 1e6:.2f}" for kind, size in sizes.most_common(5))
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB ({parts})", flush=True)


def _pythons() -> list[str]:
    """Return an interpreter of each version that the machine has, pyenv's too."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    folders = os.pathsep.join([*map(str, pyenv.glob("versions/*/bin")), *os.get_exec_path()])
    names = [f"python3.{minor}" for minor in range(OLDEST, NEWEST + 1)]
    found = [shutil.which(name, path=folders) for name in names]
    return [path for path in found if path and _answers(path)]


def _answers(python: str) -> bool:
    """Return whether an interpreter starts and makes environments: a name may stand for a version that is not there."""
    return subprocess.run([python, "-c", "import venv, ensurepip"], capture_output=True).returncode == 0


def _try(python: str, wheel: Path, folder: Path) -> None:
    made = _install(python, str(wheel), folder)
    for words in TRIED:
        _call(made, "-m", "balance", *words, cwd=folder)
    _call(made, "-c", BATCH, cwd=folder)
    _call(made, ROOT / "tools" / "public", cwd=folder)
    version = subprocess.check_output([made, "--version"], text=True).strip()
    print(f"{version}: the first look, a report, a game of one's own, an environment: right", flush=True)


def _install(python: str, what: str, folder: Path) -> str:
    """Return the interpreter of a new environment that has nothing but `what` and what that needs."""
    _call(python, "-m", "venv", folder / "env")
    made = folder / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    _call(made, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", what)
    return str(made)


def _call(*words: object, cwd: Path = ROOT) -> None:
    """Run a command; stop with what it printed if it fails."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([*map(str, words)], cwd=cwd, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


if __name__ == "__main__":
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    if missing := {*EXTRAS, "bench", "dev", "docs", "notebooks", "release"} ^ declared.keys():
        sys.exit(f"extras of pyproject.toml that are not tried, or tried and not there: {', '.join(sorted(missing))}")
    main()
