"""The same deal under two variants, side by side, with the first difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from balance.foundation.errors import BalanceError, unknown
from balance.report.replay.opening import cell_of
from balance.report.replay.scenes import Replay, Scene, indented
from balance.runs.folder import RunFolder


@dataclass(frozen=True)
class Row:
    """A row of the comparison: a scene of each game.

    Attributes
    ----------
    scenes : tuple of int
        The scene of each game that is shown.
    new : tuple of bool
        Whether the scene starts in this row; False if a game waits for the other's round to end.
    parted : bool
        Whether the games differ here.
    """

    round: int
    scenes: tuple[int, ...]
    new: tuple[bool, ...]
    parted: bool = False


def line_up(replays: Sequence[Replay]) -> list[Row]:
    """Return the scenes of games side by side, round by round."""
    rounds = [_by_round(replay.scenes) for replay in replays]
    rows: list[Row] = []
    shown = [0] * len(replays)
    for number in sorted(set().union(*rounds)):
        scenes = [game.get(number, []) for game in rounds]
        for place in range(max(map(len, scenes))):
            new = tuple(place < len(each) for each in scenes)
            shown = [
                each[place] if is_new else before
                for each, is_new, before in zip(scenes, new, shown, strict=True)
            ]
            parted = _differ(replays, shown) or not all(new)
            rows.append(Row(number, tuple(shown), new, parted))
    return rows


def _by_round(scenes: Sequence[Scene]) -> dict[int, list[int]]:
    numbered = groupby(enumerate(scenes), key=lambda item: item[1].round)
    return {number: [place for place, _ in group] for number, group in numbered}


def _differ(replays: Sequence[Replay], shown: Sequence[int]) -> bool:
    texts = [replay.scenes[place].text for replay, place in zip(replays, shown, strict=True)]
    return len(set(texts)) > 1


def twin_of(run: RunFolder, game_id: int, variant: str) -> int:
    """Return the number of the game with the same deal and players under another variant."""
    names = [each.name for each in run.plan.variants]
    if variant not in names:
        raise unknown("variant", variant, names, str(run.path))
    cell = cell_of(run, game_id)
    if cell.variant.name == variant:
        raise BalanceError(f"game {game_id} is a game of {variant} itself; name another variant")
    twin = next(
        each
        for each in run.plan.cells
        if each.tier is cell.tier and (each.players, each.variant.name) == (cell.players, variant)
    )
    return twin.first_id + game_id - cell.first_id


def tell_side_by_side(replay: Replay, other: Replay) -> Iterator[str]:
    """Yield two games in words: the common part once, then the rest of each."""
    yield f"{replay.title}, compared with {other.cell.variant.name} (game {other.game_id})"
    rows = line_up([replay, other])
    parted = next((number for number, row in enumerate(rows) if row.parted), None)
    if parted is None:
        yield from replay.lines(replay.scenes[:-1])
        yield "\nBoth games are the same, move by move"
        yield from indented(replay.result.lines())
        return
    yield from replay.lines(replay.scenes[row.scenes[0]] for row in rows[:parted])
    number = rows[parted].round
    yield f"\nFirst difference, in round {number}"
    for place, each in enumerate((replay, other)):
        yield f"\n{each.cell.variant.name}"
        after = [each.scenes[row.scenes[place]] for row in rows[parted:] if row.new[place]]
        yield from each.lines(after[:-1], number)
        yield from indented(each.result.lines())
