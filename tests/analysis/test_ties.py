"""Ties against a count of every game."""

from __future__ import annotations

import pandas as pd
import pytest
from support.runs import play

from balance.analysis.gather import gather
from balance.analysis.spread import BROKEN, JOINT, SHARED, ties_question
from balance.runs.folder import RunFolder


def test_ties_are_those_of_the_scores(tmp_path):
    """Shared best scores, and one or several winners among them, equal a full count."""
    path = play(tmp_path / "run", players=[2, 4], strategies=["random"], games=400)
    question = ties_question()
    found = gather(RunFolder.open(path), [question])[question].set_index(["players", "measure"])
    kinds: dict[int, list[tuple[bool, int]]] = {2: [], 4: []}
    for _, seats in pd.read_parquet(path / "seats").groupby("game_id"):
        best = (seats["score"] == seats["score"].max()).sum() > 1
        kinds[len(seats)].append((bool(best), int((seats["rank"] == 1).sum())))
    for players, games in kinds.items():
        share = {
            SHARED: sum(best for best, _ in games),
            BROKEN: sum(best and winners == 1 for best, winners in games),
            JOINT: sum(winners > 1 for _, winners in games),
        }
        for measure, count in share.items():
            row = found.loc[(players, measure)]
            assert row["value"] == pytest.approx(100 * count / 400)
            assert row["low"] <= row["value"] <= row["high"] and row["n"] == 400
    assert found.loc[(4, SHARED), "value"] > 0
