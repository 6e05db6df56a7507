"""Decks as CSV and back: the same cards, whatever the separator; mistakes in one line."""

import pytest
from support.errors import refused

from balance.contract.game import find_games, get_game
from balance.experiments.deck_tables import deck_from_csv, deck_to_csv, load_deck, read_cell
from balance.experiments.drafts import deck_of

GAME = get_game("na-grunwald")
DECKS = [
    (name, deck)
    for name, game in find_games().items()
    if game.rules.PATH_KEYS
    for deck in game.shipped(deck_of(game)[1])
]
CARDS = "id,name,effect,n,bundle.ducats\nflood,Powódź,pay,,1\nraid,Raid,plunder,2,\n" + "".join(
    f"card_{number},Card,plunder,2,\n" for number in range(8)
)


def without_head(deck):
    return {key: value for key, value in deck.items() if key not in ("name", "source", "reconstruction")}


@pytest.mark.parametrize(("name", "deck"), DECKS)
def test_a_deck_survives_the_way_there_and_back(tmp_path, name, deck):
    game = get_game(name)
    (tmp_path / "cards.csv").write_text(deck_to_csv(game, deck, tmp_path), encoding="utf-8")
    deck_from_csv(game, tmp_path / "cards.csv", tmp_path / "mine.toml")
    assert without_head(load_deck(game, "mine.toml", tmp_path)) == without_head(load_deck(game, deck, tmp_path))


def write(tmp_path, text):
    (tmp_path / "cards.csv").write_text(text, encoding="utf-8")
    deck_from_csv(GAME, tmp_path / "cards.csv", tmp_path / "mine.toml")
    return load_deck(GAME, "mine.toml", tmp_path)["cards"]


def test_a_spreadsheet_may_use_semicolons(tmp_path):
    cards = write(tmp_path, CARDS.replace(",", ";"))
    assert cards[0] == {"id": "flood", "name": "Powódź", "effect": "pay", "bundle": {"ducats": 1}}
    assert cards[1] == {"id": "raid", "name": "Raid", "effect": "plunder", "n": 2}


def test_a_spreadsheet_in_polish_is_read(tmp_path):
    """Windows-1250, a decimal comma, spaces in headings, PRAWDA for true."""
    text = CARDS.replace(",2,", ",2;0,").replace(",pay,,1", ",pay,,1;0").replace("name,", " name ,")
    (tmp_path / "cards.csv").write_bytes(text.translate(str.maketrans(",;", ";,")).encode("cp1250"))
    (note,) = deck_from_csv(GAME, tmp_path / "cards.csv", tmp_path / "mine.toml")
    cards = load_deck(GAME, "mine.toml", tmp_path)["cards"]
    assert cards[0] == {"id": "flood", "name": "Powódź", "effect": "pay", "bundle": {"ducats": 1}}
    assert cards[1]["n"] == 2 and "Windows-1250" in note
    assert [read_cell(each, False, "") for each in ("PRAWDA", "FALSE", "2.0")] == [True, False, 2]


def test_no_card_is_lost(tmp_path):
    """A quotation mark that is not closed, an id with a hash, an empty file."""
    with refused("line 3", "quotation mark"):
        write(tmp_path, CARDS.replace("raid,Raid", 'raid,"Raid'))
    with refused("line 2: '1,234' is either 1234 or a fraction"):
        write(tmp_path, CARDS.replace("pay,,1", 'pay,,"1,234"'))
    with refused("it has no header line"):
        write(tmp_path, "")
    with refused("must fit the pattern", "'#raid'"):
        write(tmp_path, CARDS.replace("raid,Raid", "#raid,Raid"))


def test_a_name_may_look_like_a_formula_or_a_number(tmp_path):
    """It stays text in the spreadsheet and in the deck."""
    write(tmp_path, CARDS.replace("Powódź", "'=1+1").replace(",Raid,", ",1410,"))
    text = deck_to_csv(GAME, "mine.toml", tmp_path)
    assert "flood,'=1+1," in text
    (tmp_path / "again.csv").write_text(text, encoding="utf-8")
    deck_from_csv(GAME, tmp_path / "again.csv", tmp_path / "again.toml")
    names = [card["name"] for card in load_deck(GAME, "again.toml", tmp_path)["cards"]]
    assert names[:2] == ["=1+1", "1410"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("pay,,1", "pay,,one", "bundle.ducats"),
        ("pay,,1", "pai,,1", "effect"),
        ("pay,,1", "pay,,[1", "line 2: '[1' is not a list such as [1, 2]"),
        ("id,name", "key,name", "no column is called id (there are: key, name"),
        ("flood,", "raid,", "raid"),
        ("bundle.ducats", "bundle.gold", "gold"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(tmp_path, old, new, says):
    with refused(says, "cards.csv"):
        write(tmp_path, CARDS.replace(old, new, 1))
    assert not (tmp_path / "mine.toml").exists()


def test_the_commands(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cli("deck to-csv base --game na-grunwald --out cards.csv", status=0)
    told = cli("deck from-csv cards.csv --game na-grunwald --out mine.toml", status=0).output
    assert "written: mine.toml" in told and "event_deck" in told
    assert "mine.toml" in cli("deck from-csv cards.csv --game na-grunwald --out mine.toml", status=1).output
    cli("deck to-csv base --game na-grunwald --out other.csv --separator semicolon", status=0)
    assert (tmp_path / "other.csv").read_text(encoding="utf-8-sig").startswith("id;name;")
    cli("deck from-csv other.csv --game na-grunwald --out other.toml", status=0)
    assert "grody has no deck file" in cli("deck to-csv base --game grody --out x.csv", status=1).output
    assert cli("deck to-csv none --game polska --out x.csv", status=1).output.count("\n") == 1
