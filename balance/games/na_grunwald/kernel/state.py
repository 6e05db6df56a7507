"""Records of the compiled rules (rule set, state, log, scratch), and the game's own columns."""

from __future__ import annotations

import numpy as np

from balance.contract.records import Columns, Fields, log_type, rules_type, state_type
from balance.games.na_grunwald.rules.vocabulary import BUNDLE, EFFECTS, FIELDS, MOST_CARDS

SEATS = 4  # most players
STRENGTHS = 10  # card strengths are 1..9
ROUNDS = 12  # most rounds
ENTRIES = 64  # most entries between two decisions: six fields of four claims, and the cards of a round

LARGEST_PURSE = 50 + 2 * 20 * ROUNDS  # ducats: the start, and the best card and event each round
LARGEST_SET = 9 * 20  # strength of the pawns of a placement
# 10 or 11 sets of pawns with any stake of ducats, and other actions.
MOST_ACTIONS = 12 * (LARGEST_PURSE + 1)

# Fields, in the order in which they are resolved (PLC-4).
KRZYZACY, CROWN_FIELD, PROVISIONS, DUCATS, MERCENARY_FIELD, HELPERS = range(6)
FIELD_COUNT = len(FIELDS)
PLACES = 3  # first, second and third on a field

# Kinds of knight: the first index of a hand or camp after the seat.
CROWN, MERCENARY = range(2)
PEASANT = -1
NO_CARD = -2

(GAIN, PAY, PLUNDER, BUY, AUCTION, TASK, CONTEST, BONUS, TRUCE, CLOSE, OFFICER, SUPPLY, HIRE) = range(
    len(EFFECTS)
)

# Phases. Those from ASK_BUY on wait for a seat's decision.
ROUND, EVENT, REVEAL, RESOLVE, ROUND_END, OVER = range(6)
ASK_BUY, ASK_BID, ASK_SEND, ASK_ENTER, ASK_PLACE, ASK_FIGHT, ASK_PLUNDER, ASK_HIRE, ASK_STARVE = range(
    6, 15
)

# First number of each kind of component: knights and captives by strength, cards by index in the table of their deck.
CROWN_KNIGHTS, MERCENARIES, CAPTIVES = range(0, 3 * STRENGTHS, STRENGTHS)
PROVISION_CARD, DUCAT_CARD, EVENT_CARD = range(3 * STRENGTHS, 3 * (STRENGTHS + MOST_CARDS), MOST_CARDS)
MOST_COMPONENTS = 3 * (STRENGTHS + MOST_CARDS)

SCORE_PARTS = (
    "crown_strength",
    "mercenary_strength",
    "captive_strength",
    "crown_commander",
    "mercenary_commander",
    "quartermaster",
    "ducat_points",
)
BY_COUNT = -1  # the title's points equal its holder's count

# Sources of chance: each shuffles one deck.
CHANCE = (
    "crown cards",
    "mercenary cards",
    "Krzyżacy",
    "provision cards",
    "ducat cards",
    "events",
)
CROWN_CARDS, MERCENARY_CARDS, KRZYZACY_CARDS, PROVISION_CARDS, DUCAT_CARDS, EVENT_CARDS = range(
    len(CHANCE)
)

RULES = rules_type(
    [
        ("rounds", "i4", (), "rounds"),
        ("tie_sign", "i4"),  # -1: first placed wins ties, 1: last placed
        ("start_ducats", "i4", (SEATS,), "start.ducats"),
        ("start_provisions", "i4", (SEATS,), "start.provisions"),
        ("start_helpers", "i4", (SEATS,), "start.helpers"),
        ("most_helpers", "i4", (), "pawns.most_helpers"),
        ("officer_strength", "i4", (), "pawns.officer_strength"),
        ("helper_strength", "i4", (), "pawns.helper_strength"),
        ("first_krzyzacy", "i4", (), "krzyzacy.first_round"),
        ("krzyzacy_bonus", "i4", (), "krzyzacy.bonus"),
        ("captors", "i4", (), "krzyzacy.captors"),
        ("unopposed_plunder", "i4"),
        ("give_from_table", "i4", (), "krzyzacy.give_from_table"),
        ("awards", "i4", (FIELD_COUNT, PLACES)),  # shown value won by each place; 0 = none
        ("hire_price", "i4", (STRENGTHS,)),  # by helpers owned
        ("first_pays", "i4", (), "hire.first_pays"),
        ("knights_per_provision", "i4", (), "scoring.knights_per_provision"),
        ("ducats_per_point", "i4", (), "scoring.ducats_per_point"),
        ("titles", "i4", (3,)),  # points of a title, or BY_COUNT
        ("crown_cards", "i4", (MOST_CARDS,)),
        ("crown_count", "i4"),
        ("mercenary_cards", "i4", (MOST_CARDS,)),
        ("mercenary_count", "i4"),
        ("krzyzacy_cards", "i4", (MOST_CARDS,)),
        ("krzyzacy_count", "i4"),
        ("provision_cards", "i4", (MOST_CARDS, PLACES)),
        ("provision_count", "i4"),
        ("ducat_cards", "i4", (MOST_CARDS, PLACES)),
        ("ducat_count", "i4"),
        ("event_count", "i4"),
        ("event_effect", "i4", (MOST_CARDS,)),
        ("event_number", "i4", (MOST_CARDS,)),
        ("event_price", "i4", (MOST_CARDS,)),
        ("event_field", "i4", (MOST_CARDS,)),
        ("event_bundle", "i4", (MOST_CARDS, 2, len(BUNDLE))),  # lot or reward; second reward
    ]
)

ROUND_ROW = np.dtype(
    [
        ("score", "f4"),
        ("ducats", "i2"),
        ("provisions", "i2"),
        ("helpers", "i1"),
        ("crown_count", "i1"),
        ("mercenary_count", "i1"),
        ("captive_count", "i1"),
        ("joined", "i1"),  # whether the seat had a pawn in this round's skirmish
    ]
)

STATE = state_type(
    [
        # flow
        ("phase", "i4", (), ROUND),
        ("start", "i4"),  # the seat with the starting-player token
        ("asked", "i4"),  # number of seats asked before in this phase
        ("next_placer", "i4"),
        ("field", "i4"),  # the next field to resolve
        # each player's goods
        ("ducats", "i4", (SEATS,)),
        ("provisions", "i4", (SEATS,)),
        ("helpers", "i4", (SEATS,)),
        ("hand", "i4", (SEATS, 2, STRENGTHS)),
        ("camp", "i4", (SEATS, 2, STRENGTHS)),
        ("captives", "i4", (SEATS, STRENGTHS)),
        ("knights", "i4", (SEATS,)),  # number of knights in hand and camp
        ("captive_count", "i4", (SEATS,)),
        # the board in this round
        ("officer_free", "i4", (SEATS,)),
        ("helpers_free", "i4", (SEATS,)),
        ("passed", "i4", (SEATS,)),
        ("officer_on", "i4", (FIELD_COUNT, SEATS)),
        ("helpers_on", "i4", (FIELD_COUNT, SEATS)),
        ("stake", "i4", (FIELD_COUNT, SEATS)),
        ("arrival", "i4", (FIELD_COUNT, SEATS)),  # order of the first pawn's arrival; 0 = no pawn
        ("placements", "i4"),
        ("prize", "i4", (FIELD_COUNT, PLACES)),  # prize of each place; 0 = no prize
        ("closed", "i4", (FIELD_COUNT,)),
        (
            "never_shown",
            "i4",
            (FIELD_COUNT,),
        ),  # bit r: round r + 1 was closed, its cards stayed face down
        # this round's event
        ("event", "i4"),
        ("krzyzacy_bonus", "i4"),
        ("officer_strength", "i4"),
        ("hire_price", "i4"),  # -1: the price of the rule set
        ("supply", "i4", (FIELD_COUNT,)),
        ("highest_bid", "i4"),
        ("highest_bidder", "i4"),
        # the skirmish, or a contest: cards chosen in secret
        ("card_kind", "i4", (SEATS,), NO_CARD),
        ("card_strength", "i4", (SEATS,)),
        ("cards_open", "i4"),  # whether the chosen cards lie open
        ("captured", "i4", (SEATS,)),
        ("plunder", "i4"),  # strength that each player must give up
        ("plunder_left", "i4"),  # strength that the seat to move must still give up
        ("after_plunder", "i4"),  # the phase after plundering
        # the decks, shuffled: hidden from every bot
        ("crown_deck", "i4", (MOST_CARDS,)),
        ("mercenary_deck", "i4", (MOST_CARDS,)),
        ("krzyzacy_deck", "i4", (MOST_CARDS,)),
        ("provision_deck", "i4", (MOST_CARDS,)),
        ("ducat_deck", "i4", (MOST_CARDS,)),
        ("event_deck", "i4", (MOST_CARDS,)),
    ],
    CHANCE,
)

COLUMNS = Columns(
    game=np.dtype(
        [
            ("skirmishes_won", "i1"),
            ("skirmishes_lost", "i1"),
            ("plunder_total", "i2"),
            ("peak_ducats", "i2"),
            ("peak_provisions", "i2"),
            ("events_seen", "i8"),  # bit i: card i of the event deck has turned up
        ]
    ),
    seat=np.dtype(
        [
            ("points", "i2", (len(SCORE_PARTS),)),
            ("crown_count", "i1"),
            ("mercenary_count", "i1"),
            ("captive_count", "i1"),
            ("starved", "i1"),
            ("helpers", "i1"),
            ("ducats", "i2"),
            ("provisions", "i2"),
            ("skirmishes_joined", "i1"),
        ]
    ),
    round=ROUND_ROW,
)
COLUMN_NAMES = {"points": SCORE_PARTS}

LOG = log_type(
    COLUMNS,
    ROUNDS,
    SEATS,
    ENTRIES,
    [
        ("taken", "i4", (SEATS, MOST_COMPONENTS)),  # how often a seat took each component
    ],
)

SCRATCH: Fields = (
    ("hidden", "i4", (MOST_CARDS,)),  # indices into a deck
    ("order", "i4", (SEATS,)),  # seats on a field, winner first
    ("order_key", "i4", (SEATS,)),
    ("army", "i4", (SEATS, 2, STRENGTHS)),  # knights that count for the score
    ("parts", "i4", (SEATS, len(SCORE_PARTS))),
    ("title_count", "i4", (SEATS,)),
    ("title_tie", "i4", (SEATS,)),
    ("listed", "i4", (FIELD_COUNT,)),  # number of placements up to and including each field
)
