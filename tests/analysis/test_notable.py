"""Games worth watching: planted games are found, and missing data give one line."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from support.runs import game_of, plant, play, read_rows

from balance.analysis import notable
from balance.analysis.notable import KINDS, find_notable, list_notable
from balance.foundation.errors import BalanceError
from balance.runs.folder import RunFolder

KEYS = {"players": [2, 4], "variants": ["base", "krzyzacy-hard"], "games": 40, "strategies": ["random"]}
WIDE, BROKEN = game_of(2, 21), game_of(3, 30)


def set_where(where: dict[str, int], column: str, value: object) -> Callable[[pd.DataFrame], None]:
    """Set `column` to `value` in the rows that match `where`."""

    def change(rows: pd.DataFrame) -> None:
        chosen = (rows[list(where)] == pd.Series(where)).all(axis=1)
        rows.loc[chosen, column] = value

    return change


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return games in which nothing stands out: a margin of 10, no player behind at half time."""
    path = play(tmp_path / "run", log="rounds", **KEYS)

    def level(rows: pd.DataFrame) -> None:
        rows["margin"], rows["status"], rows["winners"] = 10.0, "finished", 1

    def seats(rows: pd.DataFrame) -> None:
        rows["score"] = 40.0 - 10 * rows["seat"]
        rows["rank"] = rows["seat"] + 1
        rows["win_share"] = (rows["seat"] == 0).astype("float32")

    plant(path, "games", level)
    plant(path, "seats", seats)
    plant(path, "rounds", lambda rows: rows.__setitem__("lead", 0.0))
    return path


def test_a_planted_closest_game(run):
    """It has the smallest margin, then the smallest spread; a broken-off game does not count."""
    for game, margin in ((33, 0.5), (WIDE, 0.5), (BROKEN, 0.0)):
        plant(run, "games", set_where(where={"game_id": game}, column="margin", value=margin))
    plant(run, "games", set_where(where={"game_id": BROKEN}, column="status", value="truncated"))
    plant(run, "seats", set_where(where={"game_id": WIDE, "rank": 4}, column="score", value=39.0))
    found = find_notable(RunFolder.open(run), "closest")
    # The other is 20 points wide.
    assert (found.game_id, found.variant, found.players) == (33, "base", 2)
    assert "0.5 points between first and second" in found.why
    plant(run, "seats", set_where(where={"game_id": WIDE}, column="score", value=40.0))
    assert find_notable(RunFolder.open(run), "closest").game_id == WIDE
    assert find_notable(RunFolder.open(run), "closest", variants=["base"], players=[2]).game_id == 33


def test_a_game_defines_when_it_is_close(tmp_path):
    """In Grody it is undecided for the most turns, then has the smallest lead; the score always shows a large one."""
    path = play(tmp_path / "run", game="grody", players=[2], strategies=["champion"], games=60)
    games, seats = (read_rows(path, table) for table in ("games", "seats"))
    apart = seats.groupby("game_id")["victory_points"].agg(lambda points: points.max() - points.min())
    ended = games[games["status"] == "finished"].set_index("game_id").assign(apart=apart)
    longest = ended[ended["turns"] == ended["turns"].max()]
    found = find_notable(RunFolder.open(path), "closest")
    assert ended["turns"].nunique() > 5
    assert found.game_id in longest.index[longest["apart"] == longest["apart"].min()]
    assert f"undecided for {longest['turns'].iloc[0]} turns, victory points" in found.why


def test_a_planted_comeback(run):
    """The winner is furthest behind after round 4 of 8; other players and later rounds do not count."""
    leads = (7, 0, 4, -6.0), (game_of(3, 0), 0, 4, -9.0), (9, 0, 5, -30.0), (11, 1, 4, -40.0)
    for game, seat, number, lead in leads:
        where = {"game_id": game, "seat": seat, "round": number}
        plant(run, "rounds", set_where(where=where, column="lead", value=lead))
    found = find_notable(RunFolder.open(run), "comeback")
    assert found.game_id == game_of(3, 0)
    assert "random (1st player) was 9 points behind after round 4 of 8" in found.why
    assert find_notable(RunFolder.open(run), "comeback", variants=["base"]).game_id == 7


def test_a_planted_upset(tmp_path):
    """It is the only win of a strategy; with named line-ups, in its line-up."""
    strategies = ["generalist", "treasurer", "random"]
    run = play(tmp_path / "run", players=[2], strategies=strategies, games=60)
    games = read_rows(run, "games")
    game = int(games["game_id"][games["lineup"] == "treasurer,random"].iloc[0])

    def random_loses(rows: pd.DataFrame) -> None:
        by_chance = rows["strategy"] == "random"
        alone = rows.groupby("game_id")["strategy"].transform(lambda names: "random" not in set(names))
        won = (~by_chance & ~alone) | (alone & (rows["seat"] == 0))
        won = won.where(rows["game_id"] != game, by_chance)
        rows["win_share"], rows["rank"] = won.astype("float32"), (~won + 1).astype("int8")

    plant(run, "seats", random_loses)
    plant(run, "games", lambda rows: rows.__setitem__("winners", 1))
    found = find_notable(RunFolder.open(run), "upset")
    assert found.game_id == game
    assert "random (2nd player) won" in found.why
    assert "it wins 2.5 % of its 40 seats here (fair 50)" in found.why


def test_an_upset_in_a_line_up(tmp_path):
    """The share counts within the line-up, not the run."""
    lineups = [["random", "generalist"], ["random", "random"]]
    run = play(tmp_path / "run", players=[2], strategies=[], lineups=lineups, games=40)

    def win(rows: pd.DataFrame) -> None:
        mixed = rows.groupby("game_id")["strategy"].transform("nunique") == 2
        first = rows["game_id"] == rows["game_id"][mixed].min()
        won = (mixed & ((rows["strategy"] == "random") == first)) | (~mixed & (rows["seat"] == 0))
        rows["win_share"], rows["rank"] = won.astype("float32"), (~won + 1).astype("int8")

    plant(run, "seats", win)
    plant(run, "games", lambda rows: rows.__setitem__("winners", 1))
    why = find_notable(RunFolder.open(run), "upset").why
    games = read_rows(run, "games")
    mixed = int((games["lineup"] != "random,random").sum())
    assert f"it wins {100 / mixed:.1f} % of its {mixed} seats in this line-up" in why


def test_a_planted_typical_game(run):
    """Games differ only in their decisions; one has the median."""

    def spread(rows: pd.DataFrame) -> None:
        rows["decisions"] = 100 + 10 * (rows["game_id"] % 40)
        rows.loc[rows["game_id"] == game_of(1, 17), "decisions"] = 100
        rows.loc[rows["game_id"] == game_of(1, 18), "decisions"] = 290

    plant(run, "games", spread)
    found = find_notable(RunFolder.open(run), "typical", variants=["base"], players=[4])
    assert found.game_id == game_of(1, 18)
    assert "decisions 290 (median 290), margin 10 (median 10), best score 40 (median 40)" in found.why


def test_batches_find_what_the_whole_finds(traced_run, monkeypatch):
    run = RunFolder.open(traced_run)
    whole = [find_notable(run, kind) for kind in KINDS]
    monkeypatch.setattr(notable, "BATCH_GAMES", 1)
    assert [find_notable(run, kind) for kind in KINDS] == whole
    assert list_notable(run) == whole


def test_what_is_missing_is_said(tmp_path, run):
    """No rounds, no comeback, no upset or no finished game gives one line; a page lists the others."""
    bare = RunFolder.open(play(tmp_path / "bare", **KEYS))
    with pytest.raises(BalanceError, match=r"has no rounds, .* play with --log rounds"):
        find_notable(bare, "comeback")
    with pytest.raises(BalanceError, match="no upset: no strategy won that wins less than its fair share"):
        find_notable(bare, "upset")
    assert [found.kind for found in list_notable(bare)] == ["closest", "typical"]
    with pytest.raises(BalanceError, match="no comeback: no winner of 160 games was behind at half time"):
        find_notable(RunFolder.open(run), "comeback")
    plant(run, "games", lambda rows: rows.__setitem__("status", "truncated"))
    with pytest.raises(BalanceError, match="no game ended with a result"):
        find_notable(RunFolder.open(run), "closest")


def test_rounds_of_some_games_alone(tmp_path):
    """With --trace N only the first N games of each cell have rounds, and a comeback is searched among them."""
    names = ["generalist", "treasurer", "random"]
    run = play(tmp_path / "run", players=[3], strategies=names, games=60, trace=30)
    found = find_notable(RunFolder.open(run), "comeback")
    assert found.game_id < 30
    assert "no winner of 30 games" in found.why


def test_the_command_of_a_game(run):
    """The command can be pasted into a shell."""
    found = list_notable(RunFolder.open(run))[0]
    number, command = found.game_id, found.command(Path("my runs/x"))
    assert command == f"balance replay 'my runs/x' {number} --html game-{number}.html"
