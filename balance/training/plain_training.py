"""Train players of a game in plain Python from its rules alone, and measure how strong they are.

No feature is written: `balance.training.plain_inputs` finds what players see, and they learn by self-play
(`balance.training.plain_selfplay`). A training is cut into segments. Each is kept until the file is written, so that a
killed training resumes, and shows how strong the players are by then.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from balance.contract.game import get_game
from balance.experiments.profiles import RANDOM_NAME
from balance.experiments.strategies import load_strategies
from balance.experiments.variants import hash_rules, load_variant
from balance.foundation.files import check_file, make_folder, writing
from balance.foundation.language import tr, trn
from balance.foundation.progress import SILENCE, Progress
from balance.plain.learned import Arrays
from balance.runs.workers import Workers, kept_threads
from balance.training.diary import hash_sources_of
from balance.training.network_files import Stages, write_learned
from balance.training.plain_inputs import NoChoiceError, find_inputs
from balance.training.plain_selfplay import SEGMENTS, Segment, mean_of, play_segment
from balance.training.plain_strength import Candidates, Strength, describe_strength
from balance.training.profile import counts_of
from balance.training.settings import LearnedTraining


def train_learned(
    training: LearnedTraining, out: Path, progress: Progress = SILENCE, workers: Workers | None = None
) -> dict[int, Strength]:
    """Train and write players: `out` (TOML) and their weights beside it (.npz); return how strong they are.

    A folder next to `out` keeps finished segments until the players are written.
    """
    game = get_game(training.game)
    if out.resolve().is_relative_to(game.folder.resolve()):
        with writing(out, tr("; name another file with --out")):
            make_folder(out.parent)  # such as `networks`, which a new game lacks
    check_file(out)
    rules = load_variant(game, training.variant, Path.cwd()).rules
    counts = counts_of(game, training.players)
    told: dict[str, Any] = {
        "variant": training.variant,
        "rules": hash_rules(rules),
        "steps": training.steps,
        "seed": training.seed,
        "networks": training.networks,
    }
    rivals = load_strategies(game, [RANDOM_NAME, *game.shipped("profiles")], Path.cwd())
    kept = Stages(out, {**told, "game": game.name, "players": list(counts), **hash_sources_of(game)})
    weights: dict[int, list[Arrays]] = {}
    inputs: dict[int, dict[str, Any]] = {}
    strengths: dict[int, Strength] = {}
    for players in counts:
        progress.note(trn("finding what {n} player sees", "finding what {n} players see", players))
        try:
            inputs[players] = find_inputs(game, rules, players)
        except NoChoiceError as error:
            if not inputs and players == counts[-1]:
                raise
            progress.tell(str(error))
            continue
        table = game, rules, players, inputs[players]
        course = Course(*table, rivals, training, kept, progress, workers or kept_threads())
        weights[players] = course.train()
        strengths[players] = course.measure(weights[players], course.half_way(), course.length)
    told["strength"] = {str(players): describe_strength(each) for players, each in strengths.items()}
    write_learned(out, game, inputs, weights, told)
    kept.remove()
    return strengths


@dataclass
class Course(Candidates):
    """The self-play at a player count, which is measured as it goes."""

    length: float = 1.0  # choices of a game, once players are trained

    @property
    def _seeds(self) -> range:
        """The seed of each network."""
        return range(self.training.seed, self.training.seed + self.training.networks)

    def _segment_of(self, seed: int, part: int) -> Segment:
        schema, rules, steps = json.dumps(self.schema), self.rules.model_dump_json(), self.training.steps
        first, last = (steps * each // SEGMENTS for each in (part, part + 1))
        return Segment(self.game, self.players, schema, rules, seed, first, last, steps)

    def train(self) -> list[Arrays]:
        """Return the weights of each network."""
        states: list[Arrays | None] = [None for _ in self._seeds]
        said = ""
        for part in range(SEGMENTS):
            self.progress.note(
                trn(
                    "{n} player learns by self-play{strength}", "{n} players learn by self-play{strength}",
                    self.players, strength=said,
                )
            )  # fmt: skip
            states = self._learn(part, states)
            self.progress.advance(part + 1, SEGMENTS)
            said = self.glimpse(mean_of(states[0]))
        assert states[0] is not None
        self.length = max(1.0, float(states[0]["numbers"][0]))
        return [mean_of(each) for each in states]

    def _learn(self, part: int, states: Sequence[Arrays | None]) -> list[Arrays | None]:
        """Return the states after a segment, of each seed; they are trained at the same time."""
        names = [f"{seed}-{self.players}-{part}" for seed in self._seeds]
        found: list[Arrays | None] = [self.kept.recall(name) for name in names]
        missing = [number for number, each in enumerate(found) if each is None]
        tasks = [(self._segment_of(self._seeds[n], part), states[n]) for n in missing]
        for n, state in zip(missing, self.workers.map(self.game, play_segment, tasks), strict=True):
            self.kept.keep(names[n], state)
            found[n] = state
        return found

    def half_way(self) -> list[Arrays] | None:
        """Return the networks half way through the training."""
        states = [self.kept.recall(f"{seed}-{self.players}-{SEGMENTS // 2 - 1}") for seed in self._seeds]
        found = [mean_of(each) for each in states if each is not None]
        return found if len(found) == len(states) else None
