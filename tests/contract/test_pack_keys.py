"""Packed rules: a field takes the value of the key that it names."""

from typing import Annotated

from balance.contract.records import from_keys, rules_type
from balance.contract.rule_tables import Amount, BySeat, pack_keys
from balance.foundation.toml import Settings


class Start(Settings):
    """A table of the rule set."""

    coins: Annotated[Amount, BySeat(0, 9, (2, 3))]


class Rules(Settings):
    """A rule set."""

    rounds: int
    open_hands: bool
    deck: list[int]
    start: Start


RULES = rules_type(
    [
        *from_keys("rounds", "open_hands"),
        ("deck", "i4", (5,), "deck"),
        ("coins", "i4", (3,), "start.coins"),
        ("computed", "i4"),
    ]
)


def packed(players, coins):
    rules = Rules(rounds=4, open_hands=True, deck=[7, 8], start=Start(coins=coins))
    return pack_keys(RULES, rules, players)


def test_numbers_lists_and_amounts_by_seat():
    """Lists and amounts fill the beginning of their field; a field without a key is 0."""
    found = packed(3, [2, 5])
    assert (found.players, found.rounds, found.open_hands, found.computed) == (3, 4, 1, 0)
    assert found.deck.tolist() == [7, 8, 0, 0, 0]
    assert found.coins.tolist() == [2, 5, 5]


def test_amounts_by_player_count():
    """Only the seats in play have an amount."""
    assert packed(2, {"2": 3, "3": 1}).coins.tolist() == [3, 3, 0]
