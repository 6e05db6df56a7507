"""Rule tables: entries of extended tables change, new ones are added; packed fields take the values of their keys."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import pytest
from support.errors import refused

from balance.contract.game import get_game
from balance.contract.rule_tables import Amount, BySeat, from_keys, pack_keys, rules_type, with_defaults
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError
from balance.foundation.toml import Settings

OWN = 'source = "me"\nreconstruction = true\n'


def load(folder: Path, game: str, key: str, text: str, own: str = OWN) -> Any:
    """Load a user's table that a variant names."""
    (folder / "mine.toml").write_text(own + text, encoding="utf-8")
    variant = f'extends = "base"\ntitle = "x"\ndescription = "x"\n{key} = "mine.toml"'
    (folder / "variant.toml").write_text(variant, encoding="utf-8")
    return getattr(load_variant(get_game(game), "variant.toml", folder).rules, key)


def base(game: str, key: str) -> Any:
    return getattr(load_variant(get_game(game), "base", Path()).rules, key)


def test_a_deck_with_two_cards_of_ones_own(tmp_path):
    """One card is changed, one added, one removed; all others keep their order."""
    text = """extends = "base"
without.cards = ["war_tax"]
[[cards]]
id = "pomerania_seized"
n = 4
[[cards]]
id = "flood"
name = "Flood"
effect = "pay"
bundle = { provisions = 1 }
"""
    old = {card.id: card for card in base("na-grunwald", "event_deck").cards}
    deck = load(tmp_path, "na-grunwald", "event_deck", text)
    found = {card.id: card for card in deck.cards}
    assert list(found) == [*(name for name in old if name != "war_tax"), "flood"]
    assert found["pomerania_seized"] == old["pomerania_seized"].model_copy(update={"n": 4})
    assert found["flood"].bundle.provisions == 1
    same = set(found) - {"pomerania_seized", "flood"}
    assert all(found[name] == old[name] for name in same)
    assert (deck.name, deck.source, deck.reconstruction) == ("mine", "me", True)


def test_a_card_may_be_taken_away_and_given_anew(tmp_path):
    """Nothing of the removed card remains, such as the text of another effect."""
    text = 'extends = "base"\nwithout.cards = ["war_tax"]\n'
    text += '[[cards]]\nid = "war_tax"\nname = "Pobór wojenny"\neffect = "plunder"\nn = 1'
    deck = load(tmp_path, "na-grunwald", "event_deck", text)
    assert len(deck.cards) == len(base("na-grunwald", "event_deck").cards)
    assert (deck.cards[-1].effect, deck.cards[-1].bundle) == ("plunder", None)


def test_a_chain_of_files(tmp_path):
    """Each file changes the one before; names are relative to the file that contains them."""
    (tmp_path / "below").mkdir()
    first = 'extends = "base"\nname = "mild"\nwithout.cards = ["war_tax"]\n'
    (tmp_path / "below" / "mild.toml").write_text(OWN + first, encoding="utf-8")
    text = 'extends = "below/mild.toml"\n[[cards]]\nid = "dobrzyn_land"\nn = 1'
    deck = load(tmp_path, "na-grunwald", "event_deck", text)
    assert "war_tax" not in [card.id for card in deck.cards]
    assert deck.cards[1].n == 1
    assert deck.name == "mine"


def test_cards_of_polska(tmp_path):
    """Years and cities are added and removed singly; numbers are replaced."""
    text = 'extends = "base"\nstop = 6\ngrey = [1920, 1138]\nwithout.grey = [1000, 1920]\n'
    text += 'cities = ["lodz"]\nwithout.cities = ["torun"]'
    old, cards = base("polska", "cards"), load(tmp_path, "polska", "cards", text)
    assert cards.grey == [year for year in old.grey if year not in (1000, 1920)] + [1920, 1138]
    assert cards.cities == [city for city in old.cities if city != "torun"] + ["lodz"]
    assert (cards.stop, cards.train, cards.blue) == (6, old.train, old.blue)


def test_a_map_of_polska(tmp_path):
    """Cities are a table; a road is identified by its ends, in either order."""
    text = """extends = "poland"
without.cities = ["zamosc"]
without.roads = [["zamosc", "lublin"], ["rzeszow", "zamosc"]]
[cities]
opole = [17.9, 50.7]
[[roads]]
ends = ["katowice", "czestochowa"]
steps = 5
[[roads]]
ends = ["opole", "katowice"]
steps = 2
"""
    old, found = base("polska", "map"), load(tmp_path, "polska", "map", text)
    assert set(found.cities) == {*old.cities, "opole"} - {"zamosc"}
    assert len(found.roads) == len(old.roads) - 2 + 1
    (changed,) = (road for road in found.roads if set(road.ends) == {"katowice", "czestochowa"})
    assert changed.steps == 5


def test_a_track_of_polska(tmp_path):
    """Fields have an order: a new field names the one that it follows."""
    text = 'extends = "history"\nwithout.fields = ["zjazd_gnieznienski"]\n'
    text += 'fields = [{ name = "wojna", year = 1109, after = "koronacja_chrobrego" }, '
    text += '{ name = "unia_lubelska", year = 1570 }]'
    names = [field.name for field in base("polska", "track").fields]
    track = load(tmp_path, "polska", "track", text)
    assert [field.name for field in track.fields][:4] == [names[0], names[2], "wojna", names[3]]
    assert len(track.fields) == len(names)
    assert [field.year for field in track.fields if field.name == "unia_lubelska"] == [1570]


def test_events_of_korona(tmp_path):
    """Fate belongs to the changed card."""
    text = 'extends = "base"\n'
    text += 'without.cards = ["plague", "famine"]\ncards = [{ id = "tatars", strength = 20, from = "litwa" }]'
    old = {card.id: card for card in base("korona-piastow", "events").cards}
    found = {card.id: card for card in load(tmp_path, "korona-piastow", "events", text).cards}
    assert set(found) == set(old) - {"plague", "famine"}
    changed = old["tatars"].model_copy(update={"strength": 20, "origin": "litwa"})
    assert found["tatars"] == changed


def test_a_map_of_korona(tmp_path):
    """A border is identified by its fiefs, a fief by its id."""
    old = base("korona-piastow", "map")
    one, other = old.borders[0]
    fief = old.fiefs[0]
    text = f'extends = "poland"\nwithout.borders = [["{other}", "{one}"]]\n'
    text += f'[[fiefs]]\nid = "{fief.id}"\nlegendary = {str(not fief.legendary).lower()}\n'
    found = load(tmp_path, "korona-piastow", "map", text)
    assert found.borders == old.borders[1:]
    assert found.fiefs == [fief.model_copy(update={"legendary": not fief.legendary}), *old.fiefs[1:]]


WRONG = {
    "an unknown card": (
        'extends = "base"\nwithout.cards = ["war_tex"]',
        "mine.toml: without.cards: unknown entry 'war_tex'; did you mean 'war_tax'?",
    ),
    "an unknown list": (
        'extends = "base"\nwithout.card = ["war_tax"]',
        "mine.toml: without: unknown list 'card'; did you mean 'cards'?",
    ),
    "no list": ('extends = "base"\nwithout.cards = "war_tax"', "without.cards: must be a list of names"),
    "no table": ('extends = "base"\nwithout = ["war_tax"]', "mine.toml: without: must be a table of lists"),
    "nothing to take away from": ('without.cards = ["war_tax"]', "the file has no `extends`"),
    "an unknown place": (
        'extends = "base"\n[[cards]]\nid = "x"\nafter = "y"', "mine.toml: cards: after: unknown entry 'y'",
    ),
    "a misspelt card": (
        'extends = "base"\n[[cards]]\nid = "wartax"\ncopies = 2',
        "mine.toml: cards.wartax.name: this key is required",
    ),
    "a card without id": ('extends = "base"\n[[cards]]\nn = 2', "mine.toml: cards: entry 1 has no `id`"),
    "an unknown key": ('extends = "base"\ncart = 3', "unknown key 'cart'; did you mean 'cards'?"),
    "a card of another shape": (
        'extends = "base"\ncards = [3]', "mine.toml: cards: entry 1 must be a table of keys and values",
    ),
    "a value of a card": (
        'extends = "base"\n[[cards]]\nid = "flood"\nname = "Flood"\neffect = "plunder"\nn = "2"',
        "mine.toml: cards.flood.n: must be a whole number, got '2'",
    ),
    "an effect without its words": (
        'extends = "base"\n[[cards]]\nid = "flood"\nname = "Flood"\neffect = "gain"\nn = 2',
        "mine.toml: cards.flood: effect 'gain' takes bundle: write bundle = { ducats = 1 } and leave out n",
    ),
    "an effect that takes nothing": (
        'extends = "base"\n[[cards]]\nid = "flood"\nname = "Flood"\neffect = "truce"\nn = 2',
        "mine.toml: cards.flood: effect 'truce' takes nothing more: leave out n",
    ),
    "an unknown deck": ('extends = "bass"', "mine.toml: unknown event deck 'bass'; did you mean 'base'?"),
    "a circle": ('extends = "mine.toml"', "extend itself (mine.toml -> mine.toml)"),
    "no name": ("extends = 3", "mine.toml: extends: must be the name or path of another event deck"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_one_line(tmp_path, case):
    text, words = WRONG[case]
    with refused(words):
        load(tmp_path, "na-grunwald", "event_deck", text)


def test_who_changes_a_table_says_where_it_comes_from(tmp_path):
    """The source of the extended table is not the source of the changes."""
    with pytest.raises(BalanceError, match=r"mine\.toml: new data need their own `source` and"):
        load(tmp_path, "na-grunwald", "event_deck", 'extends = "base"', own="")


TWO_OF_ONE_ID = """[[cards]]
id = "flood"
name = "Flood"
effect = "pay"
bundle = { provisions = 1 }
[[cards]]
id = "dobrzyn_land"
n = 1
[[cards]]
id = "flood"
name = "Great flood"
effect = "pay"
bundle = { provisions = 2 }
"""


@pytest.mark.parametrize("extends", ['extends = "base"\n', ""])
def test_two_cards_of_one_id_are_refused(tmp_path, extends):
    """The second card would change the first, or be lost; both are named as in the file."""
    words = "mine.toml: cards: entries 1 (Flood) and 3 (Great flood) have the same id 'flood'; give one"
    with pytest.raises(BalanceError, match=re.escape(words)):
        load(tmp_path, "na-grunwald", "event_deck", extends + TWO_OF_ONE_ID)


@pytest.mark.parametrize(
    ("game", "key", "text", "words"),
    [
        (
            "polska",
            "map",
            'extends = "poland"\n[[roads]]\nends = ["lodz", "torun"]\n[[roads]]\nends = ["torun", "lodz"]',
            "roads: entries 1 and 2 have the same ends 'lodz-torun'",
        ),
        (
            "polska",
            "track",
            'extends = "history"\nfields = [{ name = "x", year = 1570 }, { name = "x", year = 1571 }]',
            "fields: entries 1 and 2 have the same name 'x'",
        ),
        (
            "korona-piastow",
            "events",
            'extends = "base"\ncards = [{ id = "tatars", units = 1 }, { id = "tatars", strength = 20 }]',
            "cards: entries 1 and 2 have the same id 'tatars'",
        ),
    ],
)
def test_two_entries_of_one_name_are_refused_in_every_table(tmp_path, game, key, text, words):
    """This holds for roads, fields and cards of all games."""
    with pytest.raises(BalanceError, match=re.escape(words)):
        load(tmp_path, game, key, text)


NO_GUESS = 'source = "me"\nreconstruction = false\n'
GUESSED_STAY = "reconstruction: must be true, because guessed data of the extended file remain"


def test_guessed_cards_that_stay_are_a_reconstruction(tmp_path):
    """The report's list of reconstructions includes all guessed data; only a complete new deck may say false."""
    with pytest.raises(BalanceError, match=re.escape(f"mine.toml: {GUESSED_STAY}")):
        load(tmp_path, "na-grunwald", "event_deck", 'extends = "base"\n', own=NO_GUESS)
    load(tmp_path, "na-grunwald", "event_deck", 'extends = "base"\n')
    rules = load_variant(get_game("na-grunwald"), "variant.toml", tmp_path).rules
    assert "event deck 'mine': me" in get_game("na-grunwald").rules.list_reconstructions(rules)
    own = load(tmp_path, "na-grunwald", "event_deck", 'extends = "calm"\n', own=NO_GUESS)
    assert not own.reconstruction  # what it extends is no reconstruction


def test_a_guess_stays_one_through_a_chain(tmp_path):
    """A deck that extends a user's deck that extends base is a reconstruction."""
    first = OWN + 'extends = "base"\n'
    (tmp_path / "first.toml").write_text(first, encoding="utf-8")
    with pytest.raises(BalanceError, match=re.escape(f"mine.toml: {GUESSED_STAY}")):
        load(tmp_path, "na-grunwald", "event_deck", 'extends = "first.toml"\n', own=NO_GUESS)


@pytest.mark.parametrize(("strengths", "allowed"), [("", False), (f"strengths = {[3] * 16}\n", True)])
def test_a_table_of_a_variant_keeps_its_guesses(tmp_path, strengths, allowed):
    """`cards.crown` may have `reconstruction = false` only with its own strengths."""
    text = f'extends = "base"\ntitle = "x"\ndescription = "x"\n[cards.crown]\n{NO_GUESS}{strengths}'
    (tmp_path / "variant.toml").write_text(text, encoding="utf-8")
    if allowed:
        rules = load_variant(get_game("na-grunwald"), "variant.toml", tmp_path).rules
        assert not rules.cards.crown.reconstruction
        return
    with pytest.raises(BalanceError, match=re.escape(f"cards.crown: {GUESSED_STAY}")):
        load_variant(get_game("na-grunwald"), "variant.toml", tmp_path)


class Start(Settings):
    """A table of the rule set."""

    coins: Annotated[Amount, BySeat(0, 9, (2, 3))]


class Rules(Settings):
    """A rule set."""

    rounds: int
    open_hands: bool
    deck: list[int]
    start: Start


RULES = rules_type(Rules, [("deck", "i4", (5,), "deck"), ("coins", "i4", (3,), "start.coins"), ("computed", "i4")])


def packed(players, coins):
    rules = Rules(rounds=4, open_hands=True, deck=[7, 8], start=Start(coins=coins))
    return pack_keys(RULES, rules, players)


def test_numbers_lists_and_amounts_by_seat():
    """Keys of the rule set need no field; lists and amounts fill the beginning of theirs; one without a key is 0."""
    found = packed(3, [2, 5])
    assert (found.players, found.rounds, found.open_hands, found.computed) == (3, 4, 1, 0)
    assert found.deck.tolist() == [7, 8, 0, 0, 0]
    assert found.coins.tolist() == [2, 5, 5]


def test_amounts_by_player_count():
    """Only the seats in play have an amount."""
    assert packed(2, {"2": 3, "3": 1}).coins.tolist() == [3, 3, 0]


class Unit(Settings):
    """A row of a table."""

    cost: int


class Recruit(Unit):
    """A row with a key that others lack."""

    speed: int | None = None


class Units(Settings):
    """A table of rows."""

    foot: Unit
    horse: Recruit


class Army(Settings):
    """A table, a list and a word."""

    units: Units
    bonus: list[Recruit]
    stance: Literal["still", "forward"] = "forward"


ARMY = Army(units=Units(foot=Unit(cost=3), horse=Recruit(cost=5, speed=2)), bonus=[Recruit(cost=1), Recruit(cost=2)])


class Shares(Settings):
    """A rule set with an amount by seat and a number that the game computes."""

    coins: Annotated[Amount, BySeat(0, 9, (2, 3))]
    rounds: int


def test_an_amount_has_a_number_for_each_seat_and_a_field_of_the_game_comes_before_the_key():
    record = rules_type(Shares, [("rounds", "i4")])
    found = pack_keys(record, Shares(coins=[1, 2], rounds=5), 3)
    assert found.coins.tolist() == [1, 2, 2]
    assert found.rounds == 0


def test_a_module_of_rules_needs_only_its_model():
    """Without files, a rule set is checked as it stands, and nothing of it is a reconstruction."""
    rules = with_defaults(SimpleNamespace(Rules=Shares), Path())
    found = rules.load_rules({"coins": 3, "rounds": 5}, "here", Path())
    assert (found.rounds, rules.PATH_KEYS, rules.list_reconstructions(found)) == (5, {}, [])
    with refused("here: rounds"):
        rules.load_rules({"coins": 3, "rounds": "many"}, "here", Path())


def test_reconstructed_files_are_listed_by_default():
    """Polska's map, track and cards are read from files."""
    rules = load_variant(get_game("polska"), "base", Path()).rules
    found = get_game("polska").rules.list_reconstructions(rules)
    assert [line.partition(":")[0] for line in found] == [
        f"{key} {getattr(rules, key).name!r}" for key in ("map", "track", "cards") if getattr(rules, key).reconstruction
    ]
    assert found


def test_a_star_is_each_entry_of_a_table_or_list():
    """An entry without the key, or without a value, is 0."""
    found = pack_keys(
        rules_type(
            Army,
            [
                ("cost", "i4", (3,), "units.*.cost"),
                ("speed", "i4", (2,), "units.*.speed"),
                ("bonus", "i4", (3,), "bonus.*.cost"),
                ("none", "i4", (2,), "bonus.*.speed"),
            ],
        ),
        ARMY,
        2,
    )
    assert found.cost.tolist() == [3, 5, 0]
    assert found.speed.tolist() == [0, 2]
    assert found.bonus.tolist() == [1, 2, 0]
    assert found.none.tolist() == [0, 0]


def test_a_word_is_its_number_among_those_allowed():
    """A key of a table gives a field the name of its last part."""
    found = pack_keys(rules_type(Army, from_keys("units.foot.cost")), ARMY, 2)
    assert (found.stance, found.cost) == (1, 3)


def test_a_key_that_the_rules_lack_is_an_error():
    """A wrong key is not a 0."""
    with pytest.raises(AttributeError):
        pack_keys(rules_type(Army, from_keys("units.foot.speed")), ARMY, 2)
