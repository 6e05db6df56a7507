"""Adapted play: a tier's profiles are trained before its cells are played; run.json stores them, and a run resumes."""

from __future__ import annotations

import json
import shutil

import pytest
from support.runs import digest, resume

import balance
from balance.experiments.experiment import make_experiment
from balance.experiments.saved_plan import restore_plan
from balance.experiments.strategies import pack_strategies
from balance.foundation.errors import BalanceError

RIGID = {"name": "rigid", "strategies": ["generalist", "treasurer"], "games": 40}
ADAPTED = {
    "name": "adapted",
    "strategies": ["generalist", "treasurer", "random"],
    "games": 40,
    "adapt": 50_000,
}
EXPERIMENT = {"game": "na-grunwald", "players": [2], "variants": ["base", "hire-dear"], "seed": 3}
EXPERIMENT |= {"tiers": [RIGID, ADAPTED]}


@pytest.mark.slow
def test_profiles_are_trained_for_each_cell_of_their_tier(tmp_path):
    """The other tier's profiles do not change; a run resumed from run.json has the same rows."""
    balance.play(EXPERIMENT, tmp_path / "run")
    described = json.loads((tmp_path / "run" / "run.json").read_text())
    found = described["adapted"]
    assert list(found) == ["adapted"]
    assert set(found["adapted"]["base"]["2"]) == {"generalist", "treasurer"}
    assert found["adapted"]["base"]["2"] != found["adapted"]["hire-dear"]["2"]
    assert not (tmp_path / "run.adapting").exists()
    plan = restore_plan(described)
    rigid, trained = plan.cells[0], plan.cells[2]
    for place in (0, 1):
        one, other = (
            pack_strategies(plan.game, cell.strategies, 2)[1][place] for cell in (rigid, trained)
        )
        assert one.helper != other.helper
    again = tmp_path / "again"
    shutil.copytree(tmp_path / "run", again)
    for part in (again / "games").iterdir():
        part.unlink()
    resume(again, 1)
    assert digest(again) == digest(tmp_path / "run")


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"adapt": 10}, "adapt: needs at least 50,000 games"),
        ({"adapt": -1}, "adapt:"),
        ({"adapt": True, "strategies": ["random"]}, "adapt: trains profiles, but no profile plays"),
    ],
)
def test_mistakes(tmp_path, keys, words):
    """Each gives one line, and nothing is written."""
    with pytest.raises(BalanceError) as failure:
        balance.play({**EXPERIMENT, "tiers": [{**ADAPTED, **keys}]}, tmp_path / "run")
    assert words in str(failure.value)
    assert "\n" not in str(failure.value)
    assert not list(tmp_path.iterdir())


def test_true_is_a_budget():
    experiment = make_experiment({**EXPERIMENT, "tiers": [{**ADAPTED, "adapt": True}]})
    assert experiment.tiers[0].adapt == 1_000_000


def test_adapting_that_resumes_finds_its_sources_as_they_were(tmp_path, monkeypatch):
    """A training by other sources is not continued."""
    noted = []

    def note(self, found):
        noted.append(found)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("balance.training.diary.Diary.note", note)
        with pytest.raises(KeyboardInterrupt):
            balance.play(EXPERIMENT, tmp_path / "run")
    monkeypatch.setattr("balance.training.diary.source_hash", lambda folder: "0" * 16)
    with pytest.raises(BalanceError, match=r"another training \(changed: the package's sources\)"):
        balance.play(EXPERIMENT, tmp_path / "run")
    assert len(noted) == 1
    assert not (tmp_path / "run").exists()
