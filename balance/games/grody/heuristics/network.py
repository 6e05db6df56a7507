"""Features of a position for networks: what the seat to choose sees of both sides, the board and a combat.

All numbers are of the order of 1. The seat to choose is first, so that a network need not learn each seat's view.
Numbers that depend on the rules, such as the lead that dominates or the room in a gród, are given as what is missing
or left. They use no hidden information (CRD-5). The features of an action are in `network_actions`.
"""

from __future__ import annotations

import math

from balance.contract.records import name_by_seat, number_features
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.grody.heuristics.cards import combat_odds
from balance.games.grody.heuristics.features import survey
from balance.games.grody.heuristics.judgement import danger, force_near, side_strength
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import adjacent_force, count_points, count_segments, count_warriors, room_at_home
from balance.games.grody.kernel.combat import is_refuge, morale_of
from balance.games.grody.rules.ruleset import BUILDINGS, CARDS, TERRAINS

HEADS = (
    "explore", "march", "strengthen", "exchange", "turn_card", "before_card", "during_card", "answer", "flee",
    "discard", "build", "ransom",
)  # fmt: skip
"""Kinds of decision: moves while land is unexplored, later moves, moves after an attack; then cards and the rest."""
HEAD = number_features(HEADS)

ZONES = 7  # by how much nearer a segment is to the other gród than to the own one
_WHOSE = ("own", "other")


@compiled
def dominates(rules, lead, land):
    """Return whether a lead and a number of segments suffice for dominance (END-2)."""
    return lead >= rules.dominance_lead and land >= rules.dominance_segments


@compiled
def unexplored_near(rules, state, segment):
    """Return the number of unexplored neighbours of a segment without warriors."""
    count = 0
    for i in range(rules.degree[segment]):
        near = rules.neighbours[segment, i]
        if state.terrain[near] == s.UNEXPLORED:
            count += state.warriors[0, near] + state.warriors[1, near] == 0
    return count


_OF_A_SEAT = {
    "points": "victory points, as a share of the lead that dominates",
    "lead": "victory points minus those of the other seat, as a share of the lead that dominates",
    "land": "segments owned, as a share of all",
    "land_missing": "segments still missing for dominance",
    "dominates": "1 if the seat dominates now",
    "warriors": "warriors on the board",
    "superior": "logarithm of the ratio of the armies",
    "teams": "segments with a full team",
    "largest": "warriors in the largest group",
    "garrison": "warriors in the own gród",
    "home_room": "room for warriors in the own gród",
    "recruits": "recruits that the next turn adds",
    "recruits_land": "segments missing for the extra recruits",
    "near_1": "warriors within one step of the enemy's gród",
    "near_2": "warriors within two steps of it",
    "near_3": "warriors within three steps of it",
    "home_risk": "chance that adjacent enemies take the own gród",
    "land_risk": "points plus 1 of each own segment, times the chance that adjacent enemies take it",
    "men_risk": "own warriors, times the chance that adjacent enemies take their segment",
    "worst_risk": "largest chance that adjacent enemies take a segment with warriors",
    "open": "own segments without a warrior that are adjacent to an enemy",
    "front": "warriors adjacent to enemies",
    "explorers": "warriors adjacent to an unexplored segment",
    "frontier": "own segments adjacent to an unexplored one",
    "team_near": "1 / (1 + steps from the nearest full team to the enemy's gród)",
    "nearest": "1 / (1 + steps from the nearest warrior to the enemy's gród)",
    "hand": "cards in hand, as a share of the limit",
    "held": "prisoners held",
    "had_first": "1 if the seat has turned up its first terrain",
    "active": "1 if it is the seat's turn",
}
SEAT = number_features(_OF_A_SEAT)


@compiled
def _describe_seat(rules, state, scratch, p, row, at):
    """Describe a seat; `scratch.lead` and `scratch.land` are known."""
    home, lead = rules.grod[p], scratch.lead[p]
    land = scratch.land[p]
    own, other = count_warriors(rules, state, p), count_warriors(rules, state, 1 - p)
    room = room_at_home(rules, state, p)
    coming = rules.recruits + (land >= rules.recruits_segments) * rules.recruits_more
    row[at + SEAT.points] = count_points(rules, state, p) / rules.dominance_lead
    row[at + SEAT.lead] = lead / rules.dominance_lead
    row[at + SEAT.land] = land / rules.segment_count
    row[at + SEAT.land_missing] = max(0, rules.dominance_segments - land) / 10
    row[at + SEAT.dominates] = dominates(rules, lead, land)
    row[at + SEAT.warriors] = own / 12
    row[at + SEAT.superior] = math.log((own + 1.0) / (other + 1.0))
    row[at + SEAT.garrison] = state.warriors[p, home] / 4
    row[at + SEAT.home_room] = room / 4
    row[at + SEAT.recruits] = min(coming, room) / 2
    row[at + SEAT.recruits_land] = max(0, rules.recruits_segments - land) / 12
    for steps in range(1, 4):
        row[at + SEAT.near_1 + steps - 1] = force_near(rules, state, p, 1 - p, steps) / (2 + 2 * steps)
    _describe_groups(rules, state, scratch, p, row, at)
    row[at + SEAT.home_risk] = scratch.risk[p, home]
    row[at + SEAT.hand] = state.hand_size[p] / rules.hand_limit
    row[at + SEAT.held] = state.prisoners[p] / 3
    row[at + SEAT.had_first] = state.had_first[p]
    row[at + SEAT.active] = state.active == p


@compiled
def _describe_groups(rules, state, scratch, p, row, at):
    """Describe the warriors of a seat, and keep the risk of each segment of its own in `scratch.risk`."""
    most = 0
    for segment in range(rules.segment_count):
        count = state.warriors[p, segment]
        risk = 0.0
        if state.owner[segment] == p:
            risk = danger(rules, state, p, segment, count)
            if segment != rules.grod[p]:
                row[at + SEAT.land_risk] += risk * (1 + rules.points[state.terrain[segment]]) / 6
            row[at + SEAT.men_risk] += risk * count / 6
            row[at + SEAT.open] += (count == 0 and risk > 0.0) / 3
            row[at + SEAT.frontier] += (unexplored_near(rules, state, segment) > 0) / 6
        scratch.risk[p, segment] = risk
        if count == 0:
            continue
        most = max(most, count)
        row[at + SEAT.worst_risk] = max(row[at + SEAT.worst_risk], risk)
        row[at + SEAT.front] += count * (adjacent_force(rules, state, 1 - p, segment) > 0) / 8
        row[at + SEAT.explorers] += count * (unexplored_near(rules, state, segment) > 0) / 6
        closeness = 1.0 / (1.0 + rules.steps_to[1 - p, segment])
        row[at + SEAT.nearest] = max(row[at + SEAT.nearest], closeness)
        if count >= rules.leader_at:
            row[at + SEAT.teams] += 1.0 / 3.0
            row[at + SEAT.team_near] = max(row[at + SEAT.team_near], closeness)
    row[at + SEAT.largest] = most / 4


_OF_A_ZONE = {
    "own_men": "own warriors",
    "other_men": "the other seat's warriors",
    "own_land": "own segments",
    "other_land": "the other seat's segments",
    "unexplored": "unexplored segments",
}
ZONE = number_features(_OF_A_ZONE)


@compiled
def _describe_zones(rules, state, row):
    """Count warriors and land by zone, from the own gród to the other."""
    seat = state.seat
    for segment in range(rules.segment_count):
        nearer = rules.steps_to[seat, segment] - rules.steps_to[1 - seat, segment]
        at = _ZONES_AT + _ZONE_SIZE * (max(0, min(2 * ZONES - 1, nearer + ZONES - 1)) // 2)
        row[at + ZONE.own_men] += state.warriors[seat, segment] / 6
        row[at + ZONE.other_men] += state.warriors[1 - seat, segment] / 6
        owner = state.owner[segment]
        row[at + ZONE.own_land] += (owner == seat) / 5
        row[at + ZONE.other_land] += (owner == 1 - seat) / 5
        row[at + ZONE.unexplored] += (state.terrain[segment] == s.UNEXPLORED) / 5


_OF_A_TURN = {
    "time_left": "share of the turns still to come",
    "last_turns": "1 in the last three turns of each player",
    "unexplored": "share of the segments that are unexplored",
    "mean_points": "mean of the points of the terrains in the deck",
    "pile": "cards in the pile of fate",
    "fresh": "own warriors that have not moved",
    "once": "own warriors that may move again with forsowny_marsz",
    "marches": "second moves left",
    "scouts": "exchanges of terrain left",
    "entered": "segments entered and not yet turned up",
    "attacks": "attacks of this turn still to be fought",
    "attacks_won": "attacks won this turn",
    "declines": "1 if the other seat has just declined a card",
    "start": "1 in the card phase at the start of a turn",
    "after": "1 in the card phase after a combat",
    "end": "1 in the card phase at the end of a turn",
    "answered": "1 if the card to be answered has no effect as it stands",
    "own_card": "1 if it is the seat's own card",
}
TURN = number_features(_OF_A_TURN)


@compiled
def _describe_turn(rules, state, scratch, row, at):
    """Describe how far the game and the turn are."""
    left = s.SEATS * rules.turn_limit - state.turns
    row[at + TURN.time_left] = left / (s.SEATS * rules.turn_limit)
    row[at + TURN.last_turns] = left < 3 * s.SEATS
    unexplored = fresh = once = 0
    for segment in range(rules.segment_count):
        unexplored += state.terrain[segment] == s.UNEXPLORED
        fresh += state.fresh[segment]
        once += state.once[segment]
    scratch.unexplored = unexplored
    row[at + TURN.unexplored] = unexplored / rules.segment_count
    row[at + TURN.mean_points] = scratch.mean_points
    row[at + TURN.pile] = state.pile_count / 30
    if state.phase == s.ASK_MOVE:
        row[at + TURN.fresh] = fresh / 10
        row[at + TURN.once] = once / 10
    row[at + TURN.marches] = state.marches / 2
    row[at + TURN.scouts] = state.scouts / 2
    row[at + TURN.entered] = max(0, state.entered_count - state.explored) / 4
    row[at + TURN.attacks] = max(0, state.attack_count - state.fought) / 3
    row[at + TURN.attacks_won] = state.attacks_won / 2
    if state.phase == s.ASK_CARD:
        row[at + TURN.declines] = state.declines
    if state.phase == s.ASK_CARD or state.phase == s.ASK_ANSWER:
        row[at + TURN.start] = state.window == s.START
        row[at + TURN.after] = state.window == s.AFTER
        row[at + TURN.end] = state.window == s.END
    if state.phase == s.ASK_ANSWER:
        row[at + TURN.answered] = state.counters % 2
        row[at + TURN.own_card] = state.played_by == state.seat


@compiled
def _describe_decks(rules, state, row, at):
    """Describe the terrains, tokens and fate cards that are left; `at` is the place of the terrains."""
    for terrain in range(len(TERRAINS)):
        row[at + terrain] = state.terrain_deck[terrain] / 5
    for kind in range(len(BUILDINGS)):
        row[at + len(TERRAINS) + kind] = state.tokens[kind] / 3
    other = 1 - state.seat
    unseen = state.pile_count + state.hand_size[other]
    share = state.hand_size[other] / max(1, unseen)
    for card in range(len(CARDS)):
        row[_HAND_AT + card] = state.hand[state.seat, card] / 2
        held = share * (state.pile[card] + state.hand[other, card])
        row[_HAND_AT + len(CARDS) + card] = held


_OF_A_SIDE = {
    "strength": "strength of the side in the combat",
    "fighters": "its warriors there",
    "morale": "morale of its first warrior, before cards on single warriors",
    "cushion": "blows that it can still ignore",
    "refuges": "segments to which it can flee",
    "fled": "its warriors who fled from this combat",
    "ready": "its warriors before their roll",
    "fleeing": "its fleeing warriors",
    "standing": "its standing warriors",
    "fighting": "its fighting warriors",
    "furious": "its furious warriors",
}
SIDE = number_features(_OF_A_SIDE)


@compiled
def _describe_side(rules, state, p, row, at):
    """Describe a side of the current combat."""
    row[at + SIDE.strength] = side_strength(rules, state, p) / 5
    row[at + SIDE.fighters] = state.warriors[p, state.here] / 4
    row[at + SIDE.morale] = (morale_of(rules, state, p, 0) - state.boost[p, 0]) / 4
    if p != state.active:
        row[at + SIDE.cushion] = state.cushion
    for i in range(rules.degree[state.here]):
        near = rules.neighbours[state.here, i]
        row[at + SIDE.refuges] += is_refuge(rules, state, p, near) / 4
        row[at + SIDE.fled] += state.fled_to[p, near] / 3
    for i in range(state.fighters[p]):
        behaviour = state.behaviour[p, i]
        if behaviour != s.GONE:
            row[at + SIDE.fled + behaviour] += 0.25


_OF_A_COMBAT = {
    "combat": "1 during a combat and its cards",
    "attacker": "1 if the seat attacks",
    "odds": "chance to win",
    "stake_land": "points plus 1 of the segment",
    "stake_home": "1 if the combat is in the own gród",
    "stake_grod": "1 if it is in the other gród",
    "first_round": "1 before the end of the first round",
    "victor": "1 if the seat has won it",
}
COMBAT = number_features(_OF_A_COMBAT)


@compiled
def _describe_combat(rules, state, scratch, row, at):
    """Describe the current combat, or the one that has just ended."""
    seat, here = state.seat, state.here
    row[at + COMBAT.combat] = 1.0
    row[at + COMBAT.attacker] = state.active == seat
    row[at + COMBAT.first_round] = state.combat_round <= 1
    row[at + COMBAT.stake_home] = here == rules.grod[seat]
    row[at + COMBAT.stake_grod] = here == rules.grod[1 - seat]
    if state.terrain[here] != s.GROD:
        row[at + COMBAT.stake_land] = (1 + rules.points[state.terrain[here]]) / 2
    if state.window == s.AFTER:
        row[at + COMBAT.victor] = state.victor == seat
    row[at + COMBAT.odds] = scratch.odds
    _describe_side(rules, state, seat, row, _SIDES_AT)
    _describe_side(rules, state, 1 - seat, row, _SIDES_AT + _SIDE_SIZE)


@compiled
def _is_combat(state):
    """Return whether the decision belongs to a combat, the cards after it included."""
    phase = state.phase
    if phase == s.ASK_HIT or phase == s.ASK_FLEE:
        return True
    of_cards = phase == s.ASK_CARD or phase == s.ASK_ANSWER
    return of_cards and s.BEFORE <= state.window <= s.AFTER


@compiled
def _share(rules, state, scratch):
    """Keep what the features of position and actions share in `scratch`."""
    for p in range(s.SEATS):
        scratch.land[p] = count_segments(rules, state, p)
    scratch.lead[0] = count_points(rules, state, 0) - count_points(rules, state, 1)
    scratch.lead[1] = -scratch.lead[0]
    points = 0
    for terrain in range(len(TERRAINS)):
        points += state.terrain_deck[terrain] * rules.points[terrain]
    scratch.mean_points = points / max(1, state.terrain_count)
    scratch.odds = 0.0
    if _is_combat(state):
        scratch.odds = combat_odds(rules, state, state.seat)
    if state.phase == s.ASK_MOVE:
        survey(rules, state, scratch)


@compiled
def _head(state, scratch):
    """Return the number of the kind of decision."""
    phase = state.phase
    if phase == s.ASK_MOVE:
        if state.attack_count > 0:
            return HEAD.strengthen
        return HEAD.explore if scratch.unexplored > 0 else HEAD.march
    if phase == s.ASK_CARD:
        if state.window == s.BEFORE:
            return HEAD.before_card
        return HEAD.during_card if state.window == s.DURING else HEAD.turn_card
    if phase == s.ASK_ANSWER:
        return HEAD.answer
    if phase == s.ASK_EXCHANGE:
        return HEAD.exchange
    if phase == s.ASK_FLEE or phase == s.ASK_HIT:
        return HEAD.flee
    if phase == s.ASK_DISCARD:
        return HEAD.discard
    return HEAD.build if phase == s.ASK_BUILD else HEAD.ransom


@compiled_entry
def context(rules, state, scratch):
    """Fill `scratch.context` (`CONTEXT`) for the seat to choose, and return the number of the head (`HEADS`)."""
    row = scratch.context
    _share(rules, state, scratch)
    _describe_seat(rules, state, scratch, state.seat, row, 0)
    _describe_seat(rules, state, scratch, 1 - state.seat, row, _SEAT_SIZE)
    _describe_zones(rules, state, row)
    _describe_turn(rules, state, scratch, row, _TURN_AT)
    _describe_decks(rules, state, row, _DECK_AT)
    if _is_combat(state):
        _describe_combat(rules, state, scratch, row, _COMBAT_AT)
    return _head(state, scratch)


CONTEXT = {
    **name_by_seat(_WHOSE, _OF_A_SEAT),
    **{
        f"zone_{zone}_{name}": f"{text} in zone {zone} of {ZONES}, from the own gród to the other"
        for zone in range(1, ZONES + 1)
        for name, text in _OF_A_ZONE.items()
    },
    **_OF_A_TURN,
    **{f"deck_{terrain}": f"cards of {terrain} in the deck" for terrain in TERRAINS},
    **{f"tokens_{kind}": f"tokens of {kind} left" for kind in BUILDINGS},
    **{f"hand_{card}": f"own cards of the kind {card}" for card in CARDS},
    **{f"may_hold_{card}": f"cards of the kind {card} that the other seat holds on average" for card in CARDS},
    **_OF_A_COMBAT,
    **name_by_seat(_WHOSE, {f"side_{name}": text for name, text in _OF_A_SIDE.items()}),
}
_SEAT_SIZE, _ZONE_SIZE, _SIDE_SIZE = len(_OF_A_SEAT), len(_OF_A_ZONE), len(_OF_A_SIDE)
_ZONES_AT = len(_WHOSE) * _SEAT_SIZE
_TURN_AT = _ZONES_AT + ZONES * _ZONE_SIZE
_DECK_AT = _TURN_AT + len(_OF_A_TURN)
_HAND_AT = _DECK_AT + len(TERRAINS) + len(BUILDINGS)
_COMBAT_AT = _HAND_AT + 2 * len(CARDS)
_SIDES_AT = _COMBAT_AT + len(_OF_A_COMBAT)
