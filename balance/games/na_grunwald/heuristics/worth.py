"""What ducats, knights, provisions, helpers and a fight are worth to a profile."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.na_grunwald.heuristics.judgement import (
    MOST_SHORT,
    captive_hope,
    defence_share,
    survey_skirmish,
    war_left,
)
from balance.games.na_grunwald.kernel import state as s


@compiled
def money_worth(rules, state, scratch, w, ducats):
    """Value of `ducats` more in the purse."""
    return ducats * (w.ducat * scratch.time_left + w.ducat_point / rules.ducats_per_point)


@compiled
def knight_worth(rules, state, scratch, w, kind, strength):
    """Value of a knight won."""
    short = scratch.short[1]
    value = w.unfed_knight * short * state.round_number / rules.rounds
    if kind == s.CROWN:
        return value + w.crown_strength * strength + w.crown_knight
    return value + w.mercenary_strength * strength + w.mercenary_knight


@compiled
def bundle_worth(rules, state, scratch, w, seat, provisions, ducats, helpers):
    """Value of provisions, ducats and helpers won."""
    coming = w.knights_a_round * (rules.rounds - state.round_number)
    needed = min(float(provisions), max(0.0, scratch.short[0] * MOST_SHORT + coming))
    value = w.provision_needed * needed + w.provision_spare * (provisions - needed)
    value += money_worth(rules, state, scratch, w, ducats)
    useful = min(helpers, rules.most_helpers - state.helpers[seat])
    return value + w.helper * useful * scratch.time_left


@compiled
def skirmish_worth(rules, state, scratch, w, seat):
    """Value of joining the skirmish with the best card of the hand."""
    survey_skirmish(state, scratch, seat)
    best = 0.0
    for kind in range(2):
        for strength in range(1, s.STRENGTHS):
            if state.hand[seat, kind, strength] > 0:
                best = max(best, fight_worth(rules, state, scratch, w, strength))
    return best


@compiled
def fight_worth(rules, state, scratch, w, strength):
    return (
        w.captive * captive_hope(rules, state, scratch, strength)
        + w.defence * defence_share(state, scratch, w, strength)
        + w.knight_spent * strength * war_left(rules, state)
    )
