"""Tempo: measures of play at every player count, runaway leaders, luck and skill."""

from __future__ import annotations

import pandas as pd

from balance.analysis.cells import cell_questions, read_cell_means
from balance.analysis.gather import Question
from balance.analysis.measures import measures_of
from balance.analysis.tempo import luck_applies, luck_question, read_luck, runaway_question
from balance.experiments import Plan
from balance.report.curves import draw_curves
from balance.report.layout import side_by_side
from balance.report.model import Finding, Section, write_estimate
from balance.runfolder import RunFolder

_LEAST_SHARE = 0.05  # of the games; rounds that fewer reach are not shown
_LUCK = {
    "strategy": "strategy (skill: who plays what, against whom)",
    "seat": "seat",
    "deck": "deck, the same for everybody",
    "deck x seat": "deck x seat (whose turn the cards suit)",
    "deck x strategy": "deck x strategy (whose plan the cards suit)",
    "rest": "rest (who sits where on which deck, other chance)",
}


def questions(plan: Plan) -> dict[str, Question]:
    """Everything that these sections ask of a run."""
    found = dict(cell_questions([m for m in measures_of(plan) if not m.by]))
    if plan.experiment.log != "games":
        found["runaway"] = runaway_question()
    if luck_applies(plan):
        found["luck"] = luck_question()
    return found


def write_tempo(run: RunFolder, answers: dict[str, pd.DataFrame]) -> tuple[list[Section], list[Finding]]:
    """Runaway leaders and luck against skill."""
    sections, found = [], []
    if "runaway" in answers:
        section, findings = _write_runaway(run, answers["runaway"])
        sections.append(section)
        found += findings
    if "luck" in answers and len(luck := read_luck(answers["luck"])):
        section, findings = _write_luck(run, luck)
        sections.append(section)
        found += findings
    return sections, found


def _write_runaway(run: RunFolder, answer: pd.DataFrame) -> tuple[Section, list[Finding]]:
    most = answer.groupby(["players", "variant"])["n"].transform("max")
    data = answer[answer["n"] >= most * _LEAST_SHARE].rename(columns={"clusters": "decks"})
    caption = "Runaway leader: how often the seat that leads alone after a round wins."
    figure = draw_curves(
        "runaway",
        caption,
        data.assign(curve=data["variant"]),
        "round",
        ("round", "win share of the leader, %"),
    )
    table = side_by_side("runaway", f"{caption} Percent.", data, ["variant", "round"])
    text = [
        "The leader has the best score if the game ended then. A curve that is high early tells of a game that "
        "is decided before it ends; one that stays at the fair share, of scores that mean little until the end. "
        f"Rounds that fewer than {100 * _LEAST_SHARE:.0f} % of the games reach are left out.",
    ]
    variant, found = run.plan.variants[0].name, []
    for players, cell in data[data["variant"] == variant].groupby("players"):
        half = (int(cell["round"].max()) + 1) // 2
        row = next(cell[cell["round"] == half].itertuples(), None)
        if row is not None:
            fair = 100 / players
            text_of = (
                f"{variant}: with {players} players the sole leader after round {half} wins "
                f"{write_estimate(row)} % (n = {row.n:,} games; fair is {fair:.1f} %)."
            )
            found.append(Finding(text_of, "tempo", (row.value - fair) / 25))
    return Section("tempo", "Tempo", text, figures=[figure], tables=[table]), found


def _write_luck(run: RunFolder, luck: pd.DataFrame) -> tuple[Section, list[Finding]]:
    shown = luck.assign(source=luck["source"].map(_LUCK))
    table = side_by_side(
        "luck", "What explains the variance of scores, %.", shown, ["variant", "source"], 1
    )
    text = [
        "Every line-up plays each deck in all its rotations, so the variance of scores can be divided among "
        "strategy, seat and deck (two-way random effects; intervals by a jackknife over ten groups of decks). "
        "What is neither strategy nor seat is luck and how plans meet. Where two players share a fixed sum, chance "
        "that has nothing to do with the deck can't be told from the deck's."
    ]
    variant, found = run.plan.variants[0].name, []
    for players, cell in luck[luck["variant"] == variant].groupby("players"):
        row = next(cell[cell["source"] == "strategy"].itertuples())
        found.append(
            Finding(
                f"{variant}: with {players} players the strategies explain {write_estimate(row)} % of the "
                f"variance of scores (n = {row.n:,} scores); the rest is cards, seats and how plans meet.",
                "luck",
                0.4,
            )
        )
    return Section("luck", "Luck and skill", text, tables=[table]), found


def write_counts(run: RunFolder, answers: dict[str, pd.DataFrame]) -> tuple[Section, list[Finding]]:
    """All measures, player counts side by side."""
    measures = [m for m in measures_of(run.plan) if not m.by]
    table = read_cell_means(answers, measures)
    label = {m.name: f"{m.label}, {m.unit}" if m.unit else m.label for m in measures}
    shown = table.assign(measure=table["measure"].map(label))
    text = ["What each measure says, and who proposed it, is in the table of measures below."]
    section = Section(
        "counts",
        "Player counts side by side",
        text,
        tables=[side_by_side("counts", "Means of every measure.", shown, ["variant", "measure"])],
    )
    return section, _count_findings(run, table)


def _count_findings(run: RunFolder, table: pd.DataFrame) -> list[Finding]:
    """Where the player counts differ most in what makes a game."""
    variant = run.plan.variants[0].name
    first = table[table["variant"] == variant]
    if first["players"].nunique() < 2:
        return []
    found = []
    for name, words in (
        ("comeback", "% of winners come from behind"),
        ("minutes", "minutes, estimated"),
    ):
        cells = first[first["measure"] == name]
        if len(cells):
            parts = [f"{write_estimate(row)} with {row.players}" for row in cells.itertuples()]
            text = f"{variant}: {words}: {', '.join(parts)} players (n ≥ {int(cells['n'].min()):,} games each)."
            found.append(Finding(text, "counts", 0.3))
    return found
