"""Set-up of a game: decks, purses, pawns (SET-1 to SET-3)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.compiling.streams import shuffle
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.vocabulary import MOST_CARDS


@compiled
def _shuffle_decks(rules, state):
    """Shuffle each deck by a stream of its own, so that no other deck's cards change its order."""
    for i in range(MOST_CARDS):
        state.crown_deck[i] = rules.crown_cards[i]
        state.mercenary_deck[i] = rules.mercenary_cards[i]
        state.krzyzacy_deck[i] = rules.krzyzacy_cards[i]
        state.provision_deck[i] = i
        state.ducat_deck[i] = i
        state.event_deck[i] = i
    shuffle(state.crown_deck, rules.crown_count, state.chance, s.CROWN_CARDS)
    shuffle(state.mercenary_deck, rules.mercenary_count, state.chance, s.MERCENARY_CARDS)
    shuffle(state.krzyzacy_deck, rules.krzyzacy_count, state.chance, s.KRZYZACY_CARDS)
    shuffle(state.provision_deck, rules.provision_count, state.chance, s.PROVISION_CARDS)
    shuffle(state.ducat_deck, rules.ducat_count, state.chance, s.DUCAT_CARDS)
    shuffle(state.event_deck, rules.event_count, state.chance, s.EVENT_CARDS)


@compiled
def _clear(state, log):
    state.round_number = 0
    state.over = 0
    state.start = 0
    for field in range(s.FIELD_COUNT):
        state.never_shown[field] = 0
    for p in range(s.SEATS):
        state.card_kind[p] = s.NO_CARD
        state.captured[p] = 0
        log.starved[p] = 0
        log.skirmishes_joined[p] = 0
        for component in range(s.MOST_COMPONENTS):
            log.taken[p, component] = 0
        state.knights[p] = 0
        state.captive_count[p] = 0
        for strength in range(s.STRENGTHS):
            state.captives[p, strength] = 0
            for kind in range(2):
                state.hand[p, kind, strength] = 0
                state.camp[p, kind, strength] = 0
    log.skirmishes_won = 0
    log.skirmishes_lost = 0
    log.plunder_total = 0
    log.events_seen = 0


@compiled
def deal(rules, state, log):
    """Begin a game: everything of `state` that its course depends on is set here."""
    _clear(state, log)
    state.players = rules.players
    _shuffle_decks(rules, state)
    log.peak_ducats = 0
    log.peak_provisions = 0
    for p in range(rules.players):
        state.ducats[p] = rules.start_ducats[p]
        state.provisions[p] = rules.start_provisions[p]
        state.helpers[p] = rules.start_helpers[p]
        log.peak_ducats += rules.start_ducats[p]
        log.peak_provisions += rules.start_provisions[p]
    state.phase = s.ROUND
