"""Features of an action for networks: what it changes on the board, in a combat and in the hand.

They are computed after those of the position (`network`), which leave shared numbers in the scratch record.
"""

from __future__ import annotations

from balance.contract.records import SHORTLIST_FEATURES, bounded, number_features
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.grody.heuristics.cards import swing
from balance.games.grody.heuristics.features import adjacent_foreign, count_followers
from balance.games.grody.heuristics.judgement import attack_odds, danger, force_to_come
from balance.games.grody.heuristics.network import dominates, unexplored_near
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import adjacent_force, capacity_of, room_at_home
from balance.games.grody.kernel.movement import place_entered
from balance.games.grody.rules.ruleset import BUILDINGS, CARDS, TERRAINS

_OF_FORCES = {"enemies": "enemies adjacent to the segment", "friends": "own warriors adjacent to the segment"}
_OF_A_SEGMENT = {
    **{f"on_{terrain}": f"1 if the segment is {terrain}" for terrain in TERRAINS},
    **{f"built_{kind}": f"1 if {kind} is on the segment, or built there" for kind in BUILDINGS},
    "points": "victory points of the terrain; the mean of the deck if it is not known",
}


@compiled
def _describe_segment(rules, state, scratch, segment, row):
    """Describe the segment that an action concerns."""
    seat, terrain = state.seat, state.terrain[segment]
    row[AT.closeness] = 1.0 / (1.0 + rules.steps_to[1 - seat, segment])
    row[AT.from_own] = 1.0 / (1.0 + rules.steps_to[seat, segment])
    row[AT.new_land] = unexplored_near(rules, state, segment) / 3
    row[AT.enemies] = adjacent_force(rules, state, 1 - seat, segment) / 6
    row[AT.friends] = adjacent_force(rules, state, seat, segment) / 6
    row[AT.there] = state.warriors[seat, segment] / 4
    row[AT.risk] = scratch.risk[seat, segment]
    if terrain == s.UNEXPLORED:
        row[AT.points] = scratch.mean_points
        return
    if terrain != s.GROD:
        row[AT.on_rownina + terrain] = 1.0
        row[AT.points] = rules.points[terrain]
    if state.building[segment] != s.NOTHING:
        row[AT.built_zasieki + state.building[segment]] = 1.0


_OF_A_GAIN = {
    "gain": "growth of the lead, times the chance to win if it is attacked",
    "dominates": "1 if the seat dominates after the move, if it wins the attack, and not before",
    "stops": "1 if the enemy dominates now and no longer afterwards",
}


@compiled
def _describe_gain(rules, state, scratch, lead, row):
    """Describe what the growth of the lead by a segment means for dominance (END-2)."""
    seat = state.seat
    taken = row[AT.take] + row[AT.attack] + row[AT.reinforce] > 0.0
    own_lead, other_lead = scratch.lead[seat], scratch.lead[1 - seat]
    own_land, other_land = scratch.land[seat], scratch.land[1 - seat]
    before = dominates(rules, own_lead, own_land)
    row[AT.dominates] = not before and dominates(rules, own_lead + lead, own_land + 1)
    if dominates(rules, other_lead, other_land):
        row[AT.stops] = not dominates(rules, other_lead - lead, other_land - taken)


_OF_A_STEP = {
    "nearer": "steps nearer to the enemy's gród",
    "closeness": "1 / (1 + steps from the segment to the enemy's gród)",
    "from_own": "1 / (1 + steps from the segment to the own gród)",
    "front": "change of the number of neighbours that the seat does not own",
    "new_land": "unexplored neighbours of the segment",
}
_OF_A_MOVE = {
    "quiet": "1 for a move to an own segment",
    "explore": "1 for entering an unexplored segment",
    "follow": "1 for following onto an unexplored segment entered this turn",
    "take": "1 for walking onto a segment of the enemy without warriors",
    "attack": "1 for a first attack on a segment",
    "reinforce": "1 for a further attacker",
    "second": "1 if the warrior moves a second time",
    "from_home": "1 for leaving the own gród",
    "to_home": "1 for entering it",
    "to_grod": "1 for entering the enemy's gród",
    "wins": "1 if the move wins at once",
}


@compiled
def _describe_move(rules, state, scratch, start, goal, row):
    """Describe a move of a warrior."""
    seat, terrain = state.seat, state.terrain[goal]
    _describe_segment(rules, state, scratch, goal, row)
    _describe_leaving(rules, state, scratch, start, row)
    _describe_grody(rules, state, scratch, start, goal, row)
    there = state.warriors[seat, goal] + 1
    row[AT.nearer] = rules.steps_to[1 - seat, start] - rules.steps_to[1 - seat, goal]
    row[AT.front] = (adjacent_foreign(rules, state, goal) - adjacent_foreign(rules, state, start)) / 3
    row[AT.there] = there / 4
    row[AT.fills] = there == capacity_of(rules, state, goal)
    row[AT.from_home] = start == rules.grod[seat]
    row[AT.to_home] = goal == rules.grod[seat]
    row[AT.to_grod] = goal == rules.grod[1 - seat]
    chance = 1.0
    if terrain != s.UNEXPLORED and state.warriors[1 - seat, goal] > 0:
        chance = _describe_attack(rules, state, scratch, goal, row)
    else:
        _describe_groups(rules, state, start, goal, row)
    if state.owner[goal] == seat:
        row[AT.quiet] = 1.0
        return
    if terrain == s.UNEXPLORED:
        first = place_entered(state, goal) < 0
        row[AT.explore] = first
        row[AT.follow] = not first
        row[AT.gain] = first * scratch.mean_points
        _describe_gain(rules, state, scratch, first * scratch.mean_points, row)
    elif terrain == s.GROD:
        row[AT.wins] = state.warriors[1 - seat, goal] == 0
    else:
        row[AT.take] = state.warriors[1 - seat, goal] == 0
        row[AT.gain] = chance * rules.points[terrain]
        _describe_gain(rules, state, scratch, 2 * rules.points[terrain], row)


_OF_LEAVING = {
    "old_land": "unexplored neighbours of the segment left",
    "left": "own warriors left behind",
    "there": "own warriors there afterwards",
    "fresh": "warriors left behind that have not moved",
}


@compiled
def _holding_worth(rules, state, seat, segment):
    """Return a third of the points of a segment plus 1; the own gród counts 2."""
    if segment == rules.grod[seat]:
        return 2.0
    return (1.0 + rules.points[state.terrain[segment]]) / 3.0


@compiled
def _describe_leaving(rules, state, scratch, start, row):
    """Describe the segment that a warrior leaves."""
    seat = state.seat
    count = state.warriors[seat, start]
    after = danger(rules, state, seat, start, count - 1)
    row[AT.start_risk] = after
    row[AT.start_worse] = after - scratch.risk[seat, start]
    row[AT.start_enemies] = adjacent_force(rules, state, 1 - seat, start) / 6
    row[AT.land_loss] = row[AT.start_worse] * _holding_worth(rules, state, seat, start)
    row[AT.men_loss] = (after * (count - 1) - scratch.risk[seat, start] * count) / 4
    row[AT.old_land] = unexplored_near(rules, state, start) / 3
    row[AT.left] = (count - 1) / 4
    row[AT.second] = state.fresh[start] == 0
    row[AT.fresh] = max(0, state.fresh[start] - 1) / 4


_OF_RISKS = {
    "start_risk": "chance that adjacent enemies take the segment left",
    "start_worse": "growth of this chance by the move",
    "risk": "chance that adjacent enemies take the segment, without the action",
    "risk_after": "this chance afterwards",
    "risk_followed": "this chance if all who can take the same step follow",
    "land_loss": "growth of the chances to lose both segments, times their points plus 1 (6 for the own gród)",
    "men_loss": "growth of the warriors on both segments, times their chances, if all who can follow do",
    "company": "growth of the larger of both groups, if all who can follow do",
    "start_enemies": "enemies adjacent to the segment left",
}
_OF_GROUPS = {
    "followers": "warriors who can still take the same step",
    "fills": "1 if the segment is full afterwards",
    "thirst": "1 if a warrior dies there at the end of the turn, unless one leaves",
    "team": "1 if the move forms a full team",
    "team_to_come": "1 if it forms one if all who can take the same step follow",
    "break_up": "1 if it breaks up a full team",
}


@compiled
def _describe_groups(rules, state, start, goal, row):
    """Describe the groups that a move forms and breaks up, and how safe they are."""
    seat = state.seat
    left, there = state.warriors[seat, start], state.warriors[seat, goal]
    follow = count_followers(rules, state, start, goal)
    row[AT.followers] = follow / 3
    row[AT.team] = there + 1 == rules.leader_at
    row[AT.team_to_come] = there < rules.leader_at <= there + 1 + follow
    row[AT.break_up] = left == rules.leader_at
    terrain = state.terrain[goal]
    row[AT.company] = (there + 1 + follow - max(left, there)) / 4
    if terrain != s.UNEXPLORED:
        deadly = rules.deadly_from[terrain]
        row[AT.thirst] = deadly > 0 and there + 1 >= deadly
        row[AT.risk_after] = danger(rules, state, seat, goal, there + 1)
        row[AT.risk_followed] = row[AT.risk_after]
        if follow > 0:
            row[AT.risk_followed] = danger(rules, state, seat, goal, there + 1 + follow)
        growth = row[AT.risk_followed] - row[AT.risk]
        row[AT.land_loss] += growth * _holding_worth(rules, state, seat, goal)
        row[AT.men_loss] += (row[AT.risk_followed] * (there + 1 + follow) - row[AT.risk] * there) / 4


_OF_GRODY = {
    "guard": "warriors in the own gród afterwards minus enemies within two steps, from -1 to 1",
    "siege": "chance that all who are adjacent to the enemy's gród afterwards take it",
    "siege_more": "growth of this chance by the move",
    "home_room": "growth of the room in the own gród",
}


@compiled
def _describe_grody(rules, state, scratch, start, goal, row):
    """Describe what a move changes for both grody."""
    seat = state.seat
    home, grod = rules.grod[seat], rules.grod[1 - seat]
    garrison = state.warriors[seat, home] + (goal == home) - (start == home)
    row[AT.guard] = bounded(garrison - scratch.threat, 4)
    room = max(0, rules.capacity[s.GROD] - garrison)
    row[AT.home_room] = room - room_at_home(rules, state, seat)
    before = after = scratch.risk[1 - seat, grod]
    more = int(rules.steps_to[1 - seat, goal] <= 1) - int(rules.steps_to[1 - seat, start] == 1)
    if more != 0:
        force = adjacent_force(rules, state, seat, grod) + state.warriors[seat, grod] + more
        force = min(force, rules.capacity[s.GROD])
        after = 0.0
        if force > 0:
            defenders = state.warriors[1 - seat, grod]
            after = attack_odds(rules, state, grod, force, defenders) if defenders > 0 else 1.0
    row[AT.siege] = after
    row[AT.siege_more] = after - before


_OF_AN_ATTACK = {
    "defenders": "enemies on the segment",
    "odds_before": "chance to take it without this warrior",
    "odds_now": "chance to take it with this warrior",
    "odds_all": "chance to take it with all who can still come this turn",
    "to_come": "warriors who can still come this turn",
    "held_after": "chance that adjacent enemies don't take it back, if all who can come win and half of them live",
    "leader": "1 if the attackers have a leader with all who can come",
    "armed": "own combat cards when attacking, minus those that the enemy is expected to hold",
    "superior": "logarithm of the ratio of the armies when attacking",
    "late": "share of the turns that have begun when attacking",
    "slain": "enemies there, times the chance to take it",
    "grod_odds": "chance to take the enemy's gród with all who can come, 0 for other segments",
}


@compiled
def _describe_attack(rules, state, scratch, goal, row):
    """Describe an attack, and return the chance that all who can come win it."""
    seat = state.seat
    there, defenders = state.warriors[seat, goal], state.warriors[1 - seat, goal]
    coming = force_to_come(rules, state, goal)
    now = attack_odds(rules, state, goal, there + 1, defenders)
    whole = now
    if coming > 1:
        whole = attack_odds(rules, state, goal, there + coming, defenders)
    if there > 0:
        row[AT.reinforce] = 1.0
        row[AT.odds_before] = attack_odds(rules, state, goal, there, defenders)
    else:
        row[AT.attack] = 1.0
    row[AT.defenders] = defenders / 4
    row[AT.odds_now] = now
    row[AT.odds_all] = whole
    row[AT.to_come] = coming / 4
    row[AT.held_after] = 1.0 - danger(rules, state, seat, goal, (there + coming + 1) // 2)
    row[AT.leader] = there + coming >= rules.leader_at
    row[AT.armed] = scratch.armed / 4
    row[AT.superior] = scratch.superior
    row[AT.late] = scratch.late
    row[AT.slain] = whole * defenders / 4
    if goal == rules.grod[1 - seat]:
        row[AT.grod_odds] = whole
    return whole


_OF_A_CARD = {
    **{f"card_{card}": f"1 for a card of the kind {card}: played, discarded, paid or cancelled" for card in CARDS},
    "card": "1 for playing a card",
    "copies": "further cards of the kind in hand",
    "hand_left": "cards left in hand, as a share of the limit",
    "swing": "change of the chance to win the combat",
    "swing_stake": "this change, times half the warriors there, plus 6 for a gród",
    "odds_card": "chance to win the combat with the card",
    "men": "warriors that the card adds, frees or kills",
    "cancel": "1 for cancelling a card or saving it from cancelling",
}


@compiled
def _describe_kind(rules, state, card, leaves, row):
    """Describe a card by its kind; `leaves` is 1 if it leaves the hand of the seat."""
    row[AT.card_na_pewno_sie_uda + card] = 1.0
    row[AT.copies] = (state.hand[state.seat, card] - leaves) / 2
    row[AT.hand_left] = (state.hand_size[state.seat] - leaves) / rules.hand_limit


@compiled
def _describe_swing(state, scratch, change, row):
    """Describe the change of the chance to win the combat."""
    here = state.here
    both = state.warriors[0, here] + state.warriors[1, here]
    row[AT.swing] = change
    row[AT.swing_stake] = change * (both / 2 + (6 if state.terrain[here] == s.GROD else 0)) / 3
    row[AT.odds_card] = scratch.odds + change


@compiled
def _describe_play(rules, state, scratch, card, aim, row):
    """Describe playing a card."""
    seat = state.seat
    row[AT.card] = 1.0
    _describe_kind(rules, state, card, 1, row)
    if state.window == s.BEFORE or state.window == s.DURING:
        change = -scratch.odds if card == s.RETREAT else swing(rules, state, seat, card, aim)
        _describe_swing(state, scratch, change, row)
        if card == s.RETREAT:
            row[AT.men] = state.warriors[seat, state.here] / 4
    elif card == s.RANSOM_ALL:
        row[AT.men] = min(state.prisoners[1 - seat], room_at_home(rules, state, seat)) / 4
    elif card == s.PURSUIT:
        row[AT.men] = 0.25
        _describe_segment(rules, state, scratch, aim, row)
        row[AT.risk] = danger(rules, state, 1 - seat, aim, state.warriors[1 - seat, aim])
        row[AT.risk_after] = danger(rules, state, 1 - seat, aim, state.warriors[1 - seat, aim] - 1)
    elif card == s.VOLUNTEERS:
        row[AT.men] = 0.25
        _describe_joining(rules, state, scratch, aim, row)
    elif card == s.SABOTAGE:
        _describe_segment(rules, state, scratch, aim, row)
        row[AT.defenders] = state.warriors[1 - seat, aim] / 4


@compiled
def _describe_joining(rules, state, scratch, segment, row):
    """Describe a segment that a warrior joins, by flight or as a volunteer."""
    _describe_segment(rules, state, scratch, segment, row)
    there = state.warriors[state.seat, segment] + 1
    row[AT.risk] = danger(rules, state, state.seat, segment, there - 1)
    row[AT.risk_after] = danger(rules, state, state.seat, segment, there)
    row[AT.there] = there / 4
    row[AT.team] = there == rules.leader_at
    row[AT.fills] = there == capacity_of(rules, state, segment)
    row[AT.to_home] = segment == rules.grod[state.seat]


@compiled
def _describe_counter(rules, state, scratch, row):
    """Describe cancelling a card, or saving an own card from cancelling, by its effect on the seat's chance."""
    row[AT.cancel] = 1.0
    _describe_kind(rules, state, state.played, 0, row)
    row[AT.copies] = (state.hand[state.seat, s.WIZARD] - 1) / 2
    if state.window == s.BEFORE or state.window == s.DURING:
        change = 0.0
        if state.played != s.RETREAT:
            change = swing(rules, state, state.played_by, state.played, state.aim)
        _describe_swing(state, scratch, change, row)


_OF_THE_REST = {
    "hit": "morale that cards have given the warrior struck",
    "plus": "warriors gained by the terrain, or their mean in the deck",
    "room": "room on the terrain for warriors, or its mean in the deck",
}


@compiled
def _describe_exchange(rules, state, scratch, wanted, row):
    """Describe the terrain turned up, or the mean of those left with the one that is put back."""
    segment = state.entered[state.explored]
    here = state.terrain[segment]
    _describe_segment(rules, state, scratch, segment, row)
    row[AT.plus] = rules.plus[here]
    row[AT.room] = rules.capacity[here] / 4
    if not wanted:
        return
    row[AT.on_rownina + here] = 0.0
    points, plus, room = rules.points[here], rules.plus[here], rules.capacity[here]
    for terrain in range(len(TERRAINS)):
        points += state.terrain_deck[terrain] * rules.points[terrain]
        plus += state.terrain_deck[terrain] * rules.plus[terrain]
        room += state.terrain_deck[terrain] * rules.capacity[terrain]
    count = state.terrain_count + 1
    row[AT.points] = points / count
    row[AT.plus] = plus / count
    row[AT.room] = room / count / 4


@compiled
def _describe_building(rules, state, scratch, kind, segment, row):
    """Describe a building, and how safe the segment is with it."""
    _describe_segment(rules, state, scratch, segment, row)
    row[AT.built_zasieki + kind] = 1.0
    there = state.warriors[state.seat, segment]
    before = state.building[segment]
    state.building[segment] = kind
    row[AT.risk_after] = danger(rules, state, state.seat, segment, there)
    state.building[segment] = before


@compiled_entry
def describe_action(rules, state, scratch, code, row):
    """Write the features of an action to `row` (the shared ones, then `ACTION`); called after `context`."""
    kind, number = a.kind_of(code), a.number_of(code)
    if kind == a.MOVE:
        _describe_move(rules, state, scratch, a.first_of(code), a.second_of(code), row)
    elif kind == a.PLAY:
        _describe_play(rules, state, scratch, a.first_of(code), a.second_of(code), row)
    elif kind == a.COUNTER:
        _describe_counter(rules, state, scratch, row)
    elif kind == a.KEEP or kind == a.EXCHANGE:
        _describe_exchange(rules, state, scratch, kind == a.EXCHANGE, row)
    elif kind == a.HIT:
        row[AT.hit] = 1.0 + state.boost[1 - state.seat, number]
    elif kind == a.FLEE:
        _describe_joining(rules, state, scratch, number, row)
    elif kind == a.DISCARD:
        _describe_kind(rules, state, number, 1, row)
    elif kind == a.RANSOM:
        _describe_kind(rules, state, number, 1, row)
        row[AT.men] = 0.25
    elif kind == a.BUILD:
        _describe_building(rules, state, scratch, a.first_of(code), a.second_of(code), row)


ACTION = (
    _OF_A_MOVE
    | _OF_A_SEGMENT
    | _OF_A_GAIN
    | _OF_A_STEP
    | _OF_LEAVING
    | _OF_GROUPS
    | _OF_RISKS
    | _OF_FORCES
    | _OF_GRODY
    | _OF_AN_ATTACK
    | _OF_A_CARD
    | _OF_THE_REST
)
AT = number_features(ACTION, len(SHORTLIST_FEATURES))
