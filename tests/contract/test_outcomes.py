"""Outcomes: declared, worded, and nowhere worked out again outside the compiled rules."""

import ast
from pathlib import Path

import numpy as np
import pytest

from balance.contract.game import find_games
from balance.contract.records import MOST_PARTS, OUTCOME
from balance.contract.view import tell, words_of
from balance.engine.stepper import Stepper, moves_of, walk
from balance.experiments.variants import load_variant

CONSTANTS = {"state", "actions"}  # modules whose numbers and names anybody may use
GAMES = list(find_games().values())


def imported(path: Path, package: str):
    """Yield the module and name of every import from a package."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(package):
            yield from ((node.module.removeprefix(package).strip("."), each.name) for each in node.names)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_is_shown_only_looks_at_the_rules(game):
    """`display` and `analytics` ask look-ups of the kernel, apply no rule and replay no game."""
    package = f"balance.games.{game.folder.name}.kernel"
    for folder in ("display", "analytics"):
        for path in sorted((game.folder / folder).rglob("*.py")):
            for module, name in imported(path, package):
                constant = module.split(".")[0] in CONSTANTS or (not module and name in CONSTANTS)
                assert constant or name.startswith("look_at_") or name == "pack_rules", (path, name)
            engine = list(imported(path, "balance.engine"))
            assert not engine or folder == "display", (path, engine)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_outcomes_are_declared_and_worded(game):
    """Every outcome has parts with meanings, few enough, and a text; every word belongs to a column or part."""
    kernel, texts = game.kernel, game.display.OUTCOME_TEXTS
    assert list(kernel.OUTCOMES) == list(texts)
    for parts in kernel.OUTCOMES.values():
        assert set(parts) <= set(kernel.PARTS)
        assert len(parts) <= MOST_PARTS


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_parts_are_told_in_words_that_exist(game):
    """Random games: numbers of worded parts have a word, outcomes have a text, and positions follow each other."""
    rules = load_variant(game, "base", Path()).rules
    words = words_of(game.display, rules)
    rng = np.random.default_rng(5)
    seen = set()
    for seed, players in enumerate(game.players):
        stepper = Stepper.deal(game, rules, players, seed)
        names = [f"player {seat}" for seat in range(players)]
        last = None
        for step, move in moves_of(stepper, walk(stepper, lambda _, options: int(rng.integers(len(options)))), names):
            for name, number in step.parts.items():
                assert name in game.kernel.PARTS
                assert name not in words or -1 <= number < len(words[name])
            told = tell(game.display, rules, move)
            assert all(each.text for each in told)
            if move.kind == OUTCOME:
                seen.add(move.outcome)
                assert set(move.parts) == set(game.kernel.OUTCOMES[move.outcome])
                assert last is None or last == move.before.tobytes()
            last = move.after.tobytes()
    assert seen <= set(game.kernel.OUTCOMES)
    assert len(seen) >= min(4, len(game.kernel.OUTCOMES))
