"""What a seat observes, and invariants of a position such as the cards of every deck (SET-1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from balance.contract.observations import Of, State, copies, read_fields, see, see_each
from balance.contract.rule_tables import keep_last
from balance.games.na_grunwald.heuristics.network import HEADS
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resolution import look_at_claims
from balance.games.na_grunwald.kernel.skirmish import look_at_krzyzacy
from balance.games.na_grunwald.kernel.state import pack_rules
from balance.games.na_grunwald.rules.decks import FIELDS, KNIGHTS, list_events
from balance.games.na_grunwald.rules.ruleset import Cards, Rules


def conserved(rules: Rules, record: Any) -> dict[str, Any]:
    """Return the sorted cards of each deck, and whether values that the state keeps twice agree."""
    state = read_fields(record)
    players = state.players
    sizes = packed_rules(rules, players).deck_size
    purses = (state.ducats, state.provisions, state.helpers)
    knights, captives = (state.hand + state.camp).sum(axis=(1, 2)), state.captives.sum(axis=1)
    return {
        **{name: sorted(state.decks[deck, : sizes[deck]].tolist()) for deck, name in enumerate(s.CHANCE)},
        "nothing below 0": all(int(purse[:players].min()) >= 0 for purse in purses),
        "knights counted": bool((state.knights == knights)[:players].all()),
        "captives counted": bool((state.captive_count == captives)[:players].all()),
        "no knight twice": _no_more_than_there_are(rules.cards, state),
        "pawns on the board or free": _pawns_fit(state),
    }


def _no_more_than_there_are(cards: Cards, state: State) -> bool:
    """Return whether the players together hold, or have on the table, at most the cards of the decks."""
    knights = (state.hand + state.camp).sum(axis=0)
    on_table = (state.card_kind >= 0) & bool(state.cards_open)
    np.add.at(knights, (state.card_kind[on_table], state.card_strength[on_table]), 1)
    held = (knights[s.CROWN], knights[s.MERCENARY], state.captives.sum(axis=0))
    tables = (cards.crown.strengths, cards.mercenaries.strengths, cards.krzyzacy.strengths)
    return all(
        (mine <= np.bincount(table, minlength=s.STRENGTHS)[: s.STRENGTHS]).all()
        for mine, table in zip(held, tables, strict=True)
    )


def _pawns_fit(state: State) -> bool:
    """Return whether every player's officer and helpers are on the board or free, during placement."""
    if state.phase != s.ASK_PLACE:
        return True
    mine = slice(0, state.players)
    officers = state.officer_on[:, mine].sum(axis=0) + state.officer_free[mine]
    helpers = state.helpers_on[:, mine].sum(axis=0) + state.helpers_free[mine]
    return bool((officers == 1).all() and (helpers == state.helpers[mine]).all())


packed_rules = keep_last(pack_rules)
# The kinds of decision, in the order of the phases.
_KIND_OF_PHASE = ("",) * s.ASK_BUY + HEADS
_STRENGTHS = range(s.STRENGTHS)
Knights = dict[str, list[int]]


@dataclass(frozen=True)
class Player:
    """Public information on one player."""

    ducats: int
    provisions: int
    helpers: int
    hand: Knights  # "crown" and "mercenary": strengths, weakest first
    camp: Knights
    captives: Annotated[list[int], Of(words=_STRENGTHS)]
    officer_free: bool
    helpers_free: int
    passed: bool


@dataclass(frozen=True)
class Pawns:
    """One player's pawns and ducats on a field, and the claim that they make there (RES-1, RES-2)."""

    seat: int
    officer: Annotated[bool, Of("officer_on")]
    helpers: Annotated[int, Of("helpers_on")]
    ducats: Annotated[int, Of("stake")]
    strength: int  # strength of the claim; without meaning on ``krzyzacy``, where cards count
    place: int  # rank of the claim on the field, from 0


@dataclass(frozen=True)
class Observation:
    """The game as the seat to move sees it."""

    seat: int
    players: int
    round: Annotated[int, Of("round_number")]
    rounds: int
    # Kind of decision: ``place``, ``fight``, ``plunder``, ``hire``, ``buy``, ``bid``, ``send``, ``enter`` or
    # ``starve``.
    kind: Annotated[str, Of("phase", _KIND_OF_PHASE)]
    start: int
    seats: list[Player]  # public information on each player, by seat
    board: dict[str, list[Pawns]]  # field name to the pawns on it, in order of arrival
    # Field name to the prizes of first, second and third place this round (0: nothing); for ``krzyzacy`` the two
    # cards, the stronger first.
    prizes: Annotated[dict[str, list[int]], Of("prize", FIELDS)]
    closed: Annotated[list[str], Of(words=FIELDS)]  # fields that are closed this round
    done: list[str]  # fields that are resolved this round
    # Seat to the card that lies open after a skirmish or contest, e.g. ``crown 5`` or ``peasant``.
    sent: dict[int, str]
    event: str
    krzyzacy_bonus: int
    # Strength of the cards in ``prizes["krzyzacy"]`` and the bonus together (KRZ-1).
    krzyzacy_strength: int
    highest_bid: int
    plunder_left: int  # strength that this seat must still give up, when plundered

    @property
    def me(self) -> Player:
        """The seat to move."""
        return self.seats[self.seat]


def observe(rules: Rules, record: np.record, seat: int) -> Observation:
    """Return what `seat` may see of the state `record`."""
    state = read_fields(record)
    event = "" if state.event < 0 else list_events(rules.event_deck)[state.event].id
    return see(
        Observation,
        state,
        seat=int(seat),
        rounds=rules.rounds,
        seats=_players(state),
        board=_board(rules, record, state),
        done=list(FIELDS[: _count_done(state)]),
        sent=_cards_open(state),
        event=event,
        krzyzacy_strength=int(look_at_krzyzacy(record)),
        highest_bid=state.highest_bid if state.phase == s.ASK_BID else 0,
        plunder_left=state.plunder_left if state.phase == s.ASK_PLUNDER else 0,
    )


def _players(state: State) -> list[Player]:
    hands, camps = (map(_spread, state.plain[name][: state.players]) for name in ("hand", "camp"))
    return see_each(Player, state, state.players, hand=hands, camp=camps)


def _spread(knights: Sequence[Sequence[int]]) -> Knights:
    """Return the strengths of knights by kind, from their numbers by kind and strength."""
    return {name: copies(_STRENGTHS, counts) for name, counts in zip(KNIGHTS, knights, strict=True)}


def _count_done(state: State) -> int:
    """Return the number of fields that are resolved this round."""
    if state.phase in (s.ROUND_END, s.ASK_STARVE, s.OVER):
        return len(FIELDS)
    plundered = state.phase == s.ASK_PLUNDER and state.after_plunder == s.RESOLVE
    if plundered or state.phase in (s.RESOLVE, s.ASK_FIGHT, s.ASK_HIRE):
        return max(0, int(state.field) - 1)
    return 0


def _cards_open(state: State) -> dict[int, str]:
    """Return the card of each seat if the chosen cards lie open (KRZ-2, EVT-contest)."""
    if not state.cards_open:
        return {}
    kinds, strengths = state.card_kind, state.card_strength
    return {
        p: "peasant" if kinds[p] == s.PEASANT else f"{KNIGHTS[kinds[p]]} {strengths[p]}"
        for p in range(state.players)
        if kinds[p] != s.NO_CARD
    }


def _board(rules: Rules, record: np.record, state: State) -> dict[str, list[Pawns]]:
    """Return the pawns on each field in order of arrival."""
    strength, place = np.zeros((2, s.FIELD_COUNT, s.SEATS), np.int64)
    if state.arrival.any():
        look_at_claims(packed_rules(rules, state.players), record, strength, place)
    found = {}
    for f, (name, arrival) in enumerate(zip(FIELDS, state.plain["arrival"], strict=True)):
        there = sorted((p for p, nth in enumerate(arrival) if nth > 0), key=arrival.__getitem__)
        found[name] = [
            see(Pawns, state, f, p, seat=p, strength=int(strength[f, p]), place=int(place[f, p])) for p in there
        ]
    return found
