"""A row of the verdict grid: what it asks, its verdicts, which of its changes matter, and its words."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from typing import Any

from balance.analysis.changes import Change, direction
from balance.analysis.ended import Played
from balance.analysis.question import Question
from balance.analysis.shares import PRIMARY, SEATS, share_question
from balance.analysis.verdicts import PACE_WORDS, CellVerdicts, PlayersRange, Verdict, by_place, withhold_verdicts
from balance.experiments.measures import share_of
from balance.experiments.plan import Plan
from balance.experiments.targets import Thresholds
from balance.foundation.language import tr, write_number
from balance.report.context import Evidence, Family, ReportContext
from balance.report.screen import ALL_BEYOND, NOT_PLAYED, GridCell, write_word
from balance.report.section import list_modules
from balance.report.words import amount, signed, with_players, write_fair, write_players_range, write_range
from balance.stats.comparisons import PLAYERS_DIFFER

HOME = "balance.report.rows"
_SIGNS = {PLAYERS_DIFFER: "dep", ALL_BEYOND: "dep", **dict.fromkeys(PACE_WORDS, "none")}
"""The kinds of cells that are open for another reason than too few games."""


class Row:
    """A question that has a verdict for each player count and variant.

    A module in `balance.report.rows`, or in ``analytics.rows`` of a game, has one as ``ROW``. All that shows a verdict
    asks this object. A row needs `name`, `title`, `order`, `anchor` and `verdicts`; the words here fit shares in
    percent of something that has a name. A row with a `measure` also words its changes. What methods return is
    described here, not again in each row.
    """

    name: str
    """The `balance.analysis.verdicts.Verdict.row` of its verdicts, and their family."""
    title: str
    order: int
    """The place in the grid: smaller is further up; a game's own rows use 50 to 59."""
    anchor: str
    """The section with its evidence."""
    numbers = ""
    """What its numbers are, in a few words."""
    meaning = ""
    """The words of its verdicts, with their limits."""
    number_unit = "%"

    needs: Sequence[str] = ()
    """What a game must have, see `balance.contract.sides.Sides.allow`; the row is left out of others."""

    looks_closer = False
    """Whether its verdicts need a closer look at games than their rows: `balance chances`, or a trace."""

    # Who answers, and what its verdicts are used for

    every_tier = True
    """Whether every tier is asked; then the strongest that decides speaks. Otherwise one tier is asked and speaks."""
    any_tier_reverses = False
    """Whether every tier may contradict its results, and not only equally strong ones."""
    has_standard = True
    """Whether a verdict compares the game with a standard of ours; luck has none, targets are those of the user."""
    about_strategies = False
    """Whether it is about strategies rather than the rules; then it ranks last, and the summary leaves it out."""

    # Changes of a measure

    measure = ""
    """The measure whose changes are judged; "" for none."""
    has_fair = False
    """Whether the measure is a share with a fair value."""
    changes_last = False
    """Whether its changes rank below problems and other changes."""
    mirrored = False
    """Whether, of two sides, one gains what the other loses."""

    def applies(self, plan: Plan) -> bool:
        """Return whether a run can have verdicts on it."""
        return True

    def speaking(self, context: ReportContext) -> Sequence[str]:
        """Return the tiers whose verdicts may count, the strongest first."""
        return context.speakers.speaking if self.every_tier else [context.plan.tier.name]

    def is_asked(self, context: ReportContext, tier: str) -> bool:
        """Return whether a tier is asked."""
        return self.every_tier or tier in self.speaking(context)

    def families(self, context: ReportContext) -> list[Family]:
        """Return the families of its verdicts: one for each tier that is asked."""
        return [Family(self.name, tier) for tier in context.tiers if self.is_asked(context, tier)]

    def questions(self, evidence: Evidence) -> Sequence[Question]:
        """Return what its verdicts ask of a tier, whose answers `evidence` does not have yet."""
        return []

    def verdicts(self, evidence: Evidence) -> Iterable[Verdict]:
        """Yield the verdicts of a tier; those of rows with a standard are withheld later where many games broke."""
        raise NotImplementedError

    def advice(self, verdicts: Sequence[Verdict]) -> str:
        """Return the advice that follows from its verdicts alone, instead of all other advice; "" for none."""
        return ""

    def levels_now(self, plan: Plan, verdicts: Sequence[Verdict]) -> str:
        """Return the numbers of a variant at each player count in a sentence; "" unless no standard judges them."""
        return ""

    def aim(self, name: str) -> str:
        """Return the measure that studies of rules aim at for the thing of this name; "" for none."""
        return self.measure

    def limit(self, thresholds: Thresholds, baseline: float) -> float:
        """Return the smallest effect on the measure that matters, in its unit."""
        raise NotImplementedError

    def band(self, plan: Plan, players: int) -> tuple[float, float] | None:
        """Return the values of the measure that are good; None if no band is drawn."""
        return None

    def bands(self, context: ReportContext) -> str:
        """Return the numbers that are good at each player count, in words."""
        return ", ".join(
            tr("{low:.3g} to {high:.3g} % with {players}", low=band[0], high=band[1], players=each)
            for each in context.plan.experiment.players
            if (band := self.band(context.plan, each))
        )

    def good(self, plan: Plan, players: int) -> str:
        """Return which numbers are good, in words; "" if no band is drawn."""
        band = self.band(plan, players)
        if not band:
            return ""
        low, high = (write_number(round(end, 1), "g") for end in band)
        return tr("good is {low} to {high} {unit}", low=low, high=high, unit=tr(self.number_unit))

    def name_of_group(self, plan: Plan, group: str) -> str:
        """Return the name that verdicts give to a group of the measure."""
        return group

    def compare(self, base: Verdict, verdict: Verdict, changes: Sequence[Change]) -> tuple[bool, int]:
        """Return whether a cell changed from the baseline, and whether it got better (1) or worse (-1).

        `changes` are those of the cell that matter.
        """
        return (True, direction(base, verdict, changes)) if changes else (False, 0)

    # Words of the row and of its cells

    def unit(self, plan: Plan) -> str:
        """Return what its numbers are."""
        return tr(self.numbers)

    def term(self, context: ReportContext) -> str:
        """Return the meaning of its words; "" to leave it out."""
        return tr(self.meaning)

    @property
    def missing(self) -> str:
        """Why a cell has no verdict."""
        return tr(NOT_PLAYED)

    def write_name(self, name: str) -> str:
        """Return the thing that a number belongs to, such as a faction; it may be ""."""
        return tr(name) if name else ""

    def name_in_full(self, name: str) -> str:
        """Return the same for a sentence."""
        return self.write_name(name)

    def write_value(self, plan: Plan, verdict: Verdict) -> str:
        """Return the number of a cell."""
        return amount(verdict.value)

    def write_number(self, plan: Plan, value: float, players: int) -> str:
        """Return a number of the row with its unit."""
        return f"{amount(value)} {tr(self.number_unit)}"

    def label(self, verdict: Verdict) -> str:
        """Return what stands next to the number of a cell."""
        return self.write_name(verdict.name)

    def sentence(self, verdict: Verdict) -> str:
        """Return a verdict as a sentence, for tooltips and screen readers."""
        whose = f"{self.label(verdict)} " if verdict.name else ""
        value = write_range(*map(amount, (verdict.value, verdict.low, verdict.high)))
        word, n = write_word(verdict.word), write_number(verdict.n, ",")
        text = f"{tr(self.title)}: {word}; {whose}{value}, n = {n}"
        return f"{text}; {self.write_spread(verdict)}" if verdict.spread else text

    def write_spread(self, verdict: Verdict) -> str:
        """Return between which values equally strong players lie; the verdict's `spread` is given."""
        assert verdict.spread is not None
        name, low, high, count = verdict.spread
        return write_players_range({self.name_in_full(name): (low, high)}, count, tr(self.number_unit))

    def disagreement(self, verdict: Verdict) -> str:
        """Return what equally strong players disagree about, as a clause; the verdict's `spread` is given."""
        return tr(
            "players differ ({question}: {range})", question=tr(self.title).lower(), range=self.write_spread(verdict)
        )

    def write_spread_in_short(self, verdict: Verdict) -> str:
        """Return the same for a list, as in "1st seat 49–57"; the verdict's `spread` is given."""
        assert verdict.spread is not None
        return f"{self.name_in_full(verdict.spread.name)} {_ends(verdict.spread)}".lstrip()

    def cell(self, plan: Plan, verdict: Verdict) -> GridCell:
        """Return the cell of a verdict."""
        name, value, word = self.label(verdict), self.write_value(plan, verdict), verdict.word
        if verdict.spread:
            if verdict.spread.beyond(self.band(plan, verdict.players)):
                word = ALL_BEYOND
            name, value = "", f"{self.write_name(verdict.spread.name)} {_ends(verdict.spread)}".lstrip()
        kind = _SIGNS.get(word, verdict.kind)
        return GridCell(kind, word, name, value, self.sentence(verdict), verdict.variant)

    # Words of problems

    def slots(self, plan: Plan, verdict: Verdict) -> dict[str, Any]:
        """Return what sentences about a verdict may name."""
        numbers = {each: amount(getattr(verdict, each)) for each in ("value", "low", "high")}
        name, word = self.write_name(verdict.name), write_word(verdict.word)
        return {
            **numbers,
            "n": verdict.n,
            "name": name,
            "word": word,
            "fair": write_fair(plan.fair_share(verdict.players)),
        }

    def problem(self, plan: Plan, verdict: Verdict) -> str:
        """Return a problem in words, without player count and variant."""
        return verdict.words

    def problem_in_short(self, plan: Plan, verdict: Verdict, where: str) -> str:
        """Return the number of a problem and what it belongs to; `where` is its cell."""
        slots = self.slots(plan, verdict) | {"where": where}
        if not verdict.name:
            return tr("{value} % {where}", **slots)
        return tr("{name} {value} % {where}", **slots)

    def ends(self, plan: Plan, verdict: Verdict) -> str:
        """Return the interval of a problem and its n, as in "26.4 to 35.0 %, n = 4,200"."""
        return tr("{low} to {high} %, n = {n:,}", **self.slots(plan, verdict))

    def doubt_of_word(self, plan: Plan, verdict: Verdict) -> str:
        """Return a verdict that another tier contradicts, with its number."""
        slots = self.slots(plan, verdict)
        slots["value"] = f"{slots['name']} {slots['value']}".strip()
        return tr("{word}, {value} % ({low} to {high}, n = {n:,})", **slots)

    # Words of changes

    def change_slots(self, plan: Plan, change: Change) -> dict[str, Any]:
        """Return what sentences about a change may name."""
        who = {"name": self.write_name(change.name), "players": with_players([change.players])}
        effect = write_range(*map(signed, (change.effect, change.low, change.high)))
        sizes = {"effect": effect, "n": change.n, "decks": change.decks}
        levels = {"levels": self.levels(plan, change), "fair": write_fair(plan.fair_share(change.players))}
        return {**who, **sizes, **levels}

    def levels(self, plan: Plan, change: Change) -> str:
        """Return the levels before and after a change."""
        return f"{amount(change.baseline)} → {amount(change.level)}"

    def change(self, plan: Plan, change: Change) -> str:
        """Return a change in a sentence: the levels, with the value that is fair or fits."""
        raise NotImplementedError

    def change_in_short(self, plan: Plan, change: Change) -> str:
        """Return the levels of a change and what they belong to."""
        return f"{self.write_name(change.name)} {self.levels(plan, change)}".strip()

    def effect(self, plan: Plan, change: Change) -> str:
        """Return the size of a change with its interval and n."""
        slots = self.change_slots(plan, change)
        return tr("{effect} points, n = {n:,} pairs on {decks:,} deals", **slots)

    def verb(self, plan: Plan, change: Change) -> str:
        """Return what a variant does, with the levels, as in "weakens treasurer (40.0 → 31.0 % of its seats)"."""
        raise NotImplementedError

    def brief(self, plan: Plan, change: Change) -> str:
        """Return what gets better or worse, with the levels."""
        return tr("wins of {name} with {players} ({levels} %)", **self.change_slots(plan, change))


class FairRow(Row):
    """A row of win shares that are fair within the limits of seats."""

    has_fair = True

    def limit(self, thresholds: Thresholds, baseline: float) -> float:
        return thresholds.seats

    def band(self, plan: Plan, players: int) -> tuple[float, float]:
        fair = plan.fair_share(players)
        room = plan.experiment.thresholds.seat_limit(fair)
        return fair - room, fair + room


class SideRow(FairRow):
    """A row of the win shares of seats or teams: the primary question is one of its families."""

    by: str
    """The column of its groups: the kind of sides that a game must have."""
    order = 10

    def families(self, context: ReportContext) -> list[Family]:
        """Return a family for each tier, and the primary question."""
        primary = context.primary_tier
        alone = len(context.plan.variants) == 1
        found = [Family(SEATS, tier) for tier in context.tiers if not (alone and tier == primary)]
        return [*found, Family(PRIMARY, primary)] if primary else found

    def questions(self, evidence: Evidence) -> Sequence[Question]:
        """Return the win shares, and which games were broken off."""
        return [share_question(share_of(evidence.plan, self.by)), Played()]


def _ends(spread: PlayersRange) -> str:
    return f"{amount(spread.low)}–{amount(spread.high)}"


def find_rows(plan: Plan) -> list[Row]:
    """Return the rows that a run can have verdicts on, in the order of the grid.

    Raises
    ------
    BalanceError
        A module of the game's own rows lacks ``ROW``.
    """
    found: list[Row] = [importlib.import_module(name).ROW for name in list_modules(HOME)]
    for name in list_modules(f"{plan.game.package}.analytics.rows"):
        module = importlib.import_module(name)
        if not hasattr(module, "ROW"):
            raise plan.game.fault(tr("{name} lacks {missing}", name=name, missing="ROW"))
        found.append(module.ROW)
    about = [row for row in found if plan.game.sides.allow(row.needs) and row.applies(plan)]
    return sorted(about, key=lambda row: row.order)


def read_verdicts(rows: Iterable[Row], evidence: Evidence) -> CellVerdicts:
    """Return the verdicts of a tier, row by row."""
    found: CellVerdicts = {}
    for row in rows:
        own = by_place(row.verdicts(evidence))
        found |= withhold_verdicts(own, evidence.answers) if row.has_standard else own
    return found
