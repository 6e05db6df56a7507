"""What replays and tables show of a game in plain Python."""

from types import SimpleNamespace

import pytest
from support.own_game import write

from balance.contract.game import Game, get_game
from balance.contract.view import Panel
from balance.engine.stepper import Stepper, moves_of, walk
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError

NAMES = ["Ann", "Bea"]
END = "        state.deck = hide(state.deck)\n        return state\n"
OWN = """    def panels(self, view, names):
        return {"Points": [[name, points] for name, points in zip(names, view.points)]}

    def say(self, action, who):
        return f"{who} plays a card"

    def kind(self, action):
        return "card"

    def features"""


def at_first(game: Game) -> Stepper:
    return Stepper.deal(game, load_variant(game, "base", game.folder).rules, 2, 1)


@pytest.fixture(scope="module")
def duel(tmp_path_factory) -> Stepper:
    """Return the draft at its first decision."""
    return at_first(get_game(str(write(tmp_path_factory.mktemp("games")))))


def test_lists_by_seat_are_columns_of_players(duel):
    """The other attributes are rows of a second table; what is hidden is a question mark, or a number of them."""
    display, view = duel.game.display, duel.observe(0)
    players, table = display.show(duel.rules, view, NAMES)
    assert players.columns == ["player", "hands", "points"]
    assert players.rows[1] == ["Bea", "? ? ? ? ? ? ?", "0"]
    assert players.rows[0][1] == " ".join(map(str, duel.state["position"].hands[0]))
    assert table == Panel("Table", rows=[["deck", "38 hidden"], ["first", "0"], ["table", "-"]])
    assert display.summarise(view, NAMES)[1] == "Bea: hands ? ? ? ? ? ? ?, points 0"


def test_an_observation_is_plain_data(duel):
    """It has the attributes of the state, the seat that sees it and the kind of decision."""
    view = duel.observe(1)
    assert isinstance(view, SimpleNamespace) and isinstance(view.rules, SimpleNamespace)
    assert (view.viewer, view.seat, view.kind, view.rules.hand) == (1, 0, "play", 7)
    assert view.hands[0] == ["?"] * 7 and view.hands[1] == duel.state["position"].hands[1]


def test_what_seen_changes_is_a_copy(duel):
    before = list(duel.state["position"].deck)
    duel.observe(0)
    assert duel.state["position"].deck == before and len(before) == 38


def test_copies_of_a_game_change_independently(duel):
    """A copied record refers to the same position until an action is taken."""
    other = duel.copy()
    other.options()
    other.take(0)
    assert other.state["position"].table and not duel.state["position"].table


def test_an_author_may_word_and_draw_everything(tmp_path):
    """`panels`, `say` and `kind` replace what is shown by default."""
    game = get_game(str(write(tmp_path, ("    def features", OWN))))
    stepper = at_first(game)
    assert game.display.show(stepper.rules, stepper.observe(), NAMES) == [
        Panel("Points", rows=[["Ann", "0"], ["Bea", "0"]])
    ]
    assert game.display.say("play 3", "Ann") == "Ann plays a card"
    assert stepper.observe().kind == "card"


@pytest.mark.parametrize(
    ("change", "says"),
    [((END, "        state.deck = 1 / 0\n"), "ZeroDivisionError"), ((END, ""), r"seen\(\) must return an object")],
)
def test_an_error_while_a_position_is_shown_is_one_line(change, says, tmp_path):
    stepper = at_first(get_game(str(write(tmp_path, change))))
    with pytest.raises(BalanceError, match=says) as caught:
        stepper.observe()
    assert "game.py:" in str(caught.value) and "\n" not in str(caught.value)


def test_a_replay_shows_the_position_at_an_outcome_of_chance(tmp_path):
    """The state stops at a note; what follows it has not happened yet."""
    note = ("            state.table = []\n", '            chance.note("new trick")\n            state.table = []\n')
    stepper = at_first(get_game(str(write(tmp_path, note))))
    moves = list(moves_of(stepper, walk(stepper, lambda *_: 0), NAMES))
    step, move = next(each for each in moves if each[0].label == "new trick")
    assert step.kind == "chance"
    assert len(move.before["position"].table) == 2 and not move.after["position"].table
