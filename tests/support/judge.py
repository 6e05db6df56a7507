"""Judge of a run of Na Grunwald! that uses its files and the oracle, and no rules of the package."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from balance.testing.oracle import compare_rows
from support.oracles import na_grunwald as oracle


def judge_run(run: Path) -> int:
    """Judge every game of a run from its files alone; returns their number."""
    info = json.loads((run / "run.json").read_text())
    games = pq.read_table(run / "games").to_pylist()
    steps: dict[int, list] = {}
    for row in pq.read_table(run / "trace").to_pylist():
        steps.setdefault(row["game_id"], []).append(row)
    seats: dict[int, list] = {}
    for row in pq.read_table(run / "seats").to_pylist():
        seats.setdefault(row["game_id"], []).append(row)
    for game in games:
        rows = sorted(steps[game["game_id"]], key=lambda row: row["step"])
        assert [row["step"] for row in rows] == list(range(len(rows)))
        assert sum(row["seat"] >= 0 for row in rows) == game["decisions"]
        _, asking = oracle.play(info["variants"][game["variant"]], game["players"])
        question = next(asking)
        for row in rows:
            if row["kind"] == "outcome":
                continue
            found = (row["round"], row["seat"], row["kind"])
            assert found == (question.round, question.seat, question.kind)
            assert row["options"] == (len(question.labels) if row["seat"] >= 0 else 0)
            try:
                question = asking.send(row["label"])
            except StopIteration as end:
                expected = end.value
        found_rows = sorted(seats[game["game_id"]], key=lambda row: row["seat"])
        compare_rows(expected, found_rows)
        shares = [row["win_share"] for row in found_rows]
        assert shares == pytest.approx([row["win_share"] for row in expected])
        assert game["winners"] == sum(share > 0 for share in shares)
    return len(games)
