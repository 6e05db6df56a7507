"""Magnates: tokens drawn from the bag and put back (TRT-3)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.compiling.streams import draw_below
from balance.contract.news import announce
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s


@compiled
def draw_magnate(state, log, seat):
    """Take a token out of the bag; returns its trait, NOTHING if the bag is empty."""
    count = 0
    for trait in range(state.bag.shape[0]):
        count += state.bag[trait]
    if count == 0:
        return s.NOTHING
    pick = draw_below(state.chance, s.MAGNATES, count)
    trait = 0
    while pick >= state.bag[trait]:
        pick -= state.bag[trait]
        trait += 1
    state.bag[trait] -= 1
    log.magnates_drawn[seat, trait] += 1
    announce(state, log, a.encode(a.CHANCE_KIND, a.MAGNATE, a.pack(seat, trait)))
    return trait


@compiled
def gain_magnate(state, log, seat):
    """Draw a free magnate."""
    trait = draw_magnate(state, log, seat)
    if trait != s.NOTHING:
        state.free_magnates[seat, trait] += 1


@compiled
def dismiss_magnate(state, district):
    """A district's magnate goes back to the bag."""
    if state.magnate[district] != s.NOTHING:
        state.bag[state.magnate[district]] += 1
        state.magnate[district] = s.NOTHING


@compiled
def dismiss_free(state, seat):
    """All free magnates of a ruler go back to the bag."""
    for trait in range(state.bag.shape[0]):
        state.bag[trait] += state.free_magnates[seat, trait]
        state.free_magnates[seat, trait] = 0


@compiled
def count_free(state, seat):
    count = 0
    for trait in range(state.bag.shape[0]):
        count += state.free_magnates[seat, trait]
    return count
