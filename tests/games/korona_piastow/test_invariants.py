"""Properties that hold in every game, for any rules, seed and choices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.korona import GAME, make_rules, s

from balance.engine.stepper import Stepper, walk
from balance.games.korona_piastow.rules.tables import BUILDINGS, UNITS

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
    """An observation has the score and fiefs of the game's rows."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        stepper = Stepper.deal(GAME, make_rules(), players, seed)
        for _ in walk(stepper, lambda _, options, rng=rng: int(rng.integers(len(options)))):
            pass
        _, seats = stepper.result()
        for row, ruler in zip(seats, stepper.observe(0).seats, strict=True):
            assert (row.score, row.fiefs, row.units) == (ruler.score, ruler.fiefs, ruler.units)
            assert stepper.rules.map.district_ids[row.line] == ruler.line
