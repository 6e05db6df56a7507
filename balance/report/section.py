"""What a section of the page is: the questions it asks of a run, and how it is written from the answers."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Sequence
from typing import NamedTuple, Protocol, cast

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.contract.game import Game
from balance.report.facts import Facts
from balance.report.model import Section

HOME = "balance.report.sections"


class Written(NamedTuple):
    """A section, and what it has found that must be known before anything else on the page is believed."""

    section: Section
    warnings: Sequence[str] = ()


class SectionWriter(Protocol):
    """A module in `balance.report.sections`, or in ``analytics.sections`` of a game."""

    __name__: str

    PLACE: int
    """Where on the page: the smaller, the further up; a game's own are from 100 to 199.

    A section that gives verdicts has ``judges(facts) -> int`` too: in how many families, that are each
    corrected for ``facts.families``, since all families of verdicts on the page share its error.
    """

    def questions(self, facts: Facts) -> Sequence[Question]:
        """What it asks of the run; none if it has nothing to say of such a run."""

    def write(self, facts: Facts, answers: Answers) -> Written | None:
        """The section; None if there is nothing to say."""


def find_sections(game: Game) -> list[SectionWriter]:
    """All sections of a report on this game, in the order of the page.

    Raises
    ------
    BalanceError
        A section of the game's own lacks something.
    """
    own = f"{game.package}.analytics.sections"
    modules = [importlib.import_module(name) for name in _modules(HOME)]
    found = cast(list[SectionWriter], modules)
    for name in _modules(own):
        module = importlib.import_module(name)
        if lacking := [each for each in ("PLACE", "questions", "write") if not hasattr(module, each)]:
            raise game.fault(f"{name} lacks {', '.join(lacking)}")
        found.append(cast(SectionWriter, module))
    return sorted(found, key=lambda section: section.PLACE)


def count_families(writers: Sequence[SectionWriter], facts: Facts) -> int:
    """How many families of verdicts the sections give on this run; 1 where none does."""
    asked = (getattr(writer, "judges", None) for writer in writers)
    return max(1, sum(int(judges(facts)) for judges in asked if judges))


def _modules(package: str) -> list[str]:
    """Names of the modules in a package, none where there is no such package."""
    try:
        spec = importlib.util.find_spec(package)
    except ModuleNotFoundError:  # what should hold it is a single module
        return []
    if spec is None or spec.submodule_search_locations is None:
        return []
    return [f"{package}.{m.name}" for m in pkgutil.iter_modules(spec.submodule_search_locations)]
