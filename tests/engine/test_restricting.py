"""A restricted seat never takes what it may not take, and only as often as it may; other games stay as they are."""

from pathlib import Path

import duckdb
import pandas as pd
import pytest
from support.runs import digest, plan_of, play

from balance.contract.game import Game, find_games, get_game
from balance.contract.restrictions import Restriction, restrictions_of
from balance.engine.restricting import KnownCodes
from balance.experiments.networks import has_expert
from balance.runs.workers import Threads
from balance.studies.playing import play_plan


def test_a_table_keeps_what_it_was_told():
    """Codes with the same slot are distinguished, and an action is classified once."""
    asked = []

    def classify(code: int) -> int:
        asked.append(code)
        return code % 4

    known = KnownCodes(classify)
    codes = [7, 7 + (1 << 25), 7 + (2 << 25), 0, (1 << 31) - 1, 7]
    known.add(codes)
    assert asked == codes[:-1]
    words = {int(word) & 0xFFFFFFFF: int(word) >> 32 for word in known.words if word}
    assert words == {code + 1: code % 4 for code in codes}


def taken(run: Path) -> duckdb.DuckDBPyRelation:
    """Return the decisions of a run with the strategy that made each."""
    return duckdb.sql(f"""
        SELECT t.*, s.strategy FROM '{run}/trace/*.parquet' t JOIN '{run}/seats/*.parquet' s USING (game_id, seat)
        WHERE t.kind NOT IN ('chance', 'outcome')
    """)


def concerned(game: Game, restriction: Restriction, rows: pd.DataFrame) -> pd.Series:
    """Return whether a restriction concerns each decision, read from its label, kind and parts in words."""
    names = ["label", "kind", *(part for part in getattr(game.kernel, "PARTS", {}) if part in rows)]
    actions = pd.Series([*zip(*(rows[name].map(str) for name in names), strict=True)], rows.index)
    known = {
        action: restriction.concerns(action[0], dict(zip(names[1:], action[1:], strict=True)))
        for action in actions.unique()
    }
    return actions.map(known)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("na-grunwald", ["random", "champion", "expert"]),
        *((name, ["random", "champion"]) for name in find_games() if name != "na-grunwald"),
        *(
            pytest.param(name, ["expert"], marks=pytest.mark.long)
            for name, game in find_games().items()
            if has_expert(game, [max(game.players)])
        ),
    ],
)
def test_a_restricted_seat_does_without(name, kinds, tmp_path):
    """Random, profile and network play without each option of the game, read back from the trace.

    Such an action is taken only where the rules left nothing else.
    """
    game = get_game(name)
    players = max(game.players)
    for number, (option, restriction) in enumerate(restrictions_of(game).items()):
        own = f"{kinds[number % len(kinds)]} without {option}"
        lineup = [own, *["champion"] * (players - 1)]
        run = play(
            tmp_path / option, game=name, players=[players], strategies=[], lineups=[lineup], games=3 * players,
            log="trace",
        )  # fmt: skip
        rows = taken(run).filter(f"strategy = '{own}'").df()
        rows["concerned"] = concerned(game, restriction, rows)
        by_choice = rows[rows["concerned"] & (rows["options"] > 1)]
        if restriction.at_most:
            assert by_choice.groupby("game_id").size().max() <= restriction.at_most
            assert len(by_choice), f"{option} is never used: the test shows nothing"
        else:
            assert by_choice.empty, f"{own}: {set(by_choice['label'])}"


def test_rows_do_not_depend_on_workers_or_stops(tmp_path):
    """The loop learns actions as it meets them, in any order."""
    keys = {
        "game": "polska", "players": [3], "games": 240, "log": "trace", "seed": 4,
        "strategies": ["random without trains", "champion without eagles", "champion"],
    }  # fmt: skip
    runs = [digest(play(tmp_path / f"{workers}", workers, **keys)) for workers in (1, 2)]
    assert runs[0] == runs[1]
    one = play_plan(plan_of(**keys), tmp_path / "again", Threads(1))
    assert digest(one.path) == runs[0]
