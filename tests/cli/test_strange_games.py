"""Games that other people might write: each command plays them, or says in one line why it can't and what to do."""

import json

import pytest
from support.own_game import PLAINEST, write_plainest, write_strange, write_untrained

pytestmark = pytest.mark.usefixtures("undrawn")

ALONE = ("points", "won")
GAMES = ("plainest", "race", "points", "won", "choices for three", "no action", "longer")


@pytest.fixture(scope="module")
def games(tmp_path_factory, cli):
    """Return a folder with each game, and a run of it if it can be played."""
    folder = tmp_path_factory.mktemp("strange")
    for name in GAMES:
        game = write_strange(folder / name, name)
        if name != "no action":
            played = f"--players {1 if name in ALONE else 2} --strategies random --games 20 --log rounds --trace 2"
            cli("run --quiet --workers 1", *played.split(), "--game", game, "--out", folder / name / "run", status=0)
    return folder


def about(folder, command):
    """Return the words of a command with the game or run in a folder instead of GAME, NAME and RUN."""
    places = {"GAME": ["--game", folder / "plainest"], "NAME": [folder / "plainest"], "RUN": [folder / "run"]}
    return [each for word in command.split() for each in places.get(word, [word])]


@pytest.mark.parametrize(
    ("game", "command", "says"),
    [
        ("plainest", "chances RUN", "these games have one round"),
        ("plainest", "components RUN", "Plainest has no components to try (see docs/own-game.md#components)"),
        ("plainest", "train value GAME --strategies random --games 10 --out v", "no features of a position (see docs"),
        ("race", "decisions RUN", "these games have no choices"),
        ("race", "restrict GAME --forbid roll", "random games have no choices, so nothing can be forbidden"),
        ("race", "new bot mine GAME", "random games have no choices, so a bot has nothing to choose"),
        ("race", "games NAME --inputs", "random games of 3 players have no choices"),
        ("race", "train network GAME --steps 1", "random games of 3 players have no choices"),
        ("points", "decisions RUN", "points count, and no player wins or loses"),
        ("points", "restrict GAME --forbid low", "points count, and no player wins or loses"),
        ("points", "plan RUN --effect 1", "no player wins against another"),
        ("points", "replay RUN closest", "no player wins against another"),
        ("won", "ladder GAME", "no player wins against another"),
        ("no action", "run GAME --players 2 --strategies search-2 --games 1 --out r", "actions() returned no action"),
        ("no action", "ladder GAME --games 10 --duels 10 --trace 0 --workers 1", "actions() returned no action"),
    ],
)
def test_what_a_game_cannot_answer_is_said_in_one_line(game, command, says, games, tmp_path, monkeypatch, cli):
    """No sentence blames too few games, and none leads to the pages about compiled games."""
    monkeypatch.chdir(tmp_path)
    result = cli("", *about(games / game, command), status=1)
    assert says in " ".join(result.output.split())
    assert result.output.strip().splitlines()[-1].count("Error") <= 1 and "Traceback" not in result.output


@pytest.mark.parametrize(
    ("game", "command", "says"),
    [
        ("race", "try GAME --players 2 --strategies random --games 20 --once --quiet --workers 1", "1st seat"),
        ("race", "try GAME --players 2 --strategies random --games 1 --once --quiet --workers 1", "too few deals"),
        ("longer", "sensitivity GAME --players 2 --strategies random --games 100 --quiet --measure minutes", "turns"),
        ("plainest", "games NAME --inputs", "The position, with 2 players:"),
        ("choices for three", "games NAME --inputs", "The position, with 3 players:"),
        ("choices for three", "new bot mine GAME", "written: mine.py"),
        ("won", "games NAME --inputs", "The position, with 1 player:"),
        ("won", "replay RUN 0", "The player"),
        ("points", "replay RUN 0", "1 player:"),
    ],
)
def test_tables_have_no_hole(game, command, says, games, tmp_path, monkeypatch, cli):
    """A measure that no game has is left out, and a score that the game does not have too."""
    monkeypatch.chdir(tmp_path)
    printed = cli("", *about(games / game, command), status=0).output
    assert says in printed
    assert "nan" not in printed and "None" not in printed
    assert game != "won" or "0 points" not in printed


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["one round", "no chance", "tied", "won together", "teams", "żółw 日本", "long labels", "endless"]
)
def test_two_runs_are_one_page(name, tmp_path, cli):
    """Runs of two seeds are pooled, read with the folder of the game, and have no hole."""
    game = write_strange(tmp_path, name)
    keys = ["players = [2]", "strategies = ['random']", "games = 20", "log = 'rounds'", "decision_limit = 60"]
    (tmp_path / "limited.toml").write_text("\n".join([f"game = {str(game)!r}", *keys]), encoding="utf-8")
    runs = [tmp_path / "first", tmp_path / "second"]
    for seed, run in enumerate(runs):
        cli("run --quiet --workers 1 --seed", seed, tmp_path / "limited.toml", "--out", run, status=0)
    cli("report --quiet", *runs, "--out", tmp_path / "page", status=0)
    page = (tmp_path / "page" / "report.md").read_text(encoding="utf-8")
    assert "40 games of first+second" in page and " nan" not in page and "| None" not in page
    assert ("40 of 40 games were broken off" in page) == (name == "endless")


@pytest.mark.slow
def test_a_single_network_is_no_verdict_and_the_page_says_so(tmp_path, cli):
    """The page leads with random players then; without the warning it would look as if experts had never played."""
    game = write_strange(tmp_path, "won")
    path = write_untrained(game / "networks" / "expert.toml", game, players=1)
    found = 'strength = { 1 = { unit = "points", gains = { exploiter = [9, 8, 10, 2000] }, weak = ["exploiter"] } }'
    text = path.read_text(encoding="utf-8")
    assert "[training]\n" in text
    path.write_text(text.replace("[training]\n", f"[training]\n{found}\n"), encoding="utf-8")
    tier = "[[tiers]]\nname = '{0}'\nstrategies = ['{0}']\ngames = 20\n"
    tiers = tier.format("random") + tier.format("expert")
    (tmp_path / "plan.toml").write_text(f"game = {str(game)!r}\nplayers = [1]\n{tiers}", encoding="utf-8")
    cli("run --quiet --workers 1", tmp_path / "plan.toml", "--out", tmp_path / "run", status=0)
    cli("report --quiet", tmp_path / "run", "--out", tmp_path / "page", status=0)
    page = (tmp_path / "page" / "report.md").read_text(encoding="utf-8")
    assert "**Warning:** expert has one network, so its numbers hold for this network alone, and random counts" in page
    assert "With 1 player these players are weak" in page


def test_players_that_have_no_place_in_the_folder_are_written_elsewhere(tmp_path, cli):
    """A folder of somebody else may be read-only; no game is played before that is known."""
    game = write_plainest(tmp_path)
    (game / "networks").write_text("")
    printed = " ".join(cli("train network --game", game, status=1).output.split())
    assert "cannot write" in printed and printed.endswith("; name another file with --out")


def test_people_can_play_a_game_without_choices(games, tmp_path, cli):
    """Their minutes give no pace, because there is nothing to think about."""
    rows = [f"{game},20,{player},{player}" for game in range(6) for player in range(2)]
    (tmp_path / "people.csv").write_text("\n".join(["game,minutes,player,score", *rows]) + "\n", encoding="utf-8")
    cli(
        "people --quiet",
        tmp_path / "people.csv",
        "--game",
        games / "race" / "plainest",
        "--out",
        tmp_path / "people",
        status=0,
    )
    cli("report --quiet", games / "race" / "run", "--people", tmp_path / "people", "--out", tmp_path / "page", status=0)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("title = 3", "title: must be a text"),
        ("players = 3", "players: must be a list"),
        ('COLUMNS = ["tricks"]', "COLUMNS: must be a table"),
        ('OUTCOMES = {"trick": "player"}', "OUTCOMES.trick: must be a list"),
        ('OUTCOME_TEXTS = {"trick": "{player} wins"}', "OUTCOME_TEXTS: the text of 'trick' may have these parts"),
        ("SECONDS_PER_CHOICE = (9, 3)", "SECONDS_PER_CHOICE: the smaller number must come first"),
        ("MOST_ROUNDS = 1.5", "MOST_ROUNDS: must be a whole number"),
        ('teams = ["north", "south"]', "teams() must be a method"),
    ],
)
def test_an_attribute_of_another_kind_is_named(line, says, tmp_path, cli):
    game = write_plainest(tmp_path)
    text = PLAINEST.replace("    Rules = Rules\n", f"    Rules = Rules\n    {line}\n")
    (game / "game.py").write_text(text, encoding="utf-8")
    printed = " ".join(cli("games", game, status=1).output.split())
    assert f"class Plainest: {says}" in printed


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("bonus: set = {1}", "the default of bonus must be a number"),
        ('bonus: "Missing" = 3', "Rules: "),
        ('bonus: float = float("nan")', "the default of bonus must be a number"),
    ],
)
def test_rules_that_no_file_could_hold_are_refused(line, says, tmp_path, cli):
    game = write_plainest(tmp_path)
    (game / "game.py").write_text(PLAINEST.replace("    pass\n", f"    {line}\n", 1), encoding="utf-8")
    assert says in " ".join(cli("games", game, status=1).output.split())


@pytest.mark.slow
def test_a_learned_player_is_exploited_by_another_that_needs_no_feature(games, tmp_path, monkeypatch, cli):
    """It starts from the target, and learns against it."""
    monkeypatch.chdir(tmp_path)
    game = games / "plainest" / "plainest"
    write_untrained(tmp_path / "net.toml", game)
    command = "exploit --players 2 --games 10000 --iterations 2 --json --workers 1 --game"
    printed = cli(command, game, "net.toml", "--out", "best.toml", status=0).stdout
    assert [row["opponent"] for row in json.loads(printed)] == ["best response", "search-2"]
    cli("run --players 2 --strategies best.toml,net.toml --games 4 --quiet --out run --game", game, status=0)
