"""The interface of a section of the page, and the search for all sections."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterable, Sequence
from typing import Protocol, cast

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.verdicts import Verdict
from balance.contract.game import Game
from balance.foundation.language import tr
from balance.report.context import Family, ReportContext
from balance.report.model import Section
from balance.report.screen import GridQuestion

HOME = "balance.report.sections"


class SectionWriter(Protocol):
    """A module in `balance.report.sections`, or in ``analytics.sections`` of a game; `balance.report.kit` helps it.

    A module may also have these:

    - ``questions(context) -> Sequence[Question]``: what it asks of the run. All questions of all sections are answered
      in one pass.
    - ``families(context) -> Iterable[Family]``: the families of verdicts that it makes. All families on the page share
      its error, so verdicts are corrected for ``context.family(name)``, which raises for a family without a section.
    - ``GRID``, a `balance.report.screen.GridQuestion`, adds a row to the verdict grid, and its verdicts may lead the
      page. They come from ``verdicts(context, answers) -> Iterable[Verdict]``, which is called for every tier, with the
      answers to ``grid_questions(context) -> Sequence[Question]``. In each tier they are a family with the name of the
      row. They are withheld in cells with too many broken games. With ``applies(context) -> bool`` a game may lack the
      row.
    """

    __name__: str

    ORDER: int
    """The place on the page: smaller is further up; a game's own sections use 100 to 199."""

    def write(self, context: ReportContext, answers: Answers) -> Section | None:
        """Return the section; None if there is nothing to show."""


class GridWriter(SectionWriter, Protocol):
    """A section with a row in the verdict grid, see `SectionWriter`."""

    GRID: GridQuestion

    def grid_questions(self, context: ReportContext) -> Sequence[Question]:
        """Return what the verdicts ask of each tier."""

    def verdicts(self, context: ReportContext, answers: Answers) -> Iterable[Verdict]:
        """Return the verdicts of a tier."""


def find_sections(game: Game) -> list[SectionWriter]:
    """Return all sections of a report on this game, in the order of the page.

    Raises
    ------
    BalanceError
        One of the game's own sections lacks ``ORDER`` or ``write``.
    """
    found = [importlib.import_module(name) for name in _modules(HOME)]
    for name in _modules(f"{game.package}.analytics.sections"):
        module = importlib.import_module(name)
        if missing_names := [each for each in ("ORDER", "write") if not hasattr(module, each)]:
            raise game.fault(tr("{name} lacks {missing}", name=name, missing=", ".join(missing_names)))
        found.append(module)
    return sorted(cast(list[SectionWriter], found), key=lambda section: section.ORDER)


def questions_of(writers: Sequence[SectionWriter], context: ReportContext) -> list[Question]:
    """Return what all these sections ask of the run."""
    asked = [getattr(writer, "questions", None) for writer in writers]
    asked += [writer.grid_questions for writer in grid_writers(writers, context)]
    return [question for questions in asked if questions for question in questions(context)]


def register_families(writers: Sequence[SectionWriter], context: ReportContext) -> frozenset[Family]:
    """Return the families of verdicts of all sections; each row of a game in the grid is one for each tier."""
    rows = [writer.GRID.name for writer in grid_writers(writers, context)]
    found = [Family(row, tier) for row in rows for tier in context.tiers]
    for writer in writers:
        if families := getattr(writer, "families", None):
            found += families(context)
    if len(found) > len({*found}):
        twice = sorted({each for each in found if found.count(each) > 1})
        raise context.plan.game.fault(f"two sections register one family of verdicts: {twice}")
    return frozenset(found)


def grid_writers(writers: Sequence[SectionWriter], context: ReportContext) -> list[GridWriter]:
    """Return the sections with a row in the verdict grid of this run."""
    found = [cast(GridWriter, writer) for writer in writers if hasattr(writer, "GRID")]
    return [writer for writer in found if not hasattr(writer, "applies") or writer.applies(context)]


def _modules(package: str) -> list[str]:
    """Return the names of the modules in a package; none if there is no such package."""
    try:
        spec = importlib.util.find_spec(package)
    except ModuleNotFoundError:  # the parent is a module, not a package
        return []
    if spec is None or spec.submodule_search_locations is None:
        return []
    return [f"{package}.{m.name}" for m in pkgutil.iter_modules(spec.submodule_search_locations)]
