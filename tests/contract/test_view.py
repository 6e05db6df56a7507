"""Deeds are found once and told by the table; drawings begin with what never changes."""

from types import SimpleNamespace

import numpy as np
import pytest

from balance.contract.actions import ActionTable, Deed
from balance.contract.records import Columns, log_type, rank_seats, set_standing
from balance.contract.view import draw, join_points, with_labels

ACTIONS = ActionTable(
    {
        0: Deed("pass", "{who} passes"),
        1: Deed("buy {coins}", "{who} pays {coins}", lambda rules, move: f"Shop of {rules}"),
        2: Deed("turn {coins}", "{coins}", "Deck", lambda rules, move, text: f"{rules}: {text}{move.who}"),
    },
    lambda code: (code % 4, {"coins": code // 4}),
    words={},
)


@pytest.mark.parametrize(
    ("code", "label", "told"),
    [
        (0, "pass", ("Ada passes", "")), (13, "buy 3", ("Ada pays 3", "Shop of Rome")),
        (10, "turn 2", ("Rome: 2Ada", "Deck")),
    ],
)  # fmt: skip
def test_a_deed_writes_and_tells_itself(code, label, told):
    """Its panel may depend on the move, and its sentence on the rules."""
    assert ACTIONS.write_label(code, "Rome") == label
    assert ACTIONS.tell("Rome", SimpleNamespace(code=code, who="Ada")) == told


def test_a_label_that_was_read_says_the_same():
    """In a trace there are labels alone."""
    assert ACTIONS.say("buy 3", "Ada") == "Ada pays 3"
    with pytest.raises(ValueError, match="sell"):
        ACTIONS.say("sell 3", "Ada")


def test_a_display_has_what_its_table_says():
    """A display's own function comes before that of its table."""
    display = with_labels(SimpleNamespace(ACTIONS=ACTIONS, say=len))
    assert display.write_label(13, None) == "buy 3"
    assert display.parts_of(13, None) == {"coins": 3}
    assert display.say is len
    assert not hasattr(with_labels(SimpleNamespace()), "say")


def test_a_column_is_declared_once():
    """Its field is an array if it is several columns; a column of rounds means what the one of seats does."""
    columns = Columns(
        game=[("turns", "i2", "Turns.")],
        seat=[("taken", "i2", {"first": "Taken first.", "second": "Taken second."}), ("hand", "i1", "Cards.")],
        round=[("hand", "i1")],
        rules=[("map", "map.name", "The map.")],
    )
    assert columns.names == {"taken": ("first", "second")}
    assert columns.meanings == {
        "games": {"turns": "Turns.", "map": "The map."},
        "seats": {"first": "Taken first.", "second": "Taken second.", "hand": "Cards."},
        "rounds": {"hand": "Cards."},
    }
    log = log_type(columns, 3, 2, 4)
    assert log["seats"].base["taken"].shape == (2,)
    assert log["history"].base.names == ("score", "hand")


def test_a_drawing_begins_with_what_never_changes():
    """One line for each part, so that a page stores the others once."""
    path = join_points([((0, 1), (2.4, 3))])
    first, *parts, last = draw((9.6, 4), "A & B", path, ["<a/>", "<b/>"]).split("\n")
    look = 'role="img" aria-label="A &amp; B" font-family="sans-serif"'
    assert first.endswith(f'viewBox="0 0 10 4" width="10" {look}>{path}')
    assert (path, parts, last) == ("M0 1L2 3", ["<a/>", "<b/>"], "</svg>")


def test_ranks_by_points_then_by_tie_breaks():
    """Equal standings share a rank, and the next rank is left out."""
    scratch = SimpleNamespace(standing=np.zeros((10, 4)))
    for seat, standing in enumerate([(5, 1), (7,), (5, 2), (5, 1), (3, 9, 9, 9)]):
        set_standing.py_func(scratch, seat, *standing)
    seats = [SimpleNamespace() for _ in range(5)]
    rank_seats.py_func(SimpleNamespace(players=5), scratch, seats)
    assert [seat.rank for seat in seats] == [3, 1, 2, 3, 5]
