"""Every shipped game has the same things in the same files, so that who has read one game knows the next."""

import ast

import pytest

from balance.contract.game import get_game

SKELETON = {
    "rules/ruleset.py": ("Rules",),
    "kernel/state.py": ("CHANCE", "RULES", "STATE", "COLUMNS", "LOG", "SCRATCH", "MOST_ACTIONS", "pack_rules"),
    "kernel/actions.py": ("OUTCOMES", "PARTS", "encode", "choice_block"),
    "kernel/dealing.py": ("count_components", "give_component"),
    "kernel/flow.py": ("setup", "legal_actions", "apply", "checkpoint"),
    "kernel/hidden.py": ("is_secret", "conceal", "determinize"),
    "kernel/scoring.py": ("write_result",),
    "heuristics/features.py": ("FEATURES", "evaluate", "estimate", "score_now"),
    "heuristics/network.py": ("CONTEXT", "context"),
    "display/names.py": ("WORDS",),
    "display/actions.py": ("ACTIONS", "OUTCOME_TEXTS", "kind_name", "list_actions"),
    "display/observation.py": ("Observation", "observe", "conserved"),
    "display/board.py": ("show", "summarise"),
    "analytics/__init__.py": ("MEASURES", "SCORE_PARTS"),
}


@pytest.mark.parametrize("name", ["na-grunwald", "polska", "grody", "korona-piastow"])
@pytest.mark.parametrize(("file", "names"), SKELETON.items(), ids=SKELETON)
def test_the_file_has_what_it_has_in_every_game(name, file, names):
    """Defined there, not only imported."""
    module = ast.parse((get_game(name).folder / file).read_text(encoding="utf-8"))
    defined = {
        name
        for node in module.body
        for name in (
            [node.name]
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
            else [each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
        )
    }
    assert set(names) <= defined
