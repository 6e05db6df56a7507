"""The oracle by itself: the worked examples of section 9, and random games in which nothing is lost."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from support.oracles.grody import Game, play
from support.oracles.grody.base import base_rules
from support.oracles.grody.table import CARDS


class Script:
    """A game of the oracle driven by labels; the position may be changed before the first."""

    def __init__(self, **changes: Any) -> None:
        rules: dict[str, Any] = base_rules()
        self.game, self.asking = play({**rules, **changes}, 2)
        self.question: Any = None

    def lay(self, name: str, terrain: str, owner: int, warriors: int) -> None:
        """Set an explored segment with an owner's warriors."""
        segment = self.game.segments[name]
        segment.terrain, segment.owner = terrain, owner
        segment.warriors[owner] = warriors

    def say(self, *labels: str) -> None:
        """Answer the questions, one label after another."""
        if self.question is None:
            self.question = next(self.asking)
        for label in labels:
            fits = self.question.seat < 0 or label in self.question.labels
            assert fits, f"{label!r} is none of {self.question}"
            self.question = self.asking.send(label)

    def options(self, kind: str, seat: int) -> list[str]:
        self.say()
        assert (self.question.kind, self.question.seat) == (kind, seat), self.question
        return list(self.question.labels)


def fight_two_against_two(**hands: dict[str, int]) -> Script:
    """Set up Adam's attack (seat 0) on Bogdan on a plain, two against two."""
    script = Script()
    script.lay("c2r3", "rownina", 0, 2)
    script.lay("c3r3", "rownina", 1, 2)
    script.game.players[0].hand.update(hands["adam"])
    script.game.players[1].hand.update(hands["bogdan"])
    script.say("move c2r3 c3r3", "move c2r3 c3r3", "done")
    return script


def test_example_1_two_declines_end_a_phase():
    """A declines, B plays, A plays, B declines, A declines."""
    script = fight_two_against_two(adam={"piesn_bojowa": 2}, bogdan={"piesn_bojowa": 2})
    for seat, label in ((0, "decline"), (1, "play piesn_bojowa"), (0, "play piesn_bojowa")):
        assert label in script.options("card", seat)
        script.say(label)
    assert script.options("card", 1) == ["decline", "play piesn_bojowa"]
    script.say("decline")
    assert script.options("card", 0) == ["decline", "play piesn_bojowa"]
    script.say("decline")
    assert script.question.labels == ["roll 0"]


def test_example_2_four_may_attack_three_and_a_fifth_may_not():
    """Seven stand on a plain of capacity 4."""
    script = Script()
    script.lay("c2r3", "rownina", 0, 4)
    script.lay("c3r2", "las", 0, 1)
    script.lay("c3r3", "rownina", 1, 3)
    script.say(*["move c2r3 c3r3"] * 3)
    assert "move c3r2 c3r3" in script.options("move", 0)
    script.say("move c2r3 c3r3")
    assert "move c3r2 c3r3" not in script.options("move", 0)
    assert script.game.segments["c3r3"].warriors == [4, 3]


def test_example_3_the_first_terrain_is_exchanged():
    """A swamp goes back, a forest comes, and with it a second warrior."""
    script = Script()
    script.say("move c1r3 c2r3", "explore c2r3 bagno")
    assert script.options("exchange", 0) == ["keep", "exchange"]
    script.say("exchange")
    assert script.game.terrains["bagno"] == 3
    script.say("explore c2r3 las")
    assert script.game.segments["c2r3"].warriors == [2, 0]


def test_example_4_the_fight_of_adam_and_bogdan():
    """One warrior of Adam is left and takes the segment."""
    script = fight_two_against_two(
        adam={"na_pewno_sie_uda": 1, "czarodziej": 1}, bogdan={"wilczy_dol": 1, "doskonaly_manewr": 1}
    )
    script.say("play na_pewno_sie_uda 1", "roll 0 2 3", "roll 1 2 4")
    assert "play wilczy_dol 1" in script.options("card", 1)
    script.say("play wilczy_dol 1")
    assert script.options("answer", 0) == ["accept", "play czarodziej"]
    script.say("play czarodziej")
    assert script.options("card", 1) == ["decline", "play doskonaly_manewr 1", "play doskonaly_manewr 2"]
    script.say("play doskonaly_manewr 2")
    game = script.game
    assert game.segments["c3r3"].warriors == [1, 0]
    assert game.segments["c3r3"].owner == 0
    assert (game.players[0].counts["lost"], game.players[1].counts["lost"]) == (1, 2)
    assert game.players[1].counts["cancelled"] == 1


@pytest.mark.parametrize("pit_first", [True, False])
def test_example_5_a_pit_and_a_manoeuvre(pit_first):
    """Pit, then manoeuvre: fighting. Manoeuvre first: furious, and no pit can be played on the warrior."""
    script = fight_two_against_two(adam={"doskonaly_manewr": 1}, bogdan={"wilczy_dol": 1, "zasadzka": 1})
    script.say("play zasadzka 1", "roll 0 3", "roll 1 4 4")
    assert script.options("card", 0) == ["decline", "play doskonaly_manewr 2"]
    script.say("decline" if pit_first else "play doskonaly_manewr 2")
    if pit_first:
        script.say("play wilczy_dol 2")
        assert script.options("card", 0) == ["decline", "play doskonaly_manewr 2"]
        script.say("play doskonaly_manewr 2")
    # With the other order Bogdan is not asked: he can play nothing. A blow falls in both.
    assert script.game.players[1].counts["lost"] == 1
    assert script.game.players[1].counts["played_wilczy_dol"] == pit_first


def chance_of(rng: random.Random, game: Game, question: Any) -> str:
    """Return the outcomes of chance, from the piles as the oracle counts them."""
    words = question.labels[0].split()
    if words[0] == "roll":
        return " ".join([*words, *(str(rng.randint(1, 6)) for _ in range(question.dice))])
    pile = {"draw": game.pile, "explore": game.terrains}.get(words[0])
    if pile is None:
        return str(question.labels[0])
    return str(rng.choices(question.labels, [pile[label.split()[2]] for label in question.labels])[0])


def random_game(rules: dict[str, Any], seed: int) -> tuple[Game, list[dict[str, Any]]]:
    """Play one random game and assert that nothing is lost."""
    rng = random.Random(seed)
    game, asking = play(rules, 2)
    question = next(asking)
    while True:
        if question.seat < 0:
            label = chance_of(rng, game, question)
        else:
            assert len(question.labels) > 1
            label = rng.choice(question.labels)
        check_whole(rules, game)
        if question.kind == "move":
            check_owners(game)
        try:
            question = asking.send(label)
        except StopIteration as end:
            return game, end.value


def check_whole(rules: dict[str, Any], game: Game) -> None:
    """Assert that cards, terrains and tokens add up."""
    for card in CARDS:
        held = sum(player.hand[card] + player.discards[card] for player in game.players)
        assert game.pile[card] + held == rules["cards"][card], card
    segments = game.segments.values()
    on_board = Counter(s.terrain for s in segments)
    for name, terrain in rules["terrain"].items():
        assert game.terrains[name] + on_board[name] == terrain["cards"], name
    standing = Counter(s.building for s in segments)
    for kind, number in rules["buildings"].items():
        assert game.tokens[kind] + standing[kind] == number, kind
    assert all(min(s.warriors) >= 0 for s in segments)


def check_owners(game: Game) -> None:
    """Assert that explored segments have owners, and an enemy there stands next to those it has attacked."""
    for s in game.segments.values():
        assert (s.owner is None) == (s.terrain is None), s
        if s.terrain not in (None, "grod"):
            assert min(s.warriors) > 0 or not s.warriors[1 - s.owner], s


def test_random_games_are_whole_and_end_in_every_way():
    """All warriors are accounted for; games end by conquest, dominance and limit."""
    ends: Counter[str] = Counter()
    for seed in range(12):
        game, rows = random_game(base_rules(), seed)
        ends[game.ended_by] += 1
        for seat, row in enumerate(rows):
            other = rows[1 - seat]
            came = (1, 2)[seat] + row["recruited"] + row["joined"] + row["ransomed"] + row["freed"]
            gone = row["lost"] + row["captured"] + row["thirst"] + row["strayed"]
            assert row["warriors"] == came - gone
            assert other["prisoners"] == row["captured"] - row["ransomed"] - row["freed"]
            assert row["attacks"] == other["defences"]
        assert sum(row["attacks"] for row in rows) == game.combats
        assert game.rounds[-1][0]["score"] == rows[0]["score"]
    assert set(ends) == {"conquest", "dominance", "limit"}, ends
