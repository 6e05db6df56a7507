"""Rule sets: start values by seat and player count (SET-4), awards (section 4.3), card tables and event decks."""

import re
from pathlib import Path
from typing import Any

import pytest
from support.errors import refused
from support.na_grunwald import GAME, Scene, make_rules, shown

from balance.contract.rule_tables import load_component
from balance.engine.stepper import Stepper
from balance.experiments.variants import load_variant, read_extended
from balance.foundation.errors import BalanceError
from balance.games.na_grunwald.rules.decks import EventDeck
from balance.runs.folder import RunFolder

BY_COUNT = {"ducats": {"2": [3, 4], "3": 5, "4": [1, 2]}}


@pytest.mark.parametrize(
    ("start", "players", "ducats", "helpers"),
    [
        ({}, 3, [3, 3, 3], [2, 2, 2]),
        ({"ducats": [3, 4]}, 2, [3, 4], [2, 2]),
        ({"ducats": [3, 4]}, 4, [3, 4, 4, 4], [2, 2, 2, 2]),
        ({"ducats": [1, 2, 3, 4], "helpers": [0, 1]}, 3, [1, 2, 3], [0, 1, 1]),
        (BY_COUNT, 2, [3, 4], [2, 2]),
        (BY_COUNT, 3, [5, 5, 5], [2, 2, 2]),
        (BY_COUNT, 4, [1, 2, 2, 2], [2, 2, 2, 2]),
    ],
)
def test_each_seat_starts_with_its_own(start, players, ducats, helpers):
    """SET-4: in the order of seats; the last number holds for later seats, and numbers beyond the table for none."""
    stepper = Stepper.deal(GAME, make_rules({"start": start}), players, 1)
    assert stepper.state.ducats[:players].tolist() == ducats
    assert stepper.state.helpers[:players].tolist() == helpers
    assert stepper.log.game.peak_ducats == sum(ducats)


NO_AMOUNT = "must be a whole number from 0 to 50, or a list"


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        *((amount, NO_AMOUNT) for amount in ("x", True, [], [3, 51], [3, "4"], [1, 2, 3, 4, 5], -1, 51)),
        ({"2": 3, "3": 3}, "has no value for 4 players"),
        ({"2": 3, "5": 3}, "there is no player count '5' (there are: 2, 3, 4)"),
        ({"2": 3, "3": [], "4": 3}, f"3 players: {NO_AMOUNT}"),
        ({"2": {"2": 3}, "3": 3, "4": 3}, "2 players: must be a whole number"),
        ({}, "has no value for 2 players"),
    ],
)
def test_start_values_that_are_refused(amount, words):
    """SET-4: one line names the key and the wrong count, and gives the correct form."""
    data = read_extended(GAME, GAME.folder / "variants" / "base.toml")
    data["start"] = {**data["start"], "ducats": amount}
    with pytest.raises(BalanceError, match=re.escape(f"start.ducats: {words}")):
        GAME.rules.load_rules(data, "test", Path())


@pytest.mark.parametrize("helpers", [[2, 6], {"2": 2, "3": [2, 2, 6], "4": 2}])
def test_more_helpers_than_there_may_be(helpers):
    """This is refused for any seat and player count."""
    with pytest.raises(BalanceError, match=r"start.helpers is 6, more than pawns.most_helpers \(5\)"):
        make_rules({"start": {"helpers": helpers}})


def test_a_variant_may_change_some_player_counts_alone(tmp_path):
    """The others keep their number, list or table."""

    def ducats(name: str, extends: str, start: str) -> Any:
        text = f'extends = "{extends}"\ntitle = "x"\ndescription = "x"\n{start}'
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
        return load_variant(GAME, f"{name}.toml", tmp_path).rules.start.ducats

    assert ducats("two", "base", "[start.ducats]\n2 = [3, 4]") == {"2": [3, 4], "3": 3, "4": 3}
    four = ducats("four", "two.toml", "[start.ducats]\n4 = [3, 3, 4, 4]")
    assert four == {"2": [3, 4], "3": 3, "4": [3, 3, 4, 4]}
    rich = ducats("rich", "later-seats-richer", "[start.ducats]\n3 = 3")
    assert rich == {"2": [3, 4], "3": 3, "4": [3, 4]}
    assert ducats("again", "four.toml", "start.ducats = [3, 5]") == [3, 5]
    assert ducats("alike", "two.toml", "start.ducats.2 = 3") == 3


SWEEP = ["--game", "na-grunwald", "--players", "2,3", "--strategies", "random", "--games", "4", "--sweep"]


def test_a_sweep_of_one_player_count(cli, tmp_path):
    """Each point leaves the other counts unchanged; the point with base's value is base."""
    cli("run", *SWEEP, "start.ducats.2=[3,4],3,9", "--log", "rounds", "--out", tmp_path / "run", status=0)
    plan = RunFolder.open(tmp_path / "run").plan
    points = ["base", "start.ducats.2=[3, 4]", "start.ducats.2=9"]
    assert [variant.name for variant in plan.variants] == points
    assert plan.points["base"] == {"start.ducats.2": 3}
    found = [variant.rules.start.ducats for variant in plan.variants]
    assert found == [3, {"2": [3, 4], "3": 3, "4": 3}, {"2": 9, "3": 3, "4": 3}]


def test_a_sweep_of_a_player_count_that_there_is_not(cli, tmp_path):
    """One line lists the existing counts."""
    result = cli("run", *SWEEP, "start.ducats.5=3", "--out", tmp_path / "run", status=1)
    assert "start.ducats: there is no player count '5' (there are: 2, 3, 4)" in result.output


def test_awards_are_rules():
    """Section 4.3 as values: any shown value may go to any place."""
    awards = {"ducats": {"2": [-1, 1]}, "crown": {"2": [2]}}
    scene = Scene(2, {"awards": awards, **shown(ducats=[6, 4, 2])})
    knights = [int(word) for word in scene.said[0].split()[2:]]
    scene.take("place ducats officer", "place ducats helpers 1", "place crown helpers 1").pass_all()
    assert scene.all("ducats") == [3 + 2, 3 + 6]
    assert scene.hand(0) == [("crown", min(knights))]


@pytest.mark.parametrize(
    ("field", "players", "award", "same"),
    [
        ("crown", 4, [1, -2], "1 and -2 are the same of 2 shown values"),
        ("crown", 3, [-1, 2], "-1 and 2 are the same of 2 shown values"),
        ("mercenaries", 2, [1, 1], "1 and 1 are the same of 2 shown values"),
        ("ducats", 4, [2, 1, -3], "1 and -3 are the same of 3 shown values"),
        ("ducats", 2, [-2, 2], "-2 and 2 are the same of 3 shown values"),
        ("ducats", 3, [3, 1, -1], "3 and -1 are the same of 3 shown values"),
        ("provisions", 3, [1, -2], "1 and -2 are the same of 2 shown values"),
        ("provisions", 4, [1, -1], "1 and -1 are the same of 1 shown value;"),
    ],
)
def test_each_value_goes_to_one_place(field, players, award, same):
    """Section 4.3: two entries that are the same value are refused, by key, player count and both entries."""
    with refused(f"awards.{field}.{players}: with {players} players, {same}"):
        make_rules({"awards": {field: {str(players): award}}})


def test_awards_go_by_the_cards_that_there_are():
    """Section 4.3: 1 and -1 of provisions are two values where each card shows two, and one where one shows one."""
    awards = {"awards": {"provisions": {"4": [1, -1]}}}
    rules = make_rules({**awards, **shown(provisions=[4, 2])})
    assert rules.awards.provisions.at(4) == [1, -1]
    with pytest.raises(BalanceError, match=r"awards\.provisions\.4: .* 1 and -1 are the same"):
        make_rules({**awards, **shown(provisions=[4])})


def test_card_tables_are_data_and_name_their_source():
    """SET-1: the base tables are reconstructions; another table makes an ordinary variant."""
    base, flat = make_rules(), make_rules(variant="flat-knights")
    assert sorted(base.cards.crown.strengths) == [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6]
    assert base.cards.crown.reconstruction
    assert not flat.cards.crown.reconstruction
    assert flat.cards.crown.strengths != base.cards.crown.strengths


@pytest.mark.parametrize(("name", "size"), [("base", 14), ("none", 0), ("calm", 9), ("harsh", 10), ("market", 9)])
def test_shipped_decks(name, size):
    """The decks of the rule page, with their number of cards."""
    deck = load_component(EventDeck, GAME.folder / "decks", "deck", name, "test", GAME.folder)
    assert deck.size == size
