"""Records of the compiled rules (rule set, state, log, scratch), the game's own columns, and the packed rule set."""

from __future__ import annotations

import numpy as np

from balance.contract.records import OWN, SECRET, Columns, Fields, log_type, state_type
from balance.contract.rule_tables import by_seat, pack_keys, rules_type
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.scenario import Scenario
from balance.games.korona_piastow.rules.tables import (
    BUILDINGS,
    EFFECTS,
    MOST_BORDERS,
    MOST_CARDS,
    MOST_DISTRICTS,
    MOST_FIEFS,
    MOST_ROUNDS,
    MOST_SEATS,
    MOST_STAYING,
    ORDERS,
    PLAYERS,
    TRAITS,
    UNITS,
    WHO,
    Events,
    Map,
)

SEATS = MOST_SEATS
TOKENS = 12  # most tokens of a seat
MOVES = 9  # most moves of a regroup
ENTRIES = 512  # most entries between two decisions: districts join with their magnates, and buildings are finished
MOST_ACTIONS = 320  # a `send` has up to 156, a `turn` up to 24 plus room to test an order

ANY_NUMBER = -1  # of orders turned up in a turn (EXE-1)
NOTHING = -1  # no building, no magnate, no card, no seat
NOBODY, FOREIGN_STATES = -1, -2  # owners and holders without a seat (MAP-4)

INFANTRY, CAVALRY, KNIGHT, ENGINE, FOREIGN = range(len(UNITS))
LOSSES = (INFANTRY, FOREIGN, CAVALRY, KNIGHT)  # order of losses (CMB-4)
ATTACK, DEFENCE, MONEY, TIME = range(len(TRAITS))
GROD, CASTLE, CATHEDRAL, TOWN_HALL, CLOTH_HALL = range(len(BUILDINGS))
MUSTER, REGROUP, BUILD, INVADE, DEFEND, QUEST, SIEGE, TITHE, DIVERSION, REVENGE = range(len(ORDERS))
# Orders that their ruler does not turn up (EXE-1)
WAITING = (1 << DEFEND) | (1 << DIVERSION) | (1 << REVENGE)
(GAIN, PAY, PLAGUE, SETTLE, FIRE, REBELLION, RAID, ALLIES, LEVY, HEIR, WORKS, PEACE, INTERDICT) = range(len(EFFECTS))
ALL, DRAWER, POOREST, RICHEST = range(len(WHO))

# Phases; the first ones wait for a seat's decision, in the order of the table of section 5.
(
    ASK_PLACE, ASK_FIEF, ASK_ORDER, ASK_SPY, ASK_DAMAGE,
    ASK_TURN, ASK_MUSTER, ASK_REGROUP, ASK_BUILD, ASK_SIEGE, ASK_TARGET, ASK_REVENGE, ASK_SEND, ASK_VICTORY,
    ASK_MAGNATE, ASK_GRANT, ASK_RULER, ASK_CHOOSE, ASK_LINE,
) = range(19)  # fmt: skip
# The others are steps of the rules.
(PLACE, BEGIN_ROUND, GIVE, SPY, DIVERT, TURN, END_ORDER, COURT, EVENT, END_EVENT, OVER, TAKE_LINE) = range(24, 36)

CROWN, LAST, LIMIT = range(3)  # endings of a game, in the order of `tables.ENDINGS`

# Sources of chance.
CHANCE = ("lines", "magnates", "cards")
LINES, MAGNATES, CARDS = range(len(CHANCE))

RULES = rules_type(
    Rules,
    [
        ("rounds", "i4", (), "rounds_to_play"),
        ("orders_per_turn", "i4"),  # or ANY_NUMBER; 0: all
        ("crown", "i4"),  # score that wins at this player count (END-3)
        ("zakon_crown", "i4"),
        ("second_lines", "i4"),  # whether each rules a second line (SET-4)
        ("line_count", "i4"),
        ("lines", "i4", (MOST_DISTRICTS,)),  # districts
        ("start_denars", "i4", (SEATS,), "start.denars"),
        ("start_units", "i4", (SEATS, len(UNITS))),
        ("start_magnates", "i4", (SEATS,), "start.magnates"),
        ("line_denars", "i4", (MOST_DISTRICTS,)),  # in addition, by capital district (SET-6)
        ("line_units", "i4", (MOST_DISTRICTS, len(UNITS))),
        ("line_magnates", "i4", (MOST_DISTRICTS,)),
        ("ruler", "i4", (len(TRAITS),), "ruler.*"),
        ("magnate", "i4", (len(TRAITS),)),
        ("magnate_tokens", "i4", (), "magnate.tokens"),
        ("magnates_joining", "i4", (), "magnate.per_district"),
        ("quest_lost", "i4", (), "quest.lost"),
        ("quest_nothing", "i4", (), "quest.nothing"),
        ("quest_money", "i4", (), "quest.denars"),
        ("quest_magnate", "i4", (), "quest.magnate"),
        ("attack", "i4", (len(UNITS),), "units.*.attack"),
        ("defence", "i4", (len(UNITS),), "units.*.defence"),
        ("cost", "i4", (len(UNITS),), "units.*.cost"),
        ("building_cost", "i4", (len(BUILDINGS),), "buildings.*.cost"),
        ("building_time", "i4", (len(BUILDINGS),), "buildings.*.time"),
        ("building_defence", "i4", (len(BUILDINGS),), "buildings.*.defence"),
        ("townhall_orders", "i4", (), "buildings.townhall.orders"),
        ("clothhall_money", "i4", (), "buildings.clothhall.money"),
        ("scenario", "i4"),  # whether games start from a written position (SET-7); its fields begin with `written`
        ("rounds_before", "i4", (), "rounds_before"),
        # by line
        ("written_denars", "i4", (MOST_DISTRICTS,)),
        ("written_relics", "i4", (MOST_DISTRICTS,)),
        ("written_stands", "i4", (MOST_DISTRICTS,)),
        ("written_free", "i4", (MOST_DISTRICTS, len(TRAITS))),
        # by district: line and trait
        ("written_owner", "i4", (MOST_DISTRICTS,)),
        ("written_magnate", "i4", (MOST_DISTRICTS,)),
        # by fief
        ("written", "i4", (MOST_FIEFS,)),  # whether the scenario names it
        ("written_lord", "i4", (MOST_FIEFS,)),  # line
        ("written_units", "i4", (MOST_FIEFS, len(UNITS))),
        ("written_building", "i4", (MOST_FIEFS,)),
        ("written_damage", "i4", (MOST_FIEFS,)),
        ("written_site", "i4", (MOST_FIEFS,)),
        ("written_time", "i4", (MOST_FIEFS,)),
        ("written_devastated", "i4", (MOST_FIEFS,)),
        ("fief_count", "i4"),
        ("district_of", "i4", (MOST_FIEFS,)),
        ("legendary", "i4", (MOST_FIEFS,), "map.fiefs.*.legendary"),
        ("degree", "i4", (MOST_FIEFS,)),
        ("neighbours", "i4", (MOST_FIEFS, MOST_BORDERS)),
        ("district_count", "i4"),
        ("piast", "i4", (MOST_DISTRICTS,), "map.districts.*.piast"),
        ("district_size", "i4", (MOST_DISTRICTS,)),
        ("fiefs_of", "i4", (MOST_DISTRICTS, MOST_FIEFS)),
        ("card_count", "i4"),
        ("effect", "i4", (MOST_CARDS,)),
        ("fate_attack", "i4", (MOST_CARDS,), "events.cards.*.attack"),
        ("fate_defence", "i4", (MOST_CARDS,), "events.cards.*.defence"),
        ("card_who", "i4", (MOST_CARDS,)),
        ("card_number", "i4", (MOST_CARDS,)),  # n, time, or the units of a raid
        ("card_strength", "i4", (MOST_CARDS,), "events.cards.*.strength"),
        ("card_origin", "i4", (MOST_CARDS,)),  # a district
    ],
)

STATE = state_type(
    [
        # flow
        ("phase", "i4", (), TAKE_LINE),
        ("offset", "i4"),  # active seat, counted clockwise from the beginner
        ("step", "i4"),  # units placed, orders carried out in a row, or districts asked at court
        ("left", "i4"),  # units, moves or diversions that may still come
        ("more", "i4"),  # whether this is not the first decision of a muster or regroup
        ("fief", "i4"),  # fief of the order, or from which an invasion comes
        ("target", "i4"),  # fief of an invasion; seat of a spy
        ("avenging", "i4"),  # whether the invasion is a revenge
        ("district", "i4"),  # district of the magnate who acts
        ("event", "i4", (), NOTHING),  # the card that is being carried out
        ("ended_by", "i4", (), LIMIT),
        ("rounds_before", "i4"),  # as in the rule set
        ("sent", "i1", (len(UNITS),)),
        ("move_from", "i1", (MOVES,)),
        ("move_to", "i1", (MOVES,)),
        ("move_unit", "i1", (MOVES,)),
        ("move_count", "i4"),
        # the map
        ("units", "i1", (MOST_FIEFS, len(UNITS))),
        ("lord", "i1", (MOST_FIEFS,), NOTHING),  # seat whose units are there, apart from foreign units
        ("building", "i1", (MOST_FIEFS,), NOTHING),
        ("rising", "i1", (MOST_FIEFS,), NOTHING),  # building under construction
        ("time_left", "i1", (MOST_FIEFS,)),  # time units until the building is finished
        ("damage", "i2", (MOST_FIEFS,)),  # time units of damage to the finished building
        ("devastated", "i1", (MOST_FIEFS,)),
        ("besieger", "i1", (MOST_FIEFS,), NOTHING),  # a seat
        ("siege_round", "i1", (MOST_FIEFS,)),
        ("defended", "i1", (MOST_FIEFS,)),  # `defend` orders in force (DEF-1)
        ("owner", "i1", (MOST_DISTRICTS,)),
        ("magnate", "i1", (MOST_DISTRICTS,), NOTHING),  # trait of the magnate granted there
        # the rulers
        ("capital", "i1", (SEATS,), NOTHING),  # district; NOTHING before its ruler has a line
        ("second", "i1", (SEATS,), NOTHING),  # district, or NOTHING
        ("stands", "i1", (SEATS,), NOTHING),  # district where the ruler is
        ("out_round", "i1", (SEATS,)),  # 0: in the game
        ("denars", "i4", (SEATS,)),
        ("relics", "i2", (SEATS,)),
        ("free_magnates", "i1", (SEATS, len(TRAITS))),
        ("bag", "i1", (len(TRAITS),)),
        ("feud", "i1", (SEATS, SEATS)),  # last round in which the first invaded the second; 0: never
        # the orders: hidden, except those turned up or spied on
        ("token_count", "i1", (SEATS,), 0, OWN),
        ("token_fief", "i1", (SEATS, TOKENS), NOTHING, OWN),
        ("token_kind", "i1", (SEATS, TOKENS), NOTHING, OWN),
        ("shown", "i1", (SEATS, len(ORDERS))),  # tokens turned up so far this round
        ("open_kinds", "i2", (SEATS,)),  # bit k: kind k could be given anywhere this round
        ("fief_kinds", "i2", (MOST_FIEFS,)),  # bit k: kind k could be given in this fief
        ("spied", "i1", (SEATS,), NOTHING),  # fief that a seat spied on this round, or NOTHING
        # the cards
        ("stack", "i1", (MOST_CARDS,), 0, SECRET),  # the top is the last
        ("stack_count", "i4"),
        ("discards", "i1", (MOST_CARDS,)),
        ("discard_count", "i4"),
        ("stay_card", "i1", (MOST_STAYING,)),
        ("stay_time", "i1", (MOST_STAYING,)),
        ("stay_with", "i1", (MOST_STAYING,)),  # seat
        ("stay_other", "i1", (MOST_STAYING,)),  # seat with whom it has peace, or NOTHING
        ("stay_count", "i4"),
    ],
    CHANCE,
)

COLUMNS = Columns(
    game=[
        ("end", "i1", "How the game ended."),
        ("reshuffles", "i2", "How often the event cards were shuffled into a new pile."),
    ],
    seat=[
        ("line", "i1", "The line of the ruler, named by its district. A second line (SET-4) does not count."),
        ("fiefs", "i2", "Fiefs of the ruler's state."),
        ("denars", "i4", "Denars held."),
        ("units", "i2", "Units that obey the ruler, including allies."),
        ("relics", "i2", "Relics held."),
        ("out_round", "i1", "The round in which the ruler was eliminated; 0 if it never was."),
        ("orders_given", "i4", "Orders given."),
        ("dropped", "i4", "Orders given up when they were turned up."),
        ("mustered", "i4", "Units mustered by orders."),
        ("invasions", "i4", "Invasions, including revenge."),
        ("won", "i4", "Invasions won."),
        ("repelled", "i4", "Invasions that failed."),
        ("lost_fiefs", "i4", "Fiefs lost to another ruler."),
        ("joined", "i4", "Districts joined to the ruler's state."),
        ("claims", "i4", "Claims paid for."),
        ("spies", "i4", "Spies sent."),
        ("devastated", "i4", "Fiefs devastated after an invasion."),
        ("tribute", "i4", "Denars of tribute over the game."),
        ("built", "i4", "Buildings finished in the ruler's districts."),
        ("quests", "i4", "Quests carried out."),
        ("tithes", "i4", "Tithes carried out."),
    ],
    round=[("denars", "i4"), ("units", "i2"), ("fiefs", "i1"), ("income", "i4", "Denars of this round's tribute.")],
    rules=[
        ("map", "map.name", "The map of the rule set."),
        ("events", "events.name", "The event deck of the rule set."),
    ],
)

LOG = log_type(
    COLUMNS,
    MOST_ROUNDS,
    SEATS,
    ENTRIES,
    [
        ("income", "i4", (SEATS,)),  # tribute of this round
        ("mustered", "i4", (SEATS, len(UNITS))),
        ("built", "i4", (SEATS, len(BUILDINGS))),
        ("magnates_drawn", "i4", (SEATS, len(TRAITS))),
        ("magnates_granted", "i4", (SEATS, len(TRAITS))),
        ("events_drawn", "i4", (SEATS, MOST_CARDS)),
    ],
)

SCRATCH: Fields = (
    ("unknown", "i4", (TOKENS,)),  # tokens to sample
    ("unknown_count", "i4"),
    ("allowed", "i4"),  # kinds that the tokens may have, as bits
)


def pack_rules(rules: Rules, players: int) -> np.record:
    """Return the rule set at one player count as a record of `RULES`."""
    packed = pack_keys(RULES, rules, players)
    chosen = rules.orders_per_turn
    packed.orders_per_turn = ANY_NUMBER if chosen == "any" else chosen
    packed.crown = rules.crown_fiefs[PLAYERS.index(players)]
    packed.zakon_crown = rules.zakon_fiefs[PLAYERS.index(players)]
    packed.second_lines = players <= rules.second_players
    packed.line_count = len(rules.lines)
    packed.lines[: len(rules.lines)] = [rules.map.district_ids.index(line) for line in rules.lines]
    _pack_parts(packed, rules, players)
    _pack_map(packed, rules.map)
    _pack_events(packed, rules.events, rules.map)
    if rules.scenario.round:
        _pack_scenario(packed, rules.scenario, rules.map)
    return packed


def _pack_parts(packed: np.record, rules: Rules, players: int) -> None:
    start = rules.start
    for kind, amount in enumerate((start.infantry, start.cavalry, start.knights)):
        packed.start_units[:players, kind] = by_seat(amount, players)
    for line, more in start.lines.items():
        if line in rules.lines:
            district = rules.map.district_ids.index(line)
            packed.line_denars[district], packed.line_magnates[district] = more.denars, more.magnates
            packed.line_units[district, :ENGINE] = more.infantry, more.cavalry, more.knights
    packed.magnate[:] = [getattr(rules.magnate, trait) for trait in TRAITS]


def _pack_map(packed: np.record, found: Map) -> None:
    districts, fiefs = found.district_ids, found.fief_ids
    packed.district_count, packed.fief_count = len(districts), len(fiefs)
    packed.district_of[: len(fiefs)] = [districts.index(fief.district) for fief in found.fiefs]
    for fief, near in enumerate(found.neighbours.values()):
        packed.degree[fief] = len(near)
        packed.neighbours[fief, : len(near)] = [fiefs.index(other) for other in near]
    for number, district in enumerate(districts):
        own = [fiefs.index(fief) for fief in found.fiefs_of(district)]
        packed.district_size[number] = len(own)
        packed.fiefs_of[number, : len(own)] = own


def _pack_events(packed: np.record, events: Events, found: Map) -> None:
    packed.card_count = len(events.cards)
    for i, card in enumerate(events.cards):
        packed.effect[i] = EFFECTS.index(card.effect)
        packed.card_who[i] = WHO.index(card.who) if card.who else 0
        packed.card_number[i] = card.n or card.time or card.units or 0
        packed.card_origin[i] = found.district_ids.index(card.origin) if card.origin else NOTHING


def _pack_scenario(packed: np.record, scenario: Scenario, found: Map) -> None:
    districts, fiefs = found.district_ids, found.fief_ids
    packed.scenario = 1
    packed.written_stands[:] = range(len(packed.written_stands))
    for name in ("owner", "magnate", "lord", "building", "site"):
        packed[f"written_{name}"][:] = NOTHING
    for name, ruler in scenario.rulers.items():
        line = districts.index(name)
        packed.written_denars[line], packed.written_relics[line] = ruler.denars, ruler.relics
        packed.written_free[line] = [ruler.magnates.count(trait) for trait in TRAITS]  # type: ignore[arg-type]
        packed.written_stands[line] = districts.index(ruler.stands or name)
        for district, trait in ruler.districts.items():
            packed.written_owner[districts.index(district)] = line
            if trait != "none":
                packed.written_magnate[districts.index(district)] = TRAITS.index(trait)
    for name, fief in scenario.fiefs.items():
        number = fiefs.index(name)
        packed.written[number] = 1
        packed.written_units[number] = fief.units
        packed.written_lord[number] = districts.index(fief.ruler) if fief.ruler else NOTHING
        packed.written_building[number] = _number_of(fief.building)
        packed.written_site[number] = _number_of(fief.site)
        packed.written_damage[number], packed.written_time[number] = fief.damage, fief.time
        packed.written_devastated[number] = fief.devastated


def _number_of(building: str | None) -> int:
    return BUILDINGS.index(building) if building else NOTHING
