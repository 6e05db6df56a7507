"""Invade and revenge (INV-1, INV-2, REV-1), casus belli (CSB-1, CSB-2), and scores (END-2)."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.cards import have_peace, is_under_interdict
from balance.games.korona_piastow.kernel.land import (
    fortress_counts,
    has_troops_of,
    holder_of,
    is_diocese,
    is_zakon,
    owner_of,
)

FREE, PAID, NEVER = range(3)  # how a ruler may invade a fief


@compiled
def _is_protected(rules, state, district):
    """Return whether a diocese has its owner's magnate or ruler (BLD-7)."""
    present = state.magnate[district] != s.NOTHING or (state.stands[state.owner[district]] == district)
    return present and is_diocese(rules, state, district)


@compiled
def score_of(rules, state, seat):
    """Return a ruler's score (END-2)."""
    if state.out_round[seat] > 0:
        return 0
    zakon = is_zakon(rules, state, seat)
    count = 0
    for fief in range(rules.fief_count):
        district = rules.district_of[fief]
        if state.owner[district] == seat and (zakon or rules.piast[district] == 1):
            held = holder_of(rules, state, fief) == seat
            count += held or _is_protected(rules, state, district)
    return max(0, count + rules.crown - rules.zakon_crown) if zakon else count


@compiled
def _wrongs(rules, state, seat, other):
    """Return whether `other` occupies a fief of the seat's state, or is the Zakon with a Piast fief (CSB-2)."""
    greedy = is_zakon(rules, state, other)
    for fief in range(rules.fief_count):
        owner, holder = owner_of(rules, state, fief), holder_of(rules, state, fief)
        if owner == seat and holder == other:
            return True
        piast = rules.piast[rules.district_of[fief]] == 1
        if greedy and piast and (owner == other or holder == other):
            return True
    return False


@compiled
def _has_feud(rules, state, seat, other):
    """Return whether `other` recently invaded a fief that the seat held (CSB-2)."""
    last = state.feud[other, seat]
    return last > 0 and last > state.round_number - rules.feud_rounds


@compiled
def has_cause(rules, state, seat, other):
    """Return whether the seat may invade another without a claim (CSB-2)."""
    return (
        is_zakon(rules, state, seat)
        or _has_feud(rules, state, seat, other)
        or is_under_interdict(state, other)
        or _wrongs(rules, state, seat, other)
        or score_of(rules, state, other) >= rules.crown - rules.pretender_gap
    )


@compiled
def casus_belli(rules, state, seat, fief):
    """Return FREE, PAID or NEVER for a fief that the seat doesn't hold (CSB-1)."""
    holder = holder_of(rules, state, fief)
    if holder == s.NOBODY:
        return FREE
    if holder == s.FOREIGN_STATES:
        near = rules.piast[rules.district_of[fief]] == 1 or owner_of(rules, state, fief) == seat
        return FREE if near or is_zakon(rules, state, seat) else PAID
    if have_peace(state, seat, holder):
        return NEVER
    return FREE if has_cause(rules, state, seat, holder) else PAID


@compiled
def begin_invasion(state):
    state.avenging = 0
    state.phase = s.ASK_TARGET


@compiled
def list_targets(rules, state, fief, codes, count):
    """Append the adjoining fiefs that the seat may invade from a fief (INV-1)."""
    seat = state.seat
    if not has_troops_of(state, fief, seat):
        return count
    kind = s.ASK_REVENGE if state.phase == s.ASK_REVENGE else s.ASK_TARGET
    for i in range(rules.degree[fief]):
        other = rules.neighbours[fief, i]
        if holder_of(rules, state, other) == seat:
            continue
        price = casus_belli(rules, state, seat, other)
        if price == FREE:
            codes[count] = a.encode(kind, a.TARGET, other)
            count += 1
        elif price == PAID and state.denars[seat] >= rules.claim_cost:
            codes[count] = a.encode(kind, a.CLAIM, other)
            count += 1
    return count


@compiled
def aim(rules, state, log, code):
    """Choose the target and pay for a claim, or decline a revenge."""
    verb = a.verb_of(code)
    if verb == a.NONE:
        state.phase = s.END_ORDER
        return
    if verb == a.CLAIM:
        state.denars[state.seat] -= rules.claim_cost
        log.seats[state.seat].claims += 1
    state.target = a.number_of(code)
    state.phase = s.ASK_SEND


@compiled
def list_sendings(rules, state, codes):
    """List every set of units that may be sent, with one of the ruler's own; engines need a building that counts."""
    units, fief = state.units, state.fief
    engines = 0
    if fortress_counts(rules, state, state.target, state.seat):
        engines = units[fief, s.ENGINE]
    count = 0
    for infantry in range(units[fief, s.INFANTRY] + 1):
        for cavalry in range(units[fief, s.CAVALRY] + 1):
            for knights in range(units[fief, s.KNIGHT] + 1):
                if infantry + cavalry + knights == 0:
                    continue
                for engine in range(engines + 1):
                    for foreign in range(units[fief, s.FOREIGN] + 1):
                        sent = (((infantry * 10 + cavalry) * 10 + knights) * 10 + engine) * 10
                        codes[count] = a.encode(s.ASK_SEND, a.SEND, sent + foreign)
                        count += 1
    return count


@compiled
def march_out(state, code):
    """Move the units sent out of their fief."""
    sent = a.number_of(code)
    for kind in range(state.sent.shape[0] - 1, -1, -1):
        state.sent[kind] = sent % 10
        sent //= 10
        state.units[state.fief, kind] -= state.sent[kind]


@compiled
def list_revenges(rules, state, codes):
    codes[0] = a.encode(s.ASK_REVENGE, a.NONE, 0)
    return list_targets(rules, state, state.fief, codes, 1)
