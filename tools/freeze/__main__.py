"""Render every kind of page to text, so that two states of the code can be compared.

    python tools/freeze before      # games are played once, in runs/frozen/; pages as text in before/
    python tools/freeze after
    diff -r before after

Pages are written in English and Polish: the sample, a run with tiers, targets, traces and sources of luck, a run of
each game, a sweep, a game in plain Python, every study, and what the terminal prints. Figures are left out; speeds are
replaced by a dash.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUNS = Path("runs/frozen")
TIERS = """
game = "na-grunwald"
players = [2, 4]
variants = ["base", "hire-dear"]
log = "rounds"
trace = 40
luck = 20

[[tiers]]
name = "styles"
strategies = ["generalist", "treasurer", "quartermaster"]
games = 480

[[tiers]]
name = "novices"
strategies = ["generalist", "treasurer", "quartermaster"]
games = 480
loss = 0.5

[[tiers]]
name = "experts"
strategies = ["expert"]
games = 240

[[targets]]
measure = "seat_win_share"
within = 3

[[targets]]
measure = "minutes"
most = 60
"""
TUNE = """
game = "na-grunwald"
players = [2]
strategies = ["champion", "treasurer"]
games = 400

[[targets]]
measure = "seat_win_share"
within = 3

[tune]
ranges = { "krzyzacy.bonus.2" = [0, 6] }
"""
PLAYED = {
    "tiers": "run {runs}/tiers.toml",
    "sample": "run data/experiments/sample.toml --games 480",
    "polska": "run --game polska --players 2,5 --strategies champion,expert --games 240 --log rounds",
    "grody": "run --game grody --players 2 --strategies champion,raider,builder --games 480 --log trace",
    "korona": "run --game korona-piastow --players 3 --strategies champion,expert --games 120 --log rounds",
    "sweep": "run --game na-grunwald --players 2 --strategies generalist,treasurer --games 240 "
    "--sweep krzyzacy.bonus.2=0,2,4",
    "oh-hell": "run --game examples/oh_hell --players 3 --strategies steady,random --games 300",
}
"""Runs, by name."""
ADDED = (
    "decisions {runs}/grody --judge search-8 --games 4 --every 8 --quiet",
    "components {runs}/grody --games 20 --quiet",
)
"""What is added to them."""
MADE = [
    *(f"report {{runs}}/{name} --out {{out}}/{name} --quiet --summary" for name in PLAYED),
    "report {runs}/tiers --out {out}/experts --tier experts --quiet",
    "report {runs}/sample {runs}/polska --out {out}/two --quiet",
    "compare {runs}/sample --out {out}/compare --quiet",
    "compare {runs}/tiers --json",
    "check {runs}/tiers",
    "check {runs}/tiers --json",
    "check {runs}/tiers --tier novices",
    "try --game na-grunwald --players 2,4 --strategies champion,treasurer --set krzyzacy.bonus.4=8 "
    "--games 2000 --once --quiet",
    "try --game grody --players 2 --strategies champion,raider --games 400 --once --quiet",
    "ladder --game na-grunwald --players 2 --strategies champion,random,search-10 --against search-10 --games 120 "
    "--duels 12 --trace 24 --out {out}/ladder --quiet",
    "curve --game na-grunwald --players 2 --levels champion@loss=0.5,champion,expert@temperature=1,expert,"
    "expert-search-2,expert-search-4 --games 200 --search-games 100 --out {out}/curve --quiet",
    "sensitivity --game na-grunwald --players 2 --keys krzyzacy.* --games 300 --out {out}/sensitivity --quiet",
    "restrict --game na-grunwald --players 2 --forbid crown-field --games 200 --out {out}/restrict --quiet",
    "tune {runs}/tune.toml --games 10000 --out {out}/tune --quiet",
]
"""What is rendered; `{out}` is a folder for each language."""
_SPEED = re.compile(r"[\d.,]+(?= (games|decisions|partii|decyzji)?(/s| a second| na sekundę))")
KEPT = {".md", ".csv", ".json", ".html", ".txt"}


def main(out: Path) -> None:
    """Play what is not played yet and write all pages as text."""
    if not RUNS.exists():
        _play()
    for language in ("en", "pl"):
        folder = out / language
        folder.mkdir(parents=True, exist_ok=True)
        for number, command in enumerate(MADE):
            printed = _balance(f"{command.format(runs=RUNS, out=folder)} --lang {language}")
            (folder / f"{number:02}.txt").write_text(f"{command}\n{_SPEED.sub('-', printed)}", "utf-8")
        _keep_text(folder)


def _play() -> None:
    RUNS.mkdir(parents=True)
    for name, text in (("tiers", TIERS), ("tune", TUNE)):
        (RUNS / f"{name}.toml").write_text(text, "utf-8")
    for name, command in PLAYED.items():
        _balance(f"{command.format(runs=RUNS)} --out {RUNS / name} --quiet")
    for command in ADDED:
        _balance(command.format(runs=RUNS))


def _balance(command: str) -> str:
    """Return what a command prints."""
    done = subprocess.run(
        [sys.executable, "-m", "balance", *command.split()], capture_output=True, text=True, check=False
    )
    print(("ok    " if done.returncode in (0, 1) else "FAILED"), command, flush=True)
    return done.stdout + (done.stderr if done.returncode else "")


def _keep_text(folder: Path) -> None:
    """Remove figures and whatever else is no text."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_file() and (path.suffix not in KEPT or "figures" in path.parts):
            path.unlink()
        elif path.is_dir() and path.name in ("figures", "runs"):
            shutil.rmtree(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
