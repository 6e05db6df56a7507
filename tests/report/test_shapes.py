"""Games of any shape have a report: one round, no choices, no chance, no ties, all ties, scores of any size."""

import json
import math
import re

import pytest
from support.runs import play, report_text
from support.shapes import write_shape

import balance
from balance.report import write_report
from balance.report.summary import write_summary
from balance.runs.folder import RunFolder

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("undrawn")]

SHAPES = {
    "one round": {"rounds": 1},
    "no choices": {"options": 1},
    "no chance": {"die": 1},
    "no ties": {"apart": True},
    "all ties": {"tied": True},
    "no points": {"points": 0.0},
    "negative": {"points": -1.0},
    "millions": {"points": 1_000_000.0},
    "nothing to do": {"rounds": 1, "options": 1, "die": 1},
}
OTHER = {"rounds": 3, "options": 2, "die": 2, "points": 1.0, "tied": False, "apart": False}
KEYS = {"players": [2], "games": 40, "strategies": ["most", "random"], "luck": 12}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_game_of_any_shape_has_a_report(shape, tmp_path, cli):
    """One variant with rounds, two with a trace: all sections, summary, compare and check, without a warning."""
    game = str(write_shape(tmp_path, OTHER, **SHAPES[shape]))
    cli("games", game, status=0)  # a command has named it, so its code may run
    one = play(tmp_path / "one", game=game, log="rounds", **KEYS)
    two = play(tmp_path / "two", game=game, log="trace", variants=["base", "other"], **KEYS)
    targets = tmp_path / "targets.toml"
    targets.write_text(
        "targets = [{ measure = 'seat_win_share', within = 5 }, { measure = 'taken', least = 1 }]\n", "utf-8"
    )
    for run in (one, two):
        page, chapters = write_report([RunFolder.open_finished(run)], tmp_path / f"{run.name}-page")
        text = page.with_suffix(".md").with_name("report.md").read_text(encoding="utf-8")
        assert not re.search(r"\b(nan|inf)\b", text)
        write_summary(chapters, page.parent)
        checked = cli("check --quiet", run, targets)
        assert checked.exit_code in (0, 1, 3) or "always play the same game" in checked.output
    rows = json.loads(cli("compare --quiet --json", two, status=0).output)
    measured = {"score", "taken", *(["minutes"] if SHAPES[shape].get("options") != 1 else [])}
    assert {row["measure"] for row in rows} >= measured  # without choices no time can be estimated


def test_scores_in_millions_keep_their_digits(tmp_path):
    """A score above 2 ** 24 is the number that the rules returned, in seats, rounds and margins."""
    game = str(write_shape(tmp_path, points=9_999_999.0))
    run = play(tmp_path / "run", game=game, log="rounds", **{**KEYS, "luck": 0})
    found = balance.open_run(run)
    seats, rounds = found.seats(), found.query("SELECT score, lead FROM rounds")
    assert (seats.score == 9_999_999 * seats.taken).all() and seats.score.max() > 2**24
    assert (rounds % 9_999_999 == 0).all(axis=None)
    assert (found.games().margin % 9_999_999 == 0).all()


def test_a_missing_number_is_missing(tmp_path):
    """Only the first seat has the column: its mean is over these seats, in report, check and compare."""
    game = str(write_shape(tmp_path, {"points": 2.0}))
    run = play(tmp_path / "run", game=game, variants=["base", "other"], **{**KEYS, "luck": 0})
    found = balance.open_run(run)
    mean = float(found.seats().query("seat == 0 and variant == 'base'").taken.mean())
    table = found.measures(["first"])
    row = table[table.variant == "base"].iloc[0]
    assert row.n == 40 and math.isclose(row.value, mean, rel_tol=1e-6)
    assert found.seats()["first"].isna().sum() == 80
    assert set(found.compare("base", ["first"]).n) == {40}
    assert f"{mean:.2f}" in report_text(run, tmp_path / "page")
