"""Pages in other languages: no text of a report or a replay is left in English, and data stay the same."""

import re
from pathlib import Path

import pytest
from support.pseudo import PseudoLanguage, names_of, texts_of, unmarked
from support.runs import play, without_figures, without_pngs

from balance.foundation.catalogues import using
from balance.foundation.language import tr
from balance.games.na_grunwald.analytics.rows import box
from balance.report import write_report
from balance.report.replay.opening import open_replay
from balance.report.replay.page import write_replay
from balance.report.screen import GridCell
from balance.report.words import more_games, would_decide
from balance.runs.folder import RunFolder

RUNS = {
    "na-grunwald": ([2, 3], ["base", "krzyzacy-hard"]),
    "polska": ([2, 4], ["base", "five-dice"]),
    "grody": ([2], ["base", "one-warrior-each"]),
    "korona-piastow": ([2, 4], ["base", "no-levy"]),
}


def games_with(mark: pytest.MarkDecorator) -> list[object]:
    """Return parameters for `run`: Na Grunwald!, and the other games with a mark."""
    return [pytest.param(game, marks=[] if game == "na-grunwald" else [mark]) for game in RUNS]


translated = pytest.mark.parametrize("run", games_with(pytest.mark.long), indirect=True)


@pytest.fixture(scope="module", params=games_with(pytest.mark.slow))
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Return a run of each game with tiers, targets, a trace and luck, so that a page has all its sections."""
    players, variants = RUNS[request.param]
    path = play(
        tmp_path_factory.mktemp("languages") / "run",
        game=request.param,
        players=players,
        variants=variants,
        strategies=[],
        tiers=[
            {"name": "strong", "strategies": ["champion", "random"], "games": 24, "luck": 4},
            {"name": "search", "strategies": ["random"], "games": 24},  # a word of the page too
        ],
        games=None,
        log="trace",
        targets=[{"title": "decisions", "measure": "decisions", "least": 1, "most": 1000}],
    )
    return RunFolder.open_finished(path)


@pytest.fixture(scope="module")
def marked(run: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the report with every message in « »."""
    out = tmp_path_factory.mktemp("marked")
    with using(PseudoLanguage()), without_pngs():
        write_report([run], out)
    return out


@pytest.fixture(scope="module")
def polish(run: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the report in Polish."""
    out = tmp_path_factory.mktemp("pl")
    with without_figures(), using("pl"):
        write_report([run], out)
    return out


def test_every_text_of_a_report_is_a_message(run, marked):
    page = (marked / "index.html").read_text("utf-8")
    assert unmarked(texts_of(page), names_of(run)) == []


def test_tables_for_programs_have_no_message(marked):
    tables = sorted((marked / "tables").iterdir())
    assert len(tables) > 10
    assert [path.name for path in tables if "«" in path.read_text("utf-8")] == []


def test_every_text_of_a_replay_is_a_message(run, tmp_path):
    (tmp_path / "scratch").mkdir()
    with using(PseudoLanguage()):
        replay = open_replay(run.path, 0, tmp_path / "scratch")
        page = write_replay(replay, tmp_path / "game.html").read_text("utf-8")
    assert unmarked(texts_of(page), names_of(run)) == []


@translated
def test_tables_for_programs_are_the_same_in_polish(polish, marked):
    there, here = ({path.name: path.read_bytes() for path in (out / "tables").iterdir()} for out in (polish, marked))
    assert there.keys() == here.keys()
    assert [name for name in here if there[name] != here[name]] == []


def rows_of(page: str) -> list[list[str]]:
    """Return the numbers of each row of all tables, with a decimal point and no separators."""
    rows = [line for line in page.splitlines() if line.startswith("|") and "---" not in line]
    return [sorted(re.findall(r"\d+(?:\.\d+)?", line)) for line in rows]


@translated
def test_a_polish_report_has_the_numbers_of_the_english_one(polish, marked):
    """Each row of a table has the same numbers, whatever the order of its words."""
    there, here = ((out / "report.md").read_text("utf-8") for out in (polish, marked))
    here = re.sub(r"(?<=\d),(?=\d{3})", "", here)
    there = re.sub(r"(?<=\d),(?=\d)", ".", re.sub(r"(?<=\d)\xa0(?=\d{3})", "", there))
    pairs = list(zip(rows_of(there), rows_of(here), strict=True))
    assert sum(len(numbers) > 1 for _, numbers in pairs) > 50
    assert [pair for pair in pairs if len(pair[1]) > 1 and pair[0] != pair[1]] == []


@translated
def test_a_column_headed_by_a_name_is_not_translated(polish):
    """A tier called search is not the box in which to search."""
    page = (polish / "report.md").read_text("utf-8")
    assert "| miejsce | search kontra strong | strong | search |" in page
    assert "| szukaj |" not in page


@translated
def test_a_page_names_its_language(polish):
    assert '<html lang="pl">' in (polish / "index.html").read_text("utf-8")


def test_a_polish_sentence_fits_the_words_in_its_slots():
    with using("pl"):
        name = box.ROW.write_name("provisions")
        assert GridCell("bad", "runs out", name, "12,3", "", "base").text == "braki: prowiant 12,3"
        assert [more_games(n) for n in (1, 3, 35_000)] == [
            f"jeszcze około {n} partii" for n in ("1", "3", "35\u00a0000")
        ]
        assert would_decide(3) == "; prawdopodobnie rozstrzygnie to jeszcze około 3 partii"
        said = tr("{strategy} wins {value} % of its seats, fair {fair}", strategy="x", value="0,5", fair="50")
    assert said == "strategia x ma 0,5 % wygranych, równy udział 50 %"
