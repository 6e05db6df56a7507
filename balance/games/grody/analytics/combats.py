"""Combats and the board in the games that were traced: they are played again, move by move, and looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from balance.analysis.traces import LEAST_GAMES, traced_cells
from balance.contract.records import CHANCE
from balance.engine.stepper import Step, Stepper, walk_labels
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.vocabulary import BUILDINGS, CARDS, MOST_SEGMENTS, TERRAINS
from balance.log.folder import RunFolder
from balance.plan.plan import Cell

GAMES = 200
"""Of a cell, the first; to play a game again takes a hundredth of a second or two."""
TAKE_PART = (s.SURE, s.SONG, s.AMBUSH, s.WOLF_PIT, s.MANOEUVRE, s.RETREAT)
"""Cards that are played in a combat before it is decided."""
SIDES = ("attacker", "defender")
_LAND = (*TERRAINS, "grod")


@dataclass(frozen=True)
class War:
    """What the traced games of a run tell of combats and of the board.

    Attributes
    ----------
    combats : DataFrame
        A row each: ``players``, ``variant``, ``deck_seed``, ``segment``, ``attackers``, ``defenders``, ``terrain``,
        ``building`` ("" for none), ``lead`` (morale of an attacker less that of a defender in the first round, before
        cards), ``full`` (whether a full team meets fewer, CMB-1), ``won`` (whether the attacker did), and for each side
        and card of `TAKE_PART` a column ``SIDE CARD``: how many it played that were not cancelled.
    board : DataFrame
        A row a game and segment: ``players``, ``variant``, ``deck_seed``, ``segment``, ``column``, ``row``, ``rounds``
        of which the game kept the board, ``first`` and ``second``: rounds at whose beginning it belonged to a seat,
        ``combats`` there.
    """

    combats: pd.DataFrame
    board: pd.DataFrame


def read_war(run: RunFolder, variants: Sequence[str]) -> War | None:
    """Combats and the board of the traced games of these variants; None where too few were traced."""
    combats, boards = [], []
    for cell, connection, games in traced_cells(run, variants):
        traces = connection.execute(_sql(games)).df()
        if len(traces) < LEAST_GAMES:
            continue
        for row in traces.itertuples():
            found = _watch(cell, run, int(row.deck_seed), list(row.labels))
            keys = {"players": cell.players, "variant": cell.variant.name, "deck_seed": row.deck_seed}
            combats += [keys | each for each in found.combats]
            boards += [keys | each for each in found.board()]
    return War(pd.DataFrame(combats), pd.DataFrame(boards)) if boards else None


def _sql(games: str) -> str:
    """The decisions of the games that ended, in their order."""
    return f"""
        SELECT game_id, any_value(deck_seed) AS deck_seed, list(label ORDER BY step) AS labels
        FROM trace JOIN games USING (game_id)
        WHERE seat >= 0 AND status <> 'truncated' AND {games}
        GROUP BY game_id ORDER BY game_id LIMIT {GAMES}
    """


def _watch(cell: Cell, run: RunFolder, deck_seed: int, labels: Sequence[str]) -> _Watcher:
    """Play a game again from its decisions and look at every one."""
    stepper = Stepper.deal(run.plan.game, cell.variant.rules, cell.players, deck_seed)
    watcher = _Watcher(stepper)
    for step in walk_labels(stepper, labels):
        if step.seat != CHANCE:
            watcher.look(step)
    watcher.end_turn()
    return watcher


@dataclass
class _Watcher:
    """A game as it is played again: the combats of the turn under way, and those that are over."""

    stepper: Stepper
    turn: int = 0
    round: int = 0
    rounds: int = 0  # at whose beginning the board was looked at
    attacker: int = 0
    begun: dict[int, dict[str, Any]] = field(default_factory=dict)  # of the turn, by segment
    played: str = ""  # the column of the card that may still be cancelled
    stands: bool = True  # whether it is not, so far
    combats: list[dict[str, Any]] = field(default_factory=list)
    owned: np.ndarray = field(default_factory=lambda: np.zeros((s.SEATS, MOST_SEGMENTS), int))

    def look(self, step: Step) -> None:
        """Note what a decision begins or changes, before it takes effect."""
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
        """Settle the combats of the turn that is over, and look at the board when a round begins."""
        state = self.stepper.state
        fought = int(
            self.stepper.log.attacks.sum()
        )  # a gród that is taken ends the game before others are
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
        """The rows of the board, once the game is over."""
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
        """A warrior who joins enemies on a segment attacks them (MOV-2)."""
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
        """Count a card of the combat under way."""
        column, state = f"{SIDES[seat != self.attacker]} {card}", self.stepper.state
        combat = self.begun.get(int(state.here)) if state.window in (s.BEFORE, s.DURING) else None
        self.played, self.stands = "", True
        if combat and column in combat:
            combat[column] += 1
            self.played = column

    def _cancel(self) -> None:
        """An answer cancels the card, the next lets it stand again (CRD-3)."""
        if self.played:
            self.stands = not self.stands
            self.begun[int(self.stepper.state.here)][self.played] += 1 if self.stands else -1
