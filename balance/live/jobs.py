"""What the page starts with one click, such as stronger players, a run with its report, or a closer look."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from balance.analysis.verdicts import CellVerdicts
from balance.experiments.command import run_words
from balance.experiments.experiment import make_experiment
from balance.experiments.measures import apart_measures, choose_measures
from balance.experiments.networks import EXPERT, has_expert, strongest_searcher
from balance.experiments.planning import make_plan
from balance.experiments.rule_steps import is_number, size_of_step, with_sources
from balance.experiments.variants import Variant, load_changed
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.progress import Progress
from balance.live.arms import ArmStore, Settings, Stop, experiment_keys
from balance.live.draft import Draft
from balance.live.runs import new_folder, write_new_report
from balance.live.shown import ask_variants, find_differences, make_grid, read_cells, render
from balance.report.row import find_rows
from balance.report.screen import write_word
from balance.report.words import name_of, write_change, write_estimate, write_range
from balance.studies.arms import BEFORE, CHANGE, NOW, Line, games_in, with_games

if TYPE_CHECKING:
    import pandas as pd

    from balance.runs.folder import RunFolder

_ITERATIONS = 25
EXPERT_GAMES, SEARCH_GAMES = 2_000, 400
_SEARCH_SECONDS = 15.0
STEP_GAMES = 400
_MOST_RUN_GAMES = 1_000_000
_SHOWN_STEPS = 8
_CELLS_STAGE = 2  # of `balance.live.arms.STAGES`; enough games for verdicts in seconds
_VALUES, VALUE_GAMES = 4, 2_000
_STEP_HEAD = (N_("key"), N_("step"), N_("players"), N_("change"))
LOOK_GAMES = 1_000
_LOOK_HEAD = (N_("players"), N_("measure"), BEFORE, NOW, CHANGE)
_VALUE_HEAD = (N_("value"), N_("players"), N_("mean"), N_("target"))


@dataclass(frozen=True)
class JobContext:
    """What a job works with, and how it reports.

    Attributes
    ----------
    draft : Draft
        A copy of the draft when the job was asked for; later changes do not reach it.
    before, now : Variant
        The baseline and the rules of that draft.
    store : ArmStore
        The games with the strategies of the page.
    cells : CellVerdicts or None
        The verdicts on these two variants that the page shows; None if it shows those of other rules, or none yet.
    """

    settings: Settings
    draft: Draft
    before: Variant
    now: Variant
    store: ArmStore
    cells: CellVerdicts | None
    stop: Stop
    publish: Callable[[str], None]
    status: Callable[..., None]
    pages: dict[str, Path]

    def progress(self, what: str) -> Progress:
        """Return progress that shows on the page and stops when the page asks."""
        return _JobProgress(self, what)


class _JobProgress(Progress):
    def __init__(self, context: JobContext, what: str) -> None:
        self._context, self._what, self._last = context, what, -1

    def advance(self, done: int, planned: int) -> None:
        self._context.stop.advance(done, planned)
        percent = 100 * done // max(1, planned)
        if percent != self._last:
            self._last = percent
            text = tr("{what}: {done:,} of {all:,} games", what=self._what, done=done, all=planned)
            self._context.status(text, busy=True)

    def note(self, what: str) -> None:
        self._context.stop.advance(0, 0)
        self._context.status(f"{self._what}: {what}", busy=True)


Job = Callable[[JobContext, Mapping[str, Any]], None]


def judge_strong(context: JobContext, body: Mapping[str, Any]) -> None:
    """Judge both variants with experts, then with searchers, and say where their verdicts differ."""
    settings, found = context.settings, []
    cells = cells_of(context)
    names = [EXPERT] if has_expert(settings.game, settings.players) else []
    for name in [*names, strongest_searcher(settings.game, settings.players, _ITERATIONS)]:
        progress = context.progress(name)
        plan = settings.plan(context.before, [name])
        games = EXPERT_GAMES
        if plan.tier.iterations:
            most = with_games(plan, SEARCH_GAMES)
            games = games_in(most, _SEARCH_SECONDS, SEARCH_GAMES, settings.workers, progress)
        store = ArmStore(plan, settings.workers, (games,))
        comparison = ask_variants(store, context.before, context.now, 0, progress)
        verdicts = read_cells(comparison)
        differ = list(find_differences(cells, verdicts, comparison.plan))
        found.append({"name": name, "games": games, "grid": make_grid(comparison, verdicts), "differ": differ})
        context.publish(render("jobs.html.jinja", kind="strong", tiers=found, compared=bool(cells)))


def cells_of(context: JobContext) -> CellVerdicts:
    """Return the verdicts of the page's strategies on the rules of the job; play them if the page shows others."""
    if context.cells is not None:
        return context.cells
    stage = min(_CELLS_STAGE, len(context.store.stages) - 1)
    progress = context.progress(tr("first verdicts"))
    return read_cells(ask_variants(context.store, context.before, context.now, stage, progress))


def play_run(context: JobContext, body: Mapping[str, Any]) -> None:
    """Save the variant, play it next to the start as an experiment, and write the report and two replays."""
    from balance.runs.cluster import open_workers
    from balance.studies.playing import play_plan

    settings = context.settings
    games = _whole_number(body, "games", _MOST_RUN_GAMES)
    if not context.draft.state.values:
        raise BalanceError(tr("change a rule first: a run compares the changed rules with the start"))
    saved = context.draft.save(settings.out)
    variants = [settings.variant, str(saved)]
    words = run_words(settings.game.name, settings.players, variants, settings.strategies, games)
    words += ["--seed", str(settings.seed + 1), "--log", "rounds"]
    folder = new_folder(settings.out / "runs", saved.stem)
    command = shlex.join(["balance", *words, "--out", str(folder)])
    context.publish(render("jobs.html.jinja", kind="run", command=command, links=[]))
    keys = experiment_keys(settings.game, variants, settings.players, settings.strategies, games, settings.seed + 1)
    plan = make_plan(make_experiment(keys), Path(), "balance live")
    with open_workers(threads=settings.workers) as workers:
        run = play_plan(plan, folder, workers, context.progress(tr("run")))
    context.status(tr("run: writing the report"), busy=True)
    page = write_new_report(run, settings.out / "reports", folder.name)
    links = [(tr("Report"), _serve(context, page)), *_write_replays(context, run, page.parent, saved.stem)]
    context.publish(render("jobs.html.jinja", kind="run", command=command, links=links))


def _write_replays(context: JobContext, run: RunFolder, out: Path, variant: str) -> list[tuple[str, str]]:
    """Write a typical and the closest game of the changed rules; return their titles and addresses."""
    from balance.analysis.notable import TITLES, find_notable
    from balance.report.replay import open_replay
    from balance.report.replay.page import write_replay

    links = []
    for kind in ("typical", "closest"):
        found = find_notable(run, kind, [variant], None)
        path = out / f"{kind}.html"
        with tempfile.TemporaryDirectory() as scratch:
            write_replay(open_replay(run.path, found.game_id, Path(scratch)), path, found)
        links.append((tr(TITLES[kind]), _serve(context, path)))
    return links


def _serve(context: JobContext, page: Path) -> str:
    """Return the address of a written page, relative to the live page."""
    name = f"{len(context.pages)}-{page.stem}"
    context.pages[name] = page
    return f"pages/{name}"


def find_others(context: JobContext, body: Mapping[str, Any]) -> None:
    """Play every rule key one step down and up from the draft, and list those that move a measure most."""
    from balance.runs.cluster import open_workers
    from balance.studies.sensitivity import Sensitivity, play_sensitivity, read_effects

    settings, (name, group) = context.settings, _measure_of(body)
    with tempfile.TemporaryDirectory() as scratch:
        start = Path(scratch) / f"{context.draft.state.name}.toml"
        start.write_text(context.draft.write(start.parent), encoding="utf-8")
        keys = experiment_keys(
            settings.game, [str(start)], settings.players, settings.strategies, STEP_GAMES, settings.seed
        )
        asked = Sensitivity(make_experiment(keys), measures=(name,), where="balance live")
        with open_workers(threads=settings.workers) as workers:
            progress = context.progress(tr("steps"))
            games = play_sensitivity(asked, Path(scratch) / "runs", progress, workers)
            effects = read_effects(games, progress, workers)
    rows = largest_steps(effects[effects["group"].astype(str) == group])
    title = tr("What else moves {measure}", measure=name_of(games.measures[0], group))
    note = trn(
        "{n} step of {keys} keys, {games} games each; the largest shown changes",
        "{n} steps of {keys} keys, {games} games each; the largest shown changes",
        len(games.steps),
        keys=games.keys,
        games=STEP_GAMES,
    )
    table = {"title": title, "head": _STEP_HEAD, "rows": rows, "note": note}
    context.publish(render("jobs.html.jinja", kind="table", **table, empty=tr("No step is shown to move it.")))


def largest_steps(effects: pd.DataFrame) -> list[tuple[str, str, int, str]]:
    """Return the largest shown effects of all player counts: key, step, players, and the shrunk effect."""
    shown = effects[effects["size"] > 0].sort_values("size", ascending=False, kind="stable")
    return [
        (row.key, row.step, row.players, write_change(row, 2).replace("-", "−"))
        for row in shown.assign(value=shown["quoted"]).head(_SHOWN_STEPS).itertuples()
    ]


def _measure_of(body: Mapping[str, Any]) -> tuple[str, str]:
    """Return the name of a measure and, after a colon, its group, such as a seat; "" for none."""
    name, _, group = str(body.get("measure", "")).partition(":")
    return name, group


def find_value(context: JobContext, body: Mapping[str, Any]) -> None:
    """Play several values of one key, and show at which values a measure meets a target."""
    settings, draft = context.settings, context.draft
    name, target = str(body.get("key", "")), _number(body, "target")
    values = _values_near(draft, name)
    store = ArmStore(settings.plan(context.now), settings.workers, (VALUE_GAMES,))
    asked, group = _measure_of(body)
    (measure,) = choose_measures(store.plan, [asked], apart=True)
    title = tr("{key} for {measure} {target:g}", key=name, measure=name_of(measure, group), target=target)
    rows: list[tuple[str, int, str, str]] = []
    for label, value in values:
        try:
            variant = with_value(draft, name, value, label)
        except BalanceError:
            continue  # rules that can't be played
        progress, measures = context.progress(f"{name} = {label}"), [asked]
        table = ask_variants(store, variant, variant, 0, progress, measures).table
        for row in table[(table["measure"] == asked) & (table["group"] == group)].itertuples():
            hit = tr("in the interval") if row.low <= target <= row.high else ""
            rows.append((label, row.players, write_estimate(row, 2), hit))
        rows.sort(key=itemgetter(1))  # the values of a player count stay in order
        _publish_values(context, title, rows)
    if not rows:
        _publish_values(context, title, rows)


def _publish_values(context: JobContext, title: str, rows: Sequence[tuple[str, int, str, str]]) -> None:
    note = trn(
        "{n:,} game each. Confirm a value with a run, which plays other deals.",
        "{n:,} games each. Confirm a value with a run, which plays other deals.",
        VALUE_GAMES,
    )
    table = {"title": title, "head": _VALUE_HEAD, "rows": rows, "note": note}
    context.publish(render("jobs.html.jinja", kind="table", **table, empty=tr("No value of this key can be played.")))


def look_closer(context: JobContext, body: Mapping[str, Any]) -> None:
    """Look closer at the first games of both variants: hope, waiting, contact, kingmaking, and options in use."""
    names = list(apart_measures(context.settings.game))
    traced = context.store.plan.experiment.model_copy(update={"trace": LOOK_GAMES})
    store = ArmStore(replace(context.store.plan, experiment=traced), context.settings.workers, (LOOK_GAMES,))
    comparison = ask_variants(store, context.before, context.now, 0, context.progress(tr("a closer look")), names)
    rows = {row.name for row in find_rows(comparison.plan) if row.looks_closer}
    verdicts = {place: verdict for place, verdict in read_cells(comparison).items() if place.row in rows}
    table = [
        (players, line.label, *(_write_side(line, side) for side in (BEFORE, NOW, CHANGE)))
        for players, lines in comparison.lines().items()
        for line in lines
        if line.measure.name in names
    ]
    note = trn("{n:,} game at each player count", "{n:,} games at each player count", LOOK_GAMES)
    context.publish(
        render(
            "jobs.html.jinja", kind="closer", grid=make_grid(comparison, verdicts) if verdicts else None,
            title=tr("A closer look"), head=_LOOK_HEAD, rows=table, note="; ".join([note, *comparison.notes]),
            empty=tr("There is nothing to see."),
        )
    )  # fmt: skip


def _write_side(line: Line, side: str) -> str:
    """Return a figure with its interval and word; "" for a side without one."""
    if side not in line.sides:
        return ""
    return f"{write_range(*line.write(side))} {write_word(line.sides[side].verdict)}".rstrip()


def _values_near(draft: Draft, name: str) -> list[tuple[str, Any]]:
    """Return labels and values of a key around its current one, within its limits."""
    if name not in draft.keys:
        raise BalanceError(tr("no rule key is called {name!r}", name=name))
    key, current = draft.keys[name], draft.contents(name)
    numbers = list(current.values()) if isinstance(current, Mapping) else [current]
    if not all(is_number(each) for each in numbers):
        raise BalanceError(tr("{key}: choose a key whose value is a number", key=name))
    size, allowed = size_of_step(numbers[0]), key.allowed
    found = []
    for step in range(-_VALUES, _VALUES + 1):
        moved = [each + step * size for each in numbers]
        if any(allowed.least is not None and each < allowed.least for each in moved):
            continue
        if any(allowed.most is not None and each > allowed.most for each in moved):
            continue
        value = dict(zip(current, moved, strict=True)) if isinstance(current, Mapping) else moved[0]
        found.append((", ".join(write_number(each, "g") for each in moved), value))
    return found


def with_value(draft: Draft, name: str, value: Any, label: str) -> Variant:
    """Return the draft's variant with a key set to a value, written as `label`."""
    changes = with_sources({**draft.state.values, name: value}, draft.names)
    return load_changed(draft.game, draft.start_name, changes, Path(), f"{name} = {label}", name)


def _number(body: Mapping[str, Any], key: str) -> float:
    try:
        return float(body.get(key, ""))
    except (TypeError, ValueError):
        given = f"{body.get(key)!r:.40}"
        raise BalanceError(tr("{key}: must be a number, got {given}", key=key, given=given)) from None


def _whole_number(body: Mapping[str, Any], key: str, most: int) -> int:
    number = _number(body, key)
    if not 0 < number <= most or number != int(number):
        raise BalanceError(tr("{key}: must be a whole number from 1 to {most:,}", key=key, most=most))
    return int(number)


JOB_TITLES = {
    "strong": N_("Strong players"), "run": N_("Play a run"), "others": N_("What else moves"),
    "value": N_("Find a value"), "closer": N_("Look closer"),
}  # fmt: skip
"""The buttons on the page."""
JOBS: Mapping[str, Job] = {
    "strong": judge_strong, "run": play_run, "others": find_others, "value": find_value, "closer": look_closer,
}  # fmt: skip
