"""Golden transcripts: whole games as readable text, replayed line by line.

A transcript that a change of rules makes wrong is written anew, and read, with
`python tests/na_grunwald/test_golden.py`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from balance.games import get_game
from balance.stepper import Stepper
from balance.variants import load_variant

GAME = get_game("na-grunwald")
FOLDER = Path(__file__).parent / "golden"
GOLDEN = [("base", 2, 11), ("base", 3, 12), ("base", 4, 13), ("events-market", 3, 14)]
FOLDER_FILES = [f"{variant}-{players}-players.txt" for variant, players, _ in GOLDEN]


def header(variant: str, players: int, seed: int) -> str:
    return f"# {GAME.name} {variant}, {players} players, deck seed {seed}"


def write_line(step) -> str:
    who = "chance" if step.seat < 0 else f"seat {step.seat}"
    options = f"  [{len(step.options)}]" if step.seat >= 0 else ""
    return f"{step.round} {who}: {step.label}{options}"


def result_lines(stepper: Stepper) -> list[str]:
    _, seats = stepper.result()
    own = GAME.record_types().seat_columns.names
    return [
        f"result seat {p}: score {row.score:g}, rank {row['rank']}; "
        + ", ".join(f"{name} {row[name]}" for name in own)
        for p, row in enumerate(seats)
    ]


@pytest.mark.parametrize("name", FOLDER_FILES)
def test_golden_game(name):
    """Every line: round, who, label and number of options; then every column of the result."""
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    variant, players, seed = GOLDEN[FOLDER_FILES.index(name)]
    assert lines[0] == header(variant, players, seed)
    game_lines = [line for line in lines[1:] if not line.startswith("result")]
    decisions = [line.split(": ", 1)[1].rsplit("  [", 1)[0] for line in game_lines if "seat" in line]
    stepper = Stepper(GAME, load_variant(GAME, variant, Path()).rules, players, seed)
    for number, (step, line) in enumerate(
        zip(stepper.play_labels(decisions), game_lines, strict=True), start=2
    ):
        assert write_line(step) == line, f"{name}, line {number}"
    assert result_lines(stepper) == lines[1 + len(game_lines) :]


def write_golden() -> None:
    """Write all transcripts anew: sensible choices at random seats, by a profile's values."""
    for (variant, players, seed), name in zip(GOLDEN, FOLDER_FILES, strict=True):
        rng = np.random.default_rng(seed)
        stepper = Stepper(GAME, load_variant(GAME, variant, Path()).rules, players, seed)

        def choose(state, options, rng=rng):
            eager = [i for i, label in enumerate(options) if label not in ("pass", "bid pass")]
            return int(rng.choice(eager)) if rng.random() < 0.9 else int(rng.integers(len(options)))

        lines = [header(variant, players, seed)]
        lines += [write_line(step) for step in stepper.play(choose)]
        text = "\n".join([*lines, *result_lines(stepper)]) + "\n"
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_golden()
