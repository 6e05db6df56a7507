"""Former tracebacks and misleading messages: one line each, and all finished work is kept."""

import duckdb
import pytest
from support.errors import check_line
from support.runs import play, read_info

pytestmark = pytest.mark.usefixtures("undrawn")

TRY = "try --game na-grunwald --players 2 --strategies random --games 50 --quiet"
TRAIN = ["--game", "na-grunwald", "--players", 2, "--quiet"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a small run with a bot in Python, with two seats."""
    folder = tmp_path_factory.mktemp("one-line")
    bot = folder / "bot.py"
    bot.write_text("class Bot:\n    def choose(self, observation, actions):\n        return 0\n")
    return play(folder / "run", players=[2], strategies=["generalist", f"{bot}:Bot"], games=4)


@pytest.mark.parametrize("value", ["1979-05-27", "07:32:00", "[1979-05-27T07:32:00Z]", "{ 2 = 1979-05-27 }"])
def test_a_date_turns_no_key(cli, value):
    """A date in a typed line gives an error, and the session continues."""
    typed = cli(TRY, typed=f"rounds = {value}\nquit\n")
    assert "rounds" in typed.stderr or "2:" in typed.stderr
    assert "is a date or time; to write text, put it in quotes" in typed.stderr
    assert "Traceback" not in typed.output
    check_line(cli(TRY, "--once", "--set", f"rounds = {value}"), 1, "is a date or time")


def test_a_date_in_a_file(cli, tmp_path):
    """A date is refused in any key of any file, also in keys that are only stored."""
    (tmp_path / "p.toml").write_text(
        'title = "T"\ndescription = "d"\n[training]\ndate = 2026-01-02\n[weights]\nhelper = 1\n'
    )
    given = ["run --game na-grunwald --players 2 --games 4 --out", tmp_path / "run", "--strategies"]
    check_line(cli(*given, tmp_path / "p.toml"), 1, "p.toml: date: 2026-01-02 is a date")
    swept = cli(*given, "random", "--sweep", "rounds=1979-05-27", status=2)
    assert "is not a rule key with values" in swept.output


@pytest.mark.parametrize("out", [".", "/", ".."])
@pytest.mark.parametrize("command", ["train value --strategies random --games 20", "train profile", "exploit random"])
def test_a_folder_is_no_file_to_write(cli, tmp_path, monkeypatch, command, out):
    """A folder, under any name, is refused before the first game."""
    monkeypatch.chdir(tmp_path)
    check_line(cli(command, *TRAIN, "--out", out), 1, f"{out} is a link or not a file; name another")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_an_adapted_run_into_this_folder(cli, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "plan.toml").write_text(
        'game = "na-grunwald"\nplayers = [2]\nstrategies = ["generalist", "random"]\ngames = 4\nadapt = 50_000\n'
    )
    cli("run", "../plan.toml", "--out", ".", "--quiet", status=0)
    assert (tmp_path / "here" / "run.json").exists()
    assert [path.name for path in tmp_path.iterdir() if "adapting" in path.name] == []


@pytest.mark.parametrize("error", [duckdb.OutOfMemoryException("failed to allocate"), MemoryError()])
def test_out_of_memory(cli, run, tmp_path, monkeypatch, error):
    """The run is whole; the message does not suggest playing it again."""
    from balance.analysis import gather

    def full(*_):
        raise error

    monkeypatch.setattr(gather.Chunk, "load", full)
    result = cli("report", run, "--out", tmp_path / "out", "--quiet")
    check_line(result, 1, "not enough memory to read", "close other programs")
    assert "--resume" not in result.output


def test_out_of_memory_elsewhere(cli, monkeypatch):
    """Any command reports it in one line, and a session continues."""
    from balance.studies.trying import Trial

    def full(*_):
        raise MemoryError

    monkeypatch.setattr(Trial, "set_games", full)
    typed = cli(TRY, typed="games 100\nundo\n")
    assert typed.stderr.count("Error: ") == 2
    assert "not enough memory" in typed.stderr and "undo: nothing was changed" in typed.stderr
    monkeypatch.setattr("balance.analysis.sample_size.plan_games", full)
    check_line(cli("plan", "--effect", "1"), 1, "not enough memory")


def test_only_what_changed_is_said_to_have(cli, run):
    """A changed bot's file is named, not the package."""
    bot = run.parent / "bot.py"
    before = bot.read_text()
    bot.write_text(before + "\n# another\n")
    result = cli("components", run, "--games", 2, "--quiet")
    bot.write_text(before)
    told = " ".join(result.stderr.split()).partition("Error")[0]
    what = "the file of bot Bot; its games are played again with today's versions"
    assert f"changed since the run: {what}" in told
    assert "package" not in told.replace(str(run), "")
    assert read_info(run)["status"] == "finished"
