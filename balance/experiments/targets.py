"""Targets: a designer's goals for a game, as TOML. Thresholds: limits of fair, and differences that matter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator

from balance.foundation.catalogues import using
from balance.foundation.language import SOURCE, tr, trn
from balance.foundation.text import listed, nth
from balance.foundation.toml import Settings, read_toml, validate

Points = Annotated[float, Field(gt=0, lt=50)]
Percent = Annotated[float, Field(gt=0, lt=100)]
TWO = Field(min_length=2, max_length=2)
PlayerCount = Annotated[str, Field(pattern=r"^[1-9][0-9]*$")]
Seconds = Annotated[list[Annotated[float, Field(gt=0, le=3600)]], TWO]


class Thresholds(Settings):
    """Limits of fair, and of differences that do not matter; the verdicts of a report use them.

    Attributes
    ----------
    seat_margin : float
        Percent of a fair share within which a seat or faction is fair: 10 is from 45 to 55 % with two players, from
        22.5 to 27.5 % with four. Beyond twice this margin it is a problem.
    seats : float
        Points within which a change of a seat's or faction's win share is `same`.
    strategies : float
        Points within which a change of a strategy's win share is `same`.
    alive : float
        Percent of a fair share within which a strategy is alive: 25 is from 3/4 to 5/4 of it.
    comebacks : list of float
        Fewest and most winners from behind in an open game, in percent of the share that would be behind at half time
        if the first half did not matter (50 % of winners with two players, 75 % with four).
    comeback_change : float
        Smallest change of this share that matters, in points.
    won : list of float or None
        Where all players win or lose together: fewest and most games, in percent, that they should win; None for no
        verdict.
    won_change : float
        Smallest change of this share that matters, in points.
    minutes : list of float or None
        Shortest and longest mean time that fit; None for the time on the box.
    seconds_per_choice : list of float, dict or None
        Shortest and longest average time that people take for a choice, or a table of them by player count; for others
        and None the game's own assumption. A length is judged at both.
    length_change : float
        Smallest change of the length that matters, in percent of the baseline's minutes.
    supplies : float
        Percent of games in which a supply in the box may run out.
    options : float
        Percent of seats that should use each option at least once a game; an option below is dead.
    hopeless : float
        Percent of games in which a player may have no hope of winning for a third of the game.
    """

    seat_margin: Annotated[float, Field(gt=0, lt=50)] = 10.0
    seats: Points = 1.0
    strategies: Points = 3.0
    alive: Percent = 25.0
    comebacks: Annotated[list[Annotated[float, Field(ge=0, le=100)]], TWO] = Field(default=[50.0, 80.0])
    comeback_change: Points = 3.0
    won: Annotated[list[Annotated[float, Field(ge=0, le=100)]], TWO] | None = None
    won_change: Points = 3.0
    minutes: Annotated[list[Annotated[float, Field(gt=0)]], TWO] | None = None
    seconds_per_choice: Seconds | dict[PlayerCount, Seconds] | None = None
    length_change: Percent = 10.0
    supplies: Percent = 5.0
    options: Percent = 5.0
    hopeless: Percent = 25.0

    @model_validator(mode="after")
    def _in_order(self) -> Thresholds:
        if self.minutes and self.minutes[0] >= self.minutes[1]:
            raise ValueError(tr("minutes: the shortest ({least:g}) must come first", least=self.minutes[0]))
        seconds = self.seconds_per_choice or {}
        for low, high in seconds.values() if isinstance(seconds, dict) else [seconds]:
            if low > high:
                raise ValueError(tr("seconds_per_choice: the shortest ({least:g}) must come first", least=low))
        if self.won and self.won[0] >= self.won[1]:
            raise ValueError(tr("won: the fewest ({least:g}) must come first", least=self.won[0]))
        if self.comebacks[0] >= self.comebacks[1]:
            raise ValueError(tr("comebacks: the fewest ({least:g}) must come first", least=self.comebacks[0]))
        return self

    def seconds(self, players: int, assumed: Sequence[float]) -> tuple[float, float]:
        """Return the shortest and the longest time of a choice at a player count; `assumed` without an own one."""
        own = self.seconds_per_choice
        low, high = (own.get(str(players)) if isinstance(own, dict) else own) or assumed
        return float(low), float(high)

    def seat_limit(self, fair: Any) -> Any:
        """Return the points from a fair share within which a seat, team or faction is fair; works on arrays too."""
        return self.seat_margin / 100 * fair

    def comeback_band(self, fair: float) -> tuple[float, float]:
        """Return the fewest and the most winners from behind in an open game, in percent of winners."""
        least, most = self.comebacks
        chance = 100 - fair
        return least / 100 * chance, most / 100 * chance


class Target(Settings):
    """One target: bounds of a measure's mean, in the unit of the report.

    Attributes
    ----------
    measure : str
        Its name, as in the report's last table.
    title : str
        Title on the page, before the target's groups, player counts and variants; by default made from the bounds.
    players : list of int
        Player counts for which the target must hold; by default all of the run.
    variants : list of str
        Variants for which the target must hold; by default all of the run.
    groups : list of str
        Seats, strategies or factions for which the target must hold, if the measure has groups; by default all.
    within : float or None
        Largest distance from a fair share, in points, instead of `least` and `most`.
    least, most : float or None
        Bounds, both inclusive; one of them is enough.
    """

    measure: str
    title: str = ""
    players: list[int] = Field(default=[])
    variants: list[str] = Field(default=[])
    groups: list[str] = Field(default=[])
    within: Annotated[float, Field(gt=0)] | None = None
    least: float | None = None
    most: float | None = None

    @model_validator(mode="after")
    def _bounds(self) -> Target:
        if (self.within is None) == (self.least is None and self.most is None):
            raise ValueError(tr("give `within` (points of a fair share), or `least`, `most` or both"))
        if self.least is not None and self.most is not None and self.least > self.most:
            raise ValueError(tr("least ({least:g}) is more than most ({most:g})", least=self.least, most=self.most))
        return self

    def bounds(self, fair: float) -> tuple[float, float]:
        """Return the lowest and the highest mean that meets the target, where a share of `fair` percent is fair."""
        if self.within is not None:
            return fair - self.within, fair + self.within
        low = self.least if self.least is not None else -float("inf")
        return low, self.most if self.most is not None else float("inf")

    def describe(self) -> str:
        """Return the target in words: its title or bounds, then its groups, player counts and variants."""
        where = [self._describe_groups()] if self.groups else []
        where += [tr("{counts} players", counts=listed(self.players))] if self.players else []
        where += [listed(self.variants)] if self.variants else []
        return ", ".join([tr(self.title) or self._describe_bounds(), *where])

    def _describe_groups(self) -> str:
        """Return the groups for readers: seats are counted from 1, in the key from 0."""
        many, names = len(self.groups), listed(self.groups)
        if self.measure == "seat_win_share" and all(group.isdecimal() for group in self.groups):
            seats = listed([nth(int(group)) for group in self.groups])
            return trn("{seats} seat", "{seats} seats", many, seats=seats)
        if self.measure == "faction_win_share":
            return trn("faction {names}", "factions {names}", many, names=names)
        return trn("group {names}", "groups {names}", many, names=names)

    def _describe_bounds(self) -> str:
        if self.within is not None:
            return tr("{measure} within {points:g} points of fair", measure=self.measure, points=self.within)
        values = {"measure": self.measure, "least": self.least, "most": self.most}
        if self.most is None:
            return tr("{measure} at least {least:g}", **values)
        if self.least is None:
            return tr("{measure} at most {most:g}", **values)
        return tr("{measure} at least {least:g} and at most {most:g}", **values)


def name_targets(targets: Sequence[Target]) -> list[str]:
    """Return the names of targets in data: their descriptions in English, in every language."""
    with using(SOURCE):
        return _describe_all(targets)


def show_targets(targets: Sequence[Target]) -> dict[str, str]:
    """Return the descriptions of targets for readers, by the names of `name_targets`."""
    return dict(zip(name_targets(targets), _describe_all(targets), strict=True))


def _describe_all(targets: Sequence[Target]) -> list[str]:
    """Return descriptions of targets; equal ones get a number, so that every one is unique."""
    names: list[str] = []
    for target in targets:
        name = plain = target.describe()
        number = 1
        while name in names:
            number += 1
            name = f"{plain} ({number})"
        names.append(name)
    return names


Pattern = Annotated[str, Field(min_length=1, max_length=200)]


class Tune(Settings):
    """What `balance tune` may change to meet the targets, and how much it plays.

    Without `keys`, `ranges` and `choices`, all numbers of the rules may change.

    Attributes
    ----------
    keys : list of str
        Shell patterns of rule keys, such as ``start.*``, whose numbers may change.
    fixed : list of str
        Shell patterns of keys and of single values, such as ``start.cards.4 seat 1``, that may not change.
    ranges : dict
        Key to the least and the most that its numbers may be.
    choices : dict
        Key to the values that it may have, for words, switches and tables.
    steps : int
        Most steps of a number away from the start variant, where `ranges` sets no limits. A step is 1, from 15 on a
        tenth of the number.
    changes : int
        Most values that may change.
    strategies : list of str
        A pool of strategies that plays the search, fast and strong; by default the experiment's strongest tier without
        searchers.
    games : int
        Games of the search, for all candidates together.
    finalists : int
        Candidates that are played on held-out deals.
    """

    keys: list[Pattern] = Field(default=[])
    fixed: list[Pattern] = Field(default=[])
    ranges: dict[Pattern, Annotated[list[float], TWO]] = Field(default={})
    choices: dict[Pattern, Annotated[list[Any], Field(min_length=1)]] = Field(default={})
    steps: int = Field(default=3, ge=1, le=50)
    changes: int = Field(default=3, ge=1, le=10)
    strategies: list[str] = Field(default=[])
    games: int = Field(default=500_000, ge=10_000, le=1_000_000_000)
    finalists: int = Field(default=5, ge=1, le=20)

    @model_validator(mode="after")
    def _ordered(self) -> Tune:
        for key, (least, most) in self.ranges.items():
            if not least < most:  # NaN too
                raise ValueError(tr("ranges: {key}: the least ({least:g}) must come first", key=key, least=least))
        if both := sorted(set(self.ranges) & set(self.choices)):
            raise ValueError(tr("{key} has both a range and choices: leave out one", key=both[0]))
        return self


class _TargetFile(Settings):
    """The keys of a targets file."""

    targets: list[Target] = Field(min_length=1)


def read_targets(path: Path) -> list[Target]:
    """Read and check the targets of a file: a targets file, or an experiment, whose other keys are ignored."""
    data = read_toml(path)
    if "game" in data:
        data = {key: value for key, value in data.items() if key == "targets"}
    return validate(_TargetFile, data, str(path)).targets
