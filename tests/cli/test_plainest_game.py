"""A game without features, profiles, rule keys, rounds and hidden things can do all that does not need them."""

import pytest
from support.own_game import write_plainest

pytestmark = pytest.mark.usefixtures("undrawn")

GAME = "--game ./plainest --players 2"


@pytest.fixture
def plainest(tmp_path, monkeypatch):
    """Write the game into the current folder."""
    monkeypatch.chdir(tmp_path)
    return write_plainest(tmp_path)


def test_it_is_played_replayed_and_reported(plainest, cli):
    """By random players and searchers, with a trace and luck."""
    play = f"run {GAME} --games 6 --trace 6 --luck 2 --workers 1 --quiet"
    cli(f"{play} --strategies random,search-2 --out run", status=0)
    assert "1st player" in cli("replay run 0 --thoughts", status=0).output
    cli("report run --out page --quiet", status=0)
    cli("verify run", status=0)


@pytest.mark.slow
def test_it_passes_its_suite(plainest, cli):
    assert "passed: 2 games" in cli("test-game ./plainest --games 1 --quiet", status=0).output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "says"),
    [
        (f"try {GAME} --strategies random --games 20 --once --workers 1", "estimated minutes"),
        (f"ladder {GAME} --strategies random,search-2 --games 20 --duels 20 --trace 0", "random"),
        (f"restrict {GAME} --forbid low --games 100 --adapt 10000", "low"),
        ("games ./plainest", "random"),
    ],
)
def test_studies_play_it(plainest, command, says, cli):
    assert says in cli(command, status=0).output


@pytest.mark.parametrize("kind", ["variant", "experiment", "bot", "playtest"])
def test_a_file_for_it_is_drafted(plainest, kind, cli):
    assert f"written: my-{kind}" in cli(f"new {kind} my-{kind} --game ./plainest", status=0).output


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("new strategy other --game ./plainest", "Plainest has no FEATURES that a profile could weigh"),
        (f"run {GAME} --strategies ./mine.toml --games 2", "Plainest has no FEATURES that a profile could weigh"),
        (f"train profile {GAME} --out new.toml", "Plainest has no FEATURES that a profile could weigh"),
        (f"exploit {GAME} random", "Plainest has no FEATURES that a profile could weigh"),
        (f"curve {GAME}", "--top: must be at least 192 iterations, because Plainest has 1 other levels of play"),
        (f"sensitivity {GAME}", "Plainest has no rule keys"),
    ],
)
def test_what_needs_more_says_so_in_one_line(plainest, command, says, cli):
    """A profile needs features; a best response a start; a curve levels; a sensitivity analysis keys."""
    mine = 'title = "Mine"\ndescription = "Weighs nothing."\n[weights]\n'
    (plainest.parent / "mine.toml").write_text(mine, encoding="utf-8")
    assert says in " ".join(cli(command, status=1).output.split())


NEVER = """
from balance.plain import PlainGame, RuleSet


class State:
    seat = 0


class Never(PlainGame):
    title = "Never a choice"
    players = (2,)
    Rules = RuleSet

    def setup(self, rules, players, chance):
        state = State()
        state.left, state.points = LEFT, [chance.randint(0, 5) for _ in range(players)]
        return state

    def actions(self, state):
        return ["go"]

    def apply(self, state, action, chance):
        state.left -= 1

    def over(self, state):
        return state.left <= 0

    def scores(self, state):
        return state.points
"""


@pytest.mark.parametrize("left", ["0", "2", "chance.randint(0, 1)"])
def test_a_game_without_a_choice_is_shown_too(left, tmp_path, monkeypatch, cli):
    """It may end in its setup, or offer one action at a time: searchers have no thoughts then."""
    (tmp_path / "never ever" / "variants").mkdir(parents=True)
    (tmp_path / "never ever" / "game.py").write_text(NEVER.replace("LEFT", left), encoding="utf-8")
    base = tmp_path / "never ever" / "variants" / "base.toml"
    base.write_text('title = "Base"\ndescription = "None."\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "never ever"
    cli(
        "run --players 2 --strategies search-2 --games 6 --trace 6 --quiet --workers 1 --out run --game",
        folder,
        status=0,
    )
    assert "Result" in cli("replay run 0 --thoughts", status=0).output
    cli("replay run closest --html page.html", status=0)
