"""Event cards: every effect of the vocabulary (EVT)."""

import pytest
from support.na_grunwald import Scene, event_deck, shown, war

from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.decks import FIELDS


def at_event(players=4, goods=(), changes=None, **card):
    """Return a game in which all players have passed in round 1; `goods` are those of some seats, by seat."""
    scene = Scene(players, {**(changes or {}), "event_deck": event_deck(**card)})
    for seat, own in dict(goods).items():
        scene.give(seat, **own)
    return scene.take(*["pass"] * players)


def test_gain():
    """EVT-gain: all players gain the bundle; a helper above the fifth is lost."""
    bundle = {"ducats": 2, "provisions": 1, "helpers": 1}
    scene = at_event(3, {2: {"helpers": 5}}, effect="gain", bundle=bundle)
    assert scene.all("ducats") == [5, 5, 5]
    assert scene.all("provisions") == [2, 2, 2]
    assert scene.all("helpers") == [3, 3, 5]


def test_a_helper_won_in_the_event_phase_is_used_in_the_same_round():
    """HLP-1: unlike one hired on the field."""
    scene = at_event(2, effect="gain", bundle={"helpers": 1})
    assert "place crown helpers 3" in scene.options()


def test_pay():
    """EVT-pay: all players pay, as far as they can."""
    scene = at_event(2, {1: {"ducats": 1}}, effect="pay", bundle={"ducats": 2, "provisions": 3})
    assert scene.all("ducats") == [1, 0]
    assert scene.all("provisions") == [0, 0]


def test_plunder():
    """EVT-plunder: as after a lost skirmish, from the starting player clockwise."""
    scene = at_event(3, {1: {"hand": [("crown", 3)], "provisions": 0}}, effect="plunder", n=2)
    assert (scene.seat, scene.options()) == (1, ["give hand crown 3"])
    scene.take("give hand crown 3")
    assert (scene.seat, scene.options()) == (2, ["give provision"])
    scene.take("give provision", "give provision")
    assert scene.log.game.plunder_total == 0  # counts lost skirmishes only
    assert scene.asked("place")


def test_buy():
    """EVT-buy: players who can pay are asked, in turn order."""
    scene = at_event(3, {2: {"ducats": 2}}, effect="buy", price=3, bundle={"provisions": 2})
    assert (scene.seat, scene.options()) == (1, ["buy no", "buy yes"])
    scene.take("buy yes")
    assert scene.seat == 0  # seat 2 can't pay
    scene.take("buy no")
    assert scene.all("provisions") == [1, 3, 1]
    assert scene.all("ducats") == [3, 0, 2]


def test_auction():
    """EVT-auction: once around, each more than the highest bid or pass; the highest pays."""
    scene = at_event(3, {0: {"ducats": 2}}, effect="auction", bundle={"provisions": 4})
    assert scene.options() == ["bid pass", "bid 1", "bid 2", "bid 3"]
    scene.take("bid 1")
    assert scene.options() == ["bid pass", "bid 2", "bid 3"]
    scene.take("bid 2")
    assert (scene.seat, scene.options()) == (0, ["bid pass"])
    scene.take("bid pass")
    assert scene.all("provisions") == [1, 1, 5]
    assert scene.all("ducats") == [2, 3, 1]


def test_a_player_with_all_helpers_may_bid_and_loses_the_helper():
    """Section 7: a helper above the fifth is lost, the ducats are paid."""
    scene = at_event(2, {1: {"helpers": 5}}, effect="auction", bundle={"helpers": 1})
    scene.take("bid 1", "bid pass")
    assert (scene.state.helpers[1], scene.state.ducats[1]) == (5, 2)


def test_an_auction_that_all_pass():
    """EVT-auction: no player pays and no player gets the lot."""
    scene = at_event(2, effect="auction", bundle={"ducats": 4}).take("bid pass", "bid pass")
    assert scene.all("ducats") == [3, 3]


def test_task():
    """EVT-task: each may send one knight of enough strength from hand to camp."""
    goods = {"hand": [("crown", 2), ("crown", 3), ("mercenary", 5)], "camp": [("crown", 6)]}
    scene = at_event(3, {1: goods}, effect="task", n=3, bundle={"ducats": 3})
    assert scene.options() == ["send none", "send crown 3", "send mercenary 5"]
    scene.take("send mercenary 5")
    assert ("mercenary", 5) in scene.camp(1)
    assert scene.state.ducats[1] == 6
    assert scene.options() == ["send none"]  # asked all the same (DEC-1)


def test_contest():
    """EVT-contest: secret; two strongest are rewarded, ties to the earlier; knights to the camp."""
    knights = {1: ("crown", 3), 2: ("mercenary", 5), 3: ("crown", 3)}
    goods = {seat: {"hand": [knight]} for seat, knight in knights.items()}
    scene = at_event(4, goods, effect="contest", bundle={"ducats": 4}, second={"ducats": 2})
    assert scene.options() == ["enter none", "enter crown 3"]
    scene.take("enter crown 3", "enter mercenary 5", "enter crown 3", "enter none")
    assert scene.all("ducats") == [3, 5, 7, 3]
    assert [scene.camp(p) for p in range(4)] == [[], *([knight] for knight in knights.values())]


def test_a_contest_with_one_entry_has_no_second():
    """EVT-contest: a reward without an entry is not given."""
    goods = {0: {"hand": [("crown", 1)]}}
    scene = at_event(2, goods, effect="contest", bundle={"ducats": 4}, second={"ducats": 2})
    scene.take("enter none", "enter crown 1")
    assert scene.all("ducats") == [7, 3]


def test_a_contest_that_nobody_enters():
    """EVT-contest, section 7: recorded without a player; no knight, no reward."""
    scene = at_event(2, {}, effect="contest", bundle={"ducats": 4}, second={"ducats": 2})
    scene.take("enter none")
    assert scene.outcomes("enter none")[0] == ("contest", {"player": -1, "place": 0, "strength": 0})
    assert scene.all("ducats") == [3, 3]


@pytest.mark.parametrize(("n", "strength"), [(2, 7), (-2, 3), (-20, 0)])
def test_bonus(n, strength):
    """EVT-bonus: the bonus changes for the round; the strength never falls below 0."""
    scene = at_event(2, changes=war(), effect="bonus", n=n).to_round(2)
    scene.state.prize[s.KRZYZACY, :2] = 2, 1
    lost = int(scene.log.game.skirmishes_lost)
    scene.pass_all()
    assert scene.log.game.skirmishes_lost - lost == (strength > 0)
    if strength > 0:
        assert scene.log.game.plunder_total >= strength
        assert scene.state.plunder == strength


def test_bonus_lasts_one_round():
    """EVT-bonus, in rounds 1-3: it has no effect; the next round starts from the rule set's bonus."""
    scene = at_event(2, effect="bonus", n=2).to_round(3)
    assert scene.state.krzyzacy_bonus == 2 + 2  # this round's card again, not twice


def test_truce():
    """EVT-truce: the field is closed, no skirmish, its cards are not turned up."""
    scene = at_event(2, changes=war(), effect="truce").to_round(2)
    lost = int(scene.log.game.skirmishes_lost)
    assert not any("krzyzacy" in label for label in scene.options())
    said = scene.said[scene.said.index("reveal event it") :]
    assert not any("reveal krzyzacy" in label for label in said)
    scene.pass_all()
    assert scene.log.game.skirmishes_lost == lost


@pytest.mark.parametrize("field", FIELDS)
def test_close(field):
    """EVT-close: nothing is placed there and nothing is revealed."""
    scene = at_event(2, changes=war(), effect="close", field=field).to_round(2)
    assert not any(f"place {field}" in label for label in scene.options())
    said = scene.said[scene.said.index("reveal event it") :]
    assert not any(label.startswith(f"reveal {field}") for label in said)
    open_fields = [other for other in FIELDS if other != field]
    assert all(any(f"place {other}" in label for label in scene.options()) for other in open_fields)


def test_officer():
    """EVT-officer: worth n this round."""
    scene = at_event(2, effect="officer", n=3)
    scene.take("place crown helpers 2", "place crown officer").pass_all()
    assert len(scene.hand(0)) == 1  # 3 beats 2 though it came later
    assert scene.hand(1) == []


@pytest.mark.parametrize(
    ("field", "values", "players", "won"),
    [("provisions", [5, 3], 3, [6, 4]), ("provisions", [4], 3, [5, 0]), ("ducats", [6, 4, 2], 4, [7, 5, 3])],
)
def test_supply(field, values, players, won):
    """EVT-supply: every value shown is higher; a missing second value stays missing."""
    changes = shown(**{field: values})
    scene = at_event(players, changes=changes, effect="supply", field=field, n=1)
    printed = [label for label in scene.said if label.startswith(f"reveal {field}")]
    assert printed[0] == printed[1]  # the trace shows the card as printed
    assert list(scene.state.prize[FIELDS.index(field), : len(won)]) == won


def test_hire_where_the_first_pays():
    """EVT-hire with `hire.first_pays`: the first pays the price of HLP-1, the second n."""
    scene = at_event(2, changes={"hire": {"first_pays": True}}, effect="hire", n=1)
    scene.take("place helpers officer", "place helpers helpers 1").pass_all()
    first, before = scene.seat, scene.all("ducats")
    scene.take("hire yes", "hire yes")
    paid = [before[seat] - scene.state.ducats[seat] for seat in (first, 1 - first)]
    assert paid == [2, 1]


def test_hire():
    """EVT-hire: the second on `helpers` pays n this round."""
    scene = at_event(2, effect="hire", n=1)
    scene.take("place helpers officer", "place helpers helpers 1").pass_all().take("hire yes")
    assert scene.state.ducats[0] == 2


def test_orders_run_from_the_starting_player():
    """RND-1, DEC-3: in round 2 the starting player is seat 1."""
    scene = at_event(4, effect="auction", bundle={"provisions": 1})
    scene.take(*["bid pass"] * 4)
    bidders = [said.split()[0] for said in scene.said if said.endswith("bid pass")]
    assert bidders == ["1", "2", "3", "0"]
