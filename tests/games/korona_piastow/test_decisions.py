"""Decisions as on the page (section 5, DEC-1 to DEC-4), hidden information, and what holds in every game."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.korona import GAME, Realm, make_rules, s

from balance.engine.stepper import Stepper, walk
from balance.games.korona_piastow.display.names import KINDS
from balance.games.korona_piastow.rules.tables import BUILDINGS, ORDERS, UNITS


def eager(rng):
    """Choose anything, with options that end or give up less often."""

    def choose(_, options):
        pick = int(rng.integers(len(options)))
        again = options[pick].startswith(("done", "drop", "none"))
        return int(rng.integers(len(options))) if again else pick

    return choose


def test_dec_1_no_list_is_longer_than_60():
    """DEC-1: at the base values; every kind but the rarest is met."""
    longest: dict[str, int] = {}
    for seed in range(6):
        stepper = Stepper.deal(GAME, make_rules(), 6, seed)
        for step in walk(stepper, eager(np.random.default_rng(seed))):
            longest[step.kind] = max(longest.get(step.kind, 0), len(step.options))
    assert max(longest.values()) <= 60
    assert set(KINDS) - {"damage", "line", "revenge", "siege", "spy"} <= set(longest)


def test_dec_1_the_longest_sending():
    """DEC-1: 44 with six units, 156 with nine: fewer actions than the limit."""
    scene = Realm().units("gniezno", 0, infantry=2, cavalry=1, knight=1, engine=1, foreign=1)
    scene.building("swiecie", "grod").orders("gniezno invade")
    assert len(scene.take("do gniezno invade", "target swiecie").options()) == 44
    scene = Realm(changes={"fief_limit": 9}).building("swiecie", "grod")
    scene.units("gniezno", 0, infantry=2, cavalry=2, knight=2, engine=2, foreign=1)
    scene.do("gniezno invade", "target swiecie")
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


SEEDS = st.integers(0, 2**32 - 1)
PLAYERS = st.sampled_from(GAME.players)
VARIANTS = st.sampled_from(GAME.shipped("variants"))


def price_of(rules, step) -> int:
    """Return the cost of a label, or its gain (below 0), by the keys of the rule set."""
    verb, *rest = step.label.split()
    if verb in ("muster", "build"):
        table = rules.units if verb == "muster" else rules.buildings
        return getattr(table, rest[0]).cost
    if verb == "do":
        return -rules.tithe if rest[1] == "tithe" else 0
    claim = rules.claim_cost if rest[1:] == ["claim"] else 0
    return {"target": claim, "spy": rules.spy_cost, "repair": rules.repair_cost, "raise": rules.raise_cost,
            "collect": -rules.collect, "devastate": -rules.loot}.get(verb, 0)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(PLAYERS, SEEDS, VARIANTS)
def test_units_denars_and_orders_are_conserved(players, seed, variant):
    """Units come by placing, muster, raising and cards; denars change by a label's cost; orders go one by one."""
    rules = make_rules(variant=variant)
    rng = np.random.default_rng(seed)
    stepper = Stepper.deal(GAME, rules, players, seed)
    state = stepper.state
    before = None
    for step in walk(stepper, lambda _, options: int(rng.integers(len(options)))):
        if before is not None:
            check_step(rules, *before, state)
        before = (step, state.copy()) if step.seat >= 0 else None
        assert state.units.min() >= 0
        assert state.denars.min() >= 0
        if step.kind != "regroup":
            assert state.units.sum(axis=1).max() <= rules.fief_limit
        lords = state.lord[state.units[:, : s.FOREIGN].any(axis=1)]
        assert (lords >= 0).all()
        assert (state.building < len(BUILDINGS)).all()
    assert stepper.state.over == 1


def check_step(rules, step, old, new) -> None:
    """Assert the changes that one decision allows, without an end of round or chance between."""
    if old.round_number != new.round_number or old.phase in (s.ASK_CHOOSE, s.ASK_RULER, s.ASK_PLACE):
        return
    spent = old.denars - new.denars
    expected = price_of(rules, step)
    still = new.out_round == 0
    if not step.label.endswith("quest") and step.kind not in ("fief", "order"):
        assert spent[step.seat] == expected or not still[step.seat], step
        others = [p for p in range(len(still)) if p != step.seat and still[p]]
        assert not spent[others].any(), step
    gained = new.units.sum(axis=0) - old.units.sum(axis=0)
    raised = {"muster": step.label.split()[-1], "magnate": "infantry"}.get(step.kind, "")
    for kind, name in enumerate(UNITS):
        assert gained[kind] <= (name == raised), step
    if step.kind == "order":
        assert new.token_count[step.seat] == old.token_count[step.seat] + 1
    elif step.kind == "turn":
        assert new.token_count[step.seat] <= old.token_count[step.seat] - 1


@pytest.mark.parametrize("players", GAME.players)
def test_shown_scores_are_those_of_the_rules(players):
    """END-2: an observation has the score, fiefs and units of the game's rows."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        stepper = Stepper.deal(GAME, make_rules(), players, seed)
        for _ in walk(stepper, lambda _, options, rng=rng: int(rng.integers(len(options)))):
            pass
        _, seats = stepper.result()
        for row, ruler in zip(seats, stepper.observe(0).seats, strict=True):
            assert (row.score, row.fiefs, row.units) == (ruler.score, ruler.fiefs, ruler.units)
            assert stepper.rules.map.district_ids[row.line] == ruler.line
