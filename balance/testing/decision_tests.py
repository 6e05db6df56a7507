"""Tests of decisions (legal actions, labels, copies, replays, words) and of invariants in every position."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from copy import deepcopy

import numpy as np

from balance.contract.modules import QUICKER
from balance.contract.records import CHANCE, LARGEST_FEATURE, OUTCOME, visible_to
from balance.contract.restrictions import check_patterns, make_classifier, restrictions_of
from balance.contract.view import name_round, tell
from balance.engine.stepper import Step, Stepper, moves_of, walk, walk_labels
from balance.foundation.streams import derive_many
from balance.testing.cases import Cases, as_far_as, describe, same_records, skip


class TellingTests(Cases):
    """Tests of a game's sentences and of its `name_round`."""

    def test_moves_are_told(self, players: int) -> None:
        """Every move has words and a position that can be shown; states stay unchanged."""
        display = self.subject.display
        names = [f"player {seat + 1}" for seat in range(players)]
        for stepper, rng in self.deals(players):
            steps = as_far_as(walk(stepper, self.chooser(rng)), type(self).most_steps)
            for _, move in moves_of(stepper, steps, names):
                states = move.before.tobytes(), move.after.tobytes()
                told = tell(display, stepper.rules, move)
                for each in told:
                    assert each.text, f"an empty text for {move.label!r}"
                    panels = display.show(stepper.rules, each.observation, names)
                    titles = {panel.title for panel in panels}
                    assert not each.about or each.about in titles, f"there is no panel {each.about!r}"
                    lines = display.summarise(each.observation, names)
                    assert len(lines) == players, "summarise must return one line for every player"
                    assert isinstance(name_round(display, stepper.rules, each.observation), str)
                after = move.before.tobytes(), move.after.tobytes()
                assert after == states, f"the words for {move.label!r} changed a state"


class InvariantTests(Cases):
    """Conservation and blindness, in every variant."""

    def test_what_is_conserved(self, variant: str) -> None:
        """Quantities that `conserved` returns stay constant, and its conditions are true."""
        players = self.players_of(variant)
        expected = next(self._conserved(stepper) for stepper, _ in self.deals(players, variant))
        for stepper, step in self.walks(players, variant):
            found = self._conserved(stepper)
            false = [name for name, value in found.items() if value is False]
            assert not false, f"before {step}: {', '.join(false)} does not hold"
            assert found == expected, f"before {step}: {found}, not {expected}"

    def _conserved(self, stepper: Stepper) -> dict[str, object]:
        found = dict(deepcopy(self.subject.display.conserved(stepper.rules, stepper.state)))
        assert found, "`conserved` returns nothing: return at least quantities that are never below 0"
        return found

    def test_blindness(self, variant: str) -> None:
        """After a determinization, a seat has the same observation, legal actions and values."""
        game, rng = self.subject, np.random.default_rng(1)
        changed, players = 0, self.players_of(variant)
        names = [f"seat {seat}" for seat in range(players)]
        for stepper in self.decisions(players, variant):
            other = stepper.copy()
            other.determinize(int(rng.integers(2**62)))
            changed += other.state.tobytes() != stepper.state.tobytes()
            kept = self._conserved(other) == self._conserved(stepper)
            assert kept, "`determinize` changed a conserved quantity"
            assert other.options() == stepper.options(), "the legal actions reveal hidden information"
            seen, again = stepper.observe(), other.observe()
            shown = [game.display.show(stepper.rules, each, names) for each in (seen, again)]
            lines = [game.display.summarise(each, names) for each in (seen, again)]
            same = shown[0] == shown[1] and lines[0] == lines[1]
            assert same, "the panels of an observation show hidden information"
            assert repr(seen) == repr(again), "an observation contains hidden information"
            self._same_values(stepper, other)
            for each in (known := stepper.copy()), other:
                each.conceal()
            self._sees_the_same(stepper, other)
            self._sees_the_same(stepper, known)
            same = same_records(known.state, other.state)
            assert same, "`conceal` leaves hidden information in the state"
            same = repr(known.observe()) == repr(seen)
            assert same, "`conceal` removes information that the seat may see"
        assert changed, "`determinize` changes nothing: it must deal hidden cards and future rolls again"

    def _sees_the_same(self, one: Stepper, two: Stepper) -> None:
        seen, again = (visible_to(each.state, one.seat) for each in (one, two))
        changed = [name for name, value in seen.items() if not np.array_equal(value, again[name])]
        assert not changed, (
            f"STATE: {', '.join(changed)} differ after `determinize` or `conceal`; if seats can't see them, declare "
            "them OWN or SECRET"
        )

    def _same_values(self, one: Stepper, two: Stepper) -> None:
        for weights in self.weights:
            values, others = one.evaluate(weights), two.evaluate(weights)
            assert np.array_equal(values, others, equal_nan=True), "a profile uses hidden information"
        if self.subject.network_functions:
            pairs = zip(describe(one), describe(two), strict=True)
            assert all(map(np.array_equal, *zip(*pairs, strict=True))), "a network uses hidden information"

    def test_actions_are_listed(self, variant: str) -> None:
        """`list_actions` lists every legal action, and no code twice; skipped if the game has none."""
        if not hasattr(self.subject.display, "list_actions"):
            skip("the game has no `list_actions`")
        players = self.players_of(variant)
        listed = list(self.subject.display.list_actions(self.rules(variant), players))
        codes = set(listed)
        assert len(codes) == len(listed), "`list_actions` lists a code twice"
        for stepper in self.decisions(players, variant):
            for label, code in zip(stepper.options(), stepper.codes.tolist(), strict=False):
                assert code in codes, f"`list_actions` lacks {label!r}"

    def test_values_are_finite(self, variant: str) -> None:
        """Every profile values every legal action, and networks get numbers of the order of 1."""
        for stepper in self.decisions(self.players_of(variant), variant):
            for weights in self.weights:
                assert np.isfinite(stepper.evaluate(weights)).all(), stepper.options()
            if self.subject.network_functions:
                head, context, actions = describe(stepper)
                assert 0 <= head < len(self.subject.network_features.heads), f"there is no head {head}"
                most = max(np.abs(context).max(), np.abs(actions).max())  # nan or inf fail too
                assert most <= LARGEST_FEATURE, f"a feature of a network is {most}: divide it by its usual size"


_STORIES = 8  # games; each source of chance must change at least one of them


_SEARCHED = 40  # games in which each restriction must concern an action


class DecisionTests(Cases):
    """Tests of every decision."""

    def test_restrictions_concern_actions(self) -> None:
        """Every restriction of the game has a title, and concerns an action that is legal in one of some games."""
        game, named = self.subject, restrictions_of(self.subject)
        for name, each in named.items():
            check_patterns(game, each.patterns, f"RESTRICTIONS: {name}")
            assert each.title and "," not in name, f"RESTRICTIONS: {name} needs a title, and no comma"
        rules, met = self.rules(), 0
        classify = make_classifier(game, rules, list(named.values()))
        for seed in range(_SEARCHED):
            if met == (1 << len(named)) - 1:
                break
            players = game.players[seed % len(game.players)]
            stepper = Stepper.deal(game, rules, players, seed)
            for step in walk(stepper, self.chooser(np.random.default_rng(seed))):
                if step.seat != CHANCE:
                    for code in stepper.codes[: len(step.options)].tolist():
                        met |= classify(code)
        unmet = [name for bit, name in enumerate(named) if not met >> bit & 1]
        assert not unmet, f"RESTRICTIONS: no action matches {', '.join(unmet)}"

    def test_legal_sets(self, players: int) -> None:
        """Every decision has a legal action; labels are unique; each action has a kind and words."""
        display = self.subject.display
        for stepper in self.decisions(players):
            options = stepper.options()
            assert options, "a seat must choose, but has no legal action"
            assert len(options) <= self.subject.records.most_actions, "more actions than MOST_ACTIONS"
            assert len(set(options)) == len(options), f"two actions have one label: {options}"
            assert 0 <= stepper.seat < players, f"seat {stepper.seat} does not exist"
            for code, label in zip(stepper.codes[: len(options)].tolist(), options, strict=True):
                kind = display.kind_name(code)
                assert kind not in ("", "chance"), f"{label!r} is of kind {kind!r}"
                assert display.say(label, "Ada"), f"say returns nothing for {label!r}"
                self._parts_are_known(stepper.words.parts(code, ()), label)

    def test_actions_without_a_list(self, variant: str) -> None:
        """Counting, numbering and weighing actions agree with their list; skipped without `count_actions`."""
        functions = self.subject.compiled_functions
        if "count_actions" not in functions:
            skip("the game has no count_actions")
        count, nth, best = (functions[name] for name in QUICKER)
        for stepper in self.decisions(self.players_of(variant), variant):
            position = (stepper.packed, stepper.state, stepper.scratch)
            listed = stepper.codes[: len(stepper.options())].tolist()
            counted = count(*position)
            assert counted == len(listed), "count_actions differs from the number of listed actions"
            found = [int(nth(*position, n)) for n in range(len(listed))]
            assert found == listed, "nth_action differs from the list of actions"
            for weights in self.weights:
                first = listed[int(np.argmax(stepper.evaluate(weights)))]
                taken = int(best(*position, weights, count(*position)))
                assert taken == first, "best_action is not the first of the highest values"

    def test_chance_is_told(self, players: int) -> None:
        """Codes of chance outcomes have the kind `chance` and words."""
        display = self.subject.display
        for stepper, _ in self.walks(players):
            for step in stepper.recorded():
                self._parts_are_known(step.parts, step.label)
                if step.kind != OUTCOME:
                    assert step.kind == "chance", f"the kind of {step.label!r} is not chance"
                    assert display.say(step.label, ""), f"say returns nothing for {step.label!r}"

    def _parts_are_known(self, parts: Mapping[str, int], label: str) -> None:
        unknown = set(parts) - set(getattr(self.subject.kernel, "PARTS", {}))
        assert not unknown, f"{label!r} has parts that PARTS lacks: {unknown}"

    def test_looking_changes_nothing(self, players: int) -> None:
        """Listing options, evaluating them and observing leave state and log unchanged."""
        display = self.subject.display
        names = [f"seat {seat}" for seat in range(players)]
        for stepper in self.decisions(players):
            state, log = stepper.state.tobytes(), stepper.log.tobytes()
            stepper.evaluate(self.weights[0])
            for seat in range(players):
                seen = stepper.observe(seat)
                assert _can_be_sent(seen), "an observation can't be pickled for a bot's process"
                assert display.show(stepper.rules, seen, names), "nothing to show"
                lines = display.summarise(seen, names)
                assert len(lines) == players, "summarise must return one line for every player"
            assert stepper.state.tobytes() == state, "looking at a game changed its state"
            assert stepper.log.tobytes() == log, "looking at a game changed its log"

    def test_traces_are_replayed(self, players: int) -> None:
        """Replaying the labels of a game from the same deal gives the same steps and rows."""
        for stepper, rng in self.deals(players):
            seed = int(rng.integers(2**62))
            one = Stepper.deal(self.subject, stepper.rules, players, seed)
            steps = list(as_far_as(walk(one, self.chooser(rng)), type(self).most_steps))
            two = Stepper.deal(self.subject, stepper.rules, players, seed)
            labels = [step.label for step in steps if step.seat != CHANCE]
            labels += [] if one.over else one.options()[:1]  # the last decision, not carried out
            again = list(as_far_as(walk_labels(two, labels), len(steps)))
            assert again == steps, "a replay differs"
            assert same_records(one.state, two.state), "a replay ends in another state"

    def test_every_source_of_chance_tells(self, players: int) -> None:
        """Re-seeding one source of chance, with everything else unchanged, changes at least one game."""
        before = [self._story(players, seed) for seed in range(_STORIES)]
        for source, name in enumerate(self.subject.kernel.CHANCE):
            again = (self._story(players, seed, source) for seed in range(_STORIES))
            differ = any(one != two for one, two in zip(before, again, strict=True))
            assert differ, f"CHANCE: re-seeding {name} changes nothing"

    def _story(self, players: int, seed: int, reseeded: int | None = None) -> list[Step]:
        """Return a game of random choices, optionally with one source of chance re-seeded."""
        stepper = Stepper(self.subject, self.rules(), players)
        streams = stepper.state.chance
        streams[:] = derive_many(seed, np.arange(len(streams)))
        if reseeded is not None:
            streams[reseeded] = seed
        stepper.log.keep_chance = stepper.log.keep_outcomes = 1
        self.subject.kernel.setup(stepper.packed, stepper.state, stepper.log, stepper.scratch)
        rng = np.random.default_rng(seed)
        steps = walk(stepper, lambda _, options: int(rng.integers(len(options))))
        return list(as_far_as(steps, type(self).most_steps))

    def test_a_copy_goes_its_own_way(self, players: int) -> None:
        """An action on a copy leaves the game unchanged, and has the same effect, whatever scratch contains."""
        for stepper in self.decisions(players):
            before = stepper.state.tobytes()
            one, two = stepper.copy(), stepper.copy()
            for name in two.scratch.dtype.names:
                two.scratch[name] = 1  # its content is valid only during a call
            last = len(one.options()) - 1
            same = two.options() == one.options()
            assert same, "the legal actions depend on the old content of scratch"
            one.take(last)
            two.take(last)
            assert stepper.state.tobytes() == before, "a copy shares something with its game"
            assert same_records(one.state, two.state), "an action has two outcomes"

    def test_silence(self, players: int) -> None:
        """A log that does not ask for chance outcomes and outcomes gets none, and the game is the same."""
        for stepper in self.decisions(players):
            told, silent = stepper.copy(), stepper.copy()
            silent.log.keep_chance = silent.log.keep_outcomes = 0
            for each in (told, silent):
                each.take(len(each.options()) - 1)
            assert silent.log.entry_count == 0, (
                "chance outcomes or outcomes are recorded although the log does not ask for them"
            )
            assert same_records(silent.state, told.state), "the log changes the game"


def _can_be_sent(seen: object) -> bool:
    try:
        return type(pickle.loads(pickle.dumps(seen))) is type(seen)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
