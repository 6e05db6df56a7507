"""People at the table: their games next to those of every tier, the tier that plays most alike, and their pace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.shares import BALANCED, DISFAVOURED, FAVOURED, furthest_shares, share_question
from balance.contract.sides import SEAT
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.text import listed, nth
from balance.people.comparison import MEASURES, PeopleComparison, games_for_fair_seats, smallest_shown
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_intervals
from balance.report.kit import CELL, figures_by_variant, share_table, spread_columns, write_cell_headline
from balance.report.model import Figure, Headline, Section, Table
from balance.report.words import capital, count_players, with_players, write_estimate, write_limit, write_percent
from balance.stats.comparisons import LEAST_DECKS, TOO_FEW
from balance.stats.intervals import fair_share

ORDER = 32
NEEDS = (SEAT,)
_PEOPLE = N_("people")
UNMIXED = N_(
    "These games can't separate the seats from their players: note the names, and change seats between games, so that "
    "no person has one seat in more than half of them."
)
_LABELS = {**MEASURES, "minutes": N_("minutes")}


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write people's seats, scores and length next to those of every tier; None without people's games."""
    people = context.people
    if people is None:
        return None
    title = trn("People at the table ({n} game)", "People at the table ({n} games)", len(people.games))
    shares = people.seat_shares(context.thresholds)
    said = [Headline(text) for text in [*_summary(people), *_news(context, people, shares)]]
    seats = _seats_by_source(context, answers, shares)
    updates = len(people.people.updates)
    shared = tr(", at analysis {n} of growing records", n=updates) if updates > 1 else ""
    by_seat = share_table("people-seats", tr("Win share by seat, games of people."), shares, "seat", shared)
    return Section(
        "people",
        title,
        list(_paragraphs(people)),
        [*said, *_seat_headlines(people, shares)],
        figures=list(_figures(context, seats)),
        tables=[by_seat, *_tables(people, seats)],
    )


def write_in_short(context: ReportContext) -> str:
    """Return whether people's games show fair seats, at the player count and variant with the most; "" without any."""
    if context.people is None:
        return ""
    shares = context.people.seat_shares(context.thresholds)
    row = furthest_shares(shares).sort_values("n", kind="stable").iloc[-1]
    cell = shares[(shares["players"] == row["players"]) & (shares["variant"] == row["variant"])]
    nth_seat = nth(int(row["seat"]))
    about = tr("the {nth} seat wins {share}", nth=nth_seat, share=write_percent(row))
    where = with_players([int(row["players"])])
    what = _verdict(cell, about, "").removesuffix(".")
    return tr("With {players} {what}.", players=where, what=what)


def _seat_headlines(people: PeopleComparison, shares: pd.DataFrame) -> list[Headline]:
    """Return a sentence for each cell: whether the seats are shown to be fair, or how many games would show it."""
    tries = len(shares) * people.update_families
    furthest = furthest_shares(shares).set_index(CELL)
    found = []
    for (players, variant), part in shares.groupby(CELL, sort=False):
        row = furthest.loc[(players, variant)]
        about = tr("the {nth} seat wins {share}", nth=nth(int(row.seat)), share=write_percent(row))
        power = _power(int(players), int(row.n), float(row.limit), tries)
        found_here = write_cell_headline(str(variant), int(players), _verdict(part, about, power))
        if (int(players), str(variant)) in people.unmixed:
            found_here = replace(found_here, text=f"{found_here.text} {tr(UNMIXED)}")
        found.append(found_here)
    return found


def _power(players: int, games: int, limit: float, tries: int) -> str:
    """Return what these games could show, and how many would show fair seats."""
    shown = smallest_shown(players, games, tries)
    most = tr("these games could show no advantage")
    if shown < 100 - fair_share(players):
        most = tr("these games would show an advantage of {points:.0f} points", points=shown)
    needed = tr(
        "seats within {limit} of fair need about {games:,}",
        limit=write_limit(limit),
        games=games_for_fair_seats(players, limit, tries),
    )
    return f"{most}; {needed}"


def _verdict(shares: pd.DataFrame, about: str, power: str) -> str:
    verdicts, n = set(shares["verdict"]), int(shares["n"].max())
    if verdicts == {BALANCED}:
        return trn(
            "{n:,} game of people shows fair seats; {about}",
            "{n:,} games of people show fair seats; {about}",
            n,
            about=about,
        )
    if verdicts & {FAVOURED, DISFAVOURED}:
        return trn(
            "{n:,} game of people shows unfair seats: {about}",
            "{n:,} games of people show unfair seats: {about}",
            n,
            about=about,
        )
    parts = [
        trn(
            "{n:,} game of people doesn't show whether the seats are fair ({about}).",
            "{n:,} games of people don't show whether the seats are fair ({about}).",
            n,
            about=about,
        )
    ]
    if TOO_FEW in verdicts:
        parts.append(tr("{n} are the least for a verdict.", n=LEAST_DECKS))
    return " ".join(filter(None, [*parts, capital(power)]))


def _summary(people: PeopleComparison) -> Iterator[str]:
    """Yield the tier that plays most alike and the pace, in a sentence."""
    if not people.tiers:
        cells = listed([f"{variant} ({count_players(players)})" for players, variant in _cells(people)])
        yield tr(
            "This run has no games like these: {cells}. So there is nothing to compare. Play these variants and player "
            "counts with balance run.",
            cells=cells,
        )
        return
    parts = []
    if found := people.likeness:
        near = tr("{tier} is the nearest in {share:.0f} % of resamples", tier=found.nearest, share=100 * found.share)
        if found.is_shown:
            parts.append(tr("these people play most like the tier {tier} ({near})", tier=found.nearest, near=near))
        else:
            if found.more:
                near += "; " + tr("about {n:,} games would", n=found.more)
            parts.append(tr("these games don't show which tier plays like these people ({near})", near=near))
    if (pace := people.pace) is not None:
        whose = tr("by the choices of {tier}", tier=pace.tier) if pace.tier else tr("over all tiers")
        parts.append(
            tr(
                "a choice takes them {low:.0f} to {high:.0f} seconds ({whose}, n = {n:,} games){counts}; all lengths "
                "on this page use the pace of their player count",
                low=pace.low,
                high=pace.high,
                whose=whose,
                n=pace.n,
                counts=_by_count(people),
            )
        )
    if parts:
        yield f"{capital('; '.join(parts))}."


def _by_count(people: PeopleComparison) -> str:
    """Return the seconds of a choice at each player count, as a clause; "" with one count."""
    if len(people.games["players"].unique()) < 2:
        return ""
    parts = [
        tr("{low:.0f} to {high:.0f} with {players}", low=pace.low, high=pace.high, players=with_players([players]))
        for players, pace in people.paces.items()
    ]
    return f", {listed(parts)}" if parts else ""


def _paragraphs(people: PeopleComparison) -> Iterator[str]:
    """Yield how the tiers and the pace were compared."""
    if found := people.likeness:
        listing = ", ".join(f"{name} {write_number(distance, '.2f')}" for name, distance in found.distances.items())
        yield tr(
            "The distance of a tier is the root mean square of some differences ({measures}), in standard deviations "
            "of a game: {distances}. Resamples are 2,000 bootstrap samples of these games and of the bots' deals; a "
            "tier counts as shown if it is nearer than all others in {needed:.4g} %.",
            measures=listed([tr(MEASURES[name]) for name in found.measures]),
            distances=listing,
            needed=100 * found.needed,
        )
    yield tr("Games of the same people are counted as independent games.")
    if left_out := [name for name in people.truncated if name not in people.tiers]:
        yield tr("Not compared, because more than 1 % of their games were truncated: {tiers}.", tiers=listed(left_out))
    yield (
        tr("The pace is the minutes of all games, divided by the mean number of choices of the bots in the same cells.")
        if people.pace
        else tr("To measure the pace of these people, note the minutes of at least {n} games.", n=LEAST_DECKS)
    )


def _cells(people: PeopleComparison) -> list[tuple[Any, ...]]:
    return list(people.games[CELL].drop_duplicates().itertuples(index=False, name=None))


def _news(context: ReportContext, people: PeopleComparison, shares: pd.DataFrame) -> Iterator[str]:
    """Yield what changed since games were last added."""
    updates = people.people.updates
    if len(updates) < 2:
        return
    if not people.people.appended:
        yield tr(
            "Among the first {n} games some differ from those read before, so there is no comparison with the last "
            "update.",
            n=updates[-2],
        )
        return
    new = updates[-1] - updates[-2]
    before = people.before.seat_shares(context.thresholds).set_index([*CELL, "seat"])
    moved = []
    for row in furthest_shares(shares).itertuples():
        key = (row.players, row.variant, row.seat)
        if key in before.index:
            old = before.loc[key]
            text = tr(
                "{variant}, {players}: the {nth} seat's wins went from {before:.1f} to {now:.1f} %",
                variant=row.variant,
                players=count_players(row.players),
                nth=nth(int(row.seat)),
                before=old.value,
                now=row.value,
            )
            if old.verdict != row.verdict:
                text += ", " + tr("{before} before and {now} now", before=tr(old.verdict), now=tr(row.verdict))
            moved.append(text)
    said = f": {'; '.join(moved)}" if moved else ""
    yield trn(
        "New since the last update: {n} game{moved}.", "New since the last update: {n} games{moved}.", new, moved=said
    )


def _seats_by_source(context: ReportContext, answers: Answers, shares: pd.DataFrame) -> pd.DataFrame:
    """Return the win shares of people and of all tiers in the people's cells, with the source of each."""
    question = share_question(context.side_share)
    bots = {name: each.answers[question] for name, each in context.asked.items()}
    tables = [shares, *(bots or {context.plan.tier.name: answers[question]}).values()]
    sources = [_PEOPLE, *(bots or [context.plan.tier.name])]
    named = [table.assign(source=source) for source, table in zip(sources, tables, strict=True)]
    found = pd.concat(named, ignore_index=True).astype({"seat": int})
    cells = shares[CELL].drop_duplicates()
    found = found.merge(cells, on=CELL)
    found["fair"] = context.plan.fair_share(found["players"])
    found["limit"] = context.thresholds.seat_limit(found["fair"])
    return found[[*CELL, "seat", "source", "value", "low", "high", "n", "fair", "limit"]]


def _figures(context: ReportContext, seats: pd.DataFrame) -> list[Figure]:
    def draw(name: str, caption: str, part: pd.DataFrame) -> Figure:
        named = part["source"].replace({_PEOPLE: tr(_PEOPLE)})
        return draw_intervals(name, caption, part.assign(variant=named), "seat", same_scale=seats)

    known = seats[seats["variant"].isin([variant.name for variant in context.plan.variants])]
    if known.empty:
        return []
    return figures_by_variant(context, "people-seats", tr("Win share by seat, people and bots"), known, draw)


def _tables(people: PeopleComparison, seats: pd.DataFrame) -> Iterator[Table]:
    """Yield the seats, and the scores and lengths, with a column for people and for each tier."""
    frame = spread_columns(seats, [*CELL, "seat"], "source").rename(columns={"n": N_("least n")})
    frame["seat"] = [nth(seat) for seat in frame["seat"]]
    yield Table(
        "people-and-bots-seats", tr("Win share by seat, %, of people and of every tier. 95 % intervals each."),
        frame, {"least n": ","}, seats.drop(columns=["fair", "limit"]),
    )  # fmt: skip
    means = people.measures.assign(measure=people.measures["measure"].map(_LABELS))
    wide = spread_columns(means, [*CELL, "measure"], "source", write_estimate).rename(columns={"n": "least n"})
    caption = tr(
        "Scores and length of people and of every tier (the first 20,000 games of each cell). 95 % intervals each; "
        "the CSV has the differences."
    )
    yield Table("people-and-bots", caption, wide, {"least n": ","}, means)
