"""Sensitivity: what each rule key moves when it goes one step down or up, on the same deals as the start variant.

The settings, the games, what they show, and the page: a tornado chart for each measure, and a matrix of keys and
measures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from balance.analysis.compare import pair_questions, read_pairs, shrink_effects, size_in_deviations, widen_effects
from balance.analysis.ended import Played
from balance.analysis.gather import gather
from balance.contract.analytics import Measure
from balance.contract.game import get_game
from balance.experiments.experiment import Experiment, make_experiment
from balance.experiments.measures import all_measures, choose_measures
from balance.experiments.networks import default_player
from balance.experiments.plan import Plan
from balance.experiments.planning import make_plan
from balance.experiments.rule_keys import has_keys
from balance.experiments.rule_steps import Step, list_steps
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.text import ESTIMATE, NAME, TEXT, listed
from balance.report.figures.bars import draw_tornado
from balance.report.kit import side_by_side
from balance.report.model import Chapter, Figure, Headline, Section, Table
from balance.report.row import find_rows
from balance.report.sections import played
from balance.report.words import capital, label_of, name_of, signed, write_change
from balance.runs.batches import check_followed
from balance.runs.folder import RunFolder
from balance.runs.workers import Workers
from balance.stats.comparisons import SHOWN
from balance.studies.closer import Closer, look_closer
from balance.studies.playing import play_or_resume
from balance.studies.study import Brief, Study

_BARS = 12  # keys in a tornado chart
_NAMED = 3  # steps in a sentence
_GAMES = 4000  # of each step at each player count, unless an experiment or the user says otherwise


@dataclass(frozen=True)
class Sensitivity:
    """The settings of a sensitivity analysis."""

    # Its first variant is the start. Its first tier plays; `games` is that of each step at each player count.
    experiment: Experiment
    keys: tuple[str, ...] = ()  # shell patterns of rule keys; empty for all
    measures: tuple[str, ...] = ()  # names; empty for all
    folder: Path = Path()  # of relative paths in the experiment
    where: str = "sensitivity"  # the experiment's name in error messages


def default_experiment(given: Mapping[str, Any]) -> Experiment:
    """Return an experiment at all player counts of a game, by default with its strongest fast player.

    `given` are the keys that replace these.
    """
    game = get_game(given["game"])
    counts = given.get("players", list(game.players))
    data = {"players": counts, "strategies": [default_player(game, counts)], "games": _GAMES}
    return make_experiment({**data, **given})


@dataclass(frozen=True)
class SensitivityGames:
    """The run of a sensitivity analysis, its steps, and the measures that it reads."""

    steps: list[Step]
    measures: list[Measure]
    run: RunFolder

    @property
    def baseline(self) -> str:
        """The start variant."""
        return self.run.plan.first_variant.name

    @property
    def keys(self) -> int:
        """Number of keys with a step."""
        return len({step.key for step in self.steps})


def plan_sensitivity(asked: Sensitivity) -> tuple[list[Step], Plan]:
    """Return the steps, and the plan that plays each of them on the deals of the start variant."""
    plan = make_plan(_of_start(asked.experiment), asked.folder, asked.where)
    start, players = plan.experiment.variants[0], plan.experiment.players
    steps = list_steps(plan.game, start, players, asked.keys, asked.folder)
    if not steps and not has_keys(plan.game):
        raise BalanceError(tr("{game} has no rule keys, so no rule can change", game=plan.game.title))
    if not steps:
        raise BalanceError(tr("--keys: none of these keys has a step that the game accepts at these player counts"))
    return steps, replace(plan, variants=[plan.first_variant, *(step.variant for step in steps)])


def _of_start(experiment: Experiment) -> Experiment:
    """Return the experiment with its first variant and first tier alone, and nothing that only a run needs."""
    left_out: dict[str, Any] = {
        "sweep": {},
        "stop": None,
        "targets": [],
        "luck": 0,
        "trace": 0,
        "adapt": 0,
        "question": "",
    }
    tiers = [tier.model_copy(update={"luck": None, "adapt": 0}) for tier in experiment.tiers[:1]]
    return experiment.model_copy(
        update={**left_out, "variants": experiment.variants[:1], "tiers": tiers, "log": "rounds"}
    )


def play_sensitivity(
    asked: Sensitivity, folder: Path, progress: Progress = SILENCE, workers: Workers | None = None
) -> SensitivityGames:
    """Play all steps into a folder, or resume the run there; a finished run is only read.

    `workers` play the games; None for a thread on each core.
    """
    steps, plan = plan_sensitivity(asked)  # reports all mistakes before the first game
    chosen = choose_measures(plan, asked.measures, apart=True)
    if any(measure.is_followed for measure in chosen):
        check_followed(plan)
    return SensitivityGames(steps, chosen, play_or_resume(plan, folder / "steps", progress, workers))


@dataclass(frozen=True)
class Effects:
    """What the steps of a sensitivity analysis move."""

    games: SensitivityGames
    table: pd.DataFrame  # of `read_effects`


def find_effects(
    asked: Sensitivity, folder: Path, progress: Progress = SILENCE, workers: Workers | None = None
) -> Effects:
    """Play all steps as `play_sensitivity`, and return what they move."""
    games = play_sensitivity(asked, folder, progress, workers)
    return Effects(games, read_effects(games, progress, workers))


_LARGEST = 99.0  # standard deviations; also of an effect on a measure that is the same in every deal


def read_effects(games: SensitivityGames, progress: Progress = SILENCE, workers: Workers | None = None) -> pd.DataFrame:
    """Return what each step moves, the largest shown effects first; `workers` look closer at games if measures need it.

    Returns
    -------
    DataFrame
        The columns of `balance.analysis.compare.read_pairs`, with intervals and verdicts that hold together
        over all rows. In addition ``key``, ``step`` (such as ``8 to 9``), ``direction``; ``quoted``, the effect
        shrunk for selection by size (`balance.analysis.compare.shrink_effects`); and ``size``, the quoted effect in
        standard deviations of the baseline between deals, at most `_LARGEST`, 0 for an effect that is not shown.
        Ordered by player count and size.
    """
    plan = games.run.plan
    questions = pair_questions(games.baseline, games.measures)
    answers = gather(games.run, [*(each for each in questions if not each.is_apart), Played()], progress)
    closer = Closer(plan, look_closer(plan, games.measures, workers, progress), games.baseline)
    answers |= closer.answers(questions)
    for line in closer.why_missing:
        progress.tell(line)
    effects = read_pairs(plan, questions, answers)
    steps = {step.variant.name: step for step in games.steps}
    found = [steps[name] for name in effects["variant"]]
    quoted = shrink_effects(effects)
    size = size_in_deviations(effects, quoted)
    table = widen_effects(effects).assign(
        key=[step.key for step in found],
        step=[step.change for step in found],
        direction=[step.direction for step in found],
        quoted=quoted,
        size=np.where(effects["verdict"].isin(SHOWN), np.minimum(size, _LARGEST), 0.0),
    )
    return table.sort_values(["players", "size"], ascending=[True, False], kind="stable", ignore_index=True)


def _write_chapter(found: Effects) -> Chapter:
    games, effects = found.games, found.table
    first = {measure.name for measure in _first_measures(games)}
    charts = [_charts(measure, effects, measure.name not in first) for measure in games.measures]
    sections = [_overview(found), *charts, _matrix(found), played.write_alone(games.run)]
    subtitle = tr(
        "Sensitivity of {rules}, played by {names}; rule keys: {keys}, steps: {steps}",
        rules=games.baseline, steps=len(games.steps), keys=games.keys,
        names=", ".join(strategy.name for strategy in games.run.plan.strategies),
    )  # fmt: skip
    return Chapter(games.run.plan.game.title, subtitle, [*filter(None, sections)])


def _first_measures(games: SensitivityGames) -> list[Measure]:
    """Return the measures that designers ask about first; all if none of these was played."""
    plan = games.run.plan
    judged = {row.measure for row in find_rows(plan)} | ({"score"} if not plan.game.sides.has_wins else set())
    others = {measure.name for measure in all_measures(plan.game)} - {*judged, "margin"}
    return [measure for measure in games.measures if measure.name not in others] or games.measures


def _overview(found: Effects) -> Section:
    games, effects = found.games, found.table
    lines = [line for measure in _first_measures(games) for line in _largest(measure, effects)]
    moved = set(effects.loc[effects["size"] > 0, "measure"])
    if unmoved := [tr(measure.label) for measure in games.measures if measure.name not in moved]:
        lines.append(tr("No step is shown to move: {measures}.", measures=", ".join(unmoved)))
    return Section("moves", tr("What moves what"), _how_to_read(found), notes=lines)


def _how_to_read(found: Effects) -> list[str]:
    """Return what an effect is, how sure it is, and for whom it holds."""
    games = found.games
    who = listed([strategy.name for strategy in games.run.plan.strategies])
    return [
        tr(
            "Each rule key goes one step down and up, alone, on the deals of {rules}. An effect is the mean difference "
            "between the two games of a pair.",
            rules=games.baseline,
        ),
        tr(
            "All {n:,} intervals hold together with 95 % confidence. The effects are shrunk a little, because they are "
            "chosen for their size.",
            n=len(found.table),
        ),
        tr(
            "Played by {strategies}, without adapting to the changed rules. Play a promising step with other "
            "strategies before you change the game.",
            strategies=who,
        ),
    ]


def _largest(measure: Measure, effects: pd.DataFrame) -> Iterator[str]:
    """Yield a line for each group of a measure that is moved: the largest steps at each player count."""
    found = effects[(effects["measure"] == measure.name) & (effects["size"] > 0)]
    for group, cell in found.groupby("group"):
        counts = [
            trn(
                "with {n} player, from {level}: {steps}",
                "with {n} players, from {level}: {steps}",
                players,
                level=write_number(float(part["baseline"].iloc[0]), ".3g"),
                steps=", ".join(
                    f"{row.key} {tr(row.step)} ({signed(row.quoted)})" for row in part.head(_NAMED).itertuples()
                ),
            )
            for players, part in cell.groupby("players")
        ]
        yield f"{capital(label_of(measure, str(group)))}: {'; '.join(counts)}."


def _charts(measure: Measure, effects: pd.DataFrame, folded: bool) -> Section | None:
    """Return a tornado chart for each group of a measure that any step is shown to move; None if there is none."""
    found = effects[effects["measure"] == measure.name]
    figures = [figure for group, part in found.groupby("group") if (figure := _chart(measure, str(group), part))]
    if not figures:
        return None
    shown = found.assign(value=found["quoted"], measure=[name_of(measure, group) for group in found["group"]])
    caption = tr("Effects of every step: {measure}.", measure=tr(measure.label))
    tables = [side_by_side(measure.name, caption, shown, ["measure", "key", "step"])]
    headlines = [Headline(line) for line in _largest(measure, effects)] if folded else []
    title, text = capital(tr(measure.label)), [tr(measure.meaning)]
    return Section(measure.name, title, text, headlines, figures=figures, tables=tables, rest=folded)


def _chart(measure: Measure, group: str, part: pd.DataFrame) -> Figure | None:
    """Return the keys that move a measure most, all their steps included."""
    sizes = part[part["size"] > 0].groupby("key")["size"].max()
    keys = list(sizes.sort_values(ascending=False, kind="stable").index[:_BARS])
    if not keys:
        return None
    rows = part[part["key"].isin(keys)].sort_values("key", key=lambda names: names.map(keys.index), kind="stable")
    name, label = f"{measure.name}-{group}".rstrip("-"), label_of(measure, group)
    return draw_tornado(
        name, tr("What moves {measure}.", measure=label), rows, tr("change of {measure}", measure=label)
    )


def _matrix(found: Effects) -> Section | None:
    """Return steps by measures for each player count: the shown effects, in standard deviations between deals."""
    games, effects = found.games, found.table
    measures = {measure.name: measure for measure in games.measures}
    shown = effects[effects["size"] > 0]
    if shown.empty:
        return None
    shown = shown.assign(
        label=[name_of(measures[row.measure], row.group) for row in shown.itertuples()],
        moved=np.sign(shown["quoted"]) * shown["size"],
        row=shown["key"] + " " + shown["step"].map(tr),
    )
    tables = []
    for players, part in shown.groupby("players"):
        wide = part.pivot(index="row", columns="label", values="moved")
        wide = wide.loc[part["row"].unique(), part["label"].unique()].reset_index(names=N_("step"))
        caption = trn(
            "{n} player: shown effects, in standard deviations of the measure between deals.",
            "{n} players: shown effects, in standard deviations of the measure between deals.",
            players,
        )
        formats = dict.fromkeys(wide.columns[1:], "+.1f")
        tables.append(Table("matrix", caption, wide, formats, effects, middle=0.0))
    return Section("matrix", tr("Steps and measures"), tables=tables)


_STEPS = 3  # lines for each figure on the terminal
_SHOWN = {"measure": NAME, N_("key"): NAME, "step": TEXT, N_("effect"): ESTIMATE}


def _write_brief(found: Effects) -> Iterator[Brief | str]:
    """Yield the steps that move seats, factions, comebacks and length most, at each player count."""
    games, effects = found.games, found.table
    for players, part in effects.assign(value=effects["quoted"]).groupby("players"):
        rows = [
            (name_of(measure, str(group)), row.key, row.step, write_change(row))
            for measure in _first_measures(games)
            for group, cell in part[part["measure"] == measure.name].groupby("group")
            for row in cell[cell["size"] > 0].head(_STEPS).itertuples()
        ]
        if not rows:
            yield trn(
                "{n} player: none of {steps} steps is shown to move {measures}, n ≥ {least:,}",
                "{n} players: none of {steps} steps is shown to move {measures}, n ≥ {least:,}",
                players, steps=len(games.steps), least=int(part["n"].min()),
                measures=listed([tr(measure.label) for measure in _first_measures(games)]),
            )  # fmt: skip
            continue
        caption = trn(
            "{n} player: the largest shown effects of {steps} steps, n ≥ {least:,}",
            "{n} players: the largest shown effects of {steps} steps, n ≥ {least:,}",
            players, steps=len(games.steps), least=int(part["n"].min()),
        )  # fmt: skip
        yield Brief(Table("steps", caption, pd.DataFrame(rows, columns=[*_SHOWN])), _SHOWN)
    yield from _how_to_read(found)


STUDY = Study(
    "sensitivity", N_("sensitivity: {path}"), find_effects, _write_brief, lambda found: found.table, _write_chapter
)
