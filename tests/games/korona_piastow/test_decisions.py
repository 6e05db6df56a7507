"""Decisions as on the page (section 5, DEC-1 to DEC-4), and hidden information."""

from __future__ import annotations

import numpy as np
import pytest
from support.korona import GAME, Realm, make_rules, s

from balance.engine.stepper import Stepper, walk
from balance.games.korona_piastow.display.labels import KINDS
from balance.games.korona_piastow.rules.tables import ORDERS


def eager(rng):
    """Choose anything, with options that end or give up less often."""

    def choose(_, options):
        pick = int(rng.integers(len(options)))
        again = options[pick].startswith(("done", "drop", "none"))
        return int(rng.integers(len(options))) if again else pick

    return choose


def longest_lists(changes: dict | None = None, games: int = 6) -> dict[str, int]:
    """Return the most labels of each kind of decision in some games of six."""
    longest: dict[str, int] = {}
    for seed in range(games):
        rng = np.random.default_rng(seed)
        stepper = Stepper.deal(GAME, make_rules(changes), 6, seed)
        for step in walk(stepper, eager(rng)):
            longest[step.kind] = max(longest.get(step.kind, 0), len(step.options))
    return longest


def test_dec_1_no_list_is_longer_than_60():
    """DEC-1: at the base values; every kind but the rarest is met."""
    longest = longest_lists()
    assert max(longest.values()) <= 60
    assert set(KINDS) - {"damage", "revenge", "siege", "spy"} <= set(longest)


def test_dec_1_the_longest_sending():
    """DEC-1: 44 with six units, 156 with nine: fewer actions than the limit."""
    scene = Realm().units("gniezno", 0, infantry=2, cavalry=1, knight=1, engine=1, foreign=1)
    scene.building("swiecie", "grod").orders("gniezno invade")
    assert len(scene.take("do gniezno invade", "target swiecie").options()) == 44
    scene = Realm(changes={"fief_limit": 9}).building("swiecie", "grod")
    scene.units("gniezno", 0, infantry=2, cavalry=2, knight=2, engine=2, foreign=1)
    scene.orders("gniezno invade").take("do gniezno invade", "target swiecie")
    assert len(scene.options()) == 156
    assert GAME.records.most_actions > 156


def test_dec_1_the_longest_regroup():
    """DEC-1: four kinds out to seven neighbours and in from them are 56."""
    scene = Realm()
    busiest = max(scene.fiefs, key=lambda fief: len(scene.rules.map.neighbours[fief]))
    for fief in (busiest, *scene.rules.map.neighbours[busiest]):
        scene.units(fief, 0, infantry=1, cavalry=1, knight=1, foreign=1)
    scene.orders(f"{busiest} regroup").take(f"do {busiest} regroup")
    assert len(scene.options()) == 56


def test_dec_3_rounds_of_rows():
    """DEC-3: set-up belongs to round 1; an event belongs to the round that it ends."""
    stepper = Stepper.deal(GAME, make_rules(), 3, 5)
    rng = np.random.default_rng(5)
    rows = [(step.round, step.label) for step in walk(stepper, lambda _, o: int(rng.integers(len(o))))]
    events = [number for number, label in rows if label.startswith("event")]
    assert events == list(range(1, stepper.round + 1))
    assert all(number == 1 for number, label in rows if label.startswith(("line", "second", "place")))


@pytest.mark.parametrize("same_kind", [1, 2, 3])
def test_dec_4_orders_dealt_anew_are_legal(same_kind):
    """DEC-4: other players' tokens stay in place; only the seat to choose has one that is turned up."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        changes = {"same_kind": same_kind, "orders": 8}
        stepper = Stepper.deal(GAME, make_rules(changes), 4, seed)
        for step in walk(stepper, eager(rng)):
            if step.kind not in ("turn", "target", "send", "spy") or rng.random() < 0.7:
                continue
            again = stepper.copy()
            again.determinize(int(rng.integers(2**60)))
            compare_tier(stepper, again, same_kind)


def compare_tier(stepper: Stepper, again: Stepper, same_kind: int) -> None:
    before, after = stepper.state, again.state
    waiting = {ORDERS.index(kind) for kind in ("defend", "diversion", "revenge")}
    for p in range(4):
        count = before.token_count[p]
        kinds = after.token_kind[p][:count].tolist()
        assert after.token_fief[p][:count].tolist() == before.token_fief[p][:count].tolist()
        if p == stepper.seat:
            assert kinds == before.token_kind[p][:count].tolist()
        for kind in kinds:
            assert kinds.count(kind) + after.shown[p][kind] <= same_kind
        asked = not set(before.token_kind[p][:count].tolist()) <= waiting
        assert asked == (not set(kinds) <= waiting)
        for fief, kind in zip(after.token_fief[p], kinds, strict=False):
            assert (after.open_kinds[p] | after.fief_kinds[fief]) >> kind & 1


def test_dec_4_a_spy_keeps_what_it_saw():
    """DEC-4: the orders of a fief spied on this round are known, the others are not."""
    scene = Realm().building("poznan", "clothhall").units("krakow", 1, knight=1)
    scene.orders("poznan build", "krakow quest, krakow build, sacz muster, wislica invade")
    scene.take("spy krakow")
    kinds = set()
    for seed in range(20):
        again = scene.stepper.copy()
        again.determinize(seed)
        seen = again.observe(0)
        assert seen.fiefs[scene.fiefs.index("krakow")].tokens == ["build", "quest"]
        kinds.add(int(again.state.token_kind[1][2]))
    assert len(kinds) > 3


def test_dec_4_orders_being_given_are_dealt_anew_whole():
    """DEC-4: in phase 2 the others' places are dealt too; a seat that has not given orders has none."""
    scene = Realm().begin().take("fief poznan", "order build", "done")
    places = set()
    for seed in range(10):
        again = scene.stepper.copy()
        again.determinize(seed)
        assert again.state.token_count.tolist() == [5, 0, 0, 0, 0, 0]
        places.add(tuple(again.state.token_fief[0].tolist()))
    assert len(places) > 1


def test_the_state_is_small():
    """It takes less than 1.8 KB, most of it the map, so it can be searched."""
    assert GAME.records.state.itemsize < 1800
    assert s.SEATS == 6
