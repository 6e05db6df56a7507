"""Ties and points: wins alone and shared are told apart where ties matter, and each seat has a mean score."""

import re

import pytest
from support.errors import refused
from support.runs import plan_of, play, report_text
from support.shapes import write_shape

import balance
from balance.analysis.ended import Played
from balance.analysis.gather import gather
from balance.runs.folder import RunFolder

pytestmark = pytest.mark.usefixtures("undrawn")
KEYS = {"players": [2], "games": 200, "strategies": ["random"]}


@pytest.fixture(scope="module")
def tied(tmp_path_factory):
    """Return a run in which a third of the games is tied, and its game."""
    folder = tmp_path_factory.mktemp("tied")
    game = str(write_shape(folder, {"points": 2.0}, rounds=1, die=1))
    return play(folder / "run", game=game, variants=["base", "other"], **KEYS), game


def test_wins_and_ties_are_told_apart(tied, tmp_path):
    """The sentence about a seat and a table of the seats' section have both, and the first page counts the draws."""
    run, _ = tied
    text = report_text(run, tmp_path)
    games = balance.open_run(run).games("base")
    seats = balance.open_run(run).seats("base").query("seat == 0")
    alone = 100 * ((seats["rank"] == 1) & (seats.win_share == 1)).mean()
    shared = 100 * (games.winners == 2).mean()
    assert shared > 20
    assert f"({alone:.1f} % alone, {shared:.1f} % shared)" in text or re.search(
        r"player wins [\d.]+ \([\d.]+ to [\d.]+\) % \([\d.]+ % alone, [\d.]+ % shared\)", text
    )
    assert re.search(rf"\| base +\| 1st \| alone \| {alone:.2f}", text)
    played = gather(RunFolder.open_finished(run), [Played()])[Played()]
    assert played.draws[0] == (games.winners == 2).sum() > 0


def test_a_game_without_ties_says_nothing_of_them(tmp_path):
    """Where no victory is shared, sentences and tables have win shares alone."""
    game = str(write_shape(tmp_path, apart=True))
    text = report_text(play(tmp_path / "run", game=game, **KEYS), tmp_path / "page")
    assert "% alone" not in text and "Games won by seat" not in text


def test_a_game_that_always_ends_in_a_draw_says_so_first(tmp_path, cli):
    """The note stands before the grid, and `check` prints it."""
    game = str(write_shape(tmp_path, tied=True))
    cli("games", game, status=0)
    run = play(tmp_path / "run", game=game, **KEYS)
    text, note = report_text(run, tmp_path / "page"), "every game ends in a draw"
    assert 0 < text.index(note) < text.index("Seats fair")
    targets = tmp_path / "targets.toml"
    targets.write_text("targets = [{ measure = 'score', least = 0 }]\n", "utf-8")
    assert note in " ".join(cli("check", run, targets, status=0).output.split())


def test_scores_by_seat_are_a_measure(tied, tmp_path, cli):
    """`seat_score` is a target, an effect where it is named, and a table; it is not compared unasked."""
    run, game = tied
    cli("games", game, status=0)
    found = balance.open_run(run)
    means = found.seats("base").groupby("seat").score.mean()
    targets = tmp_path / "targets.toml"
    targets.write_text("targets = [{ measure = 'seat_score', least = 0, groups = ['1'] }]\n", "utf-8")
    table = found.check(targets)
    assert list(table.group) == ["1", "1"] and table.value[0] == pytest.approx(means[1])
    effects = found.compare("base", ["seat_score"])
    assert list(effects.group) == ["0", "1"]
    assert effects.effect.tolist() == pytest.approx(means.tolist())  # each point counts twice
    assert "seat_score" not in set(found.compare("base").measure)
    text = report_text(run, tmp_path / "page")
    assert re.search(rf"\| base +\| 1st +\| {means[0]:.2f} \(", text)
    assert "score of 2nd seat" in cli("compare --quiet --measure seat_score", run, status=0).output


def test_a_score_has_no_fair_share(tied):
    """`within` is the distance from a fair win share, which a score does not have."""
    _, game = tied
    with refused("`within` is for win shares; seat_score takes `least` and `most`"):
        plan_of(game=game, targets=[{"measure": "seat_score", "within": 2}], **KEYS)
