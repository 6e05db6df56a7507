"""Shipped profiles of Grody: expected moves, games that end, and clear wins against random play."""

from pathlib import Path

import numpy as np
import pytest
from support.grody import GAME, Campaign, battle, front, s
from support.runs import play, read_rows

from balance.experiments.strategies import load_strategy, pack_strategies

PROFILES = GAME.shipped("profiles")


def choice(scene: Campaign, profile: str = "holder") -> str:
    """Return a profile's choice in a scene."""
    _, weights, _ = pack_strategies(GAME, [load_strategy(GAME, profile, Path())], 2)
    return scene.options()[int(np.argmax(scene.stepper.evaluate(weights[0])))]


def plan(scene: Campaign, profile: str = "holder") -> list[str]:
    """Return a profile's moves, one after another."""
    labels = []
    while scene.state.phase == s.ASK_MOVE and labels[-1:] != ["done"]:
        labels.append(choice(scene, profile))
        scene.take(labels[-1])
    return labels


@pytest.mark.parametrize("profile", PROFILES)
def test_the_rest_of_the_force_is_seen(profile):
    """Four next to one attack, though the first enters alone; one next to four does not."""
    for own, enemies, attacks in ((4, 1, True), (1, 4, False)):
        scene = front().land(1, "rownina", "c4r2", "c4r4")
        scene.army(0, c1r3=0, c3r3=own).army(1, c4r3=enemies).hand(1, "wieszczba")
        assert "move c3r3 c4r3" in scene.options()
        assert (choice(scene, profile) == "move c3r3 c4r3") is attacks


def test_an_attack_is_followed_up():
    """Warriors that can still come do come."""
    scene = front().army(0, c3r3=4).army(1, c4r3=3).hand(1, "piesn_bojowa")
    assert plan(scene).count("move c3r3 c4r3") >= 3


def test_an_empty_grod_is_entered():
    """END-1: a profile that can win at once does."""
    scene = Campaign({"recruits": 0}).land(0, "rownina", "c4r3").army(0, c4r3=1).army(1, c5r3=0)
    assert choice(scene) == "move c4r3 c5r3"


def test_a_swamp_is_exchanged_and_a_forest_kept():
    """MOV-3: a terrain is compared with the mean of the remaining ones."""
    for terrain, wanted in (("bagno", "exchange"), ("las", "keep")):
        scene = Campaign().terrains(terrain, "rownina", "rzeka").take("move c1r3 c2r3")
        assert choice(scene) == wanted


def test_cards_are_played_where_they_help():
    """A pit is played on a furious attacker; no card is played in a decided combat."""
    scene = battle(1, 1, hands=((), ("wilczy_dol",)), dice=(3, 3))
    assert choice(scene) == "play wilczy_dol 1"
    lost = battle(1, 1, hands=((), ("odwrot",)), dice=(6, 3))
    assert choice(lost) == "decline"


@pytest.fixture(scope="module")
def field(tmp_path_factory):
    """Return all profiles and `random`, each against each."""
    run = play(
        tmp_path_factory.mktemp("grody") / "run",
        workers=2,
        game="grody",
        players=[2],
        games=150 * len(PROFILES) * (len(PROFILES) + 1),
        strategies=[*PROFILES, "random"],
    )
    return (read_rows(run, table) for table in ("games", "seats"))


@pytest.mark.slow
def test_games_end(field):
    """Fewer than one in twenty of the profiles' games reach the limit; all beat `random` in nearly all games."""
    games, seats = field
    games = games.set_index("game_id")
    against_random = games["lineup"].str.contains("random")
    assert (games[~against_random]["ended_by"] == "limit").mean() < 0.05
    rows = seats[seats["game_id"].isin(games[against_random].index)]
    shares = rows.groupby("strategy")["win_share"].mean()
    assert (shares.drop("random") > 0.97).all(), shares


@pytest.mark.long
@pytest.mark.parametrize(("variant", "most"), [("base", 0.05), ("levy", 0.05)])
def test_no_profile_plays_to_the_limit(tmp_path, variant, most):
    """This includes a levy: profiles trained for the base rules do not wear each other down."""
    run = play(
        tmp_path / "run", workers=2, game="grody", players=[2], games=8_000, strategies=PROFILES, variants=[variant]
    )
    games, seats = (read_rows(run, table) for table in ("games", "seats"))
    ended = games.set_index("game_id")["ended_by"]
    limit = (seats["game_id"].map(ended) == "limit").groupby(seats["strategy"]).mean()
    assert set(limit.index) == set(PROFILES)
    assert limit.max() < most, limit
