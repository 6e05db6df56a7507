"""Rows of the verdict grid: a new one is one file, and no other file asks for a row by its name."""

import ast
import importlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest
from support.runs import plan_of, play

import balance
from balance.analysis.gather import gather
from balance.analysis.target_checks import check_targets
from balance.experiments.targets import Target
from balance.foundation.progress import SILENCE
from balance.live.arms import ArmStore
from balance.live.shown import ask_variants, show
from balance.report import rows, write_report
from balance.report.context import ReportContext
from balance.report.row import find_rows, read_verdicts
from balance.report.section import find_sections, questions_of
from balance.report.summary import write_summary
from balance.runs.folder import RunFolder

ROOT = Path(balance.__file__).parent
OWN = [*ROOT.glob("report/rows/*.py"), *ROOT.glob("games/*/analytics/rows/*.py")]
"""The files of rows."""
NAMED = ("row", "anchor")
"""Names that hold the name of a row."""


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)


ROWS = [importlib.import_module(module_of(path)).ROW for path in OWN if path.stem != "__init__"]
NAMES = {row.name for row in ROWS}
TREES = {module_of(path): ast.parse(path.read_text("utf-8")) for path in sorted(ROOT.rglob("*.py"))}


@cache
def assigned(module: str) -> dict[str, str]:
    """Return the names of a module that it assigns strings to."""
    found = {}
    for node in TREES[module].body:
        if isinstance(node, ast.Assign):
            (target, *_), value = node.targets, node.value
            several = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            pairs = zip(target.elts, value.elts, strict=False) if several else [(target, value)]
            found |= {name.id: each.value for name, each in pairs if isinstance(each, ast.Constant)}
    return found


def constants(module: str) -> dict[str, str]:
    """Return the names of strings that a module has: its own, and those that it imports from where they are made."""
    found = assigned(module)
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.ImportFrom) and node.module in TREES:
            there = assigned(node.module)
            found |= {each.asname or each.name: there.get(each.name, "") for each in node.names}
    return found


def compared(node: ast.AST) -> list[ast.expr]:
    """Return what an expression compares or looks up by name."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return [
            part
            for side in sides
            for part in (side.elts if isinstance(side, ast.Tuple | ast.Set | ast.List) else [side])
        ]
    if isinstance(node, ast.Dict):
        return [key for key in node.keys if key]
    return [node.value] if isinstance(node, ast.MatchValue) else []


def last_name(node: ast.expr) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))


def asks_by_name(node: ast.AST, known: dict[str, str]) -> bool:
    """Return whether a node compares with the name of a row: a constant, a row's own name, or a string."""
    parts = compared(node)
    of_row = any(last_name(part) in NAMED for part in parts)
    return any(
        (isinstance(part, ast.Name) and known.get(part.id) in NAMES)
        or (isinstance(part, ast.Attribute) and part.attr == "name" and last_name(part.value) == "ROW")
        or (of_row and isinstance(part, ast.Constant) and part.value in NAMES)
        for part in parts
    )


def questions_by_name() -> Iterator[str]:
    for path in sorted(ROOT.rglob("*.py")):
        module = module_of(path)
        if path not in OWN:
            known = constants(module)
            for node in ast.walk(TREES[module]):
                if asks_by_name(node, known):
                    yield f"{module}:{node.lineno}: {ast.unparse(node)[:80]}"


def test_no_code_outside_its_file_compares_with_the_name_of_a_row():
    """What differs from row to row is said by its object, so that a new row needs no other file."""
    assert {"seats", "strategies", "factions", "comebacks", "length", "luck", "targets", "box"} <= NAMES
    assert list(questions_by_name()) == []


@pytest.mark.parametrize(
    "code", ["change.row == SEATS", "SEATS in rows", "{SEATS: 1}", "place.row in ('luck', x)", "name == luck.ROW.name"]
)
def test_a_comparison_with_the_name_of_a_row_is_found(code):
    node = ast.parse(code, mode="eval").body
    assert asks_by_name(node, {"SEATS": "seats"})


def test_the_words_of_every_row_are_explained():
    """Each has a line in the table of `docs/reading.md`."""
    page = (ROOT.parent / "docs" / "reading.md").read_text("utf-8")
    _, _, table = page.partition("## The words of the grid")
    assert not [row.title for row in ROWS if f"\n| *{row.title}* | " not in table]


CHOICES = '''
    """A row of the tests: do players have few choices?"""

    from dataclasses import replace

    from balance.analysis.spread import cell_questions
    from balance.analysis.verdicts import BAD, GOOD, Mark, mark_band, mean_verdicts
    from balance.report.row import Row


    class Choices(Row):
        name = "choices"
        title = "Few choices"
        order = 65
        anchor = "length"
        numbers = "choices a game"
        meaning = "Few: at most one choice a game."
        number_unit = ""
        measure = "decisions"

        def questions(self, evidence):
            return cell_questions(evidence.measures)

        def verdicts(self, evidence):
            few, many = Mark(GOOD, "few"), Mark(BAD, "too many")
            for each in mean_verdicts(
                self.name, self.measure, evidence.measures, evidence.answers, evidence.family,
                lambda players, low, high: mark_band(low, high, (0, 1), few, few, many),
                lambda players, value: 1_000.0,
            ):
                yield replace(each, words="players have too many choices")

        def limit(self, thresholds, baseline):
            return 1.0


    ROW = Choices()
'''


@pytest.fixture
def new_row(tmp_path):
    """Add a row to the standard ones: one file."""
    folder = tmp_path / "rows"
    folder.mkdir()
    (folder / "choices.py").write_text(dedent(CHOICES), "utf-8")
    rows.__path__.append(str(folder))
    yield
    rows.__path__.remove(str(folder))
    sys.modules.pop("balance.report.rows.choices", None)


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn", "new_row")
def test_a_new_standard_row_is_one_file(tmp_path):
    """It stands in the grid, leads the findings and the summary, and is explained; the live page shows it."""
    run = RunFolder.open(play(tmp_path / "run", players=[2], games=400))
    page, (chapter,) = write_report([run], tmp_path / "page")
    screen = chapter.screen
    (row,) = [each for each in screen.grid.rows if each.title == "Few choices"]
    assert (row.unit, [cell.word for cell in row.cells]) == ("choices a game", ["too many"])
    assert screen.groups[0].findings[0].text == "Players have too many choices."
    assert screen.answer.startswith("Players have too many choices")
    assert dict(screen.terms)["Few choices"] == "Few: at most one choice a game."
    assert "Few choices" in page.read_text("utf-8")
    assert "| Few choices (choices a game) | too many" in (page.parent / "report.md").read_text("utf-8")
    summary = write_summary([chapter], tmp_path / "page").with_suffix(".md").read_text("utf-8")
    assert "Players have too many choices" in summary

    store = ArmStore(plan_of(players=[2], log="rounds"), 1, (400,))
    comparison = ask_variants(store, run.plan.first_variant, run.plan.first_variant, 0, SILENCE)
    assert "Few choices" in [each.title for each in show(comparison, 400).grid.rows]


@pytest.mark.usefixtures("undrawn")
def test_a_cell_has_the_figure_of_its_section(traced_run):
    """One thing has one figure: in the grid, in a table of the section it leads to, and in what `check` measures."""
    run = RunFolder.open_finished(traced_run)
    context, standard = ReportContext(run), [row for row in find_rows(run.plan) if row.has_standard]
    writers = find_sections(run.plan.game)
    asked = [each for row in standard for each in row.questions(context.evidence({}))]
    answers = gather(run, [*questions_of(writers, context), *asked])
    sections = [section for writer in writers if (section := writer.write(context, answers))]
    verdicts = read_verdicts(standard, context.evidence(answers))
    assert {"seats", "strategies", "box", "comebacks", "length"} <= {place.row for place in verdicts}
    for row in standard:
        tables = [table.raw for section in sections if section.anchor == row.anchor for table in section.tables]
        shown = [raw for raw in tables if raw is not None and {"value", "players", "variant"} <= {*raw}]
        measured = [*shown, *([_checked(run, row.measure)] if row.measure else [])]
        for place, verdict in verdicts.items():
            if place.row == row.name:
                cells = [
                    each[(each["players"] == place.players) & (each["variant"] == place.variant)] for each in measured
                ]
                assert any(np.isclose(cell["value"], verdict.value, rtol=1e-9).any() for cell in cells), verdict
                if row.measure:
                    assert np.isclose(cells[-1]["value"], verdict.value, rtol=1e-9).any(), verdict


def _of_cell(table, place):
    return table[(table["players"] == place.players) & (table["variant"] == place.variant)]


def _checked(run, measure):
    return check_targets(run, [Target(measure=measure, least=-1e9, most=1e9)])
