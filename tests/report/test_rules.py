"""The section on rules: what profiles were trained for, beside what they play."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.runs import play

from balance.log.folder import RunFolder
from balance.report.facts import Facts
from balance.report.sections import rules

TRAINED = """title = "x"
description = "x"
[weights]
helper = 1.0
[training]
variant = "base"
rules = "{}"
"""


def text_of(path):
    written = rules.write(Facts(RunFolder.open(path)), {})
    return " ".join(written.section.paragraphs)


@pytest.mark.parametrize(
    ("variants", "strategy", "words"),
    [
        (
            ["base", "hire-dear"],
            "champion",
            "Trained for base, and so no measure of what people make of hire-dear",
        ),
        (["base"], "trained.toml", "Trained for base as that was then, and so no measure"),
        (["base"], "champion", ""),
        (["base", "hire-dear"], "balanced", ""),
    ],
)
def test_who_was_trained_for_other_rules_is_named(tmp_path, variants, strategy, words):
    """A variant that is another, base as it was before it was changed; not who is at home or untrained."""
    (tmp_path / "trained.toml").write_text(TRAINED.format("0" * 12))
    if strategy.endswith("toml"):
        strategy = str(tmp_path / strategy)
    found = text_of(play(tmp_path / "run", variants=variants, strategies=[strategy, "random"], games=8))
    assert words in found
    assert ("Trained for" in found) == bool(words)


def test_a_key_by_player_count_is_held_against_what_base_says_once(tmp_path):
    """One row for each count that differs, none for the others."""
    own = tmp_path / "two.toml"
    own.write_text('extends = "base"\ntitle = "x"\ndescription = "x"\n[start.ducats]\n2 = [3, 4]\n')
    run = play(tmp_path / "run", variants=["base", str(own)], games=8)
    written = rules.write(Facts(RunFolder.open(run)), {})
    (table,) = (table for table in written.section.tables if table.name == "rules")
    assert table.data.to_numpy().tolist() == [["two", "start.ducats.2", "3", "[3, 4]"]]


def test_an_adapted_tier_says_what_no_interval_contains(tmp_path):
    """How the training came out."""
    run = RunFolder.open(play(tmp_path / "run", strategies=["champion", "random"], games=8))
    run.plan.tiers[0] = replace(run.plan.tier, adapt=50_000)
    assert "no interval contains" in " ".join(rules.write(Facts(run), {}).section.paragraphs)
