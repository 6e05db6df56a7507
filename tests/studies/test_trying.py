"""A trial: the games and figures of a logged run, keys changed and restored, and the kept state."""

from functools import partial
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from support.errors import refused
from support.own_game import write_plainest
from support.runs import plan_of, play

import balance
from balance.analysis.compare import compare_variants
from balance.analysis.ended import Played
from balance.analysis.gather import gather
from balance.analysis.shares import judged_shares, share_question
from balance.contract.game import get_game
from balance.experiments.measures import share_of
from balance.experiments.strategies import load_strategy
from balance.experiments.variants import hash_rules, load_variant
from balance.foundation.errors import BalanceError
from balance.foundation.progress import Progress
from balance.runs.folder import RunFolder
from balance.runs.workers import Threads
from balance.studies.arms import BEFORE, CHANGE, NOW, Arm
from balance.studies.trying import (
    MOST_IN_MEMORY,
    Trial,
    change_keys,
    change_plan,
    proper_run,
    read_change,
    save_variant,
)

POOL = ["champion", "treasurer", "generalist", "random"]
FIGURES = ["value", "low", "high", "n", "decks"]
HARDER = "krzyzacy.bonus.4 = 9"
live_plan = partial(plan_of, strategies=POOL, games=240, log="rounds")


@pytest.fixture
def table():
    return Trial(live_plan(), paced=False, workers=2)


def side(seen, name):
    return seen[seen["side"] == name].drop(columns="side").reset_index(drop=True)


def shares_of(run, by, variant):
    """Return a report's shares of a variant."""
    asked = [share_question(share_of(run.plan, by)), Played()]
    families = 3  # as on a grid: seats, strategies, changes
    found = judged_shares(run.plan, gather(run, asked), by, families)
    found = found[found["variant"] == variant].rename(columns={by: "group"})
    return found.assign(group=found["group"].astype(str))[["group", *FIGURES, "verdict"]]


def test_figures_are_those_of_a_logged_run(tmp_path):
    """The same plan and seed give the same games: rows, shares, intervals, words and paired differences."""
    (tmp_path / "mine.toml").write_text(f'extends = "base"\ntitle = "m"\ndescription = "m"\n{HARDER}\n')
    variants = ["base", str(tmp_path / "mine.toml")]
    keys = {"players": [2, 4], "strategies": POOL, "games": 240, "log": "rounds", "seed": 5}
    run = RunFolder.open_finished(play(tmp_path / "run", variants=variants, **keys))
    table = Trial(live_plan(players=[2, 4], seed=5), paced=False, workers=2)
    table.change(HARDER)
    seen = table.compare().table
    logged = balance.open_run(tmp_path / "run").seats()
    for arm, variant in ((table.before, "base"), (table.now, "mine")):
        own, wanted = (
            rows.drop(columns=["game_id", "variant"]).reset_index(drop=True)
            for rows in (arm.tables["seats"].to_pandas(), logged[logged["variant"] == variant])
        )
        values = {"check_exact": True, "check_dtype": False, "check_categorical": False}
        pd.testing.assert_frame_equal(own, wanted, **values)
    for name, variant in ((BEFORE, "base"), (NOW, "mine")):
        for by in ("seat", "strategy"):
            own = side(seen[seen["measure"] == f"{by}_win_share"], name)
            wanted = shares_of(run, by, variant).reset_index(drop=True)
            pd.testing.assert_frame_equal(own[wanted.columns], wanted, rtol=1e-12)
    measures = [*dict.fromkeys(seen["measure"])]
    effects = compare_variants(run, "base", measures).rename(columns={"effect": "value"})
    columns = ["players", "measure", "group", *FIGURES]
    changes = side(seen, CHANGE).sort_values(columns[:3], ignore_index=True)
    wanted = effects.sort_values(columns[:3], ignore_index=True)
    pd.testing.assert_frame_equal(changes[columns], wanted[columns], rtol=1e-12, atol=1e-12)


def test_a_weight_plays_as_the_profile_that_has_it(tmp_path, table):
    """The games equal those with a file."""
    text = (get_game("na-grunwald").folder / "profiles" / "treasurer.toml").read_text()
    keys = ["captive = ", "helper = "]
    lines = ["captive = 3.5" if line.startswith(keys[0]) else line for line in text.splitlines()]
    assert lines != text.splitlines()
    (tmp_path / "treasurer.toml").write_text("\n".join(lines))
    table.change("treasurer.captive = 3.5")
    pool = [str(tmp_path / "treasurer.toml") if name == "treasurer" else name for name in POOL]
    filed = Trial(live_plan(strategies=pool), paced=False, workers=1)
    pd.testing.assert_frame_equal(side(table.compare().table, NOW)[FIGURES], side(filed.compare().table, NOW)[FIGURES])
    assert not side(table.compare().table, NOW)["value"].equals(side(table.compare().table, BEFORE)["value"])


def test_a_key_of_other_player_counts_changes_nothing(table):
    """With common random numbers such a key has an effect of exactly 0, and nothing is tested: the games are equal."""
    table.change("krzyzacy.bonus.2 = 9")
    changes = side(table.compare().table, CHANGE)
    assert (changes[["value", "low", "high"]] == 0).all(axis=None)
    shares = changes[changes["measure"].isin(["seat_win_share", "strategy_win_share"])]
    assert set(shares["verdict"]) == {"equal"}


def test_words_of_before_stay_when_a_key_is_turned(table):
    """An arm is judged alike, alone or next to another."""
    alone = side(table.compare().table, NOW)
    table.change(HARDER)
    pd.testing.assert_frame_equal(alone, side(table.compare().table, BEFORE))


def test_undo_and_reset(table):
    """They go back and forth step by step, or back at once."""
    start = table.compare().table
    table.change(HARDER)
    first = table.compare().table
    table.change("start.ducats = 9")
    table.undo()
    pd.testing.assert_frame_equal(table.compare().table, first)
    table.undo()
    pd.testing.assert_frame_equal(table.compare().table, start)
    table.redo()
    pd.testing.assert_frame_equal(table.compare().table, first)
    table.undo()
    with pytest.raises(BalanceError, match="nothing was changed"):
        table.undo()
    table.change(HARDER)
    table.keep()
    table.reset()
    pd.testing.assert_frame_equal(table.compare().table, start)


def test_a_value_that_a_key_has_is_no_change(table):
    """It is checked like any other value, so a wrong type is refused; it needs no undo."""
    table.change(HARDER)
    table.change("start.ducats = 9")
    now = table.now
    with pytest.raises(BalanceError, match=r"whole number, got 9\.0"):
        table.change("krzyzacy.bonus.4 = 9.0")
    table.change(HARDER)
    assert table.now is now
    table.undo()
    assert table.now.changed_keys == {("krzyzacy", "bonus", "4"): 9}
    with pytest.raises(BalanceError, match="whole number"):
        table.change("krzyzacy.bonus.4 = 9.0")
    table.undo()
    assert table.now is table.start


def test_keep(table):
    """Later changes are compared with the current state."""
    table.change(HARDER)
    now = side(table.compare().table, NOW)
    table.keep()
    assert set(table.compare().table["side"]) == {NOW}
    table.change("start.ducats = 9")
    pd.testing.assert_frame_equal(side(table.compare().table, BEFORE), now)
    table.undo()
    assert table.now is table.before


def test_more_games(table):
    """The result equals that of this number of games from the start."""
    table.change(HARDER)
    table.set_games(480)
    assert table.games == 480
    more = Trial(live_plan(games=480), paced=False, workers=1)
    more.change(HARDER)
    pd.testing.assert_frame_equal(table.compare().table, more.compare().table)
    for games in (0, MOST_IN_MEMORY + 1):
        with pytest.raises(BalanceError, match="games: must be from 1 to"):
            table.set_games(games)


MISTAKES = [
    ("krzyzacy.bonus.4 = 99", "must be at most 50, got 99"),
    ("krzyzacy.bnus.4 = 9", "unknown key 'krzyzacy.bnus'"),
    ("krzyzacy.bonus.4 = nine", "is not KEY = VALUE"),
    ("= 9", "is not KEY = VALUE"),
    ("krzyzacy = {}", "is not KEY = VALUE"),
    (".".join(100 * ["a"]) + " = 1", "nested too deeply"),
    ("champion.helpr = 1", "unknown feature 'helpr'; did you mean 'helper'"),
    ("champion.5.helper = 1", "champion: no weights for 5"),
    ("champion = 1", "unknown feature ''"),
    ("champion.helper = 'x'", "champion: weights"),
    ("champion.temperature = -1", "champion: temperature"),
    ("random.helper = 1", "random is not a profile"),
    ("cards.crown.strengths = [1]", "new data need their own `source`"),
]


def test_a_mistake_is_a_line_and_changes_nothing(table):
    """Mistakes in rules, weights and other lines give one line, and are nothing to undo."""
    table.change(HARDER)
    now = table.now
    for line, said in MISTAKES:
        with refused(said):
            table.change(line)
        assert table.now is now, line
    table.undo()
    assert table.now is table.start


def test_lines_are_toml():
    """Keys, quoted keys, and values of every kind work; a table changes each of its keys."""
    assert read_change("krzyzacy.bonus.4=8") == {("krzyzacy", "bonus", "4"): 8}
    assert read_change('"my bot".helper = 0.5  # less') == {("my bot", "helper"): 0.5}
    assert read_change("start.ducats = [3, 4]") == {("start", "ducats"): [3, 4]}
    both = {("start", "ducats"): 4, ("start", "helpers"): 1}
    assert read_change("start = { ducats = 4, helpers = 1 }") == both


def test_the_last_line_counts(table):
    for line in ("krzyzacy.bonus.4 = 9", "krzyzacy.bonus = { 4 = 8, 3 = 5 }", "krzyzacy.bonus.4 = 7"):
        table.change(line)
    bonus = table.now.plan.first_variant.rules.krzyzacy.bonus
    assert (bonus.three, bonus.four) == (5, 7)


def test_a_weight_at_one_player_count(table):
    table.change("champion.4.helper = 3.5")
    (strategy,) = [each for each in table.now.plan.cells[0].strategies if each.name == "champion"]
    own = load_strategy(get_game("na-grunwald"), "champion", Path()).profile
    assert strategy.profile.at(4) == {**own.at(4), "helper": 3.5}
    assert strategy.profile.at(2) == own.at(2)


class Impatient(Progress):
    """Table that raises Ctrl-C after some games."""

    def advance(self, done, planned):
        if done:
            raise KeyboardInterrupt


@pytest.mark.slow  # starts two processes
def test_the_workers_of_runs_play(tmp_path, monkeypatch):
    """A game in plain Python is played in as many processes, which change no row."""
    sent = []
    submit = Threads.submit
    monkeypatch.setattr(Threads, "submit", lambda *call: sent.append(call[0].count) or submit(*call))
    game = str(write_plainest(tmp_path))
    plan = plan_of(game=game, players=[2], strategies=["random"], games=1200, log="rounds")
    alone, together = (Trial(plan, paced=False, workers=count) for count in (1, 2))
    assert (sent.count(1), sent.count(2)) == (3, 3)
    assert alone.now.tables["seats"].equals(together.now.tables["seats"])


@pytest.mark.parametrize("act", ["change", *(pytest.param(act, marks=pytest.mark.long) for act in ("undo", "games"))])
def test_what_is_stopped_changes_nothing(table, act):
    """Everything is as before, and the session continues."""
    table.change(HARDER)
    table.change("start.ducats = 9")
    before, seen = (table.start, table.before, table.now), table.compare().table
    call = {
        "change": lambda progress: table.change("rounds = 7", progress),
        "undo": table.undo,
        "games": lambda progress: table.set_games(2000, progress),
    }[act]
    with pytest.raises(KeyboardInterrupt):
        call(Impatient())
    assert (table.start, table.before, table.now) == before
    pd.testing.assert_frame_equal(table.compare().table, seen)
    table.undo()
    assert table.now.changed_keys == {("krzyzacy", "bonus", "4"): 9}


def test_searchers_play_as_many_as_a_second_allows(monkeypatch):
    """An explicit number of games overrides this; profiles have their usual number."""
    monkeypatch.setattr("balance.studies.trying.games_in", lambda *_: 21)
    pool = {"players": [2], "strategies": ["search-2", "random"], "games": 60}
    assert Trial(live_plan(**pool), paced=True).games == 21
    assert Trial(live_plan(**pool), paced=False).games == 60
    assert Trial(live_plan(players=[2], games=60), paced=True).games == 60


@pytest.mark.slow
def test_pace_knows_slow_from_quick():
    """More iterations give fewer games: never more than asked, nor too few for an interval."""
    from balance.studies.arms import LEAST_GAMES, games_in

    def games(name, seconds=1.0, most=10_000):
        return games_in(live_plan(players=[2], strategies=[name, "random"]), seconds, most)

    assert LEAST_GAMES <= games("search-200") < games("search-4") <= 10_000
    assert games("search-200", seconds=1e-6) == LEAST_GAMES
    assert games("generalist", most=50) == 50


def test_a_saved_variant_has_the_same_rules(tmp_path, monkeypatch, table):
    """It extends the starting variant, wherever its file lies; no file is overwritten."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    more = ('event_deck = "calm"', "krzyzacy.bonus = { 2 = 3 }", 'title = "Mine"', "champion.helper = 1")
    for line in (HARDER, *more):
        table.change(line)
    save_variant(table.now, "sub/mine.toml")
    saved = load_variant(get_game("na-grunwald"), "sub/mine.toml", tmp_path)
    assert hash_rules(saved.rules) == hash_rules(table.now.plan.first_variant.rules)
    assert "champion" not in (tmp_path / "sub" / "mine.toml").read_text()
    for name, words in (
        ("sub/mine.toml", "exists already"),
        ("mine", r"ends in \.toml: mine\.toml"),
        ("my, file.toml", r"save: the name of a variant must not contain a comma: my, file\.toml$"),
        ("nowhere/mine.toml", "cannot write"),
    ):
        with pytest.raises(BalanceError, match=words):
            save_variant(table.now, name)
    assert not list(tmp_path.glob("my*"))
    own = Trial(live_plan(variants=["sub/mine.toml"]), paced=False)
    own.change("rounds = 7")
    save_variant(own.now, "next.toml")
    rules = load_variant(get_game("na-grunwald"), "next.toml", tmp_path).rules
    assert rules.rounds == 7 and rules.krzyzacy.bonus.four == 9


@pytest.fixture(scope="module")
def plan():
    return live_plan()


STRENGTHS = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 6, 6, 6]
LINES = [
    "start.ducats = [3, 4]",
    "start.ducats.2 = [3, 6]",
    "start.ducats.4 = 5",
    "start.ducats = 7",
    "start = { ducats = [1, 2], helpers = 1 }",
    "start.helpers = { 2 = 1, 3 = [2, 1], 4 = 0 }",
    '"start.ducats".3 = 2',
    "krzyzacy.bonus.4 = 8",
    '"krzyzacy.bonus.4" = 2',
    "krzyzacy.bonus = { 2 = 1, 3 = 1, 4 = 1 }",
    "awards.crown = { 3 = [2] }",
    "awards.crown.4 = [1, -2]",  # refused
    'hire.price = "owned"',
    "hire.price = [1, 1, 1, 1, 1]",
    "hire.price.2 = 3",  # refused
    'titles.crown_commander = "off"',
    "titles.crown_commander = 5",
    'event_deck = "calm"',
    'event_deck = "own.toml"',
    'event_deck.name = "mine"',  # refused
    f'cards.crown = {{ source = "me", reconstruction = true, strengths = {STRENGTHS} }}',
    'cards.crown.source = "you"',  # refused alone
    'title = "a \\"quoted\\" \\u007f word"',
    "rounds = 7",
]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(["start.ducats = [3, 4]", "start.ducats.2 = [3, 6]"])
@example(["start.ducats.2 = [3, 6]", "start.ducats = [3, 4]", "start.ducats.2 = 5"])
@example(['"krzyzacy.bonus.4" = 2'])
@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=5))
def test_what_is_accepted_and_saved_is_played_by_the_same_rules(tmp_path, monkeypatch, plan, lines):
    """After any changes `balance run` reads the saved file, with the same rules."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir(exist_ok=True)
    (tmp_path / "own.toml").write_text('extends = "base"\nsource = "me"\nreconstruction = true\n')
    changed_keys = {}
    for line in lines:
        tried = change_keys(plan, changed_keys, read_change(line))
        try:
            change_plan(plan, tried)
        except BalanceError:
            continue
        changed_keys = tried
    assume(changed_keys)
    now = change_plan(plan, changed_keys)
    (tmp_path / "sub" / "mine.toml").unlink(missing_ok=True)
    save_variant(Arm(now, {}, changed_keys), "sub/mine.toml")
    saved = load_variant(get_game("na-grunwald"), "sub/mine.toml", tmp_path)
    assert hash_rules(saved.rules) == hash_rules(now.first_variant.rules)


def test_a_later_key_changes_its_part_of_an_earlier_one():
    """All counts by seat, then two players only: the others keep the value for all."""
    plan = live_plan()
    changed_keys = {}
    for line in ("start.ducats = [3, 4]", "start.ducats.2 = [3, 6]"):
        changed_keys = change_keys(plan, changed_keys, read_change(line))
    ducats = change_plan(plan, changed_keys).first_variant.rules.start.ducats
    assert ducats == {"2": [3, 6], "3": [3, 4], "4": [3, 4]}
    again = change_keys(plan, changed_keys, read_change("start.ducats = [3, 4]"))
    assert change_plan(plan, again).first_variant.rules.start.ducats == [3, 4]


def test_a_weight_of_all_counts_replaces_that_of_one():
    """This holds for any order of the earlier changes."""
    plan = live_plan()
    changed_keys = {}
    for line in ("champion.helper = 2", "champion.4.helper = 3", "champion.helper = 2"):
        changed_keys = change_keys(plan, changed_keys, read_change(line))
    strategies = change_plan(plan, changed_keys).tier.adapted["champion.helper = 2", 4]
    (champion,) = (each for each in strategies if each.name == "champion")
    assert champion.profile.at(4)["helper"] == 2


def test_nothing_to_save(table):
    """Weights are not rules."""
    table.change("champion.helper = 1")
    with pytest.raises(BalanceError, match="no rule was changed"):
        save_variant(table.now, "mine.toml")


def test_the_proper_run_plays_other_decks(table, tmp_path, monkeypatch, cli):
    """Other deals avoid a repeat of chance results; the command runs as printed."""
    monkeypatch.chdir(tmp_path)
    table.change(HARDER)
    save_variant(table.now, "mine.toml")
    words = proper_run(table.now, "./mine.toml").split()
    words[words.index("--games") + 1] = "8"
    cli(*words[1:], status=0)
    plan = RunFolder.open_finished(tmp_path / "runs" / "mine").plan
    assert [variant.name for variant in plan.variants] == ["base", "mine"]
    assert plan.experiment.seed != table.now.plan.experiment.seed


def test_bots_in_python_are_asked(tmp_path):
    """They play in memory as in a run, and their processes end."""
    (tmp_path / "first.py").write_text(
        "class First:\n    def __init__(self, seed): pass\n    def choose(self, observation, options): return 0\n"
    )
    pool = {"players": [2], "strategies": [f"{tmp_path / 'first.py'}:First", "random"], "games": 4}
    table = Trial(live_plan(**pool), paced=False, workers=1)
    table.change("start.ducats = 9")
    assert set(table.compare().table["side"]) == {BEFORE, NOW, CHANGE}
