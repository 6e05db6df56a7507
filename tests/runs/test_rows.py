"""Rows of a trace as columns: each row has the words and parts of its own code, however few codes there are."""

import numpy as np
import pyarrow as pa
import pytest
from support.runs import plan_of

from balance.contract.game import get_game
from balance.contract.view import TraceWords
from balance.engine.buffers import Rows
from balance.runs.rows import RowWriter, distinct_rows, take_numbers
from balance.testing.digest import play_some


@pytest.mark.parametrize("game", ["na-grunwald", "korona-piastow"])
def test_each_row_of_a_trace_has_the_words_of_its_code(game):
    """Column by column, as words and parts are written for a single row."""
    strategies = ["random", *get_game(game).shipped("profiles")]
    plan = plan_of(game=game, players=[2], strategies=strategies, games=4, log="trace")
    rows: Rows = play_some(plan.game, 2, 4).rows
    table = RowWriter(plan, plan.cells[0]).tables(rows, np.zeros((4, 2), int), 4, len(rows.trace))["trace"]
    words = TraceWords(plan.game.kernel, plan.game.display, plan.cells[0].variant.rules)
    found = table.to_pylist()
    assert len(found) > 100
    for row, (code, parts) in zip(found, rows.trace[["code", "parts"]].tolist(), strict=True):
        own = words.parts(code, parts)
        assert row["label"] == words.label(code, parts)
        assert (row["kind"], row["outcome"]) == (words.kind(code), words.outcome(code))
        for name in plan.game.kernel.PARTS:
            number = own.get(name)
            named = name in words.words and number is not None
            assert row[name] == (words.words[name][number] if named else number), (row["label"], name)


@pytest.mark.parametrize("largest", [3, 2**31 - 1])
def test_distinct_rows_are_numbered(largest):
    """Rows of a few small numbers, and of numbers whose combinations exceed 64 bits."""
    rng = np.random.default_rng(1)
    rows = rng.integers(-largest, largest, (500, 9))[rng.integers(0, 500, 3000)].astype(np.int32)
    distinct, which = distinct_rows(rows)
    assert (distinct[which] == rows).all()
    assert len(np.unique(distinct, axis=0)) == len(distinct)


def test_values_are_spread_as_arrow_takes_them():
    """With and without missing values, for a number of rows that fills no whole byte."""
    which = np.random.default_rng(2).integers(0, 3, 1001).astype(np.int32)
    for values in ([7, None, -5], [7, 8, -5]):
        assert take_numbers(values, which).equals(pa.array(values, pa.int32()).take(pa.array(which)))
