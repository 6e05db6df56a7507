"""Recorded outcomes and the sentences about them agree with the position and with the game's totals."""

from collections import Counter
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from support.na_grunwald import GAME

from balance.contract.view import tell
from balance.engine.stepper import Stepper, moves_of, walk
from balance.experiments.variants import load_variant
from balance.foundation.catalogues import using
from balance.games.na_grunwald.analytics import list_components
from balance.games.na_grunwald.display import observe
from balance.games.na_grunwald.display.board import name_round
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.decks import FIELDS

NAMES = ["1st player (a)", "2nd player (b)", "3rd player (c)", "4th player (d)"]


def deal(variant: str, players: int, seed: int) -> Stepper:
    return Stepper.deal(GAME, load_variant(GAME, variant, Path()).rules, players, seed)


def moves(stepper: Stepper, seed: int):
    """Return the rows of a game of random bots that like skirmishes and helpers."""
    rng = np.random.default_rng(seed)

    def choose(_, options):
        eager = [i for i, label in enumerate(options) if "krzyzacy" in label or "yes" in label]
        return int(rng.choice(eager if eager and rng.random() < 0.4 else range(len(options))))

    players = int(stepper.packed.players)
    return [move for _, move in moves_of(stepper, walk(stepper, choose), NAMES[:players])]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("variant", ["base", "last-placed-wins-ties", "hire-dear", "hire-flat-2"])
def test_an_award_is_what_the_player_then_has(variant, players):
    """The prize of a recorded award is gained before the next row; so is the captive (RES-3, RES-4, KRZ-4)."""
    cards, found = {"crown": "crown", "mercenaries": "mercenary"}, Counter()
    for seed in range(4):
        stepper = deal(variant, players, seed)
        for move in moves(stepper, seed):
            if move.outcome != "award":
                continue
            seat, prize, name = move.parts["player"], move.parts["prize"], FIELDS[move.parts["field"]]
            then, now = (observe(stepper.rules, state, 0) for state in (move.before, move.after))
            (claim,) = (pawns for pawns in then.board[name] if pawns.seat == seat)
            assert (claim.strength, claim.place) == (move.parts["strength"], move.parts["place"])
            before, after = then.seats[seat], now.seats[seat]
            if prize and name in cards:
                assert after.hand[cards[name]] == sorted([*before.hand[cards[name]], prize])
            elif prize and now.round == then.round:
                assert getattr(after, name) == getattr(before, name) + prize
            found[name] += 1
    assert set(FIELDS) - {"krzyzacy", "helpers"} <= set(found)  # a first that pays is offered a helper


def test_skirmishes_add_up_to_the_totals_of_the_game():
    """Recorded skirmishes are as many as the game counts, and what is missing is the plunder (KRZ-3 to KRZ-5)."""
    counted, recorded = np.zeros(3, int), np.zeros(3, int)
    captives = Counter()
    for seed in range(8):
        stepper = deal("krzyzacy-soft", 3, seed)
        sums = (0, 0)
        for move in moves(stepper, seed):
            if move.outcome == "skirmish":
                sums = move.parts["strength"], move.parts["against"]
                cards = observe(stepper.rules, move.before, 0).sent.values()
                assert sums[0] == sum(int(card.split()[1]) for card in cards if " " in card)
            if move.outcome == "captive":
                captives[move.parts["captive"]] += 1
                assert move.after.captured[move.parts["player"]] == move.parts["captive"]
            if move.outcome == "settled":
                missing = move.parts["missing"]
                assert missing == max(0, sums[1] - sums[0])
                recorded += [missing == 0, missing > 0, missing]
                (told,) = tell(GAME.display, stepper.rules, move)
                assert told.text.startswith("The skirmish is lost" if missing else "The skirmish is won")
        game, _ = stepper.result()
        counted += [game.skirmishes_won, game.skirmishes_lost, game.plunder_total]
    assert counted.tolist() == recorded.tolist()
    assert min(recorded) > 2
    assert captives


def test_events_reward_whom_the_outcome_names():
    """The winner of an auction pays its price, and a contest is won by the strongest knights."""
    found = Counter()
    for seed in range(12):
        stepper = deal("base", 3, seed)
        for move in moves(stepper, seed):
            if move.outcome == "auction" and move.parts["player"] >= 0:
                assert move.parts["price"] == int(move.before.highest_bid)
                assert move.parts["player"] == int(move.before.highest_bidder)
            if move.outcome == "contest" and move.parts["player"] >= 0:
                sent = observe(stepper.rules, move.before, 0).sent
                strengths = sorted((int(card.split()[1]) for card in sent.values()), reverse=True)
                assert move.parts["strength"] == strengths[move.parts["place"]]
            found[move.outcome] += 1
    assert found["auction"] > 0
    assert found["contest"] > 0


def test_prizes_as_they_can_be_won():
    """PRV-1, DUC-1 and section 4.3: with two players the low value, the two lowest and one knight."""
    stepper = deal("base", 2, 11)
    said = {}
    for _, move in islice(moves_of(stepper, walk(stepper, lambda *_: 0), NAMES[:2]), 4):
        (told,) = tell(GAME.display, stepper.rules, move)
        said[move.label.split()[1]] = (move.label.split()[2:], told)
    values, crown = said["crown"]
    assert crown.text.endswith(f"; to be won: {max(values)}")
    assert crown.about == "Crown knights"
    values, ducats = said["ducats"]
    assert ducats.text.endswith(f"; to be won: {values[1]} and {values[2]}")
    shown = GAME.display.show(stepper.rules, ducats.observation, NAMES[:2])
    tiles = {panel.title: panel for panel in shown}
    assert [row[0].text for row in tiles["Ducats"].rows] == values[1:]
    assert [row[0].text for row in tiles["Crown knights"].rows] == [max(values := said["crown"][0])]
    assert tiles["Krzyżacy"].note == "from round 4"


def test_cards_lie_open_only_after_all_have_chosen():
    """Nothing is seen of a card while others still choose, and nothing after the table is cleared (KRZ-2, KRZ-9)."""
    stepper, seen = deal("base", 3, 4), Counter()
    for move in moves(stepper, 4):
        sent = observe(stepper.rules, move.before, 0).sent
        if move.kind == "fight":
            assert not sent
        if move.before.phase == s.ASK_PLACE and move.kind == "place":
            assert not sent
        seen[move.kind] += bool(sent)
    assert seen["outcome"] > 0


def test_a_round_has_the_name_of_its_event():
    """The name has all its letters, and its effect follows."""
    stepper = deal("base", 2, 11)
    rules = stepper.rules
    assert name_round(rules, stepper.observe(0)) == ""
    while stepper.round < 2:
        stepper.options()
        stepper.take(0)
    name = name_round(rules, stepper.observe(0))
    card = next(card for card in rules.event_deck.cards if card.id == stepper.observe(0).event)
    assert name.startswith(f"{card.name} (")


def test_names_of_components_are_data():
    """Components keep their English names in every language; only the titles are translated."""
    rules = deal("base", 2, 1).rules
    english = [component.name for component in list_components(rules)]
    assert "provisions 3 and 1" in english
    with using("pl"):
        assert [component.name for component in list_components(rules)] == english
