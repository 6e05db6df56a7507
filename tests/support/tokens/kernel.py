"""The compiled rules of Tokens: in each of five rounds a token turns up, then every seat rolls a die.

The crown scores 100 for a seat that gets it as a gift (no seat takes it), the coin 1, the dust 0. The flag goes to the
leader and scores 0. The rain scores 2 for every seat. Choices matter only in the last round: there 1 scores the stakes.
"""

import numpy as np

from balance.contract.records import Columns, log_type, state_type
from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import draw_below, next_word, shuffle

SEATS, ROUNDS = 3, 5
CROWN, COIN, DUST, FLAG, RAIN = range(ROUNDS)
WORTH = np.array([100, 1, 0, 0, 0])

RULES = np.dtype([("players", "i4"), ("rain", "i4"), ("stakes", "i4")])
CHANCE = ("dice", "tokens")
STATE = state_type([("score", "i4", (SEATS,)), ("deck", "i4", (ROUNDS,))], CHANCE)
COLUMNS = Columns(seat=[("flags", "i2", "Flags.")])
LOG = log_type(COLUMNS, ROUNDS, SEATS, 1, [("flag", "i4")])
SCRATCH = ()
MOST_ACTIONS = 2
MOST_COMPONENTS = ROUNDS


def pack_rules(rules, players):
    packed = np.recarray(1, dtype=RULES)[0]
    packed.players, packed.rain, packed.stakes = players, 2, rules.stakes
    return packed


@compiled
def turn_up(rules, state, log):
    token = state.deck[state.round_number - 1]
    if token == FLAG:
        for p in range(rules.players):
            if state.score[p] > state.score[log.flag] or log.flag < 0:
                log.flag = p
    elif token == RAIN:
        for p in range(rules.players):
            state.score[p] += rules.rain


@compiled_entry
def setup(rules, state, log, scratch):
    state.players = rules.players
    state.round_number, state.seat, state.over = 1, 0, 0
    log.flag = -1
    for p in range(SEATS):
        state.score[p] = 0
    for i in range(ROUNDS):
        state.deck[i] = i
    shuffle(state.deck, ROUNDS, state.chance, 1)
    turn_up(rules, state, log)


@compiled_entry
def legal_actions(rules, state, scratch, codes):
    codes[0] = 0
    codes[1] = 1
    return 2


@compiled_entry
def apply(rules, state, log, scratch, code):
    state.score[state.seat] += 1 + draw_below(state.chance, 0, 6)
    if state.round_number == ROUNDS:
        state.score[state.seat] += code * rules.stakes
    state.seat += 1
    if state.seat == rules.players:
        state.seat = 0
        if log.keep_rounds:
            for p in range(rules.players):
                log.history[state.round_number - 1, p].score = state.score[p]
        if state.round_number == ROUNDS:
            state.over = 1
        else:
            state.round_number += 1
            turn_up(rules, state, log)


@compiled_entry
def conceal(rules, state, scratch):
    state.chance[0] = state.chance[1] = 0


@compiled_entry
def determinize(rules, state, scratch, streams, index):
    state.chance[0] = next_word(streams, index)


@compiled_entry
def write_result(rules, state, log, scratch, game, seats):
    for p in range(rules.players):
        seats[p].score = state.score[p]
        seats[p].flags = log.flag == p
        seats[p].rank = 1
        for other in range(rules.players):
            seats[p].rank += state.score[other] > state.score[p]


@compiled_entry
def count_components(rules, state, log, counts):
    counts.shown[:] = 0
    counts.taken[:, :] = 0
    for i in range(state.round_number):
        counts.shown[state.deck[i]] = 1
    if log.flag >= 0:
        counts.taken[log.flag, FLAG] = 1


@compiled_entry
def give_component(rules, state, log, component, seat):
    state.score[seat] += WORTH[component]
    return True


def remove_component(packed, component):
    packed.rain = 0
