"""Outcomes with known sources of variance, as the rows that questions read."""

import math

import duckdb
import numpy as np
import pandas as pd

from balance.analysis.question import Question


def answer(question: Question, **tables: pd.DataFrame) -> pd.DataFrame:
    """Return the sums that a question takes from tables of these names."""
    with duckdb.connect() as connection:
        for name, table in tables.items():
            connection.register(name, table)
        return connection.execute(question.sql).df().sort_values(list(question.keys), ignore_index=True)


def centred(rng: np.random.Generator, variance: float, shape: tuple[int, ...], axis: int | None = None) -> np.ndarray:
    """Return normal numbers of this variance that add up to 0 along an axis."""
    drawn = rng.normal(0, 1, shape)
    if axis is not None:
        drawn = (drawn - drawn.mean(axis=axis, keepdims=True)) / math.sqrt(1 - 1 / shape[axis])
    return math.sqrt(variance) * drawn


def latin_scores(parts: dict[str, float], players: int, decks: int, rng: np.random.Generator) -> np.ndarray:
    """Return scores (deals, strategies, seats): each strategy once in each seat, in games (seat - strategy) mod P.

    `parts` are variances, 0 unless given, of ``strategy``, ``seat``, ``strategy x seat`` (of three players),
    ``deck``, ``game`` (the same for all in it), ``deck x seat``, ``deck x strategy``, ``rest``.
    """
    p, part = players, {name: parts.get(name, 0.0) for name in (*parts, *PARTS)}
    wave = np.cos(2 * np.pi * np.arange(p) / p)
    wave /= wave.std()
    i, j = np.indices((p, p))
    game = (j - i) % p
    y = 50 + math.sqrt(part["strategy"]) * wave[i] + math.sqrt(part["seat"]) * wave[j]
    y = y + math.sqrt(part["strategy x seat"]) * wave[(i + j) % p]
    y = y + centred(rng, part["deck"], (decks, 1, 1)) + centred(rng, part["game"], (decks, p))[:, game]
    y = y + centred(rng, part["deck x seat"], (decks, 1, p), 2)
    y = y + centred(rng, part["deck x strategy"], (decks, p, 1), 1)
    rest = centred(rng, part["rest"], (decks, p, p), 2)  # by game and seat
    return y + rest[:, game, j]


PARTS = ("strategy", "seat", "strategy x seat", "deck", "game", "deck x seat", "deck x strategy", "rest")


def seat_rows(scores: np.ndarray, rng: np.random.Generator) -> pd.DataFrame:
    """Return the table `seat_rows` of these scores; the best of a game wins."""
    decks, p, _ = scores.shape
    d, i, j = (axis.ravel() for axis in np.indices(scores.shape))
    frame = pd.DataFrame({"deal_seed": d, "seat": j, "score": scores.ravel(), "game_id": d * p + (j - i) % p})
    frame["strategy"] = np.array(list("abcdef"))[i]
    frame["tenth"] = rng.integers(0, 10, decks)[d]
    best = frame.groupby("game_id")["score"].transform("max")
    frame["win_share"] = (frame["score"] == best).astype(float)
    return frame.assign(players=p, variant="base", field=",".join("abcdef"[:p]))
