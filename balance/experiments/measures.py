"""The catalogue of measures. Tables, targets, options and pages use the same names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from balance.contract.analytics import Measure
from balance.contract.game import Game, faction_column, list_factions, options_of
from balance.contract.sides import RIVALS, SCORED, SEAT, TABLE, TEAM, WINS
from balance.experiments.plan import Plan
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import N_, tr


def _game(name: str, label: str, value: str, unit: str = "", meaning: str = "", **more: object) -> Measure:
    return Measure(name, label, value, unit, per_game=True, meaning=meaning, **more)  # type: ignore[arg-type]


SEAT_SHARE = Measure(
    "seat_win_share", "win share of seat", "win_share", "%", SEAT, scale=100, needs=(RIVALS, SEAT),
    meaning="Share of the games that a seat wins; a shared victory counts in equal parts.",
)  # fmt: skip
TEAM_SHARE = Measure(
    "team_win_share", "win share of team", "win_share", "%", TEAM, scale=100, needs=(RIVALS, TEAM),
    meaning="Share of the games that a team wins; a shared victory counts in equal parts.",
)  # fmt: skip
STRATEGY_SHARE = Measure(
    "strategy_win_share", "win share of strategy", "win_share", "%", "strategy", scale=100, needs=(RIVALS,),
    meaning="Share of its seats that a strategy wins.",
)  # fmt: skip
STRATEGY_WON = Measure(
    "strategy_won", "games won by strategy", "win_share", "%", "strategy", scale=100, needs=(TABLE, WINS),
    meaning="Share of a strategy's seats in games that the players win.",
)  # fmt: skip
FACTION_SHARE = Measure(
    "faction_win_share", "win share of faction", "win_share", "%", scale=100, needs=(RIVALS, SEAT),
    meaning="Share of the games that a faction wins, of those in which it was drawn.",
)  # fmt: skip
WON = _game(
    "won", "games won", "win_share", "%", "Games that the players win together.", scale=100, needs=(TABLE, WINS)
)
SEAT_SCORE = Measure(
    "seat_score", "score of seat", "score", "points", "seat", on_request=True, needs=(SEAT,),
    meaning="Mean score of a seat, for games in which points count and not who wins.",
)  # fmt: skip
MEASURES = (
    SEAT_SCORE,
    WON,
    Measure("score", "score", "score", "points", meaning="Mean score of a seat.", needs=(SCORED,)),
    _game("margin", "margin", "margin", "points", "Best score minus second-best score.", needs=(RIVALS,)),
    _game(
        "shared_victories", "shared victories", "(winners > 1)::INT", "%", "Games with several winners.", scale=100,
        needs=(RIVALS,),
    ),
    _game("decisions", "decisions", "decisions", "", "Length: decisions of all players together."),
    _game("choices", "choices", "choices", "", "Decisions with more than one option."),
    _game(
        "choice_blocks", "choices, like ones once", "choice_blocks", "",
        "Choices; consecutive choices that people make together count once.",
    ),
    _game(
        "options", "options a choice", "CASE WHEN choices > 0 THEN options END", "",
        "Mean number of options of a choice (branching factor).",
    ),
    _game(
        "lead_changes", "lead changes", "lead_changes", "", needs_rounds=True, needs=(RIVALS,),
        meaning="How often another seat takes the lead, seen after each round (Browne 2008).",
    ),
    _game(
        "winner_deficit", "winner's deficit", "winner_deficit", "", needs_rounds=True, needs=(RIVALS,),
        meaning="How far the winner was behind, over the rounds in which it was: mean square root of its deficit as a "
        "share of its final score; 0 if it was never behind (Browne 2008).",
    ),
    _game(
        "decided", "undisputed", "decided", "% of rounds", scale=100, needs_rounds=True, needs=(RIVALS,),
        meaning="Share of the rounds after which the winner leads until the end (Browne 2008: decisiveness).",
    ),
    _game(
        "comeback", "comebacks", "comeback", "%", scale=100, needs_rounds=True, needs=(RIVALS,),
        meaning="Winners who were behind at half time, of games in which a seat was ahead then (Elias, Garfield and "
        "Gutschera 2012: catch-up).",
    ),
)  # fmt: skip


def _followed(name: str, label: str, unit: str, meaning: str, **more: object) -> Measure:
    return _game(name, label, "", unit, meaning, needs=(RIVALS, SEAT), **more)


FOLLOWED = {
    measure.name: measure
    for measure in (
        _followed(
            "out_of_it", N_("out of it early"), "%", "Games in which a player has no hope for a third of the game.",
            scale=100,
        ),
        _followed(
            "without_hope", N_("without hope"), "%", "Rounds of a seat with less than a tenth of a fair chance.",
            scale=100,
        ),
        _followed(
            "decided_at", N_("decided by chances"), "% of rounds", "Rounds over when the winner has more than 75 % and "
            "keeps it.", scale=100,
        ),
        _followed("open", N_("openness"), "%", "Entropy of the chances (Browne 2008).", scale=100),
        _followed("swings", N_("swings"), "points", "Chance that changes hands in a game."),
        _followed(
            "longest_wait", N_("longest wait"), "", "Choices of others between two of a seat, longest of a game."
        ),
        _followed("contact", N_("contact"), "%", "Of what choices move, moved for others.", scale=100),
        _followed(
            "kingmaking", N_("kingmaking"), "%", "Free choices without hope that move who else wins.", scale=100
        ),
        _followed(
            "late_kingmaking", N_("games with late kingmaking"), "%",
            "Games with such a choice in the last third, at least: of those that were tried.", scale=100,
        ),
    )
}  # fmt: skip
"""What `balance chances` stores of a run's games (`balance.analysis.chances.read_chances`), by name.

It is no SQL over rows, so it stands in no question about rows: `balance check` with a file of targets and `balance
compare` of two runs read it, and studies follow the games that they play (`balance.studies.following`).
"""

OPTION_USE = Measure(
    "option_use", N_("seats that use option"), "", "%", "option", scale=100, is_traced=True,
    meaning="Seats that use an option of the game at least once, in traced games.",
)  # fmt: skip

APART = frozenset((*FOLLOWED, OPTION_USE.name))
"""The names of measures that are no SQL over rows."""


def share_of(plan: Plan, by: str) -> Measure:
    """Return the win share by ``seat``, ``team``, ``strategy`` or the column of factions, with the run's threshold.

    Where all players win together, the one by ``strategy`` is of games won.
    """
    thresholds, sides = plan.experiment.thresholds, plan.game.sides
    if by == SEAT:
        return replace(SEAT_SHARE, threshold=thresholds.seats)
    if by == TEAM:
        return replace(_team_share(plan.game), threshold=thresholds.seats)
    if by == "strategy":
        measure = STRATEGY_SHARE if sides.allow(STRATEGY_SHARE.needs) else STRATEGY_WON
        return replace(measure, threshold=thresholds.strategies)
    names = {key: name for v in plan.variants for key, name in list_factions(plan.game, v.rules).items()}
    return replace(FACTION_SHARE, by=by, groups=tuple(names.items()), threshold=thresholds.seats)


def all_measures(game: Game) -> list[Measure]:
    """Return all measures that a run of this game may have, the game's own last."""
    return [measure for measure in _catalogue(game) if game.sides.allow(measure.needs)]


def _catalogue(game: Game) -> list[Measure]:
    """Return the measures of all games, then the game's own."""
    own, by = game.analytics, faction_column(game)
    shares = [SEAT_SHARE, _team_share(game), STRATEGY_SHARE, STRATEGY_WON]
    shares += [replace(FACTION_SHARE, by=by)] if by else []
    return [*shares, *MEASURES, _minutes({0: own.SECONDS_PER_CHOICE}), *own.MEASURES]


def _team_share(game: Game) -> Measure:
    """Return the win share by team: each game counts once for a team, by the team's first seat."""
    return replace(TEAM_SHARE, value=f"CASE WHEN {game.sides.one_seat} THEN win_share END")


def seconds_per_choice(plan: Plan) -> dict[int, tuple[float, float]]:
    """Return the shortest and longest time of a choice by player count: the experiment's, or the game's assumption."""
    thresholds, assumed = plan.experiment.thresholds, plan.game.analytics.SECONDS_PER_CHOICE
    return {players: thresholds.seconds(players, assumed) for players in plan.experiment.players}


def measures_of(plan: Plan) -> list[Measure]:
    """Return the measures that a run of this plan has in the active tier."""
    own = {
        "minutes": _minutes(seconds_per_choice(plan)),
        "won": replace(WON, threshold=plan.experiment.thresholds.won_change),
    }
    every = all_measures(plan.game)
    own |= {measure.name: share_of(plan, measure.by) for measure in every if measure.by and measure.is_share}
    found = [own.get(measure.name, measure) for measure in every]
    if not plan.has_rounds:
        found = [measure for measure in found if not measure.needs_rounds]
    several = len(plan.tier.strategies) > 1
    return [measure for measure in found if several or measure.by != "strategy"]


def _minutes(seconds: Mapping[int, Sequence[float]]) -> Measure:
    """Return the measure of the estimated length, from the times of a choice by player count."""
    low, high = min(each[0] for each in seconds.values()), max(each[1] for each in seconds.values())
    middles = {players: sum(each) / 2 for players, each in seconds.items()}
    meaning = tr(
        "Estimated from the choices; those that people make together count once. Each takes the middle of the assumed "
        "{low:g} to {high:g} seconds.",
        low=low,
        high=high,
    )
    factor = str(next(iter(middles.values())) / 60)
    if len({*middles.values()}) > 1:
        factor = " ".join(f"WHEN {players} THEN {each / 60}" for players, each in middles.items())
        factor = f"(CASE players {factor} END)"
    value = f"nullif(choice_blocks, 0)::DOUBLE * {factor}"
    return _game("minutes", N_("estimated minutes"), value, N_("min"), meaning)


def named_measures(plan: Plan) -> dict[str, Measure]:
    """Return all measures by name that a table of the plan's run may show, those of `apart_measures` too."""
    return {**{measure.name: measure for measure in measures_of(plan)}, **apart_measures(plan.game)}


def apart_measures(game: Game) -> dict[str, Measure]:
    """Return the measures of a game that are no SQL over rows, by name: those of followed and of traced games."""
    followed = {name: measure for name, measure in FOLLOWED.items() if game.sides.allow(measure.needs)}
    return {**followed, **({OPTION_USE.name: OPTION_USE} if options_of(game) else {})}


def known_measures(plan: Plan, names: Sequence[str]) -> list[str]:
    """Return those of some names that are measures of a run, or of its games after a closer look."""
    known = {*(measure.name for measure in measures_of(plan)), *apart_measures(plan.game)}
    return [name for name in names if name in known]


def choose_measures(plan: Plan, names: Sequence[str] | None, apart: bool = False) -> list[Measure]:
    """Return measures by name; if none are named, all that are not only `on_request`.

    With `apart`, those of `apart_measures` may be named.
    """
    if names:
        more = apart_measures(plan.game) if apart else {}
        return [more[name] if name in more else find_measure(plan, name) for name in names]
    return [measure for measure in measures_of(plan) if not measure.on_request]


def find_measure(plan: Plan, name: str, where: str = "") -> Measure:
    """Return a measure of a plan by name."""
    known = {measure.name: measure for measure in measures_of(plan)}
    if name in known:
        return known[name]
    if name in FOLLOWED:
        raise BalanceError(
            tr(
                "measure '{name}' is of followed games: name it in targets of balance tune, as --measure of balance "
                "sensitivity or try, or, after balance chances, in a file of targets for balance check",
                name=name,
            )
        )
    apart = apart_measures(plan.game)
    if name in apart:
        raise BalanceError(
            tr(
                "measure '{name}' is of traced games: name it in targets of balance tune, as --measure of balance "
                "sensitivity or try, or in a file of targets for balance check",
                name=name,
            )
        )
    if name == OPTION_USE.name:
        raise BalanceError(tr("measure '{name}': {game} lists no options", name=name, game=plan.game.title))
    missing = next((each for each in _catalogue(plan.game) if each.name == name), None)
    if missing is None:
        raise unknown("measure", name, [*known, *apart], where)
    plan.game.sides.require(tr("measure '{name}'", name=name), missing.needs)
    text = tr("measure '{name}' needs several strategies, but only one plays", name=name)
    if missing.needs_rounds:
        text = tr(
            'measure \'{name}\' needs log = "rounds" or "trace" (--log rounds), and this run has log = "{level}"',
            name=name,
            level=plan.experiment.log,
        )
    raise BalanceError(f"{where}: {text}".removeprefix(": "))
