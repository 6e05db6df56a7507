"""Invade and revenge: where to and with what (INV-1, INV-2, REV-1)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.claims import FREE, PAID, casus_belli
from balance.games.korona_piastow.kernel.land import fortress_counts, has_troops_of, holder_of


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
    """Choose the target, and pay for a claim; a revenge may be let be."""
    verb = a.verb_of(code)
    if verb == a.NONE:
        state.phase = s.END_ORDER
        return
    if verb == a.CLAIM:
        state.denars[state.seat] -= rules.claim_cost
        log.claims[state.seat] += 1
    state.target = a.number_of(code)
    state.phase = s.ASK_SEND


@compiled
def list_sendings(rules, state, codes):
    """Every part of the units there with one of the ruler's own; engines only against a building that counts."""
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
    """Take the units sent out of their fief."""
    sent = a.number_of(code)
    for kind in range(state.sent.shape[0] - 1, -1, -1):
        state.sent[kind] = sent % 10
        sent //= 10
        state.units[state.fief, kind] -= state.sent[kind]


@compiled
def list_revenges(rules, state, codes):
    codes[0] = a.encode(s.ASK_REVENGE, a.NONE, 0)
    return list_targets(rules, state, state.fief, codes, 1)
