"""What learned players see of states of every make."""

from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from balance.plain.inputs import Reader, word_of
from balance.training.plain_inputs import infer


class Colour(Enum):
    RED = 1
    BLUE = 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([Colour.BLUE, Colour.RED, Colour.RED], [Colour.RED, Colour.BLUE, Colour.RED]),
        ({Colour.RED: 1, Colour.BLUE: 2}, {Colour.RED: 2, Colour.BLUE: 2}),
        ({(0, 1): "x", (1, 1): "-"}, {(0, 1): "-", (1, 1): "-"}),
        (np.array([[1, 2], [3, 4]]), np.array([[1, 2], [4, 4]])),
        ([np.int64(2), 1, 0], [np.int64(1), 1, 0]),
        (Fraction(1, 2), Fraction(1, 3)),
        ([Decimal(1), Decimal(2)], [Decimal(1), Decimal(3)]),
    ],
    ids=["list of names", "dict by name", "board by place", "array", "numbers of arrays", "fraction", "decimals"],
)
def test_positions_that_differ_look_different(one, other):
    """Whatever a state is made of, a player tells it from another one."""
    views = [SimpleNamespace(it=each) for each in (one, other)]
    reader = Reader(infer([(each, 0) for each in views], 2), 2)
    first, second = (reader.read(each, 0)[0] for each in views)
    assert sorted(first) != sorted(second)


def test_a_number_of_any_kind_is_a_number():
    """Only what is neither number nor text is known by the name of its class."""
    assert word_of(np.int64(3)) == 3 and word_of(np.bool_(True)) == 1 and word_of(Fraction(1, 2)) == 0.5
    assert word_of(object()) == "object"
