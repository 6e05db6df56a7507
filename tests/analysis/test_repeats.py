"""Players without any chance always play the same game: it counts once, wherever an interval is shown."""

import pytest
from support.errors import refused
from support.runs import play, report_text
from support.shapes import write_shape

import balance
from balance.analysis.ended import Played
from balance.analysis.gather import gather
from balance.runs.folder import RunFolder

pytestmark = pytest.mark.usefixtures("undrawn")
KEYS = {"players": [2], "games": 60}


def write_game(folder, **keys):
    """Write a game without chance, with a second variant; return its name."""
    return str(write_shape(folder, {"rounds": 2}, die=1, apart=True, **keys))


def test_one_game_sixty_times_is_one_game(tmp_path):
    """A profile against itself: n is 1, there is no verdict, and the page says why."""
    run = play(tmp_path / "run", game=write_game(tmp_path), strategies=["most"], **KEYS)
    shares = balance.open_run(run).seat_shares()
    assert set(shares.n) == set(shares.decks) == {1}
    assert set(shares.verdict) == {"too few deals"}
    text = report_text(run, tmp_path / "page")
    assert "always play the same game; 60 games count as 1." in text
    assert "| 2 | base | 60 | 1 | 1 | 0 |" in text


def test_each_line_up_and_order_of_seats_is_a_game(tmp_path):
    """Two profiles play two games, one in each order of seats."""
    run = play(tmp_path / "run", game=write_game(tmp_path), strategies=["most", "least"], **KEYS)
    shares = balance.open_run(run).strategy_shares()
    assert set(shares.n) == {2} and sorted(shares.value) == [0, 100]


def test_games_with_chance_are_all_counted(tmp_path):
    """Random players may play the same short game twice: the games are independent, and each counts."""
    game = write_game(tmp_path, rounds=1, options=2)
    run = play(tmp_path / "run", game=game, strategies=["random"], **KEYS)
    found = balance.open_run(run)
    assert found.games().moves_hash.nunique() <= 4
    assert set(found.seat_shares().n) == {60}


def test_only_line_ups_without_chance_are_counted_once(tmp_path):
    """Of three pairs, one is of profiles: its 20 games count as 2, the other 40 games count."""
    names = ["most", "least", "random"]
    run = play(tmp_path / "run", game=write_game(tmp_path), strategies=names, **KEYS)
    played = gather(RunFolder.open_finished(run), [Played()])[Played()].iloc[0]
    assert (played.games, played.distinct_games, played.decks) == (60, 42, 21)


def test_a_pair_counts_once_only_if_neither_side_has_chance(tmp_path):
    """Compared with a variant that has dice, the one game of the base is a fixed number, and all pairs count."""
    for name, die, pairs in (("dice", 4, 60), ("none", 1, 1)):
        folder = tmp_path / name
        game = str(write_shape(folder, {"die": die, "rounds": 2}, die=1, apart=True))
        keys = {**KEYS, "variants": ["base", "other"], "strategies": ["most"]}
        run = balance.open_run(play(folder / "run", game=game, **keys))
        if pairs > 1:
            assert set(run.compare("base", ["score", "margin"]).n) == {pairs, 2 * pairs}
            assert set(run.seat_shares().query("variant == 'other'").n) == {60}
            continue
        with refused("there is no interval", "always play the same game"):
            run.compare("base")


def test_a_run_without_the_column_counts_all_games(traced_run):
    """Games that ship have chance, and their tables no hash of the moves."""
    found = balance.open_run(traced_run)
    assert "moves_hash" not in found.games()
    assert set(found.seat_shares().n) == {24}


@pytest.mark.slow
def test_studies_and_trials_say_it_too(tmp_path, cli):
    """A ladder's page, `try`, and a comparison with dice for which only a side repeats its game."""
    game = write_game(tmp_path)
    asked = ["--game", game, "--players", "2", "--strategies", "most,least"]
    cli("ladder --games 40 --duels 20 --trace 0 --quiet", *asked, "--out", tmp_path / "ladder", status=0)
    page = (tmp_path / "ladder" / "ladder.md").read_text(encoding="utf-8")
    assert "always play the same game; 40 games count as 2." in page and "nan" not in page
    shown = " ".join(cli("try --games 60 --quiet", *asked, typed="quit\n").output.split())
    assert "60 games count as 2." in shown and "inf" not in shown


@pytest.mark.slow
def test_a_stop_rule_learns_nothing_from_the_same_game(tmp_path):
    """All games are played, because one game decides no seat."""
    stop = {"stop": {"threshold_points": 5, "ceiling": 120}}
    run = play(tmp_path / "run", game=write_game(tmp_path), strategies=["most"], **KEYS, **stop)
    assert len(balance.open_run(run).games()) == 120
