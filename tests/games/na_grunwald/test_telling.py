"""The replay's sentences about a resolution match the kernel."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from balance.contract.game import get_game
from balance.contract.records import CHANCE, blank
from balance.contract.view import Move
from balance.engine.stepper import Stepper
from balance.experiments.variants import load_variant
from balance.games.na_grunwald.display import observe
from balance.games.na_grunwald.display.story import name_round, tell
from balance.games.na_grunwald.kernel import state as s

GAME = get_game("na-grunwald")
NAMES = ["1st player (a)", "2nd player (b)", "3rd player (c)", "4th player (d)"]


def rules_of(variant: str):
    return load_variant(GAME, variant, Path()).rules


def copied(state):
    copy = blank(1, state.dtype)
    copy[0] = state
    return copy[0]


def moves(rules, players: int, seed: int):
    """Return the decisions of a game of eager random bots."""
    rng = np.random.default_rng(seed)
    stepper = Stepper.deal(GAME, rules, players, seed)
    while not stepper.over:
        options = stepper.options()
        eager = [i for i, label in enumerate(options) if "krzyzacy" in label or "yes" in label]
        pick = int(rng.choice(eager if eager and rng.random() < 0.4 else range(len(options))))
        before, seat = copied(stepper.state), stepper.seat
        stepper.take(pick)
        yield Move(options[pick], seat, before, copied(stepper.state), seat, NAMES[:players])


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    "variant",
    ["base", "last-placed-wins-ties", "hire-dear", "hire-flat-2", "events-market", "no-events"],
)
def test_everybody_has_what_was_told(variant, players):
    """After all outcomes of a move each player has the kernel's goods, except those of the next event."""
    rules, resolved = rules_of(variant), 0
    for seed in range(6):
        for move in moves(rules, players, seed):
            told = tell(rules, move)
            resolved += sum(each.outcome for each in told)
            next_round = move.after.round_number != move.before.round_number
            event = move.before.phase in (s.ASK_BUY, s.ASK_BID, s.ASK_SEND, s.ASK_ENTER)
            if (next_round and rules.event_deck.size) or event:
                continue
            seen, truth = told[-1].observation, observe(rules, move.after, move.seat)
            for mine, theirs in zip(seen.seats, truth.seats, strict=True):
                context = ("ducats", "provisions", "helpers", "hand", "camp", "captives")
                assert [getattr(mine, fact) for fact in context] == [
                    getattr(theirs, fact) for fact in context
                ]
    assert resolved > 6 * rules.rounds * 4


def test_a_skirmish_is_won_or_lost_as_the_kernel_counts():
    """The numbers of wins and losses agree, and the sum of the missing strength."""
    rules, lost, won, missing = rules_of("krzyzacy-soft"), 0, 0, 0
    counted = np.zeros(3, int)
    for seed in range(8):
        stepper = Stepper.deal(GAME, rules, 3, seed)
        rng = np.random.default_rng(seed)
        while not stepper.over:
            options = stepper.options()
            strong = [i for i, label in enumerate(options) if label.startswith("fight") and i]
            to_war = [i for i, label in enumerate(options) if label.startswith("place krzyzacy")]
            choice = strong[-1:] or to_war or list(range(len(options)))
            before, seat, pick = copied(stepper.state), stepper.seat, int(rng.choice(choice))
            stepper.take(pick)
            move = Move(options[pick], seat, before, copied(stepper.state), seat, NAMES[:3])
            for told in tell(rules, move):
                won += told.text.startswith("Skirmish won")
                if told.text.startswith("Skirmish lost by "):
                    lost += 1
                    missing += int(told.text.split()[3].rstrip(":"))
        game, _ = stepper.result()
        counted += [game.skirmishes_won, game.skirmishes_lost, game.plunder_total]
    assert counted.tolist() == [won, lost, missing]
    assert won > 2
    assert lost > 2


def test_prizes_as_they_can_be_won():
    """PRV-1, DUC-1 and section 4.3: with two players the low value, the two lowest and one knight."""
    rules = rules_of("base")
    stepper = Stepper.deal(GAME, rules, 2, 11)
    said = {}
    for _, label in stepper.news():
        move = Move(label, CHANCE, stepper.state, stepper.state, 0, NAMES[:2])
        (told,) = tell(rules, move)
        said[label.split()[1]] = (label.split()[2:], told)
    values, crown = said["crown"]
    assert crown.text.endswith(f"; to be won: {max(values)}")
    assert crown.about == "Crown knights"
    values, ducats = said["ducats"]
    assert ducats.text.endswith(f"; to be won: {values[1]} and {values[2]}")
    tiles = {panel.title: panel for panel in GAME.display.show(rules, ducats.observation, NAMES[:2])}
    assert [row[0].text for row in tiles["Ducats"].rows] == values[1:]
    assert [row[0].text for row in tiles["Crown knights"].rows] == [max(values := said["crown"][0])]
    assert tiles["Krzyżacy"].note == "from round 4"


def test_a_round_has_the_name_of_its_event():
    """The name has all its letters, and its effect follows."""
    rules = rules_of("base")
    stepper = Stepper.deal(GAME, rules, 2, 11)
    assert name_round(rules, stepper.observe(0)) == ""
    while stepper.round < 2:
        stepper.options()
        stepper.take(0)
    name = name_round(rules, stepper.observe(0))
    card = next(card for card in rules.event_deck.cards if card.id == stepper.observe(0).event)
    assert name.startswith(f"{card.name} (")
