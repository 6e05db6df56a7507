"""Decisions: legal sets, labels, looking on, copies, replays."""

from __future__ import annotations

import pickle

import numpy as np

from balance.compiling.streams import derive_many
from balance.contract.modules import QUICKER
from balance.contract.records import CHANCE
from balance.engine.stepper import Step, Stepper, walk, walk_labels
from balance.testing.cases import Cases, as_far_as, same_records

_STORIES = 8  # games in one of which each source of chance must tell


class DecisionTests(Cases):
    """What must hold wherever a seat is asked."""

    def test_legal_sets(self, players: int) -> None:
        """There is always something to do, no label stands for two actions, each has a kind and words."""
        display = self.subject.display
        for stepper in self.decisions(players):
            options = stepper.options()
            assert options, "a seat is asked and has no legal action"
            assert len(options) <= self.subject.records.most_actions, "more actions than MOST_ACTIONS"
            assert len(set(options)) == len(options), f"two actions have one label: {options}"
            assert 0 <= stepper.seat < players, f"seat {stepper.seat} is asked"
            for code, label in zip(stepper.codes[: len(options)].tolist(), options, strict=True):
                kind = display.kind_name(code)
                assert kind not in ("", "chance"), f"{label!r} is of kind {kind!r}"
                assert display.say(label, "Ada"), f"{label!r} can't be told"

    def test_actions_without_a_list(self, variant: str) -> None:
        """Counted, taken by number and weighed they are those of the list; skipped where a game brings no such."""
        functions = self.subject.compiled_functions
        if "count_actions" not in functions:
            import pytest

            pytest.skip("the game has no count_actions")
        count, nth, best = (functions[name] for name in QUICKER)
        for stepper in self.decisions(self.players_of(variant), variant):
            position = (stepper.packed, stepper.state, stepper.scratch)
            listed = stepper.codes[: len(stepper.options())].tolist()
            assert count(*position) == len(listed), "counted are more or fewer"
            found = [int(nth(*position, n)) for n in range(len(listed))]
            assert found == listed, "nth_action finds others than are listed"
            for weights in self.weights:
                first = listed[int(np.argmax(stepper.evaluate(weights)))]
                taken = int(best(*position, weights, count(*position)))
                assert taken == first, "best_action is not the first of the highest values"

    def test_chance_is_told(self, players: int) -> None:
        """Codes of chance outcomes are of the kind `chance`, and have words."""
        display = self.subject.display
        for stepper, _ in self.walks(players):
            for news in stepper.log.news[: stepper.log.news_count]:
                label = stepper.write(int(news["code"]))
                assert display.kind_name(int(news["code"])) == "chance", f"{label!r} is no chance"
                assert display.say(label, ""), f"{label!r} can't be told"

    def test_looking_changes_nothing(self, players: int) -> None:
        """Listing options, valuing them and observing leave state and log as they are."""
        display = self.subject.display
        names = [f"seat {seat}" for seat in range(players)]
        for stepper in self.decisions(players):
            state, log = stepper.state.tobytes(), stepper.log.tobytes()
            stepper.evaluate(self.weights[0])
            for seat in range(players):
                seen = stepper.observe(seat)
                assert _can_be_sent(seen), "what a seat sees can't be sent to a bot's process"
                assert display.show(stepper.rules, seen, names), "nothing to show"
                assert len(display.summarise(seen, names)) == players, "not a line for every player"
            assert stepper.state.tobytes() == state, "looking at a game changed its state"
            assert stepper.log.tobytes() == log, "looking at a game changed its log"

    def test_traces_are_replayed(self, players: int) -> None:
        """The labels of a game, taken again from the same deal, lead through the same steps to the same rows."""
        for stepper, rng in self.deals(players):
            seed = int(rng.integers(2**62))
            one = Stepper.deal(self.subject, stepper.rules, players, seed)
            steps = list(as_far_as(walk(one, self.chooser(rng)), type(self).most_steps))
            two = Stepper.deal(self.subject, stepper.rules, players, seed)
            labels = [step.label for step in steps if step.seat != CHANCE]
            labels += [] if one.over else one.options()[:1]  # asked for, and not carried out
            again = list(as_far_as(walk_labels(two, labels), len(steps)))
            assert again == steps, "a replay differs"
            assert same_records(one.state, two.state), "a replay ends otherwise"

    def test_every_source_of_chance_tells(self, players: int) -> None:
        """With one source re-seeded, and all else and every choice as it was, some game goes otherwise."""
        before = [self._story(players, seed) for seed in range(_STORIES)]
        for source, name in enumerate(self.subject.kernel.CHANCE):
            again = (self._story(players, seed, source) for seed in range(_STORIES))
            differ = any(one != two for one, two in zip(before, again, strict=True))
            assert differ, f"CHANCE: re-seeding {name} changes nothing"

    def _story(self, players: int, seed: int, reseeded: int | None = None) -> list[Step]:
        """A game of random choices, one of its sources of chance re-seeded if asked."""
        stepper = Stepper(self.subject, self.rules(), players)
        streams = stepper.state.chance
        streams[:] = derive_many(seed, np.arange(len(streams)))
        if reseeded is not None:
            streams[reseeded] = seed
        stepper.log.keep_news = 1
        self.subject.kernel.setup(stepper.packed, stepper.state, stepper.log, stepper.scratch)
        rng = np.random.default_rng(seed)
        steps = walk(stepper, lambda _, options: int(rng.integers(len(options))))
        return list(as_far_as(steps, type(self).most_steps))

    def test_a_copy_goes_its_own_way(self, players: int) -> None:
        """An action on a copy leaves the game alone, and does there what it does here, whatever scratch holds."""
        for stepper in self.decisions(players):
            before = stepper.state.tobytes()
            one, two = stepper.copy(), stepper.copy()
            for name in two.scratch.dtype.names:
                two.scratch[name] = 1  # nothing in it outlives a call
            last = len(one.options()) - 1
            assert two.options() == one.options(), "the legal actions hang on what scratch held"
            one.take(last)
            two.take(last)
            assert stepper.state.tobytes() == before, "a copy shares something with its game"
            assert same_records(one.state, two.state), "an action has two outcomes"

    def test_silence(self, players: int) -> None:
        """With a log that wants no chance outcomes none are noted, and the game goes on all the same."""
        for stepper in self.decisions(players):
            told, silent = stepper.copy(), stepper.copy()
            silent.log.keep_news = 0
            for each in (told, silent):
                each.take(len(each.options()) - 1)
            assert silent.log.news_count == 0, "chance outcomes are noted that nobody wants"
            assert same_records(silent.state, told.state), "the log changes the game"


def _can_be_sent(seen: object) -> bool:
    try:
        return type(pickle.loads(pickle.dumps(seen))) is type(seen)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
