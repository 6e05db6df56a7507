"""Restricted play: what an option is worth to a player who may not use it and has adapted to that.

One seat goes without the option, all others play the free strategy. For comparison, the same seat plays the same deals
without a restriction. Both have learnt against the same opponents with the same number of games: a player trained
against a table wins more there, restricted or not, and that gain must not count against the option.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from balance.contract.game import get_game
from balance.contract.restrictions import Restriction, check_patterns, make_classifier, restrictions_of
from balance.experiments.experiment import make_experiment
from balance.experiments.plan import Adapted, Plan, make_tier
from balance.experiments.planning import make_plan
from balance.experiments.profiles import Profile, load_profile, strongest_profile
from balance.experiments.strategies import Strategy
from balance.experiments.variants import hash_rules
from balance.foundation.errors import BalanceError
from balance.foundation.files import make_folder
from balance.foundation.language import tr, trn
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.streams import derive_many
from balance.runs.folder import RunFolder
from balance.runs.jobs import jobs_of, make_loop
from balance.runs.workers import Workers
from balance.studies.playing import play_or_resume
from balance.studies.settings import Restricted
from balance.training.arena import Arena
from balance.training.diary import Diary, hash_contents, hash_sources_of
from balance.training.evolution import RESPONSE, Budget, evolve

_WHERE = "restrict"  # named in error messages
_LOOKED = 200  # games of random players in which every pattern must match an action
_SCREENED = 2000  # games on which the trained player is compared with the untrained one
_TRACED = 50  # deals whose decisions are logged, to count how often an option is used
_TRAINING, _SCREENING = range(2)  # stages of seeds
_NEAR = 5  # labels named in an error message


@dataclass(frozen=True)
class RestrictedGames:
    """The run of the study: who plays without what."""

    restrictions: Mapping[str, Restriction]
    # The strategy at a player count without an option; the option "" is the player without a restriction.
    names: Mapping[tuple[int, str], str]
    free: Strategy
    asked: Restricted
    run: RunFolder

    @property
    def baselines(self) -> dict[int, str]:
        """The strategy without a restriction, by player count."""
        return {players: self.names[players, ""] for players in self.run.plan.experiment.players}


def play_restricted(
    asked: Restricted, folder: Path, progress: Progress = SILENCE, workers: Workers | None = None
) -> RestrictedGames:
    """Train all players and play their games into a folder, or resume there; a finished run is only read."""
    start = _start_plan(asked)  # reports all mistakes before the first game
    free = start.tier.strategies[0]
    restrictions = find_restrictions(start, asked.forbid, progress)
    make_folder(folder / "adapting")
    trained = {
        players: _Trainer(start, players, asked, folder / "adapting", progress, workers).train(
            restrictions
        )
        for players in start.experiment.players
    }
    plan = _plan_games(start, asked, trained)
    names = {(p, option): each.name for p, found in trained.items() for option, each in found.items()}
    run = play_or_resume(plan, folder / "games", progress, workers)
    return RestrictedGames(restrictions, names, free, asked, run)


def _start_plan(asked: Restricted) -> Plan:
    """Return a plan of the free strategy alone, with everything that the settings name looked up."""
    game = get_game(asked.game)
    data = {
        "game": asked.game, "variants": [asked.variant], "players": list(asked.players or game.players),
        "strategies": [asked.strategy or strongest_profile(game)], "games": asked.games, "seed": asked.seed,
    }  # fmt: skip
    return make_plan(make_experiment(data, _WHERE), Path(), _WHERE)


def find_restrictions(
    plan: Plan, forbid: Sequence[str], progress: Progress = SILENCE
) -> dict[str, Restriction]:
    """Return the restrictions by name: those of the game, or the named ones and patterns.

    Each must concern an action that occurs. Without `forbid`, one that does not, as under the rules of a variant, is
    left out and reported.
    """
    named = restrictions_of(plan.game)
    if not forbid and not named:
        raise BalanceError(
            tr("{game} names no restrictions; say what to forbid with --forbid", game=plan.game.name)
        )
    labels = _look(plan)
    found: dict[str, Restriction] = {}
    for name in forbid or named:
        if "," in name:
            raise BalanceError(
                tr("--forbid {name!r}: a pattern must not contain a comma; use ? instead", name=name)
            )
        restriction = named.get(name) or Restriction(title=name, patterns=[name])
        plan.tier.strategies[0].without(name, restriction)  # refuses searchers and Python bots
        check_patterns(plan.game, restriction.patterns, f"--forbid {name!r}")
        classify = make_classifier(plan.game, plan.first_variant.rules, [restriction])
        if any(classify(code) for code in labels):
            found[name] = restriction
        elif forbid:
            raise _matches_nothing(name, [*named, *labels.values()])
        else:
            progress.tell(
                tr(
                    "{name} is left out: no action of it occurs in {games} games of random players",
                    name=name,
                    games=_LOOKED,
                )
            )
    return found


def _look(plan: Plan) -> dict[int, str]:
    """Return the actions in some games of random players, code to label."""
    game, rules = plan.game, plan.first_variant.rules
    found: dict[int, str] = {}
    for players in plan.experiment.players:
        simulator, room, packed = make_loop(game, rules, players, [Strategy("random", "random")])
        schedule = plan.schedule(next(cell for cell in plan.cells if cell.players == players))
        jobs = jobs_of(schedule, 0, _LOOKED)
        rows = simulator.rows(_LOOKED, players, False, 1_000_000)
        simulator.play_games(packed, room, jobs, rows, plan.experiment.decision_limit)
        trace = rows.trace[: int(room.episode[0].trace_used)]
        for code in np.unique(trace["code"][trace["options"] > 0]).tolist():
            found[code] = game.display.write_label(code, rules)
    return found


def _matches_nothing(name: str, known: Sequence[str]) -> BalanceError:
    """Return the error for a pattern without an action; it names labels that are near."""
    near = get_close_matches(name, known, _NEAR, 0.3) or sorted(known)[:_NEAR]
    return BalanceError(
        tr(
            "--forbid {name!r}: matches no action in {games} games of random players; write a restriction of the game, "
            "PART=WORD, or a label such as {labels}",
            name=name,
            games=_LOOKED,
            labels=", ".join(map(repr, near)),
        )
    )


@dataclass
class _Trainer:
    """Trains players at one player count, each against a table of the free strategy."""

    plan: Plan
    players: int
    asked: Restricted
    diaries: Path
    progress: Progress
    workers: Workers | None

    def train(self, restrictions: Mapping[str, Restriction]) -> dict[str, Strategy]:
        """Return the player without each option, and under "" the one without a restriction."""
        free = self.plan.tier.strategies[0]
        found = {"": self._train(0, "", None, [free])}
        models = list({each.name: each for each in (found[""], free)}.values())
        for number, (name, restriction) in enumerate(restrictions.items(), 1):
            found[name] = self._train(number, name, restriction, models)
        return found

    def _train(
        self, number: int, name: str, restriction: Restriction | None, models: Sequence[Strategy]
    ) -> Strategy:
        """Return the best one of the trained player and of the models under the restriction, on deals of their own.

        Equal players, as without an option that none uses, are the first model.
        """
        note = (
            trn(
                "adapting to play without {name} with {n} player",
                "adapting to play without {name} with {n} players",
                self.players, name=name,
            )
            if name
            else trn(
                "adapting to play without a restriction with {n} player",
                "adapting to play without a restriction with {n} players",
                self.players,
            )
        )  # fmt: skip
        self.progress.note(note)
        every = [each.without(name, restriction) if restriction else each for each in models]
        trained = self._adapt(number, name, restriction)
        every += [trained] if trained else []
        table = [self.plan.tier.strategies[0], *every]
        arena = self._arena(table)
        seed = int(derive_many(self.asked.seed, _SCREENING, self.players)[0] % 2**31)
        deals = max(2, _SCREENED // self.players)
        shares = [arena.probe(at, deals, seed).win_share.mean() for at in range(1, len(table))]
        return every[int(np.argmax(shares))]

    def _arena(self, strategies: Sequence[Strategy], restriction: Restriction | None = None) -> Arena:
        """Return an arena in which the first strategy has all other seats."""
        table = strategies, [0] * (self.players - 1), restriction
        return Arena(self.plan.game, self.plan.first_variant.rules, self.players, *table, self.workers)

    def _adapt(self, number: int, name: str, restriction: Restriction | None) -> Strategy | None:
        """Return a profile trained under a restriction; None if the game has no profile to start from."""
        start = self._start
        if start is None:
            return None
        free = self.plan.tier.strategies[0]
        arena = self._arena([free], restriction)
        seed = int(derive_many(self.asked.seed, _TRAINING, self.players)[0] % 2**31)
        budget = Budget(self.asked.adapt, seed)
        told = {
            "game": self.plan.game.name, "rules": hash_rules(self.plan.first_variant.rules),
            "players": self.players, "games": budget.games, "seed": seed,
            "restriction": restriction.model_dump() if restriction else None,
            **hash_contents([free, start]), **hash_sources_of(self.plan.game),
        }  # fmt: skip
        diary = Diary(self.diaries / f"{self.players}-{number}.diary", told)
        assert start.profile is not None
        row = evolve(arena, arena.row(start.profile), budget, RESPONSE, diary, self.progress)
        profile = start.profile.model_copy(update=arena.tables(row))
        trained = replace(start, name=f"{start.name} adapted", profile=profile)
        return trained.without(name, restriction) if restriction else trained

    @property
    def _start(self) -> Strategy | None:
        """The profile from which training starts: the free strategy, or else the game's strongest profile."""
        free, game = self.plan.tier.strategies[0], self.plan.game
        if free.profile:
            return free
        name = strongest_profile(game)
        if name not in game.shipped("profiles"):
            return None
        found: Profile = load_profile(game, name, game.folder)
        return Strategy(name, "profile", found)


def _plan_games(start: Plan, asked: Restricted, trained: Mapping[int, Mapping[str, Strategy]]) -> Plan:
    """Return the plan of the games: each player in every seat of a table of the free strategy, on the same deals."""
    free = start.tier.strategies[0]
    lineups = [
        [each.name, *[free.name] * (players - 1)]
        for players, found in trained.items()
        for each in found.values()
    ]
    options = len(next(iter(trained.values())))
    deal = 1 + options * max(trained)
    games = options * asked.games
    keys = {
        "games": games, "trace": min(games, _TRACED * deal), "lineups": lineups, "strategies": [],
    }  # fmt: skip
    data = start.experiment.model_dump(exclude_unset=True) | keys
    experiment = make_experiment(data, _WHERE)
    strategies, adapted = _strategies(start, free, trained)
    (tier_keys,) = experiment.every_tier
    tier = make_tier(experiment, tier_keys, strategies, lineups, adapted)
    return replace(start, experiment=experiment, tiers=[tier])


def _strategies(
    start: Plan, free: Strategy, trained: Mapping[int, Mapping[str, Strategy]]
) -> tuple[list[Strategy], Adapted]:  # fmt: skip
    """Return all strategies, and those of each cell with the weights for its player count."""
    every = {free.name: free}
    for found in trained.values():
        every |= {each.name: each for each in found.values() if each.name not in every}
    adapted = {}
    for players, found in trained.items():
        own = {each.name: each for each in found.values()}
        cell = [own.get(name, each) for name, each in every.items()]
        adapted[start.first_variant.name, players] = cell
    return list(every.values()), adapted
