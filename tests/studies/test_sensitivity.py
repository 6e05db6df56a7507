"""What each rule key moves: paired effects that hold together, a page, and a run that resumes."""

import json
import re
from dataclasses import replace

import duckdb
import pytest
from support.pseudo import PseudoLanguage, unmarked_on
from support.runs import without_pngs

from balance.experiments.experiment import read_experiment
from balance.foundation.catalogues import using
from balance.foundation.errors import BalanceError
from balance.studies.sensitivity import (
    STUDY,
    Effects,
    Sensitivity,
    SensitivityGames,
    default_experiment,
    plan_sensitivity,
    play_sensitivity,
    read_effects,
)

KEYS = ("dice", "steps.eagle", "turn_limit")
GIVEN = {"game": "polska", "players": [2, 3], "strategies": ["champion"], "games": 300, "seed": 5}
ASKED = Sensitivity(default_experiment(GIVEN), KEYS)


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> tuple[SensitivityGames, object]:
    """Return the games of some steps of Polska, and their folder."""
    folder = tmp_path_factory.mktemp("sensitivity")
    return play_sensitivity(ASKED, folder), folder


def test_effects_are_means_of_pairs(played):
    """As DuckDB computes them from the logged games, for a step that shortens the game and one that does not."""
    games, _ = played
    effects = read_effects(games)
    logged = duckdb.sql(f"""
        SELECT a.variant, avg(a.decisions - b.decisions) AS effect, count(*) AS n
        FROM '{games.run.path}/games/*.parquet' a JOIN '{games.run.path}/games/*.parquet' b
          ON a.deal_seed = b.deal_seed AND a.players = b.players AND b.variant = 'base' AND a.variant <> 'base'
        WHERE a.players = 2 GROUP BY a.variant
    """).df()
    found = effects[(effects["measure"] == "decisions") & (effects["players"] == 2)].set_index("variant")
    assert len(logged) == len(games.steps)
    for row in logged.itertuples():
        assert found.loc[row.variant, "effect"] == pytest.approx(row.effect)
        assert found.loc[row.variant, "n"] == row.n == 300


def test_only_what_moves_is_shown(played):
    """An eagle that is worth more steps shortens games; a turn limit that no game reaches moves nothing."""
    games, _ = played
    effects = read_effects(games)
    limit = effects[effects["key"] == "turn_limit"]
    assert len(limit) and (limit["size"] == 0).all() and (limit["effect"] == 0).all()
    shown = effects[effects["size"] > 0]
    assert len(shown) and ((shown["low"] > 0) | (shown["high"] < 0)).all()
    (eagle,) = effects[
        (effects["variant"] == "steps.eagle=4") & (effects["measure"] == "minutes") & (effects["players"] == 2)
    ].itertuples()
    assert eagle.verdict == "lower" and eagle.low < eagle.effect < eagle.quoted < eagle.high < 0
    for _, part in effects.groupby("players"):
        assert part["size"].is_monotonic_decreasing


def test_the_page_has_charts_and_a_finished_run_is_only_read(played, tmp_path):
    """The same command again plays nothing; measures that no step moves are named."""
    games, folder = played
    before = {path: path.stat().st_mtime_ns for path in games.run.path.rglob("*.parquet")}
    again = play_sensitivity(replace(ASKED, measures=("minutes", "shared_victories")), folder)
    assert {path: path.stat().st_mtime_ns for path in again.run.path.rglob("*.parquet")} == before
    page = STUDY.write(Effects(again, read_effects(again)), tmp_path / "out")
    assert page.stat().st_size > 10_000
    text = (tmp_path / "out" / "sensitivity.md").read_text(encoding="utf-8")
    assert re.search(r"- Estimated minutes, min: with 2 players, from [\d.]+: ", text)
    assert "No step is shown to move: shared victories." in text
    assert (tmp_path / "out" / "figures" / "minutes.svg").exists()
    assert "| steps.eagle 3 → 4 |" in text


def test_other_keys_need_another_folder(played):
    """The line names some of the changes, and what to do."""
    _, folder = played
    with pytest.raises(BalanceError) as refused:
        play_sensitivity(replace(ASKED, keys=("hand_limit",)), folder)
    text = str(refused.value)
    assert "changed since it began: variants.dice=6 of the experiment" in text
    assert re.search(r", \d+ more; play into another folder$", text) and len(text) < 400


EXPERIMENT = """
game = "polska"
players = [2, 3]
variants = ["mine.toml", "base"]
seed = 9
stop = {ceiling = 900}

[[tiers]]
name = "one"
strategies = ["champion"]
games = 200
luck = 20

[[tiers]]
name = "other"
strategies = ["random"]
games = 100

[[targets]]
measure = "minutes"
most = 500

[thresholds]
seats = 5.0
"""


@pytest.fixture
def file(tmp_path):
    """Return an experiment file whose start variant lies next to it."""
    mine = 'extends = "base"\ntitle = "Mine"\ndescription = "Mine."\nhand_limit = 3\n'
    (tmp_path / "mine.toml").write_text(mine, encoding="utf-8")
    (tmp_path / "asked.toml").write_text(EXPERIMENT, encoding="utf-8")
    return tmp_path / "asked.toml"


def test_an_experiment_names_the_start(file):
    """Its first variant and first tier play, from any folder; what only a run needs is left out."""
    asked = Sensitivity(read_experiment(file), ("hand_limit", "dice"), (), file.parent, str(file))
    steps, plan = plan_sensitivity(asked)
    assert [step.change for step in steps if step.key == "hand_limit"] == ["3 → 2", "3 → 4"]
    assert plan.first_variant.name == "mine" and len(plan.variants) == 1 + len(steps)
    assert [tier.name for tier in plan.tiers] == ["one"]
    assert plan.experiment.thresholds.seats == 5
    assert (plan.experiment.seed, plan.experiment.players, plan.experiment.log) == (9, [2, 3], "rounds")
    assert not plan.experiment.targets and plan.experiment.stop is None
    assert plan.tier.most_games == 200


def test_options_replace_keys_of_an_experiment(file, cli):
    """A tier by name, fewer player counts and games; wrong combinations are one line."""
    options = ["--tier", "other", "--players", "2", "--games", "100", "--keys", "dice", "--quiet"]
    rows = json.loads(cli("sensitivity", file, *options, "--json", status=0).stdout)
    assert {row["players"] for row in rows} == {2} and {row["key"] for row in rows} == {"dice"}
    assert {row["n"] for row in rows if row["measure"] == "minutes"} == {100}
    for words, status, line in (
        ([file, "--game", "polska"], 2, "names the game: leave out --game"),
        ([file, "--tier", "third"], 1, "unknown tier 'third'"),
        ([file, "--strategies", "random"], 1, "choose with --tier"),
        (["--tier", "one", "--game", "polska"], 2, "--tier chooses among the [[tiers]]"),
        ([], 2, "give --game, or an experiment file"),
    ):
        assert line in cli("sensitivity", *words, status=status).output


@pytest.mark.slow
def test_factions_are_measured(cli):
    """In Korona Piastów each line has its share; as JSON, with an interval for each."""
    command = "sensitivity --game korona-piastow --players 4 --keys start.denars --games 100 --json --quiet"
    rows = json.loads(cli(command, status=0).stdout)
    lines = {row["group"] for row in rows if row["measure"] == "faction_win_share"}
    assert {"malopolska", "zakon"} <= lines and len(lines) == 7
    assert {row["key"] for row in rows} == {"start.denars"}
    assert {row["direction"] for row in rows} == {-1, 1}


def test_every_text_of_the_page_is_a_message(played, tmp_path):
    """Also in other languages; commands and folders are names."""
    _, folder = played
    with using(PseudoLanguage()), without_pngs():
        games = play_sensitivity(ASKED, folder)  # has been played, and is only read
        page = STUDY.write(Effects(games, read_effects(games)), tmp_path)
    assert unmarked_on(page, games.run, str(folder)) == []
