"""The contract suite: tests that every game must pass, the shipped games and your own.

A test module of three lines runs all of it (with pytest)::

    from balance.testing import GameContract

    class TestNim(GameContract):
        game = "nim"
"""

from __future__ import annotations

from pathlib import Path

from balance.contract.game import faction_column, list_factions
from balance.experiments.variants import load_variant
from balance.testing.cases import skip
from balance.testing.decision_tests import DecisionTests, InvariantTests, TellingTests
from balance.testing.loop_tests import LoopTests
from balance.testing.oracle import Oracle, Pick, agree, pick_any
from balance.testing.search_tests import ComponentTests, SearchTests

__all__ = ["GameContract", "agree"]


class GameContract(DecisionTests, InvariantTests, LoopTests, SearchTests, TellingTests, ComponentTests):
    """All tests that a game must pass; for the first attributes see `balance.testing.cases.Cases`.

    Attributes
    ----------
    oracle : callable or None
        The same rules in plain Python (see `balance.testing.oracle.Oracle`), as a staticmethod.
    oracle_games : int
        Games of each variant and player count that both play.
    pick : callable
        Chooses actions in games with the oracle (see `balance.testing.oracle.Pick`), as a staticmethod.
    """

    oracle: Oracle | None = None
    oracle_games = 5
    pick: Pick = staticmethod(pick_any)

    def test_it_is_whole(self) -> None:
        """Every module has the names of the contract; records, columns and bounds fit."""
        game = self.subject
        for name in ("rules", "kernel", "heuristics", "display", "analytics"):
            assert getattr(game, name)  # raises an error for missing names
        assert game.records.state.itemsize > 0
        assert game.shipped("profiles"), "no profile ships with the game"
        if column := faction_column(game):
            rules = load_variant(game, "base", Path()).rules
            assert list_factions(game, rules), "list_factions lists none of the base rules"
            assert column in game.column_meanings["seats"], f"FACTION: {column} is not a column of seats"

    def test_variants_survive_run_json(self, variant: str) -> None:
        """A rule set written to `run.json` and read back is the same, and has a title and description."""
        rules = load_variant(self.subject, variant, Path()).rules
        again = self.subject.rules.Rules.model_validate(rules.model_dump(by_alias=True))
        assert again == rules, f"{variant} differs when it is read back"
        assert rules.title and rules.description, f"{variant} lacks a title or description"

    def test_the_oracle_agrees(self, variant: str) -> None:
        """Plain Python and the compiled rules play the same games; skipped without an oracle."""
        oracle = type(self).oracle
        if oracle is None:
            skip("no oracle is given")
        rules = load_variant(self.subject, variant, Path()).rules
        for players in self.subject.players:
            for seed in range(type(self).oracle_games):
                agree(self.subject, rules, players, seed, oracle, type(self).pick)
