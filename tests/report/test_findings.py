"""Findings: which results are joined in one, and the wording for comebacks."""

import shlex
from types import SimpleNamespace

import pytest
from support.own_game import write_plainest
from support.runs import play

from balance.analysis.changes import Change
from balance.analysis.verdicts import Verdict
from balance.contract.game import get_game
from balance.experiments.targets import Thresholds
from balance.report.assessment import Assessment
from balance.report.chapter import write_chapter
from balance.report.findings import find_facts
from balance.report.rows import comebacks, seats, strategies
from balance.report.speakers import Said, Speakers
from balance.runs.folder import RunFolder
from balance.stats.intervals import fair_share

ROWS = {each.ROW.name: each.ROW for each in (seats, strategies, comebacks)}
CONTEXT = SimpleNamespace(
    first="base", thresholds=Thresholds(), speakers=Speakers(["styles"], {"styles": 0}, ["styles"], frozenset()),
    plan=SimpleNamespace(
        tier=SimpleNamespace(name="styles"), game=get_game("na-grunwald"), variants=[SimpleNamespace(name="base")],
        experiment=SimpleNamespace(every_tier=[SimpleNamespace(name="styles", strategies=[])], thresholds=Thresholds()),
        points=[], tiers=[SimpleNamespace(name="styles")], members=[], fair_share=fair_share,
    ),
)  # fmt: skip


def make_findings(*changes, verdicts=()):
    """Return the findings of a page: (row, players, group, baseline, effect, better)."""
    found = [
        Change(row, players, "new", "share", group, group, base, effect, effect, effect - 1, effect + 1, 1.0,
               "higher" if effect > 0 else "lower", better, 5_600, 2_100)
        for row, players, group, base, effect, better in changes
    ]  # fmt: skip
    effects = [Said("styles", {"styles": change}) for change in found]
    cells = {verdict.place: Said("styles", {"styles": verdict}) for verdict in verdicts}
    facts = find_facts(Assessment(CONTEXT, ROWS, cells, effects))
    return [fact.finding for fact in facts]


def findings_of(*changes, verdicts=()):
    """Return the first words and the text of `make_findings`."""
    return [(each.lead, each.text) for each in make_findings(*changes, verdicts=verdicts)]


def test_evidence_of_a_change_names_its_deals():
    """Pairs of games on one deal are not independent: n without the deals would suggest too much."""
    (finding,) = make_findings(("strategies", 4, "treasurer", 40.0, -9.0, 1))
    assert "n = 5,600 pairs on 2,100 deals" in finding.evidence


def test_effects_that_go_opposite_ways_are_never_joined():
    """Better and worse, up and down are separate findings."""
    found = findings_of(
        ("strategies", 4, "treasurer", 40.0, -9.0, 1),
        ("strategies", 4, "helpers-first", 26.0, 8.0, -1),
        ("strategies", 4, "generalist", 15.0, 7.0, 1),
        ("strategies", 2, "treasurer", 60.0, -5.0, 1),
    )
    assert [lead for lead, _ in found] == ["Better", "Worse", "Better"]
    first, second, third = (text for _, text in found)
    assert "treasurer (ducats) gets weaker: 40.0 → 31.0" in first
    assert "Also treasurer 60.0 → 55.0 with 2 players" in first
    assert "Also" not in second and "Also" not in third


def test_of_two_seats_one_is_a_finding():
    """With two players one seat's gain is the other's loss; with more, each direction is a finding."""
    pair = (("seats", 2, "0", 56.0, -4.0, 1), ("seats", 2, "1", 44.0, 4.0, 1))
    assert [text for _, text in findings_of(*pair)] == ["The second player: 44.0 → 48.0 % of wins, fair 50."]
    assert len(findings_of(*pair, ("seats", 3, "0", 40.0, -4.0, 1))) == 2


@pytest.mark.parametrize(
    ("word", "value", "text"),
    [
        ("late", 61.8, "61.8 % of winners come from behind, close to the 75.0 % expected if the first half did not matter."),  # noqa: E501
        ("runaway", 21.0, "Only 21.0 % of winners come from behind."),
    ],
)  # fmt: skip
def test_comebacks_are_compared_with_chance(word, value, text):
    """Too many comebacks are a problem, like too few."""
    verdict = Verdict("comebacks", 4, "base", "watch", word, "", value, value - 1, value + 1, 5_000, 2.0)
    assert findings_of(verdicts=[verdict]) == [("Watch", text)]


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
def test_a_finding_leads_to_a_command_that_can_be_run(tmp_path, cli):
    """It names the variant as the experiment does, by its path, and a strategy in a folder with a comma."""
    rules, profile = tmp_path / "gone.toml", tmp_path / "a, b" / "mine.toml"
    rules.write_text('title = "Gone"\ndescription = "Five dice."\nextends = "base"\ndice = 5\n')
    profile.parent.mkdir()
    profile.write_bytes((get_game("polska").folder / "profiles" / "champion.toml").read_bytes())
    keys = {"players": [2], "variants": [str(rules), "base"], "strategies": [str(profile)], "games": 60}
    chapter = write_chapter(RunFolder.open_finished(play(tmp_path / "run", game="polska", **keys)))
    (finding, *_) = [each for group in chapter.screen.groups for each in group.findings if each.command]
    program, study, *words = shlex.split(finding.command)
    assert program == "balance" and str(rules) in words
    cli(study, *words, "--keys", "turn_limit", "--games", 100, "--workers", 1, "--quiet", status=0)


@pytest.mark.parametrize("keys", ["pass", "turns: int = 3"])
def test_a_finding_about_rules_without_a_key_has_no_command(keys, tmp_path):
    """The first player gets three points for nothing, in rules that have nothing to change or one key."""
    path = write_plainest(tmp_path) / "game.py"
    text = path.read_text(encoding="utf-8").replace("    pass", f"    {keys}").replace("[0] * players", "[3, 0]")
    path.write_text(text, encoding="utf-8")
    run = play(tmp_path / "run", game=str(path.parent), players=[2], strategies=["random"], games=200)
    findings = [each for group in write_chapter(RunFolder.open_finished(run)).screen.groups for each in group.findings]
    assert findings and all(bool(each.command) == (keys != "pass") for each in findings)
