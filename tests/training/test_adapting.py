"""Adapted profiles win more under the new rules; profiles with mistakes lose the share asked for."""

from pathlib import Path

import numpy as np
import pytest
from support.errors import refused
from support.runs import digest, read_info, resume

import balance
from balance.contract.game import get_game
from balance.experiments.strategies import Strategy, load_strategies
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError
from balance.training.adapting import adapt_field, adapt_networks, find_temperatures
from balance.training.arena import Arena, interval_of, share_of
from balance.training.evolution import Budget
from balance.training.network_files import Stages

GAME = get_game("na-grunwald")


@pytest.mark.long
def test_a_trained_field_wins_more_by_the_new_rules():
    """They win more on held-out seeds, against profiles that were not trained again."""
    rules = load_variant(GAME, "hire-dear", Path()).rules
    field = load_strategies(GAME, ["generalist", "treasurer", "random"], Path(__file__).parent)
    adapted = adapt_field(GAME, rules, 2, field, Budget(100_000, 1))
    assert [each.name for each in adapted] == [each.name for each in field]
    assert adapted[2] is field[2]
    arena = Arena(GAME, rules, 2, field[:2])
    for before, after in zip(field[:2], adapted[:2], strict=True):
        rigid, trained = (share_of(arena, arena.row(each.profile), 4_000, 9) for each in (before, after))
        assert trained.low > rigid.high


@pytest.mark.long
def test_a_trained_network_wins_more_by_the_new_rules():
    """It wins more than a fair share against itself as it was, on held-out seeds; its own rules change nothing."""
    (expert,) = field = load_strategies(GAME, ["expert"], Path())

    def adapt(rules):
        return adapt_networks(GAME, rules, 2, field, Budget(250_000, 1), lambda _: Stages(None, {}))

    rules = load_variant(GAME, "hire-dear", Path()).rules
    (adapted,) = adapt(rules)
    arena = Arena(GAME, rules, 2, [adapted, expert], [1])
    assert interval_of(arena.probe(0, 1_000, 9)[0].win_share).low > 0.6
    assert adapt(load_variant(GAME, "base", Path()).rules) == field


def test_a_field_without_profiles_stays_as_it_is():
    field = [Strategy("random", "random")]
    rules = load_variant(GAME, "base", Path()).rules
    assert adapt_field(GAME, rules, 2, field, Budget(50_000, 1)) == field


NAMES = ["treasurer", "quartermaster", "champion"]
TIER = {"name": "novices", "strategies": ["treasurer", "random"], "games": 8, "loss": 0.4}
KEYS = {"game": "na-grunwald", "players": [2], "variants": ["base", "hire-dear"], "tiers": [TIER]}


@pytest.mark.slow
@pytest.mark.parametrize("loss", [0.25, 0.5])
@pytest.mark.long
def test_it_costs_what_is_asked(loss):
    """The loss is a share of each profile's wins among profiles without mistakes, on held-out deals."""
    rules = load_variant(GAME, "base", Path()).rules
    arena = Arena(GAME, rules, 3)
    rows = np.array([arena.row(each.profile) for each in load_strategies(GAME, NAMES, Path())])
    temperatures, _ = find_temperatures(arena, rows, loss, 5)
    careful, careless = (
        arena.face_careful(rows, at, 2000, 77).win_share.mean((1, 2)) for at in (0 * temperatures, temperatures)
    )
    assert 1 - careless / careful == pytest.approx(np.full(3, loss), abs=0.07)


def test_the_same_people_meet_every_variant(tmp_path):
    """run.json stores the temperature, for profiles only, and a resumed run plays with it."""
    balance.play(KEYS, tmp_path / "run")
    found = read_info(tmp_path / "run")["adapted"]["novices"]
    assert list(found["base"]["2"]) == ["treasurer"]
    assert found["base"]["2"]["treasurer"]["temperature"] > 0
    assert found["base"] == found["hire-dear"]
    balance.play({**KEYS, "seed": 7}, tmp_path / "other")
    assert read_info(tmp_path / "other")["adapted"]["novices"] == found  # another seed is no other player
    before = digest(tmp_path / "run")
    for part in (tmp_path / "run" / "games").iterdir():
        part.unlink()
    resume(tmp_path / "run", 1)
    assert digest(tmp_path / "run") == before


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"loss": 1.5}, "loss:"),
        ({"loss": 0.0}, "loss:"),
        ({"adapt": True}, "loss: sets the temperature"),
        ({"temperature": 1.0}, "loss: sets the temperature"),
        ({"strategies": ["random"]}, "loss: applies to profiles, but no profile plays"),
        ({"strategies": ["treasurer"], "lineups": [], "loss": 0.97}, "treasurer loses"),
    ],
)
def test_what_can_not_be_is_told(tmp_path, monkeypatch, keys, words):
    monkeypatch.setattr("balance.training.adapting.TEMPERATURES", (1e-3, 1e-2))
    with refused(words):
        balance.play({**KEYS, "tiers": [{**TIER, **keys}]}, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_folder_that_is_taken_is_told_of_before_anything_is_tried(tmp_path, monkeypatch):
    """Training may take minutes, so the line comes first."""
    monkeypatch.setattr("balance.training.adapting.find_temperatures", pytest.fail)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "mine.txt").write_text("mine")
    with pytest.raises(BalanceError, match="not an empty folder"):
        balance.play(KEYS, tmp_path / "run")


@pytest.mark.long
@pytest.mark.slow
def test_a_restricted_profile_adapts_to_its_restriction():
    """It is trained without the option and keeps its restriction; without trains other weights do better."""
    game = get_game("polska")
    rules = load_variant(game, "base", Path()).rules
    field = load_strategies(game, ["champion without trains", "champion"], Path())
    trained = adapt_field(game, rules, 2, field, Budget(20_000, 1))
    assert [each.restriction for each in trained] == [each.restriction for each in field]
    assert trained[0].profile.weights != field[0].profile.weights
