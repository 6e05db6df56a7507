"""The odds of an attack: a logistic regression on the exact chances of combats without cards."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import NamedTuple

import numpy as np
import statsmodels.api as sm
from scipy.special import expit

from balance.games.grody.heuristics import judgement
from odds.combats import chance_to_win

# Warriors per side; cases of up to four, the limit of the base rules, have weight four.
MOST, USUAL, USUAL_WEIGHT = (6, 4, 4.0)
MORALE, NO_LEADER = 3, 99
GROUNDS = (  # gloom, defence, morale lost to an abatis, cushion: all values of the base rules
    (0, 0, 0, 0),
    (1, 0, 0, 0),
    (0, 1, 0, 0),
    (0, 0, 1, 0),
    (0, 0, 0, 1),
    (0, 1, 0, 1),
)
NAMES = ("BY_NUMBERS", "BY_MORALE", "BY_FIRST_ROUND", "BY_CHANCE", "BY_GLOOM", "BY_CUSHION")
SHIPPED = {name: getattr(judgement, name) for name in NAMES}


class Cases(NamedTuple):
    """Combats: columns of the regression, and the attacker's chance."""

    columns: np.ndarray  # float (n, NAMES)
    chance: np.ndarray  # float (n,)
    weight: np.ndarray  # float (n,)


def list_cases(most: int = MOST) -> Cases:
    """Return combats of up to `most` warriors per side on all `GROUNDS`, with and without a leader of four."""
    columns, chances, weights = [], [], []
    for attackers, defenders in product(range(1, most + 1), repeat=2):
        root = np.sqrt(attackers + defenders)
        for (gloom, defence, abatis, cushion), leader in product(GROUNDS, (USUAL, NO_LEADER)):
            led = int(attackers >= leader), int(defenders >= leader)
            later = MORALE + led[0] - gloom, MORALE + led[1] - gloom
            first = later[0] - abatis, later[1] + defence
            chances.append(chance_to_win(attackers, defenders, cushion, first, later))
            by_root = (np.log(attackers / defenders), led[0] - led[1], -defence - abatis)
            columns.append([*(root * each for each in by_root), 1 / root, gloom / root, cushion])
            weights.append(USUAL_WEIGHT if max(attackers, defenders) <= USUAL else 1.0)
    return Cases(np.array(columns, float), np.array(chances), np.array(weights))


def fit_odds(cases: Cases) -> dict[str, float]:
    """Fit the coefficients by maximum likelihood; return them by their names in the judgement."""
    family = sm.families.Binomial()
    model = sm.GLM(cases.chance, cases.columns, family=family, freq_weights=cases.weight)
    return dict(zip(NAMES, map(float, model.fit().params), strict=True))


def error_of(cases: Cases, coefficients: Mapping[str, float]) -> float:
    """Return the root of the weighted mean of the squared errors."""
    odds = expit(cases.columns @ np.array([coefficients[name] for name in NAMES]))
    return float(np.sqrt(np.average((odds - cases.chance) ** 2, weights=cases.weight)))
