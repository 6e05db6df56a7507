"""Tests of searchers (blind to hidden information, repeatable, legal in every phase) and of components."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from balance.contract.analytics import Component
from balance.contract.game import Game, component_kernel, components_of
from balance.contract.records import MAX_SEATS, blank
from balance.engine.giving import counts_type
from balance.engine.search.thinker import Thinker
from balance.engine.stepper import Stepper, walk
from balance.experiments.searchers import default_search
from balance.experiments.strategies import Strategy, pack_strategies
from balance.foundation.compiling import compiled_copy
from balance.testing.cases import Cases, as_far_as, skip

if TYPE_CHECKING:
    from balance.engine.joined import apply, legal_actions


class ComponentTests(Cases):
    """Tests of a game's components; skipped if the game has none."""

    def _components(self) -> list[Component]:
        found = components_of(self.subject, self.rules())
        if not found:
            skip("the game has no components")
        return found

    def _count(self, stepper: Stepper) -> Any:
        kernel = component_kernel(self.subject)
        counts = blank(1, counts_type(MAX_SEATS, kernel.MOST_COMPONENTS))[0]
        kernel.count_components(stepper.packed, stepper.state, stepper.log, counts)
        return counts

    def test_components_are_counted(self, players: int) -> None:
        """Counts never decrease, counting changes nothing, and every component that turns up has a name."""
        components, turned_up = self._components(), 0
        for stepper, rng in self.deals(players):
            shown, taken = np.zeros(1, int), np.zeros(1, int)
            for _ in as_far_as(walk(stepper, self.chooser(rng)), type(self).most_steps):
                state = stepper.state.tobytes()
                counts = self._count(stepper)
                assert stepper.state.tobytes() == state, "counting components changes the state"
                more = (counts.shown >= shown).all()
                assert more, "a count of components that turned up has decreased"
                more = (counts.taken >= taken).all()
                assert more, "a count of components that were taken has decreased"
                shown, taken = counts.shown.copy(), counts.taken.copy()
            assert not shown[len(components) :].any(), "a component without a name turned up"
            turned_up += int(shown.sum())
        assert turned_up > 0, "no component ever turned up"

    def test_components_can_be_given(self, players: int) -> None:
        """A component that has just turned up can be given to any seat, and the game continues."""
        components, given = self._components(), 0
        for stepper, rng in self.deals(players):
            before = np.zeros(len(components), int)
            steps = as_far_as(walk(stepper, self.chooser(rng)), type(self).most_steps // 4)
            for _ in steps:
                shown = self._count(stepper).shown[: len(components)].astype(int)
                for number in np.flatnonzero(shown > before):
                    if components[number].given:
                        given += self._give(stepper.copy(), int(number), int(rng.integers(players)), rng)
                before = shown
        assert given > 0, "no component could be given"

    def _give(self, stepper: Stepper, number: int, seat: int, rng: np.random.Generator) -> bool:
        """Give a component, check that the state has changed, and continue for a few steps."""
        kernel = component_kernel(self.subject)
        shown = self._count(stepper).shown.copy()
        possible = bool(kernel.give_component(stepper.packed, stepper.state, stepper.log, number, seat))
        assert (self._count(stepper).shown == shown).all(), "give_component must not count as turning up"
        for _ in as_far_as(walk(stepper, self.chooser(rng)), 30):
            pass
        return possible


EVERY = 4  # one decision in this number is searched


class SearchTests(Cases):
    """Tests of searchers; `iterations` are few, because strength does not matter here."""

    iterations = 12

    def thinker(self, players: int, game: Game | None = None) -> Thinker:
        """Return the game's default searcher, which uses the rules of `game` (default: the game's own)."""
        search = default_search(self.subject, type(self).iterations)
        packed = pack_strategies(self.subject, [Strategy("s", "search", search=search)], players)
        _, weights, searchers = packed
        assert searchers is not None
        return Thinker(game or self.subject, weights, searchers)

    def test_a_searcher_is_blind(self, variant: str) -> None:
        """After a determinization, with the same random stream, a searcher has the same values and choice."""
        players = self.players_of(variant)
        thinker, rng = self.thinker(players), np.random.default_rng(2)
        for number, stepper in enumerate(self.decisions(players, variant)):
            if number % EVERY:
                continue
            other = stepper.copy()
            other.determinize(int(rng.integers(2**62)))
            before = stepper.state.tobytes()
            chosen = thinker.think(stepper, number)
            assert stepper.state.tobytes() == before, "a search changes the game"
            same = repr(thinker.think(other, number)) == repr(chosen)
            assert same, "a searcher uses hidden information"
            legal = chosen[0] in stepper.options()
            assert legal, f"a searcher chooses {chosen[0]!r}, which is not legal"

    def test_a_search_keeps_the_rules(self, players: int) -> None:
        """Every action in the tree and in rollouts is legal in its deal."""
        thinker = self.thinker(players, strict(self.subject))
        for number, stepper in enumerate(self.decisions(players)):
            if number % EVERY == 0:
                thinker.think(stepper, number)


def strict(game: Game) -> Game:
    """Return the game with an AssertionError for illegal actions, in compiled code too."""
    kernel = game.kernel
    names = {name: getattr(kernel, name) for name in dir(kernel) if not name.startswith("__")}
    name = f"apply_legal_{game.name.replace('-', '_')}"
    apply_legal = compiled_copy(_apply_legal, names, name, game.folder / "kernel" / "__init__.py")
    strict_game = dataclasses.replace(game, name=f"strict-{game.name}")  # compiled apart
    strict_game.__dict__["kernel"] = SimpleNamespace(**{**names, "apply": apply_legal})
    return strict_game


def _apply_legal(rules, state, log, scratch, code):  # type: ignore[no-untyped-def]
    """Stands for `apply`; the game's functions are its globals."""
    count = legal_actions(rules, state, scratch, scratch.codes)
    for i in range(count):
        if scratch.codes[i] == code:
            apply(rules, state, log, scratch, code)
            return
    raise AssertionError("a search applies an action that is not legal")
