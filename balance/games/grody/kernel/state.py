"""Records of the compiled rules (rule set, state, log, scratch), the game's own columns, and the packed rule set."""

from __future__ import annotations

import numpy as np

from balance.contract.records import OWN, SECRET, Columns, Fields, log_type, state_type
from balance.contract.rule_tables import pack_keys, rules_type
from balance.games.grody.rules.ruleset import (
    BUILDINGS,
    CARDS,
    MOST_ROUNDS,
    MOST_SEGMENTS,
    MOST_WARRIORS,
    TERRAINS,
    Geography,
    Rules,
)

SEATS = 2
SIDES = 6  # sides of a die
EDGES = 4  # most neighbours of a segment
# Most chance outcomes and outcomes between two decisions: 400 turns without a decision, with 4 cards drawn from an
# empty pile, are 3,200; in combats without a decision, five of six rounds end at least one warrior.
ENTRIES = 8192
MOST_ACTIONS = EDGES * MOST_SEGMENTS + 1  # moves; every other decision has fewer actions

# Terrains; a gród is a terrain of its own, and an unexplored segment has none.
PLAIN, DESERT, FOREST, HILLS, RIVER, SWAMP, GROD = range(len(TERRAINS) + 1)
UNEXPLORED = -1
ABATIS, BRIDGE, FORT = range(len(BUILDINGS))
NOTHING = -1  # no building
NOBODY = -1  # no owner, no winner

(
    SURE, SONG, AMBUSH, WOLF_PIT, MANOEUVRE, RETREAT, PURSUIT, FORCED_MARCH, SCOUTING, VOLUNTEERS, SABOTAGE,
    RANSOM_ALL, PROPHECY, WIZARD,
) = range(len(CARDS))  # fmt: skip

# Behaviours of a warrior (CMB-2); each of the last three is one step better than the one before (CRD-4).
GONE, READY, FLEEING, STANDING, FIGHTING, FURIOUS = range(6)

# Card phases (section 6).
START, BEFORE, DURING, AFTER, END = range(5)

# Phases: the first ones wait for a seat's decision, the others are steps of the rules.
(ASK_CARD, ASK_ANSWER, ASK_MOVE, ASK_EXCHANGE, ASK_HIT, ASK_FLEE, ASK_DISCARD, ASK_BUILD, ASK_RANSOM) = range(9)
(
    DEAL_FIRST, DEAL_SECOND, BEGIN_TURN, EXPLORE, NEXT_COMBAT, ROLL, FLY, STRIKE, DRAW, DISCARDS, RECRUIT,
    END_TURN, OVER,
) = range(16, 29)  # fmt: skip

# Endings of a game, in the order of `rules.ENDINGS`.
CONQUEST, DOMINANCE, LIMIT = range(3)

# When dominance is checked (END-2).
AT_ROUND, AT_START, AT_END = range(3)

# Sources of chance.
CHANCE = ("terrains", "fate", "dice")
TERRAIN_DECK, FATE_DECK, DICE = range(len(CHANCE))

RULES = rules_type(
    Rules,
    [
        ("cushion_a_round", "i4", (), "cushion_per"),
        ("segment_count", "i4"),
        ("degree", "i4", (MOST_SEGMENTS,)),
        ("neighbours", "i4", (MOST_SEGMENTS, EDGES)),
        ("steps_to", "i4", (SEATS, MOST_SEGMENTS)),  # from each segment to the gród of a seat
        ("grod", "i4", (SEATS,)),
        ("terrain_cards", "i4", (len(TERRAINS),), "terrain.*.cards"),
        ("capacity", "i4", (len(TERRAINS) + 1,), "terrain.*.capacity"),
        ("points", "i4", (len(TERRAINS) + 1,), "terrain.*.points"),
        ("plus", "i4", (len(TERRAINS),), "terrain.*.warriors"),  # warriors gained by a "+"
        ("allows", "i4", (len(TERRAINS) + 1,)),  # a building, or NOTHING
        ("defence", "i4", (len(TERRAINS) + 1,), "terrain.*.defence"),
        ("gloom", "i4", (len(TERRAINS) + 1,), "terrain.*.gloom"),
        ("deadly_from", "i4", (len(TERRAINS) + 1,), "terrain.*.deadly_from"),
        ("tokens", "i4", (len(BUILDINGS),), "buildings.*"),
        ("card_count", "i4", (len(CARDS),), "cards.*"),
    ],
)

STATE = state_type(
    [
        # flow
        ("phase", "i4", (), DEAL_FIRST),
        ("resume", "i4"),  # phase after discards
        ("turns", "i4"),  # turns begun
        ("active", "i4"),  # the seat whose turn it is: A
        ("winner", "i4", (), NOBODY),
        ("ended_by", "i4", (), LIMIT),
        # the board
        ("terrain", "i4", (MOST_SEGMENTS,), UNEXPLORED),
        ("owner", "i4", (MOST_SEGMENTS,), NOBODY),
        ("building", "i4", (MOST_SEGMENTS,), NOTHING),
        ("warriors", "i4", (SEATS, MOST_SEGMENTS)),
        ("tokens", "i4", (len(BUILDINGS),)),
        ("prisoners", "i4", (SEATS,)),  # prisoners that a seat holds
        # the decks: number of cards of each kind, drawn at random (the order is hidden)
        ("terrain_deck", "i4", (len(TERRAINS),)),
        ("terrain_count", "i4"),
        ("pile", "i4", (len(CARDS),), 0, SECRET),
        ("pile_count", "i4"),
        ("hand", "i4", (SEATS, len(CARDS)), 0, OWN),
        ("hand_size", "i4", (SEATS,)),
        ("discards", "i4", (SEATS, len(CARDS))),
        ("aside", "i4", (SEATS,), 0, OWN),  # PROPHECY in the hand that can't be played this turn (CRD-6)
        # a card phase
        ("window", "i4"),
        ("declines", "i4"),  # declines in a row
        ("played", "i4"),  # card that may be answered
        ("aim", "i4"),  # warrior (from 0) or segment of the card
        ("played_by", "i4"),
        ("counters", "i4"),  # wizards played as answers
        ("next_seat", "i4"),  # the seat whose turn in the phase is next
        # movement and exploration
        ("fresh", "i4", (MOST_SEGMENTS,)),  # warriors of A that have not moved
        ("once", "i4", (MOST_SEGMENTS,)),  # warriors of A that moved once and may move again (MOV-7)
        ("marches", "i4"),
        ("scouts", "i4"),
        ("had_first", "i4", (SEATS,)),  # whether a seat has turned up its first terrain (MOV-3)
        ("entered", "i4", (MOST_SEGMENTS,)),  # unexplored segments in the order of entry
        ("entered_count", "i4"),
        ("came_from", "i4", (MOST_SEGMENTS, MOST_WARRIORS)),  # by place in `entered`
        ("explored", "i4"),  # number of segments of `entered` explored
        # combats of the turn
        ("attacks", "i4", (MOST_SEGMENTS,)),  # segments in the order of attack
        ("attack_count", "i4"),
        ("fought", "i4"),  # number of segments of `attacks` fought
        ("attacks_won", "i4"),
        # the current combat
        ("here", "i4"),
        ("combat_round", "i4"),
        ("fighters", "i4", (SEATS,)),  # number of warriors when the combat began
        ("led", "i4", (SEATS,)),  # whether a side has a leader
        ("songs", "i4", (SEATS,)),
        ("boost", "i4", (SEATS, MOST_WARRIORS)),
        ("behaviour", "i4", (SEATS, MOST_WARRIORS)),
        ("roll", "i4", (SEATS, MOST_WARRIORS)),  # 0: no roll that counts
        ("cushion", "i4"),  # blows that the defender can still ignore
        ("runner", "i4"),  # number of the warrior who flees
        ("fled_to", "i4", (SEATS, MOST_SEGMENTS)),  # warriors who fled there from this combat
        ("strikers", "i4"),  # FURIOUS or FIGHTING
        ("striker", "i4"),  # seat
        ("blows", "i4", (SEATS,)),
        ("victor", "i4"),
        # recruiting
        ("ransomed", "i4"),
    ],
    CHANCE,
)

COLUMNS = Columns(
    game=[
        ("ended_by", "i1", "How the game ended: `conquest`, `dominance` or `limit` (of turns)."),
        ("turns", "i2", "Turns of both players together."),
        ("combats", "i2", "Combats fought."),
        ("combat_rounds", "i2", "Rounds of all combats together."),
        ("reshuffles", "i2", "How often the discarded fate cards were shuffled into a new pile."),
    ],
    seat=[
        ("victory_points", "i2", "Points of the segments owned."),
        ("segments", "i2", "Segments owned."),
        ("warriors", "i2", "Warriors on the board."),
        ("prisoners", "i2", "Warriors of the enemy held prisoner."),
        ("hand", "i2", "Fate cards in hand."),
        ("lost", "i2", "The seat's warriors killed in combat or by a card."),
        ("captured", "i2", "The seat's warriors captured."),
        ("fled", "i2", "The seat's warriors that fled from a combat, captured or not."),
        ("explored", "i2", "Segments explored."),
        ("exchanged", "i2", "Terrains turned up and exchanged for another."),
        ("taken", "i2", "Segments taken from the enemy."),
        ("attacks", "i2", "Combats as attacker."),
        ("attacks_won", "i2", "Combats won as attacker."),
        ("defences", "i2", "Combats as defender."),
        ("defences_won", "i2", "Combats won as defender."),
        ("recruited", "i2", "Warriors recruited at home."),
        ("joined", "i2", "Warriors gained from a terrain or a card."),
        ("drawn", "i2", "Fate cards drawn."),
        ("discarded", "i2", "Fate cards discarded over the hand limit."),
        ("cancelled", "i2", "The seat's fate cards cancelled by a wizard."),
        ("ransomed", "i2", "The seat's warriors ransomed."),
        ("freed", "i2", "The seat's warriors freed by a card."),
        ("thirst", "i2", "The seat's warriors lost in the desert."),
        (
            "strayed",
            "i2",
            "The seat's warriors lost because neither the explored segment nor the one they left had room.",
        ),
        ("blows_ignored", "i2", "Blows against the seat that a cushion ignored."),
        ("played", "i2", {f"played_{card}": f"Cards `{card}` played." for card in CARDS}),
        ("built", "i2", {f"built_{kind}": f"Buildings `{kind}` built." for kind in BUILDINGS}),
    ],
    round=[("segments", "i1"), ("warriors", "i2"), ("prisoners", "i2"), ("hand", "i1")],
)

LOG = log_type(
    COLUMNS,
    MOST_ROUNDS,
    SEATS,
    ENTRIES,
    [
        ("cards_drawn", "i4", (len(CARDS),)),
        ("terrains_shown", "i4", (len(TERRAINS),)),
        ("terrains_taken", "i4", (SEATS, len(TERRAINS))),  # turned up and kept by a seat
    ],
)

SCRATCH: Fields = (("unseen", "i4", (len(CARDS),)),)


def pack_rules(rules: Rules, players: int) -> np.record:
    """Return the rule set at one player count as a record of `RULES`."""
    packed = pack_keys(RULES, rules, players)
    _pack_board(packed, rules.board)
    built = [rules.terrain_named(name).building for name in TERRAINS]
    packed.allows[:] = [NOTHING if kind == "none" else BUILDINGS.index(kind) for kind in (*built, "none")]
    packed.capacity[GROD] = rules.grod_capacity
    packed.defence[GROD] = rules.grod_morale
    return packed


def _pack_board(packed: np.record, board: Geography) -> None:
    packed.segment_count = len(board.names)
    packed.grod[:] = board.grody
    for segment, near in enumerate(board.neighbours):
        packed.degree[segment] = len(near)
        packed.neighbours[segment, : len(near)] = near
    places = np.array(board.places)
    for seat, grod in enumerate(board.grody):  # the missing corners block no shortest path
        packed.steps_to[seat, : len(places)] = np.abs(places - places[grod]).sum(axis=1)
