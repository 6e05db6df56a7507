"""The contract suite: tests that every game must pass, the shipped games and your own.

A test module of three lines runs all of it (with pytest)::

    from balance.testing import GameContract

    class TestNim(GameContract):
        game = "nim"
"""

from balance.testing.contract import GameContract
from balance.testing.oracle import agree

__all__ = ["GameContract", "agree"]
