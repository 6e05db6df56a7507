"""The directive `drawn RUN/FIGURE`: a figure of the report from a small run, played during the build."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.directives.patches import Figure
from sphinx.util.docutils import SphinxDirective

from balance.analysis.gather import gather
from balance.experiments.experiment import make_experiment
from balance.experiments.planning import make_plan
from balance.report.context import ReportContext
from balance.report.section import SectionWriter, questions_of
from balance.report.sections import components, luck, sweep
from balance.runs.folder import RunFolder
from balance.studies.playing import play_plan
from balance.studies.reruns import try_components

SHARED = {"game": "na-grunwald", "strategies": ["generalist", "helpers-first", "quartermaster", "krzyzacy-hunter"]}
RUNS: dict[str, tuple[Sequence[SectionWriter], dict[str, Any]]] = {
    "base": ((luck, components), {"players": [2], "games": 240, "luck": 240, "log": "rounds"}),
    "one": ((sweep,), {"players": [4], "games": 480, "sweep": {"krzyzacy.bonus.4": [2, 4, 6, 8]}}),
    "two": (
        (sweep,),
        {"players": [4], "games": 240, "sweep": {"krzyzacy.bonus.4": [2, 5, 8], "start.ducats": [1, 3, 5]}},
    ),
}


@cache
def draw(name: str, folder: Path) -> Path:
    """Play a run, write the figures of its sections once in each build, and return their folder."""
    sections, keys = RUNS[name]
    out = folder / name
    out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place:
        plan = make_plan(make_experiment({**SHARED, **keys}), Path(), "gallery")
        play_plan(plan, Path(place) / name)
        run = RunFolder.open_finished(Path(place) / name)
        if components in sections:
            try_components(run, 120)
        facts = ReportContext(run)
        answers = gather(run, questions_of(sections, facts))
        for section in filter(None, (each.write(facts, answers) for each in sections)):
            for figure in section.figures:
                (out / f"{figure.name}.svg").write_bytes(figure.svg)
    return out


class Drawn(Figure, SphinxDirective):
    """The directive; its text is the caption, as for `figure`."""

    def run(self) -> list[nodes.Node]:
        run, _, figure = self.arguments[0].partition("/")
        path = draw(run, Path(self.env.doctreedir) / "gallery") / f"{figure}.svg"
        self.arguments[0] = Path(os.path.relpath(path, Path(self.env.doc2path(self.env.docname)).parent)).as_posix()
        return super().run()


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("drawn", Drawn)
    return {"parallel_read_safe": True}
