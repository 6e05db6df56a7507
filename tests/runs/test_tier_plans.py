"""Runs of several tiers: each as if played alone, in one folder that resumes to the same bytes."""

import pandas as pd
import pytest
from support.runs import digest, parts_of, play, resume, start

import balance
from balance.experiments.experiment import make_experiment
from balance.experiments.planning import make_plan
from balance.foundation.errors import BalanceError
from balance.runs import runner
from balance.runs.folder import RunFolder
from balance.runs.workers import Threads

STYLES = {"strategies": ["generalist", "treasurer", "random"], "games": 120}
SEARCH = {"strategies": ["search-4", "generalist"], "games": 24}
NOVICES = {**STYLES, "temperature": 3.0}
CELLS = {"players": [2, 3], "variants": ["base", "hire-dear"], "log": "rounds", "trace": 2, "luck": 6}


def tiers(**named):
    return [{"name": name, **keys} for name, keys in named.items()]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return styles, the same with a temperature, and searchers, with every table."""
    keys = {**CELLS, "strategies": [], "games": None}
    path = tmp_path_factory.mktemp("tiers") / "run"
    return play(path, **keys, tiers=tiers(styles=STYLES, novices=NOVICES, search=SEARCH))


def tables(path, tier=None):
    opened = balance.open_run(path, tier)
    names = ("games", "seats", "rounds", "trace", "luck")
    frames = {name: opened.query(f"SELECT * FROM {name}") for name in names}
    first = int(frames["games"]["game_id"].min())
    for name, frame in frames.items():
        frame["game_id"] -= first
        by = [c for c in ("game_id", "source", "step", "round", "seat") if c in frame]
        frames[name] = frame.sort_values(by, ignore_index=True)
    return frames


@pytest.mark.parametrize(("tier", "keys"), [("styles", STYLES), ("search", SEARCH)])
def test_a_tier_is_played_as_if_it_were_alone(run, tmp_path, tier, keys):
    """Every row of every table equals that of a separate experiment; `tier` and ids separate them."""
    alone = tables(play(tmp_path / "alone", **CELLS, **keys))
    found = tables(run, tier)
    for name, frame in found.items():
        assert len(frame) > 0
        if "tier" in frame:
            assert set(frame.pop("tier")) == {tier}
            assert set(alone[name].pop("tier")) == {"main"}
        pd.testing.assert_frame_equal(frame, alone[name])


def test_a_temperature_makes_others_of_the_same_names(run):
    """Novices have the names of the styles, play their deals, and choose differently."""
    styles, novices = (tables(run, tier) for tier in ("styles", "novices"))
    for column in ("deal_seed", "seed", "lineup"):
        assert styles["games"][column].equals(novices["games"][column])
    assert not styles["seats"]["score"].equals(novices["seats"]["score"])
    assert set(novices["seats"]["strategy"]) == {"generalist", "treasurer", "random"}


def test_ids_are_unique_in_the_run(run):
    opened = balance.open_run(run)
    ids = pd.concat([opened.in_tier(tier).games()["game_id"] for tier in opened.tiers])
    assert ids.is_unique
    assert len(ids) == 4 * (120 + 120 + 24)


def test_a_resumed_run_is_the_same_bytes(run, tmp_path):
    """Lost parts of each tier are played again."""
    keys = {**CELLS, "strategies": [], "games": None}
    again = play(tmp_path / "run", **keys, tiers=tiers(styles=STYLES, novices=NOVICES, search=SEARCH))
    assert digest(again) == digest(run)
    cells = {cell.number: cell.tier.name for cell in RunFolder.open(again).plan.cells}
    lost = {cells[part.cell]: part.stem for part in parts_of(again)}
    assert set(lost) == {"styles", "novices", "search"}
    for stem in lost.values():
        for path in again.glob(f"*/{stem}.parquet"):
            path.unlink()
    resume(again, workers=2)
    assert digest(again) == digest(run)
    assert RunFolder.open(again).faults() == []


def test_a_stop_rule_looks_at_each_tier_by_itself(tmp_path):
    """Its interval is the tier's games per cell; decided cells stop, and the others continue."""
    named = {"even": {"strategies": ["random"], "games": 40}, "odd": {"strategies": ["generalist"], "games": 30}}
    keys = {"game": "na-grunwald", "players": [2], "stop": {"threshold_points": 1.0, "ceiling": 100}}
    plan = make_plan(make_experiment({**keys, "tiers": tiers(**named)}), tmp_path, "test")
    looks = []

    def decided(found, cell, played):
        looks.append((cell.tier.name, played))
        return cell.tier.name == "odd" and played == 60

    run = start(plan, tmp_path / "run", decided, workers=Threads(1))
    assert looks == [("even", 40), ("odd", 30), ("even", 80), ("odd", 60)]
    played = balance.open_run(run.path)
    assert [len(played.in_tier(tier).games()) for tier in ("even", "odd")] == [100, 60]


def test_each_tier_is_timed(monkeypatch, tmp_path):
    """The time of searchers is not estimated from that of styles, even with little time left."""
    named = tiers(styles={**STYLES, "games": 1000}, search={**SEARCH, "games": 10})
    keys = {"game": "na-grunwald", "players": [2, 3], "tiers": named}
    plan = make_plan(make_experiment(keys), tmp_path, "test")
    monkeypatch.setattr(runner, "TIMING", -1.0)
    times = {False: 0.001, True: 5.0}
    monkeypatch.setattr(runner, "seconds_a_game", lambda plan, cell: times[cell.tier.iterations > 0])
    parts = [part for cell in plan.cells for part in plan.parts(cell, 0, cell.tier.games)]
    assert runner.seconds_needed(plan, parts) == pytest.approx(2 * (1000 * 0.001 + 10 * 5.0))


def test_only_one_tier_is_read(run):
    """This holds for any question; an unknown tier gives one line."""
    opened = balance.open_run(run)
    assert (opened.tier, opened.tiers) == ("styles", ["styles", "novices", "search"])
    search = opened.in_tier("search")
    shares = search.seat_shares()
    assert set(shares["n"]) == {24}
    expected = search.seats().groupby(["players", "variant", "seat"])["win_share"].mean() * 100
    found = shares.set_index(["players", "variant", "seat"])["value"]
    assert (found.sort_index() - expected.sort_index()).abs().max() < 1e-4
    assert int(search.compare("base", ["score"])["n"].max()) == 24 * 3
    assert set(search.query("SELECT DISTINCT tier FROM luck")["tier"]) == {"search"}
    with pytest.raises(BalanceError, match="unknown tier 'x'"):
        opened.in_tier("x")


@pytest.mark.slow
def test_bots_of_one_name_in_two_tiers(tmp_path):
    """Each tier uses its own file, and a change of either is noticed."""
    named = {}
    for name, choice in (("old", "0"), ("new", "len(actions) - 1")):
        path = tmp_path / name / "bot.py"
        path.parent.mkdir()
        code = "class Bot:\n    def __init__(self, rng): pass\n"
        path.write_text(code + f"    def choose(self, observation, actions): return {choice}\n")
        named[name] = {"lineups": [[f"{path}:Bot", "random"]], "games": 6}
    path = play(tmp_path / "run", players=[2], strategies=[], games=None, tiers=tiers(**named))
    old, new = (balance.open_run(path, tier).seats() for tier in ("old", "new"))
    assert set(old["strategy"]) == set(new["strategy"]) == {"Bot", "random"}
    assert not old["score"].equals(new["score"])
    assert RunFolder.open(path).changes() == []
    (tmp_path / "new" / "bot.py").write_text("")
    assert RunFolder.open(path).changes() == ["the file of bot Bot"]
