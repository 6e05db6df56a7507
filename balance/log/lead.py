"""The lead in a game: what the scores after each round tell of who led, drama and comebacks.

Sources: C. Browne, *Automatic Generation and Evaluation of Recombination Games* (PhD thesis, QUT
2008), for lead changes, drama and decisiveness; G. Elias, R. Garfield and K. R. Gutschera,
*Characteristics of Games* (MIT Press 2012), for runaway leaders and comebacks ("catch-up").
"""

from __future__ import annotations

import numpy as np


def lead_of(scores: np.ndarray) -> np.ndarray:
    """By how much each seat is ahead of the best of the others, negative where it is behind.

    Parameters
    ----------
    scores : float array (games, rounds, seats)

    Returns
    -------
    float32 array (games, rounds, seats)
    """
    ordered = np.sort(scores, axis=2)
    best, second = ordered[:, :, -1:], ordered[:, :, -2:-1]
    lead: np.ndarray = np.where(scores == best, best - second, scores - best)
    return lead.astype(np.float32)


def follow_lead(scores: np.ndarray, rounds: np.ndarray, won: np.ndarray) -> dict[str, np.ndarray]:
    """Measures of how the lead went, a value a game.

    Parameters
    ----------
    scores : float array (games, most rounds, seats)
        What each seat would have scored after each round.
    rounds : int array (games,)
        Rounds played.
    won : bool array (games, seats)
        Who won in the end.

    Returns
    -------
    dict of arrays (games,)
        ``lead_changes`` int8: how often another seat than the last sole leader led alone (Browne).
        ``drama`` float32: mean over the rounds in which the winner was behind of the square root of
        its deficit as a share of the winner's last score, 0 if it was never behind (Browne's drama,
        his evaluations being scores).
        ``decided`` float32: share of the rounds after which nobody was ahead of the winner any
        more (Browne's decisiveness turns this round).
        ``comeback`` float32: share of the winners who were behind at half time (rounded up).
    """
    played = np.arange(scores.shape[1])[None, :] < rounds[:, None]
    lead = lead_of(scores)
    behind = (lead < 0) & won[:, None, :] & played[:, :, None]
    winner_behind = np.where(won[:, None, :], lead < 0, True).all(axis=2) & played
    best = scores.max(axis=2)
    winners_best = np.where(won[:, None, :], scores, -np.inf).max(axis=2)
    last = np.take_along_axis(winners_best, np.maximum(rounds - 1, 0)[:, None], axis=1)
    deficit = np.where(winner_behind, (best - winners_best) / np.maximum(last, 1), 0.0)
    lagging = winner_behind.sum(axis=1)
    last_behind = scores.shape[1] - np.argmax(winner_behind[:, ::-1], axis=1)
    last_behind = np.where(lagging > 0, last_behind, 0)
    half = np.maximum((rounds + 1) // 2 - 1, 0)
    at_half = np.take_along_axis(behind, half[:, None, None], axis=1)[:, 0, :]
    return {
        "lead_changes": _lead_changes(lead, played).astype(np.int8),
        "drama": (np.sqrt(deficit).sum(axis=1) / np.maximum(lagging, 1)).astype(np.float32),
        "decided": (1 - last_behind / np.maximum(rounds, 1)).astype(np.float32),
        "comeback": (at_half.sum(axis=1) / np.maximum(won.sum(axis=1), 1)).astype(np.float32),
    }


def _lead_changes(lead: np.ndarray, played: np.ndarray) -> np.ndarray:
    changes = np.zeros(len(lead), np.int64)
    leader = np.full(len(lead), -1)
    for number in range(lead.shape[1]):
        ahead = lead[:, number] > 0
        alone = ahead.any(axis=1) & played[:, number]
        now = ahead.argmax(axis=1)
        changes += alone & (leader >= 0) & (now != leader)
        leader = np.where(alone, now, leader)
    return changes
