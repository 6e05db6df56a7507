"""Build the wheel and the source archive into dist/, check them, and try the wheel in empty environments.

python tools/release

Each Python from 3.11 on that the machine has plays the first look with few games, writes its report, makes and plays a
game of one's own, and steps an environment. Each extra is installed alone: what it adds is used (runs in an object
store, on a local server), and what needs another one says in one line which.
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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

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
PLAYED = ("run", "--quiet", "--game", "na-grunwald", "--players", "2", "--strategies", "random", "--games", "8")
STYLES = ("train", "styles", "--game", "na-grunwald", "--players", "2", "--games", "10000", "--out", "styles")
TARGETS = """
game = "grody"
players = [2]
strategies = ["champion"]
games = 400
[[targets]]
measure = "seat_win_share"
within = 2
[tune]
keys = ["morale"]
"""
LIVE = """
import re, subprocess, sys, urllib.request
page = subprocess.Popen([sys.executable, "-m", "balance", "live", "--no-browser"], stdout=subprocess.PIPE, text=True)
try:
    address = re.search("http[^ ]+", page.stdout.readline()).group()
    assert b"<html" in urllib.request.urlopen(address).read()
finally:
    page.terminate()
"""
PANEL = """
import balance
balance.live_panel("na-grunwald", players=[2])
"""
AGENTS = """
import gymnasium, pettingzoo, balance.envs
seat = gymnasium.make("balance/NaGrunwald-v0", render_mode="rgb_array")
seat.reset(seed=1)
assert seat.render().any()
pettingzoo.make("aec", "balance/na-grunwald-v0").reset(seed=1)
"""
BATCH = """
import balance.envs
games = balance.envs.batch("na-grunwald", 8)
games.reset(seed=1)
games.step(games.draw_actions())
"""
STORED = f"""
import s3fs, subprocess, sys
s3fs.S3FileSystem().mkdir("plays")
for words in ({PLAYED} + ("--out", "s3://plays/look"), ("report", "s3://plays/look", "--out", "reports/store")):
    subprocess.run([sys.executable, "-m", "balance", *words], check=True)
"""
STORE = """
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(port=0)
server.start()
print("port", server.get_host_and_port()[1], flush=True)
input()
"""


class Extra(NamedTuple):
    """What an extra adds, in words for the interpreter, and how one comes to need it without having it."""

    use: tuple[str, ...]
    without: tuple[str, ...] | None = None  # None: as `use`


def _balance(*words: str) -> tuple[str, ...]:
    return "-m", "balance", *words


EXTRAS = {  # of users
    "dask": Extra(_balance(*PLAYED, "--dask", "local:1", "--out", "runs/dask")),
    "live": Extra(("-c", LIVE), _balance("live", "--no-browser")),
    "notebooks": Extra(("-c", PANEL)),
    "rl": Extra(("-c", AGENTS), ()),  # what is missing there is the user's own import
    "s3": Extra(("-c", STORED), _balance(*PLAYED, "--out", "s3://plays/look")),
    "styles": Extra(_balance(*STYLES)),
    "tune": Extra(_balance("tune", "targets.toml", "--games", "10000", "--out", "reports/tune")),
    "xlsx": Extra(_balance("report", "runs/played", "--xlsx", "--out", "reports/xlsx")),
}
OF_A_CLONE = {"bench", "dev", "docs", "release"}  # extras for what a wheel does not have


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
    with _store() as address, tempfile.TemporaryDirectory() as folder:
        os.environ |= {"AWS_ENDPOINT_URL": address, "AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any"}
        for extra in EXTRAS:
            _try_extra(extra, wheel, Path(folder))
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
    """Return whether an interpreter starts: a name may stand for a version that is not there."""
    return subprocess.run([python, "-c", ""], capture_output=True).returncode == 0


def _try(python: str, wheel: Path, folder: Path) -> None:
    made = _install(python, str(wheel), folder)
    for words in TRIED:
        _call(made, "-m", "balance", *words, cwd=folder)
    _call(made, "-c", BATCH, cwd=folder)
    _call(made, ROOT / "tools" / "public", cwd=folder)
    version = subprocess.check_output([made, "--version"], text=True).strip()
    print(f"{version}: the first look, a report, a game of one's own, an environment: right", flush=True)


def _try_extra(extra: str, wheel: Path, folder: Path) -> None:
    """Use an extra that is installed alone, and stop unless all others are asked for by name, in one line."""
    made = _install(sys.executable, f"{wheel}[{extra}]", folder)  # all in one place, so the second compiles nothing
    here = folder / extra
    here.mkdir()
    (here / "targets.toml").write_text(TARGETS, encoding="utf-8")
    _call(made, *_balance(*PLAYED, "--out", "runs/played"), cwd=here)
    _call(made, *EXTRAS[extra].use, cwd=here)
    for other in EXTRAS.keys() - {extra}:
        words = EXTRAS[other].without
        words = EXTRAS[other].use if words is None else words
        if not words:
            continue
        done = _run(made, *words, cwd=here)
        *above, last = done.stderr.strip().splitlines() or [""]
        shown = words[0] == "-m" and any(line.startswith("Traceback") for line in above)
        if not done.returncode or shown or f'"game-balance[{other}]"' not in last:
            sys.exit(f"extra {extra} alone: {' '.join(words)} does not ask for {other} in one line\n{done.stderr}")
    print(f"extra {extra} alone: works, and the others are asked for by name", flush=True)


@contextmanager
def _store() -> Iterator[str]:
    """Provide the address of an object store of this machine."""
    with tempfile.TemporaryDirectory() as folder:
        made = _install(sys.executable, "moto[server]", Path(folder))
        with subprocess.Popen(
            [made, "-W", "ignore", "-c", STORE], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        ) as server:  # fmt: skip
            assert server.stdout
            port = next(line.split()[1] for line in server.stdout if line.startswith("port "))
            try:
                yield f"http://127.0.0.1:{port}"
            finally:
                server.kill()


def _install(python: str, what: str, folder: Path) -> str:
    """Return the interpreter of a new environment that has nothing but `what` and what that needs."""
    _call(sys.executable, "-m", "uv", "venv", "--quiet", "--clear", "--python", python, folder / "env")
    made = folder / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    _call(sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", made, what)
    return str(made)


def _call(*words: object, cwd: Path = ROOT) -> None:
    """Run a command; stop with what it printed if it fails."""
    done = _run(*words, cwd=cwd)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def _run(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([*map(str, words)], cwd=cwd, env=environment, capture_output=True, text=True)


if __name__ == "__main__":
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    if missing := {*EXTRAS, *OF_A_CLONE} ^ declared.keys():
        sys.exit(f"extras of pyproject.toml that are not tried, or tried and not there: {', '.join(sorted(missing))}")
    main()
