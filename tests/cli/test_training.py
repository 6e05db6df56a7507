"""`balance train` and `balance exploit`: trained files play and record their origin; mistakes give one line."""

import tomllib

import pytest

from balance.foundation.errors import BalanceError
from balance.training.diary import Diary

COMMANDS = {
    "profile": "train profile --game na-grunwald --players 2 --start generalist --games 40000 --seed 3 --out p.toml",
    "styles": "train styles --game na-grunwald --players 2 --out styles",
    "value": "train value --game na-grunwald --strategies generalist --games 20 --out v.toml",
    "exploit": "exploit --game na-grunwald --out best.toml",
    "ladder": "ladder --game na-grunwald --strategies champion,random --out out",
    "sensitivity": "sensitivity --game na-grunwald --out out",
    "restrict": "restrict --game na-grunwald --out out",
}


@pytest.mark.slow
def test_a_profile_is_trained_and_played(cli, tmp_path, monkeypatch):
    """On held-out seeds it wins more than its start; the file records its origin, and plays."""
    monkeypatch.chdir(tmp_path)
    assert "2 players: wins" in cli(COMMANDS["profile"], status=0).output
    data = tomllib.loads((tmp_path / "p.toml").read_text())
    assert data["training"]["start"] == "generalist"
    assert data["training"]["games"] == 40_000
    assert list(data["weights"]) == ["2"]
    assert not list(tmp_path.glob("*.diary")), "what is needed to go on is removed at the end"
    run = "run --game na-grunwald --quiet --games 400"
    cli(run, "--players", 2, "--lineup", "p.toml,generalist", "--out", "run", status=0)
    none = cli(run, "--players", 3, "--strategies", "p.toml", "--out", "none")
    assert "strategy p: no weights for 3 players (there are: 2)" in none.output


@pytest.mark.long
def test_a_value_is_fitted_and_played_with(cli, tmp_path, monkeypatch):
    """One seed gives the same value twice; the file records its origin."""
    monkeypatch.chdir(tmp_path)
    fit = "train value --game na-grunwald --players 2,3 --strategies generalist,treasurer,random --games 60 --seed 3"
    for name in ("one", "two"):
        assert "2 players: Brier score" in cli(f"{fit} --out {name}.toml", status=0).output
    one, two = (tomllib.loads((tmp_path / f"{name}.toml").read_text()) for name in ("one", "two"))
    assert one["weights"] == two["weights"]
    assert one["training"]["games"] == 60
    assert one["training"]["strategies"] == "generalist, treasurer, random"
    (tmp_path / "mine.toml").write_text('kind = "search"\niterations = 5\nvalue = "one.toml"\n')
    run = "run --game na-grunwald --players 2 --games 8 --out run --quiet --strategies mine.toml,generalist"
    cli(run, status=0)


@pytest.mark.parametrize(
    ("command", "given", "words"),
    [
        *((name, "--game chess", "unknown game 'chess'") for name in COMMANDS if name != "exploit"),
        *((name, "--variant bas", "did you mean 'base'") for name in ("profile", "value", "ladder", "sensitivity")),
        *((name, "--games 5", "5 is not in the range") for name in ("profile", "value", "ladder")),
        *((name, "--seed -1", "-1 is not in the range 0<=x<=") for name in COMMANDS),
        *((name, f"--seed {2**63}", "is not in the range 0<=x<=") for name in ("profile", "styles", "value")),
        ("profile", "--players 7", "unknown player count '7'"),
        ("profile", "--start generalst", "did you mean 'generalist'"),
        ("profile", "--start random", "start: random is not a profile"),
        ("profile", "--against generalst", "did you mean 'generalist'"),
        ("value", "--players 7", "unknown player count '7'"),
        ("value", "--strategies generalst", "did you mean 'generalist'"),
        ("exploit", "--game chess champion", "unknown game 'chess'"),
        ("exploit", "--players 7 champion", "unknown player count '7'"),
        ("exploit", "--variant bas champion", "did you mean 'base'"),
        ("exploit", "champoin", "did you mean 'champion'"),
        ("exploit", "--players 4 champion,random", "with 4 players, name one strategy for all other seats, or 3"),
        ("exploit", "champion,random,random,random", "unknown player count '5'"),
        ("exploit", "--start random champion", "random is not a profile, so it has no weights to start from"),
        ("exploit", "--start expert,champion champion", "name profiles or one network, not expert, champion"),
        ("exploit", "--start exprt champion", "did you mean 'expert'"),
        ("exploit", "bot.py:Bot", "Bot is a Python bot, which can't take part in training"),
        ("exploit", "--games 5 champion", "5 is not in the range"),
        ("exploit", "", "Missing argument 'STRATEGY|LINEUP'"),
        ("ladder", "--players 7", "na-grunwald has no 7-player game"),
        ("ladder", "--strategies champoin,random", "did you mean 'champion'"),
        ("ladder", "--strategies champion", "a ladder needs at least two strategies, got only champion"),
        ("ladder", "--strategies champion,champion", "a value is repeated"),
        ("ladder", "--against serch-100", "unknown na-grunwald strategy 'serch-100'"),
        ("sensitivity", "--players 7", "na-grunwald has no 7-player game"),
        ("sensitivity", "--keys start,rounds", "--keys: no rule key matches 'start'"),
        ("sensitivity", "--keys turn* --game grody --players 3", "grody has no 3-player game"),
        ("sensitivity", "--measure minits", "did you mean 'minutes'"),
        ("sensitivity", "--strategies champoin", "did you mean 'champion'"),
        ("restrict", "--players 7", "na-grunwald has no 7-player game"),
        ("restrict", "--forbid crown-feld", "--forbid 'crown-feld': matches no action"),
        ("restrict", "--forbid feld=crown", "unknown part of an action 'feld'; did you mean 'field'"),
        ("restrict", "--strategy champoin", "did you mean 'champion'"),
        ("restrict", "--strategy search-10", "only profiles, networks and random can have one"),
        ("ladder", "--trace 20", "--trace: the smallest trace is 24 iterations against 12"),
    ],
)
def test_mistakes_are_one_line(cli, tmp_path, monkeypatch, command, given, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("class Bot: ...\n", encoding="utf-8")
    result = cli(f"{COMMANDS[command]} --quiet {given}")
    assert result.exit_code in (1, 2)
    assert words in result.output
    assert "Traceback" not in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["bot.py"]


@pytest.mark.parametrize(("command", "name"), [("profile", "p.toml.2.champion-0"), ("exploit", "best.toml.2.try-0-0")])
def test_a_diary_of_another_training_is_refused(cli, tmp_path, monkeypatch, command, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{name}.diary").write_text('{"seed": 9}\n', encoding="utf-8")
    given = "--players 2 champion" if command == "exploit" else ""
    result = cli(f"{COMMANDS[command]} --quiet {given}", status=1)
    assert f"{name}.diary: belongs to another training (changed: " in result.output


@pytest.mark.parametrize(
    "spoil",
    [
        lambda line: line.replace("0.5", "0.6"),
        lambda line: line[:-3],
        lambda line: "",
        lambda line: "[]",
        lambda line: "null",
        lambda line: "00000000 " + "[" * 100_000,
    ],
)
def test_a_damaged_line_of_a_diary(tmp_path, spoil):
    import numpy as np

    told, path = {"seed": 1}, tmp_path / "x.diary"
    diary = Diary(path, told)
    for value in (0.25, 0.5, 0.75):
        diary.note(np.array([value, 1.0]))
    assert Diary(path, told).recall(1).tolist() == [0.5, 1.0]
    lines = path.read_text().split("\n")
    lines[2] = spoil(lines[2])
    path.write_text("\n".join(lines))
    with pytest.raises(BalanceError, match=r"x\.diary: line 3 is damaged; remove it and the lines below"):
        Diary(path, told)
    path.write_text("\n".join(lines[:2]) + "\n")
    assert Diary(path, told).recall(0).tolist() == [0.25, 1.0]
