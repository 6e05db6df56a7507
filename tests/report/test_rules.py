"""The section on rules: the rules that profiles were trained for, next to those that they play."""

from dataclasses import replace

import pytest
from support.runs import play

from balance.report.context import ReportContext
from balance.report.sections import rules
from balance.runs.folder import RunFolder

TRAINED = """title = "x"
description = "x"
[weights]
helper = 1.0
[training]
variant = "base"
rules = "{}"
"""


def text_of(path):
    written = rules.write(ReportContext(RunFolder.open(path)), {})
    return " ".join(written.paragraphs)


@pytest.mark.parametrize(
    ("variants", "strategy", "words"),
    [
        (
            ["base", "hire-dear"],
            "champion",
            "Trained for base, so they may play hire-dear worse than players who know these rules",
        ),
        (["base"], "trained.toml", "Trained for base (an earlier version of it), so they may play"),
        (["base", "hire-dear"], "expert", "Trained for base, so they may play hire-dear worse"),
        (["base"], "champion", ""),
        (["base", "hire-dear"], "generalist", ""),
    ],
)
def test_profiles_trained_for_other_rules_are_named(tmp_path, variants, strategy, words):
    """Another variant, or an earlier base, is named; profiles trained for these rules or untrained are not."""
    (tmp_path / "trained.toml").write_text(TRAINED.format("0" * 12))
    if strategy.endswith("toml"):
        strategy = str(tmp_path / strategy)
    found = text_of(play(tmp_path / "run", variants=variants, strategies=[strategy, "random"], games=8))
    assert words in found
    assert ("Trained for" in found) == bool(words)


def test_a_key_by_player_count_is_compared_with_the_single_value_of_base(tmp_path):
    """Each count that differs has one row, the others none."""
    own = tmp_path / "two.toml"
    own.write_text('extends = "base"\ntitle = "x"\ndescription = "x"\n[start.ducats]\n2 = [3, 4]\n')
    run = play(tmp_path / "run", variants=["base", str(own)], games=8)
    written = rules.write(ReportContext(RunFolder.open(run)), {})
    (table,) = (table for table in written.tables if table.name == "rules")
    assert table.data.to_numpy().tolist() == [["two", "start.ducats.2", "3", "[3, 4]"]]


DECK = """extends = "base"
source = "me"
reconstruction = true
without.cards = ["truce"]
[[cards]]
id = "pomerania_seized"
n = 4
[[cards]]
id = "flood"
name = "Flood"
effect = "pay"
bundle = { provisions = 1 }
"""


def test_single_cards_of_a_deck_are_named(tmp_path):
    """A changed card is shown by its key, a new or removed one as a whole, another deck by its size."""
    (tmp_path / "deck.toml").write_text(DECK.replace("truce", "autumn_truce"))
    own = tmp_path / "own.toml"
    own.write_text('extends = "base"\ntitle = "x"\ndescription = "x"\nevent_deck = "deck.toml"')
    run = play(tmp_path / "run", variants=["base", str(own), "events-harsh"], games=8)
    table = next(t for t in rules.write(ReportContext(RunFolder.open(run)), {}).tables if t.name == "rules")
    found = {(row.variant, row.rule): (row.base, row.here) for row in table.data.itertuples()}
    assert found["own", "event_deck.cards.pomerania_seized.n"] == ("2", "4")
    gone, here = found["own", "event_deck.cards.autumn_truce"]
    assert "effect truce" in gone and here == "-"
    there, new = found["own", "event_deck.cards.flood"]
    assert there == "-" and "name Flood, effect pay, copies 1, bundle provisions 1" in new
    assert found["own", "event_deck.name"] == ("base", "deck")
    assert len([key for key in found if key[0] == "own"]) == 5  # a reconstruction, as base's is
    assert found["events-harsh", "event_deck.cards"] == ("14 cards", "7 cards")


def test_an_adapted_tier_names_what_the_intervals_leave_out(tmp_path):
    """The page shows the result of the training."""
    run = RunFolder.open(play(tmp_path / "run", strategies=["champion", "random"], games=8))
    run.plan.tiers[0] = replace(run.plan.tier, adapt=50_000)
    assert "the intervals do not include the variation between training runs" in " ".join(
        rules.write(ReportContext(run), {}).paragraphs
    )
