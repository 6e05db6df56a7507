"""Chance in plain Python draws the numbers of the compiled streams."""

import random

import numpy as np
import pytest

from balance.foundation.streams import GOLDEN, derive_many, scramble
from balance.plain.chance import Chance, derive

SEED = 1234567890123456789


def words(seed: int, count: int) -> np.ndarray:
    """Return the first numbers of a stream, computed with NumPy."""
    return scramble(np.uint64(seed) + GOLDEN * np.arange(1, count + 1, dtype=np.uint64))


@pytest.mark.parametrize("number", [0, 1, 64, 1000])
def test_streams_have_the_same_seeds(number):
    assert derive(SEED, number) == int(derive_many(SEED, number)[0])


def test_dice_are_those_of_draw_below():
    """`randint` multiplies the high 32 bits, as the compiled function does."""
    expected = [1 + ((int(word) >> 32) * 6 >> 32) for word in words(SEED, 50)]
    chance = Chance(SEED)
    assert [chance.randint(1, 6) for _ in range(50)] == expected


def test_a_shuffle_is_that_of_the_compiled_function():
    """Fisher-Yates from the last card down."""
    expected = list(range(20))
    for last, word in zip(range(19, 0, -1), words(SEED, 19), strict=True):
        other = (int(word) >> 32) * (last + 1) >> 32
        expected[last], expected[other] = expected[other], expected[last]
    cards = list(range(20))
    Chance(SEED).shuffle(cards)
    assert cards == expected


def test_all_methods_depend_on_the_stream_alone():
    """Two generators at one state draw the same, whatever was drawn before."""
    one, two = Chance(1), Chance(2)
    one.gauss(), two.random()
    one.word = two.word = 99
    for method, given in (
        ("random", ()), ("gauss", ()), ("choice", ("abcdef",)), ("sample", (range(50), 5)), ("uniform", (0, 9)),
        ("getrandbits", (100,)), ("choices", ("abc", [1, 2, 3])),
    ):  # fmt: skip
        assert getattr(one, method)(*given) == getattr(two, method)(*given)


def test_it_can_not_be_seeded():
    with pytest.raises(TypeError, match="the experiment seeds chance"):
        Chance(1).seed(3)


@pytest.mark.parametrize("count", [0, 1, 2, 15, 16, 17, 52, 500])
def test_a_shuffle_and_a_die_draw_as_those_of_random(count):
    """A long sequence draws its numbers at once: the same order, and the stream goes on from the same place."""
    mine, theirs = Chance(count + 3), Chance(count + 3)
    things, others = list(range(count)), list(range(count))
    mine.shuffle(things)
    random.Random.shuffle(theirs, others)
    assert things == others and mine.word == theirs.word
    assert mine.randint(1, 6) == random.Random.randint(theirs, 1, 6) and mine.word == theirs.word
    with pytest.raises(ValueError):
        mine.randint(2, 1)
