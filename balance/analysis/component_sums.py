"""Sums over decks of what was seen of components, and of what came of giving them: intervals are made of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.batch.giving import Batch, LeftOut
from balance.contract.component import Component

THERE, TAKEN, FIRST, WINS = "there", "taken", "first", "wins"
EFFECT, POINTS, CHANGED = "effect", "points", "changed"
KEYS = ("family", "component", "given", "measure", "strategy")
_MOMENTS = ("clusters", "n", "s", "ss", "sn", "nn")


@dataclass(frozen=True)
class _Groups:
    """The components of a rule set, those of one name together, and the decks of a batch."""

    components: list[Component]
    member: np.ndarray  # (numbers, groups), 1 where a number is one of the group
    of: np.ndarray  # (numbers,) its group
    deck: np.ndarray  # (games,) the place of its deck
    seeds: np.ndarray  # uint64 (decks,)


def _group(batch: Batch, components: Sequence[Component]) -> _Groups:
    named = list(dict.fromkeys(components))
    of = np.array([named.index(component) for component in components])
    member = (of[:, None] == np.arange(len(named))).astype(float)
    seeds, deck = np.unique(batch.decks, return_inverse=True)
    return _Groups(named, member, of, deck, seeds)


def sums_of(batch: Batch, components: Sequence[Component], strategies: Sequence[str]) -> pd.DataFrame:
    """Sums over the decks of a batch, by half of the decks: what intervals are made of.

    Parameters
    ----------
    components : sequence of Component
        By number; those of the same name are added up.
    strategies : sequence of str
        Names by number.

    Returns
    -------
    DataFrame
        ``family``, ``component``, ``given``, ``measure``, ``strategy`` ("" for all), ``half``, and the columns of
        `balance.analysis.sums.moments` by the name ``v``.
    """
    groups = _group(batch, components)
    parts = [*_seen(batch, groups, strategies), *_tried(batch, groups)]
    parts += [part for found in batch.left_out for part in _left_out(found, groups)]
    return pd.concat(parts, ignore_index=True)


def _seen(batch: Batch, groups: _Groups, strategies: Sequence[str]) -> Iterator[pd.DataFrame]:
    """How often components are there and taken, by whom first, and how often takers win."""
    numbers, players = len(groups.of), batch.lineups.shape[1]
    ended = batch.ended[:, None]
    sights = batch.sights[:, :numbers]
    shown = (sights["shown"] * ended) @ groups.member
    taken = [(sights["taken"][:, :, p] * ended) @ groups.member for p in range(players)]
    first = [((((sights["first"] >> p) & 1) * ended) @ groups.member > 0) for p in range(players)]
    some = (shown > 0).astype(float)
    yield _moments(groups, THERE, np.broadcast_to(ended, shown.shape).astype(float), 100 * some)
    yield _moments(groups, TAKEN, shown, 100 * np.minimum(shown, sum(taken)))
    took = [(each > 0).astype(float) for each in taken]
    won = [100 * each * batch.win_share[:, [p]] for p, each in enumerate(took)]
    yield _moments(groups, WINS, sum(took), sum(won))
    anyone = np.logical_or.reduce(first)
    for number, name in enumerate(strategies):
        sat = [batch.lineups[:, [p]] == number for p in range(players)]
        seats = sum((each & anyone).astype(float) for each in sat)
        firsts = sum((each & by).astype(float) for each, by in zip(sat, first, strict=True))
        yield _moments(groups, FIRST, seats, 100 * firsts, name)


def _tried(batch: Batch, groups: _Groups) -> Iterator[pd.DataFrame]:
    """What gifts did."""
    gifts = batch.gifts[batch.gifts["over"] == 1]
    at = groups.deck[gifts["game"]], groups.of[gifts["component"]]
    outcomes = {
        EFFECT: 100 * gifts["win_share"],
        POINTS: gifts["score"],
        CHANGED: 100.0 * gifts["changed"],
    }
    shape = len(groups.seeds), len(groups.components)
    count = np.zeros(shape)
    np.add.at(count, at, 1)
    for measure, values in outcomes.items():
        total = np.zeros(shape)
        np.add.at(total, at, values.astype(float))
        yield _deck_moments(groups, measure, count, total)


def _left_out(found: LeftOut, groups: _Groups) -> Iterator[pd.DataFrame]:
    """What leaving a component out did: to the mean score of all seats, and to who wins."""
    at = groups.deck[found.game], groups.of[found.component]
    shape = len(groups.seeds), len(groups.components)
    count = np.zeros(shape)
    np.add.at(count, at, 1)
    for measure, values in ((POINTS, found.score.mean(axis=1)), (CHANGED, 100.0 * found.changed)):
        total = np.zeros(shape)
        np.add.at(total, at, values)
        yield _deck_moments(groups, measure, count, total)


def _moments(
    groups: _Groups, measure: str, count: np.ndarray, total: np.ndarray, strategy: str = ""
) -> pd.DataFrame:
    """Sums from counts and totals by game (games, groups)."""
    shape = len(groups.seeds), len(groups.components)
    by_deck = np.zeros(shape), np.zeros(shape)
    for deck, game in zip(by_deck, (count, total), strict=True):
        np.add.at(deck, groups.deck, game)
    return _deck_moments(groups, measure, *by_deck, strategy)


def _deck_moments(
    groups: _Groups, measure: str, n: np.ndarray, s: np.ndarray, strategy: str = ""
) -> pd.DataFrame:
    """Sums from counts and totals by deck (decks, groups); groups without any are left out."""
    frames = []
    for half in (0, 1):
        mine = groups.seeds % 2 == half
        count, total = n[mine], s[mine]
        each = (count > 0, count, total, total * total, total * count, count * count)
        frame = pd.DataFrame([vars(component) for component in groups.components])
        frame = frame.rename(columns={"name": "component"}).assign(
            measure=measure, strategy=strategy, half=half
        )
        for name, values in zip(_MOMENTS, each, strict=True):
            frame[f"v.{name}"] = values.sum(axis=0, dtype=float)
        frames.append(frame[frame["v.n"] > 0])
    return pd.concat(frames, ignore_index=True)
