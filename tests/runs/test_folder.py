"""Contents of a run folder: schema 3, base's rules, tiers, the round of a chance outcome."""

from __future__ import annotations

import json

import pandas as pd
import pyarrow.parquet as pq
from support.runs import play

from balance.contract.game import get_game
from balance.report import write_report
from balance.runs.folder import RunFolder


def test_run_json_keeps_base_and_tiers(tmp_path):
    """Base's resolved rules are stored even if only another variant was played."""
    run = play(tmp_path / "run", variants=["krzyzacy-hard"], games=4)
    info = json.loads((run / "run.json").read_text(encoding="utf-8"))
    assert info["schema_version"] == 4
    assert info["tiers"] == ["main"]
    assert list(info["variants"]) == ["krzyzacy-hard"]
    assert info["base"]["krzyzacy"]["bonus"] == {"2": 2, "3": 4, "4": 6}
    opened = RunFolder.open(run).plan.base
    assert opened.model_dump(by_alias=True) == info["base"]


def test_games_and_seats_name_their_tier(tmp_path):
    """The tier is the second column, a constant until there are several tiers."""
    run = play(tmp_path / "run", games=4)
    for table in ("games", "seats"):
        found = pq.read_table(run / table)
        assert found.column_names[:3] == ["game_id", "tier", "variant"]
        assert set(found["tier"].to_pylist()) == {"main"}


def test_what_a_variant_changes_is_said_against_the_runs_own_base(tmp_path):
    """A report does not read the package's TOML, so a later change of base does not affect an old run."""
    run = play(tmp_path / "run", variants=["base"], games=8)
    path = run / "run.json"
    info = json.loads(path.read_text(encoding="utf-8"))
    info["base"]["start"]["ducats"] = 9
    path.write_text(json.dumps(info), encoding="utf-8")
    write_report([RunFolder.open_finished(run)], tmp_path / "out")
    rules = pd.read_csv(tmp_path / "out" / "tables" / "rules.csv")
    assert rules.to_dict("records") == [
        {"variant": "base", "rule": "start.ducats", "base": 9, "here": 3}
    ]


def test_what_a_turn_draws_belongs_to_its_round(tmp_path):
    """The last seat's draws come before the round's number increases (Polska; schema 3)."""
    profiles = get_game("polska").shipped("profiles")
    keys = {"game": "polska", "players": [3], "strategies": profiles, "games": 12}
    trace = pq.read_table(play(tmp_path / "run", log="trace", **keys) / "trace").to_pandas()
    trace = trace.sort_values(["game_id", "step"])
    drawing = (trace["seat"] < 0) & trace["label"].str.startswith("draw")
    taken = trace["round"].where(trace["seat"] >= 0).groupby(trace["game_id"]).ffill()
    last_seat = trace["seat"].where(trace["seat"] >= 0).groupby(trace["game_id"]).ffill() == 2
    assert (drawing & last_seat).sum() > 20
    assert (trace["round"] == taken)[drawing].all()
    assert (trace.groupby("game_id")["round"].diff().dropna() >= 0).all()
