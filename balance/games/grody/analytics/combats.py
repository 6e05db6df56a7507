"""Combats and the board in traced games: replays them, and estimates how often attackers win and what changes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from balance.analysis.gather import LEAST_GAMES, traced_cells
from balance.analysis.question import scale
from balance.contract.records import CHANCE
from balance.engine.stepper import Step, Stepper, walk_labels
from balance.experiments.plan import Cell
from balance.games.grody.display.labels import BUILDING_TITLES, CARD_TITLES, TERRAIN_TITLES
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.geography import BUILDINGS, CARDS, MOST_SEGMENTS, TERRAINS
from balance.runs.folder import RunFolder
from balance.stats.intervals import Interval, ratio_interval, share_interval
from balance.stats.regression import within_effects

GAMES = 200
"""Number of first games of a cell that are replayed; one replay takes 0.01 to 0.02 seconds."""
TAKE_PART = (s.SURE, s.SONG, s.AMBUSH, s.WOLF_PIT, s.MANOEUVRE, s.RETREAT)
"""Cards that a side plays before a combat is decided."""
SIDES = ("attacker", "defender")
_LAND = (*TERRAINS, "grod")


@dataclass(frozen=True)
class War:
    """Combats and boards of a run's traced games.

    Attributes
    ----------
    combats : DataFrame
        One row per combat: ``players``, ``variant``, ``deal_seed``, ``segment``, ``attackers``, ``defenders``,
        ``terrain``, ``building`` ("" for none), ``lead`` (an attacker's morale minus a defender's in the first round,
        before cards), ``full`` (whether a full team of attackers meets fewer defenders, CMB-1), ``won`` (whether the
        attacker won), and for each side and card of `TAKE_PART` a column ``SIDE CARD``: number of these cards that
        the side played and that were not cancelled.
    board : DataFrame
        One row per game and segment: ``players``, ``variant``, ``deal_seed``, ``segment``, ``column``, ``row``,
        ``rounds`` (rounds of the game), ``first`` and ``second`` (rounds at whose beginning the first or second seat
        owned the segment), ``combats`` (number of combats there).
    """

    combats: pd.DataFrame
    board: pd.DataFrame


def read_war(run: RunFolder, variants: Sequence[str]) -> War | None:
    """Return combats and boards of the traced games of these variants; None if too few games were traced."""
    combats, boards = [], []
    for cell, connection, games in traced_cells(run, variants):
        traces = connection.execute(_sql(games)).df()
        if len(traces) < LEAST_GAMES:
            continue
        for row in traces.itertuples():
            found = _watch(cell, run, int(row.deal_seed), list(row.labels))
            keys = {"players": cell.players, "variant": cell.variant.name, "deal_seed": row.deal_seed}
            combats += [keys | each for each in found.combats]
            boards += [keys | each for each in found.board()]
    return War(pd.DataFrame(combats), pd.DataFrame(boards)) if boards else None


def _sql(games: str) -> str:
    """Return SQL for the decisions of the games that ended, in order."""
    return f"""
        SELECT game_id, any_value(deal_seed) AS deal_seed, list(label ORDER BY step) AS labels
        FROM trace JOIN games USING (game_id)
        WHERE seat >= 0 AND status <> 'truncated' AND {games}
        GROUP BY game_id ORDER BY game_id LIMIT {GAMES}
    """


def _watch(cell: Cell, run: RunFolder, deal_seed: int, labels: Sequence[str]) -> _Watcher:
    """Replay a game from its decisions and record every combat."""
    stepper = Stepper.deal(run.plan.game, cell.variant.rules, cell.players, deal_seed)
    watcher = _Watcher(stepper)
    for step in walk_labels(stepper, labels):
        if step.seat != CHANCE:
            watcher.look(step)
    watcher.end_turn()
    return watcher


@dataclass
class _Watcher:
    """Recorder of a replayed game: the combats of the current turn, and the finished combats."""

    stepper: Stepper
    turn: int = 0
    round: int = 0
    rounds: int = 0  # number of rounds at whose beginning the board was recorded
    attacker: int = 0
    begun: dict[int, dict[str, Any]] = field(default_factory=dict)  # combats of this turn, by segment
    played: str = ""  # the column of the card that may still be cancelled
    stands: bool = True  # whether the card is not cancelled so far
    combats: list[dict[str, Any]] = field(default_factory=list)
    owned: np.ndarray = field(default_factory=lambda: np.zeros((s.SEATS, MOST_SEGMENTS), int))

    def look(self, step: Step) -> None:
        """Record what a decision begins or changes, before it takes effect."""
        state = self.stepper.state
        if int(state.turns) != self.turn:
            self.end_turn()
        words = step.label.split()
        if words[0] == "move":
            self._note_move(words[-1])
        elif step.kind == "card" and words[0] == "play":
            self._note_card(words[1], step.seat)
        elif step.kind == "answer" and words[0] == "play":
            self._cancel()

    def end_turn(self) -> None:
        """Record the results of the turn's combats, and the board if a round begins."""
        state = self.stepper.state
        # Taking a gród ends the game before the remaining combats are fought.
        fought = int(self.stepper.log.attacks.sum())
        for segment, combat in list(self.begun.items())[: fought - len(self.combats)]:
            is_grod = segment == self.stepper.packed.grod[1 - self.attacker]
            conquered = state.over and state.ended_by == s.CONQUEST and state.winner == self.attacker
            won = conquered if is_grod else state.owner[segment] == self.attacker
            self.combats.append(combat | {"won": int(won)})
        self.begun = {}
        self.turn = int(state.turns)
        if int(state.round_number) != self.round:
            self.round = int(state.round_number)
            self.rounds += 1
            for seat in range(s.SEATS):
                self.owned[seat] += state.owner == seat

    def board(self) -> list[dict[str, Any]]:
        """Return the rows of the board, once the game is over."""
        geography = self.stepper.rules.board
        places = zip(geography.names, geography.places, strict=True)
        return [
            {
                "segment": name,
                "column": column,
                "row": row,
                "rounds": self.rounds,
                "first": int(self.owned[0, i]),
                "second": int(self.owned[1, i]),
                "combats": sum(combat["segment"] == name for combat in self.combats),
            }
            for i, (name, (column, row)) in enumerate(places)
        ]

    def _note_move(self, goal: str) -> None:
        """Record a combat if a warrior enters a segment with enemies (MOV-2)."""
        state, segment = self.stepper.state, self.stepper.rules.board.names.index(goal)
        self.attacker = seat = int(state.active)
        own, others = state.warriors[seat], state.warriors[1 - seat]
        if others[segment] > 0:
            self.begun[segment] = self._describe(segment, int(own[segment]) + 1, int(others[segment]))

    def _describe(self, segment: int, attackers: int, defenders: int) -> dict[str, Any]:
        state, rules = self.stepper.state, self.stepper.packed
        terrain, building = int(state.terrain[segment]), int(state.building[segment])
        led = int(attackers >= rules.leader_at) - int(defenders >= rules.leader_at)
        lead = led * rules.leader_morale - rules.defence[terrain]
        lead += rules.abatis_morale if building == s.ABATIS else 0
        return {
            "segment": self.stepper.rules.board.names[segment],
            "full": int(led > 0),
            "attackers": attackers,
            "defenders": defenders,
            "terrain": _LAND[terrain],
            "building": "" if building == s.NOTHING else BUILDINGS[building],
            "lead": int(lead),
            **{f"{side} {CARDS[card]}": 0 for side in SIDES for card in TAKE_PART},
        }

    def _note_card(self, card: str, seat: int) -> None:
        """Count a card played in the current combat."""
        column, state = f"{SIDES[seat != self.attacker]} {card}", self.stepper.state
        combat = self.begun.get(int(state.here)) if state.window in (s.BEFORE, s.DURING) else None
        self.played, self.stands = "", True
        if combat and column in combat:
            combat[column] += 1
            self.played = column

    def _cancel(self) -> None:
        """Switch the card between cancelled and valid: each answer cancels the one before (CRD-3)."""
        if self.played:
            self.stands = not self.stands
            self.begun[int(self.stepper.state.here)][self.played] += 1 if self.stands else -1


CELL = ["players", "variant"]
LEAST = 20
"""Fewest combats from which a share or an effect is estimated."""


def _columns(found: Interval) -> dict[str, float]:
    return {name: float(getattr(found, name)) for name in ("value", "low", "high", "n")}


def shares_won(combats: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """Return how often the attacker wins, in percent, by columns of the combats.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, the columns `by`, ``value``, ``low``, ``high``, ``n`` (combats, at least `LEAST`).
        Intervals of shares are clustered by deal.
    """
    keys, rows = [*CELL, *by], []
    for key, group in combats.groupby(keys, sort=False):
        if len(group) >= LEAST:
            decks = group.groupby("deal_seed")["won"].agg(["sum", "count"]).to_numpy(float)
            found = scale(share_interval(ratio_interval(*decks.T)), 100)
            rows.append(dict(zip(keys, key, strict=True)) | _columns(found))
    table = pd.DataFrame(rows, columns=[*keys, "value", "low", "high", "n"])
    return table.sort_values(keys, kind="stable", ignore_index=True)


def changes(combats: pd.DataFrame) -> pd.DataFrame:
    """Return effects on the attacker's chance to win, in points, at the same number of attackers and of defenders.

    The baselines are a plain, no building and no such card. One model has all effects (see
    `balance.stats.regression.within_effects`); it compares combats with the same numbers of warriors.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``what``, ``value``, ``low``, ``high``, ``n`` (combats that have the cause).
    """
    rows = []
    for key, group in combats.groupby(CELL, sort=False):
        causes = pd.DataFrame(dict(_causes(group)), index=group.index)
        data = group[["deal_seed", "attackers", "defenders"]].join(causes).assign(won=100 * group["won"])
        names = [name for name in causes if LEAST <= causes[name].sum() <= len(causes) - LEAST]
        found = within_effects(data, "won", names, ["attackers", "defenders"], "deal_seed")
        for what, effect in found.items():
            there = {"n": int(causes[what].sum())}
            rows.append(dict(zip(CELL, key, strict=True)) | {"what": what} | _columns(effect) | there)
    return pd.DataFrame(rows, columns=[*CELL, "what", "value", "low", "high", "n"])


def _causes(combats: pd.DataFrame) -> Iterator[tuple[str, pd.Series]]:
    """Yield every possible cause by name, as a column that is 1 in the combats that have it."""
    for name in (*TERRAINS[1:], "grod"):
        yield TERRAIN_TITLES[name], (combats["terrain"] == name).astype(float)
    for name in BUILDINGS:
        yield BUILDING_TITLES[name], (combats["building"] == name).astype(float)
    for card in TAKE_PART:
        for side in SIDES:
            name = CARDS[card]
            yield f"{CARD_TITLES[name]}, {side}", (combats[f"{side} {name}"] > 0).astype(float)


def holdings(board: pd.DataFrame) -> pd.DataFrame:
    """Return who holds each segment, and how many combats are fought there.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``segment``, ``column``, ``row``, ``measure`` (``held``: rounds in which the first
        player owns it minus rounds in which the second does, percent of all rounds; ``combats``: combats per game),
        ``value``, ``low``, ``high``, ``n`` (rounds, or games).
    """
    place = ["segment", "column", "row"]
    rows = []
    for key, group in board.groupby([*CELL, *place], sort=False):
        cell = dict(zip([*CELL, *place], key, strict=True))
        sums = (
            group.assign(held=group["first"] - group["second"], games=1).groupby("deal_seed").sum(True)
        )
        held = ratio_interval(sums["held"].to_numpy(float), sums["rounds"].to_numpy(float))
        fought = ratio_interval(sums["combats"].to_numpy(float), sums["games"].to_numpy(float))
        rows.append(cell | {"measure": "held"} | _columns(scale(held, 100)))
        rows.append(cell | {"measure": "combats"} | _columns(fought))
    return pd.DataFrame(rows)
