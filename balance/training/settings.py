"""The settings of trainings."""

from __future__ import annotations

from dataclasses import dataclass

from balance.experiments.settings import REQUIRED, RulesPlayed, option, seed_option


@dataclass(frozen=True)
class ValueTraining(RulesPlayed):
    """The settings of the training of a searcher's win chances."""

    strategies: tuple[str, ...] = option(REQUIRED, "A pool of strategies, rotated.")
    games: int = option(REQUIRED, "Games at each player count.", 10)
    seed: int = seed_option(0, "the games")


@dataclass(frozen=True)
class WeightTraining(RulesPlayed):
    """The settings of every training of weights."""

    start: str = option("champion", "The profile to start from.")
    # In addition to those found during the training.
    against: tuple[str, ...] = option((), "Opponents; default all shipped profiles.")
    games: int = option(3_000_000, "Games at each player count, approximately.", 10_000)
    seed: int = seed_option(0, "the search and the games")


@dataclass(frozen=True)
class ProfileTraining(WeightTraining):
    """The settings of a profile's training."""

    # See `balance.training.evolution.evolve_champion`.
    rounds: int = option(1, "Rounds of training; after each but the last, best responses join the opponents.", 1)


@dataclass(frozen=True)
class StyleTraining(WeightTraining):
    """The settings of the training of a game's styles."""

    games: int = option(5_000_000, "Games at each player count, approximately.", 10_000)


@dataclass(frozen=True)
class NetworkTraining(RulesPlayed):
    """The settings of a network's training."""

    profile: str = option("champion", "The network scores this profile's best actions; it also plays.")
    against: tuple[str, ...] = option(("champion",), "Profiles that also play.")
    rounds: int = option(2, "Rounds of labels and self-play.", 1)
    games: int = option(2000, "Labelled games of each round, at each player count.", 50)
    iterations: int = option(100, "Iterations of the searcher that labels.", 1)
    start: str = option("", "The network that self-play starts from; default: a new one.")
    steps: int = option(200, "Steps of self-play of each round; default 200, in a game of your own 300 in all.", 0)
    networks: int = option(
        1, "Networks trained apart, with seeds from --seed on; default 1, in a game of your own 3.", 1, 9
    )
    seed: int = seed_option(0, "the games")


@dataclass(frozen=True)
class LearnedTraining(RulesPlayed):
    """The settings of the training of players of a game in plain Python."""

    steps: int = 300
    networks: int = 3
    seed: int = 0
