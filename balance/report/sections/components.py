"""Components: how often each is there and taken, who wins with it, and what one more of it is worth."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from balance.analysis.component_sums import CHANGED, EFFECT, FIRST, POINTS, TAKEN, THERE, WINS
from balance.analysis.components import (
    judged_effects,
    kept_components,
    most_flattered,
    most_valuable,
)
from balance.analysis.gather import Answers, in_plan_order
from balance.analysis.halves import WHOLE
from balance.analysis.question import Question
from balance.contract.component import components_of
from balance.report.facts import Facts
from balance.report.figures.components import draw_worth
from balance.report.layout import stem
from balance.report.model import Said, Section, Table, write_estimate
from balance.report.section import Written
from balance.report.words import fair_of
from balance.stats.comparisons import ALPHA
from balance.stats.fair import fair_share

PLACE = 65
_ROW = ["players", "variant", "family", "component", "measure"]  # what names one of the long table
_ROWS = 20  # of a figure; the table has all
SEEN = (
    "Seen, in grey: how often a component turns up, how often it is then taken, whose seats are the first to take "
    "one most often (the strategy chosen on one half of the decks, its share measured on the other), and how often "
    "takers win. Who takes a card may have been ahead already: that share is no effect of the card."
)
TRIED = (
    "Tried: {games} games of each cell were played again. Each time a component turned up, the game went on twice: as "
    "dealt, and with one more of it, at no cost, for a seat drawn by lot, on the same deals and with the same "
    "line-up and lots of the bots. The difference is what one more is worth to a seat as these bots play, whoever "
    "it is; others who see it there may answer it. Points of score are its, other winner "
    "says in how many games other seats win for the gift. Intervals are clustered on decks."
)
LEFT_OUT = (
    "What can't be given to a seat, such as an event for all, was left out of the game instead: then points of score "
    "are those of all seats, with it less without it, and n counts games."
)
NOT_TRIED = (
    "What each component is worth is not known of this run. To play the first 1,000 games of each cell again, giving "
    "each component that turns up: balance components {run}, then write this report again."
)


def judges(facts: Facts) -> int:
    """What one more of each component adds, where that was tried."""
    return int(len(kept_components(facts.run)) > 0)


def questions(facts: Facts) -> Sequence[Question]:
    """None: the answers lie in the run's folder."""
    return []


def write(facts: Facts, answers: Answers) -> Written | None:
    """Seen and tried side by side, a table for each player count; how to get them where they are not there."""
    if not any(components_of(facts.plan.game, variant.rules) for variant in facts.plan.variants):
        return None
    section = Section("components", "Components")
    table = in_plan_order(facts.plan, facts.of_shown(kept_components(facts.run)), ["players"])
    if table.empty:
        section.paragraphs.append(NOT_TRIED.format(run=_command_name(facts)))
        return Written(section)
    whole = table[table["half"] == WHOLE]
    games = whole[whole["measure"] == THERE]["n"]
    span = f"{games.min():,}" + (f" to {games.max():,}" if games.max() > games.min() else "")
    section.paragraphs.extend([SEEN, TRIED.format(games=span)])
    if not whole["given"].all():
        section.paragraphs.append(LEFT_OUT)
    judged = judged_effects(table, facts.thresholds.seats, facts.families)
    section.says.extend(_says(table))
    section.figures.extend(_figures(facts, whole, judged))
    for players, part in whole.groupby("players", sort=False):
        section.tables.append(_table(facts, int(players), part, judged))
    return Written(section)


def _command_name(facts: Facts) -> str:
    tier = f" --tier {shlex.quote(facts.plan.tier.name)}" if facts.other_tiers else ""
    return f"{shlex.quote(str(facts.run.named))}{tier}"


def _says(table: pd.DataFrame) -> list[Said]:
    """What adds most, and whose takers win far more than it adds: for each variant, player counts together."""
    fair = {int(players): fair_share(int(players)) for players in table["players"].unique()}
    flattered = most_flattered(table, fair)
    found = []
    for variant, best in most_valuable(table).groupby("variant", sort=False):
        adds = [
            f"with {row.players} players {row.component}, {write_estimate(row)} (n = {row.n:,} gifts)"
            for row in best.itertuples()
        ]
        text = f"{variant}: most points of win share are added by one more of: {'; '.join(adds)}; on fresh decks."
        found.append(Said(text, str(variant)))
        better = map(_looks_better, flattered[flattered["variant"] == variant].itertuples())
        found += [Said(f"{variant}: {each}", str(variant)) for each in better if each]
    return found


def _looks_better(row: Any) -> str:
    """Of the component that is flattered most, what was seen and what was tried; "" where it isn't for sure."""
    if not row.low - fair_share(row.players) > row.effect_high:
        return ""
    return (
        f"with {row.players} players {row.component} looks better than it is: takers win {write_estimate(row)} % "
        f"(fair {fair_of(row.players)}, n = {row.n:,}), one more adds {row.effect:.1f} ({row.effect_low:.1f} to "
        f"{row.effect_high:.1f})."
    )


def _figures(facts: Facts, whole: pd.DataFrame, judged: pd.DataFrame) -> list[Any]:
    """Seen and tried on one scale, for each variant the components that add most."""
    wins = whole[whole["measure"] == WINS]
    fair = wins["players"].map(fair_share)
    seen = wins.assign(**{name: wins[name] - fair for name in ("value", "low", "high")})
    seen = seen[seen["given"]]
    reach = pd.concat([seen, judged])[["value", "low", "high"]].to_numpy(float)
    ends = reach[np.isfinite(reach)]
    scale = (float(ends.min()) - 1, float(ends.max()) + 1)
    found = []
    for number, (variant, part) in enumerate(judged.groupby("variant", sort=False)):
        size = part.groupby("component")["value"].mean().sort_values(ascending=False)
        few = part[part["component"].isin(size.index[:_ROWS])]
        few = few.sort_values("component", key=lambda names, by=size: -names.map(by), kind="stable")
        most = f", the {_ROWS} that add most" if len(size) > _ROWS else ""
        caption = f"What components are worth{most}, variant {variant}."
        drawn = draw_worth(
            stem("components", number), caption, seen[seen["variant"] == variant], few,
            facts.thresholds.seats, scale,
        )  # fmt: skip
        found.append(replace(drawn, variant=str(variant)))
    return found


def _table(facts: Facts, players: int, part: pd.DataFrame, judged: pd.DataFrame) -> Table:
    rows = ["variant", "family", "component"]
    cells = {
        (*key, measure): row
        for measure, found in part.groupby("measure", sort=False)
        for key, row in zip(
            found[rows].itertuples(index=False, name=None), found.itertuples(), strict=True
        )
    }
    verdicts = judged[judged["players"] == players].set_index(rows)
    keys = list(dict.fromkeys(part[rows].itertuples(index=False, name=None)))
    frame = pd.DataFrame(
        [[key[0], key[2], *_line(key, cells, verdicts), key[1]] for key in keys],
        columns=[
            "variant", "component", "tried: one more adds", "verdict", f"seen: takers win, % (fair {fair_of(players)})",
            "taken, %", "there, %", "first by, % of its seats", "points of score", "other winner, %", "n", "kind",
        ],
    )  # fmt: skip
    sure = {
        key: abs(row.value) if row.p < ALPHA else 0.0
        for key, row in zip(verdicts.index, verdicts.itertuples(), strict=True)
    }
    caption = (
        f"Components, {players} players: what one more adds, in points of win share, tried on the same deals, and "
        f"what was seen. 95 % intervals; n counts gifts; {len(judged)} verdicts corrected together{facts.shared}."
    )
    importance = [sure.get(key, 0.0) for key in keys]
    raw = part.merge(judged[[*_ROW, "p", "verdict"]], "left", on=_ROW)
    return Table(f"components-{players}", caption, frame, {"n": ","}, raw, importance=importance)


def _line(key: tuple[Any, ...], cells: dict[Any, Any], verdicts: pd.DataFrame) -> list[Any]:
    def write(measure: str) -> str:
        row = cells.get((*key, measure))
        return "–" if row is None else write_estimate(row)

    there, first = cells[*key, THERE], cells.get((*key, FIRST))
    taken = cells.get((*key, TAKEN))
    tried = cells.get((*key, EFFECT)) or cells.get((*key, POINTS))
    return [
        write(EFFECT),
        verdicts["verdict"].get(key, "–"),
        write(WINS),
        write_estimate(taken, 0) if taken is not None and taken.value > 0 else "–",
        "100" if there.value == 100 else write_estimate(there, 0),
        "–" if first is None else f"{first.strategy} {write_estimate(first, 0)}",
        write(POINTS),
        write(CHANGED),
        int(tried.n) if tried is not None else 0,
    ]
