"""A game moved to compiled functions: Pig of docs/own-game.md and Pig of docs/games.md play the same games."""

import re
from pathlib import Path

import pandas as pd
import pytest
from support.runs import play

import balance
from balance.contract.game import Game
from balance.contract.records import MOVES_HASH

ORDER = {
    "games": "game_id",
    "seats": "game_id, seat",
    "rounds": "game_id, round, seat",
    "trace": "game_id, step",
}
TRACED = ["game_id", "round", "seat", "kind", "label", "options"]
DOCS = Path(__file__).resolve().parents[2] / "docs"


def write_files(page: str, folder: Path) -> None:
    """Write the files of a page's Pig into a folder."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for title, block in re.findall(r"^```\w+ title=\"(pig/[^\"]+)\"\n(.*?)^```", text, re.S | re.M):
        path = folder / title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block, encoding="utf-8")


@pytest.mark.slow
def test_both_versions_of_pig_play_the_same_games(tmp_path, monkeypatch):
    """Every row of games, seats and rounds is the same; the trace too, without outcomes, which plain games lack."""
    for name in ("own-game", "games"):
        write_files(f"{name}.md", tmp_path / name)
    monkeypatch.syspath_prepend(tmp_path / "games")
    compiled = __import__("pig").GAME
    assert isinstance(compiled, Game)
    monkeypatch.setattr("balance.contract.game.find_games", lambda: {"pig": compiled})
    keys = {"players": [2, 3], "variants": ["base", "big-die"], "games": 300, "log": "trace"}
    runs = {
        name: balance.open_run(
            play(tmp_path / name, game=game, strategies=["random", "careful", "bold"], **keys)
        )
        for name, game in (("compiled", "pig"), ("plain", str(tmp_path / "own-game" / "pig")))
    }
    for table, order in ORDER.items():
        sql = f"SELECT * FROM {table} ORDER BY {order}"
        one, two = (runs[name].query(sql) for name in ("compiled", "plain"))
        two = two.drop(
            columns=MOVES_HASH, errors="ignore"
        )  # Pig has chance: its compiled rules need none
        if table == "trace":
            one, two = (
                each[each.kind != "outcome"][TRACED].reset_index(drop=True) for each in (one, two)
            )
        pd.testing.assert_frame_equal(one, two, check_dtype=False, check_like=True)
