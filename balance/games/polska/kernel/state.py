"""Records of the compiled rules (rule set, state, log, scratch), the game's own columns, and the packed rule set."""

from __future__ import annotations

import numpy as np

from balance.contract.records import OWN, SECRET, Columns, Fields, log_type, state_type
from balance.contract.rule_tables import from_keys, pack_keys, rules_type
from balance.games.polska.rules.components import (
    MOST_CARDS,
    MOST_CITIES,
    MOST_FACES,
    MOST_FIELDS,
    MOST_ROADS_AT_A_CITY,
    MOST_TRACK,
    lay_out,
    list_faces,
)
from balance.games.polska.rules.ruleset import Rules

SEATS = 6
SIDES = 6  # sides of a die
HAND = 16  # most cards in a hand: 8 kept or dealt, 6 drawn
SET_SIZE = 10  # most markers of a set
ROUNDS = 200  # most rounds: 400 turns of two players
ENTRIES = 80  # most entries of the log between two decisions: hands, markers and dice at the start
COACH_ADDS = 2  # most that the coach adds to the die (section 4)
NEVER = 9999  # the year of the last field
MOST_ACTIONS = MOST_FIELDS + MOST_FIELDS + HAND + SEATS + 2  # moves, train rides, cards

# Kinds of card.
GREY, BLUE, CITY, EAGLE, STOP, TRAIN, COACH = range(7)
KINDS = ("grey", "blue", "city", "eagle", "stop", "train", "coach")
STEPPING = KINDS[: EAGLE + 1]

# Phases; all but OVER wait for a seat's decision.
ASK_DIE, ASK_ACT, ASK_COACH, ASK_COACHED, ASK_MORE, ASK_DISCARD, OVER = range(7)

# Sources of chance.
CHANCE = ("dice", "cards", "markers")
DICE, CARDS, MARKERS = range(len(CHANCE))

RULES = rules_type(
    Rules,
    [
        ("cards_per_marker", "i4", (SET_SIZE,), "cards_per_marker"),
        ("start", "i4"),  # a field
        *from_keys("steps.grey_same", "steps.grey_other", "steps.blue_past", "steps.blue_future"),
        ("city_steps", "i4", (), "steps.city"),
        ("eagle_steps", "i4", (), "steps.eagle"),
        ("field_count", "i4"),
        ("degree", "i4", (MOST_FIELDS,)),
        ("neighbours", "i4", (MOST_FIELDS, MOST_ROADS_AT_A_CITY)),
        ("steps_between", "i2", (MOST_FIELDS, MOST_FIELDS)),  # shortest path without obstacles
        ("location_count", "i4"),
        ("locations", "i4", (MOST_CITIES,)),  # fields
        ("track_length", "i4"),
        ("track_year", "i4", (MOST_TRACK,)),
        ("card_count", "i4"),
        ("deck", "i4", (MOST_CARDS,)),  # faces
        ("face_count", "i4"),
        ("face_kind", "i4", (MOST_FACES,)),
        ("face_value", "i4", (MOST_FACES,)),  # a year, or the field of a city
    ],
)

STATE = state_type(
    [
        # flow
        ("phase", "i4"),
        ("turns", "i4"),  # finished turns
        ("die", "i4"),  # die taken this turn
        ("steps", "i4"),  # steps that the die allows
        ("played", "i4"),  # cards played this turn
        # the dice
        ("dice_left", "i4"),
        ("dice_showing", "i4", (SIDES + 1,)),  # number of dice that show each number
        # the map
        ("pawn", "i4", (SEATS,)),  # fields
        ("pawns_on", "i4", (MOST_FIELDS,)),
        ("marker_on", "i4", (MOST_FIELDS,)),
        ("taken_of_set", "i4"),
        ("aside", "i4", (MOST_CITIES,), 0, SECRET),  # locations whose markers are next to the board
        ("aside_count", "i4"),
        # the track, hands and cards
        ("position", "i4", (SEATS,)),
        ("hand", "i4", (SEATS, HAND), 0, OWN),  # faces
        ("hand_size", "i4", (SEATS,)),
        ("stops", "i4", (SEATS,)),  # stop cards in front of a player
        ("stop_face", "i4"),
        ("draw_pile", "i4", (MOST_CARDS,), 0, SECRET),  # the top is the last
        ("draw_count", "i4"),
        ("discards", "i4", (MOST_CARDS,)),
        ("discard_count", "i4"),
    ],
    CHANCE,
)

COLUMNS = Columns(
    game=[
        ("turns", "i2", "Turns of all players together."),
        ("reshuffles", "i2", "How often the discards were shuffled into a new pile."),
    ],
    seat=[
        ("steps", "i2", {f"{kind}_steps": f"Steps made with {kind} cards." for kind in STEPPING}),
        ("played", "i2", {f"{kind}_played": f"Cards of the kind {kind} played." for kind in KINDS}),
        ("taken", "i2", {f"markers_{i + 1}": f"Markers taken as marker {i + 1} of a set." for i in range(SET_SIZE)}),
        ("markers", "i2", "Markers taken."),
        ("drawn", "i2", "Cards drawn for markers."),
        ("thrown", "i2", "Cards thrown away over the hand limit."),
        ("own_turns", "i2", "Turns of the seat."),
        ("blocked", "i2", "Turns lost to stop cards."),
        ("idle", "i2", "Turns in which the seat did nothing."),
        ("dice_seen", "f4", "Dice left when the seat chose a die, mean over its turns."),
    ],
    round=[("hand", "i1", "Cards in hand."), ("taken", "i2", "Markers taken so far.")],
    rules=[
        ("track", "track.name", "The track of the rule set."),
        ("cards", "cards.name", "The cards of the rule set."),
    ],
)

LOG = log_type(
    COLUMNS,
    ROUNDS,
    SEATS,
    ENTRIES,
    [
        ("dice_seen", "i4", (SEATS,)),  # sum of the dice left to choose from
        ("turned_up", "i4", (MOST_FACES,)),  # how often each card was drawn or dealt
        ("faces_played", "i4", (SEATS, MOST_FACES)),
    ],
)

SCRATCH: Fields = (
    ("unseen", "i4", (MOST_CARDS,)),
    ("distance", "i4", (MOST_FIELDS,)),  # steps to a field, -1 where it can't be reached
    ("queue", "i4", (MOST_FIELDS,)),
)


def pack_rules(rules: Rules, players: int) -> np.record:
    """Return the rule set at one player count as a record of `RULES`."""
    packed = pack_keys(RULES, rules, players)
    _pack_map(packed, rules)
    _pack_cards(packed, rules)
    years = [field.year or NEVER for field in rules.track.fields]
    packed.track_length = len(years)
    packed.track_year[: len(years)] = years
    return packed


def _pack_map(packed: np.record, rules: Rules) -> None:
    geography = lay_out(rules.map)
    packed.field_count = len(geography.names)
    for field, near in enumerate(geography.neighbours):
        packed.degree[field] = len(near)
        packed.neighbours[field, : len(near)] = near
        packed.steps_between[field, : packed.field_count] = geography.steps_from(field)
    packed.start = geography.names.index(rules.start_city)
    locations = [geography.names.index(city) for city in rules.map.locations]
    packed.location_count = len(locations)
    packed.locations[: len(locations)] = locations


def _pack_cards(packed: np.record, rules: Rules) -> None:
    cards, names = rules.cards, lay_out(rules.map).names
    faces = list_faces(cards)
    deck: list[int] = []
    packed.face_count = len(faces)
    for number, (kind, value) in enumerate(faces):
        packed.face_kind[number] = KINDS.index(kind)
        packed.face_value[number] = names.index(value) if isinstance(value, str) else value
        copies = getattr(cards, kind) if kind in ("stop", "train", "coach", "eagle") else 1
        deck += [number] * copies
    packed.card_count = len(deck)
    packed.deck[: len(deck)] = deck
