"""Crazy Eights in words: labels, what a seat sees, sentences and panels."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from balance.contract.actions import ActionTable, Deed
from balance.contract.observations import Of, read_fields, see, see_each
from balance.contract.view import Panel
from crazy_eights import kernel as k

SUITS = ("clubs", "diamonds", "hearts", "spades")
CARDS = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
WORDS = {"card": CARDS, "suit": SUITS}  # of the numbers in labels and in the trace


def read(code):
    """Return the key of a code in ACTIONS, and its numbers by name."""
    if code in (k.DRAW, k.PASS):
        return code, {}
    if code >= k.TURNED:
        return ("turned", {"card": code - k.TURNED}) if code < k.DRAWN else ("drawn", {"card": code - k.DRAWN})
    card, suit = divmod(code, k.SUITS)
    return "eight" if card % k.RANKS == k.EIGHT else "card", {"card": card, "suit": suit}


ACTIONS = ActionTable(
    {
        "card": Deed("play {card}", "{who} plays {card}", "Table"),
        "eight": Deed("play {card} {suit}", "{who} plays {card} and names {suit}", "Table"),
        k.DRAW: Deed("draw", "{who} draws", "Players"),
        k.PASS: Deed("pass", "{who} passes"),
        "turned": Deed("turned {card}", "The first card is {card}", "Table"),
        "drawn": Deed("drawn {card}", "A card is drawn"),
    },
    read,
    WORDS,
)
OUTCOME_TEXTS = {"won": ("{player} wins the deal: {points} points", "Players"), "skipped": "{player} is skipped"}


@dataclass(frozen=True)
class Player:
    score: int
    cards: Annotated[int, Of("hand_size")]  # in hand


@dataclass(frozen=True)
class Observation:
    seat: int
    players: int
    deal: Annotated[int, Of("round_number")]
    seats: list[Player]
    top: Annotated[str, Of(words=CARDS)]
    suit: Annotated[str, Of(words=SUITS)]  # in force
    stock: Annotated[int, Of("stock_count")]
    hand: list[str]


def observe(rules, record, seat):
    state = read_fields(record)
    seats = see_each(Player, state, state.players)
    hand = [CARDS[card] for card in np.flatnonzero(state.hand[seat])]
    return see(Observation, state, seat=int(seat), seats=seats, hand=hand)


def kind_name(code):
    return "turn" if code < k.TURNED else "chance"


def conserved(rules, state):
    held = state.hand[: state.players].sum(axis=0) + np.bincount(state.stock[: state.stock_count], minlength=k.CARDS)
    sizes = state.hand.sum(axis=1) == state.hand_size
    return {
        "cards": int(held.sum() + state.discards),
        "no card twice": bool((held <= 1).all()),
        "hands counted": bool(sizes[: state.players].all()),
    }


def summarise(observation, names):
    return [
        f"{name}: {player.score} points, {player.cards} cards"
        for name, player in zip(names, observation.seats, strict=True)
    ]


def show(rules, observation, names):
    table = [
        ["last card", observation.top],
        ["suit in force", observation.suit],
        ["stock", str(observation.stock)],
        [f"hand of player {observation.seat + 1}", " ".join(observation.hand)],
    ]
    rows = [[name, str(player.score), str(player.cards)] for name, player in zip(names, observation.seats, strict=True)]
    return [Panel("Table", rows=table), Panel("Players", ["player", "points", "cards"], rows)]
