"""What the report asks of a run of Na Grunwald! alone."""

from __future__ import annotations

import pandas as pd

from balance.analysis.gather import (
    Question,
    interval_columns,
    interval_of,
    intervals_of,
    means,
    moments_sql,
    quote,
)
from balance.experiments import Plan
from balance.games.na_grunwald.measures import BOX_DUCATS, BOX_HELPERS, BOX_PROVISIONS
from balance.stats.comparisons import holm, p_value
from balance.stats.intervals import difference_of

CARDS = 48  # an event deck has no more
_MOMENTS = moments_sql("s", "n", "")


def questions(plan: Plan) -> dict[str, Question]:
    """All of them, by name."""
    first = quote(plan.variants[0].name)
    cell = ["players", "variant"]
    found = {
        "box games": means(
            {
                "ducats": f"100 * (peak_ducats > {BOX_DUCATS})::INT",
                "provisions": f"100 * (peak_provisions > {BOX_PROVISIONS})::INT",
            },
            cell,
            "seat = 0",
        ),
        "box seats": means({"helpers": f"100 * (helpers >= {BOX_HELPERS})::INT"}, cell),
        "joined": means({"joined": "skirmishes_joined"}, ["players", "strategy"], f"variant = {first}"),
        "events games": _event_question(
            first, {"margin": "margin", "lost": "skirmishes_lost"}, "", True
        ),
        "events seats": _event_question(first, {"score": "score"}, "", False),
        "events strategies": _event_question(first, {"win share": "100 * win_share"}, "strategy", False),
    }
    if plan.experiment.log != "games":
        found["away"] = _away_question(first)
        found["helpers by round"] = means({"helpers": "helpers"}, [*cell, "round"], table="points")
    return found


def _away_question(variant: str) -> Question:
    """What a seat's score gains in a round by staying away from the skirmish that others join."""
    sql = f"""
        WITH changes AS (
            SELECT players, game_id, deck_seed, round, joined,
                   score - lag(score) OVER (PARTITION BY game_id, seat ORDER BY round) AS change
            FROM points WHERE variant = {variant}
        ), rounds AS (
            SELECT players, deck_seed, round,
                   avg(change) FILTER (joined = 0) - avg(change) FILTER (joined = 1) AS v
            FROM changes GROUP BY players, game_id, deck_seed, round
        ), decks AS (
            SELECT players, round, deck_seed, count(v)::DOUBLE AS n, coalesce(sum(v), 0) AS s
            FROM rounds GROUP BY ALL
        )
        SELECT players, round, {_MOMENTS} FROM decks GROUP BY ALL
    """

    def read(frame: pd.DataFrame) -> pd.DataFrame:
        table = frame[["players", "round"]].assign(**interval_columns(intervals_of(frame)))
        return table[table["n"] > 0].reset_index(drop=True)

    return Question(sql, ("players", "round"), read, needs_rounds=True)


def _event_question(variant: str, values: dict[str, str], split: str, per_game: bool) -> Question:
    """Means of values with and without each card of the event deck; a deck shows the same cards always."""
    names = list(values)
    group = f'{split}::VARCHAR AS "group"' if split else "'' AS \"group\""
    inner = ", ".join(f"sum(({sql})::DOUBLE) AS s{i}" for i, sql in enumerate(values.values()))
    outer = ", ".join(moments_sql(f"s{i}", "n", str(i)) for i in range(len(names)))
    sql = f"""
        WITH decks AS (
            SELECT players, {group}, deck_seed, any_value(events_seen) AS seen, count(*)::DOUBLE AS n, {inner}
            FROM rows WHERE variant = {variant} AND {"seat = 0" if per_game else "true"} GROUP BY ALL
        )
        SELECT players, "group", card, ((seen >> card) & 1)::INT AS shown, {outer}
        FROM decks, range({CARDS}) cards(card) GROUP BY ALL
    """
    keys = ("players", "group", "card", "shown")
    return Question(sql, keys, lambda frame: _read_events(frame, names))


def _read_events(frame: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Differences with the card less without it; cards that are always or never there have none."""
    keys = ["players", "group", "card"]
    both = frame[frame["shown"] == 1].merge(frame[frame["shown"] == 0], on=keys, suffixes=("_1", "_0"))
    parts = []
    for i, name in enumerate(names):
        shown, hidden = (
            intervals_of(both.rename(columns=lambda c, s=side: c.removesuffix(s)), str(i))
            for side in ("_1", "_0")
        )
        found = difference_of(shown, hidden)
        parts.append(both[keys].assign(measure=name, **interval_columns(found)))
    table = pd.concat(parts, ignore_index=True)
    return table[table["clusters"] > 1].reset_index(drop=True)


def correct(effects: pd.DataFrame) -> pd.DataFrame:
    """Event effects with p-values, corrected by Holm's method over the frame."""
    return effects.assign(p=holm([float(p_value(interval_of(row))) for row in effects.itertuples()]))
