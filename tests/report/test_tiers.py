"""The page of a run with tiers: a result that depends on the bots is not a finding about the rules."""

import re
import tomllib

import pandas as pd
import pytest
from support.networks import GAME, drawn_weights
from support.runs import old_profile, play, report_text

from balance.analysis.gather import gather
from balance.analysis.shares import judge_shares, share_question
from balance.experiments.experiment import make_experiment
from balance.experiments.measures import share_of
from balance.experiments.plan import Plan
from balance.experiments.planning import make_plan
from balance.report.doubts import not_tried
from balance.runs.folder import RunFolder
from balance.training.network_files import write_network

pytestmark = pytest.mark.usefixtures("undrawn", "as_if_mixed")

STRONG_FIRST, STRONG_LAST = [["generalist", "random"]], [["random", "generalist"]]


@pytest.fixture(scope="module")
def as_if_mixed():
    """Judge seats although each strategy stays in its own: so who wins in a seat is planted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Plan, "unmixed", frozenset())
        yield


def played(path, *tiers, **keys):
    """Play line-ups in fixed seats, so that the winner is planted."""
    named = [{"name": name, "lineups": lineups, "games": games} for name, lineups, games in tiers]
    data = {"players": [2], "rotate": False, "strategies": [], "games": None, "tiers": named}
    return play(path, **data, **keys)


def grid_of(page):
    """Return cells of the grid by the first words of their row."""
    rows = re.findall(r"^\| ([A-Z][^|(]*?)(?: \([^|]*)? \| (.*) \|$", page.split("\n## ")[0], re.M)
    return {name.strip(): cells.split(" | ") for name, cells in rows}


def findings_of(page):
    """Return the findings, one line each."""
    return re.findall(r"^\d+\. (.*)", page[: page.index("## What was played")], re.M)


@pytest.fixture(scope="module")
def reversals(tmp_path_factory, as_if_mixed):
    """Return a run in which one tier favours seat 0 and another disfavours it; a third is too small to decide."""
    tiers = ("one", STRONG_FIRST, 200), ("two", STRONG_LAST, 100), ("few", STRONG_FIRST, 6)
    path = tmp_path_factory.mktemp("reversals")
    variants = ["base", "krzyzacy-soft", "krzyzacy-hard"]  # no order of the alphabet
    run = played(path / "run", *tiers, variants=variants, log="rounds")
    return run, report_text(run, path / "out"), path / "out"


def test_a_verdict_that_reverses_comes_first(reversals):
    """It stands before the findings and in none of them, with both figures and the command that would settle it."""
    _, page, out = reversals
    first = page.split("\n## ")[0]
    assert re.search(
        r"\*\*Depends on who plays\*\* \(base, krzyzacy-soft and krzyzacy-hard, 2 players\): Seats fair: "
        r"one unfair, (1st|2nd) [\d.]+ % \([\d.]+ to [\d.]+, n = 200\); two unfair, (1st|2nd) [\d.]+ % "
        r"\([\d.]+ to [\d.]+, n = 100\)\.",
        first,
    )
    command = "balance run --game na-grunwald --players 2 --variant base,krzyzacy-soft,krzyzacy-hard"
    assert f"To settle them: {command}" in first
    assert "--strategies expert-search-100 --games 100 " in first  # 100 games are as far apart as 90 from 10 %
    grid = grid_of(page)
    assert all(cell.startswith("disagree ") for cell in grid["Seats fair"])
    assert not [line for line in findings_of(page) if "(Seats)" in line]
    html = (out / "index.html").read_text(encoding="utf-8")
    assert html.index("Depends on who plays</b>") < html.index('id="findings"')
    assert html.count('<td class="dep') >= 3


def test_the_section_has_every_verdict_by_tier(reversals):
    """Shares, intervals, verdicts and n of each tier equal those of a page about it, with the same correction."""
    run, page, out = reversals
    assert "## By strength of players" in page
    table = pd.read_csv(out / "tables" / "tiers-seats.csv")
    assert len(table) == 3 * 2 * 2  # variants, seats, other tiers
    for tier in ("two", "few"):
        opened = RunFolder.open_finished(run, tier)
        asked = share_question(share_of(opened.plan, "seat"))
        shares = judge_shares(gather(opened, [asked])[asked], "seat", 1.0)
        own = table[table["tier"] == tier].merge(shares, left_on=["variant", "group"], right_on=["variant", "seat"])
        assert (own["value_other"] == own["value_y"]).all()
        assert (own["n_other"] == own["n_y"]).all()
    assert set(table.loc[table["tier"] == "two", "relation"]) == {"differs"}
    for name, key in (("tiers-effects", "decisions"), ("tiers-tempo", "lead_changes"), ("tiers-tempo", "leader")):
        assert key in set(pd.read_csv(out / "tables" / f"{name}.csv")["measure"])
    assert (out / "index.html").read_text(encoding="utf-8").count('id="tiers"') == 1


@pytest.mark.long
def test_how_far_a_seat_depends_on_the_field_is_shown_by_tier(tmp_path):
    """Each tier has the range over fields without one strategy; a tier with one field has none."""
    field = ["random", old_profile("balanced"), old_profile("treasurer")]
    tiers = [
        {"name": "calm", "strategies": field, "games": 180},
        {"name": "hot", "strategies": field, "temperature": 2.0, "games": 120},
        {"name": "alone", "strategies": field[:1], "games": 40},
    ]
    run = play(tmp_path / "run", players=[2], strategies=[], games=None, tiers=tiers)
    page = report_text(run, tmp_path / "out")
    found = pd.read_csv(tmp_path / "out" / "tables" / "tiers-fields.csv")
    assert set(found["tier"]) == {"calm", "hot"}
    own = pd.read_csv(tmp_path / "out" / "tables" / "seats-fields.csv")
    calm = found[found["tier"] == "calm"].drop(columns="tier").reset_index(drop=True)
    pd.testing.assert_frame_equal(calm, own, check_like=True)
    hot = found[found["tier"] == "hot"].reset_index(drop=True)
    report_text(run, tmp_path / "hot", "hot")
    other = pd.read_csv(tmp_path / "hot" / "tables" / "seats-fields.csv")
    pd.testing.assert_frame_equal(hot.drop(columns="tier"), other, check_like=True)
    assert "moves it furthest down and up" in page


def test_findings_have_the_numbers_of_all_tiers(reversals):
    """The weakest first, and whose verdict counts."""
    _, page, _ = reversals
    numbers = r"with (one|two|few) · (one|two|few) [+−\d.]+, (one|two|few) [+−\d.]+"
    found = [line for line in findings_of(page) if "(Strategies)" not in line]
    assert found and all(re.search(numbers, line) for line in found)


def test_the_page_is_about_the_tier_that_is_asked_for(reversals, tmp_path):
    """Every section uses only that tier's games; the default is the first."""
    run, page, _ = reversals
    assert "918 games by bots, from one (2 ways of playing) to few (2 ways of playing); run" in page
    assert "the sections show one" in page
    other = report_text(run, tmp_path / "two", "two")
    assert "the sections show two" in other
    shares = pd.read_csv(tmp_path / "two" / "tables" / "seats.csv")
    assert set(shares["n"]) == {100}


@pytest.mark.parametrize(
    ("games", "networks", "word"), [(900, 9, "fair"), (6, 9, "not enough games"), (400, 1, "disagree")]
)
def test_profiles_never_lead_over_stronger_networks(tmp_path, games, networks, word):
    """Nine networks lead, also with too few games for a verdict, and weaker players do not contradict them.

    One network only contradicts.
    """
    leads = networks > 1
    path = tmp_path / "network.toml"
    write_network(path, GAME, "champion", {2: [drawn_weights(1)] * networks}, {})
    network = [[str(path)] * 2]
    tiers = ("weak", STRONG_FIRST, 200), ("experts", network, games)
    # One strategy leads over several: it has no effects on strategies.
    keys = {"variants": ["base", "hire-dear"], "thresholds": {"seat_margin": 49}}
    run = played(tmp_path / "run", *tiers, **keys)
    page = report_text(run, tmp_path / "out")
    grid = grid_of(page)
    assert grid["Seats fair"][0].startswith(word)
    assert ("**Depends on who plays** (" in page) == (word == "disagree")
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert f"(with {'experts' if leads else 'weak'})" in html


@pytest.mark.slow
def test_what_tiers_share_is_a_finding(tmp_path):
    """Two tiers of one truth agree, and the page may say so."""
    lineups = ("one", STRONG_FIRST, 300), ("two", [["treasurer", "random"]], 200)
    page = report_text(played(tmp_path / "run", *lineups), tmp_path / "out")
    assert "**Depends on who plays** (" not in page
    (line,) = [line for line in findings_of(page) if "(Seats)" in line]
    assert re.search(r"The first player wins [\d.]+ % of games, fair 50\.", line)
    assert re.search(r"one [\d.]+, two [\d.]+", line)


@pytest.mark.slow
def test_a_tier_that_is_too_small_contradicts_nothing(tmp_path):
    """The page marks it as undecided; the finding holds for the first tier."""
    level = [["generalist", old_profile("treasurer")]]
    tiers = ("one", STRONG_FIRST, 300), ("few", level, 8)
    targets = [{"measure": "seat_win_share", "within": 49}]
    page = report_text(played(tmp_path / "run", *tiers, targets=targets), tmp_path / "out")
    assert "**Depends on who plays** (" not in page
    assert grid_of(page)["Seats fair"][0].startswith("unfair")
    assert "with one · one " in next(line for line in findings_of(page) if "(Seats)" in line)
    assert "Your targets" in page


@pytest.mark.slow
def test_a_tier_of_which_no_game_ended_is_left_out(tmp_path):
    """If all games of searchers and profiles are broken off, the page has no verdict and does not fail."""
    tiers = ("one", STRONG_FIRST, 8), ("two", STRONG_LAST, 8)
    page = report_text(played(tmp_path / "run", *tiers, decision_limit=5), tmp_path / "out")
    assert "## By strength of players" not in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategies", "noted"), [(["random"], True), (["search-2"], False), (["search-2", "random"], True)]
)
def test_a_page_of_one_tier_says_that_stronger_play_was_not_tried(tmp_path, strategies, noted):
    """The first lines say so, with the command to try; a run with searchers alone has no such lines."""
    run = play(tmp_path / "run", players=[2], strategies=strategies, games=8)
    page = report_text(run, tmp_path / "out", name="index.html")
    start = page[: page.index('id="played"')]
    assert ("Stronger play was not tried" in start) == noted
    assert ("--strategies expert" in start and "tiers = [" in start) == noted


@pytest.mark.parametrize(("games", "tried"), [(20, 1000), (5000, 5000), (50_000_000, 20_000)])
def test_the_tiers_that_it_proposes_are_an_experiment(tmp_path, games, tried):
    """The lines shown are TOML; with the other keys they play, in a time for which one waits."""
    for keys in ({"strategies": ["generalist", "random"]}, {"lineups": [["generalist", "random"]]}):
        data = {"game": "na-grunwald", "players": [2], "games": games, **keys}
        text = not_tried(make_plan(make_experiment(data), tmp_path, "x"))
        proposed = tomllib.loads(text[text.index("tiers = ") :])
        plan = make_plan(make_experiment({"game": "na-grunwald", "players": [2], **proposed}), tmp_path, "x")
        assert [(tier.name, tier.games) for tier in plan.tiers] == [("styles", games), ("strong", tried)]
        assert [each.name for each in plan.tiers[1].strategies] == ["expert"]
