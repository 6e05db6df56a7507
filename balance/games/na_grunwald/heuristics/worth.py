"""What ducats, knights, provisions, helpers and a fight are worth to a profile."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.na_grunwald.heuristics.judgement import (
    captive_hope,
    survey_skirmish,
)
from balance.games.na_grunwald.kernel import state as s


@compiled
def money_worth(scratch, ducats):
    """Value of `ducats` more in the purse."""
    return ducats * scratch.ducat_worth


@compiled
def knight_worth(scratch, w, kind, strength):
    """Value of a knight won."""
    if kind == s.CROWN:
        return scratch.hunger + w.crown_strength * strength + w.crown_knight
    return scratch.hunger + w.mercenary_strength * strength + w.mercenary_knight


@compiled
def provisions_worth(scratch, w, provisions):
    """Value of provisions won."""
    needed = min(float(provisions), scratch.wanted)
    return w.provision_needed * needed + w.provision_spare * (provisions - needed)


@compiled
def helpers_worth(rules, state, scratch, w, helpers):
    """Value of helpers won."""
    useful = min(helpers, rules.most_helpers - state.helpers[state.seat])
    return w.helper * useful * scratch.time_left


@compiled
def bundle_worth(rules, state, scratch, w, provisions, ducats, helpers):
    """Value of provisions, ducats and helpers won."""
    goods = provisions_worth(scratch, w, provisions) + money_worth(scratch, ducats)
    return goods + helpers_worth(rules, state, scratch, w, helpers)


@compiled
def skirmish_worth(rules, state, scratch, w):
    """Value of joining the skirmish with the best card of the hand."""
    survey_skirmish(rules, state, scratch, w)
    seat = state.seat
    best = 0.0
    for strength in range(1, s.STRENGTHS):
        if state.hand[seat, s.CROWN, strength] + state.hand[seat, s.MERCENARY, strength] > 0:
            best = max(best, fight_worth(rules, state, scratch, w, strength))
    return best


@compiled
def fight_worth(rules, state, scratch, w, strength):
    return (
        w.captive * captive_hope(rules, state, scratch, strength)
        + w.defence * min(float(strength), scratch.defence)
        + w.knight_spent * strength * scratch.war_left
    )
