"""What changes hands in a picture: prizes, gifts, cards played, pawns placed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from balance.games.na_grunwald.display.observation import Knights, Pawns, Player
from balance.games.na_grunwald.display.picture import Picture


def with_player(seen: Picture, seat: int, player: Player) -> Picture:
    """The position in which a player has something else."""
    return replace(seen, seats=[player if p == seat else each for p, each in enumerate(seen.seats)])


def _changed(cards: Knights, kind: str, change: Callable[[list[int]], None]) -> Knights:
    changed = list(cards[kind])
    change(changed)
    return {**cards, kind: sorted(changed)}


def with_prize(me: Player, field: str, prize: int, stake: int) -> Player:
    """A player with what it won; a stake that won nothing comes back (RES-4)."""
    if not prize:
        return replace(me, ducats=me.ducats + stake)
    if field in ("crown", "mercenaries"):
        kind = "crown" if field == "crown" else "mercenary"
        return replace(me, hand=_changed(me.hand, kind, lambda cards: cards.append(prize)))
    if field == "provisions":
        return replace(me, provisions=me.provisions + prize)
    return replace(me, ducats=me.ducats + prize)


def onto_table(me: Player, card: str) -> Player:
    """A player whose card of the skirmish lies open on the table (KRZ-7)."""
    kind, _, strength = card.partition(" ")
    if not strength:
        return me
    return replace(me, hand=_changed(me.hand, kind, lambda cards: cards.remove(int(strength))))


def to_camp(me: Player, card: str, captive: int) -> Player:
    """A player whose card of the skirmish, and captive, are in the camp (KRZ-9)."""
    kind, _, strength = card.partition(" ")
    if strength:
        me = replace(me, camp=_changed(me.camp, kind, lambda cards: cards.append(int(strength))))
    return replace(me, captives=sorted([*me.captives, captive])) if captive else me


def without(me: Player, words: list[str]) -> Player:
    """A player without what it gives up."""
    if words[0] == "provision":
        return replace(me, provisions=me.provisions - 1)
    if words[0] == "captive":
        left = list(me.captives)
        left.remove(int(words[1]))
        return replace(me, captives=left)
    cards = _changed(getattr(me, words[0]), words[1], lambda cards: cards.remove(int(words[2])))
    return replace(me, hand=cards) if words[0] == "hand" else replace(me, camp=cards)


def with_pawns(seen: Picture, seat: int, words: list[str]) -> Picture:
    """The board with pawns more on a field (PLC-2, PLC-5)."""
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
