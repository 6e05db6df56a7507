"""The directive `drawn RUN/FIGURE`: a figure of the report, drawn from a small run that is played for it."""

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

from balance.analysis.components import try_components
from balance.analysis.gather import gather
from balance.log.folder import RunFolder
from balance.plan.experiment import make_experiment
from balance.plan.make import make_plan
from balance.playing import play_plan
from balance.report.facts import Facts
from balance.report.section import SectionWriter
from balance.report.sections import components, luck, sweep

SHARED = {
    "game": "na-grunwald",
    "strategies": ["balanced", "helpers-first", "quartermaster", "krzyzacy-hunter"],
}
RUNS: dict[str, tuple[Sequence[SectionWriter], dict[str, Any]]] = {
    "base": ((luck, components), {"players": [2], "games": 240, "luck": 240, "log": "rounds"}),
    "one": ((sweep,), {"players": [4], "games": 480, "sweep": {"krzyzacy.bonus.4": [2, 4, 6, 8]}}),
    "two": (
        (sweep,),
        {
            "players": [4],
            "games": 240,
            "sweep": {"krzyzacy.bonus.4": [2, 5, 8], "start.ducats": [1, 3, 5]},
        },
    ),
}


@cache
def draw(name: str, folder: Path) -> Path:
    """Play a run and write the figures of its sections; once in each build."""
    sections, keys = RUNS[name]
    out = folder / name
    out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place:
        plan = make_plan(make_experiment({**SHARED, **keys}), Path(), "gallery")
        play_plan(plan, Path(place) / name)
        run = RunFolder.open_finished(Path(place) / name)
        if components in sections:
            try_components(run, 120)
        facts = Facts(run)
        answers = gather(run, [question for each in sections for question in each.questions(facts)])
        for written in filter(None, (each.write(facts, answers) for each in sections)):
            for figure in written.section.figures:
                (out / f"{figure.name}.svg").write_bytes(figure.svg)
    return out


class Drawn(Figure, SphinxDirective):
    """As `figure`; its text is the caption."""

    def run(self) -> list[nodes.Node]:
        run, _, figure = self.arguments[0].partition("/")
        path = draw(run, Path(self.env.doctreedir) / "gallery") / f"{figure}.svg"
        self.arguments[0] = Path(
            os.path.relpath(path, Path(self.env.doc2path(self.env.docname)).parent)
        ).as_posix()
        return super().run()


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("drawn", Drawn)
    return {"parallel_read_safe": True}
