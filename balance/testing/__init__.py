"""The contract suite: what every game must do, for ours and for a game of your own.

A test module of three lines runs all of it (with pytest)::

    from balance.testing import GameContract

    class TestNim(GameContract):
        game = "nim"
"""

from balance.testing.contract import GameContract
from balance.testing.oracle import agree

__all__ = ["GameContract", "agree"]
