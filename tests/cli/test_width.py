"""Output fits 80 columns for names of any length, and loses nothing; the progress bar shows only on a terminal."""

import io
import itertools
import json
import re
import shutil
import time
from types import SimpleNamespace

import pandas as pd
import pytest
from rich.console import Console
from support.runs import old_profile, play

from balance.analysis.compare import compare_variants, sort_effects
from balance.analysis.sample_size import RunExtension
from balance.cli.next_commands import print_extension
from balance.cli.output import print_sentence
from balance.cli.printing import print_comparison
from balance.cli.terminal import Terminal, show_progress
from balance.foundation.text import ESTIMATE, NAME, NUMBER, TEXT
from balance.report.model import Table
from balance.runs.folder import RunFolder

LONG = "a-mercenary-captain-who-never-sleeps-and-never-hires"
TARGETS = """
[[targets]]
title = "no way of playing wins more than it should, whoever sits beside it and whatever is dealt"
measure = "strategy_win_share"
most = 60

[[targets]]
measure = "seat_win_share"
within = 20
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run with two and four players, and a strategy and a variant with long names."""
    folder = tmp_path_factory.mktemp("width")
    profile = (folder / f"{LONG}.toml").resolve()
    shutil.copy(old_profile("balanced"), profile)
    rules = folder / "krzyzacy-that-come-early-and-come-hard.toml"
    rules.write_text('extends = "krzyzacy-hard"\ntitle = "Early"\ndescription = "Early"\n')
    (folder / "targets.toml").write_text(TARGETS)
    played = play(
        folder / "run", players=[2, 4], variants=["base", "krzyzacy-soft", str(rules)], games=40, log="rounds",
        strategies=[str(profile), "mercenary-captain", "krzyzacy-hunter", "random"],
    )  # fmt: skip
    return SimpleNamespace(path=played, targets=folder / "targets.toml", rules=rules.stem)


def words(text):
    """Return all words without the breaks between and inside names."""
    return re.sub(r"\s", "", text)


def check_width(text):
    for line in text.splitlines():
        assert len(line) <= 80, line


def test_a_comparison(run, cli):
    """Each player count has a table, and every row its interval and verdict."""
    result = cli("compare", run.path, "--baseline", "base", "--quiet", status=0)
    check_width(result.output)
    heading = r"^(\d) players, against base \(n up to ([\d,]+) pairs on (\d+) deals\)"
    headings = re.findall(heading, result.output, re.M)
    table = compare_variants(RunFolder.open(run.path), "base")
    sizes = table.groupby("players")[["n", "decks"]].max()
    assert [tuple(map(int, each)) for each in headings] == [(p, *sizes.loc[p]) for p in (2, 4)]
    for row in table.itertuples():
        assert f"{row.effect:+.2f} ({row.low:+.2f} to {row.high:+.2f})" in result.output
    shown = re.findall(r"\(\S+ to \S+\)  (\S[\w ]*?) *$", result.output, re.M)
    assert sorted(shown) == sorted(table["verdict"])
    said = words(result.output)
    assert words(f"{len(table)} comparisons, corrected together") in said


def test_one_variant_needs_no_column(run, cli, tmp_path):
    two = play(tmp_path / "run", players=[2], variants=["base", "krzyzacy-hard"], games=40)
    result = cli("compare", two, "--baseline", "base", "--quiet")
    check_width(result.output)
    assert "2 players, krzyzacy-hard against base (n up to" in result.output
    assert result.output.count("krzyzacy-hard") == 1


@pytest.mark.parametrize("by", ["effect", "measure", "variant"])
def test_the_order_of_effects(run, cli, by):
    """Terminal and programs have the same order; player counts keep theirs, and no row is lost."""
    table = compare_variants(RunFolder.open(run.path), "base", ["score", "margin", "seat_win_share"])
    found = sort_effects(table, by)
    assert list(dict.fromkeys(found["players"])) == [2, 4]
    same = ["players", "variant", "measure", "group"]
    assert found.sort_values(same)["effect"].tolist() == table.sort_values(same)["effect"].tolist()
    keys = {"measure": ["measure", "group"], "variant": ["variant"]}.get(by)
    for _, cell in found.groupby("players"):
        if keys:
            groups = list(zip(*(cell[key] for key in keys), strict=True))
            assert len(list(itertools.groupby(groups))) == len(set(groups))
        else:
            sizes = (cell["effect"] / (cell["high"] - cell["low"])).abs().fillna(0)
            assert sizes.is_monotonic_decreasing and not table["effect"].abs().is_monotonic_decreasing
    asked = f"compare --quiet --baseline base --measure score,margin,seat_win_share --sort {by}"
    assert cli(asked, run.path, "--json").output == found_json(found)
    printed = cli(asked, run.path).output
    first = found.iloc[0]
    assert f"{first.effect:+.2f} (" in printed.split("players, against", 1)[1].split("\n")[3]


def found_json(table):
    return table.to_json(orient="records", indent=1, force_ascii=False, double_precision=9) + "\n"


def test_effects_without_a_width(run):
    """An equal difference in every deal comes first; no difference, or an infinite interval, comes last."""
    table = compare_variants(RunFolder.open(run.path), "base", ["score"]).iloc[[0, 0, 0, 0]].copy()
    table["effect"], table["measure"] = [0.0, 3.0, 1.0, -0.5], ["none", "endless", "alike", "some"]
    table["low"], table["high"] = [0.0, -float("inf"), 1.0, -0.6], [0.0, float("inf"), 1.0, -0.4]
    assert sort_effects(table, "effect")["measure"].tolist() == ["alike", "some", "none", "endless"]


def test_other_answers(run, cli):
    """Targets, plans and lists of games fit too."""
    checked = cli("check", run.path, run.targets, "--quiet")
    assert checked.exit_code in (1, 3)
    for name in (LONG, run.rules):
        starts = [line for line in checked.output.splitlines() if name[:15] in line]
        assert starts and not any(name in line for line in starts), "it goes on below"
    check_width(checked.output)
    check_width(cli("plan --effect 0.5").output)
    check_width(cli("plan --effect 0.5 --quiet", run.path).output)
    games = cli("games").output
    check_width(games)
    assert "plus-everywhere" in games, "a name is not broken at its hyphen"


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_table_is_as_wide_as_its_console(width):
    """Estimates stay whole and names as long as possible; longer names continue on the next line."""
    out = io.StringIO()
    columns = {"strategy": NAME, "wins, %": NUMBER, "rating": NUMBER, "effect": ESTIMATE, "said": TEXT}
    estimates = ("100.0 (98.1 to 100.0)", "1431 (1402 to 1460)", "-1.00 (-2.00 to 0.00)")
    row = ("krzyzacy-hunter", *estimates, "[red] lower")
    Terminal(file=out, width=width).print_rows("[bold] a title", columns, [row, row])
    text = out.getvalue()
    assert all(len(line) <= width for line in text.splitlines())
    assert text.count("-1.00 (-2.00 to 0.00)") == 2
    assert text.count("krzyzacy-hunter") == 2
    assert text.startswith("[bold] a title\n")
    assert text.count("1460)") == text.count("lower") == 2


def test_the_terminal_shows_columns_of_a_table_of_a_page():
    """The others are left out; words are translated, numbers written as on the page."""
    out = io.StringIO()
    frame = pd.DataFrame({"strategy": ["champion"], "n": [1200], "verdict": ["favoured"], "mu": [25.0]})
    table = Table("ladder", "a title", frame, {"n": ","})
    Terminal(file=out, width=80).print_table(table, {"verdict": TEXT, "strategy": NAME, "n": NUMBER})
    assert [line.split() for line in out.getvalue().splitlines() if "champion" in line] == [
        ["favoured", "champion", "1,200"]
    ]
    assert "25" not in out.getvalue()


def test_a_table_of_no_rows():
    out = io.StringIO()
    Terminal(file=out, width=80).print_rows("a title", {"strategy": NAME, "effect": ESTIMATE}, [])
    title, headings, *_ = out.getvalue().splitlines()
    assert title == "a title" and headings.split() == ["strategy", "effect"]


def test_sentences(capsys):
    """They take as many lines as needed; a path stays whole, and markup is text."""
    path = f"/{'x' * 100}/run"
    print_sentence(f"{path}: 10 games; all [red]broken off[/red] at the limit of 100,000 decisions; run it again")
    out = capsys.readouterr().out
    assert path in out and "[red]broken off[/red]" in out.replace("\n", " ")
    assert all(len(line) <= 80 or path in line for line in out.splitlines())


@pytest.mark.parametrize("whole", [True, False])
def test_what_a_longer_run_decides(capsys, whole):
    """The sentence before the command fits 80 columns."""
    print_extension(RunExtension(2000, 3600.0 * 7, ["run"], whole))
    check_width(capsys.readouterr().out)


def test_notes_of_progress(capsys):
    """Lines before the bar fit, also for games with long titles."""
    with show_progress(False) as progress:
        progress.note("compiling Polska. Gra z historią (about half a minute, once after an install or a change)")
        progress.tell("searchers play: about 3 hours 20 minutes for each check of the stop rule on 16 workers")
    err = capsys.readouterr().err
    assert "compiling" in err and "searchers" in err
    check_width(err)


@pytest.mark.parametrize("width", [80, 120])
def test_levels_and_seats_of_a_comparison(run, monkeypatch, width):
    """Every row has the levels of baseline and variant; seats are the 1st, the 2nd and so on."""
    console = Terminal(file=io.StringIO(), width=width)
    monkeypatch.setattr("balance.cli.printing.open_terminal", lambda: console)
    opened = RunFolder.open(run.path)
    table = compare_variants(opened, "base", ["seat_win_share", "score"])
    print_comparison(table, "base", opened.plan)
    printed = console.file.getvalue()
    assert max(map(len, printed.splitlines())) <= width
    levels = re.findall(r"(\S+) → (\S+)", printed)
    assert len(levels) == len(table)
    for (before, after), row in zip(levels, table.itertuples(), strict=True):
        assert float(before) == pytest.approx(row.baseline, abs=0.051)
        assert float(after) == pytest.approx(row.baseline + row.effect, abs=0.051)
    said = words(printed)
    assert "winshareof4thseat" in said and not re.search(r"seat \d ", printed)
    assert ("levels" in printed) == (width == 120)
    if width == 120:  # a row each
        assert len(re.findall(r"→ \S+ +\S+ \(\S+ to \S+\)  \S", printed)) == len(table)


def test_seats_of_a_check(run, cli):
    """They are counted from one; the table for programs counts from 0."""
    printed = cli("check", run.path, run.targets, "--quiet").output
    block = printed.split("seat_win_share within", 1)[1]
    assert set(re.findall(r"\b(\d(?:st|nd|rd|th))\b", block)) == {"1st", "2nd", "3rd", "4th"}
    rows = json.loads(cli("check", run.path, run.targets, "--quiet", "--json").output)
    groups = {row["group"] for row in rows if row["measure"] == "seat_win_share"}
    assert groups == {"0", "1", "2", "3"}


def shown(quiet: bool = False, terminal: bool = True) -> str:
    output = io.StringIO()
    console = Console(file=output, force_terminal=terminal, width=110)
    with show_progress(quiet, console=console) as progress:
        for done in (0, 20_000, 40_000):
            progress.advance(done, 60_000)
            time.sleep(0.15)
    return output.getvalue()


def test_the_bar_on_a_terminal():
    """It appears before planning and while games come in."""
    text = shown()
    assert "0/? games" in text or "0/60,000 games" in text
    assert "40,000/60,000 games" in text
    assert "games/s" in text
    assert "left" in text


@pytest.mark.parametrize(("quiet", "terminal"), [(True, True), (False, False)])
def test_no_bar_otherwise(quiet, terminal):
    assert "games" not in shown(quiet, terminal)
