"""Values of components: seen (how often they turn up and who takes them) and tried (what one more adds)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.analysis.holdout import WHOLE, estimate_on_holdout, with_all_decks
from balance.analysis.question import estimates, interval_of_frame
from balance.contract.analytics import Component
from balance.runs.batches import Batch, LeftOut
from balance.stats.comparisons import judge, p_value, p_within

THERE, TAKEN, FIRST, WINS = "there", "taken", "first", "wins"
EFFECT, POINTS, CHANGED = "effect", "points", "changed"
KEYS = ("family", "component", "given", "measure", "strategy")
_MOMENTS = ("clusters", "n", "s", "ss", "sn", "nn")


@dataclass(frozen=True)
class _Groups:
    """The components of a rule set, grouped by name, and the deals of a batch."""

    components: list[Component]
    member: np.ndarray  # (numbers, groups), 1 if the number belongs to the group
    of: np.ndarray  # (numbers,) the group of each number
    deck: np.ndarray  # (games,) the index of each game's deal
    seeds: np.ndarray  # uint64 (decks,)


def _group(batch: Batch, components: Sequence[Component]) -> _Groups:
    named = list(dict.fromkeys(components))
    of = np.array([named.index(component) for component in components])
    member = (of[:, None] == np.arange(len(named))).astype(float)
    seeds, deck = np.unique(batch.decks, return_inverse=True)
    return _Groups(named, member, of, deck, seeds)


def sums_of(batch: Batch, components: Sequence[Component], strategies: Sequence[str]) -> pd.DataFrame:
    """Return sums over the deals of a batch, by half of the deals, from which intervals are computed.

    `components` and `strategies` are by number; components with the same name are added up.

    Returns
    -------
    DataFrame
        ``family``, ``component``, ``given``, ``measure``, ``strategy`` ("" for all), ``half``, and the columns of
        `balance.analysis.question.moments` by the name ``v``.
    """
    groups = _group(batch, components)
    parts = [*_seen(batch, groups, strategies), *_tried(batch, groups)]
    parts += [part for found in batch.left_out for part in _left_out(found, groups)]
    return pd.concat(parts, ignore_index=True)


def _seen(batch: Batch, groups: _Groups, strategies: Sequence[str]) -> Iterator[pd.DataFrame]:
    """Yield how often components turn up and are taken, which strategy takes first, and how often takers win."""
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
    """Yield the effects of gifts."""
    gifts = batch.gifts[batch.gifts["over"] == 1]
    win_share, changed = 100 * gifts["win_share"], 100.0 * gifts["changed"]
    outcomes = {EFFECT: win_share, POINTS: gifts["score"], CHANGED: changed}
    yield from _outcome_moments(groups, gifts["game"], gifts["component"], outcomes)


def _left_out(found: LeftOut, groups: _Groups) -> Iterator[pd.DataFrame]:
    """Yield the effects of leaving a component out: on the mean score of all seats, and on the winner."""
    outcomes = {POINTS: found.score.mean(axis=1), CHANGED: 100.0 * found.changed}
    yield from _outcome_moments(groups, found.game, found.component, outcomes)


def _outcome_moments(
    groups: _Groups, game: np.ndarray, component: np.ndarray | int, outcomes: Mapping[str, np.ndarray]
) -> Iterator[pd.DataFrame]:
    """Yield sums of outcomes (measure to values), each about one game and component."""
    at = groups.deck[game], groups.of[component]
    count = np.zeros((len(groups.seeds), len(groups.components)))
    np.add.at(count, at, 1)
    for measure, values in outcomes.items():
        total = np.zeros_like(count)
        np.add.at(total, at, values.astype(float))
        yield _deck_moments(groups, measure, count, total)


def _moments(groups: _Groups, measure: str, count: np.ndarray, total: np.ndarray, strategy: str = "") -> pd.DataFrame:
    """Return sums from counts and totals by game (games, groups)."""
    shape = len(groups.seeds), len(groups.components)
    by_deck = np.zeros(shape), np.zeros(shape)
    for deck, game in zip(by_deck, (count, total), strict=True):
        np.add.at(deck, groups.deck, game)
    return _deck_moments(groups, measure, *by_deck, strategy)


def _deck_moments(groups: _Groups, measure: str, n: np.ndarray, s: np.ndarray, strategy: str = "") -> pd.DataFrame:
    """Return sums from counts and totals by deal (deals, groups); empty groups are left out."""
    frames = []
    for half in (0, 1):
        mine = groups.seeds % 2 == half
        count, total = n[mine], s[mine]
        each = (count > 0, count, total, total * total, total * count, count * count)
        frame = pd.DataFrame([vars(component) for component in groups.components])
        frame = frame.rename(columns={"name": "component"}).assign(measure=measure, strategy=strategy, half=half)
        for name, values in zip(_MOMENTS, each, strict=True):
            frame[f"v.{name}"] = values.sum(axis=0, dtype=float)
        frames.append(frame[frame["v.n"] > 0])
    return pd.concat(frames, ignore_index=True)


_TOPS = {THERE: 100.0, TAKEN: 100.0, FIRST: 100.0, WINS: 100.0, CHANGED: 100.0}
"""The value of 100 % in measures that are shares."""


def judged_effects(table: pd.DataFrame, threshold: float, families: int = 1) -> pd.DataFrame:
    """Return what one more of each component adds to a seat's win share, with verdicts corrected together.

    `table` is from `try_components`; effects below `threshold` points do not matter; `families` is the number of
    families of verdicts on the page (`balance.stats.comparisons.judge`). The result has the rows of `EFFECT` for all
    deals, with ``p`` and ``verdict``.
    """
    effects = table[(table["measure"] == EFFECT) & (table["half"] == WHOLE)].reset_index(drop=True)
    found = interval_of_frame(effects)
    verdicts = judge(found, p_value(found), p_within(found, threshold), families)
    return effects.assign(p=verdicts.p, verdict=verdicts.words)


def read_sums(sums: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return intervals from the sums of all batches of a cell, for components that turned up at least once."""
    added = pd.concat(sums).groupby([*KEYS, "half"], as_index=False, sort=False).sum()
    whole = with_all_decks(added, KEYS)
    parts = [
        estimates(part, [*KEYS, "half"], "v", _TOPS.get(measure))
        for measure, part in whole.groupby("measure", sort=False)
    ]
    table = pd.concat(parts, ignore_index=True)
    there = table[(table["measure"] == THERE) & (table["half"] == WHOLE) & (table["value"] > 0)]
    named, known = (pd.MultiIndex.from_frame(each[["family", "component"]]) for each in (table, there))
    table = table[named.isin(known)]
    first = table[table["measure"] == FIRST]
    chosen = estimate_on_holdout(first.assign(size=first["value"]), ["family", "component"], ["strategy"])
    chosen = chosen.assign(half=WHOLE)[table.columns]
    return pd.concat([table[table["measure"] != FIRST], chosen], ignore_index=True)


def most_valuable(table: pd.DataFrame) -> pd.DataFrame:
    """Return the component that adds most to a seat's win share in each cell, estimated on held-out deals."""
    effects = table[table["measure"] == EFFECT]
    return estimate_on_holdout(effects.assign(size=effects["value"]), ["players", "variant"], ["family", "component"])


def most_flattered(table: pd.DataFrame, fair: Mapping[int, float]) -> pd.DataFrame:
    """Return the component whose takers win most beyond what one more of it adds, in each cell.

    It is chosen by that gap on one half of the deals. On the held-out half, ``value``, ``low``, ``high`` are the win
    share of takers, and ``effect``, ``effect_low``, ``effect_high`` are what one more adds.

    `fair` is the fair share in percent, by player count.
    """
    keys = ["players", "variant", "family", "component", "half"]
    wins = table[table["measure"] == WINS]
    effects = table[table["measure"] == EFFECT][[*keys, "value", "low", "high"]]
    both = wins.merge(effects, on=keys, suffixes=("", "_effect"))
    gap = both["value"] - both["players"].map(fair) - both["value_effect"]
    both = both.rename(columns={"value_effect": "effect", "low_effect": "effect_low", "high_effect": "effect_high"})
    return estimate_on_holdout(both.assign(size=gap), ["players", "variant"], ["family", "component"])
