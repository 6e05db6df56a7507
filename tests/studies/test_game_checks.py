"""The contract suite of games in plain Python finds each fault and names the file and line."""

import pytest
from support.own_game import line_of, write

from balance.contract.game import get_game
from balance.foundation.errors import BalanceError
from balance.studies.game_checks import check_game

ACTIONS = 'return [f"play {card}" for card in sorted(set(state.hands[state.seat]))]'
OVER = "return not any(state.hands)"
SCORES = "        return state.points\n"
BEFORE = "    def features"
GUESS = "    def guess(self, state, seat, chance):\n"
COLUMN = '    COLUMNS = {"played": "cards"}\n\n    def columns(self, state, seat):\n'
POSITION = '    POSITION = {"ahead": "points"}\n\n    def position(self, state, seat):\n'
START = "        return State(rules, players, hands, points=[0] * players, deck=deck)\n"
STATE = START.replace("return", "state =")
RETURN = "        return state\n"
DISCARD = "        for each in {*range(64)} - {9, 16}:\n            state.pool.discard(each)\n"
FEATURES = 'return {"card": card, "beats": card > max(state.table, default=0)}'

FAULTS = {
    "an exception": (
        (("card = int(action.split()[1])\n        state.hands", "card = {}[action]\n        state.hands"),),
        "card = {}[action]",
        "KeyError: 'play",
    ),
    "no action": (((ACTIONS, "return []"),), "def actions", "actions() returned no action"),
    "an action twice": (((ACTIONS, 'return ["a", "a"]'),), "def actions", "listed 'a' twice"),
    "no labels": (((ACTIONS, "return state.hands[state.seat]"),), "def actions", "must return a list of texts"),
    "actions that change the state": (
        ((ACTIONS, f"state.hands[state.seat].sort(reverse=True)\n        {ACTIONS}"),),
        "def actions",
        "actions() changes the state",
    ),
    "scores that change the state": (
        ((SCORES, "        state.points[0] += 1\n        return state.points\n"),),
        "def scores",
        "scores() changes the state",
    ),
    "scores that are no numbers": (
        ((SCORES, '        return [float("nan")] * state.players\n'),),
        "def scores",
        "must return a number for each of 2 seats",
    ),
    "an endless game": (
        (
            (OVER, "return False"),
            (ACTIONS, 'return ["play 1", "play 2"]'),
            ("        card = int(action.split()[1])\n        state.hands[", "        return\n        state.hands["),
        ),
        "def over",
        "has not ended a game after 10,000 random decisions",
    ),
    "a seat that does not exist": (
        (("state.seat = (state.seat + 1) % state.players", "state.seat += 1"),),
        "def apply",
        "left state.seat at 2: it must be an int from 0 to 1",
    ),
    "rounds that begin at 0": ((("round: int = 1", "round: int = 0"),), "def setup", "left state.round at 0"),
    "a round that goes back": ((("state.round += 1", "state.round -= 1"),), "def apply", "left state.round at 0"),
    "chance from elsewhere": (
        (("from dataclasses", "import random\nfrom dataclasses"), ("chance.shuffle(deck)", "random.shuffle(deck)")),
        "random.shuffle(deck)",
        "draws from Python's random, not from the handed chance",
    ),
    "a clock": (
        (("from dataclasses", "import time\nfrom dataclasses"), ("chance.shuffle(deck)", "time.time()")),
        "time.time()",
        "draws from the clock",
    ),
    "a set in another order": (
        (("deck.pop() for _ in range(rules.hand))", "int(n) for n in list({str(n) for n in range(1, 14)})[:7])"),),
        "def setup",
        "depends on the process",
    ),
    "actions that depend on something hidden": (
        ((ACTIONS, f"if state.deck[0] > 6:\n            return [str(state.hands[0])]\n        {ACTIONS}"),),
        "def actions",
        "depends on what seen() hides from seat",
    ),
    "features that depend on something hidden": (
        ((FEATURES, 'return {"card": state.deck[0]}'),),
        "def features",
        "depend on what seen() hides from seat",
    ),
    "a feature without a name": (
        ((FEATURES, 'return {"crad": card}'),),
        "def features",
        "'crad', which is not in FEATURES",
    ),
    "a feature that is not a number": (
        ((FEATURES, 'return {"card": float("nan")}'),),
        "def features",
        "must be numbers by name, not {'card': nan}",
    ),
    "a feature that is text": (
        ((FEATURES, 'return {"card": "high"}'),),
        "def features",
        "must be numbers by name, not {'card': 'high'}",
    ),
    "a column without a name": (
        ((BEFORE, f'{COLUMN}        return {{"plaid": 1}}\n\n{BEFORE}'),),
        "def columns",
        "returns 'plaid', which is not in COLUMNS",
    ),
    "a column that is text": (
        ((BEFORE, f'{COLUMN}        return {{"played": "two"}}\n\n{BEFORE}'),),
        "def columns",
        "must return numbers, not 'two' for 'played'",
    ),
    "a tie-break that is too short": (
        ((BEFORE, f"    def tie_break(self, state):\n        return [1]\n\n{BEFORE}"),),
        "def tie_break",
        "must return a number for each of 2 seats, not [1]",
    ),
    "scores that are no list": (
        ((SCORES, "        return None\n"),),
        "def scores",
        "must return a number for each of 2 seats, not None",
    ),
    "a score that is not exact": (
        ((SCORES, "        return [2**60] * state.players\n"),),
        "def scores",
        "numbers above 9,007,199,254,740,992 are not exact",
    ),
    "a position that is not a number": (
        ((BEFORE, f'{POSITION}        return {{"ahead": float("nan")}}\n\n{BEFORE}'),),
        "def position",
        "must return numbers by name, not {'ahead': nan}",
    ),
    "a view of another shape": (
        (("state.deck = hide(state.deck)", "state.deck = []"),),
        "def seen",
        "a view must keep the length of state.deck, 38, but it has 0",
    ),
    "a guess that changes what is seen": (
        ((BEFORE, f"{GUESS}        state.points[0] += 1\n        return state\n\n{BEFORE}"),),
        "def guess",
        "changes what seat",
    ),
    "a guess that shows what is hidden": (
        ((BEFORE, f"{GUESS}        chance.shuffle(state.deck)\n        return state\n\n{BEFORE}"),),
        "def guess",
        "sort hidden things before a shuffle",
    ),
    "a shallow copy": (
        ((BEFORE, f"    def clone(self, state):\n        return State(**vars(state))\n\n{BEFORE}"),),
        "def clone",
        "shares a part of the state",
    ),
    "actions in the order of a set": (
        (
            (START, f"{STATE}        state.pool = set(range(64))\n{DISCARD}{RETURN}"),
            (ACTIONS, ACTIONS.replace("card}", "card} {each}").replace("]))", "])) for each in state.pool")),
        ),
        "def actions",
        "lists other actions for a copy of the state",
    ),
    "a function that remembers the state": (
        ((START, f"{STATE}        state.left = lambda: len(state.deck)\n{RETURN}"),),
        "def setup",
        "state.left can't be copied and compared: a function written inside another one",
    ),
    "a state that is a dict": (
        ((START, "        return dict(seat=0)\n"),),
        "def setup",
        "left a state without an attribute seat, a dict",
    ),
    "a list of the file": (
        (
            (START, f"{STATE}        PILE.append(1)\n        state.points[0] = len(PILE)\n{RETURN}"),
            ("class Duel(", "PILE = []\n\n\nclass Duel("),
        ),
        "def setup",
        "keep all that changes in the state",
    ),
}


FACE_DOWN = """        for other in range(state.players):
            if other != seat:
                state.hands[other] = hide(state.hands[other])
                if other < len(state.table):
                    state.table[other] = Hidden(NAME)
        state.deck = hide(state.deck)
"""
OPEN_HANDS = """        for other in range(state.players):
            if other != seat and other < len(state.table):
                state.table[other] = Hidden(NAME)
"""


def face_down(folder, seen, name):
    """Write a game in which the cards of a round are played face down, and all players see the winner's."""
    path = write(
        folder,
        ("import PlainGame, RuleSet, hide", "import Hidden, PlainGame, RuleSet, hide"),
        ("state.seat = state.first = winner", "state.seat = state.first = 0"),
        ("card > max(state.table, default=0)", "0"),
    )
    text = (path / "game.py").read_text(encoding="utf-8")
    start, end = (
        text.index("        for other in range(state.players)"),
        text.index("        return state\n\n    # From"),
    )
    (path / "game.py").write_text(text[:start] + seen.replace("NAME", f'"{name}"') + text[end:], encoding="utf-8")
    return path


@pytest.mark.parametrize(("seen", "name"), [(FACE_DOWN, "card"), (OPEN_HANDS, "card")])
def test_what_is_hidden_in_vain_is_found(seen, name, tmp_path):
    """A card that is alone under its name is the true one in every guess; the second seat would know it."""
    path = face_down(tmp_path, seen, name)
    found = check_game(get_game(str(path)), variants=["base"], seeds=range(2))
    assert len(found.failures) == 3  # seat 1 sees one card in games of each size
    for failure in found.failures:
        assert failure.startswith(line_of(path, "def seen"))
        assert 'hides "card" from seat 1 in vain' in failure and "\n" not in failure


def test_what_is_hidden_with_all_that_it_could_be_passes(tmp_path):
    """The card may be any of the hands and the deck. The last one of a game is often known, which is no fault."""
    path = face_down(tmp_path, FACE_DOWN, "")
    assert check_game(get_game(str(path)), variants=["base"], seeds=range(2)).failures == []


GUESS = """
    def guess(self, state, seat, chance):
        for other in range(state.players):
            if other != seat:
                state.hands[other] = sorted(chance.randint(1, 6) for _ in state.hands[other])
        return state
"""


def test_dice_that_are_only_shuffled_are_found(tmp_path):
    """A searcher would know which dice the others have, though not who has which: guess() must roll them."""
    rolled = ("sorted(deck.pop() for _ in range(rules.hand))", "sorted(chance.randint(1, 6) for _ in range(2))")
    path = write(tmp_path, rolled)
    found = check_game(get_game(str(path)), variants=["base"], seeds=range(2))
    (failure,) = found.failures
    assert failure.startswith(line_of(path, "def seen"))
    assert "hides HIDDEN from seat 0, but with 2 players a guess only changes their order" in failure
    with (path / "game.py").open("a", encoding="utf-8") as file:
        file.write(GUESS)
    other = path.rename(tmp_path / "rolled")
    assert check_game(get_game(str(other)), variants=["base"], seeds=range(2)).failures == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_one_sentence_with_its_place(fault, tmp_path):
    """Each fault is found; the sentence names the file, the line and a command that shows it."""
    changes, line, says = FAULTS[fault]
    path = write(tmp_path, *changes)
    found = check_game(get_game(str(path)), players=[2], variants=["base"], seeds=range(2))
    assert found.failures
    first = found.failures[0]
    assert first.startswith(line_of(path, line)), first
    assert says in first
    assert "balance test-game" in first and "\n" not in first


def test_the_draft_passes(tmp_path, cli):
    """The game that `balance new game` writes passes its suite."""
    path = write(tmp_path)
    printed = cli("test-game --quiet --games 2", path, status=0).output
    assert "passed: 12 games" in printed and "random games a second" in printed


def test_a_failure_has_exit_status_1(tmp_path, cli):
    """A variant that does not fit the rules is a failure, in one line."""
    path = write(tmp_path)
    (path / "variants" / "short.toml").write_text('extends = "base"\nhand = 99\n', encoding="utf-8")
    printed = cli("test-game --quiet --games 1", path, status=1).output
    assert "short.toml: hand: must be at most 10, got 99" in printed


def test_a_loop_that_never_ends_is_stopped(tmp_path, monkeypatch):
    """The line that is being carried out is named."""
    monkeypatch.setattr("balance.studies.game_checks.SECONDS", 0.3)
    path = write(tmp_path, ("        return not any(state.hands)", "        while True:\n            state.seat"))
    found = check_game(get_game(str(path)), [2], ["base"], range(1))
    assert "TimeoutError: a game takes longer than 0.3 s" in found.failures[0]
    assert str(path / "game.py") in found.failures[0]


def test_a_compiled_game_has_another_suite(cli):
    """The error leads to it."""
    printed = cli("test-game polska", status=1).output
    assert "its contract suite is a test for pytest" in printed


def test_a_game_without_base_rules_does_not_pass(tmp_path):
    """No game would be played, and no fault found."""
    path = write(tmp_path)
    (path / "variants" / "base.toml").unlink()
    with pytest.raises(BalanceError, match=r"base\.toml is missing: write a title"):
        get_game(str(path))
