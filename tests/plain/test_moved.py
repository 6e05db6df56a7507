"""A game moved to compiled functions: both versions of examples/crazy_eights play the same games."""

import shutil
from pathlib import Path

import pandas as pd
import pytest
from support.runs import play

import balance
from balance.contract.game import Game
from balance.contract.records import MOVES_HASH

ORDER = {"games": "game_id", "seats": "game_id, seat", "rounds": "game_id, round, seat", "trace": "game_id, step"}
TRACED = ["game_id", "round", "seat", "kind", "label", "options"]
COMPILED_ALONE = {"blocked", "cards_left"}  # games in plain Python have no columns of games and rounds
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "crazy_eights"


@pytest.mark.slow
def test_both_versions_play_the_same_games(tmp_path, monkeypatch):
    """Every row of games, seats and rounds is the same; the trace too, without outcomes, which have no labels."""
    example = shutil.copytree(EXAMPLE, tmp_path / "example", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(example / "crazy_eights" / "profiles", example / "plain" / "profiles")
    monkeypatch.syspath_prepend(example)
    compiled = __import__("crazy_eights").GAME
    assert isinstance(compiled, Game)
    monkeypatch.setattr("balance.contract.game.find_games", lambda: {"crazy-eights": compiled})
    keys = {"players": [2, 3], "variants": ["base", "skips"], "games": 60, "log": "trace"}
    runs = {
        name: balance.open_run(play(tmp_path / name, game=game, strategies=["random", "thrifty", "hasty"], **keys))
        for name, game in (("compiled", "crazy-eights"), ("plain", str(example / "plain")))
    }
    for table, order in ORDER.items():
        sql = f"SELECT * FROM {table} ORDER BY {order}"
        one, two = (runs[name].query(sql) for name in ("compiled", "plain"))
        if table == "trace":
            one, two = (each[each.kind != "outcome"][TRACED].reset_index(drop=True) for each in (one, two))
        one = one.drop(columns=COMPILED_ALONE, errors="ignore")
        two = two.drop(columns=MOVES_HASH, errors="ignore")  # compiled rules with chance need none
        pd.testing.assert_frame_equal(one, two, check_dtype=False, check_like=True)
