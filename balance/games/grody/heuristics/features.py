"""What a strategy profile weighs: named features of an action in a state; nothing hidden is read.

An action's value is what it is worth against declining, being done or building nothing, which are worth 0.
"""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry
from balance.contract.records import Fields
from balance.games.grody.heuristics.cards import counter_worth, kept_worth, play_worth
from balance.games.grody.heuristics.judgement import danger, force_beside
from balance.games.grody.heuristics.moves import MOVING, move_worth, survey
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.vocabulary import TERRAINS

FEATURES = {
    "explore": "entering a segment that nobody has explored",
    "crowd": "following onto a segment entered this turn and not yet explored",
    "taken": "a segment taken from the enemy, by its chance if it is attacked",
    "points": "victory points that the lead grows by with it, by its chance if it is attacked",
    "brink": "those points, times how near either side is to the lead that dominates",
    "conquest": "entering the enemy's gród, by the chance to take it",
    "nearer": "steps nearer to the enemy's gród",
    "front": "neighbours that are not the seat's own, as a step changes them for who takes it",
    "attack": "attacking, whatever the odds",
    "odds": "odds of an attack with all who can still come this turn, 0 to 1",
    "odds_now": "odds of an attack as it stands with the first who enters, 0 to 1",
    "armed": "own cards for combats when attacking, less those that the enemy is likely to hold",
    "superior": "logarithm of the ratio of the armies when attacking",
    "late": "share of the turns that have begun when attacking",
    "slay": "enemies on an attacked segment, by the chance to win",
    "reinforce": "odds that a further attacker adds, for each enemy there and one more",
    "team": "a full team more, with a leader, if all follow who can take the same step",
    "break_up": "a full team less",
    "company": "how much the larger of two groups grows by a step, with all who can follow",
    "guard": "leaving the own gród when it has no more warriors than the enemy within two steps; coming is the reverse",
    "home_risk": "chance that the enemy next door takes the own gród, as a move changes it",
    "land_risk": "points and 1 for each segment, by the chance that the enemy next door takes it",
    "men_risk": "warriors, by the same chance",
    "crowded": "filling up the own gród, so that recruits find no room; leaving it full is the reverse",
    "turned_points": "victory points of a terrain turned up; of the mean of those left if it is exchanged",
    "turned_plus": "warriors that it brings",
    "turned_room": "warriors that it has room for",
    "swing": "odds of the combat that a card changes, for each two warriors there and six for a gród",
    "retreat": "retreating from a combat",
    "retreat_odds": "own warriors there, by the odds",
    "pursuit": "killing one who fled",
    "march": "second moves to be had, four at most",
    "scouting": "the right to exchange a terrain",
    "warrior": "a warrior that a card brings or frees",
    "sabotage": "tearing down a building",
    "prophecy": "cards drawn that the hand can keep",
    "cancel": "worth of a card cancelled, or saved from that, to who plays it",
    "keep_before": "giving up a card for before a combat",
    "keep_during": "giving up a card for during a combat",
    "keep_turn": "giving up any other card",
    "keep_wizard": "giving up a czarodziej",
    "full_hand": "share of the hand's limit that is filled, off what giving up a card costs",
    "hit": "morale that cards have given the warrior struck",
    "refuge": "chance that the enemy next door takes the segment fled to",
    "refuge_team": "own warriors there",
    "build": "building something",
    "build_front": "enemies next to what is built",
    "ransom": "a prisoner bought free",
}
SETTINGS: dict[str, tuple[float, str]] = {}
SCRATCH: Fields = (*MOVING,)


@compiled
def _terrain_worth(rules, w, terrain):
    return (
        w.turned_points * rules.points[terrain]
        + w.turned_plus * rules.plus[terrain]
        + w.turned_room * rules.capacity[terrain]
    )


@compiled
def _exchange_worth(rules, state, w):
    """The mean of the terrains that may come, the one put back among them, less the one turned up."""
    here = state.terrain[state.entered[state.explored]]
    total = _terrain_worth(rules, w, here)
    for terrain in range(len(TERRAINS)):
        total += state.terrain_deck[terrain] * _terrain_worth(rules, w, terrain)
    return total / (state.terrain_count + 1) - _terrain_worth(rules, w, here)


@compiled
def _build_worth(rules, state, w, segment):
    return w.build + w.build_front * force_beside(rules, state, 1 - state.seat, segment)


@compiled
def _flee_worth(rules, state, w, segment):
    there = state.warriors[state.seat, segment]
    risk = danger(rules, state, state.seat, segment, there + 1)
    return w.refuge * risk + w.refuge_team * there


@compiled
def _combat_and_card_worth(rules, state, w, code):
    kind = a.kind_of(code)
    number = a.number_of(code)
    if kind == a.PLAY:
        return play_worth(rules, state, w, a.first_of(code), a.second_of(code))
    if kind == a.COUNTER:
        return counter_worth(rules, state, w)
    if kind == a.HIT:
        return w.hit * state.boost[1 - state.seat, number]
    if kind == a.FLEE:
        return _flee_worth(rules, state, w, number)
    if kind == a.DISCARD:
        return -kept_worth(w, number)
    return w.ransom - kept_worth(w, number) if kind == a.RANSOM else 0.0


@compiled_entry
def evaluate(rules, state, scratch, weights, codes, count, values):
    """Fill `values[:count]` with the value of each action of `codes[:count]` to `state.seat`.

    Parameters
    ----------
    weights : record with a float for each of `FEATURES` and `SETTINGS`
    codes : int32 array, the legal actions
    values : float64 array, overwritten
    """
    if state.phase == s.ASK_MOVE:
        survey(rules, state, scratch)
    for i in range(count):
        code = codes[i]
        kind = a.kind_of(code)
        if kind == a.MOVE:
            start = a.first_of(code)
            goal = a.second_of(code)
            values[i] = move_worth(rules, state, scratch, weights, start, goal)
        elif kind == a.EXCHANGE:
            values[i] = _exchange_worth(rules, state, weights)
        elif kind == a.BUILD:
            values[i] = _build_worth(rules, state, weights, a.second_of(code))
        else:
            values[i] = _combat_and_card_worth(rules, state, weights, code)
