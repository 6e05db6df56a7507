"""The build: all of it stands in `pyproject.toml`, but for the example experiments.

They stay in `data/experiments`, where the commands of the README find them; a wheel carries a copy as
`balance/experiments/shipped` (read by `balance.experiments.examples`).
"""

from __future__ import annotations

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

EXAMPLES = sorted(Path("data", "experiments").glob("*.toml"))


class BuildWithExamples(build_py):
    """Builds the package, then puts the experiments beside its modules."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return  # a clone has them where they are
        for source, target in zip(EXAMPLES, self._targets(), strict=True):
            self.mkpath(str(target.parent))
            self.copy_file(str(source), str(target))

    def _targets(self) -> list[Path]:
        return [Path(self.build_lib, "balance", "experiments", "shipped", path.name) for path in EXAMPLES]

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        return [*super().get_outputs(include_bytecode), *map(str, self._targets())]

    def get_source_files(self) -> list[str]:
        return [*super().get_source_files(), *map(str, EXAMPLES)]


setup(cmdclass={"build_py": BuildWithExamples})
