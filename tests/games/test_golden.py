"""Golden transcripts: whole games as readable text, replayed line by line.

After a change of rules write the transcripts again with `python tests/games/test_golden.py`, and read them.
"""

from pathlib import Path

import numpy as np
import pytest

from balance.contract.game import get_game
from balance.contract.records import SEAT_ROW
from balance.engine.stepper import Stepper, walk, walk_labels
from balance.experiments.variants import load_variant

TESTS = Path(__file__).parent
GENERAL = [name for name, _ in SEAT_ROW]
GOLDEN = [
    ("na-grunwald", "base", 2, 11),
    ("na-grunwald", "base", 3, 12),
    ("na-grunwald", "base", 4, 13),
    ("na-grunwald", "events-market", 3, 14),
    ("polska", "base", 2, 21),
    ("polska", "base", 4, 22),
    ("polska", "ten-markers", 6, 23),
    ("grody", "base", 2, 38),
    ("grody", "blitz", 2, 32),
    ("korona-piastow", "base", 3, 31),
    ("korona-piastow", "base", 6, 32),
    ("korona-piastow", "quick-sieges", 4, 33),
]
IDLE = ("pass", "bid pass", "nothing", "decline", "done", "none")  # chosen now and then


def file_of(game: str, variant: str, players: int) -> Path:
    return TESTS / game.replace("-", "_") / "golden" / f"{variant}-{players}-players.txt"


def header(game: str, variant: str, players: int, seed: int) -> str:
    return f"# {game} {variant}, {players} players, deal seed {seed}"


def write_line(step) -> str:
    who = step.kind if step.seat < 0 else f"seat {step.seat}"
    options = f"  [{len(step.options)}]" if step.seat >= 0 else ""
    return f"{step.round} {who}: {step.label}{options}"


def result_lines(stepper: Stepper) -> list[str]:
    _, seats = stepper.result()
    own = stepper.result()[1].dtype.names
    own = [name for name in own if name not in GENERAL]
    return [
        f"result seat {p}: score {row.score:g}, rank {row['rank']}; " + ", ".join(f"{name} {row[name]}" for name in own)
        for p, row in enumerate(seats)
    ]


@pytest.mark.parametrize(("game", "variant", "players", "seed"), GOLDEN)
def test_golden_game(game, variant, players, seed):
    """Each line has round, seat, label and number of options; then come all columns of the result."""
    path = file_of(game, variant, players)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == header(game, variant, players, seed)
    game_lines = [line for line in lines[1:] if not line.startswith("result")]
    decisions = [line.split(": ", 1)[1].rsplit("  [", 1)[0] for line in game_lines if " seat " in line]
    found = get_game(game)
    stepper = Stepper.deal(found, load_variant(found, variant, Path()).rules, players, seed)
    for number, (step, line) in enumerate(zip(walk_labels(stepper, decisions), game_lines, strict=True), start=2):
        assert write_line(step) == line, f"{path.name}, line {number}"
    assert result_lines(stepper) == lines[1 + len(game_lines) :]


def write_golden() -> None:
    """Write all transcripts again: sensible choices at random seats."""
    for game, variant, players, seed in GOLDEN:
        rng = np.random.default_rng(seed)
        found = get_game(game)
        stepper = Stepper.deal(found, load_variant(found, variant, Path()).rules, players, seed)

        def choose(_, options, rng=rng):
            eager = [i for i, label in enumerate(options) if label not in IDLE and not label.startswith("drop")]
            cards = [i for i in eager if options[i].startswith("play") and "train" not in options[i]]
            wanted = cards if cards and rng.random() < 0.8 else eager
            return int(rng.choice(wanted)) if wanted and rng.random() < 0.9 else int(rng.integers(len(options)))

        lines = [header(game, variant, players, seed)]
        lines += [write_line(step) for step in walk(stepper, choose)]
        text = "\n".join([*lines, *result_lines(stepper)]) + "\n"
        file_of(game, variant, players).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_golden()
