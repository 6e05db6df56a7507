"""Train the named styles of a game: first a map of strategies, then one style from each corner of it.

Quality diversity: CMA-ME (Fontaine, Togelius, Nikolaidis and Hoover 2020, "Covariance matrix adaptation for the
rapid illumination of behavior space"; the package `ribs`) fills an archive with the strongest weights found for every
mix of the game's axes (`STYLES` of its analytics). Each named style starts from this archive and is trained against the
others as they improve, with a penalty for leaving its style.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.analytics import Style
from balance.contract.game import styles_of
from balance.foundation.errors import BalanceError, from_extra
from balance.foundation.files import check_folder, make_folder, write_files
from balance.foundation.language import tr, trn
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.streams import derive_many
from balance.runs.workers import Workers
from balance.training.arena import Arena
from balance.training.diary import NO_DIARY, Diary, MakeDiary
from balance.training.evolution import FIRST_STEP, Aim, Budget, Fitness, evolve, fair_shares, scales_of, win_fitness
from balance.training.profile import Trained, describe_row, look_up, write_profile
from balance.training.settings import StyleTraining

EMITTERS, BATCH, CELLS = 3, 16, 5  # of the map: searches, candidates of each, cells along an axis
EXPLORED = 0.4  # share of the budget
CANDIDATE_GAMES = 240
ROUNDS = 2  # every style is trained once per round
MOST_ROUNDS = 4  # the last rounds are only for styles that do not lead on their own axis
HOPELESS = 0.6  # of a fair share: elites that win less are not used as starts
CORNER = 0.9  # a style's own axis is at least this quantile of the other elites
COST = 0.7  # of a fair share, for one standard deviation less on the style's own axis
AHEAD = 0.3  # standard deviations by which a style should lead the others on its own axis
MEASURED_DEALS = 500  # deals on which axes are measured


@dataclass(frozen=True)
class Elites:
    """The content of the map."""

    rows: np.ndarray
    wins: np.ndarray  # float (n,): win shares
    axes: np.ndarray


def explore(
    arena: Arena, start: np.ndarray, styles: Mapping[str, Style], budget: Budget,
    diary: Diary = NO_DIARY, progress: Progress = SILENCE,
) -> Elites:  # fmt: skip
    """Fill the map of styles with the strongest weights found for each cell."""
    scales = scales_of(arena, start)

    def play(steps: np.ndarray, generation: int) -> np.ndarray:
        """Return win shares and axes of candidates, one row each."""
        found = diary.recall(generation)
        if found is None:
            seed = int(derive_many(budget.seed, generation)[0])
            seats = arena.face_all(start + scales * steps, CANDIDATE_GAMES // arena.players, seed)
            axes = [style.measure(seats) for style in styles.values()]
            found = np.stack([win_fitness(seats), *axes], axis=1)
            diary.note(found)
        return found

    lots = np.random.default_rng(derive_many(budget.seed, 0)).standard_normal((4 * BATCH, len(start)))
    known = [arena.row(each.profile) for each in arena.strategies if each.profile]
    first = np.concatenate([lots, (np.array(known).reshape(-1, len(start)) - start) / scales])
    archive, scheduler = _make_map(first, play(first, 0), budget.seed)
    each = EMITTERS * BATCH * CANDIDATE_GAMES
    for generation in range(1, max(2, budget.games // each)):
        found = play(np.asarray(scheduler.ask()), generation)
        scheduler.tell(found[:, 0], found[:, 1:])
        progress.advance(min(generation * each, budget.games), budget.games)
    data = archive.data(["solution", "objective", "measures"], return_type="tuple")
    steps, wins, axes = (np.asarray(part, float) for part in data)
    return Elites(start + scales * steps, wins, axes)


def _make_map(steps: np.ndarray, found: np.ndarray, seed: int) -> tuple[Any, Any]:
    """Return an archive with the range of the first candidates, containing them, and the searches that fill it."""
    from ribs.archives import GridArchive
    from ribs.emitters import EvolutionStrategyEmitter
    from ribs.schedulers import Scheduler

    width, axes = steps.shape[1], found[:, 1:]
    ranges = list(zip(axes.min(0), axes.max(0), strict=True))
    archive = GridArchive(solution_dim=width, dims=[CELLS] * len(ranges), ranges=ranges, seed=seed)
    archive.add(steps, found[:, 0], axes)
    emitters = [
        EvolutionStrategyEmitter(archive, x0=np.zeros(width), sigma0=FIRST_STEP, batch_size=BATCH, seed=seed + number)
        for number in range(EMITTERS)
    ]
    return archive, Scheduler(archive, emitters)


@dataclass(frozen=True)
class Corner:
    """The start of a style, and the goal on its axis."""

    row: np.ndarray
    goal: float  # value of its own axis at the start
    most: float  # maximum of the axis over the elites above `HOPELESS`
    spread: float  # standard deviation of the axis over the same elites


def find_corner(elites: Elites, axis: int, fair: float) -> Corner:
    """Return the strongest elite among those highest on a style's axis and above `HOPELESS`."""
    hopeful = elites.wins >= HOPELESS * fair
    if not hopeful.any():
        hopeful = elites.wins >= np.median(elites.wins)
    own = elites.axes[:, axis]
    goal = float(np.quantile(own[hopeful], CORNER))
    best = int(np.argmax(np.where(hopeful & (own >= goal), elites.wins, -1.0)))
    spread = float(own[hopeful].std()) or float(own.std())
    return Corner(elites.rows[best], goal, float(own[hopeful].max()), spread)


def lead_others(arena: Arena, style: Style, corner: Corner, others: Sequence[np.ndarray]) -> Corner:
    """Return the corner with a goal ahead of the others' values, in their own games, on the style's axis.

    The goal never exceeds the values of elites above `HOPELESS`: two styles that outbid each other would both
    be ruined.
    """
    axes = style.measure(arena.face_each_other(np.array(others), MEASURED_DEALS, 0))
    goal = min(float(axes.max()) + AHEAD * corner.spread, corner.most)
    return replace(corner, goal=max(corner.goal, goal))


def style_fitness(style: Style, corner: Corner) -> Fitness:
    """Return win shares in fair shares, minus a penalty if the style's own axis is below its goal."""

    def fitness(seats: Any) -> np.ndarray:
        lacking = np.maximum(0.0, corner.goal - style.measure(seats))
        return np.asarray(fair_shares(seats) - COST * lacking / max(corner.spread, 1e-9))

    return fitness


def train_styles(
    training: StyleTraining, out: Path, progress: Progress = SILENCE, workers: Workers | None = None
) -> dict[str, dict[int, Trained]]:
    """Train every named style of a game and write a profile of each into the folder `out`.

    Returns the results by style and player count; win shares are against the field of styles and `against`.
    """
    with from_extra("styles"):
        import ribs  # noqa: F401
    asked = look_up(training)
    styles = styles_of(asked.game)
    if not styles:
        raise BalanceError(tr("{game} has no styles to train (STYLES of its analytics)", game=asked.game.name))
    files = {name: out / f"{name}.toml" for name in styles}
    check_folder(out, [file.name for file in files.values()])
    make_folder(out)
    found: dict[str, dict[int, Trained]] = {name: {} for name in styles}
    diaries = asked.diaries(out / "styles", styles=True)
    for players in asked.players:
        diary = diaries.at(players)
        arena = asked.arena(players, workers)
        start = arena.row(asked.start)
        progress.note(trn("ways to play with {n} player", "ways to play with {n} players", players))
        budget = Budget(int(EXPLORED * training.games), training.seed)
        elites = explore(arena, start, styles, budget, diary("map"), progress)
        rows = _train_corners(arena, styles, elites, training, diary, progress)
        for name, row in rows.items():
            rivals = arena.joined_by([rows[other] for other in rows if other != name])
            found[name][players] = describe_row(rivals, start, row, training.seed)
    contents = {}
    for name, trained in found.items():
        title = name.replace("-", " ").capitalize()
        text = f"At its best with a high {styles[name].what}."
        contents[files[name]] = write_profile(title, text, trained, asked.told).encode()
    write_files(contents)
    diaries.remove()
    return found


def _train_corners(
    arena: Arena, styles: Mapping[str, Style], elites: Elites, training: StyleTraining, diary: MakeDiary,
    progress: Progress,
) -> dict[str, np.ndarray]:  # fmt: skip
    """Train every style in turn against the others and the arena's strategies, then again those that do not lead."""
    corners = {name: find_corner(elites, axis, 1 / arena.players) for axis, name in enumerate(styles)}
    rows = {name: corner.row for name, corner in corners.items()}
    games = int((1 - EXPLORED) * training.games / (ROUNDS * len(styles)))
    for turn in range(MOST_ROUNDS):
        for number, (name, style) in enumerate(styles.items()):
            if turn >= ROUNDS and _leads(arena, style, rows, name):
                continue
            progress.note(
                trn(
                    "{name} with {n} player, round {round}", "{name} with {n} players, round {round}",
                    arena.players, name=name, round=turn + 1,
                )
            )  # fmt: skip
            others = [rows[other] for other in rows if other != name]
            seed = int(derive_many(training.seed, 1 + turn, number)[0] % 2**31)
            leading = lead_others(arena, style, corners[name], others)
            rows[name] = evolve(
                arena.joined_by(others), rows[name], Budget(games, seed),
                Aim(style_fitness(style, leading), fame=0.0), diary(f"{name}-{turn}"), progress,
            )  # fmt: skip
    return rows


def _leads(arena: Arena, style: Style, rows: Mapping[str, np.ndarray], name: str) -> bool:
    """Return whether a style's row is higher on its own axis than the other rows."""
    seats = arena.face_each_other(np.array(list(rows.values())), MEASURED_DEALS, 0)
    return list(rows)[int(np.argmax(style.measure(seats)))] == name
