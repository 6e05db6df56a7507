"""Tiers of an experiment: the same cells on the same deals, each with its own players."""

import json
from pathlib import Path

import pytest
from support.errors import refused

from balance.experiments.experiment import MOST_GAMES, make_experiment
from balance.experiments.planning import make_plan
from balance.experiments.saved_plan import describe_plan, restore_plan
from balance.foundation.errors import BalanceError
from balance.runs.jobs import jobs_of

KEYS = {"game": "na-grunwald", "players": [2, 3], "variants": ["base", "hire-dear"], "seed": 7}
STYLES = {"name": "styles", "strategies": ["generalist", "treasurer", "random"], "games": 600}
NOVICES = {**STYLES, "name": "novices", "temperature": 2.5}
SEARCH = {"name": "search", "strategies": ["search-20"], "games": 40}


def plan_of(*tiers, **keys):
    return make_plan(make_experiment({**KEYS, "tiers": list(tiers), **keys}), Path(), "x.toml")


def test_cells_are_those_of_one_tier_after_the_other():
    """Cell numbers and game ids are unique in the run."""
    plan = plan_of(STYLES, SEARCH)
    cells = [(cell.tier.name, cell.variant.name, cell.players) for cell in plan.cells]
    each = [(v, p) for v in ("base", "hire-dear") for p in (2, 3)]
    assert cells == [(tier, *cell) for tier in ("styles", "search") for cell in each]
    assert [cell.number for cell in plan.cells] == list(range(8))
    assert [cell.first_id for cell in plan.cells] == [number * MOST_GAMES for number in range(8)]


def test_without_tiers_there_is_one():
    """It is called main, and `run.json` does not change."""
    keys = {**KEYS, "strategies": ["random", "generalist"], "games": 10}
    plan = make_plan(make_experiment(keys), Path(), "x.toml")
    described = describe_plan(plan)
    assert [tier.name for tier in plan.tiers] == described["tiers"] == ["main"]
    assert described["lineups"] == []
    keys = [sorted(each) for each in described["strategies"]]
    assert keys == [["kind", "name"], ["kind", "name", "profile"]]


def test_tiers_share_decks_and_seeds():
    """Each game matches; the shorter tier plays the first deals of the longer."""
    plan = plan_of(STYLES, {**SEARCH, "strategies": ["search-20", "generalist", "random"]})
    long, short = (jobs_of(plan.schedule(plan.cells[number]), 0, 40) for number in (0, 4))
    assert (long.deal_seed == short.deal_seed).all()
    assert (long.seed == short.seed).all()
    one = plan_of(STYLES, SEARCH)
    alone = jobs_of(one.schedule(one.cells[4]), 0, 40)  # one line-up: a game a deck
    assert set(long.deal_seed.tolist()) <= set(alone.deal_seed.tolist())


def test_a_temperature_is_that_of_the_profiles_of_one_tier():
    """Names and `random` do not change, and the other tier does not either."""
    styles, novices = plan_of(STYLES, NOVICES).tiers
    assert [s.name for s in novices.strategies] == [s.name for s in styles.strategies]
    assert [s.profile and s.profile.temperature for s in novices.strategies] == [2.5, 2.5, None]
    assert [s.profile and s.profile.temperature for s in styles.strategies] == [0, 0, None]
    mixed = plan_of({**SEARCH, "strategies": ["search-20", "generalist"], "temperature": 1}).tier
    searcher = mixed.strategies[0].search
    assert searcher.prior.temperature == 0
    assert mixed.strategies[1].profile.temperature == 1


def test_parts_are_as_large_as_a_tier_allows():
    """Searchers make only their own parts small; the first games of each tier are traced."""
    plan = plan_of({**STYLES, "games": 5_000}, {**SEARCH, "games": 2_000}, trace=8, luck=4)
    parts = [plan.parts(cell, 0, cell.tier.games) for cell in plan.cells]
    sizes = [[part.last - part.first for part in each] for each in parts]
    assert sizes[0] == [4, 4, 4_992]
    assert sizes[4] == [4, 4, 500, 500, 500, 492]


@pytest.mark.parametrize("tiers", [(STYLES, NOVICES), (SEARCH, STYLES)])
def test_a_run_keeps_all_that_its_tiers_are(tiers):
    """The plan of `run.json` equals the plan, with the strategies of each tier."""
    lineups = {"name": "held", "lineups": [["random", "generalist"], ["random"] * 3], "games": 5}
    plan = plan_of(*tiers, lineups)
    described = json.loads(json.dumps(describe_plan(plan)))
    again = restore_plan(described)
    assert describe_plan(again) == describe_plan(plan)
    assert again.tiers == plan.tiers
    assert again.cells == plan.cells


def test_a_run_from_before_there_were_tiers_is_read():
    """The key is newer than the schema; without it there were no tiers."""
    keys = {**KEYS, "strategies": ["random"], "games": 10}
    described = describe_plan(make_plan(make_experiment(keys), Path(), "x.toml"))
    del described["experiment"]["tiers"]
    assert [tier.name for tier in restore_plan(described).tiers] == ["main"]


def test_one_tier_is_read_at_a_time():
    """It is the first unless another is named; for an unknown name the line lists the existing ones."""
    plan = plan_of(STYLES, SEARCH)
    assert plan.tier.name == "styles"
    other = plan.in_tier("search", "runs/x")
    assert [cell.number for cell in other.tier_cells] == [4, 5, 6, 7]
    assert len(other.cells) == 8
    with pytest.raises(BalanceError, match=r"runs/x: unknown tier 'serch'; did you mean 'search'"):
        plan.in_tier("serch", "runs/x")


OWN = "with [[tiers]], each tier has its own"
PAIRS = {"name": "a", "lineups": [["random"] * 2], "games": 3}
STOP = {"threshold_points": 1.0, "ceiling": 500}
TARGETS = [{"measure": "strategy_win_share", "most": 60}]
BAD = [
    ({"tiers": [STYLES], "strategies": ["random"]}, f"{OWN} `strategies`"),
    ({"tiers": [STYLES], "games": 3}, f"{OWN} `games`"),
    ({"tiers": [STYLES], "lineups": [["random"] * 2]}, f"{OWN} `lineups`"),
    ({}, "give either `strategies` (a pool) or `lineups`; or give [[tiers]]"),
    ({"strategies": ["random"]}, "games: this key is required"),
    ({"tiers": [STYLES, STYLES]}, "tiers: a value is repeated"),
    ({"tiers": [{**STYLES, "name": ""}]}, "tiers.0.name: must be a word"),
    ({"tiers": [{**STYLES, "name": "a,b"}]}, 'tiers."a,b".name: must be a word'),
    ({"tiers": [{**STYLES, "name": "x" * 41}]}, "at most 40 letters"),
    ({"tiers": [{"name": "a", "games": 3}]}, "tiers.a: give either `strategies` (a pool) or `lineups`"),
    ({"tiers": [{"name": "a", "strategies": ["random"]}]}, "tiers.a.games: this key is required"),
    ({"tiers": [{**STYLES, "strategies": ["random"] * 2}]}, "strategies: a value is repeated"),
    ({"tiers": [{**STYLES, "strategy": ["x"]}]}, "did you mean 'tiers.styles.strategies'"),
    ({"tiers": [{**STYLES, "temperature": -1}]}, "tiers.styles.temperature: "),
    (
        {"tiers": [{**SEARCH, "temperature": 1}]},
        "tier search: temperature: applies to profiles and networks, but none plays",
    ),
    ({"tiers": [STYLES, {**SEARCH, "strategies": ["serch-3"]}]}, "tier search: unknown na-grunwald"),
    ({"tiers": [PAIRS]}, "tier a: lineups: no line-up has 3 strategies for 3 seats"),
    ({"tiers": [STYLES], "stop": STOP}, "stop.ceiling must be at least `games` (600)"),
    (
        {"tiers": [{"name": "experts", "strategies": ["expert"], "games": 3}], "stop": STOP},
        "tier experts: stop: expert has several networks, and more games do not show how far other networks",
    ),
    (
        {"tiers": [STYLES, SEARCH], "targets": TARGETS},
        "tier search: targets: measure 'strategy_win_share' needs several",
    ),
]


@pytest.mark.parametrize(("keys", "words"), BAD)
def test_a_mistake_is_one_line(keys, words):
    with refused(words, begin="x.toml: "):
        make_plan(make_experiment({**KEYS, **keys}, "x.toml"), Path(), "x.toml")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["strategies"][0].update(tier="x"), "strategies: unknown tier 'x'"),
        (lambda d: d["lineups"].update(x=[]), "lineups: unknown tier 'x'"),
        (lambda d: d.update(strategies=d["strategies"][:1]), "no strategy belongs to tier search"),
    ],
)
def test_a_run_that_was_edited_is_one_line(change, words):
    """Players of a tier that the experiment does not have are refused."""
    described = json.loads(json.dumps(describe_plan(plan_of(STYLES, SEARCH))))
    change(described)
    with pytest.raises(BalanceError, match=r"run\.json") as failure:
        restore_plan(described)
    assert words in str(failure.value)
