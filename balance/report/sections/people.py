"""People at the table: their games next to those of every tier, the tier that plays most alike, and their pace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.shares import (
    BALANCED,
    DISFAVOURED,
    FAVOURED,
    furthest_shares,
    share_question,
)
from balance.foundation.text import amount, listed, nth
from balance.people.comparison import (
    MEASURES,
    PeopleComparison,
    games_for_fair_seats,
    smallest_shown,
)
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_intervals
from balance.report.kit import CELL, figures_by_variant, share_table, spread_columns
from balance.report.model import Figure, Headline, Section, Table
from balance.report.words import capital, write_estimate, write_percent
from balance.stats.comparisons import LEAST_DECKS, TOO_FEW
from balance.stats.intervals import fair_share

ORDER = 32
_PEOPLE = "people"
UNMIXED = (
    "These games can't separate the seats from their players: note the names, and change seats between games, so that "
    "no person has one seat in more than half of them."
)
_LABELS = {**MEASURES, "minutes": "minutes"}


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write people's seats, scores and length next to those of every tier; None without people's games."""
    people = context.people
    if people is None:
        return None
    section = Section("people", f"People at the table ({amount(len(people.games), 'game')})")
    shares = people.seat_shares(context.thresholds.seats)
    section.headlines.extend(
        Headline(text) for text in [*_summary(people), *_news(context, people, shares)]
    )
    section.headlines.extend(_seat_headlines(people, shares))
    section.paragraphs.extend(_paragraphs(people))
    seats = _seats_by_source(context, answers, shares)
    section.figures.extend(_figures(context, seats))
    updates = len(people.people.updates)
    shared = f", at analysis {updates} of growing records" if updates > 1 else ""
    section.tables.append(
        share_table("people-seats", "Win share by seat, games of people.", shares, "seat", shared)
    )
    section.tables.extend(_tables(people, seats))
    return section


def _seat_headlines(people: PeopleComparison, shares: pd.DataFrame) -> list[Headline]:
    """Return a sentence for each cell: whether the seats are shown to be fair, or how many games would show it."""
    limit, tries = float(shares["limit"].iloc[0]), len(shares) * people.update_families
    furthest = furthest_shares(shares).set_index(CELL)
    found = []
    for (players, variant), part in shares.groupby(CELL, sort=False):
        row = furthest.loc[(players, variant)]
        about = f"the {nth(int(row.seat))} seat wins {write_percent(row)}"
        power = _power(int(players), int(row.n), limit, tries)
        text = f"{variant}: with {players} players {_verdict(part, about, power)}."
        if (int(players), str(variant)) in people.unmixed:
            text += f" {UNMIXED}"
        found.append(Headline(text, str(variant)))
    return found


def _power(players: int, games: int, limit: float, tries: int) -> str:
    """Return what these games could show, and how many would show fair seats."""
    shown = smallest_shown(players, games, tries)
    most = "nothing would show"
    if shown < 100 - fair_share(players):
        most = f"an advantage of {shown:.0f} points would show"
    needed = games_for_fair_seats(players, limit, tries)
    return f"in this number of games {most}; seats within {limit:g} of fair need about {needed:,}"


def _verdict(shares: pd.DataFrame, about: str, power: str) -> str:
    verdicts, n = set(shares["verdict"]), int(shares["n"].max())
    games = f"{n:,} {'game' if n == 1 else 'games'} of people"
    if verdicts == {BALANCED}:
        return f"{games} show fair seats; {about}"
    if verdicts & {FAVOURED, DISFAVOURED}:
        return f"{games} show unfair seats: {about}"
    few = f" {LEAST_DECKS} are the least for a verdict." if TOO_FEW in verdicts else ""
    return f"{games} don't show whether the seats are fair ({about}).{few} {capital(power)}"


def _summary(people: PeopleComparison) -> Iterator[str]:
    """Yield the tier that plays most alike and the pace, in a sentence."""
    if not people.tiers:
        cells = listed([f"{players} players under {variant}" for players, variant in _cells(people)])
        yield (
            f"This run has no games with {cells}, so there is nothing to compare. Play these variants and player "
            "counts with balance run."
        )
        return
    parts = []
    if found := people.likeness:
        near = f"{found.nearest} is the nearest in {100 * found.share:.0f} % of resamples"
        more = f"; about {found.more:,} games would" if found.more else ""
        parts.append(
            f"these people play most like the tier {found.nearest} ({near})"
            if found.is_shown
            else f"these games don't show which tier plays like these people ({near}{more})"
        )
    if (pace := people.pace) is not None:
        whose = f"by the choices of {pace.tier}" if pace.tier else "over all tiers"
        seconds = f"{pace.low:.0f} to {pace.high:.0f} seconds ({whose}, n = {pace.n:,} games)"
        parts.append(f"a choice takes them {seconds}, which all lengths on this page use")
    if parts:
        yield f"{capital('; '.join(parts))}."


def _paragraphs(people: PeopleComparison) -> Iterator[str]:
    """Yield how the tiers and the pace were compared."""
    if found := people.likeness:
        listing = ", ".join(f"{name} {distance:.2f}" for name, distance in found.distances.items())
        shown = listed([MEASURES[name] for name in found.measures])
        yield (
            f"The distance of a tier is the root mean square of the differences in {shown}, in standard deviations "
            f"of a game: {listing}. Resamples are 2,000 bootstrap samples of these games and of the bots' deals; a "
            f"tier counts as shown if it is nearer than all others in {100 * found.needed:.4g} %."
        )
    yield "Games of the same people are counted as independent games."
    if left_out := [name for name in people.truncated if name not in people.tiers]:
        yield f"More than 1 % of the games of {listed(left_out)} were truncated, so nothing is compared with them."
    yield (
        "The pace is the minutes of all games, divided by the mean number of choices of the bots in the same cells."
        if people.pace
        else f"To measure the pace of these people, note the minutes of at least {LEAST_DECKS} games."
    )


def _cells(people: PeopleComparison) -> list[tuple[Any, ...]]:
    return list(people.games[CELL].drop_duplicates().itertuples(index=False, name=None))


def _news(context: ReportContext, people: PeopleComparison, shares: pd.DataFrame) -> Iterator[str]:
    """Yield what changed since games were last added."""
    updates = people.people.updates
    if len(updates) < 2:
        return
    if not people.people.appended:
        yield (
            f"Among the first {updates[-2]} games some differ from those read before, so there is no comparison with "
            "the last update."
        )
        return
    new = updates[-1] - updates[-2]
    before = people.before.seat_shares(context.thresholds.seats).set_index([*CELL, "seat"])
    moved = []
    for row in furthest_shares(shares).itertuples():
        key = (row.players, row.variant, row.seat)
        if key in before.index:
            old = before.loc[key]
            verdict = (
                "" if old.verdict == row.verdict else f", {old.verdict} before and {row.verdict} now"
            )
            moved.append(
                f"with {row.players} players under {row.variant} the {nth(int(row.seat))} seat's wins went from "
                f"{old.value:.1f} to {row.value:.1f} %{verdict}"
            )
    said = f": {'; '.join(moved)}" if moved else ""
    yield f"New since the last update: {amount(new, 'game')}{said}."


def _seats_by_source(context: ReportContext, answers: Answers, shares: pd.DataFrame) -> pd.DataFrame:
    """Return the win shares of people and of all tiers in the people's cells, with the source of each."""
    question = share_question(context.seat_share)
    bots = {name: each.answers[question] for name, each in context.asked.items()}
    tables = [shares, *(bots or {context.plan.tier.name: answers[question]}).values()]
    sources = [_PEOPLE, *(bots or [context.plan.tier.name])]
    named = [table.assign(source=source) for source, table in zip(sources, tables, strict=True)]
    found = pd.concat(named, ignore_index=True).astype({"seat": int})
    cells = shares[CELL].drop_duplicates()
    found = found.merge(cells, on=CELL).assign(limit=context.thresholds.seats)
    return found[[*CELL, "seat", "source", "value", "low", "high", "n", "limit"]]


def _figures(context: ReportContext, seats: pd.DataFrame) -> list[Figure]:
    def draw(name: str, caption: str, part: pd.DataFrame) -> Figure:
        return draw_intervals(
            name, caption, part.assign(variant=part["source"]), "seat", same_scale=seats
        )

    known = seats[seats["variant"].isin([variant.name for variant in context.plan.variants])]
    if known.empty:
        return []
    return figures_by_variant(context, "people-seats", "Win share by seat, people and bots", known, draw)


def _tables(people: PeopleComparison, seats: pd.DataFrame) -> Iterator[Table]:
    """Yield the seats, and the scores and lengths, with a column for people and for each tier."""
    frame = spread_columns(seats, [*CELL, "seat"], "source").rename(columns={"n": "least n"})
    frame["seat"] = [nth(seat) for seat in frame["seat"]]
    yield Table(
        "people-and-bots-seats", "Win share by seat, %, of people and of every tier. 95 % intervals each.",
        frame, {"least n": ","}, seats.drop(columns="limit"),
    )  # fmt: skip
    means = people.measures.assign(measure=people.measures["measure"].map(_LABELS))
    wide = spread_columns(means, [*CELL, "measure"], "source", write_estimate).rename(
        columns={"n": "least n"}
    )
    caption = (
        "Scores and length of people and of every tier (the first 20,000 games of each cell). 95 % intervals each; "
        "the CSV has the differences."
    )
    yield Table("people-and-bots", caption, wide, {"least n": ","}, means)
