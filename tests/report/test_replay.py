"""Replays: a game in words, its trace as it is, and a game without a trace played again."""

from __future__ import annotations

import json
import re

import pyarrow.parquet as pq
import pytest
from support.runs import play

from balance.errors import BalanceError
from balance.report.replay import open_replay


@pytest.mark.slow
def test_every_game_of_a_run_can_be_told(traced_run, tmp_path):
    """All kinds of labels, all player counts: a heading a round, a result line a seat."""
    games = pq.read_table(traced_run / "games").to_pandas()
    kinds = set(pq.read_table(traced_run / "trace")["kind"].to_pylist())
    assert len(kinds) >= 9
    for row in games.itertuples():
        lines = list(open_replay(traced_run, row.game_id, tmp_path).tell())
        assert [line for line in lines if line.startswith("\nRound")] == [
            f"\nRound {number}" for number in range(1, 9)
        ]
        result = lines[lines.index("\nResult") + 1 :]
        assert len(result) == row.players
        assert "1. seat" in result[0]


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ("pass", "Ann passes"),
        ("place crown officer", "Ann places the officer on crown"),
        ("place provisions helpers 1 0", "Ann places 1 helper on provisions"),
        ("place mercenaries helpers 1 3", "Ann places 1 helper with 3 ducats on mercenaries"),
        ("fight peasant", "Ann sends into the skirmish the peasant"),
        ("fight crown 5", "Ann sends into the skirmish a crown knight of 5"),
        ("send none", "Ann sends to the task nobody"),
        ("enter mercenary 2", "Ann enters a mercenary of 2"),
        ("enter none", "Ann enters nobody"),
        ("give provision", "Ann gives up a provision"),
        ("give camp mercenary 4", "Ann gives up a mercenary of 4 from the camp"),
        ("give captive 3", "Ann gives up a captive of 3"),
        ("starve crown 1", "Ann cannot feed a crown knight of 1"),
        ("bid pass", "Ann passes"),
        ("bid 4", "Ann bids 4"),
        ("hire yes", "Ann buys a helper"),
        ("buy no", "Ann does not buy the lot"),
        ("reveal event war_tax", "Event: war tax"),
        ("reveal provisions 4 0", "Turned up: provisions 4, nothing for the second"),
        ("reveal ducats 5 3 1", "Turned up: ducats 5, 3 and 1"),
        ("reveal krzyzacy 4 2", "Turned up: Krzyżacy 4 and 2"),
    ],
)
def test_labels_in_words(label, sentence):
    """One sentence for each form of a label."""
    from balance.games.na_grunwald.display.story import say

    assert say(label, "Ann") == sentence


def test_labels_are_the_rows_of_the_trace(traced_run, cli):
    """--labels prints them as they are."""
    game_id = int(pq.read_table(traced_run / "games")["game_id"][5].as_py())
    result = cli("replay", traced_run, game_id, "--labels")
    assert result.exit_code == 0
    trace = pq.read_table(traced_run / "trace").to_pandas()
    trace = trace[trace["game_id"] == game_id].sort_values("step")
    printed = [line.split("\t") for line in result.output.splitlines()]
    assert printed[0] == ["step", "round", "seat", "kind", "label", "options"]
    assert [line[4] for line in printed[1:]] == list(trace["label"])
    assert [int(line[5]) for line in printed[1:]] == list(trace["options"])


def test_a_game_without_a_trace_is_played_again(tmp_path, cli):
    """From its seeds, to the scores that were logged."""
    keys = {"players": [3], "strategies": ["random", "balanced", "treasurer"], "games": 30, "seed": 8}
    bare = play(tmp_path / "bare", **keys)
    traced = play(tmp_path / "traced", log="trace", **keys)
    for game_id in (0, 17, 29):
        told = cli("replay", bare, game_id, "--labels")
        assert told.exit_code == 0
        assert told.output == cli("replay", traced, game_id, "--labels").output


def test_a_game_of_another_package_needs_its_trace(tmp_path, traced_run):
    """Played again it would be another game: refused, saying what would have helped."""
    run = play(tmp_path / "run")
    info = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**info, "source_hash": "0" * 16}))
    with pytest.raises(BalanceError, match="--trace N"):
        open_replay(run, 3, tmp_path / "scratch")


def test_what_a_searcher_thought(tmp_path, cli):
    """Three of its shortlist with visits and win chance; the move it took is the first; nothing of others."""
    run = play(
        tmp_path / "run",
        players=[2],
        strategies=[],
        lineups=[["search-20", "balanced"]],
        games=2,
        trace=1,
    )
    for game, more in ((0, []), (1, ["--html", tmp_path / "page.html"])):
        told = cli("replay", run, game, "--thoughts", *more)
        assert told.exit_code == 0, told.output
    text = cli("replay", run, 0, "--thoughts").output
    labels = cli("replay", run, 0, "--labels").output.splitlines()[1:]
    decisions = [line.split("\t") for line in labels if line.split("\t")[2] != "-1"]
    chosen = [row[4] for row in decisions if row[2] == "0" and int(row[5]) > 1]
    thought = re.findall(r"thought of ([^(]*) \((\d+) of 20, [01]\.\d\d\)", text)
    assert [label for label, _ in thought] == chosen
    assert "thought of" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "thought of" not in cli("replay", run, 0).output


def test_thoughts_of_nobody(tmp_path, cli):
    """One line."""
    run = play(tmp_path / "run", games=2)
    told = cli("replay", run, 0, "--thoughts")
    assert told.exit_code == 1
    assert "has no searcher whose thoughts could be read" in told.output
