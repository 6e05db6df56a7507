"""Experiments: what to play, as a TOML file or as keys from the command line."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from balance.engine.custom import Limits
from balance.experiments.profiles import Temperature
from balance.experiments.targets import Target, Thresholds, Tune
from balance.foundation.catalogues import languages
from balance.foundation.errors import unknown
from balance.foundation.language import tr
from balance.foundation.toml import Settings, read_toml, validate

LogLevel = Literal["games", "rounds", "trace"]
BOT_LIMITS = ("bot_seconds", "bot_memory")
"""Limits of Python bots: a run may be resumed with other values."""
WITHOUT_EFFECT = ("question", "lang", "targets", "thresholds", "tune", *BOT_LIMITS)
"""Keys that do not affect games; a pooled run takes them from its first run."""
MAIN_TIER = "main"
"""The name of the only tier of an experiment without tiers."""
_TIER_NAME = re.compile(r"\w[\w-]{0,39}", re.ASCII)
MOST_GAMES = 100_000_000
"""The most games that a cell may have."""
Games = Annotated[int, Field(ge=1, le=MOST_GAMES)]
DECISION_LIMIT = 100_000
"""Decisions after which a game is truncated, unless an experiment says otherwise."""
_LEAST_ADAPT = 50_000
DEFAULT_ADAPT = 1_000_000
"""Training games where `adapt` is true."""


def _adapt_games(value: Any) -> Any:
    """Replace True by a budget that suits most games; refuse a budget too small to learn from."""
    if isinstance(value, bool):
        return DEFAULT_ADAPT if value else 0
    if isinstance(value, int) and 0 < value < _LEAST_ADAPT:
        raise ValueError(
            tr(
                "needs at least {least:,} games to learn from; true means {default:,}",
                least=_LEAST_ADAPT,
                default=DEFAULT_ADAPT,
            )
        )
    return value


Adapt = Annotated[int, BeforeValidator(_adapt_games), Field(ge=0, le=1_000_000_000)]
"""Training games of a tier's profiles and networks for each variant and player count; 0: no training."""


class Stop(Settings):
    """Stop a cell when every seat is decided, or at the ceiling.

    Attributes
    ----------
    threshold_points : float or None
        Points around a fair share: a seat is decided when it is shown to lie within them, or beyond them; None for a
        tenth of a fair share.
    ceiling : int
        Most games in a cell, decided or not; at least `games`.
    """

    threshold_points: Annotated[float, Field(gt=0, lt=50)] | None = None
    ceiling: Games

    def limit(self, fair: float) -> float:
        """Return the points around a fair share."""
        return self.threshold_points or float(Thresholds().seat_limit(fair))


def _known_language(code: str) -> str:
    if code and code not in languages():
        raise ValueError(tr("must be one of {known}", known=", ".join(languages())))
    return code


def _plain_word(name: str) -> str:
    if not _TIER_NAME.fullmatch(name):
        raise ValueError(tr("must be a word of at most 40 letters, digits, _ and -"))
    return name


class TierKeys(Settings):
    """The keys of a table of ``[[tiers]]``: who plays, and how many games in each cell.

    Attributes
    ----------
    name : str
        Name of the tier in the column `tier` and on pages: letters, digits, `_` and `-`, at most 40.
    strategies : list of str
        A pool, as `strategies` of an experiment.
    lineups : list of list of str
        Line-ups by seat instead, as `lineups` of an experiment.
    games : int
        Games in each cell of this tier.
    temperature : float or None
        Temperature of all profiles and networks of the tier, instead of their own; the higher, the more often they
        choose an action other than their best.
    loss : float or None
        Sets the temperature so that a profile loses this share of the wins that it had without mistakes.
    adapt : int
        Training games of the tier's profiles and networks for each variant and player count before it plays: 0 for
        no training, or at least 50,000; true is 1,000,000. A network has fewer games (see
        `balance.training.adapting.adapt_networks`).
    luck : int or None
        Games of each cell that this tier plays again, instead of the experiment's `luck`.
    """

    name: Annotated[str, AfterValidator(_plain_word)]
    strategies: list[str] = Field(default=[])
    lineups: list[list[str]] = Field(default=[])
    games: Games
    temperature: Temperature | None = None
    loss: Annotated[float, Field(gt=0, lt=1)] | None = None
    adapt: Adapt = 0
    luck: Annotated[int, Field(ge=0)] | None = None

    @property
    def named(self) -> list[str]:
        """The strategies that play, as named by the experiment; a name may be repeated."""
        return self.strategies or [name for lineup in self.lineups for name in lineup]

    @model_validator(mode="after")
    def _who_plays(self) -> TierKeys:
        _check_who_plays(self.strategies, self.lineups)
        _check_named_once("strategies", self.strategies)
        if self.loss and (self.adapt or self.temperature is not None):
            raise ValueError(
                tr("loss: sets the temperature of untrained profiles: leave out `temperature` and `adapt`")
            )
        return self


def _check_who_plays(strategies: Sequence[str], lineups: Sequence[Sequence[str]], or_tiers: bool = False) -> None:
    if bool(strategies) == bool(lineups):
        raise ValueError(
            tr("give either `strategies` (a pool) or `lineups`; or give [[tiers]]")
            if or_tiers
            else tr("give either `strategies` (a pool) or `lineups`")
        )


def _check_named_once(key: str, values: Sequence[Any]) -> None:
    if any(values.count(value) > 1 for value in values):
        raise ValueError(tr("{key}: a value is repeated in {values}", key=key, values=values))


class Experiment(Settings):
    """What to play; the keys of an experiment file.

    Attributes
    ----------
    game : str
        The game, by its name in `balance games`, or the folder of a game in plain Python, such as `./mygame`.
    question : str
        The first line of the report; by default made from the variants.
    lang : str
        The language of the report and of replays, such as ``pl``; by default that of the system.
    players : list of int
        Player counts, each once.
    variants : list of str
        Rule sets, by name or as paths of TOML files. The others are compared with the first.
    strategies : list of str
        A pool of strategies, from which line-ups are drawn evenly: names, TOML files, or `FILE.py:CLASS`.
    lineups : list of list of str
        Line-ups by seat, instead of `strategies`.
    tiers : list of TierKeys
        Sets of strategies, each of which plays all cells, instead of `strategies`, `lineups` and `games`.
    rotate : bool
        Whether each line-up plays every deal once in each of its rotations through the seats. Without it, seats and
        strategies are not judged where a seat can't be told apart from the strategy in it.
    games : int or None
        Games in each cell (variant and player count). Required without `[[tiers]]`.
    adapt : int
        As `adapt` of a tier, for an experiment without tiers.
    seed : int
        Seed of all deals and of the bots' random choices: the same seed gives the same games.
    log : {"games", "rounds", "trace"}
        What is logged: results; also the score after each round; also every decision.
    trace : int
        First games of each cell whose decisions are logged, whatever the value of `log`.
    luck : int
        First games of each cell that are played again, once for each source of chance, which is drawn again.
    decision_limit : int
        Most decisions of a game; a game that reaches this number is logged as `truncated` and has no result.
    bot_seconds : float
        Seconds that a Python bot may take for a decision.
    bot_memory : int
        MiB of address space that a Python bot may take.
    stop : Stop or None
        Continue until every seat is decided.
    sweep : dict
        One or two rule keys, each with the values to play.
    targets : list of Target
        Goals for the game; the report and `balance check` say whether they are met.
    thresholds : Thresholds
        Limits of fair, and of differences that do not matter.
    tune : Tune or None
        What `balance tune` may change to meet the targets.
    """

    game: str
    question: str = ""
    lang: Annotated[str, AfterValidator(_known_language)] = ""
    players: list[int] = Field(min_length=1)
    variants: list[str] = Field(default=["base"], min_length=1)
    strategies: list[str] = Field(default=[])
    lineups: list[list[str]] = Field(default=[])
    tiers: list[TierKeys] = Field(default=[])
    rotate: bool = True
    games: Games | None = None
    adapt: Adapt = 0
    seed: int = Field(default=1, ge=0, lt=2**63)
    log: LogLevel = "games"
    trace: int = Field(default=0, ge=0)
    luck: int = Field(default=0, ge=0)
    decision_limit: int = Field(default=DECISION_LIMIT, ge=1, le=1_000_000)
    bot_seconds: Annotated[float, Field(ge=0.1, le=86_400)] = 60.0
    bot_memory: int = Field(default=4096, ge=256, le=1_048_576)
    stop: Stop | None = None
    sweep: dict[str, Annotated[list[Any], Field(min_length=1)]] = Field(default={}, max_length=2)
    targets: list[Target] = Field(default=[])
    thresholds: Thresholds = Thresholds()
    tune: Tune | None = None

    @model_validator(mode="after")
    def _who_plays(self) -> Experiment:
        own = [key for key in ("strategies", "lineups", "games") if getattr(self, key)]
        if self.tiers and own:
            raise ValueError(
                tr("with [[tiers]], each tier has its own `{key}`: leave out the experiment's", key=own[0])
            )
        if not self.tiers:
            _check_who_plays(self.strategies, self.lineups, or_tiers=True)
            if self.games is None:
                raise ValueError(tr("games: this key is required"))
        _check_named_once("tiers", [tier.name for tier in self.tiers])
        return self

    @model_validator(mode="after")
    def _fits_together(self) -> Experiment:
        for tier in self.every_tier:
            if self.stop and self.stop.ceiling < tier.games:
                raise ValueError(tr("stop.ceiling must be at least `games` ({games})", games=tier.games))
        named = {key: getattr(self, key) for key in ("players", "variants", "strategies")}
        for key, values in [*named.items(), *((f"sweep.{key}", v) for key, v in self.sweep.items())]:
            _check_named_once(key, values)
        return self

    @property
    def every_tier(self) -> list[TierKeys]:
        """The tiers, or the single tier made of the experiment's own keys."""
        own = {key: getattr(self, key) for key in ("strategies", "lineups", "games", "adapt", "luck")}
        return self.tiers or [TierKeys.model_construct(name=MAIN_TIER, **own)]

    def only(self, names: Sequence[str], where: str) -> Experiment:
        """Return the experiment with only the named tiers."""
        known = [tier.name for tier in self.every_tier]
        for name in names:
            if name not in known:
                raise unknown("tier", name, known, where)
        return self.model_copy(update={"tiers": [tier for tier in self.tiers if tier.name in names]})

    @property
    def bot_limits(self) -> Limits:
        """Time and memory limits of a Python bot."""
        return Limits(self.bot_seconds, self.bot_memory)

    def luck_of(self, tier: TierKeys) -> int:
        """Return the number of games of a cell that a tier plays again: its own `luck`, or the experiment's."""
        return self.luck if tier.luck is None else tier.luck

    def most_games(self, tier: TierKeys) -> int:
        """Return the most games that a cell of a tier may have."""
        return self.stop.ceiling if self.stop else tier.games

    def scaled(self, factor: float, where: str) -> Experiment:
        """Return the experiment with a multiple of its games in every tier, and of what it traces and plays again.

        Games are rounded to whole deals (a game for each seat), at least one.
        """
        deal = max(self.players) if self.rotate else 1

        def scale(games: int) -> int:
            return deal * max(1, round(games * factor / deal))

        data = self.model_dump(exclude_unset=True)
        tables = [data, *data.get("tiers", [])]
        for table in tables:
            table |= {"games": scale(table["games"])} if table.get("games") else {}
            table |= {key: math.ceil(table[key] * factor) for key in ("trace", "luck") if table.get(key)}
        if self.stop:
            data["stop"]["ceiling"] = scale(self.stop.ceiling)
        return make_experiment(data, where)

    def with_games(self, games: Mapping[str, int], where: str) -> Experiment:
        """Return the experiment with the most games of each cell set by tier; a stop rule takes the largest for all."""
        data = self.model_dump(exclude_unset=True)
        if self.stop:
            data["stop"]["ceiling"] = max(games.values())
        elif self.tiers:
            for tier in data["tiers"]:
                tier["games"] = games[tier["name"]]
        else:
            data["games"] = games[MAIN_TIER]
        return make_experiment(data, where)


def read_experiment(path: Path) -> Experiment:
    """Read and check an experiment file."""
    return validate(Experiment, read_toml(path), str(path))


def make_experiment(data: Mapping[str, Any], where: str = "command line") -> Experiment:
    """Check an experiment given as keys and values."""
    return validate(Experiment, data, where)
