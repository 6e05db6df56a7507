"""The contract suite finds faults: a game with a planted fault fails the test for this fault."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from balance.contract.game import Game, get_game
from balance.engine.stepper import Stepper
from balance.experiments.variants import load_variant
from balance.testing import GameContract
from balance.testing.searching import strict

SOUND = get_game("na-grunwald")


def plant(module: str, **values: Any) -> Game:
    """Return Na Grunwald! with some names of one of its modules replaced."""
    sound = getattr(SOUND, module)
    names = {name: getattr(sound, name) for name in dir(sound) if not name.startswith("__")}
    game = dataclasses.replace(SOUND)
    game.__dict__[module] = SimpleNamespace(**{**names, **values})
    return game


def suite(game: Game) -> GameContract:
    """Return the suite of a game, with few games per test."""

    class Planted(GameContract):
        games = 1
        most_steps = 120

    Planted.game = game
    return Planted()


def fails(game: Game, test: str, *arguments: object) -> str:
    """Return the failure of a test for a game; the correct game passes."""
    getattr(suite(SOUND), test)(*arguments)
    with pytest.raises(AssertionError) as failure:
        getattr(suite(game), test)(*arguments)
    return str(failure.value)


def test_an_observation_that_shows_a_deck():
    """Blindness includes what custom bots see."""
    display = SOUND.display

    def observe(rules, state, seat):
        seen = display.observe(rules, state, seat)
        return dataclasses.replace(seen, event=str(int(state.decks[0, 7])))

    words = fails(plant("display", observe=observe), "test_blindness", "no-events")
    assert "an observation" in words


def test_a_profile_that_peeks():
    """Its values change when the hidden information is dealt again."""

    def evaluate(rules, state, scratch, weights, codes, count, values):
        values[:count] = state.decks[2, 0] * np.arange(count)

    words = fails(plant("heuristics", evaluate=evaluate), "test_blindness", "no-events")
    assert words.startswith("a profile uses")


def test_nothing_hidden_is_dealt_anew():
    """A `determinize` that does nothing would make every game look blind."""
    game = plant("kernel", determinize=lambda rules, state, scratch, streams, index: None)
    assert "changes nothing" in fails(game, "test_blindness", "base")


def test_something_hidden_is_kept():
    """A `conceal` that does nothing would let a searcher deal from hidden information."""
    game = plant("kernel", conceal=lambda rules, state, scratch: None)
    assert "leaves hidden information" in fails(game, "test_blindness", "base")


def test_a_card_that_is_lost():
    """Conservation is checked before every step."""
    kernel = SOUND.kernel

    def apply(rules, state, log, scratch, code):
        kernel.apply(rules, state, log, scratch, code)
        if state.round_number == 2:
            state.decks[0, 0] = 9

    assert "crown cards" in fails(plant("kernel", apply=apply), "test_what_is_conserved", "base")


def test_a_purse_below_zero():
    """A condition that `conserved` declares must hold."""
    kernel = SOUND.kernel

    def apply(rules, state, log, scratch, code):
        kernel.apply(rules, state, log, scratch, code)
        state.ducats[1] = -1

    assert "nothing below 0" in fails(plant("kernel", apply=apply), "test_what_is_conserved", "base")


def test_nothing_is_declared_as_conserved():
    """An empty declaration always holds, and shows nothing."""
    game = plant("display", conserved=lambda rules, state: {})
    assert "`conserved` returns nothing" in fails(game, "test_what_is_conserved", "base")


def test_a_bet_kept_in_scratch():
    """Data that outlive a call belong to the state."""
    kernel = SOUND.kernel

    def legal_actions(rules, state, scratch, codes):
        count = kernel.legal_actions(rules, state, scratch, codes)
        return max(1, count - int(scratch.order[0] == 1))

    words = fails(plant("kernel", legal_actions=legal_actions), "test_a_copy_goes_its_own_way", 3)
    assert "scratch" in words


def test_looking_that_changes_the_game():
    """An observation must not change the game."""
    display = SOUND.display

    def observe(rules, state, seat):
        state.ducats[seat] += 1
        return display.observe(rules, state, seat)

    assert "changed its state" in fails(
        plant("display", observe=observe), "test_looking_changes_nothing", 2
    )


def test_an_observation_that_stays_at_home():
    """Observations are sent to bots in other processes."""
    game = plant("display", observe=lambda rules, state, seat: lambda: state)
    assert "can't be pickled" in fails(game, "test_looking_changes_nothing", 2)


def test_one_label_for_two_actions():
    """A trace with it could not be replayed."""
    display = SOUND.display

    def write_label(code, rules):
        return display.write_label(code, rules).replace("officer", "pawn").replace("helpers 1", "pawn")

    words = fails(plant("display", write_label=write_label), "test_legal_sets", 2)
    assert "two actions have one label" in words


@pytest.mark.parametrize(
    ("planted", "words"),
    [
        ({"count_actions": lambda rules, state, scratch: 1}, "count_actions differs"),
        ({"nth_action": lambda rules, state, scratch, n: 0}, "nth_action differs"),
    ],
)
def test_actions_counted_or_picked_otherwise(planted, words):
    """Bots would take illegal actions, or never take some legal ones."""
    assert fails(plant("kernel", **planted), "test_actions_without_a_list", "base").startswith(words)


def test_a_best_action_that_is_not_the_best():
    """The last of equal actions gives another game than the first."""
    kernel, heuristics = SOUND.kernel, SOUND.heuristics

    def best_action(rules, state, scratch, weights, count):
        heuristics.evaluate(rules, state, scratch, weights, scratch.codes, count, scratch.values)
        last = count - 1 - int(np.argmax(scratch.values[:count][::-1]))
        return kernel.nth_action(rules, state, scratch, last)

    words = fails(plant("heuristics", best_action=best_action), "test_actions_without_a_list", "base")
    assert words.startswith("best_action is not the first")


def test_a_search_that_cheats():
    """A search that tries an illegal action is an error; legal ones change nothing."""
    stepper = Stepper.deal(SOUND, load_variant(SOUND, "base", SOUND.folder).rules, 2, 1)
    other, game = stepper.copy(), strict(SOUND)
    at = (stepper.packed, other.state, other.log, other.scratch)
    game.kernel.legal_actions(stepper.packed, other.state, other.scratch, other.scratch.codes)
    code = int(other.scratch.codes[0])
    with pytest.raises(AssertionError, match="not legal"):
        game.kernel.apply(*at, -1)
    assert other.state.tobytes() == stepper.state.tobytes()
    game.kernel.apply(*at, code)
    stepper.options()
    stepper.take(0)
    assert other.state.tobytes() == stepper.state.tobytes()


def test_chance_that_is_noted_unasked():
    """A search that applies actions would fill the log."""
    kernel = SOUND.kernel

    def apply(rules, state, log, scratch, code):
        kernel.apply(rules, state, log, scratch, code)
        log.entry_count = 1

    assert "does not ask for" in fails(plant("kernel", apply=apply), "test_silence", 2)


def test_a_source_of_chance_that_is_never_drawn_from():
    """Its share of luck would be 0 whatever it decides."""
    kernel = SOUND.kernel

    def setup(rules, state, log, scratch):
        state.chance[5] = 1
        kernel.setup(rules, state, log, scratch)

    words = fails(plant("kernel", setup=setup), "test_every_source_of_chance_tells", 3)
    assert words.startswith("CHANCE: re-seeding events changes nothing")


def test_an_oracle_that_disagrees():
    """It differs in the legal labels, or at the end."""
    from support.oracles import na_grunwald as oracle

    from balance.testing import agree

    rules = load_variant(SOUND, "base", SOUND.folder).rules
    agree(SOUND, rules, 2, 1, oracle.play)

    def forgets(rules, players):
        rules["start"]["ducats"] += 1
        return oracle.play(rules, players)

    with pytest.raises(AssertionError):
        agree(SOUND, rules, 2, 1, forgets)


def test_a_move_of_which_nothing_is_told():
    """Every move needs a sentence, for an existing panel, that does not change the game."""
    display = SOUND.display

    def change(**changes):
        def tell(rules, move):
            return [dataclasses.replace(told, **changes) for told in display.tell(rules, move)]

        return plant("display", tell=tell)

    def meddle(rules, move):
        move.after.ducats[0] += 1
        return display.tell(rules, move)

    silent = plant("display", tell=lambda rules, move: [])
    assert "tell returns nothing" in fails(silent, "test_moves_are_told", 3)
    assert "tell returns an empty text" in fails(change(text=""), "test_moves_are_told", 3)
    assert "no panel 'Castle'" in fails(change(about="Castle"), "test_moves_are_told", 3)
    assert "changed a state" in fails(plant("display", tell=meddle), "test_moves_are_told", 3)
