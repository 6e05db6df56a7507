"""The page of a tuning study: the recommended change, targets before and after, and the Pareto front."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from matplotlib import rc_context

from balance.experiments.measures import measures_of
from balance.experiments.targets import show_targets
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.text import ESTIMATE, NUMBER, TEXT, listed
from balance.report.figures.sheet import STYLE, finish, sheet
from balance.report.figures.theme import INK, PALETTE
from balance.report.kit import write_verdicts
from balance.report.model import Chapter, Figure, Headline, Section, Table
from balance.report.sections import played
from balance.report.words import name_group, name_of, smallest_n, write_change, write_estimate, write_range
from balance.studies.study import Brief, Study
from balance.studies.tune import (
    STUDY_FILE,
    TuneResults,
    before_after,
    find_conflicts,
    find_unreachable,
    front_table,
    is_nearer,
    missed,
    moved_else,
    nearest,
    play_tuning,
    variant_files,
    write_variants,
)

_NAMED = 4  # missed checks in a sentence
_ALL = {"pass": N_("met"), "fail": N_("missed"), "undecided": N_("not enough games")}


def _write_chapter(results: TuneResults) -> Chapter:
    sections = [_answer(results)]
    if results.finalists:
        number = _quoted(results)
        sections += [_targets(results, number), _else(results, number), _front(results)]
    title = results.tuning.game.title
    subtitle = results.run.plan.experiment.question or tr("Tuning of {rules}", rules=results.start)
    return Chapter(title, subtitle, [*sections, played.write_alone(results.run)])


def _quoted(results: TuneResults) -> int:
    """Return the finalist that the page is about: the recommended one, or else the nearest."""
    return nearest(results) if results.recommended is None else results.recommended


_NOTHING_FOUND = {
    "pass": N_("Nothing to change: {rules} meets every target on held-out deals ({who}; {games})."),
    "undecided": N_("{rules} met every target in the search; the held-out games don't settle it ({who}; {games})."),
    "fail": N_("{rules} met every target in the search, but misses one on held-out deals ({who}; {games})."),
}


def write_answer(results: TuneResults) -> list[str]:
    """Return the result in sentences, the most important first."""
    who = listed([tier.name for tier in results.run.plan.tiers])
    games = smallest_n(results.checks)
    if not results.finalists:
        words = _NOTHING_FOUND[results.verdict_of(results.start)]
        return [tr(words, rules=results.start, who=who, games=games)]
    number = _quoted(results)
    change = results.tuning.space.write(results.finalists[number])
    many = len(results.finalists[number])
    verdict = results.verdict_of(results.names[number])
    if results.recommended is None:
        return [_nearest(results, number, change), *_against(results, number)]
    if verdict == "pass":
        return [
            trn(
                "{n} change meets every target: {change} ({who}; {games} on held-out deals).",
                "{n} changes meet every target: {change} ({who}; {games} on held-out deals).",
                many, change=change, who=who, games=games,
            )
        ]  # fmt: skip
    checks = before_after(results, number)["verdict"]
    return [
        trn(
            "{n} change is not shown to miss a target: {change}. It passes {met} of {checks} checks; the others need "
            "more games ({who}; {games} on held-out deals).",
            "{n} changes are not shown to miss a target: {change}. They pass {met} of {checks} checks; the others need "
            "more games ({who}; {games} on held-out deals).",
            many, change=change, met=int((checks == "pass").sum()), checks=len(checks), who=who, games=games,
        )
    ]  # fmt: skip


def _nearest(results: TuneResults, number: int, change: str) -> str:
    """Return that no variant meets all targets, and whether a finalist is at least nearer than the start variant."""
    many = len(results.finalists[number])
    if is_nearer(results, number):
        return trn(
            "No variant in these ranges is shown to meet all targets. Nearest, with {n} change: {change}.",
            "No variant in these ranges is shown to meet all targets. Nearest, with {n} changes: {change}.",
            many, change=change,
        )  # fmt: skip
    return trn(
        "No variant in these ranges is nearer to the targets than {rules}. Best of the others, with {n} change: "
        "{change}.",
        "No variant in these ranges is nearer to the targets than {rules}. Best of the others, with {n} changes: "
        "{change}.",
        many, change=change, rules=results.start,
    )  # fmt: skip


def _against(results: TuneResults, number: int) -> list[str]:
    """Return what stands against meeting all targets."""
    assert results.ranking is not None
    shown = show_targets(results.tuning.targets)
    lines = [
        tr(
            "These targets conflict: {one}; {other}. Each can be met alone, but no candidate meets both.",
            one=shown[one],
            other=shown[other],
        )
        for one, other in find_conflicts(results.goals, results.ranking)
    ]
    lines += [
        tr("No candidate meets this target: {name}.", name=shown[name])
        for name in find_unreachable(results.goals, results.ranking)
    ]
    measures = {measure.name: measure for measure in results.tuning.measures}
    rows = missed(results, number)
    parts = [
        trn(
            "{measure} with {n} player {value:.1f} ({low:.1f} to {high:.1f}, {tier})",
            "{measure} with {n} players {value:.1f} ({low:.1f} to {high:.1f}, {tier})",
            row.players,
            measure=name_of(measures[row.measure], str(row.group)),
            value=row.value,
            low=row.low,
            high=row.high,
            tier=row.tier,
        )
        for row in rows.head(_NAMED).itertuples()
    ]
    if parts:
        more = len(rows) - len(parts)
        parts += [trn("{n} more", "{n} more", more)] if more else []
        lines.append(tr("It misses {checks}.", checks=listed(parts)))
    return lines


def _answer(results: TuneResults) -> Section:
    tune, plan = results.tuning.tune, results.run.plan
    quick = listed([each.name for each in results.tuning.searchers])
    lines = [
        tr(
            "The search played about {games:,} games with {strategies}, and changed at most {changes} of {values} "
            "values. Its own figures are not quoted here, because the candidates were chosen by them.",
            games=tune.games,
            strategies=quick,
            changes=tune.changes,
            values=len(results.tuning.space.parameters),
        ),
        tr(
            "The held-out games were played by {tiers} on deals that the search did not use. Intervals hold together "
            "with 95 % confidence in each tier.",
            tiers=listed([tier.name for tier in plan.tiers]),
        ),
    ]
    if results.finalists:
        lines.append(
            tr(
                "The variant is the file {file}. Next: {report} for the whole report, or {dashboard} for every "
                "candidate of the search.",
                file=variant_files(results)[_quoted(results)],
                report="balance report runs/held-out",
                dashboard=f"optuna-dashboard sqlite:///runs/{STUDY_FILE}",
            )
        )
    tables = [_finalists(results)] if results.finalists else []
    first, *others = write_answer(results)
    return Section("answer", tr("What to change"), lines, [Headline(first)], notes=others, tables=tables)


def _finalists(results: TuneResults) -> Table:
    """Return the finalists in the order of the search, with their verdicts on held-out deals."""
    table = pd.DataFrame(
        {
            N_("changes"): [len(each) for each in results.finalists],
            N_("rules"): [results.tuning.space.write(each) for each in results.finalists],
            N_("all targets"): [_ALL[results.verdict_of(name)] for name in results.names],
            N_("file"): variant_files(results),
        }
    )
    return Table("finalists", tr("Finalists, in the order of the search."), table, {"changes": ".0f"})


def _targets(results: TuneResults, number: int) -> Section:
    """Return every target before and after the change."""
    rows = before_after(results, number)
    measures = {measure.name: measure for measure in results.tuning.measures}
    table = pd.DataFrame(
        {
            N_("target"): rows["target"].map(show_targets(results.tuning.targets)),
            "players": rows["players"],
            N_("group"): [name_group(measures[row.measure], str(row.group)) for row in rows.itertuples()],
            N_("tier"): rows["tier"],
            "before": [
                write_range(*(write_number(each, ".1f") for each in (r.before, r.before_low, r.before_high)))
                for r in rows.itertuples()
            ],
            "after": [write_estimate(row) for row in rows.itertuples()],
            "verdict": write_verdicts(rows),
            "n": rows["n"],
        }
    )
    if (table["group"] == "").all():
        table = table.drop(columns="group")
    caption = tr("Targets on held-out deals, {rules} before, and after the change.", rules=results.start)
    return Section(
        "targets", tr("Targets before and after"), tables=[Table("targets", caption, table, {"n": ","}, rows)]
    )


def _else(results: TuneResults, number: int) -> Section:
    rows = moved_else(results, number)
    if rows.empty:
        return Section("else", tr("What else moves"), [tr("No other measure is shown to move.")])
    measures = {measure.name: measure for measure in measures_of(results.run.plan)}
    table = pd.DataFrame(
        {
            N_("measure"): [name_of(measures[row.measure], str(row.group)) for row in rows.itertuples()],
            "players": rows["players"],
            "before": rows["baseline"],
            N_("change"): [write_change(row, 2) for row in rows.rename(columns={"effect": "value"}).itertuples()],
            "n": rows["n"],
        }
    )
    tier = results.run.plan.tier.name
    text = [tr("Measures without a target that the change is shown to move, by {tier} on the same deals.", tier=tier)]
    return Section(
        "else", tr("What else moves"), text,
        tables=[Table("else", tr("Other effects, the best shown first."), table, {"before": ".2f", "n": ","}, rows)],
    )  # fmt: skip


def _front(results: TuneResults) -> Section:
    front = front_table(results)
    numbered = front.assign(number=range(len(front)))[
        [N_("number"), "changes", N_("steps"), N_("distance"), "chance", "rules"]
    ].rename(columns={"chance": N_("chance of all, %")})
    text = [
        tr(
            "The nearest candidate with each number of changed values. Distance is that of the worst target: 1 is as "
            "far as the start variant or, for a target that it meets, half the width of the range."
        ),
        tr("These figures are from the search; the chance is an estimate from its games and a model of the effects."),
    ]
    formats = {"distance": ".2f", "chance of all, %": ".0f"}
    tables = [Table("front", tr("Pareto front of the search."), numbered, formats)]
    return Section("front", tr("Fewer changes or nearer"), text, figures=[_draw(results, front)], tables=tables)


def _draw(results: TuneResults, front: pd.DataFrame) -> Figure:
    """Draw all candidates by changes and distance, the front as a numbered line."""
    ranking = results.ranking
    assert ranking is not None
    with rc_context(STYLE):
        drawing, axes = sheet(1, 1, (6.2, 3.4), layout="constrained")
        axis = axes[0, 0]
        top = 1.5 * max(1.0, float(front["distance"].max()))
        shown = ranking.distance <= top
        spread = ((ranking.steps * 0.618) % 1 - 0.5) * 0.5
        axis.scatter(
            (ranking.changes + spread)[shown], ranking.distance[shown], s=9, color=PALETTE[6], alpha=0.5,
            linewidths=0, label=tr("candidate"),
        )  # fmt: skip
        axis.plot(front["changes"], front["distance"], "-o", color=PALETTE[0], label=tr("Pareto front"))
        for number, row in enumerate(front.itertuples()):
            axis.annotate(str(number), (row.changes, row.distance), (5, 5), textcoords="offset points")
        axis.axhline(0, color=INK, linewidth=1)
        axis.set_ylim(-0.05 * top, top)
        axis.set_xticks(range(int(ranking.changes.max()) + 1))
        axis.set_xlabel(tr("changed values"))
        axis.set_ylabel(tr("distance of the worst target"))
        caption = tr("Candidates by number of changes and distance to the targets.")
        points = trn(
            "{n} point on the Pareto front; the table has them.",
            "{n} points on the Pareto front; the table has them.",
            len(front),
        )
        alt = f"{caption} {points}"
        return finish(drawing, "front", caption, alt, axis.get_legend_handles_labels()[0])


_SHOWN = {
    "players": NUMBER, "group": TEXT, "tier": TEXT, N_("before"): NUMBER, N_("after"): ESTIMATE, "verdict": TEXT,
    "n": NUMBER,
}  # fmt: skip


def _write_brief(results: TuneResults) -> Iterator[Brief | str]:
    """Yield every target before and after, and what to change."""
    if results.finalists:
        measures = {measure.name: measure for measure in results.tuning.measures}
        shown = show_targets(results.tuning.targets)
        rows = before_after(results, _quoted(results))
        groups = [name_group(measures[row.measure], str(row.group)) for row in rows.itertuples()]
        rows = rows.assign(group=groups, after=[write_estimate(row) for row in rows.itertuples()])
        for target, block in rows.groupby("target", sort=False):
            caption = tr("{target}, held-out deals", target=shown[target])
            yield Brief(Table("targets", caption, block[[*_SHOWN]], {"before": ".1f", "n": ","}), _SHOWN)
    yield from write_answer(results)


STUDY = Study(
    "tune",
    N_("tune: {path}"),
    play_tuning,
    _write_brief,
    lambda results: results.checks,
    _write_chapter,
    write_variants,
)
