"""Bad input gets one clear line that names it and the correct value, never a traceback."""

import os
import re
import sys

import pytest
from support.errors import check_line, refused

import balance
from balance.foundation.errors import BalanceError

RUN = {"game": "na-grunwald", "players": "4", "strategies": "random", "games": "4"}
EXPERIMENT = 'game = "na-grunwald"\nplayers = [4]\n'
WHOLE = f'{EXPERIMENT}games = 4\nstrategies = ["random"]\n'


def options(**changes):
    """Return the arguments of a good run, changed."""
    return ["run", *(word for key, value in {**RUN, **changes}.items() for word in (f"--{key}", value))]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": "grunwald"}, ["unknown game 'grunwald'", "na-grunwald"]),
        ({"variant": "krzyzacy-sofd"}, ["unknown na-grunwald variant", "krzyzacy-soft"]),
        ({"strategies": "generalist,genneralist"}, ["strategy 'genneralist'", "'generalist'"]),
        ({"strategies": "nobody.py:Bot"}, ["no such file", "nobody.py"]),
        ({"players": "5"}, ["no 5-player game", "2, 3, 4"]),
        ({"players": "1,2"}, ["no 1-player game"]),
        ({"games": "0"}, ["games", "must be at least 1"]),
        ({"seed": "-1"}, ["seed", "must be at least 0"]),
        ({"lineup": "random,random"}, ["strategies", "lineups"]),
    ],
)
def test_wrong_names_and_numbers(cli, tmp_path, changes, words):
    """Unknown games, variants and strategies, wrong player counts and zero games are refused."""
    check_line(cli(*options(**changes, out=tmp_path / "run")), 1, *words)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run"], "--game is needed"),
        (["run", "--players", "two", "--game", "na-grunwald"], "2,3,4"),
        (["run", "--log", "all"], "--log"),
        (["run", "--resume"], "folder of a run"),
        (["run", "--gaems", "4"], "--games"),
        (["replay", "x", "first"], "neither a game number nor one of closest"),
    ],
)
def test_wrong_usage_has_exit_status_2(cli, arguments, words):
    """click names the correct usage."""
    result = cli(*arguments, status=2)
    assert words in result.output


KNIGHTS = '[cards.crown]\nsource = "me"\nreconstruction = false\n'
VARIANTS = {
    "an unknown key": ("roundz = 8", ["roundz", "did you mean 'rounds'"]),
    "an unknown key in a table": ("[start]\nducat = 3", ["start.ducat", "'start.ducats'"]),
    "an unknown player count": ("[krzyzacy.bonus]\n5 = 2", ["krzyzacy.bonus.5"]),
    "a value out of range": ("rounds = 0", ["rounds", "must be at least 1"]),
    "a value of the wrong type": ('rounds = "eight"', ["rounds", "whole number"]),
    "a number for a switch": ("[hire]\nfirst_pays = 1", ["hire.first_pays", "true or false"]),
    "a wrong choice": ('tie_rule = "youngest"', ["tie_rule", "'first-placed', 'last-placed'"]),
    "a wrong price": ('[hire]\nprice = "free"', ["hire.price", '"owned"']),
    "too few prices": ("[hire]\nprice = [1, 2]", ["hire.price", "0 to 4"]),
    "an unknown deck": ('event_deck = "harhs"', ["unknown event deck", "did you mean 'harsh'"]),
    "too many helpers": ("[start]\nhelpers = 6", ["start.helpers", "most_helpers"]),
    "a table without a source": ("[cards.crown]\nstrengths = [1, 2]", ["source"]),
    "a knight table of the wrong size": (
        f"{KNIGHTS}strengths = [1, 2, 3, 4]",
        ["cards.crown", "4 cards", "at least 16"],
    ),
    "a strength out of range": (
        f"{KNIGHTS}strengths = {[1] * 15 + [12]}",
        ["cards.crown.strengths.15", "must be at most 9"],
    ),
    "more rounds than cards": ("rounds = 9", ["cards.crown", "9 rounds"]),
    "a number for a table": ("start = 3", ["mine.toml: start: must be a table"]),
    "a missing parent": ('extends = "bass"', ["unknown na-grunwald variant 'bass'"]),
    "no TOML": ("rounds = = 8", ["not valid TOML"]),
}


@pytest.mark.parametrize("case", VARIANTS)
def test_wrong_variants(cli, tmp_path, case):
    text, words = VARIANTS[case]
    path = tmp_path / "mine.toml"
    path.write_text(text if "extends" in text else f'extends = "base"\n{text}')
    check_line(cli(*options(variant=path, out=tmp_path / "run")), 1, "mine.toml", *words)


def test_a_variant_that_extends_itself(cli, tmp_path):
    (tmp_path / "a.toml").write_text('extends = "b.toml"')
    (tmp_path / "b.toml").write_text('extends = "a.toml"')
    check_line(cli(*options(variant=tmp_path / "a.toml")), 1, "extend itself", "a.toml -> b.toml -> a.toml")


DECKS = {
    "truce": ["1 cards are too few", "7"],
    "flood": ["cards.a.effect", "'gain'"],
    "plunder": ["deck.toml: cards.a: effect 'plunder' takes n: write n = 2"],
    'task"\nn = 12\nbundle = {}\n#"': ["1 to 9"],
    'gain"\nbundle = { gold = 1 }\n#"': ["cards.a.bundle.gold", "ducats"],
}


@pytest.mark.parametrize("effect", DECKS)
def test_wrong_decks(cli, tmp_path, effect):
    """Short decks, unknown effects and resources, numbers missing or out of range; the deck is next to its variant."""
    card = f'[[cards]]\nid = "a"\nname = "A"\neffect = "{effect}"'
    (tmp_path / "deck.toml").write_text(f'source = "me"\nreconstruction = false\n{card}')
    (tmp_path / "mine.toml").write_text('extends = "base"\nevent_deck = "deck.toml"')
    check_line(cli(*options(variant=tmp_path / "mine.toml", out=tmp_path / "run")), 1, *DECKS[effect])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[weights]\ncrown_strenght = 1", ["crown_strenght", "did you mean 'crown_strength'"]),
        ('[weights]\nhelper = "much"', ["weights.helper: must be a number, got 'much'"]),
        ('[weights]\nhelper = "2.5"', ["weights.helper: must be a number, got '2.5'"]),
        ("[weights]\nhelper = true", ["weights.helper: must be a number, got True"]),
        ('[weights.4]\nhelper = "2.5"', ["weights.4.helper: must be a number"]),
        ("temperature = true\n[weights]", ["temperature: must be a number, got True"]),
        ("[weights]\nhelper = nan", ["weights.helper", "finite"]),
        ("temperature = -1\n[weights]", ["temperature"]),
    ],
)
def test_wrong_profiles(cli, tmp_path, text, words):
    """Unknown features and non-numeric values are refused."""
    path = tmp_path / "mine.toml"
    path.write_text(f'title = "M"\ndescription = "m"\n{text}')
    check_line(cli(*options(strategies=path, out=tmp_path / "run")), 1, "mine.toml", *words)


WITH = "strategies = ['random']\ngames = 2\n"
BOUNDS = [f"measure = 'score', {bound}" for bound in ("least = nan", "most = inf", "within = inf")]
NUMBERS = {
    "tiers.a.temperature": "[[tiers]]\nname = 'a'\nstrategies = ['random']\ngames = 2\ntemperature = {}",
    "stop.threshold_points": f"{WITH}[stop]\nceiling = 4\nthreshold_points = {{}}",
    "bot_seconds": f"{WITH}bot_seconds = {{}}",
    "thresholds.seats": f"{WITH}thresholds.seats = {{}}",
    "thresholds.minutes.0": f"{WITH}thresholds.minutes = [{{}}, 30]",
    "targets.0.least": f"{WITH}targets = [{{{{ measure = 'score', least = {{}} }}}}]",
    "targets.0.within": f"{WITH}targets = [{{{{ measure = 'seat_win_share', within = {{}} }}}}]",
}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gaems = 4", ["unknown key 'gaems'", "did you mean 'games'"]),
        ("games = 4\nstrategies = []", ["strategies", "lineups"]),
        ("games = 4\nlineups = [['random', 'random']]", ["no line-up has 4 strategies"]),
        ("games = 4\nstrategies = ['random', 'random']", ["is repeated"]),
        ("games = 4\nstrategies = ['random']\n[stop]\nthreshold_points = 1\nceiling = 2", ["ceiling"]),
        *((f"{WITH}targets = [{{ {bound} }}]", ["targets.0", "finite"]) for bound in BOUNDS),
        *((text.format(value), [f"plan.toml: {key}: must be a number"])
          for key, text in NUMBERS.items() for value in ('"2.5"', "true")),
    ],
)  # fmt: skip
def test_wrong_experiments(cli, tmp_path, text, words):
    """Wrong keys and combinations are refused; `"2.5"` is not 2.5, `true` is not 1, and a bound is a number."""
    path = tmp_path / "plan.toml"
    path.write_text(EXPERIMENT + text)
    check_line(cli("run", path, "--out", tmp_path / "run"), 1, "plan.toml", *words)


@pytest.mark.slow
def test_readers_name_what_is_wrong(cli, tmp_path, traced_run):
    """No run, a used folder and a report over a file are refused."""
    check_line(cli("report", tmp_path, "--out", tmp_path / "r"), 1, "is not a run folder")
    check_line(cli(*options(out=traced_run)), 1, "already contains a run")
    (tmp_path / "file").write_text("")
    for out in ("file", "file/out"):
        check_line(cli("report", traced_run, "--out", tmp_path / out), 1, "cannot write", out)


def test_another_schema_version_is_named(cli, tmp_path):
    """A run of an older or newer package is refused."""
    (tmp_path / "run.json").write_text('{"schema_version": 99}')
    result = cli("report", tmp_path, "--out", tmp_path / "r")
    check_line(result, 1, "schema version 99", "version 4", "play the experiment again")


@pytest.mark.long
def test_no_scheduler(cli, tmp_path):
    """--dask without a scheduler gives one line; a host may be called localhost."""
    result = cli(*options(dask="localhost:1", out=tmp_path / "run"), status=1)
    assert re.search("no Dask scheduler at|Dask is not installed", result.output)


def test_too_few_games_for_an_interval(cli, tmp_path):
    """One deal has no spread: compare, check and plan report this; the report has no intervals."""
    from support.runs import play

    variants, strategies = ["base", "krzyzacy-hard"], ["generalist", "random"]
    run = play(tmp_path / "run", games=2, players=[2], variants=variants, strategies=strategies)
    (tmp_path / "targets.toml").write_text('[[targets]]\nmeasure = "score"\nleast = 1\n')
    check_line(cli("compare", run, "--baseline", "base"), 1, "too few games for an interval")
    check_line(cli("check", run, tmp_path / "targets.toml"), 2, "too few games for an interval")
    check_line(cli("plan", run, "--effect", "1"), 1, "too few games for an interval")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--effect", "0"], "effect"),
        (["--effect", "nan"], "effect"),
        (["--effect", "1e-300"], "effect"),
        (["--effect", "1", "--power", "1"], "power"),
        (["--effect", "1", "--players", "0"], "players"),
        (["--effect", "1", "--players", "4,-2"], "players"),
        (["--effect", "1", "--players", "9" * 400], "players"),
        *((["--effect", "1", "--comparisons", count], "comparisons") for count in ("0", "-1", "9" * 400)),
    ],
)
def test_plans_out_of_range(cli, arguments, word):
    """The line gives the allowed range."""
    check_line(cli("plan", *arguments), 1, word, "at least 1" if word == "comparisons" else "between")


def test_line_ups_are_counted_before_they_are_listed(cli, tmp_path):
    """60 strategies fill six seats in 50 million ways; each rotates."""
    from balance.experiments.lineups import Schedule

    with pytest.raises(BalanceError, match="60 strategies fill 6 seats in 300,383,160 ways"):
        Schedule(6, 60, [], rotate=True, seed=1)
    names = ",".join(f"{tmp_path}/{number}.toml" for number in range(100))
    check_line(cli(*options(strategies=names)), 1, "100 strategies fill 4 seats in 15,684,900 ways", "fewer")


LINUX = pytest.mark.skipif(sys.platform == "win32", reason="devices, pipes and links of Unix")
TEXTS = {
    "nested 1,000 levels deep": (f"x = {'[' * 1000}{']' * 1000}", "nested too deeply"),
    "nested deeper than Python goes": (f"x = {'[' * 100_000}", "nested too deeply"),
    "a key of 1,000 parts": (f"{'.'.join('x' * 1000)} = 1", "nested too deeply"),
    "a number of 5,000 digits": (f"games = {'9' * 5000}", "not valid TOML"),
    "a hexadecimal number of 5,000 digits": (f"games = 0x{'f' * 5000}", "64 bits"),
    "a day that never was": ("x = 2024-02-31", "not valid TOML"),
}


@pytest.mark.parametrize("case", TEXTS)
def test_text_that_no_one_writes(cli, tmp_path, case):
    """Experiments, variants, profiles and targets are read by the same function."""
    text, words = TEXTS[case]
    path = tmp_path / "odd.toml"
    path.write_text(text)
    check_line(cli("run", path, "--out", tmp_path / "run"), 1, "odd.toml", words)
    for key in ("variant", "strategies"):
        check_line(cli(*options(**{key: path}, out=tmp_path / "run")), 1, "odd.toml", words)


def test_not_utf_8_or_a_sweep_without_end(cli, tmp_path):
    """The line gives the byte; a swept key of 5,000 parts is refused."""
    path = tmp_path / "odd.toml"
    key = ".".join("x" * 5000)
    for content, words in (
        (b'game = "na-grunwald" # \xff\xfe', "not UTF-8 (byte 23)"),
        (f'{WHOLE}[sweep]\n"{key}" = [1]'.encode(), "nested too deeply"),
    ):
        path.write_bytes(content)
        check_line(cli("run", path, "--out", tmp_path / "run"), 1, "odd.toml", words)


@LINUX
@pytest.mark.parametrize("kind", ["zero", "pipe", "folder", "large"])
def test_no_regular_file_of_a_sane_size(cli, tmp_path, kind):
    """An endless device, a pipe without a writer, a folder and 11 MB are refused."""
    path = tmp_path / "odd.toml"
    if kind == "zero":
        path.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"#" * 11_000_000)
    words = "larger than 1 MB" if kind == "large" else "not a regular file"
    named = "/dev/zero" if kind == "zero" else "odd.toml"
    for key in ("variant", "strategies"):
        check_line(cli(*options(**{key: path}, out=tmp_path / "run")), 1, named, words)
    if kind != "folder":
        check_line(cli("run", path, "--out", tmp_path / "run"), 1, "odd.toml", words)


@LINUX
def test_a_pipe_as_a_bot(cli, tmp_path):
    os.mkfifo(tmp_path / "bot.py")
    check_line(cli(*options(strategies=f"{tmp_path}/bot.py:Bot")), 1, "bot.py", "not a regular file")


@LINUX
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("loop.toml", "loop"),
        ("~nobody-of-that-name/x.toml", "home"),
        ("x" * 300 + ".toml", "too long"),
        ("x" * 300, "too long"),
        ("a\0b.toml", "null"),
    ],
)
def test_paths_that_lead_nowhere(cli, tmp_path, name, words):
    """Any text may stand in a path of an experiment file."""
    (tmp_path / "loop.toml").symlink_to(tmp_path / "loop.toml")
    named, plan = name.replace("\0", "\\u0000"), tmp_path / "plan.toml"
    for variant, strategy in ((named, "random"), ("base", named)):
        text = f'{EXPERIMENT}games = 4\nvariants = ["{variant}"]\nstrategies = ["{strategy}"]\n'
        plan.write_text(text)
        check_line(cli("run", plan, "--out", tmp_path / "run"), 1, "plan.toml", words)


@LINUX
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read anything")
def test_no_permission(cli, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("")
    path.chmod(0)
    check_line(cli("run", path, "--out", tmp_path / "run"), 1, "mine.toml", "permission denied")


@pytest.mark.parametrize(
    ("key", "name"), [("strategies", "mine.toml"), ("strategies", "sub/mine"), ("variant", "mine.toml")]
)
def test_a_file_that_is_not_there_is_no_unknown_name(cli, tmp_path, monkeypatch, key, name):
    """For a path the line says where it was searched, and lists no shipped names."""
    monkeypatch.chdir(tmp_path)
    result = cli(*options(**{key: name}))
    check_line(result, 1, f"no such file: {tmp_path / name} (a na-grunwald")
    assert "unknown" not in result.output and "generalist" not in result.output


def test_a_file_that_a_searcher_names_is_not_there(cli, tmp_path):
    """A searcher's value and prior are searched in the searcher's own folder."""
    path = tmp_path / "mine.toml"
    for key in ("value", "prior"):
        path.write_text(f'kind = "search"\niterations = 5\n{key} = "lost.toml"')
        words = f"no such file: {tmp_path / 'lost.toml'} (a na-grunwald"
        check_line(cli(*options(strategies=path, out=tmp_path / "run")), 1, words)


@pytest.mark.parametrize("name", ["S3:/bucket/run", "file:///x", "local://x/y", "s3://", "a::s3://b/c"])
@pytest.mark.parametrize("command", ["report", "run", "out", "api"])
def test_an_address_is_never_a_folder(cli, tmp_path, monkeypatch, name, command):
    """One that is spelt otherwise is refused in one line; nothing is written under its name."""
    monkeypatch.chdir(tmp_path)
    if command == "api":
        with refused(name):
            balance.play({**RUN, "players": [4], "strategies": ["random"], "games": 4}, out=name)
        with refused(name):
            balance.pool([], out=name)
    else:
        words = {"report": ["report", name], "run": options(out=name), "out": ["report", "x", "--out", name]}
        check_line(cli(*words[command]), 2, repr(name))
    assert not list(tmp_path.iterdir())


def test_only_runs_are_in_a_store(cli):
    """Pages are written to a disk."""
    check_line(cli("report x --out s3://bucket/report"), 2, "only runs")


@pytest.mark.parametrize("address", ["tls://localhost:1", "ucx://a:1", "tcp://", "nonsense", "inproc://"])
def test_an_address_of_no_scheduler_is_one_line(cli, tmp_path, address):
    """Whatever Dask raises for it."""
    pytest.importorskip("distributed")
    result = cli(*options(dask=address, out=tmp_path / "run"), status=1)
    check_line(result, 1, address)
