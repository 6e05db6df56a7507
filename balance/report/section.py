"""The interface of a section of the page, and the search for all sections."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterable, Sequence
from typing import Protocol, cast

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.contract.game import Game
from balance.foundation.language import tr
from balance.report.context import Family, ReportContext
from balance.report.model import Section

HOME = "balance.report.sections"


class SectionWriter(Protocol):
    """A module in `balance.report.sections`, or in ``analytics.sections`` of a game; `balance.report.kit` helps it.

    A module may also have these:

    - ``questions(context) -> Sequence[Question]``: what it asks of the run. All questions of all sections are answered
      in one pass.
    - ``ABOUT_STRATEGIES = True``: it compares strategies, so it is about the tier that has several
      (`balance.experiments.plan.Plan.strategies_tier`); other sections are about the tier of the page.
    - ``NEEDS``: what a game must have, see `balance.contract.sides.Sides.allow`; the section is left out of others.
    - ``families(context) -> Iterable[Family]``: the families of verdicts that it makes. All families on the page share
      its error, so verdicts are corrected for ``context.family(name)``, which raises for a family without a section.
    """

    __name__: str

    ORDER: int
    """The place on the page: smaller is further up; a game's own sections use 100 to 199."""

    def write(self, context: ReportContext, answers: Answers) -> Section | None:
        """Return the section; None if there is nothing to show."""


def find_sections(game: Game) -> list[SectionWriter]:
    """Return all sections of a report on this game, in the order of the page.

    Raises
    ------
    BalanceError
        One of the game's own sections lacks ``ORDER`` or ``write``.
    """
    found = [importlib.import_module(name) for name in list_modules(HOME)]
    for name in list_modules(f"{game.package}.analytics.sections"):
        module = importlib.import_module(name)
        if missing_names := [each for each in ("ORDER", "write") if not hasattr(module, each)]:
            raise game.fault(tr("{name} lacks {missing}", name=name, missing=", ".join(missing_names)))
        found.append(module)
    about = [module for module in found if game.sides.allow(getattr(module, "NEEDS", ()))]
    return sorted(cast(list[SectionWriter], about), key=lambda section: section.ORDER)


def questions_of(writers: Sequence[SectionWriter], context: ReportContext) -> list[Question]:
    """Return what all these sections ask of the run."""
    asked = [getattr(writer, "questions", None) for writer in writers]
    return [question for questions in asked if questions for question in questions(context)]


def register_families(parts: Iterable[object], context: ReportContext) -> frozenset[Family]:
    """Return the families of verdicts of sections and of rows of the grid."""
    found: list[Family] = []
    for part in parts:
        if families := getattr(part, "families", None):
            found += families(context)
    if len(found) > len({*found}):
        twice = sorted({each for each in found if found.count(each) > 1})
        raise context.plan.game.fault(f"one family of verdicts is registered twice: {twice}")
    return frozenset(found)


def list_modules(package: str) -> list[str]:
    """Return the names of the modules in a package; none if there is no such package."""
    try:
        spec = importlib.util.find_spec(package)
    except ModuleNotFoundError:  # the parent is a module, not a package
        return []
    if spec is None or spec.submodule_search_locations is None:
        return []
    return [f"{package}.{m.name}" for m in pkgutil.iter_modules(spec.submodule_search_locations)]
