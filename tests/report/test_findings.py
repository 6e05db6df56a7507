"""Findings: which results are joined in one, and the wording for comebacks."""

from __future__ import annotations

import pandas as pd
import pytest

from balance.analysis.changes import COLUMNS
from balance.experiments.targets import Thresholds
from balance.report.findings import find_findings
from balance.report.grid import Judged

EMPTY = pd.DataFrame(
    columns=["row", "players", "variant", "kind", "word", "name", "value", "low", "high", "n"]
)


def make_findings(*changes, cells=EMPTY):
    """Return the findings of a page: (row, players, group, baseline, effect, better)."""
    rows = [
        (row, players, "new", "share", group, "%", base, base + effect, effect, effect - 1, effect + 1, 5_600,
         2_100, abs(effect), better)
        for row, players, group, base, effect, better in changes
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=COLUMNS)
    judged = Judged("base", {"styles": cells}, table, [], {}, EMPTY)
    return find_findings(judged, Thresholds(), {}, None)


def findings_of(*changes, cells=EMPTY):
    """Return the first words and the text of `make_findings`."""
    return [(each.lead, each.text) for each in make_findings(*changes, cells=cells)]


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
    assert "treasurer: 40.0 → 31.0" in first and "Also treasurer 60.0 → 55.0 with 2 players" in first
    assert "Also" not in second and "Also" not in third


def test_of_two_seats_one_is_told():
    """With two players one seat's gain is the other's loss; with more, each direction is a finding."""
    pair = (("seats", 2, "0", 56.0, -4.0, 1), ("seats", 2, "1", 44.0, 4.0, 1))
    assert [text for _, text in findings_of(*pair)] == [
        "The second player: 44.0 → 48.0 % of wins, fair 50."
    ]
    assert len(findings_of(*pair, ("seats", 3, "0", 40.0, -4.0, 1))) == 2


@pytest.mark.parametrize(
    ("word", "value", "text"),
    [
        ("late", 61.8, "61.8 % of winners come from behind, close to the 75.0 % expected if the first half did not matter."),  # noqa: E501
        ("runaway", 21.0, "Only 21.0 % of winners come from behind."),
    ],
)  # fmt: skip
def test_comebacks_are_told_with_what_chance_gives(word, value, text):
    """Too many comebacks are a problem, like too few."""
    cell = ("comebacks", 4, "base", "watch", word, "", value, value - 1, value + 1, 5_000)
    assert findings_of(cells=pd.DataFrame([cell], columns=EMPTY.columns)) == [("As it is", text)]
