"""What lies between the choices of a seat: how long it waits, and how far choices and deals move the chances of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from balance.engine.buffers import STAGES
from balance.engine.search.trying import OTHER, TAKEN
from balance.runs.batches import Seen
from balance.stats.regression import stage_shares

WAIT, LONGEST_WAIT, CONTACT, SOURCE = "wait", "longest_wait", "contact", "source"
KINGMAKING, LATE_KINGMAKING = "kingmaking", "late_kingmaking"
BY_TRIALS = frozenset({CONTACT, SOURCE, KINGMAKING, LATE_KINGMAKING})
"""What is measured, and what of it other options show: see `balance.analysis.chances.read_chances`."""
OWN, OTHERS, DEALS = "own choices", "others' choices", "deals"
SOURCES = (OWN, OTHERS, DEALS)
HOPELESS = 0.1  # of a fair share: a seat with a smaller chance has no hope
MADE_KING, FREE = (0.1, 0.01)  # what an option moves from one seat to another, and may cost the seat that chooses
LATE = 2 / 3  # of a game
FIT_STAGES = (STAGES, 2)  # of the fit of chances, and of the one that makes them true


def waits_of(choices: pd.DataFrame) -> pd.DataFrame:
    """Return how many choices others make between two choices of a seat: ``deck``, ``measure``, ``value``.

    `choices` are those of `balance.runs.batches.Seen`. A row for the median (`WAIT`) and one for the longest
    (`LONGEST_WAIT`) of each seat and game; choices that follow each other without another seat's between them are no
    wait.
    """
    place, keys = np.arange(len(choices)), ["deck", "game", "seat"]
    waits = pd.Series(place, choices.index).groupby([choices[each] for each in keys]).diff() - 1
    by_seat = waits[waits > 0].groupby([choices[each] for each in keys])
    parts = [
        found.rename("value").reset_index().assign(measure=measure)
        for measure, found in ((WAIT, by_seat.median()), (LONGEST_WAIT, by_seat.max()))
    ]
    return pd.concat(parts, ignore_index=True)[["deck", "measure", "value"]]


@dataclass(frozen=True)
class Trials:
    """Tried choices with the ends of their rounds: by deal, and by option (`TAKEN`, `OTHER`)."""

    decks: np.ndarray  # uint64 (n,), seeds of the deals
    seat: np.ndarray  # int (n,): that chooses
    first: np.ndarray  # bool (n,): whether the choice is the first of its round
    opens: np.ndarray  # bool (n,): whether it is the first trial of its game
    over: np.ndarray  # bool (n, deals, options): whether the game ended
    won: np.ndarray  # float (n, deals, options, seats): win shares, if it did
    progress: np.ndarray  # float (n, deals, options)
    features: np.ndarray  # float (n, deals, options, seats, features), if it did not
    every: int  # one in this number of the choices that are not the first is tried

    def only(self, kept: np.ndarray) -> Trials:
        """Return the trials with True."""
        arrays = {name: array[kept] for name, array in vars(self).items() if name != "every"}
        return replace(self, **arrays)

    def worth(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Return how strong each seat is at the ends, by both fits of `balance.analysis.chances.Followed`.

        These are the logarithms of chances but for a term that all seats share. The ends of a choice have one stage of
        the game, their mean, so that they differ by what seats have.
        """
        going = ~self.over
        count = np.maximum(1, going.sum(axis=(1, 2)))
        progress = (self.progress * going).sum(axis=(1, 2)) / count
        shares, scales = (stage_shares(progress, stages) for stages in FIT_STAGES)
        weights = (shares @ first) * (scales @ second)
        return np.asarray(np.einsum("ndopf,nf->ndop", self.features, weights, optimize=True))

    def measure(self, worth: np.ndarray) -> Iterator[pd.DataFrame]:
        """Yield contact, the sources of surprise and kingmaking as rows of `ratio_rows`.

        What an option moves on one deal times what it moves on the other is on average the square of its effect:
        other cards move both at random. A choice counts half this square, as a deal counts half the squared difference
        of two deals, since each would be the variance of one drawn again.

        Parameters
        ----------
        worth : float array (n, deals, options, seats)
            The seats' strength at the end of the round, the logarithms of chances but for a constant.
        """
        if not len(self.decks):
            return
        seats = worth.shape[-1]
        own = self.seat[:, None] == np.arange(seats)
        weight = np.where(self.first, 1, self.every)
        ended = self.over.reshape(len(weight), -1).any(axis=1, keepdims=True)
        moved = weight[:, None] * _effects(worth) * ~ended
        by_others = (moved * ~own).sum(axis=1)
        yield from ratio_rows(self.decks, CONTACT, ["all"], [by_others], moved.sum(axis=1))
        chance = np.exp(worth - worth.max(axis=-1, keepdims=True))
        chance /= chance.sum(axis=-1, keepdims=True)
        chance = np.where(self.over[..., None], self.won, chance)
        moved = weight[:, None] * _effects(chance) / 2
        dealt = (chance[:, 0, TAKEN] - chance[:, 1, TAKEN]) ** 2 / 2
        parts = [(moved * own).sum(axis=1), (moved * ~own).sum(axis=1), dealt.sum(axis=1) * self.first]
        yield from ratio_rows(self.decks, SOURCE, SOURCES, parts, sum(parts, np.zeros(len(weight))))
        if seats > 2:
            free, kings = _find_kings(chance, own)
            late = kings & (self.progress.mean(axis=(1, 2)) >= LATE)
            yield from ratio_rows(self.decks, KINGMAKING, ["all"], [weight * kings], weight * free)
            yield self._games_with(late)

    def _games_with(self, found: np.ndarray) -> pd.DataFrame:
        """Return 100 for each game with a choice that was found, 0 for others."""
        game = np.cumsum(self.opens) - 1
        some = np.bincount(game, found, minlength=int(self.opens.sum())) > 0
        return pd.DataFrame(
            {"deck": self.decks[self.opens], "measure": LATE_KINGMAKING, "group": "all", "value": 100.0 * some}
        )


def _find_kings(chance: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which choices a seat without hope makes freely, and which of these move who else wins, on both deals."""
    seats = own.shape[1]
    mean = np.where(own[:, None], chance.mean(axis=1), 0).sum(axis=2)  # of the seat, by option
    free = (mean[:, TAKEN] < HOPELESS / seats) & (np.abs(mean[:, TAKEN] - mean[:, OTHER]) <= FREE)
    moved = np.where(own[:, None], 0, chance[:, :, TAKEN] - chance[:, :, OTHER])
    passed = np.minimum(moved[..., :, None], -moved[..., None, :]).min(axis=1)  # from one seat to another
    return free, free & (passed.max(axis=(1, 2)) >= MADE_KING)


def _effects(at_end: np.ndarray) -> np.ndarray:
    """Return the squared effect of the option taken, from both deals, on each seat (n, seats); noisy, also below 0."""
    moved = at_end[:, :, TAKEN] - at_end[:, :, OTHER]
    found: np.ndarray = moved[:, 0] * moved[:, 1]
    return found


def ratio_rows(
    decks: np.ndarray,
    measure: str,
    groups: Sequence[str],
    parts: Sequence[np.ndarray],
    whole: np.ndarray,
    scale: float = 100,
) -> Iterator[pd.DataFrame]:
    """Yield, for each group, a value for each deal: their mean is the ratio of totals, their spread its linearised one.

    See Cochran, *Sampling Techniques*, 3rd ed., section 6.3. Nothing if the whole is not above 0.
    """
    names, at = np.unique(decks, return_inverse=True)
    below = np.bincount(at, whole)
    if below.sum() <= 0:
        return
    for group, part in zip(groups, parts, strict=True):
        above = np.bincount(at, part)
        ratio = above.sum() / below.sum()
        values = scale * (ratio + (above - ratio * below) / below.mean())
        yield pd.DataFrame({"deck": names, "measure": measure, "group": group, "value": values})


def trials_of(seen: Seen, players: int, features: int, every: int) -> Trials:
    """Return the tried choices of games that were followed."""
    tried, keys = seen.tried, seen.trials
    opens = keys["game"].diff().to_numpy() != 0
    return Trials(
        keys["deck"].to_numpy(np.uint64), tried["seat"].astype(int), tried["first"] == 1, opens, tried["over"] == 1,
        tried["won"][..., :players].astype(float), tried["progress"].astype(float),
        tried["position"][..., :players, :features], every,
    )  # fmt: skip
