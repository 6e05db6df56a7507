"""Adapted play: a tier's profiles are trained before its cells are played; run.json stores them, and a run resumes."""

import shutil

import pytest
from support.errors import refused
from support.networks import write_drawn
from support.runs import digest, read_info, resume

import balance
from balance.contract.game import get_game
from balance.experiments.experiment import make_experiment
from balance.experiments.saved_plan import describe_plan, restore_plan
from balance.experiments.strategies import pack_strategies
from balance.experiments.variants import hash_rules, load_variant
from balance.foundation.errors import BalanceError

RIGID = {"name": "rigid", "strategies": ["generalist", "treasurer"], "games": 40}
ADAPTED = {"name": "adapted", "strategies": ["generalist", "treasurer", "random"], "games": 40, "adapt": 50_000}
EXPERIMENT = {"game": "na-grunwald", "players": [2], "variants": ["base", "hire-dear"], "seed": 3}
EXPERIMENT |= {"tiers": [RIGID, ADAPTED]}


@pytest.mark.long
@pytest.mark.slow
def test_profiles_are_trained_for_each_cell_of_their_tier(tmp_path):
    """The other tier's profiles do not change; a run resumed from run.json has the same rows."""
    balance.play(EXPERIMENT, tmp_path / "run")
    described = read_info(tmp_path / "run")
    found = described["adapted"]
    assert list(found) == ["adapted"]
    assert set(found["adapted"]["base"]["2"]) == {"generalist", "treasurer"}
    assert found["adapted"]["base"]["2"] != found["adapted"]["hire-dear"]["2"]
    assert not (tmp_path / "run.adapting").exists()
    plan = restore_plan(described)
    rigid, trained = plan.cells[0], plan.cells[2]
    for place in (0, 1):
        one, other = (pack_strategies(plan.game, cell.strategies, 2)[1][place] for cell in (rigid, trained))
        assert one.helper != other.helper
    again = tmp_path / "again"
    shutil.copytree(tmp_path / "run", again)
    for part in (again / "games").iterdir():
        part.unlink()
    resume(again, 1)
    assert digest(again) == digest(tmp_path / "run")


@pytest.mark.slow
def test_networks_are_trained_for_rules_other_than_their_own(tmp_path, monkeypatch):
    """A network without an origin is trained for both variants, one that was trained for base only for the other."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("balance.training.adapting.SELF_GAMES", 20)
    monkeypatch.setattr("balance.training.network.SELF_GAMES", 20)
    monkeypatch.setattr("balance.training.network.SELF_BATCH", 128)
    base = hash_rules(load_variant(get_game("na-grunwald"), "base", tmp_path).rules)
    write_drawn(tmp_path / "home.toml", (2,), rules=base)
    write_drawn(tmp_path / "two.toml", (2,), networks=2)
    tier = {"strategies": ["./home.toml", "./two.toml", "random"], "games": 12, "adapt": 50_000}
    balance.play({**EXPERIMENT, "tiers": [{"name": "adapted", **tier}]}, tmp_path / "run")
    described = read_info(tmp_path / "run")
    found = described["adapted"]["adapted"]
    assert set(found["base"]["2"]) == {"two"}
    assert set(found["hire-dear"]["2"]) == {"home", "two"}
    assert len({*found["base"]["2"]["two"], *found["hire-dear"]["2"]["two"]}) == 4
    own = {each["name"]: each["network"]["weights"] for each in described["strategies"][:2]}
    untrained = {*own["home"]["2"], *own["two"]["2"]}
    assert not untrained & {*found["hire-dear"]["2"]["home"], *found["hire-dear"]["2"]["two"]}
    assert describe_plan(restore_plan(described))["adapted"] == described["adapted"]
    before = digest(tmp_path / "run")
    for part in (tmp_path / "run" / "games").iterdir():
        part.unlink()
    resume(tmp_path / "run", 1)
    assert digest(tmp_path / "run") == before
    described["adapted"]["adapted"]["base"]["2"]["two"] = ["AAAA"]
    with pytest.raises(BalanceError, match=r"adapted\.base\.2\.two: weights for 2 players: 1 numbers, must be"):
        restore_plan(described)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"adapt": 10}, "adapt: needs at least 50,000 games"),
        ({"adapt": -1}, "adapt:"),
        ({"adapt": True, "strategies": ["random"]}, "adapt: trains profiles and networks, but none plays"),
    ],
)
def test_mistakes(tmp_path, keys, words):
    with refused(words):
        balance.play({**EXPERIMENT, "tiers": [{**ADAPTED, **keys}]}, tmp_path / "run")
    assert not list(tmp_path.iterdir())


def test_true_is_a_budget():
    experiment = make_experiment({**EXPERIMENT, "tiers": [{**ADAPTED, "adapt": True}]})
    assert experiment.tiers[0].adapt == 1_000_000


def test_adapting_that_resumes_finds_its_sources_as_they_were(tmp_path, monkeypatch):
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
