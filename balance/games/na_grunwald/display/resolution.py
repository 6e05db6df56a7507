"""Results of a move in words, one after another: fields, skirmishes, auctions (section 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from balance.contract.view import Move, Told
from balance.foundation.text import amount, listed, player
from balance.games.na_grunwald.display.board import (
    Claim,
    Picture,
    chosen_cards,
    claims,
    helper_price,
    in_resolution,
    onto_table,
    picture,
    strength_of,
    to_camp,
    with_pawns,
    with_player,
    with_prize,
    without,
)
from balance.games.na_grunwald.display.labels import FIELD_TITLES, bundle_name, event_card
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.ruleset import Rules
from balance.games.na_grunwald.rules.vocabulary import FIELDS


def carry_out(rules: Rules, move: Move) -> Picture:
    """Return the position right after a move, before its results."""
    before, words = picture(rules, move.before, move.viewer), move.label.split()
    same = move.after.phase == move.before.phase and move.after.round_number == move.before.round_number
    if same or words[0] == "starve":
        return picture(rules, move.after, move.viewer)
    if words[0] == "place":
        return with_pawns(before, move.seat, words[1:])
    me = before.seats[move.seat]
    if words[0] == "give":
        return with_player(before, move.seat, without(me, words[1:]))
    if words[0] == "hire" and words[1] == "yes":
        place = [claim.pawns.seat for claim in claims(rules, before, "helpers")].index(move.seat)
        left = me.ducats - helper_price(rules, before, move.seat, place)
        return with_player(before, move.seat, replace(me, ducats=left, helpers=me.helpers + 1))
    return before


def outcomes(rules: Rules, move: Move, seen: Picture) -> Iterator[Told]:
    """Yield the results of a move before the next move, each with its position."""
    if move.before.phase == s.ASK_BID and move.after.phase != s.ASK_BID:
        yield from _auction(rules, move, seen)
    if move.before.phase == s.ASK_ENTER and move.after.phase != s.ASK_ENTER:
        yield from _contest(rules, move, seen)
    fields = _fields_resolved(move)
    if _settled(rules, move, fields):
        told, seen = _skirmish(move, seen)
        yield told
    elif fields and move.before.phase == s.ASK_PLUNDER:
        seen = _cleared(seen, dict(enumerate(move.before.captured.tolist())))
    for field in fields:
        if field != "krzyzacy" and field not in seen.closed:
            text, after = (_hire if field == "helpers" else _award)(rules, seen, field)
            yield Told(text, after, FIELD_TITLES[field], outcome=True)
            seen = replace(after, done=[*after.done, field])


def _fields_resolved(move: Move) -> tuple[str, ...]:
    """Return the fields whose resolution begins after this move and before the next."""
    before, after = move.before, move.after
    if before.phase != s.ASK_PLACE and not in_resolution(before):
        return ()
    same = after.round_number == before.round_number
    if same and after.phase == s.ASK_PLACE:
        return ()
    first = 0 if before.phase == s.ASK_PLACE else int(before.field)
    last = int(after.field) if same and in_resolution(after) else len(FIELDS)
    return FIELDS[first:last]


def _settled(rules: Rules, move: Move, fields: tuple[str, ...]) -> bool:
    """Return whether a skirmish ends with this move: by the last card, or without any player (KRZ-8)."""
    if move.before.phase == s.ASK_FIGHT:
        return bool(
            move.after.phase != s.ASK_FIGHT or move.after.round_number != move.before.round_number
        )
    open_field = "krzyzacy" in fields and not move.before.closed[s.KRZYZACY]
    asked = move.after.phase == s.ASK_FIGHT and move.after.round_number == move.before.round_number
    return open_field and not asked and rules.krzyzacy.unopposed == "plunder"


def _skirmish(move: Move, seen: Picture) -> tuple[Told, Picture]:
    """Return a skirmish in a sentence (KRZ-3 to KRZ-5), and the position when the table is cleared."""
    sent: dict[int, str] = {}
    if move.before.phase == s.ASK_FIGHT:
        sent = {**chosen_cards(move.before), move.seat: move.label.partition(" ")[2]}
    cards = [value for value in seen.prizes["krzyzacy"] if value]
    total = sum(map(strength_of, sent.values()))
    sign = "−" if seen.krzyzacy_bonus < 0 else "+"
    enemy = max(0, sum(cards) + seen.krzyzacy_bonus)
    against = f"{' + '.join(map(str, cards))} {sign} {abs(seen.krzyzacy_bonus)} = {enemy}"
    ours = " + ".join(str(strength_of(card)) for card in sent.values()) or "no player"
    ours += f" = {total}" if len(sent) > 1 else ""
    verdict = f"won: {ours}" if total >= enemy else f"lost by {enemy - total}: {ours}"
    captured = _captured(move)
    taken = "".join(f". {player(seat)} captures {value}" for seat, value in captured.items())
    paid = f". Everyone gives up {enemy - total} or more" if total < enemy else ""
    shown = replace(seen, sent=sent)
    for seat, card in sent.items():
        shown = with_player(shown, seat, onto_table(shown.seats[seat], card))
    told = Told(
        f"Skirmish {verdict} against {against}{taken}{paid}", shown, FIELD_TITLES["krzyzacy"], True
    )
    return told, _cleared(shown, captured)


def _cleared(seen: Picture, captured: Mapping[int, int]) -> Picture:
    """Return the position with the cards of a skirmish in the camps (KRZ-9)."""
    after = replace(seen, sent={}, done=["krzyzacy"])
    for seat, card in seen.sent.items():
        after = with_player(after, seat, to_camp(after.seats[seat], card, captured.get(seat, 0)))
    return after


def _captured(move: Move) -> dict[int, int]:
    """Return the Krzyżak that each seat captures with this move."""
    found = {}
    for seat in range(move.after.players):
        gained = (move.after.captives[seat] - move.before.captives[seat]).argmax()
        on_table = int(move.after.captured[seat]) if in_resolution(move.after) else 0
        if strength := on_table or int(gained) * bool(
            (move.after.captives[seat] > move.before.captives[seat]).any()
        ):
            found[seat] = strength
    return found


def _award(rules: Rules, seen: Picture, field: str) -> tuple[str, Picture]:
    """Return what each player takes on a field (RES-3, CRN-1 to MRC-1), and the position then."""
    found = claims(rules, seen, field)
    takes, nothing = [], []
    for place, claim in enumerate(found):
        prizes = seen.prizes[field]
        prize = prizes[place] if place < len(prizes) else 0
        who = player(claim.pawns.seat)
        if prize:
            takes.append(f"{who} takes {prize} ({claim.strength})")
        else:
            nothing.append(f"{who} ({claim.strength})")
        me = seen.seats[claim.pawns.seat]
        seen = with_player(seen, claim.pawns.seat, with_prize(me, field, prize, claim.pawns.ducats))
    return _sentence(rules, field, takes, nothing, found), seen


def _hire(rules: Rules, seen: Picture, field: str) -> tuple[str, Picture]:
    """Return which players gain a helper or may buy one (HLP-1, HLP-2), and the position then."""
    found = claims(rules, seen, field)
    takes, nothing = [], []
    for place, claim in enumerate(found):
        seat, prizes = claim.pawns.seat, seen.prizes[field]
        who, me = player(seat), seen.seats[seat]
        price = helper_price(rules, seen, seat, place)
        if place >= len(prizes) or not prizes[place] or me.helpers >= rules.pawns.most_helpers:
            nothing.append(f"{who} ({claim.strength})")
        elif place == 0 and not rules.hire.first_pays:
            takes.append(f"{who} gains one ({claim.strength})")
            seen = with_player(seen, seat, replace(me, helpers=me.helpers + 1))
        elif me.ducats >= price:
            takes.append(f"{who} may buy one for {amount(price, 'ducat')} ({claim.strength})")
        else:
            nothing.append(f"{who} (can't pay {amount(price, 'ducat')}; strength {claim.strength})")
    return _sentence(rules, field, takes, nothing, found), seen


def _sentence(rules: Rules, field: str, takes: list[str], nothing: list[str], found: list[Claim]) -> str:
    if not found:
        return f"{FIELD_TITLES[field]}: no pawns"
    parts = ["; ".join(takes)] if takes else []
    if nothing:
        parts.append(f"nothing for {listed(nothing)}")
    strengths = [claim.strength for claim in found]
    if len(set(strengths)) < len(strengths):
        first = rules.tie_rule == "first-placed"
        parts.append(f"ties go to the {'first' if first else 'last'} placed")
    return f"{FIELD_TITLES[field]}: {'; '.join(parts)}"


def _auction(rules: Rules, move: Move, seen: Picture) -> Iterator[Told]:
    bid = move.label.split()[1]
    highest, seat = int(move.before.highest_bid), int(move.before.highest_bidder)
    if bid != "pass":
        highest, seat = int(bid), move.seat
    card = event_card(rules, seen.event)
    lot = bundle_name(card.bundle if card else None)
    text = "No player bids" if seat < 0 else f"{player(seat)} takes {lot} for {amount(highest, 'ducat')}"
    yield Told(text, seen, outcome=True)


def _contest(rules: Rules, move: Move, seen: Picture) -> Iterator[Told]:
    """Yield the two strongest knights; ties go to the earlier player in turn order (EVT-contest)."""
    cards = {**chosen_cards(move.before), move.seat: move.label.partition(" ")[2]}
    entered = {seat: strength_of(card) for seat, card in cards.items() if strength_of(card)}
    order = sorted(entered, key=lambda seat: (-entered[seat], (seat - seen.start) % seen.players))
    card = event_card(rules, seen.event)
    rewards = [bundle_name(card.bundle), bundle_name(card.second)] if card else []
    won = [
        f"{player(seat)} wins {what} with a {entered[seat]}"
        for seat, what in zip(order, rewards, strict=False)
    ]
    yield Told("; ".join(won) or "No player enters", seen, outcome=True)
