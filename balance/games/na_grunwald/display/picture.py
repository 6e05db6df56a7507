"""A position as a replay draws it: claims in the order in which they would win, cards that were shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from balance.games.na_grunwald.display.observation import Observation, Pawns, observe
from balance.games.na_grunwald.display.words import event_card
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.ruleset import Rules
from balance.games.na_grunwald.rules.vocabulary import FIELDS, KNIGHTS


@dataclass(frozen=True)
class Picture(Observation):
    """What a seat sees, and what lies open in a resolution.

    Attributes
    ----------
    sent : dict
        Seat to the card that it showed in the skirmish, e.g. ``crown 5`` or ``peasant``.
    done : list of str
        Fields of which the pawns have returned this round.
    """

    sent: Mapping[int, str] = field(default_factory=dict)
    done: Sequence[str] = ()


class Claim(NamedTuple):
    """One player's pawns on a field, and their strength there; 0 in a skirmish whose cards are not shown."""

    pawns: Pawns
    strength: int


def picture(rules: Rules, state: np.record, seat: int) -> Picture:
    """The position as a replay draws it."""
    seen = vars(observe(rules, state, seat))
    begun = len(FIELDS) if state.phase in (s.ASK_STARVE, s.OVER) else s.KRZYZACY
    if in_resolution(state):
        begun = int(state.field) - (state.phase in (s.ASK_FIGHT, s.ASK_PLUNDER))
    return Picture(**seen, sent=_shown(state), done=FIELDS[:begun])


def in_resolution(state: np.record) -> bool:
    """Whether fields are being resolved, one of which asks for a decision."""
    plundered = state.phase == s.ASK_PLUNDER and state.after_plunder == s.RESOLVE
    return bool(plundered or state.phase in (s.ASK_FIGHT, s.ASK_HIRE))


def _shown(state: np.record) -> dict[int, str]:
    """Cards that lie open after a lost skirmish."""
    if not (in_resolution(state) and state.phase == s.ASK_PLUNDER):
        return {}
    return chosen_cards(state)


def chosen_cards(state: np.record) -> dict[int, str]:
    """Seat to the card that it has chosen for a skirmish or contest."""
    return {
        p: f"{KNIGHTS[state.card_kind[p]]} {state.card_strength[p]}"
        if state.card_kind[p] >= 0
        else "peasant"
        for p in range(state.players)
        if state.card_kind[p] != s.NO_CARD
    }


def strength_of(card: str) -> int:
    """Of a card as labels name it; 0 for the peasant, and for none."""
    return int(card.split()[-1]) if card[-1].isdigit() else 0


def officer_strength(rules: Rules, observation: Observation) -> int:
    """What an officer counts this round (RES-1, EVT-officer)."""
    card = event_card(rules, observation.event)
    if card and card.effect == "officer" and card.n is not None:
        return card.n
    return rules.pawns.officer_strength


def claims(rules: Rules, observation: Observation, name: str) -> list[Claim]:
    """Those on a field, the one that would win first (RES-1, RES-2, KRZ-3)."""
    officer = officer_strength(rules, observation)
    sent = observation.sent if isinstance(observation, Picture) else {}

    def strength(pawns: Pawns) -> int:
        if name == "krzyzacy":
            return strength_of(sent.get(pawns.seat, "none"))
        if name == "mercenaries":
            return pawns.ducats
        return officer * pawns.officer + rules.pawns.helper_strength * pawns.helpers + pawns.ducats

    there = observation.board[name]
    if rules.tie_rule == "last-placed":
        there = there[::-1]
    return sorted((Claim(pawns, strength(pawns)) for pawns in there), key=lambda claim: -claim.strength)


def helper_price(rules: Rules, observation: Observation, seat: int, place: int) -> int:
    """What a helper costs in this place on `helpers` (HLP-1, EVT-hire)."""
    if place == 0 and not rules.hire.first_pays:
        return 0
    card = event_card(rules, observation.event)
    if place > 0 and card and card.effect == "hire" and card.n is not None:
        return card.n
    owned, price = observation.seats[seat].helpers, rules.hire.price
    if price == "owned":
        return owned
    return price if isinstance(price, int) else price[owned]
