"""Length of games: joint choices count once, and a verdict holds for all seconds per choice in the range."""

from types import SimpleNamespace

import pytest
from support.runs import play

import balance
from balance.analysis.verdicts import BY_PACE, IF_QUICK, IF_SLOW
from balance.experiments.experiment import make_experiment
from balance.experiments.measures import seconds_per_choice
from balance.experiments.targets import Thresholds
from balance.foundation.errors import BalanceError
from balance.report.rows import length


def plan(box=(60.0, 120.0), own=None):
    """Return a plan with what a verdict on the length needs: 25 to 50 seconds per choice."""
    analytics = SimpleNamespace(SECONDS_PER_CHOICE=(25, 50), BOX_MINUTES=box)
    thresholds = Thresholds(seconds_per_choice=own)
    return SimpleNamespace(
        game=SimpleNamespace(analytics=analytics), experiment=SimpleNamespace(thresholds=thresholds, players=[3])
    )


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (92.0, 94.0, IF_QUICK),  # at 37.5 s; 61 to 125 minutes
        (90.0, 90.0, "fits"),  # from 60 to 120 minutes
        (30.0, 31.0, "short"),  # 41 minutes at the slowest
        (200.0, 201.0, "long"),  # 133 at the quickest
        (89.0, 90.0, IF_SLOW),  # 59 or 60 minutes, or 120
        (89.0, 130.0, "not enough games"),
        (60.0, 61.0, IF_SLOW),  # 40 or 81: short or fitting
    ],
)
def test_a_length_is_judged_at_both_ends_of_the_range(low, high, word):
    """There is no verdict if 25 and 50 seconds per choice give different ones."""
    assert length.ROW.judge(plan(), 3, low, high).word == word


def test_a_length_that_never_fits_is_short_or_long():
    """The box says 80 to 85 minutes: 60 at the quickest, 120 at the slowest."""
    assert length.ROW.judge(plan(box=(80.0, 85.0)), 3, 90.0, 90.0).word == BY_PACE


def test_an_own_range_is_taken_and_a_narrow_one_decides():
    """40 to 45 seconds per choice decide; without a box time there is no verdict."""
    assert seconds_per_choice(plan(own=[40, 45])) == {3: (40.0, 45.0)}
    assert length.ROW.judge(plan(own=[40, 45]), 3, 92.0, 94.0).word == "fits"
    assert length.ROW.judge(plan(box=None), 3, 92.0, 94.0).word == "no target"
    keys = {"game": "grody", "players": [2], "strategies": ["random"], "games": 2}
    with pytest.raises(BalanceError, match="seconds_per_choice: the shortest"):
        make_experiment({**keys, "thresholds": {"seconds_per_choice": [50, 25]}})
    with pytest.raises(BalanceError, match=r"thresholds.minutes.1: must be a finite number"):
        make_experiment({**keys, "thresholds": {"minutes": [20, float("inf")]}})


def blocks(decisions, together):
    """Return the choices, where a row of one seat's choices of a kind in `together` counts once."""
    count, last, counted = 0, None, False
    for row in decisions.itertuples():
        block = (row.seat, row.kind) if row.kind in together else None
        if block is None or block != last:
            last, counted = block, False
        if row.options > 1 and not counted:
            count, counted = count + 1, True
    return count


def test_choices_that_people_make_together_count_once(tmp_path):
    """In Na Grunwald! one payment and one starving count once."""
    run = play(tmp_path / "run", players=[4], strategies=["random"], games=20, log="trace")
    opened = balance.open_run(run)
    games = opened.games().set_index("game_id")
    trace = opened.query("SELECT * FROM trace WHERE seat >= 0 ORDER BY game_id, step")
    expected = {game: blocks(rows, {"plunder", "starve"}) for game, rows in trace.groupby("game_id")}
    assert games["choice_blocks"].to_dict() == expected
    assert (games["choice_blocks"] < games["choices"]).any()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["korona-piastow", "grody", "polska"])
def test_other_games_have_choices_that_count_once(tmp_path, game):
    """Units placed one by one, warriors that move alike and cards discarded together count once."""
    run = play(tmp_path / "run", game=game, players=[2], strategies=["random"], games=20)
    games = balance.open_run(run).games()
    assert (games["choice_blocks"] <= games["choices"]).all()
    assert (games["choice_blocks"] < games["choices"]).any()
