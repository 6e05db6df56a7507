"""The compiled rules against the plain oracle: legal sets, outcomes and score parts agree."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from oracles import na_grunwald as oracle

from balance.games import get_game
from balance.games.na_grunwald.packing import list_events
from balance.stepper import Stepper
from balance.variants import load_variant

GAME = get_game("na-grunwald")
PURSE = ("ducats", "provisions", "helpers")  # nothing comes or goes but as the rules say
GAMES = 700  # of each variant and player count: 2,100 of each variant, 27,300 in all


def agree(rules, players: int, seed: int) -> None:
    """Play one random game with both, comparing every step."""
    rng = np.random.default_rng([seed, players])
    stepper = Stepper(GAME, rules, players, int(rng.integers(2**62)))
    judge, asking = oracle.play(rules.model_dump(by_alias=True), players)
    question, result = next(asking), None
    for step in stepper.play(lambda state, options: int(rng.integers(len(options)))):
        assert result is None, f"the oracle is done, the game goes on with {step}"
        assert (question.round, question.seat, question.kind) == (step.round, step.seat, step.kind)
        if step.seat >= 0:
            for mine, name in ((player, name) for player in range(players) for name in PURSE):
                assert stepper.state[name][mine] == getattr(judge.players[mine], name), (step, name)
            assert len(set(step.options)) == len(step.options)
            assert set(question.labels) == set(step.options), step
        try:
            question = asking.send(step.label)
        except StopIteration as end:
            result = end.value
    assert result is not None, f"the game is over, the oracle asks {question}"
    game, seats = stepper.result()
    compare(result, [{name: row[name] for name in seats.dtype.names} for row in seats])
    assert (judge.won, judge.lost) == (game.skirmishes_won, game.skirmishes_lost)
    assert judge.plundered == game.plunder_total
    seen = [card.id for i, card in enumerate(list_events(rules.event_deck)) if game.events_seen >> i & 1]
    assert seen == sorted(judge.events, key=seen.index)


def compare(expected, found) -> None:
    for seat, (row, other) in enumerate(zip(expected, found, strict=True)):
        for name, value in row.items():
            if name != "win_share":
                assert other[name] == value, f"seat {seat}, {name}"


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("variant", GAME.shipped("variants"))
def test_every_variant_agrees(variant, players):
    """All rules, thousands of games of each shipped variant and deck."""
    rules = load_variant(GAME, variant, Path()).rules
    for seed in range(GAMES):
        agree(rules, players, seed)


ODD_RULES = [
    {"tie_rule": "last-placed", "krzyzacy": {"unopposed": "ignore", "give_from_table": True}},
    {"hire": {"price": [0, 1, 2, 3, 4], "first_pays": True}, "awards": {"helpers": {"4": 3}}},
    {"pawns": {"most_helpers": 9}, "start": {"helpers": 5, "ducats": 12}},
    {"scoring": {"knights_per_provision": 2}, "titles": {"quartermaster": 7}, "rounds": 5},
    {"awards": {"crown": {"3": [2], "4": []}, "ducats": {"4": [-1, 1, 2]}}},
]


@pytest.mark.parametrize("changes", ODD_RULES)
def test_rules_of_a_designers_own_agree(changes):
    """Switches and values that no shipped variant turns."""
    from scene import make_rules

    rules = make_rules({**changes, "event_deck": "base"})
    for players in GAME.players:
        for seed in range(60):
            agree(rules, players, seed)


def judge_run(run: Path) -> int:
    """Judge every game of a run from its files alone; returns their number."""
    info = json.loads((run / "run.json").read_text())
    games = pq.read_table(run / "games").to_pylist()
    steps: dict[int, list] = {}
    for row in pq.read_table(run / "trace").to_pylist():
        steps.setdefault(row["game_id"], []).append(row)
    seats: dict[int, list] = {}
    for row in pq.read_table(run / "seats").to_pylist():
        seats.setdefault(row["game_id"], []).append(row)
    for game in games:
        rows = sorted(steps[game["game_id"]], key=lambda row: row["step"])
        assert [row["step"] for row in rows] == list(range(len(rows)))
        assert sum(row["seat"] >= 0 for row in rows) == game["decisions"]
        _, asking = oracle.play(info["variants"][game["variant"]], game["players"])
        question = next(asking)
        for row in rows:
            found = (row["round"], row["seat"], row["kind"])
            assert found == (question.round, question.seat, question.kind)
            assert row["options"] == (len(question.labels) if row["seat"] >= 0 else 0)
            try:
                question = asking.send(row["label"])
            except StopIteration as end:
                expected = end.value
        found_rows = sorted(seats[game["game_id"]], key=lambda row: row["seat"])
        compare(expected, found_rows)
        shares = [row["win_share"] for row in found_rows]
        assert shares == pytest.approx([row["win_share"] for row in expected])
        assert game["winners"] == sum(share > 0 for share in shares)
    return len(games)


def test_logged_games_agree(traced_run):
    """What the runner logs, profiles included, can be judged without the package."""
    assert judge_run(traced_run) == 6 * 24
