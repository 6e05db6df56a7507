"""A draft: changes, undo and redo, its file, and variant files that it writes and opens."""

import json
from pathlib import Path

import pytest
from support.errors import refused

from balance.contract.game import find_games, get_game
from balance.experiments import variants
from balance.experiments.rule_steps import look_up
from balance.experiments.variants import hash_rules, load_variant
from balance.foundation.errors import BalanceError
from balance.live.draft import Draft

BONUS = {"2": 2, "3": 4, "4": 9}


@pytest.fixture
def draft():
    return Draft(get_game("na-grunwald"), "base")


def test_a_change_is_played_and_its_start_value_is_none(draft):
    """The rules follow; a value that the start has is no change."""
    draft.change("krzyzacy.bonus", BONUS)
    assert draft.variant.rules.krzyzacy.bonus.four == 9
    assert draft.state.values == {"krzyzacy.bonus": BONUS}
    draft.change("krzyzacy.bonus", {"2": 2, "3": 4, "4": 6})
    assert draft.state.values == {}
    draft.change("start.ducats", {"2": 3, "3": 3, "4": [3, 3, 3, 3]})
    assert draft.state.values
    draft.change("start.ducats", {"2": 3, "3": 3, "4": 3})
    assert draft.state.values == {}


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("krzyzacy.bonus", {"2": 2, "3": 4, "4": 99}, "must be at most 50, got 99"),
        ("rounds", 8.5, "whole number"),
        ("rounds", "8", "whole number"),
        ("rounds", True, "whole number"),
        ("rounds", None, "whole number"),
        ("rounds", 12, "cards.crown: 16 cards are the wrong size"),
        ("hire.price", "free", 'must be "owned"'),
        ("event_deck", "nowhere", "unknown event deck 'nowhere'"),
        ("event_deck", {"cards": [{}]}, "this key is required"),
        ("cards.crown.strengths", [1], "wrong size"),
        ("frob", 1, "unknown rule key 'frob'"),
        ("cards.crown.source", "me", "unknown rule key"),
        ("rounds", {"a": {"b": [2**70]}}, "more than 64 bits"),
    ],
)
def test_a_wrong_value_is_one_line_and_changes_nothing(draft, key, value, said):
    rules = draft.variant.rules
    with refused(said):
        draft.change(key, value)
    assert draft.variant.rules is rules and not draft.steps.can_undo and not draft.state.values


def test_undo_and_redo(draft):
    """They move step by step; a new change drops what was undone."""
    draft.change("rounds", 7)
    draft.change("tie_rule", "last-placed")
    draft.undo()
    assert draft.state.values == {"rounds": 7} and draft.variant.rules.tie_rule == "first-placed"
    draft.redo()
    assert draft.variant.rules.tie_rule == "last-placed"
    draft.undo()
    draft.change("rounds", 6)
    assert not draft.steps.can_redo
    with pytest.raises(BalanceError, match="nothing was undone"):
        draft.redo()
    draft.clear()
    assert draft.state.values == {}
    draft.undo()
    assert draft.state.values == {"rounds": 6}


def test_a_dragged_slider_is_one_step(draft):
    """Only the last value counts; other keys stay."""
    draft.change("tie_rule", "last-placed")
    for number, value in enumerate((7, 6, 5)):
        draft.change("rounds", value, continues=number > 0)
    draft.undo()
    assert draft.state.values == {"tie_rule": "last-placed"}


def test_the_file_keeps_steps_and_name(tmp_path):
    """A new draft takes them up, with undo and redo."""
    path = tmp_path / "draft.json"
    draft = Draft(get_game("na-grunwald"), "base", path)
    draft.rename("harder")
    draft.change("krzyzacy.bonus", BONUS)
    draft.change("rounds", 7)
    draft.undo()
    again = Draft(get_game("na-grunwald"), "base", path)
    assert again.state == draft.state and again.state.name == "harder"
    assert again.variant.rules == draft.variant.rules
    again.redo()
    assert again.variant.rules.rounds == 7
    assert not again.note


def kept(game="na-grunwald", at=0, **step):
    """Return the text of a draft file with one step."""
    steps = [{"name": "a", "values": {}, **step}]
    return json.dumps({"schema": 1, "game": game, "start": "base", "at": at, "steps": steps})


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", kept(game="polska"), kept(at=3), kept(name="../a"), kept(values={"x": 1}),
        kept(values={"rounds": 99}), kept(values=3), '{"schema": 2}',
    ],
)  # fmt: skip
def test_a_damaged_file_is_put_aside(tmp_path, text):
    """The draft begins again, and says where the old one is."""
    path = tmp_path / "draft.json"
    path.write_text(text, encoding="utf-8")
    draft = Draft(get_game("na-grunwald"), "base", path)
    assert draft.state.values == {} and "draft.old" in draft.note
    assert (tmp_path / "draft.old").read_text(encoding="utf-8") == text
    draft.change("rounds", 7)
    assert json.loads(path.read_text(encoding="utf-8"))["at"] == 1


def test_two_damaged_files_are_both_kept(tmp_path):
    """The second takes the next free name."""
    path = tmp_path / "draft.json"
    for text in ("{", "["):
        path.write_text(text, encoding="utf-8")
        draft = Draft(get_game("na-grunwald"), "base", path)
    assert "draft.old-2" in draft.note
    assert (tmp_path / "draft.old").read_text(encoding="utf-8") == "{"
    assert (tmp_path / "draft.old-2").read_text(encoding="utf-8") == "["


def test_a_file_that_the_user_named_is_never_moved(tmp_path):
    """A variant file given as a draft, or the draft of another variant, is refused."""
    path = tmp_path / "mine.toml"
    for text in ("rounds = 7\n", kept(game="polska")):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BalanceError) as caught:
            Draft(get_game("na-grunwald"), "base", path, is_named=True)
        said = f"{path} is not a draft of na-grunwald, base; name another file with --draft"
        assert str(caught.value) == said
        assert path.read_text(encoding="utf-8") == text and [*tmp_path.iterdir()] == [path]


def test_a_frozen_copy_stays(tmp_path):
    """Later changes, names and undo do not reach it, and it writes no file."""
    draft = Draft(get_game("na-grunwald"), "base", tmp_path / "draft.json")
    draft.change("rounds", 7)
    frozen = draft.freeze()
    kept_file = (tmp_path / "draft.json").read_bytes()
    frozen.change("rounds", 5)
    assert (tmp_path / "draft.json").read_bytes() == kept_file and draft.state.values == {"rounds": 7}
    frozen = draft.freeze()
    draft.rename("other")
    draft.undo()
    assert frozen.state.values == {"rounds": 7} and frozen.state.name == "my-variant"
    assert frozen.variant.rules.rounds == 7


def change_much(draft):
    draft.change("krzyzacy.bonus", BONUS)
    draft.change("start.ducats", {"2": [3, 4], "3": 3, "4": 3})
    draft.change("cards.crown.strengths", [1] * 16)
    deck = draft.contents("event_deck")
    deck["cards"][0]["n"] = -5
    draft.change("event_deck", {**deck, "cards": deck["cards"][:-2]})


def test_a_saved_variant_has_the_rules_of_the_draft(draft, tmp_path):
    """Also with changed cards, in another folder; it names only what changed."""
    change_much(draft)
    draft.rename("mine")
    path = draft.save(tmp_path / "sub")
    saved = load_variant(draft.game, str(path), Path())
    assert hash_rules(saved.rules) == hash_rules(draft.variant.rules)
    text = path.read_text(encoding="utf-8")
    assert "krzyzacy.bonus.4 = 9\n" in text and "krzyzacy.bonus.3" not in text
    assert saved.rules.event_deck.source == "changed from the data" and saved.rules.event_deck.size == 12
    assert draft.save(tmp_path / "sub") == path
    draft.change("rounds", 7)
    with pytest.raises(BalanceError, match="exists already"):
        draft.save(tmp_path / "sub")


@pytest.mark.parametrize("name", ["", "a/b", "..", "a.toml", "a b", "<b>", "x" * 61, 3, "a,b"])
def test_a_name_is_a_plain_word(draft, name):
    """It becomes the name of a file."""
    with pytest.raises(BalanceError, match="letters, digits"):
        draft.rename(name)


def test_what_is_saved_can_be_opened(draft, tmp_path):
    """The changes come back; undo returns to the draft before."""
    change_much(draft)
    draft.rename("mine")
    text = draft.save(tmp_path).read_text(encoding="utf-8")
    other = Draft(get_game("na-grunwald"), "base")
    other.change("rounds", 7)
    other.open(text, "mine.toml")
    assert hash_rules(other.variant.rules) == hash_rules(draft.variant.rules)
    assert other.state.name == "mine" and set(other.state.values) == set(draft.state.values)
    other.undo()
    assert other.state.values == {"rounds": 7}


@pytest.mark.parametrize("game", find_games())
def test_every_shipped_variant_can_be_opened(game):
    """The rules are those of the file, whatever it extends."""
    game = get_game(game)
    for name in game.shipped("variants"):
        draft, path = Draft(game, "base"), game.folder / "variants" / f"{name}.toml"
        draft.open(path.read_text(encoding="utf-8"), path.name)
        wanted, found = (
            {key: look_up(rules.model_dump(by_alias=True), each) for key, each in draft.keys.items()}
            for rules in (load_variant(game, name, Path()).rules, draft.variant.rules)
        )
        assert found == wanted, name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rounds =", "not valid TOML"),
        ("frob = 1", "unknown key 'frob'"),
        ("rounds = 99", "must be at most 12"),
        ('extends = "../../etc/passwd"', "names another file"),
        ('event_deck = "./deck.toml"', "names another file"),
        ('extends = "nowhere"', "unknown na-grunwald variant 'nowhere'"),
        ("extends = 3", "unknown na-grunwald variant '3'"),
        ("a." * 200 + "b = 1", "nested too deeply"),
        ("title = 5", "theirs.toml: title: must be text, got 5"),
        ("description = []", "theirs.toml: description: must be text, got []"),
        ("".join(f"[krzyzacy.b{n}]\nx = 1\n" for n in range(1001)), "at most 1,000 values"),
        ("#" * 1_000_001, "at most 1,000 kB"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)
def test_a_wrong_file_is_one_line_and_changes_nothing(draft, text, said):
    """A file from elsewhere reads no other file."""
    draft.change("rounds", 7)
    with refused(said):
        draft.open(text, "theirs.toml")
    assert draft.state.values == {"rounds": 7}


def test_many_tables_are_laid_over_once(draft, monkeypatch):
    """A step for each of them takes seconds, and every other request waits."""
    merged, merge = [], variants.merge
    monkeypatch.setattr(variants, "merge", lambda *tables: merged.append(1) or merge(*tables))
    with pytest.raises(BalanceError, match="unknown key"):
        draft.open("".join(f"[krzyzacy.b{n}]\nx = 1\n" for n in range(900)), "theirs.toml")
    assert len(merged) < 20


def test_a_value_may_be_written_as_toml(draft):
    """A line of TOML; anything else says what to write."""
    assert draft.read_value("hire.price", "[1, 2, 3, 4, 5]") == [1, 2, 3, 4, 5]
    assert draft.read_value("hire.price", '"owned"') == "owned"
    for text in ("owned", "", "3\nrounds = 2", "= 2"):
        with pytest.raises(BalanceError, match="TOML"):
            draft.read_value("hire.price", text)
