"""The stub of the names that the engine's functions share is what a loop binds."""

import ast
from pathlib import Path

from balance.contract.game import get_game
from balance.engine import loop


def test_the_stub_names_what_the_loop_of_a_game_binds():
    """A game with components and features for networks binds all of them."""
    bound = loop.join(get_game("korona-piastow"), loop.SEARCHES, restricts=True)
    stub = ast.parse((Path(loop.__file__).parent / "joined.pyi").read_text("utf-8"))
    declared = {each.name for each in stub.body if isinstance(each, ast.FunctionDef)}
    declared |= {each.targets[0].id for each in stub.body if isinstance(each, ast.Assign)}
    assert declared - bound.keys() == set()
