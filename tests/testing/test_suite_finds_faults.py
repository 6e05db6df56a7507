"""The contract suite finds faults: a game with a planted fault fails the test for this fault."""

import dataclasses
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.oracles import na_grunwald as oracle

from balance.contract.game import Game, get_game
from balance.engine.stepper import Stepper
from balance.experiments.variants import load_variant
from balance.testing import GameContract, agree
from balance.testing.search_tests import strict

SOUND = get_game("na-grunwald")
KERNEL, HEURISTICS, DISPLAY = SOUND.kernel, SOUND.heuristics, SOUND.display


def plant(module: str, **values: Any) -> Game:
    """Return Na Grunwald! with some names of one of its modules replaced."""
    sound = getattr(SOUND, module)
    names = {name: getattr(sound, name) for name in dir(sound) if not name.startswith("__")}
    game = dataclasses.replace(SOUND)
    game.__dict__[module] = SimpleNamespace(**{**names, **values})
    return game


def run(game: Game, test: str, argument: object) -> None:
    """Run one test of the suite for a game, with few games."""

    class Planted(GameContract):
        games = 1
        most_steps = 120

    Planted.game = game
    getattr(Planted(), test)(argument)


@cache
def check_sound(test: str, argument: object) -> None:
    run(SOUND, test, argument)


def show_a_deck(rules, state, seat):
    return dataclasses.replace(DISPLAY.observe(rules, state, seat), event=str(int(state.decks[0, 7])))


def peek(rules, state, scratch, weights, codes, count, values):
    values[:count] = state.decks[2, 0] * np.arange(count)


def lose_a_card(rules, state, log, scratch, code):
    KERNEL.apply(rules, state, log, scratch, code)
    if state.round_number == 2:
        state.decks[0, 0] = 9


def overdraw(rules, state, log, scratch, code):
    KERNEL.apply(rules, state, log, scratch, code)
    state.ducats[1] = -1


def read_old_scratch(rules, state, scratch, codes):
    count = KERNEL.legal_actions(rules, state, scratch, codes)
    return max(1, count - int(scratch.order[0] == 1))


def forget_placements(rules, state, scratch):
    KERNEL.conceal(rules, state, scratch)
    state.placements = -1


def pay_for_a_look(rules, state, seat):
    state.ducats[seat] += 1
    return DISPLAY.observe(rules, state, seat)


def share_a_label(code, rules):
    return DISPLAY.write_label(code, rules).replace("officer", "pawn").replace("helpers 1", "pawn")


def take_the_last_best(rules, state, scratch, weights, count):
    HEURISTICS.evaluate(rules, state, scratch, weights, scratch.codes, count, scratch.values)
    return KERNEL.nth_action(rules, state, scratch, count - 1 - int(np.argmax(scratch.values[:count][::-1])))


def record_unasked(rules, state, log, scratch, code):
    KERNEL.apply(rules, state, log, scratch, code)
    log.entry_count = 1


def seed_events_alike(rules, state, log, scratch):
    state.chance[5] = 1
    KERNEL.setup(rules, state, log, scratch)


def meddle(rules, move):
    move.after.ducats[0] += 1
    return DISPLAY.ACTIONS.tell(rules, move)


def telling(tell):
    return SimpleNamespace(tell=tell)


# The module with the fault, what is replaced in it, the test that must fail and its argument, the message.
FAULTS = {
    "observation shows a deck": ("display", "observe", show_a_deck, "test_blindness", "no-events", "an observation"),
    "profile peeks": ("heuristics", "evaluate", peek, "test_blindness", "no-events", "^a profile uses"),
    "nothing is dealt again": ("kernel", "determinize", lambda *_: None, "test_blindness", "base", "changes nothing"),
    "search deals from hidden cards": (
        "kernel", "conceal", lambda *_: None, "test_blindness", "base", "leaves hidden information",
    ),
    "what all see is forgotten": (
        "kernel", "conceal", forget_placements, "test_blindness", "base", "^STATE: placements differ",
    ),
    "card is lost": ("kernel", "apply", lose_a_card, "test_what_is_conserved", "base", "crown cards"),
    "purse below 0": ("kernel", "apply", overdraw, "test_what_is_conserved", "base", "nothing below 0"),
    "nothing is conserved": (
        "display", "conserved", lambda *_: {}, "test_what_is_conserved", "base", "`conserved` returns nothing",
    ),
    "scratch outlives a call": (
        "kernel", "legal_actions", read_old_scratch, "test_a_copy_goes_its_own_way", 3, "scratch",
    ),
    "looking changes the game": (
        "display", "observe", pay_for_a_look, "test_looking_changes_nothing", 2, "changed its state",
    ),
    "observation can't be sent": (
        "display", "observe", lambda rules, state, seat: lambda: state, "test_looking_changes_nothing", 2,
        "can't be pickled",
    ),
    "one label for two actions": (
        "display", "write_label", share_a_label, "test_legal_sets", 2, "two actions have one label",
    ),
    "wrong count": (
        "kernel", "count_actions", lambda *_: 1, "test_actions_without_a_list", "base", "^count_actions differs",
    ),
    "wrong action": (
        "kernel", "nth_action", lambda *_: 0, "test_actions_without_a_list", "base", "^nth_action differs",
    ),
    "last of equal actions": (
        "heuristics", "best_action", take_the_last_best, "test_actions_without_a_list", "base",
        "^best_action is not the first",
    ),
    "chance recorded unasked": ("kernel", "apply", record_unasked, "test_silence", 2, "does not ask for"),
    "source of chance never drawn from": (
        "kernel", "setup", seed_events_alike, "test_every_source_of_chance_tells", 3,
        "^CHANCE: re-seeding events changes nothing",
    ),
    "empty text": (
        "display", "ACTIONS", telling(lambda *_: ("", "")), "test_moves_are_told", 3, "an empty text",
    ),
    "unknown panel": (
        "display", "ACTIONS", telling(lambda *_: ("Ada passes", "Castle")), "test_moves_are_told", 3,
        "no panel 'Castle'",
    ),
    "telling changes the game": ("display", "ACTIONS", telling(meddle), "test_moves_are_told", 3, "changed a state"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault):
    module, name, value, test, argument, words = FAULTS[fault]
    check_sound(test, argument)
    with pytest.raises(AssertionError, match=words):
        run(plant(module, **{name: value}), test, argument)


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


def test_an_oracle_that_disagrees():
    """It differs in the legal labels, or at the end."""
    rules = load_variant(SOUND, "base", SOUND.folder).rules
    agree(SOUND, rules, 2, 1, oracle.play)

    def forgets(rules, players):
        rules["start"]["ducats"] += 1
        return oracle.play(rules, players)

    with pytest.raises(AssertionError):
        agree(SOUND, rules, 2, 1, forgets)
