"""The board and the players as panels: claims, cards shown, and goods won or given up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from balance.contract.view import Cell, Mark, Panel
from balance.foundation.text import strategy_of
from balance.games.na_grunwald.display.labels import FIELD_TITLES, KNIGHT_TITLES, event_card
from balance.games.na_grunwald.display.observation import Knights, Observation, Pawns, Player, observe
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.ruleset import Rules
from balance.games.na_grunwald.rules.vocabulary import FIELDS, KNIGHTS


def with_player(seen: Picture, seat: int, player: Player) -> Picture:
    """Return the position with one player replaced."""
    return replace(seen, seats=[player if p == seat else each for p, each in enumerate(seen.seats)])


def _changed(cards: Knights, kind: str, change: Callable[[list[int]], None]) -> Knights:
    changed = list(cards[kind])
    change(changed)
    return {**cards, kind: sorted(changed)}


def with_prize(me: Player, field: str, prize: int, stake: int) -> Player:
    """Return a player with the prize it won; without a prize its stake is returned (RES-4)."""
    if not prize:
        return replace(me, ducats=me.ducats + stake)
    if field in ("crown", "mercenaries"):
        kind = "crown" if field == "crown" else "mercenary"
        return replace(me, hand=_changed(me.hand, kind, lambda cards: cards.append(prize)))
    if field == "provisions":
        return replace(me, provisions=me.provisions + prize)
    return replace(me, ducats=me.ducats + prize)


def onto_table(me: Player, card: str) -> Player:
    """Return a player whose card of the skirmish lies open on the table (KRZ-7)."""
    kind, _, strength = card.partition(" ")
    if not strength:
        return me
    return replace(me, hand=_changed(me.hand, kind, lambda cards: cards.remove(int(strength))))


def to_camp(me: Player, card: str, captive: int) -> Player:
    """Return a player with its card of the skirmish, and its captive, in the camp (KRZ-9)."""
    kind, _, strength = card.partition(" ")
    if strength:
        me = replace(me, camp=_changed(me.camp, kind, lambda cards: cards.append(int(strength))))
    return replace(me, captives=sorted([*me.captives, captive])) if captive else me


def without(me: Player, words: list[str]) -> Player:
    """Return a player without the item that it gives up."""
    if words[0] == "provision":
        return replace(me, provisions=me.provisions - 1)
    if words[0] == "captive":
        left = list(me.captives)
        left.remove(int(words[1]))
        return replace(me, captives=left)
    cards = _changed(getattr(me, words[0]), words[1], lambda cards: cards.remove(int(words[2])))
    return replace(me, hand=cards) if words[0] == "hand" else replace(me, camp=cards)


def with_pawns(seen: Picture, seat: int, words: list[str]) -> Picture:
    """Return the position with more pawns on a field (PLC-2, PLC-5)."""
    field, officer = words[0], words[1] == "officer"
    helpers = 0 if officer else int(words[2])
    stake = int(words[-1]) if field in ("provisions", "mercenaries") else 0
    there = list(seen.board[field])
    at = next((i for i, pawns in enumerate(there) if pawns.seat == seat), None)
    mine = Pawns(seat, False, 0, 0) if at is None else there[at]
    mine = Pawns(seat, mine.officer or officer, mine.helpers + helpers, mine.ducats + stake)
    there[slice(len(there), None) if at is None else slice(at, at + 1)] = [mine]
    me = seen.seats[seat]
    seen = replace(seen, board={**seen.board, field: there})
    return with_player(seen, seat, replace(me, ducats=me.ducats - stake))


@dataclass(frozen=True)
class Picture(Observation):
    """An observation, with the cards that lie open in a resolution.

    Attributes
    ----------
    sent : dict
        Seat to the card that it showed in the skirmish, e.g. ``crown 5`` or ``peasant``.
    done : list of str
        Fields whose pawns have returned this round.
    """

    sent: Mapping[int, str] = field(default_factory=dict)
    done: Sequence[str] = ()


class Claim(NamedTuple):
    """One player's pawns on a field, and their strength there; 0 in a skirmish whose cards are not shown."""

    pawns: Pawns
    strength: int


def picture(rules: Rules, state: np.record, seat: int) -> Picture:
    """Return the position as a replay draws it."""
    seen = vars(observe(rules, state, seat))
    begun = len(FIELDS) if state.phase in (s.ASK_STARVE, s.OVER) else s.KRZYZACY
    if in_resolution(state):
        begun = int(state.field) - (state.phase in (s.ASK_FIGHT, s.ASK_PLUNDER))
    return Picture(**seen, sent=_shown(state), done=FIELDS[:begun])


def in_resolution(state: np.record) -> bool:
    """Return whether the game asks for a decision while it resolves fields."""
    plundered = state.phase == s.ASK_PLUNDER and state.after_plunder == s.RESOLVE
    return bool(plundered or state.phase in (s.ASK_FIGHT, s.ASK_HIRE))


def _shown(state: np.record) -> dict[int, str]:
    """Return the cards that lie open after a lost skirmish."""
    if not (in_resolution(state) and state.phase == s.ASK_PLUNDER):
        return {}
    return chosen_cards(state)


def chosen_cards(state: np.record) -> dict[int, str]:
    """Return the card that each seat has chosen for a skirmish or contest."""
    return {
        p: f"{KNIGHTS[state.card_kind[p]]} {state.card_strength[p]}"
        if state.card_kind[p] >= 0
        else "peasant"
        for p in range(state.players)
        if state.card_kind[p] != s.NO_CARD
    }


def strength_of(card: str) -> int:
    """Return the strength of a card as labels name it; 0 for the peasant, and for none."""
    return int(card.split()[-1]) if card[-1].isdigit() else 0


def officer_strength(rules: Rules, observation: Observation) -> int:
    """Return the strength of an officer this round (RES-1, EVT-officer)."""
    card = event_card(rules, observation.event)
    if card and card.effect == "officer" and card.n is not None:
        return card.n
    return rules.pawns.officer_strength


def claims(rules: Rules, observation: Observation, name: str) -> list[Claim]:
    """Return the claims on a field, the strongest first (RES-1, RES-2, KRZ-3)."""
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
    """Return the price of a helper for this place on `helpers` (HLP-1, EVT-hire)."""
    if place == 0 and not rules.hire.first_pays:
        return 0
    card = event_card(rules, observation.event)
    if place > 0 and card and card.effect == "hire" and card.n is not None:
        return card.n
    owned, price = observation.seats[seat].helpers, rules.hire.price
    if price == "owned":
        return owned
    return price if isinstance(price, int) else price[owned]


SIGNS = (
    (Mark("officer"), "officer"),
    (Mark("pawn"), "helper"),
    (Mark("coin", "3"), "ducats staked"),
    (Mark("card", "5"), "crown knight"),
    (Mark("dashed", "4"), "mercenary"),
    (Mark("dark", "3"), "Krzyżak, captive"),
    (Mark("round", "2"), "provisions or ducats to be won"),
    (Mark("card", "1", pale=True), "not claimed"),
)
_PLAYER_COLUMNS = ["player", "ducats", "provisions", "pawns left", "hand", "camp", "captives"]


def show(rules: Rules, observation: Observation, names: list[str]) -> list[Panel]:
    """Return a tile for each field, with claims next to their prizes, and a table of the players."""
    players = [_player_row(observation, seat, name) for seat, name in enumerate(names)]
    return [
        *(_tile(rules, observation, field) for field in observation.board),
        Panel("Players", _PLAYER_COLUMNS, players),
    ]


def _tile(rules: Rules, observation: Observation, field: str) -> Panel:
    title = FIELD_TITLES[field]
    if field in observation.closed:
        early = field == "krzyzacy" and observation.round < rules.krzyzacy.first_round
        return Panel(
            title, tile=True, note=f"from round {rules.krzyzacy.first_round}" if early else "closed"
        )
    if isinstance(observation, Picture) and field in observation.done:
        return Panel(title, tile=True, note="resolved")
    found = claims(rules, observation, field)
    if field == "krzyzacy":
        return Panel(title, rows=_skirmish_rows(observation, found), tile=True)
    prizes = _prizes(rules, observation, field)
    rows: list[list[Cell]] = []
    for place in range(max(len(found), len(prizes))):
        prize = prizes[place] if place < len(prizes) else ""
        if place < len(found):
            rows.append([prize, _pawns(found[place].pawns), str(found[place].strength)])
        else:
            rows.append([_pale(prize), "", ""])
    return Panel(title, rows=rows, tile=True)


def _prizes(rules: Rules, observation: Observation, field: str) -> list[Mark | str]:
    """Return the prizes of the first, second and third place, without empty ones."""
    values = [value for value in observation.prizes[field] if value]
    if field == "helpers":
        first = "buys" if rules.hire.first_pays else "free"
        return [first if place == 0 else "buys" for place in range(len(values))]
    if field in ("crown", "mercenaries"):
        kind = "crown" if field == "crown" else "mercenary"
        return [_knight(kind, value) for value in values]
    return [Mark("round", str(value), title=f"{value} {field}") for value in values]


def _pale(prize: Mark | str) -> Mark | str:
    return (
        Mark(prize.shape, prize.text, prize.seat, prize.title, pale=True)
        if isinstance(prize, Mark)
        else prize
    )


def _skirmish_rows(observation: Observation, found: list[Claim]) -> list[list[Cell]]:
    """Return a row for the enemy's strength (KRZ-1), and one for each claim with the card that was shown."""
    cards = [value for value in observation.prizes["krzyzacy"] if value]
    if not cards:
        return []
    bonus = observation.krzyzacy_bonus
    total = max(0, sum(cards) + bonus)
    enemy: list[str | Mark] = [Mark("dark", str(value), title=f"Krzyżak of {value}") for value in cards]
    sign = "−" if bonus < 0 else "+"
    rows: list[list[Cell]] = [[[*enemy, f" {sign} {abs(bonus)} = {total}"]]]
    sent = observation.sent if isinstance(observation, Picture) else {}
    for claim in found:
        card = sent.get(claim.pawns.seat, "")
        rows.append(["", _pawns(claim.pawns), _card(card) if card else ""])
    return rows


def _card(card: str) -> Mark | str:
    kind, _, strength = card.partition(" ")
    return _knight(kind, int(strength)) if strength else card


def _knight(kind: str, strength: int) -> Mark:
    shape = "card" if kind == "crown" else "dashed"
    return Mark(shape, str(strength), title=f"{KNIGHT_TITLES[kind]} of {strength}")  # type: ignore[arg-type]


def _seat(seat: int) -> Mark:
    return Mark("seat", str(seat + 1), seat)


def _pawns(pawns: Pawns) -> list[str | Mark]:
    helpers = [Mark("pawn", seat=pawns.seat, title="helper")] * pawns.helpers
    officer = [Mark("officer", seat=pawns.seat, title="officer")] * pawns.officer
    coin = [Mark("coin", str(pawns.ducats), title=f"{pawns.ducats} ducats")] if pawns.ducats else []
    return [_seat(pawns.seat), *officer, *helpers, *coin]


def _player_row(observation: Observation, seat: int, name: str) -> list[Cell]:
    player = observation.seats[seat]
    starts = " (starts)" if observation.start == seat else ""
    captives = [Mark("dark", str(value), title=f"captive of {value}") for value in player.captives]
    return [
        [_seat(seat), f" {strategy_of(name)}{starts}"],
        str(player.ducats),
        str(player.provisions),
        _pawns_left(observation, seat),
        [_knight(kind, value) for kind, cards in player.hand.items() for value in cards],
        [_knight(kind, value) for kind, cards in player.camp.items() for value in cards],
        captives,
    ]


def _pawns_left(observation: Observation, seat: int) -> list[str | Mark]:
    """Return the officer and helpers that are not on the board."""
    done = observation.done if isinstance(observation, Picture) else ()
    out = [
        pawns
        for field, there in observation.board.items()
        for pawns in there
        if pawns.seat == seat and field not in done
    ]
    helpers = observation.seats[seat].helpers - sum(pawns.helpers for pawns in out)
    officer = not any(pawns.officer for pawns in out)
    return [
        *[Mark("officer", seat=seat, title="officer")] * officer,
        *[Mark("pawn", seat=seat, title="helper")] * max(0, helpers),
    ]
