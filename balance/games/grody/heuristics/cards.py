"""What a fate card is worth: what it changes when it is spent, what it is worth kept, what a cancel saves."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.grody.heuristics.judgement import odds_of, side_strength, strength_as
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import count_warriors, room_at_home
from balance.games.grody.kernel.combat import behave, morale_of


@compiled
def kept_worth(w, card):
    """What a card in hand is worth to who keeps it."""
    if card == s.WIZARD:
        return w.keep_wizard
    if card <= s.AMBUSH:
        return w.keep_before
    return w.keep_during if card <= s.RETREAT else w.keep_turn


@compiled
def _after_pit(rules, state, owner, i):
    """Behaviour of a warrior whose roll is 1 more; the state is left as it was."""
    before = state.behaviour[owner, i]
    state.roll[owner, i] += 1
    behave(rules, state, owner, i)
    after = state.behaviour[owner, i]
    state.roll[owner, i] -= 1
    state.behaviour[owner, i] = before
    return after


@compiled
def _change(rules, state, owner, i, after, more):
    """By how much a warrior's strength changes if it behaves so, or has more morale."""
    morale = morale_of(rules, state, owner, i)
    return strength_as(after, morale + more) - strength_as(state.behaviour[owner, i], morale)


@compiled
def swing(rules, state, seat, card, aim):
    """By how much a card that `seat` plays in a combat changes its odds there; may be below 0."""
    own = side_strength(rules, state, seat)
    other = side_strength(rules, state, 1 - seat)
    before = odds_of(own, other)
    if card == s.SURE:
        own += _change(rules, state, seat, aim, s.READY, rules.sure_morale)
    elif card == s.SONG:
        for i in range(state.fighters[seat]):
            if state.behaviour[seat, i] == s.READY:
                own += _change(rules, state, seat, i, s.READY, rules.song_morale)
    elif card == s.AMBUSH:
        other += _change(rules, state, 1 - seat, aim, s.GONE, 0)
    elif card == s.WOLF_PIT:
        after = _after_pit(rules, state, 1 - seat, aim)
        other += _change(rules, state, 1 - seat, aim, after, 0)
    elif card == s.MANOEUVRE:
        after = state.behaviour[seat, aim] + 1
        own += _change(rules, state, seat, aim, after, 0)
    return odds_of(own, other) - before


@compiled
def combat_odds(rules, state, seat):
    """A seat's odds in the combat under way."""
    return odds_of(side_strength(rules, state, seat), side_strength(rules, state, 1 - seat))


@compiled
def stake(rules, state):
    """What the combat under way is about: more warriors, and far more for a gród."""
    both = state.warriors[0, state.here] + state.warriors[1, state.here]
    return 0.5 * both + (6.0 if state.terrain[state.here] == s.GROD else 0.0)


@compiled
def _worth_in_combat(rules, state, w, seat, card, aim):
    if card == s.RETREAT:
        alive = state.warriors[seat, state.here]
        return w.retreat + w.retreat_odds * combat_odds(rules, state, seat) * alive
    return w.swing * swing(rules, state, seat, card, aim) * stake(rules, state)


@compiled
def _worth_of_turn(rules, state, w, seat, card):
    """Of a card that is not played in a combat."""
    if card == s.PURSUIT:
        return w.pursuit
    if card == s.FORCED_MARCH:
        return w.march * min(4, count_warriors(rules, state, seat))
    if card == s.SCOUTING:
        return w.scouting * min(1, state.terrain_count)
    if card == s.VOLUNTEERS:
        return w.warrior
    if card == s.SABOTAGE:
        return w.sabotage
    if card == s.RANSOM_ALL:
        freed = min(state.prisoners[1 - seat], room_at_home(rules, state, seat))
        return w.warrior * freed
    room = rules.hand_limit - state.hand_size[seat] + 1
    return w.prophecy * min(rules.prophecy_draw, max(0, room))


@compiled
def effect_worth(rules, state, w, seat, card, aim):
    """What a card's effect is worth to the seat that plays it."""
    if state.window == s.BEFORE or state.window == s.DURING:
        return _worth_in_combat(rules, state, w, seat, card, aim)
    return _worth_of_turn(rules, state, w, seat, card)


@compiled
def play_worth(rules, state, w, card, aim):
    """Value of playing a card against declining."""
    seat = state.seat
    full = state.hand_size[seat] / rules.hand_limit
    cost = kept_worth(w, card) * (1.0 - w.full_hand * full)
    return effect_worth(rules, state, w, seat, card, aim) - cost


@compiled
def counter_worth(rules, state, w):
    """Value of answering with a czarodziej: what the card does to the seat, or does for it."""
    effect = effect_worth(rules, state, w, state.played_by, state.played, state.aim)
    return w.cancel * effect - kept_worth(w, s.WIZARD)
