"""Bad input gets one clear line that names it and the correct value, never a traceback."""

from __future__ import annotations

import re

import pytest

from balance.foundation.errors import BalanceError

RUN = ["run", "--game", "na-grunwald", "--players", "4", "--strategies", "random", "--games", "4"]


def options(**changes):
    """Return the arguments of a good run, changed."""
    arguments = dict(zip(RUN[1::2], RUN[2::2], strict=True)) | {
        f"--{key.replace('_', '-')}": value for key, value in changes.items()
    }
    return ["run", *(word for pair in arguments.items() for word in pair)]


def check(result, status, *words):
    """Assert one line on standard error that contains these words."""
    assert result.exit_code == status, result.output
    lines = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert len(lines) == 1, result.output
    assert "Traceback" not in result.output
    for word in words:
        assert word in lines[0], lines[0]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": "grunwald"}, ["unknown game 'grunwald'", "na-grunwald"]),
        ({"variant": "krzyzacy-sofd"}, ["unknown na-grunwald variant", "krzyzacy-soft"]),
        (
            {"strategies": "generalist,genneralist"},
            ["unknown na-grunwald strategy 'genneralist'", "'generalist'"],
        ),
        ({"strategies": "nobody.py:Bot"}, ["no such file", "nobody.py"]),
        ({"players": "5"}, ["no 5-player game", "2, 3, 4"]),
        ({"players": "1,2"}, ["no 1-player game"]),
        ({"games": "0"}, ["games", "greater than or equal to 1"]),
        ({"seed": "-1"}, ["seed", "greater than or equal to 0"]),
        ({"lineup": "random,random"}, ["strategies", "lineups"]),
    ],
)
def test_wrong_names_and_numbers(cli, tmp_path, changes, words):
    """Unknown games, variants and strategies, wrong player counts and zero games are refused."""
    check(cli(*options(**changes, out=tmp_path / "run")), 1, *words)
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


VARIANTS = {
    "an unknown key": ("roundz = 8", ["roundz", "did you mean 'rounds'"]),
    "an unknown key in a table": ("[start]\nducat = 3", ["start.ducat", "'start.ducats'"]),
    "an unknown player count": ("[krzyzacy.bonus]\n5 = 2", ["krzyzacy.bonus.5"]),
    "a value out of range": ("rounds = 0", ["rounds", "greater than or equal to 1"]),
    "a value of the wrong type": ('rounds = "eight"', ["rounds", "integer"]),
    "a number for a switch": ("[hire]\nfirst_pays = 1", ["hire.first_pays", "boolean"]),
    "a wrong choice": ('tie_rule = "youngest"', ["tie_rule", "'first-placed' or 'last-placed'"]),
    "a wrong price": ('[hire]\nprice = "free"', ["hire.price", '"owned"']),
    "too few prices": ("[hire]\nprice = [1, 2]", ["hire.price", "0 to 4"]),
    "an unknown deck": ('event_deck = "harhs"', ["unknown event deck", "did you mean 'harsh'"]),
    "too many helpers": ("[start]\nhelpers = 6", ["start.helpers", "most_helpers"]),
    "a table without a source": ("[cards.crown]\nstrengths = [1, 2]", ["source"]),
    "a knight table of the wrong size": (
        '[cards.crown]\nsource = "me"\nreconstruction = false\nstrengths = [1, 2, 3, 4]',
        ["cards.crown", "4 cards", "at least 16"],
    ),
    "a strength out of range": (
        f'[cards.crown]\nsource = "me"\nreconstruction = false\nstrengths = {[1] * 15 + [12]}',
        ["cards.crown.strengths.15", "less than or equal to 9"],
    ),
    "more rounds than cards": ("rounds = 9", ["cards.crown", "9 rounds"]),
    "a missing parent": ('extends = "bass"', ["unknown na-grunwald variant 'bass'"]),
    "no TOML": ("rounds = = 8", ["not valid TOML"]),
}


@pytest.mark.parametrize("case", VARIANTS)
def test_wrong_variants(cli, tmp_path, case):
    """The line names the file and the key, and lists the allowed values."""
    text, words = VARIANTS[case]
    path = tmp_path / "mine.toml"
    path.write_text(text if "extends" in text else f'extends = "base"\n{text}')
    check(cli(*options(variant=path, out=tmp_path / "run")), 1, "mine.toml", *words)


def test_a_variant_that_extends_itself(cli, tmp_path):
    """A variant may not extend itself, directly or through another."""
    (tmp_path / "a.toml").write_text('extends = "b.toml"')
    (tmp_path / "b.toml").write_text('extends = "a.toml"')
    check(cli(*options(variant=tmp_path / "a.toml")), 1, "extend itself", "a.toml -> b.toml -> a.toml")


DECKS = {
    "too short": (
        '[[cards]]\nid = "a"\nname = "A"\neffect = "truce"',
        ["1 cards are too few", "7"],
    ),
    "an unknown effect": (
        '[[cards]]\nid = "a"\nname = "A"\neffect = "flood"',
        ["cards.a.effect", "'gain'"],
    ),
    "a missing number": (
        '[[cards]]\nid = "a"\nname = "A"\neffect = "plunder"',
        ["deck.toml: cards.a: effect 'plunder' takes n: write n = 2"],
    ),
    "a number out of range": (
        '[[cards]]\nid = "a"\nname = "A"\neffect = "task"\nn = 12\nbundle = {}',
        ["1 to 9"],
    ),
    "an unknown resource": (
        '[[cards]]\nid = "a"\nname = "A"\neffect = "gain"\nbundle = { gold = 1 }',
        ["cards.a.bundle.gold", "ducats"],
    ),
}


@pytest.mark.parametrize("case", DECKS)
def test_wrong_decks(cli, tmp_path, case):
    """The user's own deck is next to the variant that names it."""
    text, words = DECKS[case]
    (tmp_path / "deck.toml").write_text(f'source = "me"\nreconstruction = false\n{text}')
    (tmp_path / "mine.toml").write_text('extends = "base"\nevent_deck = "deck.toml"')
    check(cli(*options(variant=tmp_path / "mine.toml", out=tmp_path / "run")), 1, *words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[weights]\ncrown_strenght = 1", ["crown_strenght", "did you mean 'crown_strength'"]),
        ('[weights]\nhelper = "much"', ["weights.helper: Input should be a valid number, got 'much'"]),
        ('[weights]\nhelper = "2.5"', ["weights.helper: Input should be a valid number, got '2.5'"]),
        ("[weights]\nhelper = true", ["weights.helper: Input should be a valid number, got True"]),
        ('[weights.4]\nhelper = "2.5"', ["weights.4.helper: Input should be a valid number"]),
        ("temperature = true\n[weights]", ["temperature: Input should be a valid number, got True"]),
        ("[weights]\nhelper = nan", ["weights.helper", "finite"]),
        ("temperature = -1\n[weights]", ["temperature"]),
    ],
)
def test_wrong_profiles(cli, tmp_path, text, words):
    """Unknown features and non-numeric values are refused."""
    path = tmp_path / "mine.toml"
    path.write_text(f'title = "M"\ndescription = "m"\n{text}')
    check(cli(*options(strategies=path, out=tmp_path / "run")), 1, "mine.toml", *words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gaems = 4", ["unknown key 'gaems'", "did you mean 'games'"]),
        ("games = 4\nstrategies = []", ["strategies", "lineups"]),
        ("games = 4\nlineups = [['random', 'random']]", ["no line-up has 4 strategies"]),
        ("games = 4\nstrategies = ['random', 'random']", ["is repeated"]),
        (
            "games = 4\nstrategies = ['random']\n[stop]\nthreshold_points = 1\nceiling = 2",
            ["ceiling"],
        ),
    ],
)
def test_wrong_experiments(cli, tmp_path, text, words):
    """Wrong keys and combinations are refused."""
    path = tmp_path / "plan.toml"
    path.write_text(f'game = "na-grunwald"\nplayers = [4]\n{text}')
    check(cli("run", path, "--out", tmp_path / "run"), 1, "plan.toml", *words)


@pytest.mark.slow
def test_readers_name_what_is_wrong(cli, tmp_path, traced_run):
    """No run, no such game, a used folder and a report over a file are refused."""
    check(cli("report", tmp_path, "--out", tmp_path / "r"), 1, "is not a run folder")
    check(cli("replay", traced_run, 999_999), 1, "no game 999999")
    check(cli(*options(out=traced_run)), 1, "already contains a run")
    (tmp_path / "file").write_text("")
    check(cli("report", traced_run, "--out", tmp_path / "file"), 1, "cannot write")


def test_another_schema_version_is_named(cli, tmp_path):
    """A run of an older or newer package is refused."""
    (tmp_path / "run.json").write_text('{"schema_version": 99}')
    check(
        cli("report", tmp_path, "--out", tmp_path / "r"),
        1,
        "schema version 99",
        "version 4",
        "play the experiment again",
    )


@pytest.mark.slow
def test_no_scheduler(cli, tmp_path):
    """--dask without a scheduler gives one line."""
    result = cli(*options(dask="tcp://127.0.0.1:1", out=tmp_path / "run"), status=1)
    assert re.search("no Dask scheduler at|Dask is not installed", result.output)


def test_too_few_games_for_an_interval(cli, tmp_path):
    """One deal has no spread: compare, check and plan report this; the report has no intervals."""
    from support.runs import play

    keys = {
        "players": [2],
        "variants": ["base", "krzyzacy-hard"],
        "strategies": ["generalist", "random"],
    }
    run = play(tmp_path / "run", games=2, **keys)
    (tmp_path / "targets.toml").write_text('[[targets]]\nmeasure = "score"\nleast = 1\n')
    check(cli("compare", run, "--baseline", "base"), 1, "too few games for an interval")
    check(cli("check", run, tmp_path / "targets.toml"), 2, "too few games for an interval")
    check(cli("plan", run, "--effect", "1"), 1, "too few games for an interval")


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
    ],
)
def test_plans_out_of_range(cli, arguments, word):
    """The line gives the allowed range."""
    check(cli("plan", *arguments), 1, word, "between")


@pytest.mark.parametrize("count", ["0", "-1", "9" * 400])
def test_comparisons_out_of_range(cli, count):
    """Too many comparisons to find anything, or none, are refused."""
    check(cli("plan", "--effect", "1", "--comparisons", count), 1, "comparisons", "at least 1")


def test_line_ups_are_counted_before_they_are_listed(cli, tmp_path):
    """60 strategies fill six seats in 50 million ways; each rotates."""
    from balance.experiments.lineups import Schedule

    with pytest.raises(BalanceError, match="60 strategies fill 6 seats in 300,383,160 ways"):
        Schedule(6, 60, [], rotate=True, seed=1)
    names = ",".join(f"{tmp_path}/{number}.toml" for number in range(100))
    check(cli(*options(strategies=names)), 1, "100 strategies fill 4 seats in 15,684,900 ways", "fewer")


@pytest.mark.parametrize("bound", ["least = nan", "most = inf", "within = inf"])
def test_bounds_that_are_no_numbers(cli, tmp_path, bound):
    """A bound that is not a number is refused: no value lies above it."""
    (tmp_path / "plan.toml").write_text(
        'game = "na-grunwald"\nplayers = [4]\ngames = 4\nstrategies = ["random"]\n'
        f'[[targets]]\nmeasure = "score"\n{bound}\n'
    )
    check(cli("run", tmp_path / "plan.toml"), 1, "plan.toml", "targets.0", "finite")


def test_no_class_names(cli, tmp_path):
    """A number in place of a table is refused."""
    (tmp_path / "mine.toml").write_text('extends = "base"\nstart = 3')
    result = cli(*options(variant=tmp_path / "mine.toml"))
    check(result, 1, "mine.toml", "start: must be a table")
    assert "Start" not in result.output


@pytest.mark.slow
def test_a_report_into_a_folder_that_cannot_be_written(traced_run, cli, tmp_path):
    """A file stands in place of the folder."""
    (tmp_path / "file").write_text("")
    check(cli("report", traced_run, "--out", tmp_path / "file" / "out"), 1, "cannot write", "file/out")


NUMBERS = {
    "temperature of a tier": (
        "[[tiers]]\nname = 'a'\nstrategies = ['random']\ngames = 2\ntemperature = {}",
        "tiers.a.temperature",
    ),
    "stop": (
        "strategies = ['random']\ngames = 2\n[stop]\nceiling = 4\nthreshold_points = {}",
        "stop.threshold_points",
    ),
    "bot_seconds": ("strategies = ['random']\ngames = 2\nbot_seconds = {}", "bot_seconds"),
    "a threshold": ("strategies = ['random']\ngames = 2\nthresholds.seats = {}", "thresholds.seats"),
    "minutes": (
        "strategies = ['random']\ngames = 2\nthresholds.minutes = [{}, 30]",
        "thresholds.minutes.0",
    ),
    "a target": (
        "strategies = ['random']\ngames = 2\ntargets = [{{ measure = 'score', least = {} }}]",
        "targets.0.least",
    ),
    "a share": (
        "strategies = ['random']\ngames = 2\ntargets = [{{ measure = 'seat_win_share', within = {} }}]",
        "targets.0.within",
    ),
}


@pytest.mark.parametrize("value", ['"2.5"', "true"])
@pytest.mark.parametrize("case", NUMBERS)
def test_a_number_is_no_text_and_no_switch(cli, tmp_path, case, value):
    """In an experiment `"2.5"` is not 2.5, and `true` is not 1."""
    text, key = NUMBERS[case]
    path = tmp_path / "plan.toml"
    path.write_text(f'game = "na-grunwald"\nplayers = [4]\n{text.format(value)}')
    check(
        cli("run", path, "--out", tmp_path / "run"),
        1,
        f"plan.toml: {key}: Input should be a valid number",
    )


@pytest.mark.parametrize("value", ['"2.5"', "true"])
@pytest.mark.parametrize("key", ["exploration", "prior_temperature", "weights.helper"])
def test_a_number_of_a_searcher_is_no_text_and_no_switch(cli, tmp_path, key, value):
    """This holds for its settings and the weights of its profile."""
    path = tmp_path / "mine.toml"
    path.write_text(f'kind = "search"\niterations = 5\n{key} = {value}')
    words = f"mine.toml: {key}: Input should be a valid number"
    check(cli(*options(strategies=path, out=tmp_path / "run")), 1, words)
