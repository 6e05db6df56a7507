"""Draft files: valid as written, of each kind for each game, and with every key shown."""

import ast
import re

import pytest
from support import own_game

from balance.contract.game import find_games
from balance.experiments.drafts import KINDS, class_of, write_draft
from balance.experiments.experiment import read_experiment
from balance.experiments.planning import make_plan
from balance.experiments.rule_keys import list_keys
from balance.experiments.strategies import check_plays, load_strategy
from balance.experiments.variants import hash_rules, load_changed, load_variant
from balance.foundation.errors import BalanceError
from balance.foundation.files import read_text

GAMES = find_games()
COMMENTED = re.compile(r"^# ((?:[\w.\"]+ = |\[).*)$")


def draft_of(kind, name, folder, tmp_path):
    """Return the text of a written file."""
    draft = write_draft(kind, name, folder, tmp_path)
    assert draft.path.parent == tmp_path
    return draft.path, read_text(draft.path)


@pytest.mark.parametrize("game", GAMES)
def test_a_variant_is_base_until_a_key_is_set(game, tmp_path):
    """Each shown key can be set to its value in base; none is missing."""
    path, text = draft_of("variant", "mine", game, tmp_path)
    base = load_variant(GAMES[game], "base", tmp_path).rules
    whole = hash_rules(base)
    assert hash_rules(load_variant(GAMES[game], str(path), tmp_path).rules) == whole
    found = [match[1] for line in text.splitlines() if (match := COMMENTED.match(line))]
    lines = {line.partition(" = ")[0]: line for line in found}
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
    assert ("# A value by player count is a table, such as { 2 = 3" in text) == any(
        "count" in each for each in by.values()
    )
    assert ("A value by seat is a list" in text) == any("seat" in each for each in by.values())


def test_a_key_without_a_value_in_base_has_none_to_copy(tmp_path):
    """TOML has no null."""
    hand = '    hand: int = Field(ge=1, le=10, description="cards of each player at the start")\n'
    game = own_game.write(tmp_path, (hand, f"{hand}    maybe: int | None = None\n"))
    _, text = draft_of("variant", "mine", str(game), tmp_path)
    (line,) = (line for line in text.splitlines() if line.startswith("# maybe"))
    assert line.startswith("# maybe = ") and line.endswith("no value in base") and "null" not in text


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if game.rules.PATH_KEYS])
def test_a_deck_is_that_of_base_and_a_card_more(game, tmp_path):
    """A rule set that names it as the file says can be played."""
    path, text = draft_of("deck", "mine", game, tmp_path)
    key = re.search(r'^# (\w+) = "mine.toml"', text, re.M)[1]
    where = (GAMES[game], "base", {key: str(path)}, tmp_path, "mine", "test")
    mine, base = load_changed(*where).rules, load_variant(GAMES[game], "base", tmp_path).rules
    decks = [getattr(rules, key) for rules in (mine, base)]
    sizes = [deck.size if hasattr(deck, "size") else len(deck.cards) for deck in decks]
    assert sizes[0] == sizes[1] + 1


def test_a_game_without_a_deck(tmp_path):
    """Its cards are keys of a variant; nothing is written."""
    with pytest.raises(BalanceError, match="grody has no deck file"):
        write_draft("deck", "mine", "grody", tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("game", GAMES)
def test_a_strategy_has_every_weight(game, tmp_path):
    """Each weight has its meaning, and at every player count it plays as its start does at the first."""
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
    """It works as written, and with all commented keys."""
    path, text = draft_of("experiment", "mine", game, tmp_path)
    plan = make_plan(read_experiment(path), tmp_path, "test")
    assert [cell.players for cell in plan.cells] == list(GAMES[game].players)
    assert len(plan.tier.strategies) > 1
    lines = [COMMENTED.sub(r"\1", line) for line in text.splitlines()]
    path.write_text("\n".join(lines), encoding="utf-8")
    experiment = read_experiment(path)
    assert all((experiment.sweep, experiment.targets, experiment.stop, experiment.trace, experiment.luck))
    assert make_plan(experiment, tmp_path, "test").cells


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [pytest.param(name, marks=[] if name == "na-grunwald" else pytest.mark.long) for name in GAMES]
)
def test_a_bot_is_python(game, tmp_path):
    """It lists the decisions of this game, an action of each kind, and the observation."""
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
        ("variant", "base", "the name base is taken"),
        ("strategy", "random", "the name random is taken"),
        ("strategy", "champion", "the name champion is taken"),
        ("deck", "calm", "the name calm is taken"),
        ("bot", "random", "the name random is taken"),
        *(("bot", name, "is no name for a class") for name in ("none", "_", "a²")),
        *((kind, name, "can't be the name") for kind in KINDS for name in ("", "a b", "../x", "1st", "a,b", "x" * 99)),
    ],
)
def test_names_that_cannot_be(kind, name, words, tmp_path):
    with pytest.raises(BalanceError, match=words):
        write_draft(kind, name, "na-grunwald", tmp_path)
    assert not list(tmp_path.iterdir())


def test_what_a_class_is_called():
    """The class has the name of its file, in Python's style."""
    assert [class_of(name) for name in ("miller", "my-bot", "myBot_2")] == ["Miller", "MyBot", "MyBot2"]
