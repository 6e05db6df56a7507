"""Tuning a real game: the variant that is found, its page and files, a study that resumes, and mistakes."""

import json
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from support.pseudo import PseudoLanguage, unmarked_on
from support.runs import without_pngs

from balance.contract.game import get_game
from balance.experiments.variants import load_variant
from balance.foundation.catalogues import using
from balance.foundation.errors import BalanceError
from balance.studies.tune import TuneResults, before_after, play_tuning, read_tuning
from balance.studies.tune_page import STUDY, write_answer

ROOT = Path(__file__).resolve().parents[2]
EXPERIMENT = """
game = "polska"
players = [2]
variants = ["pushed.toml"]
strategies = ["champion"]
games = 800
seed = 4

[[targets]]
measure = "decisions"
least = {least}
most = {most}

[tune]
keys = {keys}
games = 10000
changes = {changes}
finalists = 2
"""
PUSHED = """
extends = "base"
title = "Slow eagles"
description = "An eagle is worth one step less."
[steps]
eagle = 1
"""


KEYS = ["steps.eagle", "steps.blue_past", "turn_limit"]


def experiment(folder: Path, least: float, most: float, keys: int = 3, changes: int = 2) -> Path:
    """Write an experiment that starts from rules with one key pushed off; return its path."""
    (folder / "pushed.toml").write_text(PUSHED, encoding="utf-8")
    path = folder / "tune.toml"
    text = EXPERIMENT.format(least=least, most=most, keys=json.dumps(KEYS[:keys]), changes=changes)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> tuple[TuneResults, Path]:
    """Return a study whose targets only a shorter game meets, and its folder."""
    folder = tmp_path_factory.mktemp("tune")
    tuning = read_tuning(experiment(folder, 85, 110))
    return play_tuning(tuning, folder / "runs"), folder


def test_a_variant_that_meets_the_target_is_recommended(found):
    """Its figures are those of games that no candidate has played."""
    results, _ = found
    assert results.recommended is not None
    rows = before_after(results, results.recommended)
    assert (rows["verdict"] == "pass").all() and (rows["before_verdict"] == "fail").all()
    assert (rows["n"] == 800).all()
    first, *_ = write_answer(results)
    assert "every target" in first and "n ≥ 800 on held-out deals" in first


def test_files_of_the_finalists_are_variants(found, tmp_path):
    """Each extends the start variant and loads as the rules that were played; every change has a comment."""
    results, _ = found
    page = STUDY.write(results, tmp_path)
    assert page.stat().st_size > 10_000
    files = sorted((tmp_path / "variants").glob("*.toml"))
    assert len(files) == len(results.finalists) == 2
    played = {variant.rules.model_dump_json(exclude={"title", "description"}) for variant in results.run.plan.variants}
    for file in files:
        rules = load_variant(get_game("polska"), str(file), tmp_path).rules
        assert rules.model_dump_json(exclude={"title", "description"}) in played
        assert "\n# " in file.read_text(encoding="utf-8")
    text = (tmp_path / "tune.md").read_text(encoding="utf-8")
    assert "## Targets before and after" in text and "Pareto front" in text


@pytest.mark.long
def test_a_finished_study_is_only_read_and_another_refused(found):
    """The same study again plays nothing; other targets need another folder."""
    results, folder = found
    before = {path: path.stat().st_mtime_ns for path in (folder / "runs").rglob("*.parquet")}
    again = play_tuning(read_tuning(folder / "tune.toml"), folder / "runs")
    assert again.finalists == results.finalists and again.checks.equals(results.checks)
    assert {path: path.stat().st_mtime_ns for path in (folder / "runs").rglob("*.parquet")} == before
    with pytest.raises(BalanceError, match="tune into another folder"):
        play_tuning(read_tuning(experiment(folder, 85, 109)), folder / "runs")
    experiment(folder, 85, 110)


def test_seats_that_cannot_be_told_apart_have_no_targets(tmp_path):
    """No candidate could be shown to meet them, so the study is refused before the first game."""
    path = experiment(tmp_path, 85, 110)
    text = path.read_text(encoding="utf-8").replace('"decisions"', '"seat_win_share"')
    kept = 'lineups = [["champion", "random"]]\nrotate = false'
    path.write_text(text.replace('strategies = ["champion"]', kept), encoding="utf-8")
    with pytest.raises(BalanceError, match="seat_win_share can't be judged, because each strategy keeps its seat"):
        read_tuning(path)


def test_nothing_to_change(tmp_path):
    """A start variant that meets the targets is not searched from."""
    results = play_tuning(read_tuning(experiment(tmp_path, 10, 500)), tmp_path / "runs")
    assert results.ranking is None and results.finalists == []
    assert write_answer(results)[0].startswith("Nothing to change: pushed meets every target on held-out deals")
    assert STUDY.write(results, tmp_path / "out").exists()


def test_an_open_result_says_how_many_checks_pass(monkeypatch):
    """One of seven passes: that a change may meet every target would claim too much."""
    checks = pd.DataFrame({"verdict": ["pass", *["undecided"] * 6], "n": 800})
    monkeypatch.setattr("balance.studies.tune_page.before_after", lambda *_: checks)
    results = SimpleNamespace(
        run=SimpleNamespace(plan=SimpleNamespace(tiers=[SimpleNamespace(name="styles")])), checks=checks,
        finalists=[(("dice", 5),)], names=["v"], recommended=0, verdict_of=lambda _: "undecided",
        tuning=SimpleNamespace(space=SimpleNamespace(write=lambda _: "dice 6 → 5")),
    )  # fmt: skip
    assert write_answer(results) == [
        "1 change is not shown to miss a target: dice 6 → 5. It passes 1 of 7 checks; the others need more games "
        "(styles; n ≥ 800 on held-out deals)."
    ]


@pytest.mark.long
def test_a_target_out_of_reach(tmp_path):
    """The nearest variant and what it misses are named, and no variant is recommended."""
    results = play_tuning(read_tuning(experiment(tmp_path, 1, 5, 2, 1)), tmp_path / "runs")
    assert results.recommended is None
    first, *others = write_answer(results)
    assert first.startswith("No variant in these ranges is shown to meet all targets. Nearest, with ")
    assert "No candidate meets this target: decisions at least 1 and at most 5." in others
    assert any(line.startswith("It misses ") for line in others)


def test_the_command_prints_and_writes(cli, tmp_path):
    """JSON has every check; mistakes are one line before the first game."""
    path = experiment(tmp_path, 10, 500)
    result = cli("tune --quiet --json --out", tmp_path / "out", path, status=0)
    assert json.loads(result.stdout)[0]["verdict"] == "pass"
    text = path.read_text(encoding="utf-8")
    for wrong, says in (
        (text.replace('measure = "decisions"', 'measure = "decision"'), "unknown measure 'decision'"),
        (text.replace("[[targets]]", "[[nothing]]"), "unknown key"),
        (text.replace('"pushed.toml"', '"base", "five-dice"'), "starts from one variant"),
        (text.replace("changes = 2", "changes = 0"), "tune.changes"),
    ):
        path.write_text(wrong, encoding="utf-8")
        result = cli("tune --out", tmp_path / "none", path, status=1)
        assert says in result.output and result.output.count("\n") <= 3
        assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    "path", sorted((ROOT / "data" / "experiments").glob("tune-*.toml")), ids=lambda path: path.stem
)
def test_studies_that_ship_can_be_played(path):
    """Their keys, targets and strategies are those of their games."""
    tuning = read_tuning(path)
    assert len(tuning.space.parameters) >= 10 and tuning.plan.experiment.question


def test_every_text_of_the_page_is_a_message(found, tmp_path):
    """Also in other languages; commands and folders are names."""
    results, folder = found
    with using(PseudoLanguage()), without_pngs():
        page = STUDY.write(results, tmp_path)
    assert unmarked_on(page, results.run, str(folder), str(tmp_path), "variants recommended finalist toml") == []
