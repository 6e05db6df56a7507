"""Games in plain Python on the command line."""

import json
import os
from itertools import product

import pytest
from support.own_game import write, write_untrained

import balance
from balance.analysis.holdout import WHOLE
from balance.contract.game import get_game
from balance.experiments.rule_keys import list_keys
from balance.experiments.variants import load_variant
from balance.live.session import draft_path
from balance.plain.chance import Chance
from balance.runs.folder import RunFolder
from balance.runs.sidecar import COMPONENTS
from balance.runs.strength import read_tier_rows

RUN = "run --game ./duel --players 2"


@pytest.fixture
def duel(tmp_path, monkeypatch):
    """Write the draft into the current folder."""
    monkeypatch.chdir(tmp_path)
    return write(tmp_path)


def test_a_draft_is_written_once(tmp_path, monkeypatch, cli):
    """The command names the next ones; an existing folder is never changed."""
    monkeypatch.chdir(tmp_path)
    printed = " ".join(cli("new game my-duel", status=0).output.split())
    assert "written: my-duel" in printed and "balance run --game ./my-duel --players 2,3,4" in printed
    assert "balance test-game ./my-duel" in printed
    assert 'title = "My duel"' in (tmp_path / "my-duel" / "game.py").read_text()
    assert "class MyDuel(PlainGame)" in (tmp_path / "my-duel" / "game.py").read_text()
    assert "exists already" in cli("new game my-duel", status=1).output


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("new game duel2 --game polska", "a new game needs no --game"),
        ("new variant mine", "--game is needed: balance new variant NAME --game GAME"),
        ("new game 3d", "'3d' can't be the name of a game"),
        ("run --game duel --players 2 --strategies random --games 2", "write ./duel"),
        ("run --game ./duel --players 7 --strategies random --games 2", "has no 7-player game"),
        ("run --game ./duel --players 2 --strategies expert --games 2", "Duel has no expert yet; train it first"),
        ("run --game ./duel --players 2 --strategies expert-search-9 --games 2", "Duel has no expert yet"),
        ("run duel/experiment.toml", "tier experts: Duel has no expert yet; train it first"),
        ("train network --game grody", "--out is needed"),
        ("run --game ./nothing --players 2 --strategies random --games 2", "game.py is missing"),
        ("train network --game ./duel --players 2 --rounds 2 --out n.toml", "yours learns from its rules alone"),
        ("train value --game ./duel --players 2 --strategies random --games 500 --out v.toml", "no features of a"),
    ],
)
def test_mistakes_get_one_line(command, says, duel, cli):
    result = cli(command)
    assert result.exit_code in (1, 2)
    assert says in result.output


def test_every_kind_of_file_has_a_draft(duel, cli):
    """Files for the game name it as the user did."""
    for kind in ("variant", "strategy", "experiment", "bot"):
        printed = " ".join(cli(f"new {kind} my-{kind} --game ./duel", status=0).output.split())
        assert "balance run" in printed
    assert 'game = "./duel"' in (duel.parent / "my-experiment.toml").read_text()
    assert "hands, points, deck" in (duel.parent / "my-bot.py").read_text()


def test_its_keys_and_measures_are_listed(duel, cli):
    """Limits and meanings come from the model of the rules."""
    printed = " ".join(cli("games ./duel", status=0).output.split())
    assert "cards of each player at the start [base: 7; may be: 1 to 10]" in printed
    assert "seat_win_share" in printed and "careful" in printed


def test_an_experiment_file_names_the_game_from_its_own_folder(duel, cli, monkeypatch):
    """A path in a file is relative to the file; without --out the run is in `runs`, named by the game's folder."""
    (duel.parent / "e.toml").write_text('game = "./duel"\nplayers = [2]\nstrategies = ["random"]\ngames = 4\n')
    elsewhere = duel.parent / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    cli("run ../e.toml --workers 1 --quiet", status=0)
    cli("run --game ../duel --players 2 --strategies random --games 4 --workers 1 --quiet", status=0)
    assert (elsewhere / "runs" / "e" / "run.json").exists()
    assert (elsewhere / "runs" / "duel" / "run.json").exists()


def test_the_draft_of_the_live_page_is_not_in_the_game(duel):
    """Two games in folders of one name have drafts of their own, among the user's files."""
    (duel.parent / "elsewhere").mkdir()
    other = write(duel.parent / "elsewhere")
    found = [draft_path(get_game(str(each)), "base") for each in (duel, other)]
    assert found[0] != found[1] and found[0].parent == found[1].parent
    assert all(each.name.startswith("duel-base-") for each in found)
    assert duel.parent not in found[0].parents


def test_there_is_nothing_to_compile(duel, cli):
    """`balance warm` says so."""
    assert "there is nothing to compile" in cli("warm --game ./duel", status=0).output


def test_an_installed_game_in_plain_python_keeps_no_other_from_being_compiled(duel, cli, monkeypatch):
    """`balance warm` leaves it out, wherever it stands in the list of games."""
    games, asked = {"duel": get_game("./duel"), "polska": get_game("polska")}, []
    monkeypatch.setattr("balance.contract.game.find_games", lambda: games)
    monkeypatch.setattr("balance.studies.warming.warm_games", lambda games, _: asked.extend(games) or ())
    cli("warm", status=0)
    assert [game.name for game in asked] == ["polska"]


def test_a_run_is_read_after_its_game_has_moved(duel, cli):
    """Its files are verified without the game; other commands say where it was, and take the new folder."""
    cli(f"{RUN} --variant base,short --strategies careful --games 20 --workers 1 --quiet --out run", status=0)
    moved = duel.rename(duel.parent / "moved")
    assert "intact" in cli("verify run", status=0).output
    for command in ("report run --out page", "compare run", "plan run --effect 5", "replay run 0", "run --resume run"):
        printed = " ".join(cli(command, status=1).output.split())
        assert f"the run's game was in {duel}, where game.py is missing now" in printed, command
    cli("compare run --game ./moved", status=0)
    cli("replay run 0 --game moved", status=0)
    cli("run --resume run --games 24 --workers 1 --game ./moved --quiet", status=0)
    assert "is missing now" in cli("compare run", status=1).output  # each command names it
    assert "game.py is missing" in cli("compare run --game nowhere", status=2).output
    assert moved.exists()


def test_components_are_refused_before_they_are_played(duel, cli):
    cli(f"{RUN} --strategies careful --games 4 --workers 1 --quiet --out run", status=0)
    assert "has no components" in cli("components run", status=1).output


GIVE = """    def give(self, state, seat, name):
        if name == "point":
            state.points[seat] += 1
            return True
        return False

    def over("""


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """Write a short game whose seats may be given a point, with an untrained expert; return its folder."""
    path = write(
        tmp_path_factory.mktemp("learned"),
        ("    FEATURES = ", '    COMPONENTS = {"point": "a point", "nothing": "never possible"}\n    FEATURES = '),
        ("    def over(", GIVE),
    )
    base = path / "variants" / "base.toml"
    base.write_text(base.read_text().replace("hand = 7", "hand = 3"))
    write_untrained(path / "networks" / "expert.toml", path)
    return path


PLAYERS = ["random", "careful", "search-4", "expert", "expert-search-4"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("run {game}/experiment.toml --players 2 --scale 0.02 --out {out}", "games"),
        *(
            (f"run {{game}} --strategies {name} --games 8 --trace 8 --out {{out}}; {tool}", says)
            for name in PLAYERS
            for tool, says in (
                ("decisions {out} --judge search-4 --every 2 --games 4", "decisions judged"),
                ("components {out} --games 8", "components tried"),
                ("replay {out} 0", "Round 1"),
            )
        ),
        ("run {game} --strategies careful --games 8 --out {out}; decisions {out} --judge expert-search-4", "judged"),
        ("ladder {game} --strategies {players} --games 10 --duels 10 --trace 0 --against random", "careful"),
        ("exploit {game} --games 10000 --iterations 2 expert", "expert"),
        ("restrict {game} --forbid play?13 --strategy expert --games 100 --adapt 10000", "play?13"),
        (
            "curve {game} --levels random,careful@temperature=1,careful,expert,expert-search-2,expert-search-4 "
            "--games 100 --search-games 100",
            "expert",
        ),
        ("try {game} --strategies expert --games 20", "expert"),
    ],
)
def test_every_tool_plays_a_game_of_one_s_own_with_all_its_players(command, says, learned, tmp_path, cli):
    for each in command.split("; "):
        words = each.format(
            game=f"--game {learned} --players 2" if "{game}/" not in each else learned,
            out=tmp_path / "run", players=",".join(PLAYERS),
        )  # fmt: skip
        printed = cli(words, status=0).output
    assert says in " ".join(printed.split())


@pytest.mark.long
def test_four_commands_lead_from_an_empty_folder_to_a_page_of_experts(tmp_path, monkeypatch, cli):
    """The training names the run; the page says how strong the players are."""
    monkeypatch.chdir(tmp_path)
    cli("new game duel", status=0)
    trained = cli("train network --game ./duel --players 2 --steps 10 --networks 1 --workers 1", status=0)
    assert "next: balance run duel/experiment.toml --out runs/duel" in " ".join(trained.output.split())
    cli("run duel/experiment.toml --players 2 --scale 0.1 --out runs/duel", status=0)
    cli("report runs/duel --out reports/duel --quiet", status=0)
    page = (tmp_path / "reports" / "duel" / "report.md").read_text(encoding="utf-8")
    assert "expert" in page and "random" in page


def test_a_point_given_at_the_start_is_worth_a_point(learned, tmp_path, cli):
    """A component that can't be given has no effect to show."""
    run = tmp_path / "run"
    cli(f"run --game {learned} --players 2 --strategies careful --games 40 --quiet --out", run, status=0)
    cli("components --games 40 --quiet", run, status=0)
    table = RunFolder.open_finished(run)
    found = read_tier_rows(table, COMPONENTS)
    points = found[(found.measure == "points") & (found.half == WHOLE)].set_index("component").value
    assert points.to_dict() == {"point": 1.0}
    effect = found[(found.measure == "effect") & (found.half == WHOLE)].value
    assert 0 < effect.iloc[0] < 100


def test_what_a_game_prints_goes_to_standard_error(tmp_path, monkeypatch, cli):
    """The output of a command holds nothing but its own lines, such as JSON; its suite passes."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, ("        return state.points\n", '        print("LOUD")\n        return state.points\n'))
    played = cli(f"{RUN} --variant base,short --strategies random --games 20 --workers 1 --quiet --out run")
    assert "LOUD" in played.stderr and "LOUD" not in played.stdout
    assert json.loads(cli("compare run --json", status=0).stdout)
    replayed = cli("replay run 0", status=0)
    assert "LOUD" in replayed.stderr and "LOUD" not in replayed.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "test-game ./duel --games 1",
        f"{RUN} --strategies random --games 20 --workers 2 --out run",
        f"{RUN} --strategies random --games 20 --dask local:1 --out run",
    ],
)
def test_what_a_game_prints_in_another_process_goes_to_standard_error(command, tmp_path, shell):
    write(tmp_path, ("        return state.points\n", '        print("LOUD")\n        return state.points\n'))
    played = shell(*command.split(), cwd=tmp_path)
    assert played.returncode == 0, played.stderr
    assert "LOUD" in played.stderr and "LOUD" not in played.stdout


def test_the_draft_plays_at_all_limits_of_its_rules(duel):
    """No values that `Rules` accepts leave the deck without cards for a hand."""
    game = get_game("./duel")
    base = load_variant(game, "base", duel).rules.model_dump()
    numbers = {key.name: (key.allowed.least, key.allowed.most) for key in list_keys(game)}
    for values in product(*numbers.values()):
        rules = game.rules.load_rules({**base, **dict(zip(numbers, values, strict=True))}, "here", duel)
        for players in game.players:
            state = game.author.setup(rules, players, Chance(1))
            assert {len(hand) for hand in state.hands} == {rules.hand}


def test_an_amount_may_differ_by_seat(tmp_path, cli, monkeypatch):
    """A variant gives a number for each seat, which is played, listed as a key and stepped as a whole."""
    monkeypatch.chdir(tmp_path)
    path = write(
        tmp_path,
        ("from dataclasses import", "from typing import Annotated\n\nfrom dataclasses import"),
        ("import PlainGame, RuleSet, hide", "import Amount, BySeat, PlainGame, RuleSet, by_seat, hide"),
        ("class Rules(RuleSet):\n", "class Rules(RuleSet):\n    start: Annotated[Amount, BySeat(0, 9, (2, 3, 4))]\n"),
        ("points=[0] * players", "points=by_seat(rules.start, players)"),
    )
    for name, line in (("base", "start = 0\n"), ("short", "start = [0, 9]\n")):
        file = path / "variants" / f"{name}.toml"
        file.write_text(file.read_text(encoding="utf-8") + line, encoding="utf-8")
    cli(f"{RUN} --variant base,short --strategies random --games 20 --workers 1 --quiet --out run", status=0)
    won = "SELECT avg(win_share) AS won FROM seats WHERE variant = 'short' AND seat = 1"
    assert balance.open_run(tmp_path / "run").query(won).won[0] > 0.9
    assert "start" in cli("games ./duel", status=0).output


def test_a_page_advises_only_what_the_game_can_do(duel, cli):
    """There are no components; the list of strategies has no networks."""
    cli(f"{RUN} --strategies careful,random --games 40 --trace 40 --workers 1 --quiet --out run", status=0)
    cli("report run --out page --quiet", status=0)
    page = (duel.parent / "page" / "report.md").read_text(encoding="utf-8")
    assert "balance decisions" in page and "balance components" not in page
    listed = cli("games ./duel", status=0).output
    assert "NETWORK" not in listed and "A profile or searcher of your own" in listed


def test_a_replay_shows_what_a_searcher_considered(duel, cli):
    cli(f"{RUN} --strategies search-10,careful --games 4 --trace 4 --workers 1 --quiet --out run", status=0)
    assert "considered play" in cli("replay run 0 --thoughts", status=0).output


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("train profile --game ./duel --players 2 --start careful --games 10000 --out new.toml", "new.toml"),
        ("sensitivity --game ./duel --players 2 --games 100 --keys hand --out s", "sensitivity:"),
        ("tune t.toml --games 10000 --changes 1 --scale 0.1 --out tune", "tune:"),
        ("restrict --game ./duel --players 2 --forbid play?13 --games 100 --adapt 10000 --out r", "restrict:"),
        ("exploit --game ./duel --players 2 careful --games 10000 --iterations 3", "careful"),
        (f"{RUN} --strategies careful,random --games 600 --dask local:2 --out d", "600 games"),
    ],
)
def test_studies_play_it(command, says, duel, cli):
    """Training, sensitivity, tuning, restrictions, best responses and Dask."""
    (duel.parent / "t.toml").write_text(
        'game = "./duel"\nplayers = [2]\nstrategies = ["careful", "random"]\ngames = 200\n'
        '[[targets]]\nmeasure = "margin"\nleast = 0\nmost = 1\n[tune]\nkeys = ["hand"]\n'
    )
    assert says in cli(command, status=0).output


def test_games_are_not_compiled_in_vain(shell):
    """Without a folder for compiled code `balance warm` says so at once."""
    result = shell("warm", "--game", "grody", env={**os.environ, "NUMBA_CACHE_DIR": "/dev/null/none"})
    assert result.returncode == 1
    assert "compiled code can't be kept: /dev/null/none/balance can't be written" in result.stderr
