"""Convert rows of the compiled loop to Arrow tables: columns and their meanings, labels, measures of lead changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow.lib import StringBuilder

from balance.contract.records import STATUSES, TRUNCATED, flat_rows
from balance.contract.view import TraceWords
from balance.engine.buffers import Rows
from balance.experiments.plan import Cell, Plan

_LARGEST_KEY = 2**62


def lead_of(scores: np.ndarray) -> np.ndarray:
    """Return the lead of each side over the best other side, negative if behind: as `scores` (games, rounds, sides).

    A side without a rival has none: NaN.
    """
    if scores.shape[2] == 1:
        return np.full(scores.shape, np.nan)
    ordered = np.sort(scores, axis=2)
    best, second = ordered[:, :, -1:], ordered[:, :, -2:-1]
    lead: np.ndarray = np.where(scores == best, best - second, scores - best)
    return lead


def follow_lead(scores: np.ndarray, rounds: np.ndarray, won: np.ndarray) -> dict[str, np.ndarray]:
    """Return measures of the lead during each game.

    Parameters
    ----------
    scores : float array (games, most rounds, seats)
        Score of each seat if the game had ended after that round.
    rounds : int array (games,)
        Rounds played.
    won : bool array (games, seats)
        The winners.

    Returns
    -------
    dict of arrays (games,)
        ``lead_changes`` int8: how often a new seat led alone, other than the last sole leader (Browne).
        ``winner_deficit`` float32: square root of the winner's deficit as a share of its final score, averaged over the
        rounds in which it was behind; 0 if it was never behind (Browne's drama, with scores as evaluations).
        ``decided`` float32: share of the rounds after which no seat was ahead of the winner until the end (the reverse
        of Browne's decisiveness); NaN in a game of one round.
        ``comeback`` float32: share of the winners that were behind at half time (rounded up); NaN if no seat was ahead
        then, or if half time is the end.
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
    comeback = at_half.sum(axis=1) / np.maximum(won.sum(axis=1), 1)
    apart = np.take_along_axis(lead != 0, half[:, None, None], axis=1).any(axis=(1, 2))
    return {
        "lead_changes": _lead_changes(lead, played).astype(np.int8),
        "winner_deficit": (np.sqrt(deficit).sum(axis=1) / np.maximum(lagging, 1)).astype(np.float32),
        "decided": np.where(rounds > 1, 1 - last_behind / np.maximum(rounds, 1), np.nan).astype(np.float32),
        "comeback": np.where(apart & (rounds > 1), comeback, np.nan).astype(np.float32),
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


class RowWriter:
    """Converts the loop's rows to Arrow tables; one writer for each plan and cell."""

    def __init__(self, plan: Plan, cell: Cell) -> None:
        self._cell = cell
        self._names = [strategy.name for strategy in cell.tier.strategies]
        self._rules = cell.variant.rules
        self._constants = plan.game.rule_columns(self._rules)
        self._trace_words = TraceWords(plan.game.kernel, plan.game.display, self._rules)
        self._words = self._trace_words.words
        self._column_names = plan.game.column_names
        self._parts = list(getattr(plan.game.kernel, "PARTS", {}))
        self._sides = plan.game.sides
        self._first_seats = plan.game.sides.first_seats(cell.players)

    def tables(self, rows: Rows, lineups: np.ndarray, count: int, traced: int) -> dict[str, pa.Table]:
        """Return the tables of the first `count` games of `rows`; `traced` is the number of trace rows in use."""
        games = self._flat(rows.games[:count])
        seats = self._flat(rows.seats[: count * self._cell.players])
        lead_measures = {}
        finished = games["rounds"].astype(np.int64) - (games["status"] == TRUNCATED)
        if len(rows.rounds):
            most = max(1, int(finished.max()))  # a race has space for many more rounds than it needs
            scores = rows.rounds["score"][:count, :most, self._first_seats]
            won = seats["rank"].reshape(count, -1)[:, self._first_seats] == 1
            lead_measures = follow_lead(scores, finished, won)
        tables = {
            "games": self._games(games, lineups[:count], lead_measures),
            "seats": _make_table(self._with_own(self._seat_columns(games, seats), seats)),
        }
        if len(rows.rounds):
            tables["rounds"] = self._rounds(games, finished, rows.rounds[:count, :most])
        if len(rows.trace):
            tables["trace"] = self._trace(rows.trace[:traced])
        return tables

    def luck(self, source: str, rows: Rows) -> pa.Table:
        """Return a table of winners and scores in games played again with that source of chance re-seeded."""
        games, seats = rows.games, self._flat(rows.seats)
        status = np.repeat(games["status"], self._cell.players)
        columns = {**self._seat_columns(games, seats), "source": _constant(source, len(seats))}
        columns |= {name: seats[name] for name in ("score", "rank", "win_share")}
        return _make_table({**columns, "status": _coded(status, STATUSES)})

    def _flat(self, rows: np.ndarray) -> np.recarray:
        return flat_rows(rows, self._column_names)

    def _with_own(self, columns: dict[str, Any], rows: np.ndarray) -> dict[str, Any]:
        """Return `columns`, then the further fields of `rows`; fields that have words are written as words."""
        for name in rows.dtype.names or ():
            if name not in columns:
                has_words = name in self._words
                columns[name] = _coded(rows[name], self._words[name]) if has_words else rows[name]
        return columns

    def _games(self, games: np.ndarray, lineups: np.ndarray, lead_measures: dict[str, np.ndarray]) -> pa.Table:
        count = len(games)
        distinct, which = distinct_rows(lineups)
        names = [",".join(self._names[number] for number in lineup) for lineup in distinct]
        columns: dict[str, Any] = {
            "game_id": games["game_id"],
            "tier": _constant(self._cell.tier.name, count),
            "variant": _constant(self._cell.variant.name, count),
            "players": np.full(count, self._cell.players, np.int8),
            "deal_seed": games["deal_seed"],
            "seed": games["seed"],
            "lineup": _coded(which, names),
            "rounds": games["rounds"],
            "decisions": games["decisions"],
            "status": _coded(games["status"], STATUSES),
            "winners": games["winners"],
            "margin": games["margin"],
            **lead_measures,
        }
        columns |= {name: _constant(value, count) for name, value in self._constants.items()}
        return _make_table(self._with_own(columns, games))

    def _seat_columns(self, games: np.ndarray, seats: np.ndarray) -> dict[str, Any]:
        """Return the columns that identify a row: game, cell, seat and strategy."""
        return {
            "game_id": np.repeat(games["game_id"], self._cell.players),
            "tier": _constant(self._cell.tier.name, len(seats)),
            "variant": _constant(self._cell.variant.name, len(seats)),
            "players": np.full(len(seats), self._cell.players, np.int8),
            "seat": seats["seat"],
            "strategy": _coded(seats["strategy"], self._names),
        }

    def _rounds(self, games: np.ndarray, played: np.ndarray, rounds: np.ndarray) -> pa.Table:
        """Return the rounds table; `rounds` is (games, most rounds, most seats), of which `played` rounds are kept."""
        players = self._cell.players
        kept = rounds[:, :, :players][np.arange(rounds.shape[1]) < played[:, None]]
        game = np.repeat(np.arange(len(games)), played)
        within = np.arange(len(game)) - np.repeat(np.cumsum(played) - played, played)
        lead = lead_of(rounds["score"][:, :, self._first_seats])[:, :, self._sides.of_seats(players)]
        columns: dict[str, Any] = {
            "game_id": np.repeat(games["game_id"][game], players),
            "round": np.repeat(within + 1, players).astype(np.int16),
            "seat": np.tile(np.arange(players, dtype=np.int8), len(game)),
            "lead": lead[game, within].reshape(-1),  # of the side of each seat
        }
        return _make_table(self._with_own(columns, kept.reshape(-1)))

    def _trace(self, trace: np.ndarray) -> pa.Table:
        first, which = _distinct_codes(trace)
        found = trace[first]
        told = list(zip(found["code"].tolist(), found["parts"].tolist(), strict=True))
        kinds = [self._trace_words.kind(code) for code, _ in told]
        labels = [self._trace_words.label(*each) for each in told]
        names = [self._trace_words.outcome(code) for code, _ in told]
        columns: dict[str, Any] = {
            "game_id": trace["game_id"],
            "step": trace["step"],
            "round": trace["round"],
            "seat": trace["seat"],
            "kind": _coded_words(kinds, which),
            "outcome": _coded_words(names, which),
            "label": _coded_words(labels, which),
            "options": trace["options"],
        }
        parts = [self._trace_words.parts(*each) for each in told]
        for name in self._parts:
            columns[name] = self._part(name, [each.get(name) for each in parts], which)
        return _make_table(columns)

    def _part(self, name: str, numbers: Sequence[int | None], which: np.ndarray) -> pa.Array:
        """Return a column of a part, missing where a row has no such part, as numbers or words."""
        if name not in self._words:
            return take_numbers(numbers, which)
        words = self._words[name]
        return _coded_words([None if each is None else words[each] for each in numbers], which)


def _distinct_codes(trace: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first row of each code, an outcome's with its parts, and for each row the number of its code."""
    keys = trace["code"].astype(np.int64)
    outcomes = np.flatnonzero(keys < 0)
    _, which = distinct_rows(np.column_stack([keys[outcomes], trace["parts"][outcomes]]))
    keys[outcomes] = -1 - which.astype(np.int64)
    return _first_of_each(keys)


def distinct_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct rows of an integer matrix, and for each row its index among them."""
    keys, size = np.zeros(len(rows), np.int64), 1  # a number below `size` for each row
    for column in np.ascontiguousarray(rows.T, np.int64):
        least, most = int(column.min(initial=0)), int(column.max(initial=0))
        if size * (most - least + 1) > _LARGEST_KEY:
            keys, size = _first_of_each(keys)[1].astype(np.int64), len(rows)
        keys = keys * (most - least + 1) + (column - least)
        size *= most - least + 1
    first, which = _first_of_each(keys)
    return rows[first], which


def _first_of_each(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where each distinct key comes first, and for each key its index among the distinct ones (int32)."""
    encoded = _numbers(keys).dictionary_encode()
    which = np.frombuffer(encoded.indices.buffers()[1], np.int32, len(keys))
    first = np.zeros(len(encoded.dictionary), np.int64)
    first[which[::-1]] = np.arange(len(keys))[::-1]
    return first, which


def _constant(text: str, count: int) -> pa.DictionaryArray:
    return _coded(np.zeros(count, np.int8), [text])


def _numbers(values: np.ndarray) -> pa.Array:
    """Return a column of numbers, missing where they are NaN.

    `pyarrow.array`, as `to_numpy`, would load pandas, which a run does not need.
    """
    held = np.ascontiguousarray(values)
    valid = None
    if held.dtype.kind == "f" and (missing := np.isnan(held)).any():
        valid = pa.py_buffer(np.packbits(~missing, bitorder="little"))
    return pa.Array.from_buffers(pa.from_numpy_dtype(held.dtype), len(held), [valid, pa.py_buffer(held)])


def _texts(words: Iterable[str]) -> pa.Array:
    builder = StringBuilder()
    builder.append_values(words)
    return builder.finish()


def _coded(indices: np.ndarray, names: Sequence[str]) -> pa.DictionaryArray:
    """Return a column of strings from their numbers."""
    return pa.DictionaryArray.from_arrays(_numbers(indices.astype(np.int32)), _texts(names))


def _coded_words(words: Sequence[str | None], which: np.ndarray) -> pa.DictionaryArray:
    """Return a column of strings, missing where the word is None; each word is once in its dictionary.

    PyArrow writes what memory happens to hold after a dictionary with a repeated word.
    """
    distinct = [word for word in dict.fromkeys(words) if word is not None]
    index: dict[str | None, int] = {word: number for number, word in enumerate(distinct)}
    return pa.DictionaryArray.from_arrays(take_numbers([*map(index.get, words)], which), _texts(distinct))


def take_numbers(numbers: Sequence[int | None], which: np.ndarray) -> pa.Array:
    """Return each number of `which` as a column of int32, missing where it is None; in a third of Arrow's time."""
    known = np.array([each is not None for each in numbers], bool)
    values = np.array([each or 0 for each in numbers], np.int32)
    spread = pa.allocate_buffer(4 * len(which))  # of Arrow, which keeps the memory for the next column
    values.take(which, out=np.frombuffer(spread, np.int32), mode="clip")
    valid = None
    if not known.all():
        valid = pa.py_buffer(np.packbits(known.take(which), bitorder="little"))
    return pa.Array.from_buffers(pa.int32(), len(which), [valid, spread])


def _make_table(columns: Mapping[str, Any]) -> pa.Table:
    """Return a table of columns that are arrays of Arrow or of numbers."""
    arrays = {name: _numbers(c) for name, c in columns.items() if isinstance(c, np.ndarray)}
    return pa.table({**columns, **arrays})


_GAME = {"game_id": "The game, by its number in the run; `balance replay RUN GAME_ID` shows it."}
_CELL = {
    "tier": "The tier that played the game; `main` if the experiment has no tiers.",
    "variant": "The name of the rule set.",
    "players": "Number of players.",
}
_SEAT = {
    **_GAME,
    **_CELL,
    "seat": "The seat, from 0, in the order of the first turn.",
    "strategy": "The strategy in the seat.",
}
_RESULT = {
    "score": "Score at the end of the game.",
    "rank": "1 is the best; equal seats share the better rank.",
    "win_share": "1 for a sole winner, 1/k if k seats share the win, otherwise 0; equal for all seats in a draw. Seats "
    "of a team have that of their team. Where all win together, 1 or 0; missing if the table has only a score.",
}
_STATUS = {"status": "`finished`; `draw`; `truncated`: broken off at `decision_limit`, without a result."}

COLUMNS: Mapping[str, Mapping[str, str]] = {
    "games": {
        **_GAME,
        **_CELL,
        "deal_seed": "The seed of all chance in the game (the deal); games with the same seed form one cluster.",
        "seed": "The seed of the bots' own lots.",
        "lineup": "The strategies by seat, separated by commas.",
        "rounds": "Number of rounds started.",
        "decisions": "Number of decisions of all players, including those with one option only.",
        **_STATUS,
        "winners": "Number of seats that won; of teams where teams win; 1 or 0 where all win together.",
        "margin": "Best score less second best, of teams where teams win; missing where all win together.",
        "lead_changes": "How often the lead changed, counted after each round (if rounds are logged).",
        "winner_deficit": "How far the winner was behind, in the rounds in which it was: mean square root of "
        "its deficit divided by its final score.",
        "decided": "Share of the rounds after which no seat was ahead of the winner any more.",
        "comeback": "Share of the winners who were behind at half time; missing if no seat was ahead then, or if half "
        "time is the end.",
        "choices": "Number of decisions with more than one option.",
        "choice_blocks": "Number of choices, where consecutive choices that players make together count once, as the "
        "game defines them.",
        "options": "Mean number of options of the choices.",
    },
    "seats": {**_SEAT, **_RESULT},
    "rounds": {
        **_GAME,
        "round": "The round, from 1.",
        "seat": _SEAT["seat"],
        "lead": "Points ahead of the best other seat if the game ended now; negative if behind.",
        "score": "The seat's score if the game ended now.",
    },
    "trace": {
        **_GAME,
        "step": "The number of the row in the game, from 0.",
        "round": "The round of the step.",
        "seat": "The seat that chooses; -1 for chance and outcomes.",
        "kind": "The kind of decision, in the game's words; `chance` for chance; `outcome` for what the rules made of "
        "the decision before it.",
        "outcome": "The name of an outcome; missing for decisions and chance.",
        "label": "The action or chance outcome, with the labels of the game's rule page; the name and parts of an "
        "outcome.",
        "options": "Number of legal actions; 0 for chance and outcomes.",
    },
    "luck": {
        **_SEAT,
        "game_id": "The game that was replayed.",
        "strategy": "The strategy in the seat in the replay.",
        "source": "The source of chance that was drawn again; `bots`: their own lots; `players`: another line-up.",
        **_RESULT,
        **_STATUS,
    },
}
"""The meaning of each column, by table."""
