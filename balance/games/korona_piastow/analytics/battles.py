"""Invasions in the games that were traced: they are played again, and the sums of both sides are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from balance.analysis.traces import LEAST_GAMES, traced_cells
from balance.engine.stepper import Stepper
from balance.games.korona_piastow.display.observation import holder_of
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.rules.vocabulary import BUILDINGS
from balance.log.folder import RunFolder
from balance.plan.plan import Cell

GAMES = 30
"""Of a cell, the first; to play a game again takes a tenth of a second."""
AGAINST = {s.NOBODY: "nobody", s.FOREIGN_STATES: "foreign states"}
RULER = "a ruler"


def read_battles(run: RunFolder, variants: Sequence[str]) -> pd.DataFrame | None:
    """The invasions of the first traced games of these variants; None where too few were traced.

    Returns
    -------
    DataFrame
        A row each: ``players``, ``variant``, ``deck_seed``, ``game_id``, ``round``, ``seat``, ``against`` (`AGAINST`,
        or `RULER`), ``building`` that counts there ("none"), ``engines`` sent, ``defends`` that came into force,
        ``lead`` (attack less defence, without fate), ``fate`` (the attacker's card less the defender's), ``revenge``
        and ``won`` (0 or 1).
    """
    rows: list[dict[str, Any]] = []
    for cell, connection, games in traced_cells(run, variants):
        traces = connection.execute(_sql(games)).df()
        if len(traces) < LEAST_GAMES:
            continue
        for game in traces.head(GAMES).itertuples():
            keys = {"players": cell.players, "variant": cell.variant.name}
            keys |= {"deck_seed": game.deck_seed, "game_id": game.game_id}
            rows += [keys | row for row in _watch(cell, run, int(game.deck_seed), list(game.labels))]
    return pd.DataFrame(rows) if rows else None


def _sql(games: str) -> str:
    """The decisions of the games that ended, in their order."""
    return f"""
        SELECT game_id, any_value(deck_seed) AS deck_seed, list(label ORDER BY step) AS labels
        FROM trace JOIN games USING (game_id)
        WHERE seat >= 0 AND status <> 'truncated' AND {games}
        GROUP BY game_id ORDER BY game_id
    """


def _watch(
    cell: Cell, run: RunFolder, deck_seed: int, labels: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Play a game again from its decisions, which are all logged, and look at every invasion."""
    stepper = Stepper.deal(run.plan.game, cell.variant.rules, cell.players, deck_seed)
    for label in labels:
        index = stepper.options().index(label)
        if label.startswith("send "):
            yield _look(stepper, label, index)
        else:
            stepper.take(index)


def _look(stepper: Stepper, label: str, index: int) -> dict[str, Any]:
    """Fight an invasion, and tell of both sides."""
    state, log, seat = stepper.state, stepper.log, stepper.seat
    target, won = int(state.target), int(log.won[seat])
    holder, building = holder_of(stepper.rules, state, target), int(state.building[target])
    row = {
        "round": stepper.round,
        "seat": seat,
        "against": AGAINST.get(holder, RULER),
        "engines": int(label.split()[1].split(":")[s.ENGINE]),
        "revenge": int(state.avenging),
    }
    stepper.take(index)
    return row | {
        "building": BUILDINGS[building] if log.walls > 0 else "none",
        "defends": int(log.defends),
        "lead": int(log.attack) - int(log.defence),
        "fate": _fate(stepper),
        "won": int(log.won[seat]) - won,
    }


def _fate(stepper: Stepper) -> int:
    """The attacker's number less the defender's, of the cards that were just drawn (LOS-1)."""
    cards = [text.split() for _, text in stepper.news()]
    attack = next(int(words[3]) for words in cards if words[:2] == ["fate", "attack"])
    return attack - next(int(words[4]) for words in cards if words[:2] == ["fate", "defence"])
