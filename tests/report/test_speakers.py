"""Who speaks for the rules: planted results that fade, grow or turn round as players get better, and rare ones."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from balance.analysis.changes import Change
from balance.analysis.verdicts import Figure, PlayersRange, Verdict
from balance.contract.game import get_game
from balance.experiments.targets import Thresholds
from balance.games.na_grunwald.analytics.rows import box
from balance.report.answer import answer
from balance.report.assessment import Assessment
from balance.report.findings import FADES, GROWS, REVERSES, RULES, STEADY, WEAK, find_facts, trend_of
from balance.report.rows import seats
from balance.report.speakers import Said, Speakers
from balance.report.words import write_players_range
from balance.stats.intervals import fair_share

TIERS = ("novices", "styles", "experts", "search")
FOUR = Speakers(TIERS, {"novices": 0, "styles": 1, "experts": 2, "search": 2}, ["search", "experts", "styles"],
                frozenset({"experts", "search"}))  # fmt: skip
ROWS = {row.name: row for row in (seats.ROW, box.ROW)}
VARIANT = SimpleNamespace(name="base")
PLAYED = [SimpleNamespace(name=tier, strategies=[]) for tier in TIERS]
CONTEXT = SimpleNamespace(
    first="base", thresholds=Thresholds(), speakers=FOUR,
    plan=SimpleNamespace(
        tier=SimpleNamespace(name="styles"), game=get_game("na-grunwald"), variants=[VARIANT],
        experiment=SimpleNamespace(every_tier=PLAYED, players=[4], thresholds=Thresholds()),
        tiers=PLAYED, points=[], members=[], fair_share=fair_share,
    ),
)  # fmt: skip


def verdict(row, value, room, band):
    """Return the verdict on a share with an interval of ± `room`."""
    low, high, n = max(0.0, value - room), value + room, 2_000
    inside, outside = band[0] <= low and high <= band[1], low > band[1] or high < band[0]
    kind, word = ("good", "fair") if inside else ("bad", "unfair") if outside else ("open", "not enough games")
    name = "3" if row == "seats" else "provisions"
    off = abs(value - 25) if outside else 0.0
    figures = {name: Figure(value, low, high, n)}
    text = f"{name} {value} %"
    return Verdict(row, 4, "base", kind, word, name, value, low, high, n, off, words=text, figures=figures)


def said(row, **numbers):
    """Return what the four tiers say: (value, half of the interval) each."""
    band = ROWS[row].band(CONTEXT.plan, 4)
    claims = {tier: verdict(row, *each, band) for tier, each in numbers.items()}
    return FOUR.hear(claims, FOUR.speaking)


def facts_of(found):
    return find_facts(Assessment(CONTEXT, ROWS, {found.claim.place: found}))


@pytest.mark.parametrize(
    ("row", "numbers", "speaker", "group", "trend"),
    [
        pytest.param(
            "box", {"novices": (15.7, 2), "styles": (30.6, 2), "experts": (9.3, 2), "search": (0.3, 1)},
            "search", WEAK, FADES, id="it fades",
        ),
        pytest.param(
            "seats", {"novices": (25, 1), "styles": (24, 1), "experts": (20, 1), "search": (18, 1)},
            "search", RULES, GROWS, id="it grows",
        ),
        pytest.param(
            "seats", {"novices": (30, 1), "styles": (31, 1), "experts": (20, 3), "search": (18, 1)},
            "search", RULES, REVERSES, id="it reverses",
        ),
        pytest.param(
            "seats", {"novices": (18, 1), "styles": (18.5, 1), "experts": (19, 3), "search": (18, 1)},
            "search", RULES, STEADY, id="everybody shows it",
        ),
        pytest.param(
            "seats", {"novices": (18, 1), "styles": (18.5, 1), "experts": (19, 3), "search": (22, 9)},
            "experts", RULES, "", id="the strongest that decides",
        ),
        pytest.param(
            "seats", {"novices": (18, 1), "styles": (18, 1), "experts": (24, 5), "search": (22, 9)},
            "search", WEAK, "Whether good players meet it too is open: there are not enough games with search.",
            id="profiles are silent where stronger players leave it open",
        ),
        pytest.param(
            "seats", {"styles": (18, 1), "experts": (18, 1), "search": (25, 5)},
            "search", WEAK, FADES, id="experts that the search is shown to contradict are silent",
        ),
        pytest.param("box", {"novices": (15.7, 2)}, None, None, "", id="players who make mistakes alone"),
    ],
)  # fmt: skip
def test_the_strongest_that_decide_speak(row, numbers, speaker, group, trend):
    """A fact that fades as players get better never leads, and each finding has the numbers of all players."""
    found = said(row, **numbers)
    assert (found and found.tier) == speaker
    if not found:
        return
    facts = facts_of(found)
    assert [fact.group for fact in facts] == [group]
    assert facts[0].finding.text.endswith(trend)
    shown = {f"{tier} {value}" for tier, (value, _) in numbers.items()}
    assert all(each.split(".0")[0] in facts[0].finding.evidence for each in shown)
    assert [dot.label for dot in facts[0].finding.strip.dots] == [each for each in TIERS if each in numbers]
    assert [dot.label for dot in facts[0].finding.strip.dots if dot.filled] == [speaker]


def test_a_disagreement_of_equally_strong_players_is_a_finding():
    """It has the range, and no weaker tier decides for them."""
    band = seats.ROW.band(CONTEXT.plan, 4)
    spread = PlayersRange("3", 18.0, 30.0, 9)
    differing = {
        tier: Verdict("seats", 4, "base", "open", "players differ", "3", 24, 14, 34, 2_000, spread=spread,
                      figures={"3": Figure(24, 14, 34, 2_000)})
        for tier in ("experts", "search")
    }  # fmt: skip
    found = FOUR.hear({"styles": verdict("seats", 25, 1, band), **differing}, FOUR.speaking)
    assert (found.tier, found.claim.word) == ("search", "players differ")
    few = {**differing, "search": replace(differing["search"], n=60)}
    assert FOUR.hear(few, FOUR.speaking).tier == "experts"
    (fact,) = facts_of(found)
    assert fact.group == RULES and "4th seat 18 to 30 % between 9 equally strong players" in fact.finding.text
    assert fact.finding.text.endswith("The figure depends on how one plays, and more games can't decide.")
    beyond = {tier: replace(each, spread=PlayersRange("3", 28.0, 30.0, 9)) for tier, each in differing.items()}
    (fact,) = facts_of(FOUR.hear(beyond, FOUR.speaking))
    assert fact.finding.text.endswith("All are outside the good range, but too few to show it for others.")


@pytest.mark.parametrize(
    ("ranks", "strong", "claims", "speaker"),
    [
        pytest.param((0, 0), {"b"}, ("shown", "shown"), "b", id="networks that are as strong as profiles"),
        pytest.param((1, 0), {"b"}, ("shown", None), "a", id="networks that are shown to be weaker"),
        pytest.param((0, 1), set(), ("shown", "open"), "a", id="among profiles the strongest that decides"),
        pytest.param((0, 0), set(), ("shown", "shown"), "a", id="of equally strong profiles the first"),
    ],
)
def test_who_speaks_depends_on_measured_strength(ranks, strong, claims, speaker):
    """An order of strength that was assumed may be wrong."""
    found = {
        tier: SimpleNamespace(is_shown=claim == "shown", differs=False, is_excluded_by=lambda other: False, n=1)
        for tier, claim in zip("ab", claims, strict=True)
        if claim
    }
    order = dict(zip("ab", ranks, strict=True))
    speaking = sorted(
        (each for each in "ab" if order[each] >= order["a"]), key=lambda each: (-order[each], each not in strong, each)
    )
    assert Speakers("ab", order, speaking, frozenset(strong)).hear(found, speaking).tier == speaker


def test_a_change_of_profiles_is_none_of_the_rules():
    """An effect is told with the numbers of all players; one that the strongest contradict fades."""
    effect = {"styles": (5, 1), "experts": (0.2, 1), "search": (0.1, 1)}
    claims = {
        tier: Change("seats", 4, "new", "seat_win_share", "3", "3", 25.0, size, size, size - room, size + room, 1.0,
                     "higher" if size > 1 else "same", 0, 2_000, 500)
        for tier, (size, room) in effect.items()
    }  # fmt: skip
    found = FOUR.hear(claims, FOUR.speaking)
    assert found.tier == "search" and not find_facts(Assessment(CONTEXT, ROWS, {}, [found]))
    grown = Said("search", {**claims, "search": claims["styles"]})
    (fact,) = find_facts(Assessment(CONTEXT, ROWS, {}, [grown]))
    assert "styles +5, experts +0.2, search +5" in fact.finding.evidence.replace(".0", "")


def test_an_open_change_of_one_variant_is_named_next_to_a_shown_one_of_another():
    """Never "no change" while one that would matter was seen; where its cell is said to be unfair, that is enough."""

    def change(variant, size, word):
        return Change("seats", 4, variant, "seat_win_share", "3", "3", 25.0, size, size, size - 1, size + 1, 1.0,
                      word, 0, 2_000, 500)  # fmt: skip

    variants = [SimpleNamespace(name=name) for name in ("base", "new", "other")]
    plan = SimpleNamespace(**{**vars(CONTEXT.plan), "variants": variants})
    context = SimpleNamespace(**{**vars(CONTEXT), "plan": plan})
    changes = change("new", 9, "higher"), change("other", 6, "undecided")
    effects = [Said("search", {"search": each}) for each in changes]
    found = Assessment(context, ROWS, {}, effects)
    assert answer(found, find_facts(found)) == (
        "With 4 players new gives the fourth player more wins (25.0 → 34.0 %, fair 25); no change is shown for other "
        "(the largest seen: with 4 players other gives the fourth player more wins (25.0 → 31.0 %, fair 25); more "
        "games needed)."
    )
    spread = PlayersRange("3", 4.0, 8.0, 3)  # all beyond one point
    found = Assessment(context, ROWS, {}, [effects[0], Said("search", {"search": replace(changes[1], spread=spread)})])
    said = answer(found, find_facts(found))
    assert said.endswith("fair 25); each of 3 equally strong players shows it, too few to be sure).")
    cell = replace(verdict("seats", 31, 1, (22.5, 27.5)), variant="other")
    found = Assessment(context, ROWS, {cell.place: Said("search", {"search": cell})}, effects)
    end = "(25.0 → 34.0 %, fair 25); in other, 3 31 %."
    assert answer(found, find_facts(found)).endswith(end)


def test_a_trend_needs_a_shown_difference():
    """Players who may have the same number show neither growth nor a fade."""
    own, near = Figure(20, 19, 21, 9), Figure(21, 18, 24, 9)
    assert trend_of("search", {"styles": near, "search": own}, (22.5, 27.5)) == ""
    assert trend_of("search", {"search": own}, (22.5, 27.5)) == ""


def test_a_row_may_have_one_number_only():
    """A game's own row need not give the numbers of all things of a cell."""
    weak = Verdict("box", 4, "base", "bad", "runs out", "ducats", 30, 28, 32, 2_000, 5.0, words="ducats run out")
    strong = Verdict("box", 4, "base", "good", "lasts", "provisions", 1, 0, 2, 2_000)
    found = FOUR.hear({"styles": weak, "search": strong}, FOUR.speaking)
    (fact,) = facts_of(found)
    assert (fact.group, fact.finding.text) == (WEAK, "With styles ducats run out; this is not shown with search.")


@pytest.mark.parametrize(
    ("ends", "written"), [((18.2, 30.4), "18 to 30"), ((22.6, 23.1), "22.6 to 23.1"), ((0.4, 7.2), "0.4 to 7.2")]
)
def test_a_range_of_players_has_two_ends(ends, written):
    assert write_players_range({"4th seat": ends}, 9, "%") == f"4th seat {written} % between 9 equally strong players"


def test_what_all_equally_strong_players_show_is_no_finding_about_the_weak():
    """All lie beyond the good range: the finding gives their range, of any variant, and comes first."""
    open_ = ("open", "players differ")
    near = Verdict("seats", 4, "base", *open_, "0", 26, 20, 32, 900, spread=PlayersRange("0", 22, 29, 3),
                   figures={"0": Figure(26, 20, 32, 900)})  # fmt: skip
    far = Verdict("seats", 4, "new", *open_, "3", 40, 9, 70, 900, spread=PlayersRange("3", 36, 44, 3),
                  figures={"3": Figure(40, 9, 70, 900)})  # fmt: skip
    weak = replace(verdict("seats", 38, 1, (22.5, 27.5)), variant="new")
    said = [Said("experts", {"experts": near}), Said("experts", {"styles": weak, "experts": far})]
    plan = SimpleNamespace(**{**vars(CONTEXT.plan), "variants": [VARIANT, SimpleNamespace(name="new")]})
    context = SimpleNamespace(**{**vars(CONTEXT), "plan": plan})
    all_outside, differ = find_facts(Assessment(context, ROWS, {each.claim.place: each for each in said}))
    assert [(each.group, each.about.variant) for each in (all_outside, differ)] == [(RULES, "new"), (RULES, "base")]
    assert (all_outside.finding.lead, differ.finding.lead) == ("All outside", "Players differ")
    assert all_outside.finding.text == (
        "Seats fair: 4th seat 36 to 44 % between 3 equally strong players. All are outside the good range, but too few "
        "to show it for others."
    )
    assert differ.finding.text == (
        "Seats fair: 1st seat 22 to 29 % between 3 equally strong players. The figure depends on how one plays, "
        "and more games can't decide."
    )
    cells = {each.claim.variant: seats.ROW.cell(plan, each.claim) for each in said}
    assert [(each.kind, each.short, each.value) for each in cells.values()] == [
        ("dep", "differ", "1st 22.0–29.0"),
        ("dep", "all outside", "4th 36.0–44.0"),
    ]
