"""Set-up and turns: SET-1 to SET-6, TRN-1 to TRN-4, END-1, END-2, rule by rule."""

from collections import Counter

import pytest
from support.polska import GAME, Journey, make_rules, s
from support.runs import read_rows

from balance.foundation.errors import BalanceError
from balance.foundation.toml import validate
from balance.games.polska.rules.components import Map, lay_out


def distances(start: str) -> dict[str, int]:
    """Return the steps from a field to all others on the empty map."""
    geography = lay_out(make_rules().map)
    found, edge = {geography.names.index(start): 0}, [geography.names.index(start)]
    while edge:
        edge = [other for field in edge for other in geography.neighbours[field] if other not in found
                and found.setdefault(other, found[field] + 1)]  # fmt: skip
    return {geography.names[field]: steps for field, steps in found.items()}


def test_set_1_map():
    """SET-1: 17 locations and gniezno, connected; neighbours 2 to 4 steps apart, 10 to 14 across."""
    found = make_rules().map
    assert len(found.locations) == 17
    assert found.start == "gniezno"
    assert all(2 <= road.steps <= 4 for road in found.roads)
    across = max(steps for city in found.cities for end, steps in distances(city).items() if end in found.cities)
    assert 10 <= across <= 14
    assert len(distances("gniezno")) == len(lay_out(found).names)
    assert found.reconstruction


def test_a_road_from_a_city_to_itself_is_refused():
    """SET-1: a road leads between two cities; four loops would fill the room for roads at their city."""
    data = make_rules().map.model_dump()
    city = data["start"]
    data["roads"] += [{"ends": [city, city], "steps": 2}]
    with pytest.raises(BalanceError, match=f"my.toml: roads: a road leads from {city} to itself"):
        validate(Map, data, "my.toml")


def test_set_2_track():
    """SET-2: 31 fields in time order, from 966 to one that is later than all."""
    track = make_rules().track
    years = [field.year for field in track.fields]
    assert len(years) == 31
    assert (track.fields[0].name, years[0]) == ("chrzest_polski", 966)
    assert (track.fields[-1].name, years[-1]) == ("wizja_miasta_przyszlosci", None)
    assert years[:-1] == sorted(years[:-1])
    assert track.reconstruction


def test_set_3_cards():
    """SET-3: 55 cards: 24 grey with dates of the track, 11 blue with others, 8 cities, 4, 3, 3 and 2."""
    rules = make_rules()
    cards = rules.cards
    years = {field.year for field in rules.track.fields[1:-1]}
    assert (len(cards.grey), len(cards.blue), len(cards.cities)) == (24, 11, 8)
    assert (cards.stop, cards.train, cards.coach, cards.eagle) == (4, 3, 3, 2)
    assert cards.size == 55
    assert set(cards.grey) <= years
    assert not set(cards.blue) & years
    assert set(cards.cities) <= set(rules.map.locations)
    assert cards.reconstruction


@pytest.mark.parametrize("players", GAME.players)
def test_set_4_5_6_start(players):
    """SET-4, SET-5, SET-6: markers first, pawns on gniezno, 7 of 17 locations, one card each, seat 0 begins."""
    scene = Journey(players)
    state = scene.state
    assert list(state.position[:players]) == [0] * players
    assert {scene.fields[pawn] for pawn in state.pawn[:players]} == {"gniezno"}
    laid = [label.split()[1] for label in scene.said if label.startswith("marker")]
    assert len(laid) == len(set(laid)) == 7
    assert set(laid) <= set(scene.rules.map.locations)
    assert state.aside_count == 10
    assert list(state.hand_size[:players]) == [1] * players
    assert state.draw_count == 55 - players
    assert scene.seat == 0


@pytest.mark.parametrize(
    ("cards", "dealt"),
    [(0, [0, 0, 0]), ([1, 2], [1, 2, 2]), ({"2": 1, "3": [0, 1, 8], "4": 1, "5": 1, "6": 1}, [0, 1, 8])],
)
def test_set_6_cards_by_seat(cards, dealt):
    """SET-6: seat 0 draws all its cards, then the next; a list is by seat, a table by player count."""
    scene = Journey(3, {"hand_start": cards})
    assert list(scene.state.hand_size[:3]) == dealt
    seats = [int(label.split()[1]) for label in scene.said if label.startswith("deal")]
    assert seats == [seat for seat in range(3) for _ in range(dealt[seat])]


def test_set_6_is_within_a_hand():
    """SET-6: at most the limit of a hand."""
    with pytest.raises(BalanceError, match="hand_start: must be a whole number from 0 to 8, or a list"):
        make_rules({"hand_start": [1, 9]})


def test_trn_1_dice():
    """TRN-1: seven dice are rolled and last for seven turns; each turn takes one of the rest."""
    scene = Journey(2)
    (roll,) = [label for label in scene.said if label.startswith("roll")]
    dice = roll.split()[1:]
    assert len(dice) == 7
    assert dice == sorted(dice)
    left = Counter(dice)
    for turn in range(7):
        assert scene.seat == turn % 2
        assert scene.options() == [f"die {value}" for value in sorted(left)]
        value = scene.options()[0].split()[1]
        scene.take(f"die {value}", "nothing")
        left = +(left - Counter([value]))
    assert sum(label.startswith("roll") for label in scene.said) == 2


def test_trn_2_move_or_cards_or_nothing():
    """TRN-2: after a move the turn is over; after a card only cards follow, at most three."""
    scene = Journey().markers("szczecin").dice(1, 2, 3)
    scene.hand(0, "grey 1000", "grey 1025", "grey 1241", "blue 1079")
    scene.take("die 2")
    assert {"nothing", "move poznan", "play grey 1000"} <= set(scene.options())
    scene.take("play grey 1000")
    assert scene.options() == ["nothing", "play grey 1025", "play grey 1241", "play blue 1079"]
    scene.take("play grey 1025", "play grey 1241")
    assert scene.seat == 1
    assert scene.asked == s.ASK_DIE
    scene.take("die 1")
    move = sorted(scene.moves())[0]
    scene.take(f"move {move}")
    assert scene.seat == 2


def test_trn_3_stop_cards():
    """TRN-3: a die is taken, the turn ends, one stop card goes to the discards; several add up."""
    scene = Journey(2).dice(1, 2, 3, 4, 5).hand(0, "stop", "stop")
    scene.take("die 1", "play stop 1", "play stop 1")
    assert scene.state.stops[1] == 2
    assert scene.discards() == []
    scene.take("nothing")
    scene.take("die 2")
    assert (scene.seat, scene.state.stops[1], scene.discards()) == (0, 1, ["stop"])
    scene.take("die 3", "nothing", "die 4")
    assert (scene.seat, scene.state.stops[1], scene.discards()) == (0, 0, ["stop", "stop"])


def test_trn_4_hand_limit():
    """TRN-4: cards over 5 are discarded one at a time, the player choosing."""
    scene = Journey().markers("poznan").dice(2, 3)
    scene.hand(0, "grey 1000", "grey 1025", "grey 1241", "stop")
    scene.take("die 2", "move poznan")
    assert scene.asked == s.ASK_DISCARD
    assert scene.state.hand_size[0] == 7
    scene.take("discard grey 1000", "discard stop")
    assert scene.seat == 1
    assert scene.discards() == ["grey 1000", "stop"]
    assert len(scene.cards(0)) == 5


def test_end_1_the_last_field_wins_at_once():
    """END-1: no further card, no discards, no turn for the others; steps beyond the last field are cut."""
    scene = Journey().dice(1, 2).at(0, 1980).at(1, 1410).hand(0, "eagle", "grey 1000")
    scene.take("die 1", "play eagle")
    assert scene.state.over == 1
    assert scene.state.position[0] == 30  # steps beyond the last field are lost
    ranks = [(0, 1), (1, 2), (2, 3)]
    seats = scene.stepper.result()[1]
    assert [(p, int(row["rank"])) for p, row in enumerate(seats)] == ranks


def test_end_2_a_draw_after_the_limit(tmp_path):
    """END-2: 400 turns (here 10) without a winner are a draw, logged as such."""
    from support.runs import play

    variant = tmp_path / "short.toml"
    variant.write_text('extends = "base"\nturn_limit = 10\n')
    run = play(tmp_path / "run", game="polska", variants=[str(variant)], games=4, log="rounds")
    games = read_rows(run, "games")
    assert set(games["status"]) == {"draw"}
    assert set(games["turns"]) == {10}
    assert set(games["winners"]) == {4}
    assert set(games["rounds"]) == {3}
