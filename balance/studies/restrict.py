"""Restricted play: what an option is worth to a player who may not use it and has adapted to that.

One seat goes without the option, all others play the free strategy. For comparison, the same seat plays the same deals
without a restriction. Both have learnt against the same opponents with the same number of games: a player trained
against a table wins more there, restricted or not, and that gain must not count against the option.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd

from balance.analysis.ended import Played, refuse_broken
from balance.analysis.gather import gather
from balance.analysis.question import (
    STRATUM,
    Question,
    interval_columns,
    intervals_of,
    join_strata,
    moments,
    stratum_of_network,
)
from balance.analysis.traced import ratios, read_traced
from balance.contract.analytics import literal
from balance.contract.game import get_game
from balance.contract.restrictions import KIND, Restriction, check_patterns, make_classifier, restrictions_of
from balance.contract.sides import WINS
from balance.experiments.experiment import make_experiment
from balance.experiments.plan import Adapted, Cell, Plan, make_tier
from balance.experiments.planning import make_plan
from balance.experiments.profiles import Profile, load_profile, strongest_profile
from balance.experiments.strategies import Strategy
from balance.experiments.variants import hash_rules
from balance.foundation.errors import BalanceError
from balance.foundation.files import make_folder
from balance.foundation.language import N_, tr, trn
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.streams import derive_many
from balance.runs.folder import RunFolder
from balance.runs.jobs import jobs_of, make_loop
from balance.runs.workers import Workers
from balance.stats.comparisons import ALPHA, LEAST_DECKS, widen_alike
from balance.stats.intervals import LEVEL, t_ratio
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
        players: _Trainer(start, players, asked, folder / "adapting", progress, workers).train(restrictions)
        for players in start.experiment.players
    }
    plan = _plan_games(start, asked, trained)
    names = {(p, option): each.name for p, found in trained.items() for option, each in found.items()}
    run = play_or_resume(plan, folder / "games", progress, workers)
    return RestrictedGames(restrictions, names, free, asked, run)


def _start_plan(asked: Restricted) -> Plan:
    """Return a plan of the free strategy alone, with everything that the settings name looked up."""
    game = get_game(asked.game)
    game.sides.require("balance restrict", (WINS,))
    data = {
        "game": asked.game, "variants": [asked.variant], "players": list(asked.players or game.players),
        "strategies": [asked.strategy or strongest_profile(game)], "games": asked.games, "seed": asked.seed,
    }  # fmt: skip
    return make_plan(make_experiment(data, _WHERE), Path(), _WHERE)


def find_restrictions(plan: Plan, forbid: Sequence[str], progress: Progress = SILENCE) -> dict[str, Restriction]:
    """Return the restrictions by name: those of the game, or the named ones and patterns.

    Each must concern an action that occurs. Without `forbid`, one that does not, as under the rules of a variant, is
    left out and reported.
    """
    named = restrictions_of(plan.game)
    if not forbid and not named:
        raise BalanceError(tr("{game} names no restrictions; say what to forbid with --forbid", game=plan.game.name))
    labels = _look(plan)
    if not labels:
        raise BalanceError(
            tr("{game}: random games have no choices, so nothing can be forbidden", game=plan.game.title)
        )
    found: dict[str, Restriction] = {}
    for name in forbid or named:
        if "," in name:
            raise BalanceError(tr("--forbid {name!r}: a pattern must not contain a comma; use ? instead", name=name))
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
    """Return the actions that random players choose in some games, code to label; those that are forced are none."""
    game, rules = plan.game, plan.first_variant.rules
    found: dict[int, str] = {}
    for players in plan.experiment.players:
        simulator, room, packed = make_loop(game, rules, players, [Strategy("random", "random")])
        schedule = plan.schedule(next(cell for cell in plan.cells if cell.players == players))
        jobs = jobs_of(schedule, 0, _LOOKED)
        rows = simulator.rows(_LOOKED, players, False, 1_000_000)
        simulator.play_games(packed, room, jobs, rows, plan.experiment.decision_limit)
        trace = rows.trace[: int(room.episode[0].trace_used)]
        for code in np.unique(trace["code"][trace["options"] > 1]).tolist():
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

    def _train(self, number: int, name: str, restriction: Restriction | None, models: Sequence[Strategy]) -> Strategy:
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
        [each.name, *[free.name] * (players - 1)] for players, found in trained.items() for each in found.values()
    ]
    options = len(next(iter(trained.values())))
    deal = 1 + options * max(trained)
    games = options * asked.games
    keys = {"games": games, "trace": min(games, _TRACED * deal), "lineups": lineups, "strategies": []}
    data = start.experiment.model_dump(exclude_unset=True) | keys
    experiment = make_experiment(data, _WHERE)
    strategies, adapted = _strategies(start, free, trained)
    (tier_keys,) = experiment.every_tier
    tier = make_tier(experiment, tier_keys, strategies, lineups, adapted)
    return replace(start, experiment=experiment, tiers=[tier])


def _strategies(
    start: Plan, free: Strategy, trained: Mapping[int, Mapping[str, Strategy]]
) -> tuple[list[Strategy], Adapted]:
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


NEEDED, NOT_MISSED = N_("needed"), N_("not missed")
MISUSED, OPEN = N_("misused"), N_("not enough games")
NEVER_USED = N_("never used")
"""Verdicts, see `judge_worth`."""


@dataclass(frozen=True)
class Worth(Question):
    """Points of win share that a seat loses without an option, on the same deals; deals are the clusters.

    The answer has the columns ``players``, ``group`` (the option), and those of an interval.
    """

    # Player count, strategy, and the option that it goes without.
    without: tuple[tuple[int, str, str], ...]
    # Player count, the strategy with all options, and the line-up in which it plays; "" for any.
    baseline: tuple[tuple[int, str, str], ...]
    # Player count, and the number of networks of the free strategy.
    networks: tuple[tuple[int, int], ...]

    keys = ("players", "group", STRATUM)

    @property
    def sql(self) -> str:
        return f"""
            WITH own AS (
                SELECT o."group", r.players, r.seat, r.deal_seed, r.win_share
                FROM seat_rows r JOIN (VALUES {_values(self.without)}) o(players, strategy, "group")
                USING (players, strategy)
            ), base AS (
                SELECT r.players, r.seat, r.deal_seed, r.win_share
                FROM seat_rows r JOIN (VALUES {_values(self.baseline)}) b(players, strategy, wanted)
                USING (players, strategy) WHERE b.wanted IN ('', r.lineup)
            ), deals AS (
                SELECT own."group", players, deal_seed, {self._stratum} AS {STRATUM},
                       count(*)::DOUBLE AS "worth.count",
                       100 * sum(base.win_share - own.win_share)::DOUBLE AS "worth.total"
                FROM own JOIN base USING (players, seat, deal_seed)
                GROUP BY ALL HAVING count(*) = players
            )
            SELECT players, "group", {STRATUM}, {moments("worth")} FROM deals GROUP BY ALL
        """

    @property
    def _stratum(self) -> str:
        """The network that plays a deal, as a number below 0; 0 if there are not several."""
        if all(count == 1 for _, count in self.networks):
            return "0"
        counts = " ".join(f"WHEN {players} THEN {count}" for players, count in self.networks)
        return stratum_of_network("deal_seed", f"CASE players {counts} END")

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        sums = join_strata(sums, ["players", "group"])
        worth = widen_alike(intervals_of(sums, "worth"))
        return sums[["players", "group"]].assign(**interval_columns(worth))


def _values(rows: tuple[tuple[int, str, str], ...]) -> str:
    return ", ".join(f"({count}, {literal(one)}, {literal(other)})" for count, one, other in rows)


@dataclass(frozen=True)
class Worths:
    """What options are worth."""

    games: RestrictedGames
    table: pd.DataFrame  # of `read_worth`


def find_worths(
    asked: Restricted, folder: Path, progress: Progress = SILENCE, workers: Workers | None = None
) -> Worths:
    """Play as `play_restricted`, and return what the options are worth."""
    games = play_restricted(asked, folder, progress, workers)
    return Worths(games, read_worth(games, progress))


def read_worth(games: RestrictedGames, progress: Progress = SILENCE) -> pd.DataFrame:
    """Return what each option is worth at each player count, the largest worth first.

    Returns
    -------
    DataFrame
        ``players``, ``option``, ``title``, ``strategy`` (who plays without it), ``value``, ``low``, ``high`` (points of
        win share; all intervals hold together with 95 % confidence), ``n`` (games), ``clusters`` (deals), ``verdict``,
        and ``used``, ``used_low``, ``used_high``, ``used_n``: in how many games, in percent, the player with all
        options uses this one; missing if too few games were traced.
    """
    question = _question(games)
    answers = gather(games.run, [question, Played()], progress)
    refuse_broken(games.run, answers[Played()])
    table = widen_worth(answers[question]).rename(columns={"group": "option"})
    table = table.merge(read_usage(games), how="left", on=["players", "option"])
    table["verdict"] = judge_worth(table, games.asked.threshold)
    table["title"] = [games.restrictions[option].title for option in table["option"]]
    keys = zip(table["players"], table["option"], strict=True)
    table["strategy"] = [games.names[players, option] for players, option in keys]
    columns = [
        "players", "option", "title", "strategy", "value", "low", "high", "n", "clusters", "verdict",
        "used", "used_low", "used_high", "used_n",
    ]  # fmt: skip
    order = ["players", "value"]
    return table.sort_values(order, ascending=[True, False], kind="stable", ignore_index=True)[columns]


def _question(games: RestrictedGames) -> Worth:
    counts = games.run.plan.experiment.players
    without = [(players, name, option) for (players, option), name in games.names.items() if option]
    baseline = [(players, name, _lineup_of(games, players)) for players, name in games.baselines.items()]
    networks = [(players, games.free.networks(players)) for players in counts]
    return Worth(tuple(without), tuple(baseline), tuple(networks))


def _lineup_of(games: RestrictedGames, players: int) -> str:
    """Return the line-up of the baseline if that is the free strategy itself, which sits at every table."""
    name = games.names[players, ""]
    return ",".join([name] * players) if name == games.free.name else ""


def widen_worth(table: pd.DataFrame) -> pd.DataFrame:
    """Return intervals that all hold together with 95 % confidence (Bonferroni).

    Where all deals are alike, as for an option that is never used, there may still be other deals: at most a share of
    1 - alpha^(1 / deals) of them (Clopper and Pearson 1934 for a count of zero), each with at most 100 points more or
    less.
    """
    alpha = ALPHA / max(1, len(table))
    value, clusters = table["value"].to_numpy(float), table["clusters"].to_numpy(float)
    alike = (table["error"] == 0).to_numpy()
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio, unseen = t_ratio(1 - alpha, clusters, LEVEL), 100 * (1 - alpha ** (1 / clusters))
        ends = {
            end: np.where(alike, value + sign * unseen, value + ratio * (table[end] - value))
            for end, sign in (("low", -1), ("high", 1))
        }
    return table.assign(**ends)


def judge_worth(table: pd.DataFrame, threshold: float) -> list[str]:
    """Return the verdict on each option: where its interval lies.

    Above `threshold` it is ``needed``, within `threshold` of 0 ``not missed``, below minus `threshold` ``misused``: the
    strategies would win more without it. Otherwise, or with fewer than `LEAST_DECKS` deals, there are ``not enough
    games``. An option that is not shown to be needed, and that the player who has it used in no traced game, is ``never
    used``: going without it changes nothing for this player, so its worth was not measured.
    """
    low, high = table["low"].to_numpy(float), table["high"].to_numpy(float)
    inside = (low >= -threshold) & (high <= threshold)
    few, unused = table["clusters"].to_numpy() < LEAST_DECKS, (table["used"] == 0).to_numpy()
    words = np.select(
        [few, low > threshold, unused, inside, high < -threshold], [OPEN, NEEDED, NEVER_USED, NOT_MISSED, MISUSED], OPEN
    )
    return [str(word) for word in words]


def read_usage(games: RestrictedGames) -> pd.DataFrame:
    """Return in how many traced games, in percent, the player with all options chooses what the restriction forbids.

    Of an option that is allowed N times, only games with more uses count.

    Returns
    -------
    DataFrame
        ``players``, ``option``, ``used``, ``used_low``, ``used_high``, ``used_n`` (games); intervals are clustered by
        deal.
    """
    variant = games.run.plan.first_variant.name
    rows = read_traced(games.run, [variant], partial(_read_uses, games))
    names = {"value": "used", "low": "used_low", "high": "used_high", "n": "used_n"}
    if rows is None:
        return pd.DataFrame(columns=["players", "option", *names.values()])
    found = ratios(rows, ["option"], "used", is_share=True).rename(columns=names)
    return found[["players", "option", *names.values()]]


def _read_uses(games: RestrictedGames, cell: Cell, connection: duckdb.DuckDBPyConnection, which: str) -> pd.DataFrame:
    """Return a row for each option and traced game of the baseline in a seat: ``deal_seed`` and whether ``used``."""
    parts = [part for part in getattr(games.run.plan.game.kernel, "PARTS", {}) if part != KIND]
    columns = ", ".join(['"label"', KIND, *(f'"{part}"' for part in parts)])
    taken = connection.execute(f"SELECT DISTINCT {columns} FROM trace WHERE options > 1").df()
    concerned = [
        (option, restriction.at_most, row["label"], row[KIND])
        for row in taken.to_dict("records")
        for option, restriction in games.restrictions.items()
        if restriction.concerns(row["label"], _words(row, parts))
    ]
    frame = pd.DataFrame(concerned, columns=["option", "at_most", "label", KIND])
    connection.register("concerned", frame)
    options = ", ".join(map(literal, games.restrictions))
    name, lineup = games.names[cell.players, ""], _lineup_of(games, cell.players)
    wanted = f"AND lineup = {literal(lineup)}" if lineup else ""
    return connection.execute(f"""
        WITH seated AS (
            SELECT game_id, seat, deal_seed FROM seats JOIN games USING (game_id)
            WHERE strategy = {literal(name)} {wanted} AND status <> 'truncated' AND {which}
        ), used AS (
            SELECT "option", game_id, seat FROM trace JOIN concerned USING (label, {KIND})
            WHERE trace.options > 1 GROUP BY ALL HAVING count(*) > any_value(at_most)
        )
        SELECT o."option", deal_seed, (used."option" IS NOT NULL)::INT AS used
        FROM seated CROSS JOIN (SELECT unnest([{options}]) AS "option") o
        LEFT JOIN used USING (game_id, seat, "option")
        ORDER BY ALL
    """).df()


def _words(row: Mapping[str, object], parts: list[str]) -> dict[str, str]:
    """Return the kind and the parts of a row of the trace; parts that it lacks are left out."""
    own = {part: str(row[part]) for part in parts if not pd.isna(row[part])}
    return {KIND: str(row[KIND]), **own}
