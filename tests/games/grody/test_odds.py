"""The odds of an attack that profiles use: exact probabilities, the fit, and the profiles' values."""

from pathlib import Path

import numpy as np
import pytest
from odds.combats import chance_to_win, roll
from odds.fit import NAMES, SHIPPED, Cases, error_of, fit_odds, list_cases
from scipy.special import expit
from support.grody import GAME, Campaign, s

from balance.experiments.strategies import load_strategy, pack_strategies

COMBATS = (  # attackers, defenders, terrain, building; morale in the first round and later, cushion
    (1, 1, "rownina", "", (3, 3), (3, 3), 0),
    (2, 1, "rownina", "", (3, 3), (3, 3), 0),
    (2, 2, "rownina", "", (3, 3), (3, 3), 0),
    (1, 3, "rownina", "", (3, 3), (3, 3), 0),
    (4, 3, "rownina", "", (4, 3), (4, 3), 0),
    (4, 4, "rownina", "", (4, 4), (4, 4), 0),
    (2, 2, "bagno", "", (2, 2), (2, 2), 0),
    (3, 2, "wzgorza", "", (3, 4), (3, 3), 0),
    (3, 2, "wzgorza", "twierdza", (3, 4), (3, 3), 1),
    (3, 2, "rownina", "zasieki", (2, 3), (3, 3), 0),
)


def land_to_fight_for(attackers: int, defenders: int, terrain: str, building: str) -> Campaign:
    """Return warriors of seat 0 on c2r3 next to warriors of seat 1 on c3r3; both have land to flee to."""
    scene = Campaign().land(0, "rownina", "c2r3").land(1, "rownina", "c4r3")
    scene.land(1, terrain, "c3r3", building=building)
    return scene.army(0, c2r3=attackers).army(1, c3r3=defenders)


def takes_it(scene: Campaign, attackers: int, dice: int) -> bool:
    """Return whether the attackers take c3r3 with these dice and no cards."""
    scene.state.chance[s.DICE] = dice
    scene.take(*["move c2r3 c3r3"] * attackers, "done")
    while scene.state.phase in (s.ASK_FLEE, s.ASK_HIT):
        scene.take(scene.options()[0])
    return scene.owner("c3r3") == 0


def test_rolls_are_those_of_the_rules():
    """CMB-2 with morale 3: 1 is furious, 2 and 3 fight, 4 stands, 5 and 6 flee."""
    one = roll(1, 3)
    assert [one[line] for line in sorted(one)] == pytest.approx([2 / 6, 1 / 6, 2 / 6, 1 / 6])
    assert sum(roll(4, 2).values()) == pytest.approx(1.0)


@pytest.mark.long
@pytest.mark.parametrize(("attackers", "defenders", "terrain", "building", "first", "later", "cushion"), COMBATS)
def test_chances_are_those_of_combats(attackers, defenders, terrain, building, first, later, cushion):
    """Kernel combats agree within three and a half standard errors of sampling."""
    games = 400
    won = [
        takes_it(land_to_fight_for(attackers, defenders, terrain, building), attackers, 1_000_003 * (n + 1))
        for n in range(games)
    ]
    chance = chance_to_win(attackers, defenders, cushion, first, later)
    assert abs(np.mean(won) - chance) < 3.5 * np.sqrt(chance * (1 - chance) / games)


@pytest.mark.parametrize(("attackers", "defenders", "terrain", "building", "first", "later", "cushion"), COMBATS)
def test_profiles_see_such_odds(attackers, defenders, terrain, building, first, later, cushion, tmp_path):
    """The profiles' odds agree as well as a regression can."""
    (profile := tmp_path / "odds.toml").write_text(
        'title = "Odds"\ndescription = "Sees nothing else."\n[weights]\nodds = 1.0\n', encoding="utf-8"
    )
    _, weights, _ = pack_strategies(GAME, [load_strategy(GAME, str(profile), Path())], 2)
    scene = land_to_fight_for(attackers, defenders, terrain, building)
    odds = scene.stepper.evaluate(weights[0])[scene.options().index("move c2r3 c3r3")]
    assert abs(odds - chance_to_win(attackers, defenders, cushion, first, later)) < 0.08


def test_a_planted_curve_is_found():
    """The planted coefficients are estimated, from 4,000 combats of each case."""
    planted = dict(zip(NAMES, (0.5, 0.8, 0.2, -1.0, -0.5, -0.3), strict=True))
    cases = list_cases(most=4)
    chances = expit(cases.columns @ np.array(list(planted.values())))
    won = np.random.default_rng(1).binomial(4_000, chances) / 4_000
    found = fit_odds(Cases(cases.columns, won, cases.weight))
    assert found == pytest.approx(planted, abs=0.1)


def test_the_shipped_odds_are_fitted():
    """A fit on the few cases of up to four a side comes near the shipped odds and their error."""
    cases = list_cases(most=4)
    found = fit_odds(cases)
    assert found == pytest.approx(SHIPPED, abs=0.1)
    assert error_of(cases, SHIPPED) < error_of(cases, found) + 0.003 < 0.04
