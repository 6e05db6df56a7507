"""The records that the compiled rules work on: rule set, state, log and scratch, and the game's own columns."""

from __future__ import annotations

import numpy as np

from balance.contract.records import Fields, log_type, state_type
from balance.games.grody.rules.vocabulary import (
    BUILDINGS,
    CARDS,
    MOST_ROUNDS,
    MOST_SEGMENTS,
    MOST_WARRIORS,
    TERRAINS,
)

SEATS = 2
SIDES = 6  # of a die
EDGES = 4  # most neighbours of a segment
# Most chance outcomes between two decisions: 400 turns in which nobody is asked and 4 cards are drawn from an
# empty pile are 3,200; of combats in which nobody is asked, each round but one in six ends at least one warrior.
NEWS = 8192
MOST_ACTIONS = EDGES * MOST_SEGMENTS + 1  # moves; every other decision has fewer

# Terrains; a gród is one of its own, and what has not been turned up is none.
PLAIN, DESERT, FOREST, HILLS, RIVER, SWAMP, GROD = range(len(TERRAINS) + 1)
UNEXPLORED = -1
ABATIS, BRIDGE, FORT = range(len(BUILDINGS))
NOTHING = -1  # built
NOBODY = -1  # owns, has won

(
    SURE,
    SONG,
    AMBUSH,
    WOLF_PIT,
    MANOEUVRE,
    RETREAT,
    PURSUIT,
    FORCED_MARCH,
    SCOUTING,
    VOLUNTEERS,
    SABOTAGE,
    RANSOM_ALL,
    PROPHECY,
    WIZARD,
) = range(len(CARDS))

# How a warrior behaves (CMB-2); the last two are better than the one before for a card.
GONE, READY, FLEEING, STANDING, FIGHTING, FURIOUS = range(6)

# Card phases (section 6).
START, BEFORE, DURING, AFTER, END = range(5)

# Phases; the first wait for a seat's decision, the others are steps that the rules take.
(
    ASK_CARD,
    ASK_ANSWER,
    ASK_MOVE,
    ASK_EXCHANGE,
    ASK_HIT,
    ASK_FLEE,
    ASK_DISCARD,
    ASK_BUILD,
    ASK_RANSOM,
) = range(9)
(
    DEAL_FIRST,
    DEAL_SECOND,
    BEGIN_TURN,
    EXPLORE,
    NEXT_COMBAT,
    ROLL,
    FLY,
    STRIKE,
    DRAW,
    DISCARDS,
    RECRUIT,
    END_TURN,
    OVER,
) = range(16, 29)

# How a game ended, in the order of `vocabulary.ENDINGS`.
CONQUEST, DOMINANCE, LIMIT = range(3)

# When dominance is asked (END-2).
AT_ROUND, AT_START, AT_END = range(3)

# Sources of chance.
CHANCE = ("terrains", "fate", "dice")
TERRAIN_DECK, FATE_DECK, DICE = range(len(CHANCE))

RULES = np.dtype(
    [
        ("players", "i4"),
        ("first_warriors", "i4"),
        ("second_warriors", "i4"),
        ("unexplored_capacity", "i4"),
        ("grod_cushion", "i4"),
        ("hand_start", "i4", (SEATS,)),
        ("hand_limit", "i4"),
        ("draw", "i4"),
        ("draw_won", "i4"),
        ("morale", "i4"),
        ("leader_at", "i4"),
        ("leader_morale", "i4"),
        ("cushion_a_round", "i4"),
        ("build_warriors", "i4"),
        ("abatis_morale", "i4"),
        ("bridge_capacity", "i4"),
        ("fort_cushion", "i4"),
        ("recruits", "i4"),
        ("recruits_more", "i4"),
        ("recruits_segments", "i4"),
        ("ransoms", "i4"),
        ("sure_morale", "i4"),
        ("song_morale", "i4"),
        ("prophecy_draw", "i4"),
        ("dominance_lead", "i4"),
        ("dominance_segments", "i4"),
        ("dominance_at", "i4"),
        ("turn_limit", "i4"),
        ("conquest_score", "i4"),
        ("segment_count", "i4"),
        ("degree", "i4", (MOST_SEGMENTS,)),
        ("neighbours", "i4", (MOST_SEGMENTS, EDGES)),
        ("steps_to", "i4", (SEATS, MOST_SEGMENTS)),  # from each segment to the gród of a seat
        ("grod", "i4", (SEATS,)),
        ("terrain_cards", "i4", (len(TERRAINS),)),
        ("capacity", "i4", (len(TERRAINS) + 1,)),
        ("points", "i4", (len(TERRAINS) + 1,)),
        ("plus", "i4", (len(TERRAINS),)),  # warriors that a "+" brings
        ("allows", "i4", (len(TERRAINS) + 1,)),  # a building, or NOTHING
        ("defence", "i4", (len(TERRAINS) + 1,)),
        ("gloom", "i4", (len(TERRAINS) + 1,)),
        ("deadly_from", "i4", (len(TERRAINS) + 1,)),
        ("tokens", "i4", (len(BUILDINGS),)),
        ("card_count", "i4", (len(CARDS),)),
    ],
    align=True,
)

ROUND_ROW = np.dtype(
    [("score", "f4"), ("segments", "i1"), ("warriors", "i2"), ("prisoners", "i2"), ("hand", "i1")]
)

STATE = state_type(
    [
        # flow
        ("phase", "i4"),
        ("resume", "i4"),  # phase after discards
        ("turns", "i4"),  # begun
        ("active", "i4"),  # whose turn it is: A
        ("winner", "i4"),
        ("ended_by", "i4"),
        # the board
        ("terrain", "i4", (MOST_SEGMENTS,)),
        ("owner", "i4", (MOST_SEGMENTS,)),
        ("building", "i4", (MOST_SEGMENTS,)),
        ("warriors", "i4", (SEATS, MOST_SEGMENTS)),
        ("tokens", "i4", (len(BUILDINGS),)),
        ("prisoners", "i4", (SEATS,)),  # held by a seat
        # the decks: cards of each kind, drawn at random (their order is nobody's to see)
        ("terrain_deck", "i4", (len(TERRAINS),)),
        ("terrain_count", "i4"),
        ("pile", "i4", (len(CARDS),)),
        ("pile_count", "i4"),
        ("hand", "i4", (SEATS, len(CARDS))),
        ("hand_size", "i4", (SEATS,)),
        ("discards", "i4", (SEATS, len(CARDS))),
        ("aside", "i4", (SEATS,)),  # PROPHECY in the hand that can't be played this turn (CRD-6)
        # a card phase
        ("window", "i4"),
        ("declines", "i4"),  # in a row
        ("played", "i4"),  # card that may be answered
        ("aim", "i4"),  # its warrior (from 0) or segment
        ("played_by", "i4"),
        ("counters", "i4"),  # played as answers
        ("next_seat", "i4"),  # who has the turn in the phase afterwards
        # movement and exploration
        ("fresh", "i4", (MOST_SEGMENTS,)),  # warriors of A that have not moved
        ("once", "i4", (MOST_SEGMENTS,)),  # that have moved once and may go on (MOV-7)
        ("marches", "i4"),
        ("scouts", "i4"),
        ("had_first", "i4", (SEATS,)),  # whether a seat has turned up its first terrain (MOV-3)
        ("entered", "i4", (MOST_SEGMENTS,)),  # unexplored segments in the order of entry
        ("entered_count", "i4"),
        ("came_from", "i4", (MOST_SEGMENTS, MOST_WARRIORS)),  # by place in `entered`
        ("explored", "i4"),  # of `entered`
        # combats of the turn
        ("attacks", "i4", (MOST_SEGMENTS,)),  # segments in the order of attack
        ("attack_count", "i4"),
        ("fought", "i4"),  # of `attacks`
        ("attacks_won", "i4"),
        # the combat under way
        ("here", "i4"),
        ("combat_round", "i4"),
        ("fighters", "i4", (SEATS,)),  # when it began
        ("led", "i4", (SEATS,)),  # whether a side has a leader
        ("songs", "i4", (SEATS,)),
        ("boost", "i4", (SEATS, MOST_WARRIORS)),
        ("behaviour", "i4", (SEATS, MOST_WARRIORS)),
        ("roll", "i4", (SEATS, MOST_WARRIORS)),  # 0: none that counts
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

COUNTERS = (
    "lost",
    "captured",
    "fled",
    "explored",
    "exchanged",
    "taken",
    "attacks",
    "attacks_won",
    "defences",
    "defences_won",
    "recruited",
    "joined",
    "drawn",
    "discarded",
    "cancelled",
    "ransomed",
    "freed",
    "thirst",
    "strayed",
    "blows_ignored",
)

LOG = log_type(
    ROUND_ROW,
    MOST_ROUNDS,
    SEATS,
    NEWS,
    [
        ("combats", "i4"),
        ("combat_rounds", "i4"),
        ("reshuffles", "i4"),
        *((name, "i4", (SEATS,)) for name in COUNTERS),
        ("played", "i4", (SEATS, len(CARDS))),
        ("built", "i4", (SEATS, len(BUILDINGS))),
        ("cards_drawn", "i4", (len(CARDS),)),
        ("terrains_shown", "i4", (len(TERRAINS),)),
        ("terrains_taken", "i4", (SEATS, len(TERRAINS))),  # turned up and kept by a seat
    ],
)

SCRATCH: Fields = (("unseen", "i4", (len(CARDS),)),)

SEAT_COLUMNS = np.dtype(
    [
        ("victory_points", "i2"),
        ("segments", "i2"),
        ("warriors", "i2"),
        ("prisoners", "i2"),
        ("hand", "i2"),
        *((name, "i2") for name in COUNTERS),
        *((f"played_{card}", "i2") for card in CARDS),
        *((f"built_{kind}", "i2") for kind in BUILDINGS),
    ]
)

GAME_COLUMNS = np.dtype(
    [
        ("ended_by", "i1"),
        ("turns", "i2"),
        ("combats", "i2"),
        ("combat_rounds", "i2"),
        ("reshuffles", "i2"),
    ]
)
