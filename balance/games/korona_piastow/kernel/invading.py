"""Where a ruler may invade (INV-1, INV-2, REV-1), with which cause (CSB-1, CSB-2), and sieges (SGE-1, SGE-3)."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.cards import have_peace, is_under_interdict
from balance.games.korona_piastow.kernel.land import (
    fiefs_of,
    fortress_counts,
    has_fortress,
    has_troops_of,
    holder_of,
    is_besieged,
    is_fortress,
    is_zakon,
    neighbours_of,
    owner_of,
    score_of,
)

FREE, PAID, NEVER = range(3)  # how a ruler may invade a fief


@compiled
def _wrongs(rules, state, seat, other):
    """Return whether `other` occupies a fief of the seat's state, or is the Zakon with a Piast fief (CSB-2)."""
    greedy = is_zakon(rules, state, other)
    for district in range(rules.district_count):
        owner, piast = state.owner[district], rules.piast[district] == 1
        if greedy and piast and owner == other:
            return True
        if owner == seat or (greedy and piast):
            for fief in fiefs_of(rules, district):
                if holder_of(rules, state, fief) == other:
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
    for other in neighbours_of(rules, fief):
        if holder_of(rules, state, other) == seat:
            continue
        price = casus_belli(rules, state, seat, other)
        if price == FREE:
            count = a.append(codes, count, kind, a.TARGET, other)
        elif price == PAID and state.denars[seat] >= rules.claim_cost:
            count = a.append(codes, count, kind, a.CLAIM, other)
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
                        count = a.append(codes, count, s.ASK_SEND, a.SEND, sent + foreign)
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
    count = a.append(codes, 0, s.ASK_REVENGE, a.NONE, 0)
    return list_targets(rules, state, state.fief, codes, count)


@compiled
def list_sieges(rules, state, fief, codes, count):
    """Append the adjoining fiefs that may be besieged from a fief (SGE-1)."""
    seat = state.seat
    if not has_troops_of(state, fief, seat) or not has_fortress(rules, state, seat):
        return count
    for other in neighbours_of(rules, fief):
        if is_besieged(state, other) or not fortress_counts(rules, state, other, seat):
            continue
        if holder_of(rules, state, other) != seat and casus_belli(rules, state, seat, other) == FREE:
            count = a.append(codes, count, s.ASK_SIEGE, a.SIEGE, other)
    return count


@compiled
def besiege(state, code):
    fief = a.number_of(code)
    state.besieger[fief] = state.seat
    state.siege_round[fief] = state.round_number
    state.phase = s.END_ORDER


@compiled
def lift_sieges(rules, state):
    """Lift sieges if the besieger holds the fief or has no units next to it, or the building is gone (SGE-3)."""
    for fief in range(rules.fief_count):
        seat = state.besieger[fief]
        if seat == s.NOTHING:
            continue
        near = False
        for other in neighbours_of(rules, fief):
            near |= has_troops_of(state, other, seat)
        if not near or not is_fortress(state, fief) or holder_of(rules, state, fief) == seat:
            state.besieger[fief] = s.NOTHING
