"""Targets: what a designer wants of a game, as TOML."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from balance.contract.words import listed, nth
from balance.settings import Settings, read_toml, validate
from balance.stats.fair import fair_share

Bound = Annotated[float, Field(allow_inf_nan=False)]


class Target(Settings):
    """One target: bounds that a measure's mean must lie in, in the unit in which it is shown.

    Attributes
    ----------
    measure : str
        Its name, as in the report's last table.
    title : str
        What it is called on the page, before the groups, player counts and variants that it names; made from its
        bounds if it is left out.
    players : list of int
        Player counts at which it must hold; all of the run if it is left out.
    variants : list of str
        Variants in which it must hold; all of the run if it is left out.
    groups : list of str
        Seats or strategies for which it must hold, of a measure that is split so; all if it is left out.
    within : float or None
        Points of a fair share, instead of `least` and `most`.
    least, most : float or None
        Bounds, each with its own value among what is wanted; one of them will do.
    """

    measure: str
    title: str = ""
    players: list[int] = Field(default=[])
    variants: list[str] = Field(default=[])
    groups: list[str] = Field(default=[])
    within: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    least: Bound | None = None
    most: Bound | None = None

    @model_validator(mode="after")
    def _bounds(self) -> Target:
        if (self.within is None) == (self.least is None and self.most is None):
            raise ValueError("give `within` (points of a fair share), or `least`, `most` or both")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError(f"least ({self.least:g}) is more than most ({self.most:g})")
        return self

    def bounds(self, players: int) -> tuple[float, float]:
        """The lowest and highest mean that meets the target."""
        if self.within is not None:
            fair = fair_share(players)
            return fair - self.within, fair + self.within
        low = self.least if self.least is not None else -float("inf")
        return low, self.most if self.most is not None else float("inf")

    def describe(self) -> str:
        """The target in words: its title, or its bounds, then the groups, player counts and variants that it names."""
        where = [self._describe_groups()] if self.groups else []
        where += [f"{listed(self.players)} players"] if self.players else []
        where += [listed(self.variants)] if self.variants else []
        return ", ".join([self.title or self._describe_bounds(), *where])

    def _describe_groups(self) -> str:
        """The groups as readers know them: seats, which the key counts from 0, from one."""
        many = "s" * (len(self.groups) > 1)
        if self.measure == "seat_win_share" and all(group.isdecimal() for group in self.groups):
            return f"{listed([nth(int(group)) for group in self.groups])} seat{many}"
        return f"group{many} {listed(self.groups)}"

    def _describe_bounds(self) -> str:
        if self.within is not None:
            return f"{self.measure} within {self.within:g} points of fair"
        parts = [f"at least {self.least:g}"] if self.least is not None else []
        parts += [f"at most {self.most:g}"] if self.most is not None else []
        return f"{self.measure} {' and '.join(parts)}"


def name_targets(targets: Sequence[Target]) -> list[str]:
    """Their descriptions, those that are alike with a number behind, so that no two targets have one name."""
    names: list[str] = []
    for target in targets:
        name = plain = target.describe()
        number = 1
        while name in names:
            number += 1
            name = f"{plain} ({number})"
        names.append(name)
    return names


class TargetFile(Settings):
    """The keys of a targets file."""

    targets: list[Target] = Field(min_length=1)


def read_targets(path: Path) -> list[Target]:
    """Read and check the targets of a file: one of targets alone, or an experiment, whose other keys are passed over.

    Raises
    ------
    BalanceError
        The file is missing, has no targets, or one of their keys or values is wrong.
    """
    data = read_toml(path)
    if "game" in data:
        data = {key: value for key, value in data.items() if key == "targets"}
    return validate(TargetFile, data, str(path)).targets
