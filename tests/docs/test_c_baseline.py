"""The C program of the bench plays the base rules of Na Grunwald!: its results are those of the compiled rules."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench import c_baseline
from bench.c_baseline import c_speeds, call_c, compile_c
from bench.playing import NA_GRUNWALD, compiled_loop, plan_of
from bench.record import Record
from bench.sizes import TINY
from bench.tables import PLAYING, playing_table
from support.oracles import na_grunwald as oracle

ROOT = Path(__file__).resolve().parents[2]
FOLLOWED = 100  # games
GAMES = 200_000
FARTHEST = 5  # |z|; one of the 21 comparisons exceeds it by chance in 1 of 80,000 choices of the seeds


def compile_or_skip(folder: Path, *options: str) -> Path:
    return compile_c(folder, *options) or pytest.skip("there is no C compiler")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the compiled program."""
    return compile_or_skip(tmp_path_factory.mktemp("c"))


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the program that prints its steps."""
    return compile_or_skip(tmp_path_factory.mktemp("traced"), "-DTRACE")


@pytest.fixture(scope="module")
def rules() -> dict[str, Any]:
    """Return the base rules as the oracle reads them."""
    return plan_of(NA_GRUNWALD, "random", 4, 1).variants[0].rules.model_dump(by_alias=True)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_oracle_follows_every_step(traced, rules, players):
    """Each decision has the same number of options, listed in the same order, and each game the same result."""
    words = [traced, str(players), str(FOLLOWED), "1"]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    steps = map(str.split, done.stdout.splitlines())
    for _ in range(FOLLOWED):
        for row in follow(rules, players, steps):
            assert next(steps) == ["result", str(row["score"]), f"{row['win_share']:.17g}"]
    assert len([*steps]) == 1  # the sums


def follow(rules: dict[str, Any], players: int, steps: Iterator[list[str]]) -> list[dict[str, Any]]:
    """Play a game of the program with the oracle, and return the oracle's results."""
    _, asking = oracle.play(rules, players)
    question = next(asking)
    try:
        while True:
            if question.seat < 0:
                answer = turn_up(rules, question.labels[0], steps)
            else:
                kind, options, pick = next(steps)
                assert (kind, int(options)) == ("choice", len(question.labels)), question
                answer = question.labels[int(pick)]
            question = asking.send(answer)
    except StopIteration as ended:
        return ended.value


def turn_up(rules: dict[str, Any], prefix: str, steps: Iterator[list[str]]) -> str:
    """Return the label of the cards that the program draws."""

    def draw() -> int:
        kind, card = next(steps)
        assert kind == "card", prefix
        return int(card)

    name = prefix.split()[1]
    if name == "event":
        return f"{prefix} {rules['event_deck']['cards'][draw()]['id']}"
    if name in ("provisions", "ducats"):
        shown = rules["cards"][name]["values"][draw()]
    else:
        shown = [draw(), draw()]
    return f"{prefix} {' '.join(map(str, shown))}"


def z_of(theirs: list[float], ours: np.ndarray) -> float:
    """Return the z-score of a difference of two means; `theirs` is a sum and a sum of squares of `GAMES` numbers."""
    mean = theirs[0] / GAMES
    variance = theirs[1] / GAMES - mean**2 + ours.var()
    return (mean - ours.mean()) / np.sqrt(variance / GAMES)


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
def test_c_program_plays_the_same_game(program, players):
    """Means of decisions agree, and each seat's means of score and win share; rounds don't vary."""
    theirs = call_c(program, players, GAMES, 1)
    games, seats, *_ = compiled_loop(NA_GRUNWALD, "random", players, GAMES)()
    assert [[games.rounds.sum(), (games.rounds.astype(int) ** 2).sum()]] == theirs["rounds"]
    by_seat = seats.reshape(GAMES, players)
    ours = {"decisions": [games.decisions], "score": by_seat.score.T, "win_share": by_seat.win_share.T}
    found = {
        f"{name} {number}": round(z_of(sums, column.astype(float)), 2)
        for name, columns in ours.items()
        for number, (sums, column) in enumerate(zip(theirs[name], columns, strict=True))
    }
    assert len(found) == 1 + 2 * players
    assert max(map(abs, found.values())) < FARTHEST, found


def test_numbers_of_the_c_program_are_those_of_the_base_rules(program, rules):
    """Cards, prizes and events; and the base rules have the switches that the program has in its code."""
    found = call_c(program, "--tables")
    start, pawns, krzyzacy, cards = (rules[name] for name in ("start", "pawns", "krzyzacy", "cards"))
    assert found["start"] == [start[name] for name in ("ducats", "provisions", "helpers")]
    limits = [rules["rounds"], krzyzacy["first_round"], pawns["most_helpers"], pawns["officer_strength"]]
    places = rules["awards"]["helpers"]
    assert found["limits"] == [*limits, places["4"], rules["scoring"]["ducats_per_point"]]
    assert found["bonus"] == list(krzyzacy["bonus"].values())
    awards = [rules["awards"][name] for name in ("crown", "provisions", "ducats", "mercenaries")]
    assert found["awards"] == in_threes(award[count] for award in awards for count in ("2", "3", "4"))
    assert found["knights"] == cards["crown"]["strengths"] == cards["mercenaries"]["strengths"]
    assert found["krzyzacy"] == cards["krzyzacy"]["strengths"]
    assert found["provisions"] == in_threes(cards["provisions"]["values"])
    assert found["ducats"] == in_threes(cards["ducats"]["values"])
    assert found["events"] == [event_of(card) for card in rules["event_deck"]["cards"]]
    switches = {"tie_rule": "first-placed", "hire": {"price": "owned", "first_pays": False}}
    switches["titles"] = dict.fromkeys(rules["titles"], "count")
    assert {name: rules[name] for name in switches} == switches
    assert (krzyzacy["unopposed"], krzyzacy["give_from_table"]) == ("plunder", False)
    assert {*krzyzacy["captors"].values(), *places.values()} == {2}
    assert pawns["helper_strength"] == rules["scoring"]["knights_per_provision"] == 1


def in_threes(lists):
    """Return the numbers of lists in one list, each filled up to three with zeros."""
    return [number for each in lists for number in [*each, 0, 0, 0][:3]]


def event_of(card):
    """Return a card of the event deck as the program prints it, which has no copies and supplies only provisions."""
    assert (card["copies"], card["field"]) == (1, "provisions" if card["effect"] == "supply" else None)
    bundles = [
        [(card[each] or {}).get(name, 0) for name in ("provisions", "ducats", "helpers")]
        for each in ("bundle", "second")
    ]
    return [card["id"], card["effect"], card["n"] or 0, card["price"] or 0, *bundles]


@pytest.mark.long
def test_speeds_are_compared_with_c(program):
    """Names are those in docs, if the bench ran there with a C compiler; the page has a row for four players."""
    figures = list(c_speeds(TINY))
    kept = Record.from_json((ROOT / "docs" / "bench.json").read_text(encoding="utf-8"))
    in_docs = [figure.name for figure in kept.figures if c_baseline.C in figure.name]
    assert in_docs in ([], [figure.name for figure in figures])
    assert [figure.ratio_of for figure in figures] == ["level games / this", "this / hand-written C"] * 3
    assert all(figure.value > 0 and figure.ratio for figure in figures)
    (row,) = (row for row in PLAYING if row.optional)
    record = Record("2026-01-31", "0123abc", 2, "Linux", {"python": "3.11.7"}, figures)
    assert f"| {row.label} | " in playing_table(record)
    record.figures.clear()
    assert row.label not in playing_table(record)


def test_without_a_compiler_nothing_is_measured(monkeypatch, capsys):
    monkeypatch.setattr(c_baseline, "C_COMPILER", "no-such-compiler")
    assert list(c_speeds(TINY)) == []
    assert capsys.readouterr().err.count("\n") == 1
