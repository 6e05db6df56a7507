"""Components: how often each turns up and is taken, how often takers win, and what one more of it adds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from balance.analysis.components import (
    CHANGED,
    EFFECT,
    FIRST,
    POINTS,
    TAKEN,
    THERE,
    WINS,
    judged_effects,
    most_flattered,
    most_valuable,
)
from balance.analysis.gather import Answers, in_plan_order
from balance.analysis.holdout import WHOLE
from balance.contract.game import components_of
from balance.contract.sides import SEAT
from balance.foundation.language import N_, tr, trn, write_number
from balance.report.context import Family, ReportContext
from balance.report.figures.strength import draw_worth
from balance.report.kit import (
    figures_by_variant,
    in_variant_order,
    name_largest,
    of_tier,
    run_argument,
    spread_columns,
    write_cell_headline,
    write_headlines,
)
from balance.report.model import Figure, Headline, Section, Table
from balance.report.words import count_players, write_estimate, write_fair, write_range
from balance.runs.sidecar import COMPONENTS
from balance.runs.strength import plays_positions_again, read_tier_rows
from balance.stats.comparisons import ALPHA
from balance.stats.intervals import fair_share

ORDER = 65
NEEDS = (SEAT,)
_KEY = ["variant", "family", "component"]  # the key of a row
_ROWS = 20  # in a figure; the table has all
SEEN = N_(
    "Seen, in grey: how often a component turns up, how often it is then taken, and how often takers win. A player who "
    "takes a card may have been ahead already, so this win share is not an effect of the card."
)
TAKEN_FIRST = N_(
    "Taken first: the strategy that takes a component first most often (chosen on one half of the deals, its share "
    "measured on the held-out half)."
)
TRIED = N_(
    "Tried: {games} games of each cell{tier} were replayed. Each time a component turned up, the game was continued "
    "twice: as dealt, and with one more of it, at no cost, for a seat drawn at random; deal, line-up and random "
    "choices of the bots were the same. The difference is the value of one more to a random seat, as these bots play; "
    "opponents can see and answer the gift. Points of score are those of the seat; other winner is the share of games "
    "in which the gift changes the winner. Intervals are clustered on deals."
)
LEFT_OUT = N_(
    "A component that affects all players, such as an event, was left out of the game instead: points of score are "
    "then those of all seats, with it less without it, and n counts games."
)
NOT_TRIED = N_(
    "This run did not measure what each component is worth. To measure it: balance components {run}, then write this "
    "report again."
)


_GIFTS = "components"


def families(context: ReportContext) -> list[Family]:
    """Return one family of verdicts if `balance components` was run."""
    found = read_tier_rows(context.run, COMPONENTS)
    return [Family(_GIFTS, context.plan.tier.name)] if len(found) else []


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write a table of seen and tried figures for each player count, or the command that can measure them."""
    titles = {
        each.name: each.title
        for variant in context.plan.variants
        for each in components_of(context.plan.game, variant.rules)
    }
    if not titles:
        return None
    table = context.of_shown(read_tier_rows(context.run, COMPONENTS))
    table = in_plan_order(context.plan, table, ["players"])
    if table.empty and not plays_positions_again(context.run):
        return None
    if table.empty:
        text = tr(NOT_TRIED, run=run_argument(context))
        return Section("components", tr("Components"), [text], rest=True)
    tier = next(each for each in context.plan.tiers if each.name == table["tier"].iloc[0])
    if len(tier.strategies) == 1:
        table = table[table["measure"] != FIRST]
    whole = table[table["half"] == WHOLE]
    judged = judged_effects(table, context.thresholds.seats, context.family(_GIFTS))
    headlines = [*_most_valuable(table, titles), *_most_flattered(table, titles)]
    return Section(
        "components",
        tr("Components"),
        list(_methods(whole, of_tier(context, tier.name))),
        in_variant_order(context, headlines),
        figures=list(_figures(context, whole, judged, titles)),
        tables=[
            _table(context, int(players), part, judged, titles)
            for players, part in whole.groupby("players", sort=False)
        ],
    )


def _methods(whole: pd.DataFrame, tier: str) -> Iterator[str]:
    """Yield how the figures were measured."""
    games = whole[whole["measure"] == THERE]["n"]
    span = write_number(int(games.min()), ",")
    if games.max() > games.min():
        span = tr("{low:,} to {high:,}", low=int(games.min()), high=int(games.max()))
    yield tr(SEEN) + (f" {tr(TAKEN_FIRST)}" if (whole["measure"] == FIRST).any() else "")
    yield tr(TRIED, games=span, tier=tier)
    if not whole["given"].all():
        yield tr(LEFT_OUT)


def _most_valuable(table: pd.DataFrame, titles: Mapping[str, str]) -> list[Headline]:
    """Return the components that add most, a sentence for each variant."""

    def write(best: pd.DataFrame) -> str:
        adds = [
            trn(
                "with {n} player {component}, {effect} (n = {gifts:,} gifts)",
                "with {n} players {component}, {effect} (n = {gifts:,} gifts)",
                row.players,
                component=name_largest(row, "component", lambda name: titles.get(name, name)),
                effect=write_estimate(row),
                gifts=row.n,
            )
            for row in best.itertuples()
        ]
        return tr("most points of win share from one more, on held-out deals: {adds}", adds="; ".join(adds))

    return write_headlines(most_valuable(table), write)


def _most_flattered(table: pd.DataFrame, titles: Mapping[str, str]) -> list[Headline]:
    """Return the components whose takers are shown to win more than one more of it adds."""
    fair = {int(players): fair_share(int(players)) for players in table["players"].unique()}
    return [
        write_cell_headline(
            row.variant,
            row.players,
            tr(
                "{component} looks better than it is: takers win {share} % (fair {fair}, n = {n:,}), one more adds "
                "{effect}",
                component=titles.get(row.component, row.component),
                share=write_estimate(row),
                fair=write_fair(fair_share(row.players)),
                n=row.n,
                effect=write_range(
                    *(write_number(each, ".1f") for each in (row.effect, row.effect_low, row.effect_high))
                ),
            ),
        )
        for row in most_flattered(table, fair).itertuples()
        if row.low - fair_share(row.players) > row.effect_high
    ]


def _figures(
    context: ReportContext, whole: pd.DataFrame, judged: pd.DataFrame, titles: Mapping[str, str]
) -> list[Figure]:
    """Draw seen and tried on one scale, for each variant the components that add most."""
    wins = whole[whole["measure"] == WINS]
    fair = wins["players"].map(fair_share)
    seen = wins.assign(**{name: wins[name] - fair for name in ("value", "low", "high")})
    seen = seen[seen["given"]]
    reach = pd.concat([seen, judged])[["value", "low", "high"]].to_numpy(float)
    ends = reach[np.isfinite(reach)]
    scale = (float(ends.min()) - 1, float(ends.max()) + 1)
    caption = (
        tr("What components are worth, the {n} that add most", n=_ROWS)
        if judged["component"].nunique() > _ROWS
        else tr("What components are worth")
    )

    def draw(name: str, caption: str, tried: pd.DataFrame) -> Figure:
        size = tried.groupby("component")["value"].mean().sort_values(ascending=False)
        few = tried[tried["component"].isin(size.index[:_ROWS])]
        few = few.sort_values("component", key=lambda names: -names.map(size), kind="stable")
        own = seen[seen["variant"] == few["variant"].iloc[0]]
        own, few = (each.assign(component=each["component"].replace(titles)) for each in (own, few))
        return draw_worth(name, caption, own, few, context.thresholds.seats, scale)

    return figures_by_variant(context, "components", caption, judged, draw)


def _table(
    context: ReportContext, players: int, part: pd.DataFrame, judged: pd.DataFrame, titles: Mapping[str, str]
) -> Table:
    wide = spread_columns(part, _KEY, "measure", _cell).set_index(_KEY)
    own = judged[judged["players"] == players].set_index(_KEY)
    tried = pd.concat([part[part["measure"] == name] for name in (EFFECT, POINTS)])
    headings = {
        EFFECT: tr("tried: one more adds"), "verdict": tr("verdict"),
        WINS: tr("seen: takers win, % (fair {fair})", fair=write_fair(fair_share(players))), TAKEN: tr("taken, %"),
        THERE: tr("there, %"), FIRST: tr("first by, % of its seats"), POINTS: tr("points of score"),
        CHANGED: tr("other winner, %"),
    }  # fmt: skip
    wide["verdict"] = own["verdict"]
    headings = {name: heading for name, heading in headings.items() if name in wide}
    frame = wide.reindex(columns=list(headings)).astype(object).fillna("–").rename(columns=headings)
    frame["n"] = tried.groupby(_KEY)["n"].first()
    frame = frame.fillna({"n": 0}).astype({"n": int}).reset_index().rename(columns={"family": N_("kind")})
    frame["component"] = frame["component"].replace(titles)
    frame = frame[["variant", N_("component"), *headings.values(), "n", "kind"]]
    sure = own["value"].abs().where(own["p"] < ALPHA, 0.0)
    importance = sure.reindex(wide.index).fillna(0.0).to_list()
    caption = trn(
        "Components, {players}: points of win share that one more adds (tried on the same deals), and what was seen. "
        "95 % intervals; n counts gifts; {n} verdict corrected together{shared}.",
        "Components, {players}: points of win share that one more adds (tried on the same deals), and what was seen. "
        "95 % intervals; n counts gifts; {n} verdicts corrected together{shared}.",
        len(judged), players=count_players(players), shared=context.shared,
    )  # fmt: skip
    row = ["players", *_KEY, "measure"]
    raw = part.merge(judged[[*row, "p", "verdict"]], "left", on=row)
    return Table(f"components-{players}", caption, frame, {"n": ","}, raw, importance=importance)


def _cell(row: Any) -> str:
    """Return an estimate as a cell of its measure."""
    if row.measure == FIRST:
        return f"{row.strategy} {write_estimate(row, 0)}"
    if row.measure == THERE and row.value == 100:
        return "100"
    if row.measure == TAKEN and not row.value > 0:
        return "–"
    return write_estimate(row, 0 if row.measure in (TAKEN, THERE) else 1)
