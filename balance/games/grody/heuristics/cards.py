"""Value of a fate card: its effect when played, its worth when kept, and the value of cancelling it."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.games.grody.heuristics.judgement import odds_of, side_strength, strength_as
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import count_warriors, room_at_home
from balance.games.grody.kernel.combat import behave, morale_of


@compiled
def _after_pit(rules, state, owner, i):
    """Return the behaviour of a warrior with a roll 1 higher; leaves the state unchanged."""
    before = state.behaviour[owner, i]
    state.roll[owner, i] += 1
    behave(rules, state, owner, i)
    after = state.behaviour[owner, i]
    state.roll[owner, i] -= 1
    state.behaviour[owner, i] = before
    return after


@compiled
def _change(rules, state, owner, i, after, more):
    """Return the change of a warrior's strength with behaviour `after` and `more` morale."""
    morale = morale_of(rules, state, owner, i)
    return strength_as(after, morale + more) - strength_as(state.behaviour[owner, i], morale)


@compiled
def swing(rules, state, seat, card, aim):
    """Return the change of a seat's odds in the combat by a card that it plays; may be negative."""
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
    """Return a seat's odds in the current combat."""
    return odds_of(side_strength(rules, state, seat), side_strength(rules, state, 1 - seat))


@compiled
def stake(rules, state):
    """Return the stake of the current combat: it grows with the warriors, and is far larger for a gród."""
    both = state.warriors[0, state.here] + state.warriors[1, state.here]
    return 0.5 * both + (6.0 if state.terrain[state.here] == s.GROD else 0.0)


_OF_A_COMBAT = {
    "swing": "change of the odds of the combat by a card, times half the warriors there, plus 6 for a gród",
    "retreat": "retreating from a combat",
    "retreat_odds": "own warriors in the combat, times the odds",
}


@compiled
def _worth_in_combat(rules, state, w, seat, card, aim):
    if card == s.RETREAT:
        alive = state.warriors[seat, state.here]
        return w.retreat + w.retreat_odds * combat_odds(rules, state, seat) * alive
    return w.swing * swing(rules, state, seat, card, aim) * stake(rules, state)


_OF_A_TURN = {
    "pursuit": "killing a warrior who fled",
    "march": "second moves gained, four at most",
    "scouting": "the right to exchange a terrain",
    "warrior": "a warrior that a card adds or frees",
    "sabotage": "tearing down a building",
    "prophecy": "cards drawn that the hand can keep",
}


@compiled
def _worth_of_turn(rules, state, w, seat, card):
    """Return the worth of a card played outside a combat."""
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
    """Return the worth of a card's effect to the seat that plays it."""
    if state.window == s.BEFORE or state.window == s.DURING:
        return _worth_in_combat(rules, state, w, seat, card, aim)
    return _worth_of_turn(rules, state, w, seat, card)


_OF_KEEPING = {
    "cancel": "worth, to the player of a card, of the card that is cancelled or saved from cancelling",
    "keep_before": "giving up a card that is played before a combat",
    "keep_during": "giving up a card that is played during a combat",
    "keep_turn": "giving up any other card",
    "keep_wizard": "giving up a czarodziej",
    "full_hand": "share of the hand limit that is filled; it reduces the cost of giving up a card",
}


@compiled
def kept_worth(w, card):
    """Return the worth of keeping a card in hand."""
    if card == s.WIZARD:
        return w.keep_wizard
    if card <= s.AMBUSH:
        return w.keep_before
    return w.keep_during if card <= s.RETREAT else w.keep_turn


@compiled
def play_worth(rules, state, w, card, aim):
    """Return the value of playing a card, compared with declining."""
    seat = state.seat
    full = state.hand_size[seat] / rules.hand_limit
    cost = kept_worth(w, card) * (1.0 - w.full_hand * full)
    return effect_worth(rules, state, w, seat, card, aim) - cost


@compiled
def counter_worth(rules, state, w):
    """Return the value of cancelling a card with a czarodziej."""
    effect = effect_worth(rules, state, w, state.played_by, state.played, state.aim)
    return w.cancel * effect - kept_worth(w, s.WIZARD)


OF_A_CARD = _OF_A_COMBAT | _OF_A_TURN | _OF_KEEPING
