"""Records of the compiled rules (rule set, state, log, scratch), the game's own columns, and the packed rule set."""

from __future__ import annotations

import numpy as np

from balance.contract.records import SECRET, Columns, Fields, log_type, state_type
from balance.contract.rule_tables import from_keys, pack_keys, rules_type
from balance.games.na_grunwald.rules.decks import BUNDLE, EFFECTS, FIELDS, MOST_CARDS, Bundle, EventDeck, list_events
from balance.games.na_grunwald.rules.ruleset import Cards, Hire, Rules

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

(GAIN, PAY, PLUNDER, BUY, AUCTION, TASK, CONTEST, BONUS, TRUCE, CLOSE, OFFICER, SUPPLY, HIRE) = range(len(EFFECTS))

# Phases. Those from ASK_BUY on wait for a seat's decision.
ROUND, EVENT, REVEAL, RESOLVE, ROUND_END, OVER = range(6)
ASK_BUY, ASK_BID, ASK_SEND, ASK_ENTER, ASK_PLACE, ASK_FIGHT, ASK_PLUNDER, ASK_HIRE, ASK_STARVE = range(6, 15)

# Sources of chance: each shuffles one deck.
CHANCE = ("crown cards", "mercenary cards", "Krzyżacy", "provision cards", "ducat cards", "events")
CROWN_DECK, MERCENARY_DECK, KRZYZACY_DECK, PROVISION_DECK, DUCAT_DECK, EVENT_DECK = range(len(CHANCE))
DECK_COUNT = len(CHANCE)
STACKS = (2, 2, 2, 1, 1, 1)  # equal stacks of each deck
# The field where the cards of each deck lie; events have none.
DECK_FIELDS = (CROWN_FIELD, MERCENARY_FIELD, KRZYZACY, PROVISIONS, DUCATS)

# First number of each deck's components: knights and captives by strength, cards by index in the table of their deck.
CROWN_KNIGHTS, MERCENARIES, CAPTIVES, PROVISION_CARDS, DUCAT_CARDS, EVENT_CARDS = FIRST_COMPONENT = (
    *range(0, 3 * STRENGTHS, STRENGTHS),
    *range(3 * STRENGTHS, 3 * (STRENGTHS + MOST_CARDS), MOST_CARDS),
)
MOST_COMPONENTS = 3 * (STRENGTHS + MOST_CARDS)

BY_COUNT = -1  # the title's points equal its holder's count

RULES = rules_type(
    Rules,
    [
        *from_keys(
            *("pawns.most_helpers", "pawns.officer_strength", "pawns.helper_strength"),
            *("krzyzacy.captors", "krzyzacy.give_from_table", "hire.first_pays"),
            *("scoring.knights_per_provision", "scoring.ducats_per_point"),
        ),
        ("tie_sign", "i4"),  # -1: first placed wins ties, 1: last placed
        ("start_ducats", "i4", (SEATS,), "start.ducats"),
        ("start_provisions", "i4", (SEATS,), "start.provisions"),
        ("start_helpers", "i4", (SEATS,), "start.helpers"),
        ("first_krzyzacy", "i4", (), "krzyzacy.first_round"),
        ("krzyzacy_bonus", "i4", (), "krzyzacy.bonus"),
        ("unopposed_plunder", "i4"),
        ("awards", "i4", (FIELD_COUNT, PLACES)),  # shown value won by each place; 0 = none
        ("helper_prices", "i4", (STRENGTHS,)),  # by helpers owned
        ("titles", "i4", (3,)),  # points of a title, or BY_COUNT
        ("deck_size", "i4", (DECK_COUNT,)),
        ("deck_cards", "i4", (DECK_COUNT, MOST_CARDS)),  # strengths of knights; other cards by index
        # Shown by each card, highest first; 0 = none.
        ("provision_values", "i4", (MOST_CARDS, PLACES), "cards.provisions.values"),
        ("ducat_values", "i4", (MOST_CARDS, PLACES), "cards.ducats.values"),
        ("event_effect", "i4", (MOST_CARDS,)),
        ("event_number", "i4", (MOST_CARDS,)),
        ("event_price", "i4", (MOST_CARDS,)),
        ("event_field", "i4", (MOST_CARDS,)),
        ("event_bundle", "i4", (MOST_CARDS, 2, len(BUNDLE))),  # lot or reward; second reward
    ],
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
        ("never_shown", "i4", (FIELD_COUNT,)),  # bit r: closed in round r + 1, its cards face down
        # this round's event
        ("event", "i4"),
        ("krzyzacy_bonus", "i4"),
        ("officer_strength", "i4"),
        ("event_hire_price", "i4"),  # -1: the price of the rule set
        ("supply", "i4", (FIELD_COUNT,)),
        ("highest_bid", "i4"),
        ("highest_bidder", "i4"),
        # the skirmish, or a contest: cards chosen in secret
        ("card_kind", "i4", (SEATS,), NO_CARD, SECRET),
        ("card_strength", "i4", (SEATS,), 0, SECRET),
        ("cards_open", "i4"),  # whether the chosen cards lie open
        ("captured", "i4", (SEATS,)),
        ("plunder", "i4"),  # strength that each player must give up
        ("plunder_left", "i4"),  # strength that the seat to move must still give up
        ("after_plunder", "i4"),  # the phase after plundering
        ("decks", "i4", (DECK_COUNT, MOST_CARDS), 0, SECRET),  # shuffled, stack after stack
    ],
    CHANCE,
)

COLUMNS = Columns(
    game=[
        ("skirmishes_won", "i1", "Skirmishes that the players won together."),
        ("skirmishes_lost", "i1", "Skirmishes that the players lost together."),
        (
            "plunder_total",
            "i2",
            "Sum over lost skirmishes of the missing strength, which each player gives up (KRZ-5).",
        ),
        ("peak_ducats", "i2", "Most ducats that all players held together at one time."),
        ("peak_provisions", "i2", "Most provisions that all players held together at one time."),
        ("events_seen", "i8", "Bit i is 1 if card i of the event deck was turned up."),
    ],
    seat=[
        (
            "points",
            "i2",
            {
                "crown_strength": "Points of crown knights.",
                "mercenary_strength": "Points of mercenaries.",
                "captive_strength": "Points of captives.",
                "crown_commander": "Points of the title crown commander.",
                "mercenary_commander": "Points of the title mercenary commander.",
                "quartermaster": "Points of the title quartermaster.",
                "ducat_points": "Points of the ducats left.",
            },
        ),
        ("crown_count", "i1", "Crown knights held."),
        ("mercenary_count", "i1", "Mercenaries held."),
        ("captive_count", "i1", "Krzyżacy held captive."),
        ("starved", "i1", "Knights that starved at the end."),
        ("helpers", "i1", "Helpers owned."),
        ("ducats", "i2", "Ducats held."),
        ("provisions", "i2", "Provisions held."),
        ("skirmishes_joined", "i1", "Skirmishes in which the seat had a pawn."),
    ],
    round=[
        ("ducats", "i2"),
        ("provisions", "i2"),
        ("helpers", "i1"),
        ("crown_count", "i1"),
        ("mercenary_count", "i1"),
        ("captive_count", "i1"),
        ("joined", "i1", "Whether the seat had a pawn in this round's skirmish."),
    ],
    rules=[("events_deck", "event_deck.name", "The event deck of the rule set.")],
)
POINTS = COLUMNS.names["points"]

TAKEN = ("taken", "i4", (SEATS, MOST_COMPONENTS))  # how often a seat took each component
LOG = log_type(COLUMNS, ROUNDS, SEATS, ENTRIES, [TAKEN])

SCRATCH: Fields = (
    ("hidden", "i4", (MOST_CARDS,)),  # indices into a deck
    ("order", "i4", (SEATS,)),  # seats on a field, winner first
    ("order_key", "i4", (SEATS,)),
    ("army_count", "i4", (SEATS, 2)),  # knights that count for the score
    ("army_strength", "i4", (SEATS, 2)),
    ("parts", "i4", (SEATS, len(POINTS))),
    ("title_key", "i4", (SEATS,)),
    ("listed", "i4", (FIELD_COUNT,)),  # number of placements up to and including each field
)


def pack_rules(rules: Rules, players: int) -> np.record:
    """Return the rule set at one player count as a record of `RULES`."""
    packed = pack_keys(RULES, rules, players)
    packed.tie_sign = -1 if rules.tie_rule == "first-placed" else 1
    packed.unopposed_plunder = rules.krzyzacy.unopposed == "plunder"
    packed.helper_prices[:] = _hire_prices(rules.hire)
    for i, title in enumerate(("crown_commander", "mercenary_commander", "quartermaster")):
        points = getattr(rules.titles, title)
        packed.titles[i] = {"count": BY_COUNT, "off": 0}.get(points, points)
    for field in range(CROWN_FIELD, FIELD_COUNT):
        award = getattr(rules.awards, FIELDS[field]).at(players)
        values = [1] * award if field == HELPERS else award
        packed.awards[field, : len(values)] = values
    _pack_decks(packed, rules.cards, rules.event_deck)
    _pack_events(packed, rules.event_deck)
    return packed


def _hire_prices(hire: Hire) -> list[int]:
    """Return the price of the next helper for 0..9 helpers owned."""
    if hire.price == "owned":
        return list(range(STRENGTHS))
    prices = hire.price if isinstance(hire.price, list) else [hire.price]
    return [prices[min(owned, len(prices) - 1)] for owned in range(STRENGTHS)]


def _pack_decks(packed: np.record, cards: Cards, events: EventDeck) -> None:
    knights = (cards.crown.strengths, cards.mercenaries.strengths, cards.krzyzacy.strengths)
    tables = (cards.provisions.values, cards.ducats.values)
    by_index = [range(len(tables[0])), range(len(tables[1])), range(events.size)]
    for deck, numbers in enumerate([*knights, *by_index]):
        packed.deck_size[deck] = len(numbers)
        packed.deck_cards[deck, : len(numbers)] = numbers


def _pack_events(packed: np.record, deck: EventDeck) -> None:
    for i, card in enumerate(list_events(deck)):
        packed.event_effect[i] = EFFECTS.index(card.effect)
        packed.event_number[i] = card.n or 0
        packed.event_price[i] = card.price or 0
        packed.event_field[i] = FIELDS.index(card.field) if card.field else -1
        for j, bundle in enumerate((card.bundle or Bundle(), card.second or Bundle())):
            packed.event_bundle[i, j] = [getattr(bundle, name) for name in BUNDLE]
