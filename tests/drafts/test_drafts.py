"""Files to start from: valid as they are written, of each kind for each game, and with every key that they show."""

from __future__ import annotations

import ast
import re

import pytest

from balance.contract.game import find_games
from balance.drafts.writing import KINDS, class_of, write_draft
from balance.errors import BalanceError
from balance.files import read_text
from balance.plan.experiment import read_experiment
from balance.plan.keys import list_keys
from balance.plan.make import make_plan
from balance.plan.strategies import check_plays, load_strategy
from balance.plan.variants import hash_rules, load_changed, load_variant

GAMES = find_games()
COMMENTED = re.compile(r"^# ((?:[\w.\"]+ = |\[).*)$")


def draft_of(kind, name, folder, tmp_path):
    """The text of a file that was written."""
    draft = write_draft(kind, name, folder, tmp_path)
    assert draft.path.parent == tmp_path
    return draft.path, read_text(draft.path)


@pytest.mark.parametrize("game", GAMES)
def test_a_variant_is_base_until_a_key_is_set(game, tmp_path):
    """And each key that is shown can be set, to the value that it has in base; none is left out."""
    path, text = draft_of("variant", "mine", game, tmp_path)
    base = load_variant(GAMES[game], "base", tmp_path).rules
    whole = hash_rules(base)
    assert hash_rules(load_variant(GAMES[game], str(path), tmp_path).rules) == whole
    lines = {
        match[1].partition(" = ")[0]: match[1]
        for line in text.splitlines()
        if (match := COMMENTED.match(line))
    }
    head = "".join(line + "\n" for line in text.splitlines() if line and not line.startswith("#"))
    for name in lines:
        table = name.rpartition(".")[0]
        beside = [f"{table}.source", f"{table}.reconstruction"] if f"{table}.source" in lines else []
        keys = dict.fromkeys([name, *beside])
        path.write_text(head + "\n".join(lines[key] for key in keys), encoding="utf-8")
        assert hash_rules(load_variant(GAMES[game], str(path), tmp_path).rules) == whole, name
    shown = {name.partition(".")[0] for name in lines}
    fields = {field.alias or name for name, field in type(base).model_fields.items()}
    assert shown == fields - {"title", "description"}
    by = {key.name: key.said_by for key in list_keys(GAMES[game])}
    remarks = {line[2:].partition(" = ")[0]: line for line in text.splitlines() if COMMENTED.match(line)}
    for name, said in by.items():
        assert remarks[name].endswith(f"; {said}") if said else " player count" not in remarks[name]
    assert ("# By player count is a table, such as { 2 = 3" in text) == any(
        "count" in each for each in by.values()
    )
    assert ("By seat is a list" in text) == any("seat" in each for each in by.values())


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.rules.PATH_KEYS])
def test_a_deck_is_that_of_base_and_a_card_more(game, tmp_path):
    """A rule set plays with it that names it as the file says."""
    path, text = draft_of("deck", "mine", game, tmp_path)
    key = re.search(r'^# (\w+) = "mine.toml"', text, re.M)[1]
    where = (GAMES[game], "base", {key: str(path)}, tmp_path, "mine", "test")
    mine, base = load_changed(*where).rules, load_variant(GAMES[game], "base", tmp_path).rules
    decks = [getattr(rules, key) for rules in (mine, base)]
    sizes = [deck.size if hasattr(deck, "size") else len(deck.cards) for deck in decks]
    assert sizes[0] == sizes[1] + 1


def test_a_game_without_a_deck(tmp_path):
    """Its cards are keys of a variant; nothing is written."""
    with pytest.raises(BalanceError, match="grody has no deck in a file of its own"):
        write_draft("deck", "mine", "grody", tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("game", GAMES)
def test_a_strategy_has_every_weight(game, tmp_path):
    """With what it counts, and plays at every player count as the one from which it starts plays at the first."""
    path, text = draft_of("strategy", "mine", game, tmp_path)
    mine = load_strategy(GAMES[game], str(path), tmp_path)
    check_plays(mine, GAMES[game].players)
    features = GAMES[game].heuristics.FEATURES
    assert list(mine.profile.weights) == list(features)
    for name, meaning in features.items():
        assert re.search(rf"^{name} = \S+ +# {re.escape(meaning)}$", text, re.M)
    start = re.search(r"those of (\w+)", text)[1]
    weights = load_strategy(GAMES[game], start, tmp_path).profile.at(GAMES[game].players[0])
    assert {name: mine.profile.weights[name] for name in weights if name in features} == {
        name: value for name, value in weights.items() if name in features
    }
    assert set(GAMES[game].heuristics.SETTINGS) == set(mine.profile.settings)


@pytest.mark.parametrize("game", GAMES)
def test_an_experiment_plays_all_counts(game, tmp_path):
    """As it is, and with everything that it only shows."""
    path, text = draft_of("experiment", "mine", game, tmp_path)
    plan = make_plan(read_experiment(path), tmp_path, "test")
    assert [cell.players for cell in plan.cells] == list(GAMES[game].players)
    assert len(plan.tier.strategies) > 1
    path.write_text(
        "\n".join(COMMENTED.sub(r"\1", line) for line in text.splitlines()), encoding="utf-8"
    )
    experiment = read_experiment(path)
    assert (
        experiment.sweep
        and experiment.targets
        and experiment.stop
        and experiment.trace
        and experiment.luck
    )
    assert make_plan(experiment, tmp_path, "test").cells


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_bot_is_python(game, tmp_path):
    """It says what is asked in this game, an action of each kind, and what is seen."""
    _, text = draft_of("bot", "my-bot", game, tmp_path)
    module = ast.parse(text)
    (found,) = [node for node in module.body if isinstance(node, ast.ClassDef)]
    assert found.name == "MyBot" and {"__init__", "choose"} <= {
        node.name for node in found.body if hasattr(node, "name")
    }
    said = ast.get_docstring(module)
    assert GAMES[game].title in said
    assert len(re.findall(r"^ {4}\w+ {2,}\S", said, re.M)) > 3, "kinds of decisions"
    assert "seat, " in said and "kind, " in said


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        ("variant", "base", "there is a base already"),
        ("strategy", "random", "there is a random already"),
        ("strategy", "champion", "there is a champion already"),
        ("deck", "calm", "there is a calm already"),
        ("bot", "random", "there is a random already"),
        *(("bot", name, "its class can't be") for name in ("none", "_", "a²")),
        *(
            (kind, name, "can't be the name")
            for kind in KINDS
            for name in ("", "a b", "../x", "1st", "a,b", "x" * 99)
        ),
    ],
)
def test_names_that_cannot_be(kind, name, words, tmp_path):
    """One line, and nothing is written."""
    with pytest.raises(BalanceError, match=words):
        write_draft(kind, name, "na-grunwald", tmp_path)
    assert not list(tmp_path.iterdir())


def test_what_a_class_is_called():
    """By its file, as Python writes classes."""
    assert [class_of(name) for name in ("miller", "my-bot", "myBot_2")] == ["Miller", "MyBot", "MyBot2"]
